"""Finds the entries of translation files line by line, without a parser of gitglot.

Only entries whose text is on one line and whose key no other entry has are found: these are enough to put mistakes into.
"""

import collections
import dataclasses
import re

TEXT = r"((?:[^\"\\]|\\.)*)"


@dataclasses.dataclass
class Entry:
    """`name` is the key as the file has it, `lines` are those of the whole entry (numbers from 0, end excluded), `line` is
    that of the text. `old_source` is the source in the file if a mistake changes it."""

    key: str
    name: str
    lines: range
    line: int
    before: str
    text: str
    after: str
    source: str = ""
    source_line: int | None = None
    old_source: str | None = None


# Formats with an entry on a line: what precedes the key, the key, what precedes the text, the text, what follows it.
LINES = {
    "json": rf'^(\s*")((?:[^"\\]|\\.)+)("\s*:\s*"){TEXT}(",?\s*)$',
    "properties": r"^()([\w.\-/]+)(\s*=\s*)(\S.*?(?<!\\))()$",
    "strings": rf'^(")((?:[^"\\]|\\.)+)("\s*=\s*"){TEXT}(";\s*)$',
    "android": r'^(\s*<string name=")([\w.]+)("[^>]*>)(.+)(</string>\s*)$',
    "yaml": r"""^( *)([\w.-]+|"[^"]+")(: +["']?)([^"'\s&*|>{%\[!].*?)(["']?)$""",
    "fluent": r"^()([a-z][\w-]*)( = )([^{}]+|[^{}]*\{ ?\$\w+ ?\}[^{}]*)()$",
}
# Formats with an entry on several lines: its first line, its last line, the key, the source, the text.
BLOCKS = {
    "webextension": (r'^\s*"[\w@.-]+"\s*:\s*\{\s*$', None, r'^\s*"([\w@.-]+)"\s*:\s*\{', None,
                     rf'^(\s*"message"\s*:\s*"){TEXT}(",?\s*)$'),
    "go": (r"^\s*\{\s*$", None, r'^\s*"id"\s*:\s*"([^"]+)"', None, rf'^(\s*"translation"\s*:\s*"){TEXT}(",?\s*)$'),
    "resx": (r"^\s*<data name=", r"</data>", r'<data name="([^"]+)"', None, r"^(\s*<value>)([^<]+)(</value>\s*)$"),
    "po": (r"^(?:#|msgid )", r"^$", r'^msgid "(.+)"$', r'^msgid "(.+)"$', rf'^(msgstr "){TEXT}("\s*)$'),
    "ts": (r"^\s*<message", r"</message>", r"<source>([^<]+)</source>", r"<source>([^<]+)</source>",
           r"^(\s*<translation>)([^<]+)(</translation>\s*)$"),
    "xliff": (r"^\s*<trans-unit ", r"</trans-unit>", r'<trans-unit id="([^"]+)"', r"<source>(.+)</source>",
              r"^(\s*<target[^>]*>)(.+)(</target>\s*)$"),
}
SYNTAXES = {"json-nested": "json", "i18nextv4": "json", "vue-i18n": "json", "arb": "json", "go-i18n-json": "go",
            "aresource": "android", "strings-utf8": "strings", "ruby-yaml-plurals": "yaml"}
BILINGUAL = {"po", "ts", "xliff"}
XML = {"android", "resx", "ts", "xliff"}


def entries(lines, syntax):
    found = blocks(lines, syntax) if syntax in BLOCKS else single_lines(lines, syntax)
    counts = collections.Counter(entry.key for entry in found)
    return [entry for entry in found if counts[entry.key] == 1]


def single_lines(lines, syntax):
    found, parents, is_comment, block = [], [], False, None
    # The only member of the root is the language.
    has_language = syntax == "yaml" and sum(bool(re.match(r"[\w\"'-]+:", line)) for line in lines) == 1
    for number, line in enumerate(lines):
        indentation = len(line) - len(line.lstrip())
        if syntax == "android":
            is_comment = (is_comment or "<!--" in line) and "-->" not in line
        # A text of YAML on several lines, whose lines can look like entries.
        if block is not None and line.strip() and indentation <= block:
            block = None
        match = re.match(LINES[syntax], line) if block is None and not is_comment else None
        following = lines[number + 1] if number + 1 < len(lines) else ""
        continues = len(following) - len(following.lstrip()) > indentation
        if syntax in ("json", "yaml") and block is None and line.strip() and not line.lstrip().startswith("#"):
            parents = [it for it in parents if it[0] < indentation]
            opened = re.match(r'\s*"((?:[^"\\]|\\.)+)"\s*:\s*\{|\s*([\w.-]+|"[^"]+"):\s*$', line)
            if opened and not match:
                parents.append((indentation, opened.group(1) or opened.group(2)))
            elif syntax == "yaml" and continues:
                block, match = indentation, None
        if not match or (syntax == "fluent" and continues):
            continue
        # Quotation marks of YAML that do not belong together, and metadata of ARB.
        first, key, middle, text, after = match.groups()
        if syntax == "yaml" and (middle[-1] != after if middle[-1] in "\"'" else after):
            continue
        path = [name for _, name in parents] + [key]
        if not any(name.startswith("@") for name in path):
            path = path[1:] if has_language and parents and indentation else path
            found.append(Entry(".".join(path), key, range(number, number + 1), number, first + key + middle, text, after))
    return found


def blocks(lines, syntax):
    start, end, key, source, text = BLOCKS[syntax]
    found, number = [], 0
    while number < len(lines):
        first, number = number, number + 1
        if not re.match(start, lines[first]):
            continue
        last = closing_line(lines, first, end)
        if last is None:
            continue
        entry = range(first, last if syntax == "po" else last + 1)
        number = last + 1
        at = lambda pattern: [it for it in entry if pattern and re.search(pattern, lines[it])]
        if len(at(text)) != 1 or len(at(key)) != 1:
            continue
        line = at(text)[0]
        before, value, after = re.match(text, lines[line]).groups()
        name = re.search(key, lines[at(key)[0]]).group(1)
        made = Entry(name, name, entry, line, before, value, after)
        if at(source):
            made.source_line = at(source)[0]
            made.source = re.search(source, lines[made.source_line]).group(1)
        if value and not any(it.startswith(("#~", "#, fuzzy", "msgid_plural")) for it in lines[first:last]):
            found.append(made)
    return found


def closing_line(lines, first, end):
    """The last line of a block: the first one that matches, otherwise the first one with the same indentation."""
    indentation = len(lines[first]) - len(lines[first].lstrip())
    closing = re.compile(end if end is not None else r" {%d}\}|\t{%d}\}" % (indentation, indentation))
    is_end = closing.search if end else closing.match
    return next((it for it in range(first, len(lines)) if is_end(lines[it])), None)
