#!/usr/bin/env python3
"""Measures a push that renames all keys, with and without following renamed keys.

    benches/renames/run.py PROGRAM [ROUNDS]

Writes a repository of 3,700 keys in 50 languages and pushes a commit that renames them all. Prints the processor time
of the server from the push to the new page of changes, the medians with `renames = true` and `renames = false`, and
their ratio.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

KEYS, LANGUAGES = 3700, 50


def file_of(language: int, prefix: str) -> str:
    texts = {f"{prefix}{key}": f"Text {key} of the application" + (f" in language {language}" if language else "")
             for key in range(KEYS)}
    return json.dumps(texts, indent=1)


def write_commit(repository: Path, prefix: str, parent: str) -> None:
    stream = [f"commit refs/heads/main\ncommitter Example Author <author@example.org> 1577836800 +0000\n"
              f"data 6\nUpdate\n{parent}"]
    for language in range(LANGUAGES + 1):
        content = file_of(language, prefix)
        name = f"q{chr(97 + language // 26)}{chr(97 + language % 26)}" if language else "en"
        stream.append(f"M 100644 inline locales/{name}.json\ndata {len(content)}\n{content}\n")
    subprocess.run(["git", "-C", repository, "fast-import", "--quiet"], input="".join(stream), text=True, check=True)


def processor_seconds(pid: int) -> float:
    parts = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def measure(program: str, follows: bool) -> tuple[float, int]:
    """The processor time of the push, and the number of renames."""
    with tempfile.TemporaryDirectory() as folder:
        repository, config = Path(folder) / "repo.git", Path(folder) / "gitglot.toml"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", repository], check=True)
        write_commit(repository, "old.", "")
        config.write_text(f"""[[project]]
slug = "p"
[[project.component]]
slug = "c"
repo = "{repository}"
branch = "main"
filemask = "locales/*.json"
template = "locales/en.json"
file_format = "json"
renames = {str(follows).lower()}
""")
        command = [program, "serve", "--config", config, "--state-dir", Path(folder) / "state", "--log-level", "warn",
                   "--listen", "127.0.0.1:0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            base = server.stdout.readline().removeprefix("listening on ").strip()

            def count(path: str) -> int:
                try:
                    return json.load(urllib.request.urlopen(base + path))["count"]
                except urllib.error.HTTPError:
                    return 0

            while not (before := count("/api/changes/?page_size=1")):
                time.sleep(0.05)
            time.sleep(3)  # The checkpoint is written.
            start = processor_seconds(server.pid)
            write_commit(repository, "new.", "from refs/heads/main^0\n")
            while count("/api/changes/?page_size=1") == before:
                time.sleep(0.05)
            return processor_seconds(server.pid) - start, count("/api/renames/")
        finally:
            server.terminate()
            server.wait()


def main() -> None:
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(rounds):
        for follows in ([True, False] if number % 2 else [False, True]):
            seconds, renames = measure(program, follows)
            assert renames == (KEYS if follows else 0), renames
            times[follows].append(seconds)
    with_renames, without = (statistics.median(times[it]) for it in (True, False))
    print(f"with renames {with_renames:.2f} s, without {without:.2f} s: ratio {with_renames / without:.2f}")


main()
