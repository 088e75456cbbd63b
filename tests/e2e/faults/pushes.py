"""Months of pushes in one run: many small ones to five repositories, force pushes among them, while readers read.

No request may fail, no response may mix revisions; memory grows only with the log, file handles do not leak,
packs and single objects of the mirrors stay few.
"""

import contextlib
import json
import random
import threading
import time
from pathlib import Path

from git_http import HttpBackend
from harness import configuration, Gitglot, numbered, Origin, Readers, until

REPOSITORIES = 5
# Pushes of one round.
ROUND = 50
# Files of objects and packs that a mirror may have.
MOST_PACKS, MOST_LOOSE = 40, 8_000
# Bytes of memory over the start: once, and for each new entry of the log, which stays in memory.
MOST_MEMORY, MEMORY_PER_ENTRY = 40 << 20, 400
# File handles over the start, when not every repository is watched yet: while readers ask, and when all is quiet again.
MOST_HANDLES, QUIET_HANDLES = 80, 4 * REPOSITORIES


def whole(path: str, body: bytes) -> None:
    """Asserts that all texts of one repository in a response have the same number."""
    seen: "dict[str, set]" = {}
    for unit in json.loads(body)["results"]:
        # /api/translations/garden/app-3/cs/ is of repository 3.
        repository = unit["translation"].rstrip("/").split("/")[-2].rsplit("-", 1)[1]
        seen.setdefault(repository, set()).add(unit["target"].rsplit(" ", 1)[1])
        seen.setdefault(repository, set()).add(unit["source"].rsplit(" ", 1)[1])
    mixed = {repository: numbers for repository, numbers in seen.items() if len(numbers) > 1}
    assert not mixed, f"revisions are mixed: {mixed}"
    assert len(seen) == REPOSITORIES, f"{len(seen)} repositories in one answer"


class Mark:
    """The resources of the program at one moment."""

    def __init__(self, gitglot: Gitglot):
        self.resident, self.handles, self.threads = gitglot.resident(), gitglot.handles(), gitglot.threads()
        self.entries = gitglot.json("/api/changes/?page_size=1")["count"]

    def __str__(self) -> str:
        return f"{self.resident >> 20} MB for {self.entries} entries, {self.handles} handles, {self.threads} threads"

    def quiet_since(self, first: "Mark") -> "Mark | None":
        return self if self.handles <= first.handles + QUIET_HANDLES else None


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


def run(step) -> str:
    count = max(1, step.rounds) * ROUND
    summary = "nothing"
    for kind in ("path", "http"):
        name = f"{kind}: {count} pushes"
        if not step.wants(name):
            continue
        with step.case(name) as messages:
            folder = step.folder / f"pushes-{kind}"
            folder.mkdir()
            with HttpBackend(folder) if kind == "http" else contextlib.nullcontext() as server:
                messages += [pushes(step, folder, server, count)]
        summary = f"{count} pushes each"
    return summary


def pushes(step, folder: Path, server: "HttpBackend | None", count: int) -> str:
    pushers = []
    for at in range(REPOSITORIES):
        origin = Origin(folder / f"garden-{at}.git")
        origin.push(numbered(0))
        pushers.append(Pusher(origin, step.seed * 100 + at))
    gitglot = Gitglot(step.program, folder, interval="1s", arguments=("--log-level", "warn"))
    components = []
    for at, pusher in enumerate(pushers):
        address = server.address(pusher.origin.path.name) if server else pusher.origin.path
        components += [(f"app-{at}", address), (f"web-{at}", address)]
    gitglot.configure(configuration(components))
    paths = ["/api/units/?page_size=1000"]
    checked = Readers(gitglot, paths, threads=1, check=whole)
    others = ["/api/changes/?page_size=50", "/api/components/", "/", "/api/changes/?page=last", "/readyz"]
    try:
        gitglot.start()
        begun = time.monotonic()
        marks = [Mark(gitglot)]
        with checked, Readers(gitglot, others, threads=1) as more:
            while pushers[0].pushes < count // REPOSITORIES:
                rounds = [threading.Thread(target=many, args=(pusher, ROUND // REPOSITORIES)) for pusher in pushers]
                [thread.start() for thread in rounds]
                [thread.join() for thread in rounds]
                marks.append(Mark(gitglot))
            for at, pusher in enumerate(pushers):
                for component in (f"app-{at}", f"web-{at}"):
                    until(f"the last push in {component}", lambda: gitglot.number(component) == pusher.number, 120)
            until("no failures", lambda: not gitglot.failures())
            asked = checked.asked + more.asked
        seconds = time.monotonic() - begun
        packs = [len(list((mirror / "objects/pack").glob("*.pack"))) for mirror in gitglot.mirrors()]
        loose = [len(list((mirror / "objects").glob("??/*"))) for mirror in gitglot.mirrors()]
        size = sum(path.stat().st_size for path in (gitglot.state / "mirrors").rglob("*") if path.is_file())
        forced = sum(pusher.forced for pusher in pushers)
        first, half = marks[0], marks[len(marks) // 2]
        try:
            last = until("quiet", lambda: Mark(gitglot).quiet_since(first), 20)
        except AssertionError:
            last = Mark(gitglot)
        facts = (
            f"{sum(pusher.pushes for pusher in pushers)} pushes, {forced} of them forced, in {seconds:.0f} s; "
            f"{asked} answers, none failed or mixed; at the start {first}; half way {half}; at the end {last}; "
            f"packs {packs}, loose objects {loose}, {size >> 20} MB of mirrors"
        )
        for mark in [*marks, last]:
            allowed = MOST_MEMORY + MEMORY_PER_ENTRY * (mark.entries - first.entries)
            assert mark.resident <= first.resident + allowed, f"memory grows to {mark}: {facts}"
            assert mark.handles <= first.handles + MOST_HANDLES, f"handles grow to {mark}: {facts}"
        assert last.quiet_since(first), f"handles stay open: {facts}"
        assert max(packs) <= MOST_PACKS and max(loose) <= MOST_LOOSE, f"mirrors grow: {facts}"
        assert "panicked" not in gitglot.log.read_text(), gitglot.tail()
        ids = gitglot.units()
        gitglot.kill()
        begun = time.monotonic()
        gitglot.start()
        assert gitglot.units() == ids, "ids of units have changed after a restart"
        return f"{facts}; restart {time.monotonic() - begun:.1f} s"
    finally:
        gitglot.kill()


def many(pusher: Pusher, count: int) -> None:
    for _ in range(count):
        pusher.push()
