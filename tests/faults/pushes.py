"""Months of pushes in one run: many small ones to five repositories, force pushes among them, while readers read.

No request may fail, no answer may mix two revisions, memory, handles, packs and files of the mirrors stay in bounds.
"""

import json
import random
import threading
import time
from pathlib import Path

from harness import Gitglot, HttpBackend, Origin, Readers, configuration, numbered, until

REPOSITORIES = 5
# Pushes of one round.
ROUND = 50
# Files of objects and packs that a mirror may have.
MOST_PACKS, MOST_LOOSE = 40, 8_000


def whole(path: str, body: bytes) -> None:
    """Everything that an answer says of one repository is of one revision: every text says its number."""
    seen: "dict[str, set]" = {}
    for unit in json.loads(body)["results"]:
        # /api/translations/garden/app-3/cs/ is of repository 3.
        repository = unit["translation"].rstrip("/").split("/")[-2].rsplit("-", 1)[1]
        seen.setdefault(repository, set()).add(unit["target"].rsplit(" ", 1)[1])
        seen.setdefault(repository, set()).add(unit["source"].rsplit(" ", 1)[1])
    mixed = {repository: numbers for repository, numbers in seen.items() if len(numbers) > 1}
    assert not mixed, f"revisions are mixed: {mixed}"
    assert len(seen) == REPOSITORIES, f"{len(seen)} repositories in one answer"


class Pusher:
    """Pushes to one repository: mostly forward, now and then from an older commit, seldom with a new root."""

    def __init__(self, origin: Origin, seed: int):
        self.origin, self.chance = origin, random.Random(seed)
        self.number = self.pushes = self.forced = 0
        self.tips = [origin.tip()]

    def push(self) -> None:
        self.number += 1
        forced = self.chance.random() < 0.1
        after = self.chance.choice(self.tips[-20:]) if forced else self.tips[-1]
        self.tips.append(self.origin.push(numbered(self.number), after=after))
        self.pushes += 1
        self.forced += forced


def run(steps) -> str:
    count = max(1, steps.rounds) * ROUND
    told = "nothing"
    for kind in ("path", "http"):
        name = f"{kind}: {count} pushes"
        if not steps.wants(name):
            continue
        with steps.case(name) as case:
            folder = steps.folder / f"pushes-{kind}"
            folder.mkdir()
            case.told = [pushes(steps, folder, kind, count)]
        told = f"{count} pushes each"
    return told


def pushes(steps, folder: Path, kind: str, count: int) -> str:
    pushers = []
    for at in range(REPOSITORIES):
        origin = Origin(folder / f"garden-{at}.git")
        origin.push(numbered(0))
        pushers.append(Pusher(origin, steps.seed * 100 + at))
    server = HttpBackend(folder).__enter__() if kind == "http" else None
    gitglot = Gitglot(steps.program, folder, interval="1s", arguments=("--log-level", "warn"))
    components = []
    for at in range(REPOSITORIES):
        address = server.address(f"garden-{at}.git") if server else folder / f"garden-{at}.git"
        components += [(f"app-{at}", address), (f"web-{at}", address)]
    gitglot.configure(configuration(components))
    paths = ["/api/units/?page_size=1000"]
    checked = Readers(gitglot, paths, threads=1, check=whole)
    others = ["/api/changes/?page_size=50", "/api/components/", "/", "/api/changes/?page=last", "/readyz"]
    try:
        gitglot.start()
        begun = time.monotonic()
        marks = []
        with checked, Readers(gitglot, others, threads=1) as more:
            while pushers[0].pushes < count // REPOSITORIES:
                rounds = [threading.Thread(target=many, args=(pusher, ROUND // REPOSITORIES)) for pusher in pushers]
                [thread.start() for thread in rounds]
                [thread.join() for thread in rounds]
                marks.append((gitglot.resident(), gitglot.handles(), gitglot.threads()))
            for at, pusher in enumerate(pushers):
                for component in (f"app-{at}", f"web-{at}"):
                    until(f"the last push in {component}", lambda: gitglot.number(component) == pusher.number, 120)
            until("no complaint", lambda: not gitglot.complaints())
            asked = checked.asked + more.asked
        seconds = time.monotonic() - begun
        packs = [len(list((mirror / "objects/pack").glob("*.pack"))) for mirror in gitglot.mirrors()]
        loose = [len(list((mirror / "objects").glob("??/*"))) for mirror in gitglot.mirrors()]
        size = sum(path.stat().st_size for path in (gitglot.state / "mirrors").rglob("*") if path.is_file())
        # Memory grows with the log, which grows with each push: what a push costs is to stay the same.
        half = marks[len(marks) // 2]
        entries = gitglot.json("/api/changes/?page_size=1")["count"]
        forced = sum(pusher.forced for pusher in pushers)
        facts = (
            f"{sum(pusher.pushes for pusher in pushers)} pushes, {forced} of them forced, in {seconds:.0f} s; "
            f"{asked} answers, none failed or mixed; {entries} entries; resident MB at the first round, half way, at "
            f"the end {marks[0][0] >> 20}, {half[0] >> 20}, {gitglot.resident() >> 20}; handles {marks[0][1]}, "
            f"{half[1]}, {gitglot.handles()}; threads {marks[0][2]}, {gitglot.threads()}; packs {packs}, "
            f"loose objects {loose}, {size >> 20} MB of mirrors"
        )
        most_handles = max(mark[1] for mark in marks)
        assert most_handles <= marks[0][1] + 60, f"handles grow: {facts}"
        assert max(packs) <= MOST_PACKS and max(loose) <= MOST_LOOSE, f"mirrors grow: {facts}"
        assert "panicked" not in gitglot.log.read_text(), gitglot.tail()
        ids = gitglot.units()
        gitglot.kill()
        begun = time.monotonic()
        gitglot.start()
        assert gitglot.units() == ids, "units have other ids after a restart"
        return f"{facts}; restart {time.monotonic() - begun:.1f} s"
    finally:
        gitglot.kill()
        if server:
            server.__exit__(None, None, None)


def many(pusher: Pusher, count: int) -> None:
    for _ in range(count):
        pusher.push()
