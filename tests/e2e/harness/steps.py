"""The steps of a run: clients and injected faults."""

import contextlib
import os
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from git_http import HttpBackend

from .common import Skipped, TIMEOUT, attempt, run, until
from .repositories import Daemon, Origin, configuration, numbered
from .servers import Demo, Gitglot


# Seconds for the installation of a tool, and for a client.
INSTALL_TIME = 300


CLIENT_TIME = 120


@dataclass
class ClientStep:
    """A step with a real client: the demo, a directory of its own, the repository root, and the deadline for
    installations."""

    demo: Demo
    folder: Path
    root: Path
    deadline: float

    def attempt(self, *command, **more) -> "str | None":
        """Runs a command that builds or installs something; why it failed, or `None`."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Skipped("the time limit is reached")
        return attempt(list(command), min(left, INSTALL_TIME), **more)

    def environment(self, *packages: str) -> Path:
        """Creates a virtual environment with packages from PyPI; its directory of programs."""
        home = self.folder / "environment"
        made = self.attempt(sys.executable, "-m", "venv", home)
        programs = home / "bin"
        names = " and ".join(packages)
        if made is not None:
            raise Skipped(f"cannot create a virtual environment: {made}")
        pip = [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        failure = self.attempt(*pip, *packages)
        if failure is not None:
            raise Skipped(f"cannot install {names}: {failure}")
        return programs

    def run(self, *command, expect: int = 0, seconds: float = CLIENT_TIME, **more) -> bytes:
        """Runs a client in the step's directory; its standard output."""
        # The settings of the current user must not affect the client.
        env = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), **more.pop("env", {})}
        done = run(command, seconds, cwd=self.folder, env=env)
        output = done.stderr.decode(errors="replace") + done.stdout.decode(errors="replace")[-4000:]
        assert done.returncode == expect, f"{command} ended with {done.returncode}:\n{output}"
        return done.stderr if expect else done.stdout


class TestSite:
    """A repository, and a gitglot that follows it as two components through one kind of address.

    `history` are the results of `numbered`, from 0 on; `number` is the newest that was pushed."""

    def __init__(self, program: Path, folder: Path, kind: str, history: "list[dict]", interval: str = "200ms"):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.kind, self.branch = folder, kind, "main"
        self.origin = Origin(folder / "garden.git")
        self.origin.extend(history)
        self.number = len(history) - 1
        self.gitglot = Gitglot(program, folder, interval=interval)
        self.ids: "dict[str, int]" = {}
        self.changes: "dict[int, str]" = {}

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            address: "str | Path" = self.origin.path
            if self.kind != "path":
                self.server = stack.enter_context({"daemon": Daemon, "http": HttpBackend}[self.kind](self.folder))
                address = self.server.address("garden.git")
            self.gitglot.configure(configuration([("app", address), ("web", address)], self.branch))
            stack.callback(self.gitglot.kill)
            self.begin()
            self.stack = stack.pop_all()
        return self

    def begin(self) -> None:
        """Overridden by tests: starts gitglot and pushes."""

    def __exit__(self, kind, *_) -> None:
        self.stack.close()
        if kind is None:
            assert "panicked" not in self.gitglot.log.read_text(), self.gitglot.tail()

    def push(self, count: int = 1, **more) -> None:
        """Pushes the next numbers, each in its own commit."""
        for _ in range(count):
            self.number += 1
            self.origin.push(numbered(self.number), **more)

    def wait_shown(self, seconds: float = TIMEOUT) -> None:
        """Waits until both components show the newest number and nothing fails."""
        gitglot = self.gitglot
        try:
            for component in ("app", "web"):
                until("", lambda: gitglot.alive() and gitglot.number(component) == self.number, seconds)
            until("", lambda: not gitglot.failures(), seconds)
        except AssertionError:
            if gitglot.process.poll() is not None:
                raise
            shown = f"{gitglot.number('app')} and {gitglot.number('web')} instead of {self.number}"
            raise AssertionError(f"{shown}; {gitglot.failures()}; {gitglot.tail()}") from None

    def record(self) -> None:
        """Records the current ids and changes."""
        self.ids, self.changes = self.gitglot.units(), self.gitglot.changes()

    def assert_recorded(self) -> None:
        """Asserts that all recorded ids and changes are unchanged."""
        assert self.gitglot.units() == self.ids, f"ids of units have changed; {self.gitglot.tail()}"
        changes = self.gitglot.changes()
        differing = [(number, entry, changes.get(number)) for number, entry in self.changes.items() if changes.get(number) != entry]
        assert not differing, f"{len(differing)} changes differ: {differing[:2]}; {self.gitglot.tail()}"

    def assert_survives_restart(self) -> None:
        """Kills and restarts gitglot, and asserts that nothing has changed."""
        self.record()
        self.gitglot.kill()
        self.gitglot.start()
        self.wait_shown()
        self.assert_recorded()


@dataclass
class FaultStep:
    """A step of fault injection: the program, a directory of its own, and the amount of work."""

    program: Path
    folder: Path
    rounds: int
    seed: int
    only: str
    failed: "list[str]" = field(default_factory=list)

    def wants(self, name: str) -> bool:
        return self.only in name

    def run_cases(self, prefix: str, cases: "dict[str, Callable]") -> str:
        """Runs the cases that are wanted, each in a directory of its own. They return messages."""
        done = 0
        for at, (name, case_of) in enumerate(cases.items()):
            if not self.wants(name):
                continue
            with self.case(name) as messages:
                folder = self.folder / f"{prefix}-{at}"
                folder.mkdir()
                messages += case_of(self, folder)
            done += 1
        return f"{done} cases"

    @contextlib.contextmanager
    def case(self, name: str):
        """Runs one case. A failure is recorded, and the next case continues. Cases append their messages."""
        started, messages = time.monotonic(), []
        try:
            yield messages
        except Skipped as reason:
            print(f"  {name}: skipped, {reason}", flush=True)
        except Exception:
            self.failed.append(name)
            print(f"  {name}: FAILED\n{traceback.format_exc()}", flush=True)
        else:
            lines = "".join(f"\n      message: {message}" for message in messages)
            print(f"  {name}: ok ({time.monotonic() - started:.1f} s){lines}", flush=True)
