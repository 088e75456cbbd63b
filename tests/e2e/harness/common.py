"""Conditions, ports, commands and files."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Callable


class Skipped(Exception):
    """The step needs something that this machine does not have."""


# Seconds until an expected condition must be true.
TIMEOUT = 60


def until(name: str, condition: Callable, seconds: float = TIMEOUT):
    """Polls until the result is true, and returns it."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"timeout: {name}"
        time.sleep(0.02)


# The processes that `run` waits for, and whether the run is ending.
RUNNING: "set[subprocess.Popen]" = set()
ENDED = threading.Event()


def run(command: list, seconds: float, **more) -> subprocess.CompletedProcess:
    """As `subprocess.run`, with captured output and without input; `end_processes` ends the process and its children."""
    command = [str(part) for part in command]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, start_new_session=True, **pipes, **more) as process:
        RUNNING.add(process)
        try:
            if ENDED.is_set():
                raise Skipped("the run ends")
            output, errors = process.communicate(timeout=seconds)
        except BaseException:
            kill(process)
            raise
        finally:
            RUNNING.discard(process)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def kill(process: subprocess.Popen) -> None:
    """Kills the process of a session, and its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def end_processes() -> None:
    """Ends the processes that `run` waits for, and those that it starts from now on."""
    ENDED.set()
    for process in list(RUNNING):
        kill(process)


def attempt(command: list, seconds: float, **more) -> "str | None":
    """Runs a command; why it failed in one line, or `None`."""
    try:
        done = run(command, seconds, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = (done.stderr.decode(errors="replace") or done.stdout.decode(errors="replace")).strip().splitlines()
    errors = [line for line in lines if "err" in line.lower()]
    return (errors or lines or [f"exit status {done.returncode}"])[0].strip()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def can_connect(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def remove(path: Path) -> None:
    """Deletes a file or a directory."""
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
