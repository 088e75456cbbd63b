"""The kinds of mistakes: what each changes, the checks that may report it, and where it cannot occur.

A mistake is made of an entry and, if no entry of the file has what it needs, of a placeholder or a tag that is put into
source and translation before.
"""

import re

PLACEHOLDER = re.compile(r"<x id=\"(?:INTERPOLATION|PH)\w*\"[^>]*/>|\{\{[\w. -]+\}\}|%\{\w+\}|\{ ?\$\w+ ?\}|\{\w+\}|"
                         r"%\(\w+\)[sd]|%\w+%|%(?:\d\$)?l{0,2}[sdu@]|%\d(?!\$)|\$[A-Za-z_]\w+\$")
OPENING, CLOSING = r"(?:<|&lt;)b(?:>|&gt;)", r"(?:</|&lt;/)b(?:>|&gt;)"
DEFAULT_PLACEHOLDER = {"aresource": "%1$s", "strings-utf8": "%@", "properties": "{0}", "yaml": "%name%", "resx": "{0}",
                       "ruby-yaml-plurals": "%{name}", "fluent": "{ $name }", "po": "{path}", "ts": "%1", "i18nextv4": "{{name}}",
                       "webextension": "$NAME$", "go-i18n-json": "{{.Name}}", "xliff": '<x id="INTERPOLATION"/>'}


def placeholders(entry):
    """The placeholders that source and translation have once."""
    return [it for it in PLACEHOLDER.findall(entry.source) if entry.source.count(it) == entry.text.count(it) == 1]


def other(placeholder):
    """Another placeholder of the same style."""
    if re.fullmatch(r"%l*[sdu@]", placeholder):
        return "%s" if placeholder.endswith("d") else "%d"
    if "<x" in placeholder:
        return re.sub(r'(?<=id=")\w+', r"\g<0>x", placeholder, count=1)
    if digits := re.search(r"\d", placeholder):
        return placeholder.replace(digits.group(), "7", 1)
    return re.sub(r"\w+(?!.*\w)", r"\g<0>x", placeholder, count=1)


def lost(entry):
    return entry.text.replace(placeholders(entry)[0], "").strip()


def renamed(entry):
    return entry.text.replace(placeholders(entry)[0], other(placeholders(entry)[0]))


def added(entry):
    return f"{entry.text} {other(placeholders(entry)[0])}"


def malformed(entry):
    placeholder = placeholders(entry)[0]
    end = "/>" if placeholder.startswith("<x") else placeholder[-1]
    return entry.text.replace(placeholder, placeholder.removesuffix(end).rstrip())


def unclosed(entry):
    return re.sub(CLOSING, "", entry.text, count=1)


def untagged(entry):
    return re.sub(f"{OPENING}|{CLOSING}", "", entry.text)


def unmarked(entry):
    return entry.text.rstrip("?？ \u00a0")


def has_placeholder(entry):
    # A text of the placeholder alone has nothing left.
    rest = PLACEHOLDER.sub("", entry.text)
    return bool(placeholders(entry)) and "plural" not in entry.source and sum(it.isalpha() for it in rest) > 3


def has_tag(entry):
    return all(len(re.findall(it, text)) == 1 for it in (OPENING, CLOSING) for text in (entry.source, entry.text))


def has_question(entry):
    question = re.match(r"(?:Are|Do|Does|Did|Is|Can|Would|Should|Have|Has|What|How|Why|Where|Delete|Remove) ", entry.source)
    return bool(question) and entry.source.endswith("?") and entry.text.endswith(("?", "？"))


# An escape that the format rejects or changes.
ESCAPES = {"properties": r"\u00e ", "json": r"\q ", "strings": r"\q ", "android": r"\q ", "yaml": r"\q ", "po": r"\q ",
           "fluent": r'{ "\q" }', "webextension": r"\q ", "go": r"\q "} | dict.fromkeys(("ts", "resx", "xliff"), "&qux; ")
# The formats that reject the whole file for it.
STRICT = {"json", "webextension", "go", "yaml", "fluent", "ts", "resx", "xliff"}


def escaped(entry, syntax):
    text = entry.text + " " + ESCAPES[syntax]
    if syntax == "yaml":
        start = entry.before.rstrip("\"'")
        return f'{start}"' + text.replace('"', "'") + '"'
    return entry.before + text + entry.after


def broken(entry, syntax):
    """A line that does not parse."""
    if syntax in ("android", "ts", "resx", "xliff"):
        return f"{entry.before}{entry.text} & {entry.after}"
    if syntax == "fluent":
        return f"{entry.before}{entry.text} {{"
    if syntax == "yaml":
        return f'{entry.before.rstrip(chr(34) + chr(39))}"{entry.text.replace(chr(34), "")}'
    return entry.before + entry.text + entry.after.replace('"', "", 1)


FORMAT_CHECKS = {"placeholders", "percent_placeholders", "icu_message_format", "fluent-references", "i18next_interpolation",
                 "parse-error"}
MARKUP = {"xml-tags", "xml-invalid", "safe-html", "parse-error"}
PLURAL_CHECKS = {"plurals", "plural-forms", "missing", "icu_message_format", "parse-error"}
# Edits of a text: what the entry needs, the edit, the checks that fit.
TEXTS = {
    "placeholder lost": (has_placeholder, lost, FORMAT_CHECKS),
    "placeholder renamed": (has_placeholder, renamed, FORMAT_CHECKS),
    "placeholder added": (has_placeholder, added, FORMAT_CHECKS),
    "placeholder malformed": (has_placeholder, malformed, FORMAT_CHECKS),
    "tag unclosed": (has_tag, unclosed, MARKUP),
    "tag lost": (has_tag, untagged, MARKUP),
    "question mark lost": (has_question, unmarked, {"end_question"}),
}
# Edits of lines, which `inject.py` makes.
LINES = {
    "duplicate key": {"duplicate-key", "parse-error"},
    "invalid escape": {"escape", "parse-error"},
    "syntax error": {"parse-error"},
    "plural category missing": PLURAL_CHECKS,
    "left-over key": {"left-over"},
    "mistyped key": {"mistyped-key"},
    "translation missing": {"missing", "removed"},
    "text emptied": {"missing", "removed"},
    "source changed": {"stale"},
    "used key removed": {"removed-used"},
}
FITS = {name: checks for name, (_, _, checks) in TEXTS.items()} | LINES
# What breaks the application or loses text.
ERRORS = {"placeholder lost", "placeholder renamed", "placeholder added", "placeholder malformed", "tag unclosed",
          "duplicate key", "invalid escape", "syntax error", "used key removed"}

NO_TEMPLATE = "the source text is the key, and there is no template"
ABSENT = {
    ("syntax error", "properties"): "each line is a pair",
    ("text emptied", "fluent"): "a message without a text is a syntax error",
    ("placeholder malformed", "xliff"): "it is a syntax error",
} | {(kind, syntax): NO_TEMPLATE for kind in ("left-over key", "mistyped key", "used key removed")
     for syntax in ("po", "ts", "xliff")}
WITH_ANOTHER = {
    "question mark lost": "a text has one end",
    "syntax error": "all findings of a file that does not parse are new",
    "text emptied": "a string is missing once",
    "source changed": "a text is stale once",
    "used key removed": "a key is removed once",
}


def absence(kind, syntax, has_other):
    """Why a mistake cannot occur, or None."""
    if has_other and kind in WITH_ANOTHER:
        return WITH_ANOTHER[kind]
    breaks = (kind == "invalid escape" and syntax in STRICT) or (kind == "duplicate key" and syntax == "fluent")
    if has_other and breaks:
        return WITH_ANOTHER["syntax error"]
    return ABSENT.get((kind, syntax))
