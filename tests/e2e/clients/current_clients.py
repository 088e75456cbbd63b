"""Clients of the current API: every read command of wlc in three formats, Perceval, weblate-reposync, a generated client, and
the requests of clients that no package registry of the tests has."""

import base64
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


# Runs command lines of wlc in one process that asks for each URL once: wlc asks for the component and the translation of
# every change, in each format.
WLC = """
import base64, io, json, sys
from requests.adapters import HTTPAdapter
from wlc.main import main
send, answers = HTTPAdapter.send, {}
def send_once(self, request, stream=False, **more):
    if stream or request.url not in answers:
        answers[request.url] = send(self, request, stream=stream, **more)
    return answers[request.url]
HTTPAdapter.send = send_once
results, output = [], sys.stdout
for arguments in json.loads(sys.argv[1]):
    sys.argv, sys.stdout = ["wlc", *arguments], io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        status = main()
    except SystemExit as exit:
        status = exit.code
    sys.stdout.flush()
    results.append([status or 0, base64.b64encode(sys.stdout.buffer.getvalue()).decode()])
json.dump(results, output)
"""


def wlc(step: ClientStep, package: str) -> str:
    programs = step.environment(package)
    url = ["--url", f"{step.demo.base}{API}/", "--format"]
    commands = COMMANDS + MORE
    lines = [[*url, format, *command] for command, *_ in commands for format in ("text", "json", "csv")]
    lines += [[*url, format, "download", TRANSLATION] for format in ("text", "json", "csv")]
    lines += [
        [*url, "text", "download", COMPONENT, "--output", str(step.folder)],
        # Reading the status of a repository needs a permission, which an anonymous reader of Weblate does not have.
        [*url, "text", "repo", COMPONENT],
    ]
    results = iter(json.loads(step.run(programs / "python", "-c", WLC, json.dumps(lines))))

    def output(of: list, expect: int = 0) -> bytes:
        status, printed = next(results)
        assert status == expect, f"{of} ended with {status}"
        return base64.b64decode(printed)

    values = 0
    for command, path, is_list in commands:
        path = f"{API}/{path}"
        entries = step.demo.whole(path) if is_list else [step.demo.json(path)]
        assert entries, command
        assert output(command).strip(), f"{command} printed nothing"
        found = json.loads(output(command))
        found = found if isinstance(found, list) else [found]
        assert len(found) == len(entries), f"{command}: {len(found)} objects for {len(entries)} entries"
        names, *rows = printed = list(csv.reader(io.StringIO(output(command).decode(), newline="")))
        if len(rows) == len(entries) and len(names) != 2:
            shown = [dict(zip(names, row)) for row in rows]
        else:
            shown = [dict(printed)]
        for row, entry in zip(shown, entries):
            # wlc quotes what a spreadsheet could read as a formula, such as negative numbers.
            row = {name: cell.removeprefix("'") for name, cell in row.items()}
            values += agree(command, row, entry)
    for _ in ("text", "json", "csv"):
        file = output(["download"])
        assert file == step.demo.ask(f"{API}/translations/{TRANSLATION}/file/")[1], "download gave another file"
    output(["download", COMPONENT])
    output(["repo"], expect=1)
    # The program itself prints the same.
    shown = step.run(programs / "wlc", *url, "json", "show", PROJECT)
    assert json.loads(shown)["slug"] == PROJECT, shown
    version = step.run(programs / "wlc", "--version").decode().split()[-1]
    return f"wlc {version}: {len(commands)} commands in text, JSON and CSV agree in {values} values"


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


def reposync(step: ClientStep) -> str:
    """weblate-reposync compares the components of a project with the files of a repository."""
    # Newer versions of GitPython refuse an option that it uses.
    programs = step.environment("weblate-reposync", "GitPython==3.1.27")
    served = [component["slug"] for component in step.demo.whole(f"{API}/projects/{PROJECT}/components/")]
    repository = step.folder / "repository"
    files = [repository / name / "en.json" for name in (served[0], "website")]
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text("{}\n")
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", repository]
    step.run("git", "init", "--quiet", repository)
    step.run(*git, "add", ".")
    step.run(*git, "commit", "--quiet", "--message", "Files")
    (step.folder / "clones").mkdir()
    configuration = f"""repository_root "{step.folder}/clones"
weblate_url "{step.demo.base}/current"
weblate_token wlu_example
component_slug_prefix ""
repository files {{
  url "file://{repository}"
}}
project {PROJECT} {{
  component {{
    repository files
    path_re "^(?P<name>[^/]+)/en.json$"
    slug "{{name}}"
  }}
}}
"""
    (step.folder / "reposync.cfg").write_text(configuration)
    output = step.run(programs / "weblate_reposync", "-n", "-c", "reposync.cfg").decode()
    changes = sorted(line.strip() for line in output.splitlines() if "Creating" in line or "Deleting" in line)
    expected = ["Creating component website", *sorted(f"Deleting component {slug}" for slug in served[1:])]
    assert changes == expected, output
    return "weblate-reposync finds the components of a project and would add one"


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
