"""What all programs of faults share: gitglot under test, repositories made with real git, and ways to serve them."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Callable

from git_http import HttpBackend
from shared import Listening

# Seconds until something that must come has come.
PATIENCE = 60

# Settings of whoever runs this must not reach git.
GIT_ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Example Maintainer",
    "GIT_AUTHOR_EMAIL": "maintainer@example.org",
    "GIT_COMMITTER_NAME": "Example Maintainer",
    "GIT_COMMITTER_EMAIL": "maintainer@example.org",
}


def git(*command, cwd: "Path | None" = None, stdin: "bytes | None" = None) -> str:
    """What a git command prints; its failure is ours."""
    parts = ["git", *map(str, command)]
    done = subprocess.run(parts, cwd=cwd, input=stdin, capture_output=True, env=GIT_ENVIRONMENT)
    assert done.returncode == 0, f"{parts} ended with {done.returncode}: {done.stderr.decode(errors='replace')}"
    return done.stdout.decode().strip()


def until(what: str, ask: Callable, seconds: float = PATIENCE):
    """Asks again and again until the answer is true; gives it."""
    end = time.monotonic() + seconds
    while True:
        found = ask()
        if found:
            return found
        assert time.monotonic() < end, f"it never came: {what}"
        time.sleep(0.02)


def numbered(number: int) -> "dict[str, str]":
    """The files of two components in which every text says the number."""
    files = {}
    for component in ("app", "web"):
        for language in ("en", "cs", "de"):
            texts = {f"key{at}": f"{component} {language} {at} says {number}" for at in range(4)}
            files[f"{component}/locales/{language}.json"] = json.dumps(texts, indent=1) + "\n"
    return files


class Origin:
    """A bare repository that others push to. Commits are made by `git fast-import`, which is quick."""

    def __init__(self, path: Path, branch: str = "main"):
        self.path, self.branch, self.clock = path, branch, 1_600_000_000
        git("init", "--quiet", "--bare", f"--initial-branch={branch}", path)
        with (path / "config").open("a") as config:
            config.write("[gc]\n\tauto = 0\n")

    def push(self, files: "dict[str, str | None]", after: "str | None" = "", branch: "str | None" = None) -> str:
        """Commits files (`None` deletes one) to a branch: on its tip, on the commit `after`, or on nothing."""
        branch = branch or self.branch
        parent = self.tip(branch) if after == "" else after
        self.clock += 60
        lines = [f"commit refs/heads/{branch}", f"committer Example Maintainer <maintainer@example.org> {self.clock} +0000"]
        lines += [f"data {len(f'change {self.clock}')}", f"change {self.clock}"]
        if parent:
            lines.append(f"from {parent}")
        stream = "\n".join(lines).encode() + b"\n"
        for path, text in files.items():
            if text is None:
                stream += f"D {path}\n".encode()
            else:
                data = text.encode()
                stream += f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n"
        if not parent:
            stream = b"reset refs/heads/" + branch.encode() + b"\n" + stream
            # fast-import goes on from the branch unless it is not there.
            self.delete(branch)
        git("fast-import", "--quiet", "--force", cwd=self.path, stdin=stream)
        return self.tip(branch) or ""

    def extend(self, states: "list[dict[str, str]]") -> None:
        """Many commits at once, each with all files of a state."""
        stream, parent = [], self.tip()
        for state in states:
            self.clock += 60
            text = f"change {self.clock}"
            stream.append(f"commit refs/heads/{self.branch}\ncommitter Example Maintainer <maintainer@example.org> "
                          f"{self.clock} +0000\ndata {len(text)}\n{text}\n")
            if parent:
                stream.append(f"from {parent}\n")
                parent = None
            stream += [f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n" for path, text in state.items()]
        git("fast-import", "--quiet", "--force", cwd=self.path, stdin="".join(stream).encode())

    def tip(self, branch: "str | None" = None) -> "str | None":
        name = f"refs/heads/{branch or self.branch}"
        loose = self.path / name
        if loose.exists():
            return loose.read_text().strip()
        done = subprocess.run(
            ["git", "rev-parse", "--quiet", "--verify", name], cwd=self.path, capture_output=True, env=GIT_ENVIRONMENT
        )
        return done.stdout.decode().strip() or None

    def delete(self, branch: str) -> None:
        if self.tip(branch):
            git("update-ref", "-d", f"refs/heads/{branch}", cwd=self.path)


def configuration(repos: "list[tuple[str, str | Path]]", branch: "str | None" = "main", more: str = "") -> str:
    """A configuration: a component for each name and repository, files as `numbered` has them for `app` and `web`."""
    text = "[[project]]\nslug = 'garden'\n"
    for slug, repo in repos:
        folder = slug.split("-")[0]
        text += f"[[project.component]]\nslug = '{slug}'\nrepo = '{repo}'\nfile_format = 'json'\n"
        text += f"filemask = '{folder}/locales/*.json'\ntemplate = '{folder}/locales/en.json'\n"
        if branch:
            text += f"branch = '{branch}'\n"
    return more + text


class Gitglot(Listening):
    """The program under test."""

    def __init__(self, program: Path, folder: Path, interval: str = "200ms", arguments: "tuple[str, ...]" = (), **env):
        self.program, self.folder, self.interval, self.arguments = program, folder, interval, arguments
        self.env = {**os.environ, "NO_COLOR": "1", **env}
        self.state, self.log = folder / "state", folder / "gitglot.log"

    def configure(self, text: str) -> None:
        (self.folder / "gitglot.toml").write_text(text)

    def start(self, ready: bool = True) -> "Gitglot":
        command = [self.program, "serve", "--config", self.folder / "gitglot.toml", "--state-dir", self.state]
        command += ["--listen", "127.0.0.1:0", "--poll-interval", self.interval, *self.arguments]
        with self.log.open("ab") as log:
            self.listen(command, stderr=log, env=self.env)
        if ready:
            self.wait_ready()
        return self

    def wait_ready(self, seconds: float = 120) -> None:
        until("ready", lambda: self.alive() and self.ask("/readyz")[0] == 200, seconds)

    def alive(self) -> bool:
        assert self.process.poll() is None, f"it ended with {self.process.returncode}: {self.tail()}"
        return True

    def __enter__(self) -> "Gitglot":
        return self.start()

    def __exit__(self, *_) -> None:
        self.kill()

    def kill(self) -> None:
        """Ends it as a crash would."""
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait(30)
            self.process.stdout.close()

    def stop(self) -> int:
        """Asks it to end; gives the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def tail(self) -> str:
        return self.log.read_text(errors="replace")[-2000:] if self.log.exists() else ""

    def number(self, component: str = "app", language: str = "cs") -> int:
        """The number that the first text of a translation says; -1 when it is not served."""
        status, body = self.ask(f"/api/translations/garden/{component}/{language}/units/?page_size=1")
        return int(json.loads(body)["results"][0]["target"].rsplit(" ", 1)[1]) if status == 200 else -1

    def units(self) -> "dict[str, int]":
        """The id of each unit by its address."""
        units = self.whole("/api/units/?page_size=1000")
        return {f"{unit['translation'].split('/api/')[1]} {unit['context']}": unit["id"] for unit in units}

    def changes(self) -> "dict[int, str]":
        """What each entry of the log says, by id."""
        found = {}
        for change in self.whole("/api/changes/?page_size=1000"):
            told = [change[field] for field in ("action", "timestamp", "target")]
            found[change["id"]] = json.dumps([*told, (change["unit"] or "").split("/api/")[-1]])
        return found

    def complaints(self) -> "dict[str, str]":
        """What `/readyz` says of components that are behind or have failed."""
        report = json.loads(self.ask("/readyz")[1])
        return {told["component"]: told["reason"] for told in report["failed"] + report["behind"]}

    def resident(self) -> int:
        """Bytes of memory that it holds."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS")) * 1024

    def handles(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def processor_seconds(self) -> float:
        parts = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def forget_checkpoints(self) -> None:
        """Deletes them, so that the next start replays the log."""
        shutil.rmtree(self.state / "checkpoint", ignore_errors=True)

    def mirrors(self) -> "list[Path]":
        return sorted(path for path in (self.state / "mirrors").iterdir() if "." not in path.name)


class Readers:
    """Threads that ask all the time and note every answer that is none."""

    def __init__(self, gitglot: Gitglot, paths: "list[str]", threads: int = 2, check: "Callable | None" = None):
        self.gitglot, self.paths, self.check = gitglot, paths, check
        self.asked, self.failures, self.over = 0, [], False
        self.threads = [threading.Thread(target=self.read, args=(at,), daemon=True) for at in range(threads)]

    def read(self, at: int) -> None:
        while not self.over:
            path = self.paths[at % len(self.paths)]
            at += 1
            try:
                status, body = self.gitglot.ask(path)
                if status != 200:
                    self.failures.append(f"{path}: {status} {body[:200]!r}")
                elif self.check:
                    self.check(path, body)
            except AssertionError as error:
                self.failures.append(f"{path}: {error}")
            except Exception as error:  # whatever kept the answer from coming
                self.failures.append(f"{path}: {error!r}")
            self.asked += 1

    def __enter__(self) -> "Readers":
        [thread.start() for thread in self.threads]
        return self

    def __exit__(self, kind, *_) -> None:
        self.over = True
        [thread.join(60) for thread in self.threads]
        if kind is None:
            assert not self.failures, f"{len(self.failures)} of {self.asked} requests failed: {self.failures[:3]}"
            assert self.asked, "nothing was asked"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Daemon:
    """`git daemon` over the repositories of a folder."""

    def __init__(self, folder: Path):
        self.folder, self.port = folder, free_port()

    def address(self, name: str) -> str:
        return f"git://127.0.0.1:{self.port}/{name}"

    def __enter__(self) -> "Daemon":
        command = ["git", "daemon", "--export-all", f"--base-path={self.folder}", "--listen=127.0.0.1"]
        command += [f"--port={self.port}", "--reuseaddr", self.folder]
        self.process = subprocess.Popen(
            command, stderr=subprocess.DEVNULL, env=GIT_ENVIRONMENT, start_new_session=True
        )
        until("git daemon", lambda: can_connect(self.port))
        return self

    def __exit__(self, *_) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(30)


def can_connect(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Followed:
    """A repository, gitglot that follows it as two components by one kind of address, and what has been shown of it.

    `history` is what `numbered` gives, from 0 on, and whatever else; `number` is the newest that was pushed."""

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
        """What a kind of test does when all is there: start gitglot, push what is to have been pushed."""

    def __exit__(self, kind, *_) -> None:
        self.stack.close()
        if kind is None:
            assert "panicked" not in self.gitglot.log.read_text(), self.gitglot.tail()

    def push(self, count: int = 1, **more) -> None:
        """The next numbers, each in a commit of its own."""
        for _ in range(count):
            self.number += 1
            self.origin.push(numbered(self.number), **more)

    def shows(self, seconds: float = PATIENCE) -> None:
        """Soon both components show the newest number, and nothing is wrong any more."""
        gitglot = self.gitglot
        try:
            for component in ("app", "web"):
                until("", lambda: gitglot.alive() and gitglot.number(component) == self.number, seconds)
            until("", lambda: not gitglot.complaints(), seconds)
        except AssertionError:
            if gitglot.process.poll() is not None:
                raise
            shown = f"{gitglot.number('app')} and {gitglot.number('web')} instead of {self.number}"
            raise AssertionError(f"{shown}; {gitglot.complaints()}; {gitglot.tail()}") from None

    def note(self) -> None:
        """Keeps in mind what is shown now."""
        self.ids, self.changes = self.gitglot.units(), self.gitglot.changes()

    def holds(self) -> None:
        """Every id, and every entry of the log, is what it was when it was noted."""
        assert self.gitglot.units() == self.ids, f"units have other ids; {self.gitglot.tail()}"
        changes = self.gitglot.changes()
        others = [(number, told, changes.get(number)) for number, told in self.changes.items() if changes.get(number) != told]
        assert not others, f"{len(others)} entries of the log are others now: {others[:2]}; {self.gitglot.tail()}"

    def survives_restart(self) -> None:
        """Ended as by a crash and started again it shows the same."""
        self.note()
        self.gitglot.kill()
        self.gitglot.start()
        self.shows()
        self.holds()


def remove(path: Path) -> None:
    """Deletes a file or a folder with all that is in it."""
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
