"""Git servers that send damaged packs or nonsense: the served state stays right, and gitglot recovers on its own."""

import itertools
from pathlib import Path

from git_http import HttpBackend
from harness import configuration, Gitglot, numbered, Origin, until

# Replacements of `git pack-objects`, as shell commands that get its command line.
PACKS = {
    "no pack": "cat >/dev/null",
    "a pack of 10 bytes": '"$@" | head -c 10',
    "a header without objects": '"$@" | head -c 12',
    "half a pack": '"$@" >"$0.pack"; head -c $(($(wc -c <"$0.pack") / 2)) "$0.pack"',
    "a pack without its checksum": '"$@" >"$0.pack"; head -c $(($(wc -c <"$0.pack") - 20)) "$0.pack"',
    "flipped bytes": '"$@" >"$0.pack"; n=$(($(wc -c <"$0.pack") - 12)); { head -c $n "$0.pack"; printf "\\252\\125"; tail -c 10 "$0.pack"; }',
    "zeros": "cat >/dev/null; head -c 100000 /dev/zero",
    "a huge number of objects": 'printf "PACK\\000\\000\\000\\002\\377\\377\\377\\377"; cat >/dev/null',
    "40 MB of noise": 'cat >/dev/null; printf "PACK\\000\\000\\000\\002\\000\\001\\000\\000"; head -c 40000000 /dev/urandom',
    "an error": "cat >/dev/null; exit 1",
}
# Bytes that memory may grow.
MOST_MEMORY = 300 << 20


def packet(text: bytes) -> bytes:
    return b"%04x" % (len(text) + 4) + text


def refs(*lines: bytes) -> bytes:
    return packet(b"# service=git-upload-pack\n") + b"0000" + b"".join(map(packet, lines)) + b"0000"


TIP = b"1" * 40
# Bodies of `info/refs`, as pieces that a server sends.
ANSWERS = {
    "nothing": lambda: [b""],
    "a page": lambda: [b"<!DOCTYPE html><title>Sign in</title>"],
    "an invalid length": lambda: [b"zzzz"],
    "a length beyond the end": lambda: [b"fff0short"],
    "a length of three": lambda: [b"0003"],
    "a ref outside of refs": lambda: [refs(TIP + b" ../../../../etc/passwd\0 multi_ack", TIP + b" refs/heads/../../x\n")],
    "no object id": lambda: [refs(b"x" * 40 + b" refs/heads/main\0 multi_ack\n")],
    "an object that is not there": lambda: [refs(TIP + b" HEAD\0symref=HEAD:refs/heads/main agent=x", TIP + b" refs/heads/main\n")],
    "a cycle of symbolic refs": lambda: [refs(TIP + b" HEAD\0symref=HEAD:refs/heads/a symref=refs/heads/a:HEAD")],
    "a version of the future": lambda: [packet(b"version 9\n") + b"0000"],
    "endless refs": lambda: itertools.chain(
        [packet(b"# service=git-upload-pack\n") + b"0000"],
        (b"".join(packet(TIP + b" refs/heads/%012d%s\n" % (at * 100 + nth, b"x" * 900)) for nth in range(100)) for at in range(20_000)),
    ),
    "endless capabilities": lambda: itertools.chain(
        [packet(b"# service=git-upload-pack\n") + b"0000" + packet(b"version 2\n")],
        (packet(b"capability=" + b"x" * 60_000) for _ in range(30_000)),
    ),
}


def damaged_packs(step, folder: Path) -> "list[str]":
    origin = Origin(folder / "garden.git")
    origin.push(numbered(0))
    messages, number = [], 0
    with HttpBackend(folder) as backend:
        gitglot = Gitglot(step.program, folder, arguments=("--log-level", "warn"))
        gitglot.configure(configuration([("app", backend.address("garden.git")), ("web", backend.address("garden.git"))]))
        try:
            gitglot.start()
            ids, resident = gitglot.units(), gitglot.resident()
            for name, command in PACKS.items():
                script = folder / f"hook-{number}"
                script.write_text(f"#!/bin/sh\n{command}\n")
                script.chmod(0o755)
                backend.pack_objects_hook = script
                number += 1
                origin.push(numbered(number))
                reasons = until(f"a failure with {name}", lambda: gitglot.alive() and gitglot.failures(), 90)
                messages.append(f"{name}: {next(iter(reasons.values()))}")
                assert gitglot.number() == number - 1, f"{name}: the state has changed"
                backend.pack_objects_hook = None
                try:
                    until("", lambda: gitglot.number() == number and not gitglot.failures(), 120)
                except AssertionError:
                    raise AssertionError(f"no recovery after {name}: {gitglot.failures()}; {gitglot.tail()}") from None
                assert gitglot.units() == ids, f"{name}: units have other ids"
            grown = gitglot.resident() - resident
            assert grown < MOST_MEMORY, f"memory has grown by {grown >> 20} MB"
        finally:
            gitglot.kill()
    return messages


def nonsense(step, folder: Path) -> "list[str]":
    """A server that is replaced by another one."""
    origin = Origin(folder / "garden.git")
    origin.push(numbered(0))
    messages = []
    with HttpBackend(folder) as backend:
        address = backend.address("garden.git")
        gitglot = Gitglot(step.program, folder, arguments=("--log-level", "warn"))
        gitglot.configure(configuration([("app", address), ("web", address)]))
        try:
            gitglot.start()
            ids, resident = gitglot.units(), gitglot.resident()
            for name, pieces in ANSWERS.items():
                backend.replacement = pieces
                gitglot.kill()
                gitglot.start(ready=False)
                reasons = until(f"a failure with {name}", lambda: gitglot.alive() and gitglot.failures(), 120)
                messages.append(f"{name}: {next(iter(reasons.values()))[:200]}")
                until("the last state", lambda: gitglot.number() == 0)
                grown = gitglot.resident() - resident
                assert grown < MOST_MEMORY, f"{name}: memory has grown by {grown >> 20} MB"
            backend.replacement = None
            gitglot.kill()
            gitglot.start()
            origin.push(numbered(1))
            until("recovery", lambda: gitglot.number() == 1 and not gitglot.failures())
            assert gitglot.units() == ids, "units have other ids"
        finally:
            gitglot.kill()
    return messages


CASES = {"damaged packs": damaged_packs, "nonsense instead of refs": nonsense}


def run(step) -> str:
    return step.run_cases("hostile", CASES)
