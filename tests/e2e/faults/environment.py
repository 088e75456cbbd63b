"""A hostile system: the clock jumps, memory is limited, files are as large as they may be."""

import json
import resource
import time
from pathlib import Path

from harness import configuration, Gitglot, numbered, Origin, Skipped, until

FAKETIME = ["/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"]
# Offsets of the clock, one after the other.
JUMPS = ["+0", "+400d", "-800d", "+3600", "-20000d", "+30000d", "+0"]
# Limits of the address space in MB.
LIMITS = [300, 400, 600, 1_000, 2_000]
# Bytes of the largest file, and of one that is too large.
LARGEST = 64 << 20


def clock(step, folder: Path) -> "list[str]":
    library = next((path for path in FAKETIME if Path(path).exists()), None)
    if library is None:
        raise Skipped("libfaketime is not installed")
    offset = folder / "offset"
    offset.write_text(JUMPS[0])
    origin = Origin(folder / "garden.git")
    origin.push(numbered(0))
    # Timers use the monotonic clock, which never jumps.
    fake = {"FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "LD_PRELOAD": library}
    gitglot = Gitglot(step.program, folder, **fake)
    gitglot.configure(configuration([("app", origin.path), ("web", origin.path)]))
    try:
        gitglot.start()
        ids, recorded = gitglot.units(), gitglot.changes()
        for number, jump in enumerate(JUMPS, 1):
            offset.write_text(jump)
            origin.push(numbered(number))
            until(f"the push after {jump}", lambda: gitglot.alive() and gitglot.number() == number and gitglot.number("web") == number)
            until("no failures", lambda: not gitglot.failures())
            changes = gitglot.changes()
            differing = [entry for entry in recorded if changes.get(entry) != recorded[entry]]
            assert not differing and len(changes) > len(recorded), f"{jump}: entries of the log have changed: {differing[:3]}"
            recorded = changes
        assert gitglot.units() == ids, "units have other ids"
        gitglot.kill()
        gitglot.forget_checkpoints()
        gitglot.start()
        assert gitglot.changes() == recorded, "the log differs after a restart"
        return [f"{len(JUMPS)} jumps"]
    finally:
        gitglot.kill()


def memory(step, folder: Path) -> "list[str]":
    """With too little memory gitglot fails, and with enough it works; in between nothing is damaged."""
    origin = Origin(folder / "garden.git")
    origin.extend([numbered(number) for number in range(300)])
    messages, states = [], set()
    for limit in LIMITS:
        gitglot = Gitglot(step.program, folder)
        gitglot.configure(configuration([("app", origin.path), ("web", origin.path)]))
        try:
            gitglot.start(limits=((resource.RLIMIT_AS, (limit << 20, limit << 20)),))
            until("the state", lambda: gitglot.alive() and gitglot.number() == 299, 60)
            states.add(json.dumps([gitglot.units(), gitglot.changes()], sort_keys=True))
            messages.append(f"{limit} MB of address space: works")
        except (AssertionError, OSError):
            tail = gitglot.tail().strip().splitlines()[-1:]
            messages.append(f"{limit} MB of address space: fails, {tail}")
        finally:
            gitglot.kill()
    assert "works" in messages[-1], messages
    assert len(states) == 1, "the state depends on the limit"
    return messages


def large_files(step, folder: Path) -> "list[str]":
    """A file of the maximum size is read; a larger one is reported and leaves the other languages alone."""
    origin = Origin(folder / "garden.git")
    texts = {f"key{at}": "x" * 1_000 for at in range(1_000)}
    origin.push({**numbered(0), "app/locales/en.json": json.dumps(texts)})
    gitglot = Gitglot(step.program, folder, interval="1s")
    gitglot.configure(configuration([("app", origin.path)]))
    messages = []

    def file(size: int) -> str:
        text = json.dumps({**texts, "key0": ""})
        return text.replace('"key0": ""', '"key0": "' + "y" * (size - len(text)) + '"')

    try:
        gitglot.start()
        resident = gitglot.resident()
        for size, is_read in ((LARGEST, True), (LARGEST + 1, False), (LARGEST, True)):
            origin.push({"app/locales/cs.json": file(size)})
            started = time.monotonic()
            tip = origin.tip()
            repository = "/api/components/garden/app/repository/"
            until("the push", lambda: gitglot.alive() and tip in gitglot.ask(repository)[1].decode(), 120)
            seconds = time.monotonic() - started
            problems = gitglot.json("/api/components/garden/app/problems/")["results"]
            assert bool(problems) != is_read, problems
            status, body = gitglot.ask("/api/translations/garden/app/cs/file/")
            assert status == 200, f"{status} {body[:200]!r}"
            assert gitglot.json("/api/translations/garden/app/de/units/")["count"] > 0
            messages.append(f"{size:,} bytes: {'read' if is_read else problems[0]['reason']}, {seconds:.1f} s, {gitglot.resident() - resident >> 20} MB more")
        return messages
    finally:
        gitglot.kill()


CASES = {"clock jumps": clock, "address space": memory, "large files": large_files}


def run(step) -> str:
    return step.run_cases("environment", CASES)
