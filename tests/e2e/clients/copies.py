"""A copy of all units that follows the change log with `id_after`, as docs/api.md describes it."""

import json
import random

from harness import ClientStep, Gitglot, Origin, configuration, until

# Fields of units that change without an entry of the log.
SILENT = {"position", "comment", "has_failing_check", "details"}
LANGUAGES = ["cs", "de"]
STEPS = 60


class Copy:
    """A copy of the units of a server, by their id."""

    def __init__(self, server: Gitglot):
        self.server = server
        # The changes first: changes during the download of the units are read again.
        changes = self.lines("/api/changes/?format=ndjson")
        self.newest = max((change["id"] for change in changes), default=0)
        self.units = {unit["id"]: unit for unit in self.lines("/api/units/?format=ndjson&expand=details")}

    def lines(self, path: str) -> list:
        status, body = self.server.ask(path)
        assert status == 200, (path, status, body[:200])
        return [json.loads(line) for line in body.splitlines()]

    def store(self, path: str) -> None:
        for unit in self.lines(path):
            self.units[unit["id"]] = unit

    def drop(self, is_dropped) -> None:
        self.units = {number: unit for number, unit in self.units.items() if not is_dropped(unit)}

    def follow(self) -> None:
        """Applies the new entries of the change log."""
        query = f"id_after={self.newest}&removed=true&expand=details&format=ndjson"
        for change in self.lines(f"/api/changes/?{query}"):
            self.newest = max(self.newest, change["id"])
            details = change["details"]
            _, project, component = details["component"].rstrip("/").rsplit("/", 2)

            def in_component(unit: dict) -> bool:
                return (unit["details"]["project"], unit["details"]["component"]) == (project, component)

            if change["action"] == 200:
                self.drop(lambda unit: in_component(unit) and unit["context"] == details["key"])
            elif change["action"] == 25:
                self.drop(lambda unit: in_component(unit) and unit["details"]["path"] == change["target"])
            elif change["action"] == 21:
                self.drop(in_component)
                self.store(f"/api/units/?format=ndjson&expand=details&q=project:{project}+component:{component}")
            elif change["unit"]:
                number = int(change["unit"].rstrip("/").rsplit("/", 1)[1])
                self.store(f"/api/units/{number}/translations/?format=ndjson&expand=details")
            elif change["translation"]:
                path = change["translation"].split("/api/", 1)[1]
                self.store(f"/api/{path}units/?format=ndjson&expand=details")


def mutate(texts: dict, rng: random.Random) -> dict:
    """The files of the next commit: adds, changes and removes strings and files."""
    changed = {}
    for _ in range(rng.randrange(1, 4)):
        key, number = f"key{rng.randrange(12)}", rng.randrange(1000)
        kind = rng.randrange(6)
        language = rng.choice(LANGUAGES)
        if kind == 0:
            for known in texts.values():
                known.pop(key, None)
        elif kind == 1:
            texts["en"].pop(key, None)
        elif kind == 2:
            texts["en"][key] = f"source {number}"
        elif kind == 3 and rng.randrange(4) == 0:
            texts[language] = {} if texts[language] else {"key1": f"{language} {number}"}
        else:
            texts[language][key] = f"{language} {number}"
    for language, entries in texts.items():
        path = f"app/locales/{language}.json"
        changed[path] = json.dumps(entries) if entries or language == "en" else None
    return changed


def run(step: ClientStep) -> str:
    rng = random.Random(1)
    texts = {"en": {"key1": "one", "key2": "two"}, "cs": {"key1": "jedna"}, "de": {"key2": "zwei"}}
    origin = Origin(step.folder / "garden.git")
    files = {f"app/locales/{language}.json": json.dumps(entries) for language, entries in texts.items()}
    origin.push(files)
    server = Gitglot(step.demo.program, step.folder)
    server.configure(configuration([("app", origin.path)]))
    compared = 0
    with server:
        copy = Copy(server)
        for at in range(STEPS):
            # A rewritten history now and then: the parent of the last commit gets a different child.
            after = origin.tip() if rng.randrange(10) else None
            if after is None:
                files = {path: text for path, text in files.items() if text is not None}
                mutated = mutate(texts, rng)
                tip = origin.push({**files, **mutated}, after=None)
                files = {**files, **mutated}
            else:
                mutated = mutate(texts, rng)
                files = {**files, **mutated}
                tip = origin.push(mutated)
            until(
                f"commit {at}",
                lambda: json.loads(server.ask("/api/components/garden/app/repository/")[1])["remote_commit"]["revision"] == tip,
            )
            copy.follow()
            wanted = {unit["id"]: unit for unit in copy.lines("/api/units/?format=ndjson&expand=details")}
            assert set(copy.units) == set(wanted), f"step {at}: {set(copy.units) ^ set(wanted)}"
            for number, unit in wanted.items():
                differing = {name for name in unit if unit[name] != copy.units[number][name]} - SILENT
                assert not differing, f"step {at}: {differing}: {copy.units[number]} instead of {unit}"
                compared += 1
    return f"a copy follows {STEPS} commits without loss ({compared:,} units compared)"
