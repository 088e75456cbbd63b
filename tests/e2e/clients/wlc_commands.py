"""wlc, the command-line client of Weblate: its output is compared with the API."""

import csv
import io
from datetime import datetime

from harness import ClientStep

PROJECT = "reading-lamp"
COMPONENT = f"{PROJECT}/extension"
TRANSLATION = f"{COMPONENT}/cs"

# Command line, path of the API, and whether it is a list with pages.
COMMANDS = [
    (["list-projects"], "projects/", True),
    (["list-components"], "components/", True),
    (["list-translations"], "translations/", True),
    (["list-languages"], "languages/", True),
    (["show", PROJECT], f"projects/{PROJECT}/", False),
    (["show", COMPONENT], f"components/{COMPONENT}/", False),
    (["show", TRANSLATION], f"translations/{TRANSLATION}/", False),
    (["stats", PROJECT], f"projects/{PROJECT}/statistics/", False),
    (["stats", COMPONENT], f"components/{COMPONENT}/statistics/", True),
    (["stats", TRANSLATION], f"translations/{TRANSLATION}/statistics/", False),
    (["changes", PROJECT], f"projects/{PROJECT}/changes/", True),
    (["changes", COMPONENT], f"components/{COMPONENT}/changes/", True),
    (["changes", TRANSLATION], f"translations/{TRANSLATION}/changes/", True),
]

# Commands that need features which Weblate 3.4 lacks, with the expected error. A key is a command or its first word.
OLD_LACKS = {"list-languages": "KeyError: 'nplurals'"}  # Weblate 3.4 had moved it out of the language
NEW_LACKS = {
    "list-components": "AttributeError: agreement",
    f"show {COMPONENT}": "AttributeError: agreement",
    # Later versions answer with one object, 3.4 with a list of languages.
    f"stats {PROJECT}": "must be a mapping, not list",
}


def run(step: ClientStep, package: str, newest: bool) -> str:
    programs = step.environment(package)
    wlc = [programs / "wlc", "--url", f"{step.demo.base}/api/", "--format"]
    known = NEW_LACKS if newest else OLD_LACKS
    compared, values = 0, 0
    unsupported = []
    for command, path, is_list in COMMANDS:
        error = known.get(" ".join(command), known.get(command[0]))
        if error is not None:
            output = step.run(*wlc, "csv", *command, expect=1).decode()
            assert error in output, f"{command} did not end with {error!r}:\n{output}"
            unsupported.append(f"{' '.join(command)} ({error})")
            continue
        printed = list(csv.reader(io.StringIO(step.run(*wlc, "csv", *command).decode(), newline="")))
        path = f"/api/{path}"
        entries = step.demo.whole(path) if is_list else step.demo.json(path)
        if isinstance(entries, list):
            names, *rows = printed
            assert len(rows) == len(entries) > 0, f"{command}: {len(rows)} rows for {len(entries)} entries"
            shown = [dict(zip(names, row)) for row in rows]
        else:
            shown, entries = [dict(printed)], [entries]
        for row, entry in zip(shown, entries):
            values += agree(command, row, entry)
        compared += 1

    file = step.run(*wlc, "text", "download", TRANSLATION)
    assert file == step.demo.ask(f"/api/translations/{TRANSLATION}/file/")[1], "download gave another file"
    version = step.run(programs / "wlc", "--version").decode().split()[-1]
    for command in unsupported:
        print(f"  wlc {version} needs a newer Weblate than 3.4: {command}")
    return f"wlc {version}: {compared + 1} commands agree in {values} values"


def agree(command: list, row: dict, entry: dict) -> int:
    """Compares a printed row with an entry of the API, where it has the value itself; how many values they were."""
    count = 0
    for name, printed in row.items():
        value = entry.get(name)
        if name not in entry or isinstance(value, (dict, list)):
            continue  # wlc prints the name of an object that it fetched separately
        if isinstance(value, str) and value.startswith("http") and not name.endswith(("url", "web", "translate")):
            continue
        assert same(printed, value), f"{command}: {name} is {printed!r}, the API has {value!r}"
        count += 1
    assert count > 0, f"{command}: nothing of {row} is in {entry}"
    return count


def same(printed: str, value) -> bool:
    if printed == ("" if value is None else str(value)):
        return True
    try:
        return datetime.fromisoformat(printed) == datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    except (ValueError, TypeError):
        return False
