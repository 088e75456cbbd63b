#!/usr/bin/env python3
"""How long from the return of `git commit` in a followed repository to the API that shows it.

    benches/following/run.py REPOSITORY FILEMASK TEMPLATE FORMAT FILE [--program FILE] [--commits N]

A work tree of REPOSITORY is made in a new folder and followed in place; each commit changes one text of FILE, a
translation in json or webextension. Measured twice: as it is, and with a PATH on which gitglot finds no program at all.
"""

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def git(*command, cwd: Path) -> None:
    settings = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(["git", *command], cwd=cwd, check=True, env={**os.environ, **settings}, stdout=subprocess.DEVNULL)


class Server:
    """gitglot that follows a work tree."""

    def __init__(self, options, tree: Path, folder: Path, path: str):
        (folder / "gitglot.toml").write_text(
            "[[project]]\nslug = 'bench'\n[[project.component]]\nslug = 'bench'\nbranch = 'bench'\n"
            f"repo = '{tree}'\nfilemask = '{options.filemask}'\ntemplate = '{options.template}'\nfile_format = '{options.format}'\n"
        )
        command = [options.program.resolve(), "serve", "--config", folder / "gitglot.toml", "--listen", "127.0.0.1:0"]
        command += ["--state-dir", folder / "state", "--poll-interval", "168h", "--log-level", "error"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PATH": path})
        line = self.process.stdout.readline()
        self.connection = http.client.HTTPConnection(line.strip().removeprefix("listening on http://"), timeout=60)
        while self.ask("/readyz")[0] != 200:
            time.sleep(0.05)

    def ask(self, path: str) -> "tuple[int, bytes]":
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def measure(options, tree: Path, path: str) -> "list[float]":
    """Seconds of each commit."""
    file = tree / options.file
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options, tree, Path(folder), path)
        try:
            before = file.read_text()
            # The first text of the file; the unit that shows it.
            pattern = r'("message"\s*:\s*")((?:[^"\\]|\\.)*)(")' if options.format == "webextension" else r'(:\s*")((?:[^"\\]|\\.)*)(")'
            first = re.search(pattern, before)
            assert first, "no text in the file"
            units = "/api/units/?page_size=1000"
            mark = "bench mark 0"
            git_write(file, before, first, mark)
            git("commit", "-qam", mark, cwd=tree)
            unit = None
            while unit is None:
                page = units
                while page:
                    body = json.loads(server.ask(page)[1])
                    found = [entry for entry in body["results"] if entry["target"] == mark]
                    unit = unit or (found[0]["id"] if found else None)
                    page = body["next"] and body["next"].split("://", 1)[1].split("/", 1)[1].join(["/", ""])
            seconds = []
            for number in range(1, options.commits + 1):
                mark = f"bench mark {number}"
                git_write(file, before, first, mark)
                git("commit", "-qam", mark, cwd=tree)
                begun = time.perf_counter()
                wanted = f'"target":"{mark}"'.encode()
                while wanted not in server.ask(f"/api/units/{unit}/")[1].replace(b'": "', b'":"'):
                    assert time.perf_counter() - begun < 60, "it was not served"
                seconds.append(time.perf_counter() - begun)
                # People do not commit in quick succession.
                time.sleep(options.pause)
            return seconds
        finally:
            server.close()


def git_write(file: Path, before: str, first, mark: str) -> None:
    file.write_text(before[: first.start(2)] + mark + before[first.end(2) :])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/gitglot", help="%(default)s")
    parser.add_argument("--commits", type=int, default=200, help="%(default)s")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between commits (%(default)s)")
    for name in ("repository", "filemask", "template", "format", "file"):
        parser.add_argument(name)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git("clone", "--quiet", "--no-local", options.repository, tree, cwd=Path(folder))
        git("checkout", "--quiet", "-b", "bench", cwd=tree)
        git("config", "user.name", "Example Maintainer", cwd=tree)
        git("config", "user.email", "maintainer@example.org", cwd=tree)
        for name, path in (("as it is", os.environ["PATH"]), ("no programs on PATH", "/nonexistent")):
            times = sorted(measure(options, tree, path))
            p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
            print(f"{name}: median {statistics.median(times) * 1000:.1f} ms, 99th percentile {p99 * 1000:.1f} ms, "
                  f"worst {times[-1] * 1000:.1f} ms of {len(times)} commits", flush=True)


if __name__ == "__main__":
    sys.exit(main())
