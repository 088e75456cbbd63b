#!/usr/bin/env python3
"""Measures cold starts of repositories, with and without following renamed keys.

    benches/renames/corpora.py PROGRAM ROUNDS LIST.json...

A list names bundles next to it: {"corpora": [{"name", "bundle", "branch", "filemask", "template", "file_format"}]}.
Each round starts each repository once with `renames = true` and once with `renames = false`, alternating, without a
state. Prints for each repository the number of renames; the medians of the processor time until the server is ready, and
their ratio; and those of the peak memory.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path


def config_of(corpus: dict, repository: Path, follows: bool) -> str:
    template = f'template = "{corpus["template"]}"' if corpus["template"] else ""
    return f"""[[project]]
slug = "p"
[[project.component]]
slug = "c"
repo = "{repository}"
branch = "{corpus["branch"]}"
filemask = "{corpus["filemask"]}"
{template}
file_format = "{corpus["file_format"]}"
renames = {str(follows).lower()}
"""


def status(pid: int, field: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


def processor_seconds(pid: int) -> float:
    parts = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def measure(program: str, corpus: dict, repository: Path, follows: bool) -> tuple[float, int, int]:
    """The processor time in seconds, the peak memory in kB, and the number of renames."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "gitglot.toml"
        config.write_text(config_of(corpus, repository, follows))
        command = [program, "serve", "--config", config, "--state-dir", Path(folder) / "state", "--log-level", "warn",
                   "--listen", "127.0.0.1:0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            base = server.stdout.readline().removeprefix("listening on ").strip()
            while True:
                try:
                    urllib.request.urlopen(base + "/readyz")
                    break
                except urllib.error.HTTPError:
                    time.sleep(0.02)
            seconds, peak = processor_seconds(server.pid), status(server.pid, "VmHWM")
            renames = json.load(urllib.request.urlopen(base + "/api/renames/?page_size=1"))["count"]
            return seconds, peak, renames
        finally:
            server.terminate()
            server.wait()


def main() -> None:
    program, rounds, lists = sys.argv[1], int(sys.argv[2]), [Path(path) for path in sys.argv[3:]]
    totals: dict[bool, float] = {True: 0, False: 0}
    with tempfile.TemporaryDirectory() as folder:
        for path in lists:
            for corpus in json.loads(path.read_text())["corpora"]:
                repository = Path(folder) / f"{corpus['name']}.git"
                subprocess.run(["git", "clone", "-q", "--bare", path.parent / corpus["bundle"], repository], check=True)
                found: dict[bool, list[tuple[float, int, int]]] = {True: [], False: []}
                for number in range(rounds):
                    for follows in ([True, False] if number % 2 else [False, True]):
                        found[follows].append(measure(program, corpus, repository, follows))
                (seconds, peak), (without, peak_without) = (
                    [statistics.median(column) for column in list(zip(*found[it]))[:2]] for it in (True, False))
                totals[True] += seconds
                totals[False] += without
                print(f"{corpus['name']}: {found[True][0][2]} renames; {seconds:.2f} s with, {without:.2f} s without: "
                      f"{100 * (seconds / without - 1):+.1f} %; {peak // 1024:.0f} and {peak_without // 1024:.0f} MB: "
                      f"{100 * (peak / peak_without - 1):+.1f} %", flush=True)
    print(f"total: {totals[True]:.2f} s with, {totals[False]:.2f} s without: "
          f"{100 * (totals[True] / totals[False] - 1):+.1f} %")


main()
