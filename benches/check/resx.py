#!/usr/bin/env python3
"""Measures `gitglot check` on a repository like one of a large WinForms program: RESX files with 19,594 entries, of which
2,467 are texts and the others data of the form designer, in 20 languages.

    benches/check/resx.py [--program PROGRAM] [--seconds LIMIT]

Every language has all entries. With `--seconds`, it fails if the check takes longer. See benches/README.md.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS, ENTRIES = 2467, 19594
LANGUAGES = ["ar", "cs", "da", "de", "es", "fa", "fr", "hu", "id", "it", "ja", "ko", "nl", "pl", "pt-BR", "ro", "ru", "tr",
             "uk", "zh-CN"]
FORMS = 40
SIZE = '<data name="{0}.Size" type="System.Drawing.Size, System.Drawing"><value>{1}, 23</value></data>'
DESIGNER = [
    SIZE,
    '<data name="{0}.Location" type="System.Drawing.Point, System.Drawing"><value>16, {1}</value></data>',
    '<data name="{0}.TabIndex" type="System.Int32, mscorlib"><value>{1}</value></data>',
    '<data name="{0}.Anchor" type="System.Windows.Forms.AnchorStyles, System.Windows.Forms"><value>Top, Left</value></data>',
    '<data name="&gt;&gt;{0}.Name" xml:space="preserve"><value>{0}</value></data>',
    '<data name="&gt;&gt;{0}.Parent" xml:space="preserve"><value>$this</value></data>',
    '<data name="{0}.Image" mimetype="application/x-microsoft.net.object.bytearray.base64"><value>iVBORw0KGgo={1}</value></data>',
]


def form(number, language):
    """The file of a form: an equal part of all texts and of all other entries."""
    def part(total):
        return range(total * number // FORMS, total * (number + 1) // FORMS)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<root>"]
    for at in part(TEXTS):
        text = f"Open the image number {at} of {{0}} in the editor."
        if language:
            text = f"[{language}] {at}: {{0}}, öffnen & bearbeiten.".replace("&", "&amp;")
        lines.append(f'  <data name="control{at}.Text" xml:space="preserve">\n    <value>{text}</value>\n  </data>')
    for at in part(ENTRIES - TEXTS):
        lines.append("  " + DESIGNER[at % len(DESIGNER)].format(f"control{at}", at))
    return "\n".join([*lines, "</root>", ""])


def repository(folder):
    for number in range(FORMS):
        for language in ["", *LANGUAGES]:
            ending = f".{language}.resx" if language else ".resx"
            path = folder / "Forms" / f"Form{number}{ending}"
            path.parent.mkdir(exist_ok=True)
            path.write_text(form(number, language))
    git = ["git", "-c", "user.name=Example", "-c", "user.email=example@example.org", "-C", str(folder)]
    for command in [["init", "-q"], ["add", "."], ["commit", "-qm", "Add forms"]]:
        subprocess.run([*git, *command], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "target/release/gitglot"))
    parser.add_argument("--seconds", type=float)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        repository(pathlib.Path(folder))
        start = time.monotonic()
        done = subprocess.run([options.program, "check", "--format", "json"], cwd=folder, capture_output=True)
        elapsed = time.monotonic() - start
    if done.returncode not in (0, 1):
        sys.exit(f"gitglot failed: {done.stderr.decode()}")
    report = json.loads(done.stdout)
    strings = report["totals"]["strings"]
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = usage.ru_utime + usage.ru_stime
    print(f"{strings} strings in {len(LANGUAGES)} languages, {len(report['findings'])} findings: "
          f"{elapsed:.2f} s, processor time {processor:.2f} s, memory {usage.ru_maxrss / 1024:.0f} MB")
    if strings != TEXTS * len(LANGUAGES):
        sys.exit(f"wrong number of strings: {TEXTS * len(LANGUAGES)} expected")
    if options.seconds is not None and elapsed > options.seconds:
        sys.exit(f"slower than {options.seconds} s")


if __name__ == "__main__":
    main()
