#!/usr/bin/env python3
"""Rows per second and memory of whole lists.

    benches/lists.py PROGRAM REPOSITORY
    benches/lists.py PROGRAM --rows 10000000

Serves the repository, or a generated one with that many changes, on one core, downloads each list a few times from
the other core, and prints for each case the rows per second of processor time and of elapsed time, and how far the
memory of the server grows. Linux only.
"""

import argparse
import http.client
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

# Path, and content encoding.
CASES = [
    ("/api/changes/?format=ndjson&expand=details", "identity"),
    ("/api/changes/?format=ndjson&expand=details", "gzip"),
    ("/api/changes/?format=ndjson&expand=details", "zstd"),
    ("/api/changes/?format=csv&expand=details", "identity"),
    ("/api/changes/?format=parquet&expand=details", "identity"),
    ("/api/units/?format=ndjson", "identity"),
    ("/api/units/?format=ndjson&expand=details", "gzip"),
    ("/api/units/?format=parquet", "identity"),
]


# Strings of the generated repository, and its languages.
KEYS, LANGUAGES = 500, 100


def generate(folder: str, rows: int) -> str:
    """Creates a repository whose change log has about this many entries: each commit rewrites one file."""
    path = f"{folder}/generated.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", path], check=True)
    command = ["git", "-C", path, "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as stream:
        for at in range(rows // KEYS + LANGUAGES):
            language = "en" if at == 0 else f"x-{at % LANGUAGES:02}"
            texts = (f'"key{key}": "text {key} in version {at}"' for key in range(KEYS))
            file = ("{" + ",\n".join(texts) + "}").encode()
            person = f"Translator {at % 7} <t{at % 7}@example.org> {1_500_000_000 + at} +0000"
            stream.stdin.write(
                f"commit refs/heads/main\ncommitter {person}\ndata 6\nchange\n"
                f"M 100644 inline locales/{language}.json\ndata {len(file)}\n".encode() + file + b"\n"
            )
    assert stream.returncode == 0, "git fast-import failed"
    return path


class Server:
    """`gitglot serve` on the first core."""

    def __init__(self, program: str, repository: str, folder: str, *flags: str):
        command = [program, "serve", repository, "--listen", "127.0.0.1:0", "--state-dir", folder, "--log-level", "error"]
        command += flags
        command = ["taskset", "--cpu-list", "0", *command]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.host = self.process.stdout.readline().rsplit("/", 1)[1].strip()
        while self.get("/readyz")[0] != 200:
            time.sleep(0.2)

    def get(self, path: str, encoding: str = "identity") -> tuple:
        """The status and the length of the body."""
        connection = http.client.HTTPConnection(self.host, timeout=600)
        connection.request("GET", path, headers={"Accept-Encoding": encoding})
        answer = connection.getresponse()
        length, buffer = 0, bytearray(1 << 20)
        while count := answer.readinto(buffer):
            length += count
        connection.close()
        return answer.status, length

    def rows(self, path: str) -> int:
        connection = http.client.HTTPConnection(self.host, timeout=600)
        connection.request("GET", path.split("?")[0] + "?page_size=1", headers={"Accept": "application/json"})
        body = connection.getresponse().read().decode()
        return int(body.split('"count":')[1].split(",")[0])

    def memory(self, name: str) -> int:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(name)) * 1024

    def settle(self) -> None:
        """Waits until the memory of the start is free."""
        last = 0
        while abs(self.memory("VmRSS") - last) > 1 << 20:
            last = self.memory("VmRSS")
            time.sleep(3)

    def forget_peak(self) -> None:
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def seconds(self) -> float:
        parts = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("repository", nargs="?")
    parser.add_argument("--rows", type=int, default=0, help="generate a repository with this many changes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="measure only cases that contain this text")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gitglot-lists-") as folder:
        repository, flags = options.repository, []
        if options.rows:
            repository = generate(folder, options.rows)
            flags = ["--filemask", "locales/*.json", "--template", "locales/en.json"]
        server = Server(options.program, repository, f"{folder}/state", *flags)
        os.sched_setaffinity(0, {os.cpu_count() - 1})
        try:
            server.settle()
            print("list, encoding: rows, bytes per row, rows/s of processor time, rows/s, growth of memory")
            for path, encoding in CASES:
                if options.only not in f"{path} {encoding}":
                    continue
                rows, processor, elapsed, growth, length = server.rows(path), [], [], [], 0
                for _ in range(options.rounds):
                    server.forget_peak()
                    before, used, started = server.memory("VmRSS"), server.seconds(), time.monotonic()
                    status, length = server.get(path, encoding)
                    assert status == 200, (path, status)
                    elapsed.append(time.monotonic() - started)
                    processor.append(server.seconds() - used)
                    growth.append(server.memory("VmHWM") - before)
                print(
                    f"{path} {encoding}: {rows:,}, {length / rows:.0f}, "
                    f"{rows / statistics.median(processor):,.0f}, {rows / statistics.median(elapsed):,.0f}, "
                    f"{max(growth) / 1e6:.1f} MB",
                    flush=True,
                )
        finally:
            server.process.terminate()
            server.process.wait(30)


if __name__ == "__main__":
    main()
