#!/usr/bin/env python3
"""Compares `gitglot check` with other checkers of translation files: the faults that they find, and their speed.

    npm install --prefix TOOLS @lingual/i18n-check eslint@9 eslint-plugin-i18n-json i18next-cli
    benches/check/run.py --tools TOOLS faults           # prints the table of docs/ci.md
    benches/check/run.py --tools TOOLS faults --verify  # fails if the table in docs/ci.md differs
    benches/check/run.py faults --verify                # the same for the column of gitglot, without other tools
    benches/check/run.py --tools TOOLS judged           # the tools on the findings of tests/judged
    benches/check/run.py --tools TOOLS speed CLONE --strings src/strings --source en-us

See benches/README.md.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/ci.md"
HEADING = "| Fault in the translation | gitglot | i18n-check | eslint-plugin-i18n-json | i18next-cli |"

# Fault, key, source, correct translation, faulty translation. None: the file does not have the key.
FAULTS = [
    ("lost `{{name}}`", "nameLost", "Hello {{name}} there", "Hallo {{name}} dort", "Hallo dort"),
    ("lost `$t(key)`", "nestingLost", "See $t(other) now", "Siehe $t(other) jetzt", "Siehe jetzt"),
    ("lost `{name}`", "braceLost", "Hello {name} there", "Hallo {name} dort", "Hallo dort"),
    ("lost `%d`", "printfLost", "You have %d apples", "Du hast %d Äpfel", "Du hast Äpfel"),
    ("ICU message that does not parse", "icuBroken", "{n, plural, one {a day} other {# days}}",
     "{n, plural, one {ein Tag} other {# Tage}}", "{n, plural, one {ein Tag} other {# Tage}"),
    ("ICU plural without `other`", "icuOther", "{n, plural, one {a week} other {# weeks}}",
     "{n, plural, one {eine Woche} other {# Wochen}}", "{n, plural, one {eine Woche}}"),
    ("unclosed `</b>`", "tagUnclosed", "Press <b>here</b> now", "Drücke <b>hier</b> jetzt", "Drücke <b>hier jetzt"),
    ("missing key", "keyMissing", "This key is missing", "Dieser Schlüssel fehlt", None),
    ("empty translation", "textEmpty", "This text is empty", "Dieser Text ist leer", ""),
    ("left-over key", "keyLeftOver", None, "Das Original fehlt", "Das Original fehlt"),
    ("unchanged text", "textSame", "Nobody translated this sentence", "Niemand übersetzte diesen Satz",
     "Nobody translated this sentence"),
    ("lost line break or full stop at the end", "stopLost", "The end is here.\n", "Hier kommt das Ende.\n",
     "Hier kommt das Ende"),
    ("broken Markdown link", "linkBroken", "Read [the manual](#manual) first", "Lies [das Handbuch](#manual) zuerst",
     "Lies [das Handbuch] (#manual) zuerst"),
    ("source changed after the translation", "sourceChanged", "Open the big window", "Öffne das große Fenster",
     "Öffne das große Fenster"),
    ("source string or translation removed by the change", "stringRemoved", None, None, None),
]
BEFORE = {"sourceChanged": "Close the small door", "stringRemoved": "This will be removed"}
CORRECT = {"allRight": ("Another text here", "Ein anderer Text hier")}


def write_json(path, texts):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(texts, indent=2, ensure_ascii=False) + "\n")


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def git(folder, *arguments):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org", *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)


def fixture(folder):
    """Writes a repository: a correct commit, and a commit with one fault of each kind."""
    english = {key: BEFORE.get(key, source) for _, key, source, _, _ in FAULTS}
    german = {key: right for _, key, _, right, _ in FAULTS}
    german["stringRemoved"] = "Das wird entfernt"
    for key, (source, target) in CORRECT.items():
        english[key], german[key] = source, target
    keep = lambda texts: {key: text for key, text in sorted(texts.items()) if text is not None}
    write_json(folder / "locales/en.json", keep(english))
    write_json(folder / "locales/de.json", keep(german))
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Correct translations")
    for _, key, source, _, wrong in FAULTS:
        english[key], german[key] = source, wrong
    write_json(folder / "locales/en.json", keep(english))
    write_json(folder / "locales/de.json", keep(german))
    git(folder, "commit", "-qam", "One fault of each kind")


def gitglot(options, folder):
    done = run([options.program, "check", "--base", "HEAD~1", "--format", "json"], cwd=folder)
    report = json.loads(done.stdout)
    lines = (folder / "locales/de.json").read_text().splitlines()
    found = {}
    for finding in report["findings"]:
        key = finding["key"].lstrip(".")
        found.setdefault(key, []).append(finding["check"])
        if f'"{key}"' in lines[finding["line"] - 1]:
            found.setdefault("line", []).append(key)
    return found


def mentioned(text):
    """The keys of faults that an output contains."""
    keys = [key for _, key, _, _, _ in FAULTS] + list(CORRECT)
    return {key: ["mentioned"] for key in keys if re.search(rf"\b{key}\b", text)}


def tool(options, name):
    return str(options.tools / "node_modules/.bin" / name)


def i18n_check(options, folder):
    done = run([tool(options, "i18n-check"), "--locales", "locales", "-s", "en", "-f", "i18next"], cwd=folder)
    return mentioned(done.stdout + done.stderr)


def eslint_config(options, folder, source):
    plugin = options.tools / "node_modules/eslint-plugin-i18n-json"
    template = json.dumps(str(folder / source))
    (folder / ".eslintrc.js").write_text(f"""module.exports = {{
  root: true,
  extends: ["plugin:i18n-json/recommended"],
  rules: {{
    "i18n-json/valid-message-syntax": [2, {{ syntax: "icu" }}],
    "i18n-json/identical-keys": [2, {{ filePath: {template} }}],
    "i18n-json/identical-placeholders": [2, {{ filePath: {template} }}],
    "i18n-json/sorted-keys": 0,
  }},
}};
""")
    assert plugin.exists(), f"install eslint-plugin-i18n-json in {options.tools}"
    return [tool(options, "eslint"), "--no-eslintrc", "-c", ".eslintrc.js", "--ext", ".json", "--format", "json",
            "--resolve-plugins-relative-to", str(options.tools)]


def eslint(options, folder):
    command = eslint_config(options, folder, "locales/en.json")
    environment = {**os.environ, "ESLINT_USE_FLAT_CONFIG": "false", "NODE_PATH": str(options.tools / "node_modules")}
    done = run([*command, "locales"], cwd=folder, env=environment)
    try:
        files = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"eslint failed: {done.stderr or done.stdout}")
    messages = [message["message"] for file in files if file["filePath"].endswith("de.json")
                for message in file["messages"]]
    # The messages are differences. Other lines are context.
    lines = "\n".join(messages).splitlines()
    return mentioned("\n".join(line for line in lines if line.startswith(("+", "-"))))


def i18next_cli(options, folder, locales=("en", "de"), output="locales/{{language}}.json"):
    used = [key for _, key, source, _, _ in FAULTS if source is not None]
    (folder / "app.js").write_text("".join(f"t('{key}');\n" for key in used))
    (folder / "i18next.config.mjs").write_text(
        "export default { locales: %s, extract: { input: ['app.js'], output: '%s', keySeparator: false } };\n"
        % (json.dumps(list(locales)), output))
    done = run([tool(options, "i18next-cli"), "status", locales[1]], cwd=folder)
    lines = [line for line in done.stdout.splitlines() if "✗" in line]
    return mentioned("\n".join(lines))


TOOLS = [("gitglot", gitglot), ("i18n-check", i18n_check), ("eslint-plugin-i18n-json", eslint),
         ("i18next-cli", i18next_cli)]


def faults(options):
    tools = TOOLS if options.tools else TOOLS[:1]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        fixture(folder)
        found = [(name, find(options, folder)) for name, find in tools]
    for name, keys in found:
        for key in CORRECT:
            assert key not in keys, f"{name} reports the correct string {key}"
    table = [HEADING, "|---|---|---|---|---|"]
    rows = [(fault, key) for fault, key, _, _, _ in FAULTS] + [("line of the finding", "line")]
    for fault, key in rows:
        cells = ["yes" if key in keys else "no" for _, keys in found]
        table.append(f"| {fault} | {' | '.join(cells)} |")
    print("\n".join(table))
    if options.verify:
        verify(table, len(found))


def verify(table, tools):
    """Fails if the document has another table. Compares the columns of the tools that ran."""
    lines = DOCUMENT.read_text().splitlines()
    start = lines.index(HEADING) if HEADING in lines else len(lines)
    document = lines[start : start + len(table) + 1]
    columns = lambda rows: [row.strip("|").split("|")[: tools + 1] for row in rows]
    if columns(document[:-1]) != columns(table) or document[-1]:
        sys.exit(f"the table in {DOCUMENT.relative_to(ROOT)} differs: replace it with the one above")


def judged_texts():
    """The judged errors and warnings with one form, by key: repository, language, source, target, check, verdict."""
    rows = {}
    for number, line in enumerate((ROOT / "tests/judged/findings.jsonl").read_text().splitlines()):
        row = json.loads(line)
        if len(row["source"]) == 1 == len(row["target"]) and row["check"] not in NOTES:
            rows[f"row{number:04}"] = row
    return rows


# Checks of style: the other tools have none.
NOTES = {"same", "same-plurals", "duplicate", "double_space", "newline-count", "multiple_capital", "kashida",
         "begin_space", "end_space", "begin_newline", "end_newline", "end_stop", "end_colon", "end_exclamation",
         "end_ellipsis", "end_semicolon", "end_question", "punctuation_spacing", "xml-chars-around-tags"}


def judged(options):
    """Prints how many of the judged findings each tool reports, and how many of these are faults. All tools read the
    texts as JSON, so formats that imply a style lose it. Only gitglot depends on the language and the other texts."""
    rows = judged_texts()
    reported = {name: set() for name, _ in TOOLS[:3]}
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, "all")
        write_json(place / "locales/en.json", {key: row["source"][0] for key, row in rows.items()})
        write_json(place / "locales/de.json", {key: row["target"][0] for key, row in rows.items()})
        done = run([tool(options, "i18n-check"), "--locales", "locales", "-s", "en", "-f", "i18next"], cwd=place)
        reported["i18n-check"] = keys_in(done.stdout)
        command = eslint_config(options, place, "locales/en.json")
        environment = {**os.environ, "ESLINT_USE_FLAT_CONFIG": "false",
                       "NODE_PATH": str(options.tools / "node_modules")}
        output = complete_output([*command, "locales"], place, env=environment)
        messages = [message["message"] for file in json.loads(output) if file["filePath"].endswith("de.json")
                    for message in file["messages"]]
        lines = "\n".join(messages).splitlines()
        reported["eslint-plugin-i18n-json"] = keys_in(
            "\n".join(line for line in lines if line.startswith(("+", "-"))))
        groups = {}
        for key, row in rows.items():
            groups.setdefault((row["repository"], row["language"]), {})[key] = row
        for number, ((_, language), group) in enumerate(groups.items()):
            place = pathlib.Path(folder, str(number))
            write_json(place / "locales/en.json", {key: row["source"][0] for key, row in group.items()})
            write_json(place / f"locales/{language}.json", {key: row["target"][0] for key, row in group.items()})
            git(place, "init", "-q")
            git(place, "add", "locales")
            done = run([options.program, "check", "--worktree", "--filemask", "locales/*.json", "--template",
                        "locales/en.json", "--format", "json"], cwd=place)
            if not done.stdout:
                sys.exit(f"gitglot failed: {done.stderr}")
            reported["gitglot"] |= {finding["key"].lstrip(".") for finding in json.loads(done.stdout)["findings"]
                                    if finding["severity"] != "note"}
    faults = {key for key, row in rows.items() if row["verdict"]}
    print(f"{len(rows)} judged errors and warnings, {len(faults)} are faults\n")
    print("| Tool | Reported | of them faults | Faults that pass |\n|---|--:|--:|--:|")
    for name, found in reported.items():
        found &= set(rows)
        print(f"| {name} | {len(found)} | {len(found & faults)} | {len(faults - found)} |")


def keys_in(text):
    return set(re.findall(r"row\d{4}", text))


def seconds(command, rounds, **options):
    times = []
    for _ in range(rounds + 1):
        start = time.monotonic()
        run(command, **options)
        times.append(time.monotonic() - start)
    # The first run warms the disk.
    return statistics.median(times[1:])


def complete_output(command, folder, **options):
    """The standard output. Tools of Node.js lose the end of long output to a pipe."""
    with tempfile.TemporaryFile("w+") as output:
        subprocess.run(command, cwd=folder, stdout=output, stderr=subprocess.DEVNULL, check=False, **options)
        output.seek(0)
        return output.read()


def missing_and_invalid(text):
    """The pairs of file and key that i18n-check reports."""
    missing, _, invalid = text.partition("Found invalid keys!")
    row = re.compile(r"│ (\S+\.json) +│ (\S+) +│")
    pair = re.compile(r"│ file +│ (\S+) +│\n│ key +│ (\S+) +│")
    rows = {(os.path.basename(file), key) for file, key in row.findall(missing)}
    return rows, {(os.path.basename(file), key) for file, key in pair.findall(invalid)}


def differing_keys(text):
    """The pairs of file and key that each rule of eslint-plugin-i18n-json reports."""
    found = {}
    for file in json.loads(text):
        name = os.path.basename(file["filePath"])
        for message in file["messages"]:
            keys = re.findall(r'^[-+]\s+"([^"]+)":', message["message"], re.MULTILINE)
            found.setdefault(message["ruleId"], set()).update((name, key) for key in keys)
    return sorted(found.items())


def speed(options):
    folder, strings, source = options.clone, options.strings, options.source
    check = [options.program, "check"]
    environment = {**os.environ, "ESLINT_USE_FLAT_CONFIG": "false", "NODE_PATH": str(options.tools / "node_modules")}
    lint = eslint_config(options, folder, f"{strings}/{source}.json")
    locales = sorted(file.stem for file in (folder / strings).glob("*.json"))
    i18next_cli(options, folder, [source, *[code for code in locales if code != source]],
                strings + "/{{language}}.json")
    commands = [
        ("gitglot check", check),
        ("gitglot check --base HEAD~20 --new-only", [*check, "--base", "HEAD~20", "--new-only"]),
        ("gitglot check --staged", [*check, "--staged"]),
        ("gitglot check --history none", [*check, "--history", "none"]),
        ("i18n-check", [tool(options, "i18n-check"), "--locales", strings, "-s", source, "-f", "i18next"]),
        ("eslint-plugin-i18n-json", [*lint, strings]),
        ("i18next-cli status", [tool(options, "i18next-cli"), "status"]),
    ]
    for name, command in commands:
        print(f"{seconds(command, options.rounds, cwd=folder, env=environment):7.2f} s  {name}")
    report = run([*check, "--history", "none", "--format", "json"], cwd=folder).stdout
    own = {}
    for finding in json.loads(report)["findings"]:
        pair = (os.path.basename(finding["file"]), finding["key"].lstrip("."))
        own.setdefault(pair, set()).add(finding["check"])
    missing, invalid = missing_and_invalid(complete_output(commands[4][1], folder))
    found = [("i18n-check: missing keys", missing), ("i18n-check: invalid keys", invalid)]
    found += differing_keys(complete_output(commands[5][1], folder, env=environment))
    for name, pairs in found:
        others = sorted(pair for pair in pairs if pair not in own)
        print(f"{name}: {len(pairs)}, {len(others)} of them not reported by gitglot")
        for file, key in others[: options.show]:
            print(f"    {file} {key}")
    for name in [".eslintrc.js", "app.js", "i18next.config.mjs"]:
        (folder / name).unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/gitglot"))
    parser.add_argument("--tools", type=pathlib.Path, help="folder with node_modules")
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("faults")
    step.add_argument("--verify", action="store_true")
    step.set_defaults(step=faults)
    step = steps.add_parser("judged")
    step.set_defaults(step=judged)
    step = steps.add_parser("speed")
    step.add_argument("clone", type=pathlib.Path)
    step.add_argument("--strings", required=True)
    step.add_argument("--source", default="en")
    step.add_argument("--rounds", type=int, default=5)
    step.add_argument("--show", type=int, default=20)
    step.set_defaults(step=speed)
    options = parser.parse_args()
    # Runs in other folders.
    options.program = str(pathlib.Path(options.program).resolve())
    if options.tools:
        options.tools = options.tools.resolve()
    elif options.step in (speed, judged):
        parser.error("the step needs --tools")
    if options.step is speed:
        options.clone = options.clone.resolve()
    options.step(options)


main()
