#!/usr/bin/env python3
"""Puts mistakes into the translations of real repositories, and counts those that `gitglot check` finds.

    benches/check/inject.py [--program PROGRAM] [--verify PERCENT] REPOSITORY…

Each repository is cloned. Per component, up to three languages get one mistake of each kind in a commit, each on a string
of its own, besides the findings that the files have already. A mistake counts as found if `gitglot check --base HEAD~1
--new-only` names its file and line with a check that fits. See benches/README.md.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The line of an entry: the part before the key, the key, the part before the text, the text, the part behind it.
LINES = {
    "json": r'^(\s*")([^"\\]+)("\s*:\s*")((?:[^"\\]|\\.)*)(",?\s*)$',
    "properties": r"^()([\w.\-/]+)(\s*=\s*)(\S.*?)()$",
    "strings": r'^(")([^"\\]+)("\s*=\s*")((?:[^"\\]|\\.)+)(";\s*)$',
    "android": r'^(\s*<string name=")([\w.]+)("[^>]*>)(.+)(</string>\s*)$',
    "yaml": r"^( +)([\w-]+)(: +[\"']?)([^\"'\s&*|>{%\[].*?)([\"']?)$",
    "fluent": r"^()([a-z][\w-]*)( = )([^{}]+|.*\{ ?\$\w+ ?\}.*)()$",
    "po": r'^(msgstr ")()()((?:[^"\\]|\\.)+)("\s*)$',
    "ts": r"^(\s*<translation>)()()([^<]+)(</translation>\s*)$",
    "xliff": r"^(\s*<target[^>]*>)()()(.+)(</target>\s*)$",
    "resx": r"^(\s*<value>)()()([^<]+)(</value>\s*)$",
    "webextension": r'^(\s*"message"\s*:\s*")()()((?:[^"\\]|\\.)*)(",?\s*)$',
}
# The line with the source text or the key, before that of a text.
BEFORE = {
    "po": r'^msgid "((?:[^"\\]|\\.)+)"\s*$',
    "ts": r"^\s*<source>([^<]+)</source>\s*$",
    "xliff": r"^\s*<source>(.+)</source>\s*$",
    "resx": r'^\s*<data name="([^"]+)"[^>]*>\s*$',
    "webextension": r'^\s*"([\w@.-]+)"\s*:\s*\{\s*$',
}
ENDINGS = {".json": "json", ".arb": "json", ".properties": "properties", ".strings": "strings", ".xml": "android",
           ".yml": "yaml", ".yaml": "yaml", ".ftl": "fluent", ".po": "po", ".ts": "ts", ".xlf": "xliff",
           ".xliff": "xliff", ".resx": "resx"}
PLACEHOLDER = re.compile(r"\{\{[\w. -]+\}\}|%\{\w+\}|\{ ?\$\w+ ?\}|\{\w+\}|%\(\w+\)[sd]|%(?:\d\$)?[sd@]|\$[A-Za-z_]\w+\$|\$[1-9]")
TAG = re.compile(r"(?:<|&lt;)(b|strong|em|i|a|code|span)\b[^<>&]*(?:>|&gt;)")
BILINGUAL = {"po", "ts", "xliff"}
# The formats whose key is on a line of its own.
WRAPPED = BILINGUAL | {"resx", "webextension"}
XML = {"android", "ts", "xliff", "resx"}


class Entry:
    def __init__(self, line, key, source, parts, key_line):
        self.line, self.key, self.source, self.parts, self.key_line = line, key, source, list(parts), key_line

    @property
    def text(self):
        return self.parts[3]


def entries(lines, kind):
    """The entries that have a line of their own and a key that no other has."""
    found, before, before_line, is_comment = [], None, None, False
    for number, line in enumerate(lines):
        match = re.match(LINES[kind], line)
        if kind in BEFORE:
            opened = re.match(BEFORE[kind], line)
            if opened:
                before, before_line = opened.group(1), number
                continue
        # Lines of a block in YAML look like entries.
        is_block = kind == "yaml" and match and not match.group(2)[0].islower()
        # Metadata of ARB, and examples in comments.
        is_comment = (is_comment or "<!--" in line) and "-->" not in line
        is_no_text = is_comment or (match and kind == "json" and match.group(2).startswith("@"))
        if match and not is_block and not is_no_text:
            parts = match.groups()
            key = before if kind in BEFORE else parts[1]
            if key:
                found.append(Entry(number, key, before if kind in BILINGUAL else None, parts, before_line))
        # Descriptions and placeholders precede the message.
        if kind != "webextension" or match:
            before = None
    counts = collections.Counter(entry.key for entry in found)
    return [entry for entry in found if counts[entry.key] == 1]


def words(text):
    return len(re.findall(r"[^\W\d_]{2,}", text))


def changed(change):
    def edit(entry, kind, lines):
        text = change(entry.text, entry.source, kind) if change in (unclosed, spaced) else change(entry.text, entry.source)
        if text is None or text == entry.text:
            return None
        return [entry.parts[0] + entry.parts[1] + entry.parts[2] + text + entry.parts[4]]
    return edit


def lost(text, source):
    shared = [it for it in PLACEHOLDER.findall(source) if source.count(it) == text.count(it) == 1]
    return text.replace(shared[0], "").strip() if shared and words(text) > 1 else None


def malformed(text, source):
    shared = [it for it in PLACEHOLDER.findall(source) if source.count(it) == text.count(it) == 1]
    if not shared or not shared[0].endswith(("}", "$")) or words(text) < 2 or "ICU" in source:
        return None
    return text.replace(shared[0], shared[0][:-1])


def unclosed(text, source, kind=""):
    tag = TAG.search(source)
    closing = re.compile(r"(?:</|&lt;/)%s(?:>|&gt;)" % tag.group(1)) if tag else None
    if not tag or len(closing.findall(text)) != 1 or len(closing.findall(source)) != 1:
        return None
    # In a file of XML, it does not parse: `spoil` tries that.
    return closing.sub("", text) if kind not in XML or "&lt;" in text else None


def untagged(text, source):
    tag = TAG.search(source)
    if not tag or len(TAG.findall(source)) != 1 or len(TAG.findall(text)) != 1:
        return None
    bare = TAG.sub("", text)
    return re.sub(r"(?:</|&lt;/)\w+(?:>|&gt;)", "", bare)


def unmarked(text, source):
    question = re.match(r"(?:Are|Do|Does|Did|Is|Can|Would|Should|Have|Has) ", source)
    return text[:-1].rstrip() if question and source.endswith("?") and text.endswith("?") else None


def unchanged(text, source):
    return source if words(source) > 3 and words(text) > 1 and not PLACEHOLDER.search(source) else None


def doubled(text, source):
    # Pronouns are repeated in some languages.
    word = re.search(r"\b([^\W\d_]{6,}) ", text)
    return text.replace(word.group(1), word.group(1) + " " + word.group(1), 1) if word else None


def spaced(text, source, kind=""):
    # Android joins spaces.
    return None if kind == "android" else re.sub(r"(\w) (\w)", r"\1  \2", text, count=1)


def capitals(text, source):
    word = re.search(r"\b([A-ZÄÖÜÁÉ][a-zäöüßáéíóú])([a-zäöüßáéíóúý]{3,})\b", text)
    if not word or word.group(0).lower() in source.lower():
        return None
    return text.replace(word.group(0), word.group(1).upper() + word.group(2), 1)


def duplicate(entry, kind, lines):
    if words(entry.text) < 2:
        return None
    line = lines[entry.line]
    if kind == "po" and lines[entry.line - 1].startswith("msgid ") and not lines[entry.line + 1]:
        return [line, "", lines[entry.line - 1], line]
    if kind in WRAPPED:
        return None
    other = entry.parts[0] + entry.parts[1] + entry.parts[2] + "Other " + entry.text + entry.parts[4]
    if kind == "json" and not line.rstrip().endswith(","):
        return None
    return [line, other]


def renamed(entry, kind, lines, key):
    """The line of the key with another key, in formats that have a line for it."""
    if kind not in ("resx", "webextension"):
        return None
    return entry.key_line, [lines[entry.key_line].replace(f'"{entry.key}"', f'"{key}"', 1)]


def left_over(entry, kind, lines):
    if kind in WRAPPED:
        return renamed(entry, kind, lines, "zzObsoleteName")
    line = lines[entry.line]
    if kind == "json" and not line.rstrip().endswith(","):
        return None
    return [line, entry.parts[0] + "zzObsoleteName" + entry.parts[2] + entry.text + entry.parts[4]]


def mistyped(entry, kind, lines):
    if kind in BILINGUAL or len(entry.key) < 8 or not entry.key[3:6].isalpha():
        return None
    if kind in WRAPPED:
        return renamed(entry, kind, lines, entry.key[:4] + entry.key[5:])
    return [entry.parts[0] + entry.key[:4] + entry.key[5:] + entry.parts[2] + entry.text + entry.parts[4]]


def missing(entry, kind, lines):
    if kind in WRAPPED or (kind == "json" and not lines[entry.line].rstrip().endswith(",")):
        return None
    following = lines[entry.line + 1] if entry.line + 1 < len(lines) else ""
    return [] if kind != "fluent" or not following.startswith(" ") else None


def emptied(entry, kind, lines):
    if kind in ("fluent", "yaml"):
        return None
    # A finished text of Qt that is empty means the source text.
    start = entry.parts[0].replace("<translation>", '<translation type="unfinished">')
    return [start + entry.parts[1] + entry.parts[2] + entry.parts[4]]


ESCAPES = {"properties": r"\u00e ", "json": r"\q ", "webextension": r"\q ", "strings": r"\q "}

FORMAT_CHECKS = {"placeholders", "icu_message_format", "fluent-references"}
MARKUP = {"xml-tags", "xml-invalid", "safe-html"}
# Kind, edit, the checks that fit; None as a suffix means any format check.
KINDS = [
    ("lost placeholder", changed(lost), FORMAT_CHECKS),
    ("malformed placeholder", changed(malformed), FORMAT_CHECKS | {"parse-error"}),
    ("unclosed tag", changed(unclosed), MARKUP | {"parse-error"}),
    ("lost tag", changed(untagged), MARKUP),
    ("lost question mark", changed(unmarked), {"end_question"}),
    ("unchanged text", changed(unchanged), {"same"}),
    ("repeated word", changed(doubled), {"duplicate"}),
    ("double space", changed(spaced), {"double_space"}),
    ("slip of capitals", changed(capitals), {"multiple_capital"}),
    ("duplicate key", duplicate, {"duplicate-key"}),
    ("left-over key", left_over, {"left-over", "mistyped-key"}),
    ("mistyped key", mistyped, {"left-over", "mistyped-key"}),
    ("missing translation", missing, {"missing", "removed"}),
    ("emptied translation", emptied, {"missing", "removed", "plurals"}),
]


def git(folder, *arguments):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def check(options, folder, *arguments):
    command = [options.program, "check", "--format", "json", "--history", "none", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"{folder}: {done.stderr}")
    return json.loads(done.stdout)


# Languages whose words are written apart and are not repeated to form others.
LANGUAGES = {"bg", "ca", "cs", "da", "de", "el", "es", "fr", "hr", "it", "nb_NO", "pl", "pt", "pt_BR", "pt_PT",
             "ro", "ru", "sk", "sl", "sv", "uk"}


def formats_of(options, folder):
    """The file format of each component, by file mask."""
    command = [options.program, "discover", str(folder)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    projects = tomllib.loads(printed)["project"]
    components = [it for project in projects for it in project["component"]]
    return {it["filemask"]: it["file_format"] for it in components}


def languages_of(component):
    """The three languages with the most strings."""
    others = [it for it in component["languages"] if not it["is_source"] and it["language"] in LANGUAGES]
    others.sort(key=lambda it: (-it["translated"], it["language"]))
    return others[:3]


def inject(path, template, kind, used):
    """Writes the mistakes into a file, and returns kind, line, checks and key of each."""
    lines = path.read_text(encoding="utf-8").split("\n")
    sources = {}
    if template is not None:
        sources = {it.key: it.text for it in entries(template.read_text(encoding="utf-8").split("\n"), kind)}
    # A key in place of a source text shows nothing about the translation.
    is_text = lambda it: it.key in sources or (it.source and " " in it.source)
    rest = [it for it in entries(lines, kind) if is_text(it)]
    edits = {}
    for name, edit, fits in KINDS:
        for entry in rest:
            entry.source = entry.source or sources[entry.key]
            if entry.line in edits or entry.text == entry.source or entry.key in used:
                continue
            new = edit(entry, kind, lines)
            if new is not None:
                line, new = new if isinstance(new, tuple) else (entry.line, new)
                edits[line] = (name, fits, entry.key, new)
                # No other mistake in the same string.
                edits.setdefault(entry.line, None)
                break
    out, expected = [], []
    for number, line in enumerate(lines):
        if edits.get(number) is None:
            out.append(line)
            continue
        name, fits, key, new = edits[number]
        out.extend(new)
        expected.append((name, len(out) if new else None, fits, key))
    path.write_text("\n".join(out), encoding="utf-8")
    return expected


def spoil(path, kind):
    """Breaks one line so that the format rejects it. Returns the kind, the line and the checks."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for entry in entries(lines, kind):
        if kind in XML:
            lines[entry.line] = entry.parts[0] + entry.parts[1] + entry.parts[2] + entry.text + "<b>" + entry.parts[4]
            path.write_text("\n".join(lines), encoding="utf-8")
            return [("invalid file", entry.line + 1, {"parse-error"}, entry.key)]
        if kind in ESCAPES and entry.text.isprintable():
            line = lines[entry.line]
            end = len(line) - len(entry.parts[4])
            lines[entry.line] = line[:end] + ESCAPES[kind] + line[end:]
            path.write_text("\n".join(lines), encoding="utf-8")
            return [("invalid escape", entry.line + 1, {"escape", "parse-error"}, entry.key)]
    return []


def run(options, repository, table):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place, "clone")
        git(".", "clone", "-q", "--shared", str(pathlib.Path(repository).resolve()), str(folder))
        report = check(options, folder)
        formats = formats_of(options, folder)
        wanted = []
        for component in report["components"][: options.components]:
            for language in languages_of(component):
                file_format = formats[component["filemask"]]
                kind = ENDINGS.get(pathlib.Path(language["file"]).suffix)
                kind = file_format if file_format == "webextension" and kind == "json" else kind
                source = next((it["file"] for it in component["languages"] if it["is_source"]), None)
                if kind is None or (source is None and kind not in BILINGUAL):
                    continue
                template = None if kind in BILINGUAL else folder / source
                try:
                    found = inject(folder / language["file"], template, kind, set())
                except UnicodeDecodeError:
                    continue
                wanted.append((language["file"], kind, file_format, found))
        compare(options, folder, table, wanted)
        git(folder, "reset", "-q", "--hard", "HEAD~1")
        spoiled = [(file, kind, name, spoil(folder / file, kind)) for file, kind, name, _ in wanted]
        compare(options, folder, table, spoiled)


def compare(options, folder, table, wanted):
    git(folder, "commit", "-q", "--allow-empty", "-am", "Mistakes")
    report = check(options, folder, "--base", "HEAD~1", "--new-only")
    by_file = collections.defaultdict(list)
    for finding in report["findings"]:
        by_file[finding["file"]].append(finding)
    for file, kind, file_format, expected in wanted:
        for name, line, fits, key in expected:
            def matches(finding):
                is_format = fits >= FORMAT_CHECKS and finding["check"].endswith("_format") or "interpolation" in finding["check"]
                # A text on several lines is reported where its entry begins.
                near = line is None or finding["line"] in (line, line - 1) or (kind in BEFORE and 0 <= line - finding["line"] <= 8)
                return (finding["check"] in fits or is_format) and near
            found = any(matches(finding) for finding in by_file[file])
            table[file_format, name].append(found)
            if not found:
                others = [(it["check"], it["line"]) for it in by_file[file] if it["line"] == line]
                print(f"not found: {name}, {folder.name}/{file}:{line} {key!r} {others}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/gitglot"))
    parser.add_argument("--components", type=int, default=3, help="components per repository")
    parser.add_argument("--verify", type=float, help="the least percentage")
    parser.add_argument("repositories", nargs="+")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    table = collections.defaultdict(list)
    for repository in options.repositories:
        try:
            run(options, repository, table)
        except subprocess.CalledProcessError as error:
            # Such as a snapshot without its large files.
            print(f"skipped: {repository}: {error.stderr.strip().splitlines()[-1:]}")
    names = [name for name, _, _ in KINDS] + ["invalid escape", "invalid file"]
    kinds = sorted({kind for kind, _ in table})
    print("\n| Mistake | " + " | ".join(kinds) + " |\n|---" + "|---" * len(kinds) + "|")
    for name in names:
        cells = [f"{sum(table[kind, name])} of {len(table[kind, name])}" if table[kind, name] else "–" for kind in kinds]
        print(f"| {name} | " + " | ".join(cells) + " |")
    found = sum(sum(it) for it in table.values())
    count = sum(len(it) for it in table.values())
    print(f"\n{found} of {count} found ({100 * found / max(count, 1):.1f} %)")
    if options.verify and 100 * found < options.verify * count:
        sys.exit(1)


main()
