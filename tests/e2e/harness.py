"""The harness of the end-to-end tests: gitglot under test, git repositories and servers, tools from registries."""

import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from git_http import HttpBackend


class Skipped(Exception):
    """The step needs something that this machine does not have."""


class Server:
    """A running gitglot at the address `base`."""

    process: "subprocess.Popen | None" = None
    base = ""

    def listen(self, command: list, **more) -> None:
        """Starts the program and waits for the line with its address."""
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, **more)
        line = self.process.stdout.readline()
        assert line.startswith("listening on http://"), f"unexpected output {line!r}; {self.tail()}"
        self.base = line.removeprefix("listening on ").strip()

    def tail(self) -> str:
        """The end of the log, if it is recorded."""
        return ""

    def ask(self, path: str) -> "tuple[int, bytes]":
        """Status and body of a GET of a path or a URL."""
        address = path if path.startswith("http") else self.base + path
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def json(self, path: str):
        """The JSON body of a GET with status 200."""
        status, body = self.ask(path)
        assert status == 200, f"GET {path}: {status} {body[:300]!r}"
        return json.loads(body)

    def whole(self, path: str) -> list:
        """All entries of a list, from all pages."""
        entries, page = [], path
        while page:
            body = self.json(page)
            entries += body["results"]
            page = body["next"]
        return entries


NGINX = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{http}
}}
"""


class Nginx:
    """nginx with the given content of the `http` block, in a directory of its own (`{folder}` in the content)."""

    def __init__(self, folder: Path, http: str, **names):
        self.folder, self.http = folder, http.format(folder=folder, **names)

    def __enter__(self) -> "Nginx":
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if program is None:
            raise Skipped("nginx is not installed")
        # The default user of the workers cannot read the directory.
        user = "user root;" if os.geteuid() == 0 else ""
        file = self.folder / "nginx.conf"
        file.write_text(NGINX.format(user=user, folder=self.folder, http=self.http))
        self.process = subprocess.Popen([program, "-p", self.folder, "-c", file], stdin=subprocess.DEVNULL)
        end = time.monotonic() + 30
        # nginx writes it when it listens.
        while not (self.folder / "nginx.pid").exists():
            assert self.process.poll() is None and time.monotonic() < end, "nginx does not start"
            time.sleep(0.02)
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(30)


HAPROXY = """
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
{sections}
"""


class HaProxy:
    """HAProxy with the given sections, in a directory of its own; `port` is where its front end listens."""

    def __init__(self, folder: Path, sections: str, port: int, **names):
        self.file, self.port = folder / "haproxy.cfg", port
        self.sections = sections.format(port=port, **names)

    def __enter__(self) -> "HaProxy":
        program = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if program is None:
            raise Skipped("HAProxy is not installed")
        self.file.write_text(HAPROXY.format(sections=self.sections))
        self.process = subprocess.Popen([program, "-db", "-f", self.file], stdin=subprocess.DEVNULL)
        until("HAProxy", lambda: self.process.poll() is not None or can_connect(self.port))
        assert self.process.poll() is None, "HAProxy does not start"
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(30)


# Seconds for the installation of a tool, and for a client.
INSTALL_TIME = 300
CLIENT_TIME = 120


class Demo(Server):
    """`gitglot demo` on a free port. It trusts proxies on this machine unless it gets different arguments."""

    def __init__(self, program: Path, folder: Path, *arguments):
        self.program, self.folder = program, folder
        self.arguments = arguments or ("--trusted-proxies", "127.0.0.1")

    def __enter__(self) -> "Demo":
        command = [self.program, "demo", "--listen", "127.0.0.1:0", "--log-level", "error"]
        self.listen([*command, "--state-dir", self.folder / "state", *self.arguments])
        for _ in range(600):
            if self.ask("/readyz")[0] == 200:
                return self
            time.sleep(0.1)
        raise AssertionError("the demo is not ready after a minute")

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(30)


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
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.folder,
            env=env,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=seconds,
        )
        output = done.stderr.decode(errors="replace") + done.stdout.decode(errors="replace")[-4000:]
        assert done.returncode == expect, f"{command} ended with {done.returncode}:\n{output}"
        return done.stderr if expect else done.stdout


def attempt(command: list, seconds: float, **more) -> "str | None":
    """Runs a command; why it failed in one line, or `None`."""
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


# Seconds until an expected condition must be true.
TIMEOUT = 60

# The settings of the current user must not affect git.
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
    """Runs a git command; its standard output."""
    parts = ["git", *map(str, command)]
    done = subprocess.run(parts, cwd=cwd, input=stdin, capture_output=True, env=GIT_ENVIRONMENT)
    assert done.returncode == 0, f"{parts} ended with {done.returncode}: {done.stderr.decode(errors='replace')}"
    return done.stdout.decode().strip()


def until(name: str, condition: Callable, seconds: float = TIMEOUT):
    """Polls until the result is true, and returns it."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"timeout: {name}"
        time.sleep(0.02)


def numbered(number: int) -> "dict[str, str]":
    """The files of two components; every text contains the number."""
    files = {}
    for component in ("app", "web"):
        for language in ("en", "cs", "de"):
            texts = {f"key{at}": f"{component} {language} {at} text {number}" for at in range(4)}
            files[f"{component}/locales/{language}.json"] = json.dumps(texts, indent=1) + "\n"
    return files


class Origin:
    """A bare repository to push to. Commits are created by `git fast-import`, which is fast."""

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
    """A configuration file with a component for each name and repository, for the files of `numbered`."""
    text = "[[project]]\nslug = 'garden'\n"
    for slug, repo in repos:
        folder = slug.split("-")[0]
        text += f"[[project.component]]\nslug = '{slug}'\nrepo = '{repo}'\nfile_format = 'json'\n"
        text += f"filemask = '{folder}/locales/*.json'\ntemplate = '{folder}/locales/en.json'\n"
        if branch:
            text += f"branch = '{branch}'\n"
    return more + text


class Gitglot(Server):
    """`gitglot serve` with a configuration file and a log."""

    def __init__(self, program: Path, folder: Path, interval: str = "200ms", arguments: "tuple[str, ...]" = (), **env):
        self.program, self.folder, self.interval, self.arguments = program, folder, interval, arguments
        self.env = {**os.environ, "NO_COLOR": "1", **env}
        self.state, self.log = folder / "state", folder / "gitglot.log"

    def configure(self, text: str) -> None:
        (self.folder / "gitglot.toml").write_text(text)

    def start(self, ready: bool = True, limits: tuple = ()) -> "Gitglot":
        """Starts it, with resource limits: pairs of a resource and its soft and hard limit."""
        command = [self.program, "serve", "--config", self.folder / "gitglot.toml", "--state-dir", self.state]
        command += ["--listen", "127.0.0.1:0", "--poll-interval", self.interval, *self.arguments]
        with self.log.open("ab") as log:
            more = {"preexec_fn": lambda: [resource.setrlimit(*limit) for limit in limits]} if limits else {}
            self.listen(command, stderr=log, env=self.env, **more)
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
        """Kills it, like a crash."""
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait(30)
            self.process.stdout.close()

    def stop(self) -> int:
        """Sends SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def tail(self) -> str:
        return self.log.read_text(errors="replace")[-2000:] if self.log.exists() else ""

    def number(self, component: str = "app", language: str = "cs") -> int:
        """The number in the first text of a translation; -1 if it is not served."""
        status, body = self.ask(f"/api/translations/garden/{component}/{language}/units/?page_size=1")
        return int(json.loads(body)["results"][0]["target"].rsplit(" ", 1)[1]) if status == 200 else -1

    def units(self) -> "dict[str, int]":
        """The id of each unit by its translation and key."""
        units = self.whole("/api/units/?page_size=1000")
        return {f"{unit['translation'].split('/api/')[1]} {unit['context']}": unit["id"] for unit in units}

    def changes(self) -> "dict[int, str]":
        """The entries of the change log by id."""
        found = {}
        for change in self.whole("/api/changes/?page_size=1000"):
            values = [change[field] for field in ("action", "timestamp", "target")]
            found[change["id"]] = json.dumps([*values, (change["unit"] or "").split("/api/")[-1]])
        return found

    def failures(self) -> "dict[str, str]":
        """The reasons in `/readyz` by component, for those that are behind or have failed."""
        report = json.loads(self.ask("/readyz")[1])
        return {entry["component"]: entry["reason"] for entry in report["failed"] + report["behind"]}

    def resident(self) -> int:
        """Resident memory in bytes."""
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
    """Threads that send requests all the time and record each failure."""

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
            except Exception as error:  # any other reason for a missing response
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
            assert self.asked, "no request was sent"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Daemon:
    """`git daemon` for the repositories of a directory."""

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


def remove(path: Path) -> None:
    """Deletes a file or a directory."""
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


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
