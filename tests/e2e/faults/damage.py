"""Damage to the state directory: leftovers, corrupt files, a newer version; at start and while running."""

import contextlib
import json
import os
import random
import shutil
import subprocess
import time
from pathlib import Path
from typing import Callable

from harness import git, numbered, Readers, remove, TestSite, until

PATHS = ["/api/units/?page_size=50", "/api/changes/?page_size=50", "/api/components/"]


class Mirrored(TestSite):
    """A history that fills packs, and a commit that only the mirror contains."""

    def __init__(self, program: Path, folder: Path, kind: str = "http"):
        history = [{**numbered(number), "filler.txt": os.urandom(20_000).hex()} for number in range(12)]
        super().__init__(program, folder, kind, history)

    def begin(self) -> None:
        self.gitglot.start()
        self.push_and_wait()
        # A superseded tip, which only the mirror contains from now on.
        first = self.origin.tip()
        self.push_and_wait()
        self.push_and_wait(after=first)
        git("gc", "--quiet", "--prune=now", cwd=self.origin.path)
        self.record()

    def push_and_wait(self, **more) -> None:
        self.push(**more)
        self.wait_shown()

    @property
    def mirror(self) -> Path:
        return self.gitglot.mirrors()[0]


def files(folder: Path, pattern: str) -> "list[Path]":
    return sorted(path for path in folder.rglob(pattern) if path.is_file())


def unpacked(mirror: Path) -> "list[Path]":
    """Replaces the packs of the mirror by loose objects, as older versions wrote them."""
    other = mirror.with_name("unpacked.git")
    git("init", "--quiet", "--bare", other)
    for pack in files(mirror / "objects", "*.pack"):
        git("unpack-objects", "-q", cwd=other, stdin=pack.read_bytes())
    for path in files(other / "objects", "*"):
        to = mirror / "objects" / path.parent.name / path.name
        to.parent.mkdir(exist_ok=True)
        shutil.copy(path, to)
    [remove(path) for path in files(mirror / "objects" / "pack", "*")]
    remove(other)
    return [path for path in files(mirror / "objects", "*") if len(path.parent.name) == 2]


def overwrite(path: Path, text: bytes, at: int = 0) -> None:
    os.chmod(path, 0o644)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(text)


def locks(mirror: Path) -> None:
    for name in ("HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock", "refs/heads/main.lock"):
        (mirror / name).write_text("x")
    for name in ("tmp_pack_abc", ".tmpXYZ", "pack-1234.pack"):
        (mirror / "objects/pack" / name).write_bytes(b"PACK half")


def half_clone(mirror: Path) -> None:
    new = mirror.with_name(mirror.name + ".new")
    shutil.copytree(mirror, new)
    remove(new / "HEAD")
    (new / "objects/pack/tmp_pack_1").write_bytes(b"PACK")


def half_swapped(mirror: Path) -> None:
    mirror.rename(mirror.with_name(mirror.name + ".old"))


def each(pattern: str, change: Callable) -> Callable:
    def all_of(mirror: Path) -> None:
        found = files(mirror / "objects", pattern)
        assert found, f"no {pattern}"
        [change(path) for path in found]
    return all_of


def garbage(path: Path) -> None:
    size = path.stat().st_size
    overwrite(path, random.Random(1).randbytes(max(1, size - 100)), at=min(60, size // 2))


def cut(path: Path) -> None:
    os.chmod(path, 0o644)
    os.truncate(path, path.stat().st_size // 2)


def flip(path: Path) -> None:
    """Changes one byte in the middle."""
    at = path.stat().st_size // 2
    byte = path.read_bytes()[at]
    overwrite(path, bytes([byte ^ 0x55]), at)


def loose_objects(change: Callable) -> Callable:
    def all_of(mirror: Path) -> None:
        found = unpacked(mirror)
        assert found, "no objects"
        [change(path) for path in found]
    return all_of


def gone(path: Path) -> None:
    remove(path)


DAMAGE = {
    "stale locks": locks,
    "a half-written clone": half_clone,
    "a swap that was cut short": half_swapped,
    "no packs": each("*.pack", gone),
    "no indexes": each("*.idx", gone),
    "packs cut off": each("*.pack", cut),
    "indexes cut off": each("*.idx", cut),
    "garbage in packs": each("*.pack", garbage),
    "garbage in indexes": each("*.idx", garbage),
    "a wrong byte in packs": each("*.pack", flip),
    "no loose objects": loose_objects(gone),
    "loose objects cut off": loose_objects(cut),
    "empty loose objects": loose_objects(lambda path: (os.chmod(path, 0o644), os.truncate(path, 0))),
    "garbage in loose objects": loose_objects(garbage),
    "no refs": lambda mirror: (remove(mirror / "refs"), remove(mirror / "packed-refs")),
    "garbage in a ref": lambda mirror: (mirror / "refs/heads/main").write_text("nonsense\n"),
    "a ref to nothing": lambda mirror: (mirror / "refs/heads/main").write_text("1" * 40 + "\n"),
    "no HEAD": lambda mirror: remove(mirror / "HEAD"),
    "garbage in HEAD": lambda mirror: (mirror / "HEAD").write_bytes(os.urandom(50)),
    "garbage in config": lambda mirror: (mirror / "config").write_bytes(b"[core\n\x00 bare = ]"),
    "no objects folder": lambda mirror: remove(mirror / "objects"),
    "zeros in alternates": lambda mirror: (mirror / "objects/info/alternates").write_bytes(bytes(64)),
    "a file instead of objects": lambda mirror: (remove(mirror / "objects"), (mirror / "objects").write_bytes(b"")),
    "a file instead of refs": lambda mirror: (remove(mirror / "refs"), (mirror / "refs").write_bytes(b"")),
    "no mirror": remove,
}


def damage_at_start(site: Mirrored, change: Callable, checkpoint: bool) -> None:
    site.gitglot.kill()
    change(site.mirror)
    if not checkpoint:
        site.gitglot.forget_checkpoints()
    site.gitglot.start()
    site.wait_shown()
    assert_recorded_or_rebuilt(site)


def assert_recorded_or_rebuilt(site: Mirrored) -> None:
    """Commits that only the old mirror had may be lost. Then the log is rebuilt, which is logged."""
    if "rebuilding the change log" in site.gitglot.log.read_text():
        assert site.gitglot.units() == site.ids, "ids of units have changed"
        raise Rebuilt
    site.assert_recorded()


class Rebuilt(Exception):
    """The log was rebuilt."""


def damage_in_flight(site: Mirrored, change: Callable) -> None:
    since = time.time()
    with Readers(site.gitglot, PATHS, threads=1):
        change(site.mirror)
        site.push_and_wait()
        site.push_and_wait()
        site.assert_recorded()
    if "the new mirror lacks" in site.gitglot.log.read_text():
        checkpoints = site.gitglot.state / "checkpoint"
        until("the checkpoints", lambda: all(path.stat().st_mtime > since for path in files(checkpoints, "*")))
        site.assert_survives_restart()
    else:
        # If no damaged object was read so far, the loss is noticed at the restart.
        site.record()
        damage_at_start(site, lambda mirror: None, checkpoint=True)


def run(step) -> str:
    done = 0
    for name, change in DAMAGE.items():
        for when in ("at start", "at start without checkpoint", "in flight"):
            title = f"{name}, {when}"
            if not step.wants(title):
                continue
            with step.case(title) as messages:
                folder = step.folder / f"damage-{done}"
                # The mirror of a local repository has few objects of its own.
                kind = "path" if "loose" in name else "http"
                with Mirrored(step.program, folder, kind) as site, contextlib.suppress(Rebuilt):
                    if when == "in flight":
                        damage_in_flight(site, change)
                    else:
                        damage_at_start(site, change, checkpoint="without" not in when)
                if "rebuilding the change log" in site.gitglot.log.read_text():
                    messages += ["the log is rebuilt"]
            done += 1
    return f"{done + versions(step)} cases"


def newer_ledger(state: Path) -> None:
    lines = (state / "ledger.jsonl").read_text().splitlines()
    last = json.loads(lines[-1])
    last["rules"] = 99
    (state / "ledger.jsonl").write_text("\n".join([*lines[:-1], json.dumps(last)]) + "\n")


def versions(step) -> int:
    """A state directory from a newer version is refused with a clear sentence, and nothing of it is touched."""
    name = "a state directory from a newer version"
    if not step.wants(name):
        return 0
    with step.case(name) as messages:
        with Mirrored(step.program, step.folder / "newer", kind="path") as site:
            site.gitglot.kill()
            newer_ledger(site.gitglot.state)
            content = lambda: {path: path.read_bytes() for path in files(site.gitglot.state, "*")}
            before = content()
            command = [step.program, "serve", "--config", site.folder / "gitglot.toml"]
            command += ["--state-dir", site.gitglot.state, "--listen", "127.0.0.1:0"]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
            assert ended.returncode not in (0, 101), ended
            assert "newer gitglot" in ended.stderr, ended.stderr
            assert content() == before, "the state directory was changed"
            messages += [ended.stderr.strip()]
    return 1
