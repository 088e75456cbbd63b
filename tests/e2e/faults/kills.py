"""`kill -9` at random moments of clone, replay, update, checkpoint and ledger writing: each restart succeeds."""

import random
import shutil
import threading
import time
from pathlib import Path

from harness import numbered, TestSite

# Commits that are there from the start, so that clone and replay take a while.
HISTORY = 300
# The number of moves after which a checkpoint is written.
MOVES = 32


class Victim(TestSite):
    """A gitglot that is killed again and again while it follows a repository."""

    def __init__(self, program: Path, folder: Path, kind: str):
        super().__init__(program, folder, kind, [numbered(number) for number in range(HISTORY)], interval="100ms")

    def begin(self) -> None:
        begun = time.monotonic()
        self.gitglot.start()
        self.start_time = time.monotonic() - begun
        self.record()

    def assert_recovers(self) -> None:
        """Started again it shows the newest state, with all ids and entries that were ever shown."""
        if self.gitglot.process.poll() is not None:
            self.gitglot.start()
        self.wait_shown()
        if self.ids:
            self.assert_recorded()
        self.record()
        assert "rebuilding the change log" not in self.gitglot.log.read_text(), f"a log was rebuilt: {self.gitglot.tail()}"


def in_clone(victim: Victim, chance: random.Random) -> str:
    """A new state directory: nothing was shown yet, so nothing must stay."""
    victim.gitglot.kill()
    shutil.rmtree(victim.gitglot.state)
    victim.ids, victim.changes = {}, {}
    victim.gitglot.start(ready=False)
    wait = chance.uniform(0, victim.start_time)
    time.sleep(wait)
    victim.gitglot.kill()
    return f"{wait * 1000:.0f} ms after the start of a clone"


def in_replay(victim: Victim, chance: random.Random) -> str:
    victim.gitglot.kill()
    victim.gitglot.forget_checkpoints()
    if chance.random() < 0.5:
        victim.push()
    victim.gitglot.start(ready=False)
    wait = chance.uniform(0, victim.start_time)
    time.sleep(wait)
    victim.gitglot.kill()
    return f"{wait * 1000:.0f} ms after the start of a replay"


def in_update(victim: Victim, chance: random.Random) -> str:
    pushes = chance.randint(1, 6)
    wait = chance.uniform(0, 0.15 * pushes)
    pusher = threading.Thread(target=victim.push, args=(pushes,))
    pusher.start()
    time.sleep(wait)
    victim.gitglot.kill()
    pusher.join()
    return f"{wait * 1000:.0f} ms after the first of {pushes} pushes"


def at_sign(victim: Victim, sign, chance: random.Random, most: int) -> bool:
    """Pushes until a sign is seen, and kills at once or a moment later."""
    pause = chance.choice([0, 0, 0.0002, 0.001])
    seen = threading.Event()
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            if sign():
                time.sleep(pause)
                victim.gitglot.process.kill()
                seen.set()
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for _ in range(most):
            victim.push()
            end = time.monotonic() + 5
            while not seen.is_set() and time.monotonic() < end and victim.gitglot.process.poll() is None:
                try:
                    if victim.gitglot.number("web") == victim.number:
                        break
                except OSError:
                    break
            if seen.is_set():
                break
    finally:
        over.set()
        watcher.join()
    victim.gitglot.kill()
    return seen.is_set()


def in_ledger(victim: Victim, chance: random.Random) -> str:
    file = victim.gitglot.state / chance.choice(["ids.jsonl", "ledger.jsonl"])
    size = file.stat().st_size
    hit = at_sign(victim, lambda: file.stat().st_size != size, chance, 3)
    return f"as {file.name} grew" if hit else "after three pushes"


def in_checkpoint(victim: Victim, chance: random.Random) -> str:
    folder = victim.gitglot.state / "checkpoint"
    hit = at_sign(victim, lambda: any(folder.glob("*.new")), chance, MOVES + 1)
    return "while a checkpoint was written" if hit else "after many pushes"


MOMENTS = [in_clone, in_replay, in_update, in_update, in_ledger, in_checkpoint]


def run(step) -> str:
    chance = random.Random(step.seed)
    hits: "dict[str, int]" = {}
    for kind in ("path", "http"):
        if not step.wants(kind):
            continue
        with step.case(f"{kind}: {step.rounds} kills") as messages:
            with Victim(step.program, step.folder / f"kills-{kind}", kind) as victim:
                for round in range(step.rounds):
                    moment = MOMENTS[round % len(MOMENTS)]
                    if victim.gitglot.process.poll() is not None:
                        victim.gitglot.start()
                    moment_name = moment(victim, chance)
                    hits[moment.__name__] = hits.get(moment.__name__, 0) + 1
                    try:
                        victim.assert_recovers()
                    except Exception as error:
                        raise AssertionError(f"round {round}, killed {moment_name}: {error}") from error
    return ", ".join(f"{name} {count}" for name, count in hits.items())
