"""Plurals in translation files: where they are, which of their forms can be missing, and how to write one."""

import re

CATEGORY = r"(zero|one|two|few|many|other)"
# A line of each form.
FORMS = {
    "android": rf'^\s*<item quantity="{CATEGORY}">.*</item>\s*$',
    "yaml": rf"^\s+{CATEGORY}: \S",
    "json": rf'^\s*"\w+_{CATEGORY}"\s*:.*$',
    "go": rf'^\s*"{CATEGORY}"\s*:.*$',
    "po": r'^msgstr\[(\d)\] ".+"$',
    "fluent": r"^\s+\*?\[(\w+)\]",
    "ts": r"^\s*<numerusform>([^<]+)</numerusform>",
}
# Formats whose texts can be messages with plurals.
AS_ICU = {"json", "json-nested", "yaml", "xliff"}
ABSENT = dict.fromkeys(("properties", "strings-utf8", "resx", "webextension"), "the format has no plurals") | {
    "vue-i18n": "a text may have fewer forms than its source"}


def categories(path):
    """The categories of the language of a path."""
    is_in = lambda codes: re.search(rf"(?<![A-Za-z])({codes})(?![A-Za-z])", path)
    if is_in("ja|zh|ko"):
        return ["other"]
    return ["one", "few", "many", "other"] if is_in("ru|uk|pl|cs") else ["one", "other"]


def absence(path, file_format, syntax, has_other):
    """Why no form can be missing, or None."""
    if file_format in ABSENT:
        return ABSENT[file_format]
    if syntax == "fluent":
        return "all findings of a file that does not parse are new" if has_other else None
    if file_format in AS_ICU or file_format == "arb":
        return None
    if len(categories(path)) == 1:
        return "the language has one form"
    return "the language has two forms" if has_other and len(categories(path)) == 2 else None


def groups(lines, syntax):
    """The lines of the forms of each plural, those of languages with `few` first."""
    found = []
    for number, line in enumerate(lines):
        if syntax in FORMS and re.search(FORMS[syntax], line):
            if found and found[-1][-1] == number - 1:
                found[-1].append(number)
            else:
                found.append([number])
    return sorted(found, key=lambda forms: not any("few" in lines[it] for it in forms))


def has_plural(template, syntax, lines, first):
    """Whether the template has a plural where a translation has one whose first form is on a line."""
    before = 2 if syntax == "go" else 1
    header = lines[first - before].strip()
    places = (at for at, line in enumerate(template) if line.strip() == header)
    return syntax == "json" or any(re.search(FORMS[syntax], line) for at in places for line in template[at + before : at + before + 1])


def removable(path, lines, syntax, forms):
    """The forms that can be missing, so that another one remains."""
    name = lambda number: re.search(FORMS[syntax], lines[number]).group(1)
    if syntax == "fluent":
        return [it for it in forms if "*[" in lines[it]] if len(forms) > 1 else []
    if syntax in ("po", "ts"):
        return forms[:0:-1]
    order = [it for it in ("few", "many", "one") if it in categories(path)]
    # A comma follows, so that a member can be dropped.
    ends = lambda it: syntax not in ("json", "go") or lines[it].rstrip().endswith(",")
    chosen = [it for it in forms if name(it) in order and ends(it)]
    return sorted(chosen, key=lambda it: order.index(name(it)))[: len(forms) - 1]


def message(text):
    return "{count, plural, one {%s} other {%s}}" % (text, text)


def lost(path, syntax):
    """The forms that are missing, the first one by mistake."""
    if syntax == "fluent":
        return ["other"]
    if syntax in ("po", "ts"):
        return [2, 1] if len(categories(path)) == 4 else [1]
    return ["few", "many"] if len(categories(path)) == 4 else ["one"]


def forms(path, syntax, without):
    """The forms of a plural without some."""
    if syntax == "fluent":
        return [it for it in ("0", "other") if it not in without]
    names = categories(path)
    # Integers have no `other` in these languages.
    names = range(min(len(names), 3)) if syntax in ("po", "ts") else names
    return [it for it in names if it not in without]


def block(lines, entry, syntax, names):
    """The lines of an entry as a plural with the same text in each form."""
    indent = " " * (len(entry.before) - len(entry.before.lstrip()))
    own = [lines[it] for it in entry.lines]
    text_at = entry.line - entry.lines.start
    if syntax == "json":
        key = f'"{entry.name}"'
        return [entry.before.replace(key, f'"{entry.name}_{it}"', 1) + entry.text + entry.after for it in names]
    if syntax == "android":
        items = [f'{indent}    <item quantity="{it}">{entry.text}</item>' for it in names]
        return [f'{indent}<plurals name="{entry.name}">', *items, f"{indent}</plurals>"]
    if syntax == "yaml":
        key = entry.before.rstrip("\"' ")
        return [key, *(f'{indent}  {it}: "{entry.text}"' for it in names)]
    if syntax == "fluent":
        variants = [f"   {'*' if it == 'other' else ' '}[{it}] {entry.text}" for it in names]
        return [entry.before + "{ $zzCount ->", *variants, "}"]
    if syntax == "go":
        members = [f'{indent}    "{it}": "{entry.text}"' + ("," if it != names[-1] else "") for it in names]
        new = [entry.before.removesuffix('"') + "{", *members, f"{indent}}}" + ("," if "," in entry.after else "")]
    elif syntax == "po":
        new = [f'msgstr[{it}] "{entry.text}"' for it in names]
        own[text_at - 1] += f'\nmsgid_plural "{entry.source}"'
    else:
        new = [f"{indent}<translation>", *(f"{indent}    <numerusform>{entry.text}</numerusform>" for _ in names)]
        new += [f"{indent}</translation>"]
        own[0] = own[0].replace("<message", '<message numerus="yes"')
    return "\n".join(own[:text_at] + new + own[text_at + 1 :]).split("\n")
