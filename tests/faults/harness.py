"""What all programs of faults share: gitglot under test, repositories made with real git, and ways to serve them."""

import base64
import http.server
import json
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Callable, Optional

class Skipped(Exception):
    """A case that cannot be tried on this machine, and why."""


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


class Gitglot:
    """The program under test."""

    def __init__(self, program: Path, folder: Path, interval: str = "200ms", arguments: "tuple[str, ...]" = (), **env):
        self.program, self.folder, self.interval, self.arguments = program, folder, interval, arguments
        self.env = {**os.environ, "NO_COLOR": "1", **env}
        self.state, self.log = folder / "state", folder / "gitglot.log"
        self.process: Optional[subprocess.Popen] = None
        self.base = ""

    def configure(self, text: str) -> None:
        (self.folder / "gitglot.toml").write_text(text)

    def start(self, ready: bool = True) -> "Gitglot":
        command = [self.program, "serve", "--config", self.folder / "gitglot.toml", "--state-dir", self.state]
        command += ["--listen", "127.0.0.1:0", "--poll-interval", self.interval, *self.arguments]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, text=True, env=self.env
            )
        line = self.process.stdout.readline()
        assert line.startswith("listening on http://"), f"the program said {line!r}; {self.tail()}"
        self.base = line.removeprefix("listening on ").strip()
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

    def ask(self, path: str) -> "tuple[int, bytes]":
        """Status and body of a GET."""
        try:
            with urllib.request.urlopen(path if path.startswith("http") else self.base + path, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def json(self, path: str):
        status, body = self.ask(path)
        assert status == 200, f"GET {path}: {status} {body[:300]!r}"
        return json.loads(body)

    def number(self, component: str = "app", language: str = "cs") -> int:
        """The number that the first text of a translation says; -1 when it is not served."""
        status, body = self.ask(f"/api/translations/garden/{component}/{language}/units/?page_size=1")
        return int(json.loads(body)["results"][0]["target"].rsplit(" ", 1)[1]) if status == 200 else -1

    def units(self) -> "dict[str, int]":
        """The id of each unit by its address."""
        found, path = {}, "/api/units/?page_size=1000"
        while path:
            body = self.json(path)
            found.update({f"{unit['translation'].split('/api/')[1]} {unit['context']}": unit["id"] for unit in body["results"]})
            path = body["next"]
        return found

    def changes(self) -> "dict[int, str]":
        """What each entry of the log says, by id."""
        found, path = {}, "/api/changes/?page_size=1000"
        while path:
            body = self.json(path)
            for change in body["results"]:
                told = [change[field] for field in ("action", "timestamp", "target")]
                found[change["id"]] = json.dumps([*told, (change["unit"] or "").split("/api/")[-1]])
            path = body["next"]
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


class HttpBackend:
    """`git http-backend` over the repositories of a folder. `moved` maps old names to new ones (301);
    `identity` is `user:password`, asked for if there is one."""

    def __init__(self, folder: Path, identity: "str | None" = None):
        self.folder, self.moved, self.identity = folder, {}, identity
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.answer(self)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        class Server(socketserver.ThreadingTCPServer):
            def handle_error(self, *_):
                pass  # whoever asked has been ended, which is what these programs do

        self.server = Server(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self.server.allow_reuse_address = self.server.daemon_threads = True
        self.server.server_bind()
        self.server.server_activate()
        self.port = self.server.server_address[1]

    def address(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"

    def __enter__(self) -> "HttpBackend":
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        length = int(request.headers.get("Content-Length") or 0)
        body = request.rfile.read(length) if length else self.chunks(request)
        path, _, query = request.path.partition("?")
        if self.identity:
            wanted = "Basic " + base64.b64encode(self.identity.encode()).decode()
            if request.headers.get("Authorization") != wanted:
                return self.say(request, 401, b"", {"WWW-Authenticate": 'Basic realm="example"'})
        for old, new in self.moved.items():
            if path.startswith(f"/{old}/"):
                place = f"http://127.0.0.1:{self.port}/{new}{path[len(old) + 1:]}"
                return self.say(request, 301, b"", {"Location": place + (f"?{query}" if query else "")})
        environment = {
            **GIT_ENVIRONMENT,
            "GIT_PROJECT_ROOT": str(self.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": request.command,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
            "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        }
        made = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment)
        head, _, content = made.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        status = int(headers.pop("Status", "200").split()[0])
        return self.say(request, status, content, headers)

    @staticmethod
    def chunks(request) -> bytes:
        if request.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return b""
        whole = b""
        while size := int(request.rfile.readline().split(b";")[0], 16):
            whole += request.rfile.read(size)
            request.rfile.readline()
        request.rfile.readline()
        return whole

    @staticmethod
    def say(request, status: int, body: bytes, headers: "dict[str, str]") -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


def remove(path: Path) -> None:
    """Deletes a file or a folder with all that is in it."""
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
