"""Flipped bits in the ledger: gitglot refuses to start and names the line, or answers as before."""

import random

from harness import numbered, TestSite

FILES = ("ids.jsonl", "ledger.jsonl")
#: Flips per round.
FLIPS = 10


class Flipped(TestSite):
    def begin(self) -> None:
        self.gitglot.start()
        for _ in range(3):
            self.push()
            self.wait_shown()
        self.record()
        self.gitglot.kill()


def refused(site: Flipped, name: str) -> bool:
    """Whether gitglot refuses the state directory with a message that names the file and a line."""
    message = site.gitglot.refusal()
    if message is None:
        return False
    assert "line " in message and name in message and "restore" in message, message
    return True


def run(step) -> str:
    chance = random.Random(step.seed)
    flips = served = 0
    with step.case("bit flips"), Flipped(step.program, step.folder / "flips", "path", [numbered(0)]) as site:
        good = {name: (site.gitglot.state / name).read_bytes() for name in FILES}
        for _ in range(step.rounds * FLIPS):
            name = chance.choice(FILES)
            bad = bytearray(good[name])
            bit = chance.randrange(len(bad) * 8)
            bad[bit // 8] ^= 1 << bit % 8
            (site.gitglot.state / name).write_bytes(bad)
            if not refused(site, name):
                site.gitglot.start()
                site.assert_recorded()
                site.gitglot.kill()
                served += 1
            for file, content in good.items():
                (site.gitglot.state / file).write_bytes(content)
            flips += 1
        site.gitglot.start()
        site.assert_recorded()
    return f"{flips} flips, {flips - served} refused, {served} without effect"
