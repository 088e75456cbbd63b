"""Clients of the current API: every read command of wlc in three formats, Perceval, a generated client, and the requests of
clients that need a Ruby or a Node.js installation of their own."""

import csv
import io
import json
import urllib.parse
import zipfile

from harness import ClientStep

from .wlc_commands import COMMANDS, COMPONENT, PROJECT, TRANSLATION, agree

API = "/current/api"
# Read commands beyond those of `COMMANDS`: command line, path of the API, and whether it is a list with pages.
MORE = [
    (["list-components", PROJECT], f"projects/{PROJECT}/components/", True),
    (["list-translations", COMPONENT], f"components/{COMPONENT}/translations/", True),
    (["list-units", TRANSLATION], f"translations/{TRANSLATION}/units/", True),
    (["list-units", TRANSLATION, "--query", "is:translated"], f"translations/{TRANSLATION}/units/?q=is:translated", True),
    (["ls"], "projects/", True),
    (["ls", PROJECT], f"projects/{PROJECT}/components/", True),
    (["ls", COMPONENT], f"components/{COMPONENT}/translations/", True),
    (["lock-status", COMPONENT], f"components/{COMPONENT}/lock/", False),
]


def wlc(step: ClientStep, package: str) -> str:
    programs = step.environment(package)
    run = [programs / "wlc", "--url", f"{step.demo.base}{API}/", "--format"]
    values = 0
    for command, path, is_list in COMMANDS + MORE:
        path = f"{API}/{path}"
        entries = step.demo.whole(path) if is_list else [step.demo.json(path)]
        assert entries, command
        assert step.run(*run, "text", *command).strip(), f"{command} printed nothing"
        found = json.loads(step.run(*run, "json", *command))
        found = found if isinstance(found, list) else [found]
        assert len(found) == len(entries), f"{command}: {len(found)} objects for {len(entries)} entries"
        printed = list(csv.reader(io.StringIO(step.run(*run, "csv", *command).decode(), newline="")))
        names, *rows = printed
        if len(rows) == len(entries) and len(names) != 2:
            shown = [dict(zip(names, row)) for row in rows]
        else:
            shown = [dict(printed)]
        for row, entry in zip(shown, entries):
            # wlc quotes what a spreadsheet could read as a formula, such as negative numbers.
            row = {name: cell.removeprefix("'") for name, cell in row.items()}
            values += agree(command, row, entry)
    for format in ("text", "json", "csv"):
        file = step.run(*run, format, "download", TRANSLATION)
        assert file == step.demo.ask(f"{API}/translations/{TRANSLATION}/file/")[1], "download gave another file"
    step.run(*run, "text", "download", COMPONENT, "--output", step.folder)
    # Reading the status of a repository needs a permission, which an anonymous reader of Weblate does not have.
    step.run(*run, "text", "repo", COMPONENT, expect=1)
    version = step.run(programs / "wlc", "--version").decode().split()[-1]
    return f"wlc {version}: {len(COMMANDS + MORE)} commands in text, JSON and CSV agree in {values} values"


def perceval(step: ClientStep) -> str:
    """Perceval reads the change log, and the unit of each change."""
    programs = step.environment("perceval-weblate")
    command = ["weblate", f"{step.demo.base}/current", "--json-line", "--no-archive", "--from-date", "2000-01-01", "--project", PROJECT]
    lines = step.run(programs / "perceval", *command).decode().splitlines()
    items = [json.loads(line)["data"] for line in lines if line.startswith("{")]
    changes = step.demo.whole(f"{API}/projects/{PROJECT}/changes/?page_size=1000")
    assert [item["id"] for item in items] == [change["id"] for change in changes]
    units = [item["unit_data"] for item in items if item["unit"]]
    assert units and all(isinstance(unit["source"], list) for unit in units)
    return f"perceval-weblate reads {len(items)} changes with {len(units)} units"


def generated(step: ClientStep) -> str:
    """A client that is generated from the document of the current API."""
    programs = step.environment("openapi-python-client")
    document = step.root / "openapi" / "current.json"
    generate = ["generate", "--path", document, "--output-path", step.folder / "current_client", "--meta", "none"]
    (step.folder / "generator.yaml").write_text("post_hooks: []\n")
    step.run(programs / "openapi-python-client", *generate, "--config", "generator.yaml")
    script = (
        "import sys; from current_client import Client; from current_client.api.units import list_units\n"
        "from current_client.api.changes import list_changes\n"
        "client = Client(sys.argv[1])\n"
        "units = list_units.sync(client=client, page_size=1000)\n"
        "changes = list_changes.sync(client=client, page_size=1000)\n"
        "print(units.count, sum(len(unit.source) for unit in units.results), changes.count, len(changes.results))\n"
    )
    found = step.run(programs / "python", "-c", script, step.demo.base, env={"PYTHONPATH": str(step.folder)})
    units, changes = (step.demo.json(f"{API}/{name}/?page_size=1000") for name in ("units", "changes"))
    forms = sum(len(unit["source"]) for unit in units["results"])
    expected = [units["count"], forms, changes["count"], len(changes["results"])]
    assert len(step.demo.whole(f"{API}/changes/?page_size=1000")) == changes["count"]
    assert [int(word) for word in found.split()] == expected, (found, expected)
    return f"openapi-python-client reads pages of {units['count']} units and {changes['count']} changes"


def requests(step: ClientStep) -> str:
    """The requests of fastlane-plugin-weblate and of weblate-mcp, with the token of another server."""
    ask = lambda path: step.demo.ask(f"{API}/{path}", Authorization="Token wlu_example")
    # fastlane: languages of a project, archives of a component, as they are and converted.
    status, body = ask(f"projects/{PROJECT}/languages/")
    languages = json.loads(body)
    assert status == 200 and {"code", "name", "url"} <= set(languages[0]), body
    for query, ending in (("", ".json"), ("?format=zip", ".json"), ("?format=zip:xliff", ".xlf")):
        status, body = ask(f"components/{COMPONENT}/file/{query}")
        names = zipfile.ZipFile(io.BytesIO(body)).namelist()
        assert status == 200 and len(names) == len(languages) and all(name.endswith(ending) for name in names), names
    # weblate-mcp: strings by key, source and target, with fields joined by spaces or AND.
    scope = [f"project:{PROJECT}", "component:extension", "language:cs"]
    unit = step.demo.whole(f"{API}/translations/{TRANSLATION}/units/?q=is:translated")[0]
    terms = [f'context:"{unit["context"]}"', f'source:"{unit["source"][0]}"', f'target:"{unit["target"][0]}"']
    for join in (" ", " AND "):
        for term in terms:
            query = urllib.parse.urlencode({"page_size": 1000, "q": join.join([term, *scope])})
            status, body = ask(f"units/?{query}")
            found = [entry["id"] for entry in json.loads(body)["results"]]
            assert status == 200 and unit["id"] in found, (query, body[:300])
    return "the requests of fastlane-plugin-weblate and weblate-mcp get what they need"
