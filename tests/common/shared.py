"""What the programs of `tests/clients` and `tests/faults` share: asking a gitglot that listens, nginx, what is skipped."""

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path


class Skipped(Exception):
    """What cannot be tried on this machine, and why."""


class Listening:
    """A gitglot that answers at `base`."""

    process: "subprocess.Popen | None" = None
    base = ""

    def listen(self, command: list, **more) -> None:
        """Starts the program, which says on its standard output where it listens."""
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, **more)
        line = self.process.stdout.readline()
        assert line.startswith("listening on http://"), f"the program said {line!r}; {self.tail()}"
        self.base = line.removeprefix("listening on ").strip()

    def tail(self) -> str:
        """The end of what it has logged, where that is kept."""
        return ""

    def ask(self, path: str) -> "tuple[int, bytes]":
        """Status and body of a GET; a whole address is taken as it is."""
        address = path if path.startswith("http") else self.base + path
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def json(self, path: str):
        """The JSON body of a GET that must be answered with 200."""
        status, body = self.ask(path)
        assert status == 200, f"GET {path}: {status} {body[:300]!r}"
        return json.loads(body)

    def whole(self, path: str) -> list:
        """All entries of a list, page by page."""
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
    """nginx with what the block `http` is to say, in a folder of its own, which is `{folder}` in there."""

    def __init__(self, folder: Path, http: str, **names):
        self.folder, self.http = folder, http.format(folder=folder, **names)

    def __enter__(self) -> "Nginx":
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if program is None:
            raise Skipped("there is no nginx")
        # Its workers would run as another user, who may not look into the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        file = self.folder / "nginx.conf"
        file.write_text(NGINX.format(user=user, folder=self.folder, http=self.http))
        self.process = subprocess.Popen([program, "-p", self.folder, "-c", file], stdin=subprocess.DEVNULL)
        end = time.monotonic() + 30
        # Written when it listens.
        while not (self.folder / "nginx.pid").exists():
            assert self.process.poll() is None and time.monotonic() < end, "nginx does not start"
            time.sleep(0.02)
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(30)
