"""A full disk, in clone, replay, update, checkpoint and ledger writing: noticed, told, and over when there is room."""

import contextlib
import os
import subprocess
from pathlib import Path

from harness import Followed, Readers, numbered, until
from shared import Skipped

PATHS = ["/api/units/?page_size=50", "/api/changes/?page_size=50"]
SIZE = 16 << 20


class Small:
    """A file system of 16 MB for the state directory."""

    def __init__(self, place: Path):
        self.place = place

    def __enter__(self) -> "Small":
        self.place.mkdir(parents=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", self.place]
        made = subprocess.run(command, capture_output=True, text=True) if os.geteuid() == 0 else None
        if made is None or made.returncode:
            raise Skipped("no small file system can be mounted")
        return self

    def __exit__(self, *_) -> None:
        subprocess.run(["umount", "--lazy", self.place], check=True)

    def fill(self, room: int = 0) -> None:
        """Leaves so many bytes of room."""
        ballast = self.place / "ballast"
        with ballast.open("ab", buffering=0) as file:
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(1 << 16))
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(1 << 10))
        if room:
            os.truncate(ballast, max(0, ballast.stat().st_size - room))

    def empty(self) -> None:
        (self.place / "ballast").unlink(missing_ok=True)


class Place(Followed):
    """Sixty commits, and a gitglot that is not started yet, with its state directory on the small file system."""

    def __init__(self, program: Path, folder: Path, kind: str):
        history = [{**numbered(number), "filler": os.urandom(2_000).hex()} for number in range(60)]
        super().__init__(program, folder, kind, history)
        self.gitglot.state = folder / "small" / "state"

    def complaint(self) -> str:
        return next(iter(until("a complaint", self.gitglot.complaints, 30).values()))


def clone(place: Place, small: Small) -> "list[str]":
    small.fill(60_000)
    place.gitglot.start(ready=False)
    told = until("the log says so", lambda: "No space left" in place.gitglot.tail() and place.gitglot.tail(), 30)
    place.gitglot.alive()
    small.empty()
    place.gitglot.wait_ready()
    place.shows()
    return [line for line in told.splitlines() if "No space left" in line][:1]


def update(place: Place, small: Small) -> "list[str]":
    place.gitglot.start()
    place.shows()
    place.note()
    before = place.number
    with Readers(place.gitglot, PATHS, threads=1):
        small.fill()
        place.push(3)
        told = place.complaint()
        assert place.gitglot.number() == before, "something is shown that is on no disk"
        small.empty()
        place.shows()
        place.holds()
    place.survives_restart()
    return [told]


def nearly(place: Place, small: Small) -> "list[str]":
    """Room for a little, which ends at another place of an update each time."""
    place.gitglot.start()
    place.shows()
    with Readers(place.gitglot, PATHS, threads=1):
        for room in (2_000, 5_000, 9_000, 14_000, 20_000, 30_000):
            place.note()
            small.fill(room)
            place.push(4)
            until("it ends", lambda: place.gitglot.complaints() or place.gitglot.number() == place.number, 30)
            small.empty()
            place.shows()
            place.holds()
    place.survives_restart()
    return [line for line in place.gitglot.log.read_text().splitlines() if "state directory" in line][:1]


def checkpoint(place: Place, small: Small) -> "list[str]":
    """The ledger has room, a checkpoint has none."""
    place.gitglot.start()
    place.shows()
    with Readers(place.gitglot, PATHS, threads=1):
        small.fill(40_000)
        for _ in range(40):
            place.push()
            until("a push", lambda: place.gitglot.number("web") == place.number or place.gitglot.complaints(), 30)
            if place.gitglot.complaints():
                break
        place.note()
        small.empty()
        place.push()
        place.shows()
        place.holds()
    place.survives_restart()
    said = [line for line in place.gitglot.log.read_text().splitlines() if "checkpoint" in line]
    return said[:1]


def replay(place: Place, small: Small) -> "list[str]":
    place.gitglot.start()
    place.shows()
    place.note()
    place.gitglot.kill()
    place.gitglot.forget_checkpoints()
    small.fill()
    before = place.number
    place.push()
    place.gitglot.start(ready=False)
    until("the state that the disk has", lambda: place.gitglot.number() in (before, place.number), 60)
    place.holds()
    small.empty()
    place.shows()
    place.holds()
    return []


def ledger(place: Place, small: Small) -> "list[str]":
    """The mirrors have room, the ledger has none."""
    place.gitglot.state.mkdir()
    roomy = place.gitglot.folder / "mirrors"
    roomy.mkdir()
    (place.gitglot.state / "mirrors").symlink_to(roomy)
    place.gitglot.start()
    place.shows()
    small.fill()
    with Readers(place.gitglot, PATHS, threads=1):
        for _ in range(40):
            place.note()
            before = place.number
            place.push()
            until("it ends", lambda: place.gitglot.complaints() or place.gitglot.number("web") == place.number, 30)
            if place.gitglot.complaints():
                break
        told = place.complaint()
        assert place.gitglot.number() == before, "something is shown that is in no ledger"
        small.empty()
        place.shows()
        place.holds()
    place.survives_restart()
    return [told]


CASES = {"ledger": ledger, "clone": clone, "update": update, "nearly": nearly, "checkpoint": checkpoint, "replay": replay}


def run(steps) -> str:
    done = 0
    for name, case_of in CASES.items():
        for kind in ("path", "http"):
            title = f"{kind}: a full disk in {name}"
            if not steps.wants(title):
                continue
            folder = steps.folder / f"{kind}-{name}"
            folder.mkdir()
            with steps.case(title) as case, Small(folder / "small") as small:
                with Place(steps.program, folder, kind) as place:
                    case.told = case_of(place, small)
            done += 1
    return f"{done} cases"
