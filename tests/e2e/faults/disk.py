"""A full disk during clone, replay, update, checkpoint and ledger writes: reported, and recovered when there is space."""

import contextlib
import os
import subprocess
from pathlib import Path

from harness import numbered, Readers, Skipped, TestSite, until

PATHS = ["/api/units/?page_size=50", "/api/changes/?page_size=50"]
SIZE = 16 << 20


class Small:
    """A file system of 16 MB for the state directory."""

    def __init__(self, site: Path):
        self.site = site

    def __enter__(self) -> "Small":
        self.site.mkdir(parents=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", self.site]
        made = subprocess.run(command, capture_output=True, text=True) if os.geteuid() == 0 else None
        if made is None or made.returncode:
            raise Skipped("no small file system can be mounted")
        return self

    def __exit__(self, *_) -> None:
        subprocess.run(["umount", "--lazy", self.site], check=True)

    def fill(self, space: int = 0) -> None:
        """Leaves this many bytes of space."""
        ballast = self.site / "ballast"
        with ballast.open("ab", buffering=0) as file:
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(1 << 16))
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(1 << 10))
        if space:
            os.truncate(ballast, max(0, ballast.stat().st_size - space))

    def empty(self) -> None:
        (self.site / "ballast").unlink(missing_ok=True)


class DiskSite(TestSite):
    """Sixty commits, and a gitglot that is not started yet, with its state directory on the small file system."""

    def __init__(self, program: Path, folder: Path, kind: str):
        history = [{**numbered(number), "filler": os.urandom(2_000).hex()} for number in range(60)]
        super().__init__(program, folder, kind, history)
        self.gitglot.state = folder / "small" / "state"

    def complaint(self) -> str:
        return next(iter(until("a failure", self.gitglot.failures, 30).values()))


def clone(site: DiskSite, small: Small) -> "list[str]":
    small.fill(60_000)
    site.gitglot.start(ready=False)
    message = until("the log message", lambda: "No space left" in site.gitglot.tail() and site.gitglot.tail(), 30)
    site.gitglot.alive()
    small.empty()
    site.gitglot.wait_ready()
    site.wait_shown()
    return [line for line in message.splitlines() if "No space left" in line][:1]


def update(site: DiskSite, small: Small) -> "list[str]":
    site.gitglot.start()
    site.wait_shown()
    site.record()
    before = site.number
    with Readers(site.gitglot, PATHS, threads=1):
        small.fill()
        site.push(3)
        message = site.complaint()
        assert site.gitglot.number() == before, "something is shown that is on no disk"
        small.empty()
        site.wait_shown()
        site.assert_recorded()
    site.assert_survives_restart()
    return [message]


def nearly(site: DiskSite, small: Small) -> "list[str]":
    """Room for a little, which ends at another site of an update each time."""
    site.gitglot.start()
    site.wait_shown()
    with Readers(site.gitglot, PATHS, threads=1):
        for space in (2_000, 5_000, 9_000, 14_000, 20_000, 30_000):
            site.record()
            small.fill(space)
            site.push(4)
            until("it ends", lambda: site.gitglot.failures() or site.gitglot.number() == site.number, 30)
            small.empty()
            site.wait_shown()
            site.assert_recorded()
    site.assert_survives_restart()
    return [line for line in site.gitglot.log.read_text().splitlines() if "state directory" in line][:1]


def checkpoint(site: DiskSite, small: Small) -> "list[str]":
    """There is space for the ledger, but not for a checkpoint."""
    site.gitglot.start()
    site.wait_shown()
    with Readers(site.gitglot, PATHS, threads=1):
        small.fill(40_000)
        for _ in range(40):
            site.push()
            until("a push", lambda: site.gitglot.number("web") == site.number or site.gitglot.failures(), 30)
            if site.gitglot.failures():
                break
        site.record()
        small.empty()
        site.push()
        site.wait_shown()
        site.assert_recorded()
    site.assert_survives_restart()
    lines = [line for line in site.gitglot.log.read_text().splitlines() if "checkpoint" in line]
    return lines[:1]


def replay(site: DiskSite, small: Small) -> "list[str]":
    site.gitglot.start()
    site.wait_shown()
    site.record()
    site.gitglot.kill()
    site.gitglot.forget_checkpoints()
    small.fill()
    before = site.number
    site.push()
    site.gitglot.start(ready=False)
    until("the state that the disk has", lambda: site.gitglot.number() in (before, site.number), 60)
    site.assert_recorded()
    small.empty()
    site.wait_shown()
    site.assert_recorded()
    return []


def ledger(site: DiskSite, small: Small) -> "list[str]":
    """The mirrors have space, the ledger has none."""
    site.gitglot.state.mkdir()
    roomy = site.gitglot.folder / "mirrors"
    roomy.mkdir()
    (site.gitglot.state / "mirrors").symlink_to(roomy)
    site.gitglot.start()
    site.wait_shown()
    small.fill()
    with Readers(site.gitglot, PATHS, threads=1):
        for _ in range(40):
            site.record()
            before = site.number
            site.push()
            until("it ends", lambda: site.gitglot.failures() or site.gitglot.number("web") == site.number, 30)
            if site.gitglot.failures():
                break
        message = site.complaint()
        assert site.gitglot.number() == before, "something is shown that is in no ledger"
        small.empty()
        site.wait_shown()
        site.assert_recorded()
    site.assert_survives_restart()
    return [message]


CASES = {"ledger": ledger, "clone": clone, "update": update, "nearly": nearly, "checkpoint": checkpoint, "replay": replay}


def run(step) -> str:
    done = 0
    for name, case_of in CASES.items():
        for kind in ("path", "http"):
            title = f"{kind}: a full disk in {name}"
            if not step.wants(title):
                continue
            folder = step.folder / f"{kind}-{name}"
            folder.mkdir()
            with step.case(title) as messages, Small(folder / "small") as small:
                with DiskSite(step.program, folder, kind) as site:
                    messages += case_of(site, small)
            done += 1
    return f"{done} cases"
