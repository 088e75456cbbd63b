"""Force pushes to unrelated histories: each costs little more than a cold start, and each is published."""

import threading
import time
from pathlib import Path

from harness import configuration, git, Gitglot, numbered, Origin, until

# Commits of each history, and files besides those that are followed, which only copies of objects concern.
COMMITS, OTHER_FILES = 1_200, 3
# Seconds between two force pushes, and their number.
PAUSE, REWRITES = 1.5, 10
# A force push may cost this many times the processor time of a cold start, and these seconds more.
MOST_TIMES, MORE_SECONDS = 2, 0.5


def history(number: int) -> "list[dict[str, str]]":
    """The states of a history that ends with a number."""
    states = []
    for at in range(COMMITS):
        files = {f"src/file{at % 40}-{nth}.txt": f"{number} {at} {nth}\n" * 20 for nth in range(OTHER_FILES)}
        if at % 20 == 0:
            files |= numbered(number * COMMITS + at)
        states.append(files)
    states[-1] |= numbered(number)
    return states


def unrelated(folder: Path, count: int) -> Origin:
    """A repository whose branches `history-N` have no common commit."""
    origin = Origin(folder / "garden.git")
    for number in range(count):
        origin.branch = f"history-{number}"
        origin.clock = 1_600_000_000 + number
        origin.extend(history(number))
    git("repack", "-q", "-a", "-d", cwd=origin.path)
    origin.branch = "main"
    return origin


def move(origin: Origin, number: int) -> None:
    git("update-ref", "refs/heads/main", f"refs/heads/history-{number}", cwd=origin.path)


def cost(step, folder: Path) -> "list[str]":
    origin = unrelated(folder, 2)
    move(origin, 0)
    gitglot = Gitglot(step.program, folder)
    gitglot.configure(configuration([("app", origin.path), ("web", origin.path)]))
    try:
        gitglot.start()
        cold = gitglot.processor_seconds()
        move(origin, 1)
        until("the force push", lambda: gitglot.number() == 1 and gitglot.number("web") == 1)
        rewritten = gitglot.processor_seconds() - cold
        message = f"cold start {cold:.2f} s, force push {rewritten:.2f} s of processor time"
        assert rewritten <= MOST_TIMES * cold + MORE_SECONDS, message
        changes = gitglot.changes()
        # The old history survives: the log is rebuilt from the mirror.
        gitglot.kill()
        gitglot.forget_checkpoints()
        git("update-ref", "-d", "refs/heads/history-0", cwd=origin.path)
        git("gc", "-q", "--prune=now", cwd=origin.path)
        gitglot.start()
        assert gitglot.changes() == changes, "the change log differs after the old history is deleted"
        return [message]
    finally:
        gitglot.kill()


def continuous(step, folder: Path) -> "list[str]":
    origin = unrelated(folder, REWRITES + 1)
    move(origin, 0)
    gitglot = Gitglot(step.program, folder)
    gitglot.configure(configuration([("app", origin.path), ("web", origin.path)]))
    shown, is_over = set(), threading.Event()

    def watch() -> None:
        while not is_over.wait(0.05):
            shown.add(gitglot.number())

    try:
        gitglot.start()
        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        for number in range(1, REWRITES + 1):
            move(origin, number)
            time.sleep(PAUSE)
        until("the last force push", lambda: gitglot.number() == REWRITES)
        is_over.set()
        watcher.join()
        shown.add(gitglot.number())
        missing = set(range(REWRITES + 1)) - shown
        assert not missing, f"never published: {sorted(missing)}; {gitglot.tail()}"
        return [f"{REWRITES} force pushes, {PAUSE} s apart, all published"]
    finally:
        is_over.set()
        gitglot.kill()


CASES = {"cost of a force push": cost, "continuous force pushes": continuous}


def run(step) -> str:
    return step.run_cases("rewrites", CASES)
