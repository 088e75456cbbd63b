#!/usr/bin/env python3
"""Puts mistakes of 17 kinds into files of 17 formats, and counts those that `gitglot check` finds.

    benches/check/inject.py [--program PROGRAM] [--only FORMAT] [--verify PERCENT] CLONES

CLONES contains clones of the repositories of COMPONENTS, as ACCOUNT/NAME. In three languages of each component, a commit
makes each mistake in a string of its own, once alone and once next to a finding of the same check. A mistake counts as
found if `gitglot check --base HEAD~1 --new-only` reports it in its file and line, and exits with 1. See benches/README.md.
"""

import argparse
import collections
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import entries as files
import mistakes
import plurals

ROOT = pathlib.Path(__file__).resolve().parents[2]
PORTFOLIO = "name.abuchen.portfolio.ui/src/name/abuchen/portfolio/ui/"
NETWORK = "Source/NETworkManager.Localization/Resources/"
# Format, repository, file mask, template.
COMPONENTS = [
    ("json", "ether/etherpad-lite", "src/locales/*.json", "src/locales/en.json"),
    ("json-nested", "mealie-recipes/mealie", "frontend/lang/messages/*.json", "frontend/lang/messages/en-US.json"),
    ("webextension", "sienori/Tab-Session-Manager", "src/_locales/*/messages.json", "src/_locales/en/messages.json"),
    ("i18nextv4", "LemmyNet/lemmy-translations", "frontend/*.json", "frontend/en.json"),
    ("vue-i18n", "louislam/uptime-kuma", "src/lang/*.json", "src/lang/en.json"),
    ("arb", "zulip/zulip-flutter", "assets/l10n/app_*.arb", "assets/l10n/app_en.arb"),
    ("go-i18n-json", "mattermost/mattermost-plugin-playbooks", "assets/i18n/*.json", "assets/i18n/en.json"),
    ("aresource", "TeamNewPipe/NewPipe", "app/src/main/res/values-*/strings.xml", "app/src/main/res/values/strings.xml"),
    ("strings-utf8", "transmission/transmission", "macosx/*.lproj/Localizable.strings", "macosx/en.lproj/Localizable.strings"),
    ("properties", "portfolio-performance/portfolio", PORTFOLIO + "messages_*.properties", PORTFOLIO + "messages.properties"),
    ("yaml", "wallabag/wallabag", "translations/messages.*.yml", "translations/messages.en.yml"),
    ("ruby-yaml-plurals", "diaspora/diaspora", "config/locales/diaspora/*.yml", "config/locales/diaspora/en.yml"),
    ("resx", "BornToBeRoot/NETworkManager", NETWORK + "Strings.*.resx", NETWORK + "Strings.resx"),
    ("fluent", "mozilla/common-voice", "web/locales/*/messages.ftl", "web/locales/en/messages.ftl"),
    ("po", "transmission/transmission", "po/*.po", None),
    ("xliff", "mempool/mempool", "frontend/src/locale/messages.*.xlf", None),
    ("ts", "transmission/transmission", "qt/translations/transmission_*.ts", None),
]
# A language of each group.
LANGUAGES = [["de", "fr", "es", "it", "nl"], ["ru", "uk", "pl", "cs"], ["ja", "tr", "hu", "zh", "ko"]]
USES = {"aresource": ("kt", "R.string.{}"), "arb": ("dart", "context.l10n.{}"), "resx": ("cs", "Strings.{}"),
        "webextension": ("js", 'browser.i18n.getMessage("{}")'), "properties": ("java", 'getString("{}")'),
        "ruby-yaml-plurals": ("rb", "t('{}')"), "yaml": ("php", "trans('{}')"),
        "strings-utf8": ("swift", 'NSLocalizedString("{}", comment: "")')}
# Bytes of a template with few strings.
SMALL = 10_000
OTHER_USE = ("js", "t('{}')")
ICU_OTHER = re.compile(r"\bother ?\{")


class Case:
    """A mistake: edits of the translation and of the template, in lines of the original files."""

    def __init__(self, kind, has_other, entry, lines, skip=0):
        self.kind, self.has_other, self.entry, self.lines, self.skip = kind, has_other, entry, lines, skip
        self.before, self.template_before, self.template = {}, {}, {}
        self.breaks = False

    @property
    def range(self):
        return self.entry.lines


def block(lines, entry, text):
    """The lines of an entry with another text, and its changed source."""
    changed = [lines[it] for it in entry.lines]
    changed[entry.line - entry.lines.start] = entry.before + text + entry.after
    if entry.old_source is not None and entry.source_line is not None:
        at = entry.source_line - entry.lines.start
        changed[at] = changed[at].replace(entry.old_source, entry.source, 1)
    return changed


def named(lines, entry, name):
    """The lines of an entry with another key."""
    old, changed = entry.name, [lines[it] for it in entry.lines]
    at = next(it for it, line in enumerate(changed) if old in line)
    changed[at] = changed[at].replace(old, name, 1)
    return changed


class File:
    """A translation with its template, and the entries that no mistake uses yet."""

    def __init__(self, path, file_format, text, template, reserved, all_used):
        self.path, self.format, self.lines = path, file_format, text.split("\n")
        self.syntax = files.SYNTAXES.get(file_format, file_format)
        self.template_lines = template.split("\n") if template is not None else []
        self.sources = {it.key: it for it in files.entries(self.template_lines, self.syntax)}
        self.reserved, self.used, self.obsolete = reserved, set(), 0
        self.all_used = all_used
        self.all = files.entries(self.lines, self.syntax)
        for entry in self.all:
            if template is not None and entry.key in self.sources:
                entry.source = self.sources[entry.key].text
        in_plurals = {line for forms in plurals.groups(self.lines, self.syntax) for line in forms}
        # Forms are no texts of their own, and a singular can lack a placeholder.
        is_form = lambda it: it.line in in_plurals or f"{it.key}_plural" in self.sources
        self.rest = [it for it in self.all if not is_form(it) and it.source and " " in it.source and it.text != it.source and sum(
            character.isalpha() for character in it.text) > 3 and len(it.text) < 300 and not ICU_OTHER.search(it.source)]
        # A comma follows, so that an entry can be repeated or dropped.
        if self.syntax in ("json", "webextension", "go"):
            self.rest = [it for it in self.rest if self.lines[it.lines[-1]].rstrip().endswith(",")]
        found = collections.Counter(it for entry in self.sources.values() or self.all for it in mistakes.PLACEHOLDER.findall(
            entry.source or entry.text))
        default = mistakes.DEFAULT_PLACEHOLDER.get(file_format, "{name}")
        self.placeholder = found.most_common(1)[0][0] if found else default

    def take(self, accepts=lambda entry: True, own_source=False):
        """An unused entry; `own_source`: one whose source the mistake changes for all languages."""
        for entry in self.rest:
            taken = self.used if not own_source else self.all_used
            is_free = entry.key not in taken and entry.key not in self.reserved
            if is_free and accepts(entry):
                self.used.add(entry.key)
                self.all_used.add(entry.key)
                if own_source:
                    self.reserved.add(entry.key)
                return copy.copy(entry)
        return None

    def planted(self, kind):
        """An entry without placeholders, tags and marks at the end, to whose source and text one is added."""
        def is_plain(it):
            marks = mistakes.PLACEHOLDER.search(it.source + it.text) or "<" in it.text or "&lt;" in it.text or "ICU" in it.source
            return not marks and it.text[-1].isalpha() and it.source[-1].isalnum()

        entry = self.take(is_plain, own_source=True)
        if entry is None:
            return None
        if kind == "question mark lost":
            entry.old_source = entry.source
            entry.source, entry.text = f"Do you want this: {entry.source}?", f"{entry.text}?"
            return entry
        tag = "&lt;b&gt;{}&lt;/b&gt;" if self.syntax in files.XML else "<b>{}</b>"
        added = [self.placeholder] * 2 if kind.startswith("placeholder") else [tag.format("now"), tag.format("OK")]
        entry.old_source = entry.source
        entry.source, entry.text = f"{entry.source} {added[0]}", f"{entry.text} {added[1]}"
        return entry

    def text_case(self, kind, has_other):
        needs, edit, _ = mistakes.TEXTS[kind]
        entry = self.take(needs)
        if entry is None:
            entry = self.planted(kind)
        if entry is None:
            return None
        added = None
        if has_other and kind.startswith("placeholder"):
            first = mistakes.other(mistakes.placeholders(entry)[0])
            extra = mistakes.other(first).replace("7", "8")
            extra = extra if extra not in entry.text else first
            added = entry.text + " " + extra + " " + (first if first != extra else "%f")
            entry.text += " " + extra
        elif has_other:
            entry.text += " &lt;u&gt;!" if self.syntax in files.XML else " <u>!"
        text = added if added and kind == "placeholder added" else edit(entry)
        case = Case(kind, has_other, entry, block(self.lines, entry, text))
        if entry.old_source is not None or has_other:
            case.before = {entry.lines: block(self.lines, entry, entry.text)}
        if entry.old_source is not None and self.sources:
            source = self.sources[entry.key]
            case.template_before = {source.lines: block(self.template_lines, source, entry.source)}
        raw = kind == "tag unclosed" and self.syntax in files.XML and "</b>" in entry.text
        case.breaks = raw or (kind == "placeholder malformed" and self.syntax == "fluent")
        return case

    def line_case(self, kind, has_other):
        long_name = lambda it: len(it.name) >= 8 and it.name[4:6].isalpha()
        plain_name = lambda it: not re.search(r"[\"'\\]", it.name)
        changes_source = kind in ("source changed", "used key removed")
        entry = self.take(long_name if kind == "mistyped key" else plain_name, changes_source)
        if entry is None:
            return None
        own = [self.lines[it] for it in entry.lines]
        case = Case(kind, has_other, entry, own)
        if kind == "duplicate key":
            gap = [""] if self.syntax == "po" else []
            case.lines, case.skip = own + gap + block(self.lines, entry, "Other " + entry.text), len(own + gap)
            case.breaks = self.syntax == "fluent"
        elif kind in ("invalid escape", "syntax error"):
            line = mistakes.escaped(entry, self.syntax) if kind == "invalid escape" else mistakes.broken(entry, self.syntax)
            case.lines = [line if it == entry.line else self.lines[it] for it in entry.lines]
            case.breaks = kind == "syntax error" or self.syntax in mistakes.STRICT
            if has_other:
                before = entry.text + mistakes.ESCAPES[self.syntax].replace("q", "w")
                case.before = {entry.lines: block(self.lines, entry, before)}
                case.lines = block(self.lines, entry, before + mistakes.ESCAPES[self.syntax])
        elif kind == "left-over key":
            case.lines, case.skip = own + named(self.lines, entry, "zzObsolete" + "ABCDEF"[self.obsolete]), len(own)
            self.obsolete += 1
        elif kind == "mistyped key":
            case.lines = named(self.lines, entry, entry.name[:4] + entry.name[5:])
        elif kind == "translation missing":
            case.lines = []
        elif kind == "text emptied":
            is_plain = self.syntax == "yaml" and entry.before[-1] not in "\"'"
            case.lines = block(self.lines, entry, '""' if is_plain else "")
            if self.syntax == "ts":
                case.lines = [it.replace("<translation>", '<translation type="unfinished">') for it in case.lines]
        elif kind == "source changed":
            self.change_source(case)
        elif kind == "used key removed":
            case.template = {self.sources[entry.key].lines: []}
        # The finding next to it is that of the next entry.
        if has_other and kind in ("duplicate key", "left-over key", "mistyped key", "translation missing"):
            neighbour = self.line_case(kind, False)
            if neighbour is None:
                return None
            case.before = {neighbour.range: neighbour.lines}
        return case

    def change_source(self, case):
        entry = case.entry
        if self.sources:
            source = self.sources[entry.key]
            case.template = {source.lines: block(self.template_lines, source, source.text + " again")}
            return
        entry.old_source, entry.source = entry.source, entry.source + " again"
        case.lines = block(self.lines, entry, entry.text)
        # As the tools that update such files mark it.
        if self.syntax == "po":
            at = next(it for it, line in enumerate(case.lines) if line.startswith("msg"))
            case.lines.insert(at, "#, fuzzy")
        elif self.syntax == "ts":
            case.lines = [it.replace("<translation>", '<translation type="unfinished">') for it in case.lines]

    def plural_case(self, kind, has_other):
        return self.found_plural(kind, has_other) or self.icu_case(kind, has_other) or self.planted_plural(kind, has_other)

    def found_plural(self, kind, has_other):
        """A form of a plural of the file; next to another: another form is missing before."""
        for forms in plurals.groups(self.lines, self.syntax):
            number, *others = plurals.removable(self.path, self.lines, self.syntax, forms)[: 1 + has_other] or [None]
            if number is None or number in self.plural_lines or len(others) < has_other:
                continue
            if self.sources and not plurals.has_plural(self.template_lines, self.syntax, self.lines, forms[0]):
                continue
            self.plural_lines.update(forms)
            entry = files.Entry("", "", range(number, number + 1), number, "", "", "")
            case = Case(kind, has_other, entry, [])
            case.breaks = self.syntax == "fluent"
            case.before = {range(it, it + 1): [] for it in others}
            return case
        return None

    def icu_case(self, kind, has_other):
        """A message without its last branch; next to another: it has an argument more before."""
        for entry in self.all:
            is_free = entry.key not in self.used and entry.key not in self.reserved
            if is_free and ICU_OTHER.search(entry.text) and "plural," in entry.text:
                self.used.add(entry.key)
                return self.without_branch(kind, has_other, entry)
        return None

    def without_branch(self, kind, has_other, entry):
        text = entry.text + " {zzAdded}" * has_other
        case = Case(kind, has_other, entry, block(self.lines, entry, ICU_OTHER.sub("othr {", text)))
        if has_other or entry.old_source is not None:
            case.before = {entry.lines: block(self.lines, entry, text)}
        return case

    def planted_plural(self, kind, has_other):
        """An entry that becomes a plural."""
        is_plain = lambda it: not re.search(r"[{}'\"\\<%|:]", it.source + it.text) and "\\" not in it.name
        # The last member of the template would need a comma.
        ends = lambda it: self.syntax != "json" or not self.sources or "," in self.sources[it.key].after
        entry = self.take(lambda it: is_plain(it) and ends(it), own_source=True)
        if entry is None:
            return None
        source = self.sources.get(entry.key)
        if self.format in plurals.AS_ICU:
            entry.old_source = entry.source
            entry.source, entry.text = (plurals.message(it) for it in (entry.source, entry.text))
            if self.syntax == "yaml":
                entry.before, entry.after = entry.before.rstrip("\"'") + '"', '"'
            case = self.without_branch(kind, has_other, entry)
            if source:
                planted = copy.copy(source)
                planted.before, planted.after = (entry.before, entry.after) if self.syntax == "yaml" else (source.before, source.after)
                case.template_before = {source.lines: block(self.template_lines, planted, entry.source)}
            return case
        lost = plurals.lost(self.path, self.syntax)
        made = lambda without: plurals.block(self.lines, entry, self.syntax, plurals.forms(self.path, self.syntax, without))
        case = Case(kind, has_other, entry, made(lost[: 1 + has_other]))
        case.before = {entry.lines: made(lost[1 : 1 + has_other])}
        if source:
            in_source = plurals.block(self.template_lines, source, self.syntax, plurals.forms("en", self.syntax, []))
            case.template_before = {source.lines: in_source}
        case.breaks = self.syntax == "fluent"
        return case

    def cases(self):
        """The mistakes, and the kinds that have no string or cannot occur, with the reason."""
        self.plural_lines, made, absent = set(), [], []
        for kind in mistakes.FITS:
            for has_other in (False, True):
                reason = mistakes.absence(kind, self.syntax, has_other)
                if kind == "plural category missing":
                    reason = reason or plurals.absence(self.path, self.format, self.syntax, has_other)
                if reason is None:
                    make = self.text_case if kind in mistakes.TEXTS else self.line_case
                    make = self.plural_case if kind == "plural category missing" else make
                    case = make(kind, has_other)
                    reason = None if case else "no string of the file has what it needs"
                    made += [case] if case else []
                if reason is not None:
                    absent.append((kind, has_other, reason))
        return made, absent


def apply(lines, edits):
    """The changed lines, and where each edit begins in them."""
    out, starts, number = [], {}, 0
    for place, new in sorted(edits.items(), key=lambda it: it[0].start):
        out += lines[number : place.start]
        starts[place] = len(out)
        out += new
        number = place.stop
    return out + lines[number:], starts


def git(folder, *arguments):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def check(options, folder, file_format, mask, template):
    command = [options.program, "check", "--format", "json", "--history", "none", "--base", "HEAD~1", "--new-only",
               "--filemask", mask, "--file-format", file_format, *(["--template", template] if template else [])]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"{folder}: {done.stderr}")
    return json.loads(done.stdout)["findings"], done.returncode


def languages(folder, mask):
    """The file of a language of each group."""
    pattern = re.compile(re.escape(mask).replace(r"\*", r"([A-Za-z_-]+)"))
    listed = git(folder, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    found = {match.group(1).replace("-", "_"): path for path in listed if (match := pattern.fullmatch(path))}
    chosen = []
    for group in LANGUAGES:
        paths = [path for wanted in group for name, path in sorted(found.items()) if name.split("_")[0] == wanted]
        chosen += paths[:1]
    return chosen


def run(options, component, table):
    file_format, repository, mask, template = component
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place, "clone")
        source = pathlib.Path(options.clones, repository).resolve()
        git(".", "clone", "-q", "--shared", "--no-checkout", str(source), str(folder))
        paths = languages(folder, mask)
        git(folder, "sparse-checkout", "set", "--no-cone", *paths, *([template] if template else []), "src/uses_of_keys.*")
        git(folder, "checkout", "-q", "-f")
        head = git(folder, "rev-parse", "HEAD").strip()
        read = lambda path: (folder / path).read_text(encoding="utf-8")
        source = read(template) if template else None
        # A small file has no string for the mistakes of several languages, whose sources can change.
        is_small = source is not None and len(source) < SMALL
        for chosen in [[it] for it in paths] if is_small else [paths]:
            # The keys whose source changes, and those of all mistakes.
            reserved, all_used, translations = set(), set(), []
            for path in chosen:
                made = File(path, file_format, read(path), source, reserved, all_used)
                translations.append((made, *made.cases()))
            for made, _, absent in translations:
                for kind, has_other, reason in absent:
                    table.absent[file_format, kind, has_other, reason].append(made.path)
            write_rounds(options, folder, component, translations, table)
            git(folder, "reset", "-q", "--hard", head)


def write_rounds(options, folder, component, translations, table):
    """Commits the state before, then all mistakes at once, but those that break a file one by one."""
    file_format, _, mask, template = component
    before_template, uses = {}, []
    for made, cases, _ in translations:
        edits = {}
        for case in cases:
            edits |= case.before
            before_template |= case.template_before
            if case.kind == "used key removed":
                uses.append(case.entry.key)
        made.before = edits
        write(folder, made.path, apply(made.lines, edits)[0])
    ending, use = USES.get(file_format, OTHER_USE)
    write(folder, f"src/uses_of_keys.{ending}", [use.format(it) + ";" for it in uses])
    template_lines = translations[0][0].template_lines
    if template:
        write(folder, template, apply(template_lines, before_template)[0])
    commit(folder, "Before")
    rounds = max(sum(it.breaks for it in cases) for _, cases, _ in translations)
    for number in range(rounds + 1):
        selected, template_edits = [], dict(before_template)
        for made, cases, _ in translations:
            breaking = [it for it in cases if it.breaks]
            cases = breaking[number - 1 : number] if number else [it for it in cases if not it.breaks]
            changed, starts = apply(made.lines, made.before | {it.range: it.lines for it in cases})
            write(folder, made.path, changed)
            for case in cases:
                template_edits |= case.template
            selected.append((made, cases, starts))
        if template:
            write(folder, template, apply(template_lines, template_edits)[0])
        commit(folder, "Mistakes")
        count(check(options, folder, file_format, mask, template), component, selected, table)
        git(folder, "reset", "-q", "--hard", "HEAD~1")


def write(folder, path, lines):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text("\n".join(lines), encoding="utf-8")


def commit(folder, message):
    git(folder, "add", "--sparse", "-A", ".")
    # Snapshots can lack large files.
    tree = git(folder, "write-tree", "--missing-ok").strip()
    git(folder, "reset", "-q", "--soft", git(folder, "commit-tree", "-p", "HEAD", "-m", message, tree).strip())


def count(result, component, selected, table):
    (findings, status), (file_format, _, _, template) = result, component
    for made, cases, starts in selected:
        for case in cases:
            path = template if case.kind == "used key removed" else made.path
            at_file = [it for it in findings if it["file"] == path]
            start = starts.get(case.range, 0) + case.skip
            # Numbers from 1, end included.
            lines = range(start + 1, start + max(len(case.lines) - case.skip, 1) + 1)
            fitting = [it for it in at_file if fits(it, case, lines)]
            is_error = any(it["severity"] == "error" for it in fitting) and status == 1
            table.found[file_format, case.kind].append(bool(fitting))
            if case.kind in mistakes.ERRORS:
                table.errors[file_format, case.kind].append(is_error)
            if not fitting or (case.kind in mistakes.ERRORS and not is_error):
                near = sorted({(it["check"], it["line"], it["severity"]) for it in at_file if it["line"] in lines})
                print(f"{'no error' if fitting else 'not found'}: {file_format}, {case.kind}{', next to another' * case.has_other}, "
                      f"{path}:{lines.start} {case.entry.key!r} {near[:5]}\n    {case.entry.source[:120]!r}\n"
                      f"    {' / '.join(case.lines)[:200]!r}", flush=True)


def fits(finding, case, lines):
    checks = mistakes.FITS[case.kind]
    # Inline elements of XLIFF are placeholders.
    is_inline = "<x " in case.entry.source and finding["check"] in mistakes.MARKUP
    is_format = checks >= mistakes.FORMAT_CHECKS and (finding["check"].endswith("_format") or is_inline)
    if finding["check"] not in checks and not is_format:
        return False
    if case.kind == "plural category missing" and not case.entry.key:
        return lines.start - 12 <= finding["line"] <= lines.start + 1
    # A single form of i18next is a text with another key, and its string is missing.
    if finding["check"] == "missing" and finding["key"].endswith(case.entry.name):
        return True
    # What is gone has no line: that of the entry before.
    if not case.lines or case.kind == "used key removed":
        key = case.entry.name
        source = finding.get("source", "")
        return finding.get("key", "").endswith(key) or key in source or source == case.entry.source
    return finding["line"] in lines or (case.breaks and finding["line"] == lines.stop)


class Table:
    def __init__(self):
        self.found, self.errors, self.absent = (collections.defaultdict(list) for _ in range(3))

    def print(self):
        formats = [it for it, *_ in COMPONENTS if any(it == key[0] for key in self.found)]
        print("\n| Mistake | " + " | ".join(formats) + " |\n|---" + "|---" * len(formats) + "|")
        for kind in mistakes.FITS:
            cells = [self.found.get((it, kind), []) for it in formats]
            print(f"| {kind} | " + " | ".join(f"{sum(it)}/{len(it)}" if it else "–" for it in cells) + " |")
        print("\nNot applicable:")
        reasons = collections.defaultdict(list)
        for (file_format, kind, has_other, reason), paths in self.absent.items():
            reasons[kind + " next to another" * has_other, reason].append(f"{file_format} ({len(paths)})")
        for (kind, reason), places in sorted(reasons.items()):
            print(f"- {kind}: {reason}: {', '.join(places)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/gitglot"))
    parser.add_argument("--only", action="append", help="a format")
    parser.add_argument("--verify", type=float, help="the least percentage")
    parser.add_argument("clones")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    table = Table()
    for component in COMPONENTS:
        if not options.only or component[0] in options.only:
            run(options, component, table)
    table.print()
    found, errors = ([it for cell in part.values() for it in cell] for part in (table.found, table.errors))
    percent = 100 * sum(found) / max(len(found), 1)
    print(f"\n{sum(found)} of {len(found)} found ({percent:.1f} %); as errors: {sum(errors)} of {len(errors)}")
    if options.verify and percent < options.verify:
        sys.exit(1)


if __name__ == "__main__":
    main()
