#!/usr/bin/env python3
"""Compares `gitglot site` with Hugo, which builds as many pages of the same size from ready text.

    benches/site/run.py [--program P] [--hugo P] [--rounds N] REPOSITORY [OPTION...]

Writes the site of REPOSITORY with these options, then gives Hugo a content file for each of its HTML, JSON and SVG
files: the main part of a page, which a template puts into the same frame, or the whole text of other files. Both write
to a RAM disk. Prints files, bytes, elapsed and processor time (user and system), and files per second of processor time.
A run before the others reads the history into a state directory, as a cache in CI has it. Needs the Debian package `hugo`.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAIN = re.compile(r'^(.*?<title>)(.*?)(</title>.*?<main id="main">)(.*)(</main>.*)$', re.DOTALL)
CONFIGURATION = """
baseURL = "https://example.org/"
uglyURLs = true
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"]
timeout = "600s"
[markup.goldmark.renderer]
unsafe = true
"""


class Run:
    """Elapsed time, processor time and output of a command."""

    def __init__(self, command: list, **more):
        started = time.monotonic()
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen([str(it) for it in command], stdout=log, stderr=log, **more)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.elapsed = time.monotonic() - started
            log.seek(0)
            self.output = log.read().decode(errors="replace")
        self.processor = usage.ru_utime + usage.ru_stime
        if process.returncode != 0:
            sys.exit(f"{command[0]} ended with {process.returncode}:\n{self.output[-2000:]}")


def sizes(folder: Path) -> "tuple[int, int]":
    files = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return len(files), sum(files)


def hugo_source(site: Path, folder: Path) -> None:
    """A Hugo project with a content file for each text of the site."""
    (folder / "config.toml").parent.mkdir(parents=True)
    (folder / "config.toml").write_text(CONFIGURATION)
    layouts = folder / "layouts/_default"
    layouts.mkdir(parents=True)
    (layouts / "raw.html").write_text("{{ .RawContent | safeHTML }}")
    frame, number = None, 0
    for path in sorted(site.rglob("*")):
        if path.suffix not in (".html", ".json", ".svg") or not path.is_file():
            continue
        text = path.read_text()
        page = MAIN.match(text) if path.suffix == ".html" else None
        matter = {"title": page[2], "layout": "single"} if page else {"title": path.name, "layout": "raw"}
        if page and frame is None:
            frame = [re.sub("{{|}}", "", part) for part in (page[1], page[3], page[5])]
            (layouts / "single.html").write_text("{{ .Title }}".join(frame[:2]) + "{{ .Content }}" + frame[2])
        file = folder / "content" / str(number // 1000) / f"{number}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        # Without what Hugo would take for a call of a template.
        body = (page[4] if page else text).replace("{{<", "{ {<").replace("{{%", "{ {%")
        file.write_text(json.dumps(matter) + "\n" + body)
        number += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/gitglot")
    parser.add_argument("--hugo", default=shutil.which("hugo") or "hugo")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("repository")
    parser.add_argument("options", nargs="*", help="options of gitglot site, after --")
    options = parser.parse_args()
    ram = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="gitglot-site-", dir=ram) as folder:
        site, source, built = Path(folder) / "site", Path(folder) / "source", Path(folder) / "built"
        command = [options.program, "site", "--state-dir", Path(folder) / "state", *options.options, options.repository, site]
        Run(command)
        ratios = []
        for round in range(options.rounds):
            shutil.rmtree(site, ignore_errors=True)
            own = Run(command)
            files, size = sizes(site)
            if round == 0:
                hugo_source(site, source)
            shutil.rmtree(built, ignore_errors=True)
            other = Run([options.hugo, "--quiet", "--source", source, "--destination", built])
            built_files, built_size = sizes(built)
            rates = files / own.processor, built_files / other.processor
            ratios.append(rates[0] / rates[1])
            for name, run, count, length, rate in (
                ("gitglot", own, files, size, rates[0]),
                ("hugo", other, built_files, built_size, rates[1]),
            ):
                print(
                    f"{name}: {count:,} files, {length / 1e6:.1f} MB, {run.elapsed:.2f} s, processor {run.processor:.2f} s, "
                    f"{rate:,.0f} files per second of it",
                    flush=True,
                )
            print("  " + own.output.strip().splitlines()[-1])
        print(f"files per second of processor time: {statistics.median(ratios):.1f} times those of Hugo")


if __name__ == "__main__":
    main()
