"""gitglot under test, proxies in front of it, and its readers."""

import json
import os
import resource
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Callable

from .common import Skipped, can_connect, until
from .repositories import configuration


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

    def ask(self, path: str, **headers: str) -> "tuple[int, bytes]":
        """Status and body of a GET of a path or a URL."""
        address = path if path.startswith("http") else self.base + path
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=30) as answer:
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

    def refusal(self) -> "str | None":
        """Starts it; its message if it ends with status 1 instead of listening, else `None`."""
        try:
            self.start(ready=False)
        except AssertionError:
            assert self.process.wait(30) == 1, self.tail()
            return self.tail()
        self.kill()
        return None

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
