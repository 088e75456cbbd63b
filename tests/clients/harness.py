"""What all steps share: the running demo, tools from registries, and asking the API."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from shared import Listening, Skipped

# Seconds: for a tool to be installed, and for a client to do what it is asked.
INSTALL_TIME = 150
CLIENT_TIME = 120


class Demo(Listening):
    """`gitglot demo` on a free port, ended with the block."""

    def __init__(self, program: Path, folder: Path):
        self.program, self.folder = program, folder

    def __enter__(self) -> "Demo":
        command = [self.program, "demo", "--listen", "127.0.0.1:0", "--log-level", "error"]
        command += ["--state-dir", self.folder / "state"]
        self.listen(command)
        for _ in range(600):
            if self.ask("/readyz")[0] == 200:
                return self
            time.sleep(0.1)
        raise AssertionError("the demo is not ready after a minute")

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(30)


@dataclass
class Steps:
    """What a step is given: the demo, a folder of its own, the root of the repository, and the time to install until."""

    demo: Demo
    folder: Path
    root: Path
    deadline: float

    def attempt(self, *command, **more) -> "str | None":
        """Why a command that makes or installs something failed, in one line; `None` when it did not."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Skipped("the time is over")
        return attempt(list(command), min(left, INSTALL_TIME), **more)

    def environment(self, *packages: str) -> Path:
        """The programs of a new virtual environment with packages from PyPI."""
        place = self.folder / "environment"
        made = self.attempt(sys.executable, "-m", "venv", place)
        programs = place / "bin"
        what = " and ".join(packages)
        if made is not None:
            raise Skipped(f"no virtual environment can be made: {made}")
        pip = [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        failure = self.attempt(*pip, *packages)
        if failure is not None:
            raise Skipped(f"{what} cannot be installed: {failure}")
        return programs

    def run(self, *command, expect: int = 0, seconds: float = CLIENT_TIME, **more) -> bytes:
        """Runs a client in the step's folder and gives its standard output."""
        # Settings of whoever runs the tests must not reach the client.
        env = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), **more.pop("env", {})}
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.folder,
            env=env,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=seconds,
        )
        told = done.stderr.decode(errors="replace") + done.stdout.decode(errors="replace")[-4000:]
        assert done.returncode == expect, f"{command} ended with {done.returncode}:\n{told}"
        return done.stderr if expect else done.stdout


def attempt(command: list, seconds: float, **more) -> "str | None":
    """Why a command failed, in one line; `None` when it did not."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=seconds,
            **more,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = (done.stderr.decode(errors="replace") or done.stdout.decode(errors="replace")).strip().splitlines()
    errors = [line for line in lines if "err" in line.lower()]
    return (errors or lines or [f"exit status {done.returncode}"])[0].strip()
