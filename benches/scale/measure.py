#!/usr/bin/env python3
"""Measures a cold start and a restart of a large repository.

    benches/scale/measure.py PROGRAM REPOSITORY STATE_DIRECTORY

Prints processor time, elapsed time and memory (RssAnon, peak and at rest), next to
`git log -p --no-renames`, which only prints the changes. For repositories of `generate.py`.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path


def anonymous(pid: int) -> int:
    """Anonymous memory in bytes; mapped packs do not count."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon")), 0)


def processor_seconds(pid: int) -> float:
    parts = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def start(program: str, repository: str, state: Path) -> None:
    command = [program, "serve", repository, "--filemask", "locales/*.json", "--template", "locales/en.json"]
    command += ["--file-format", "json", "--state-dir", state, "--listen", "127.0.0.1:0", "--log-level", "warn"]
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    base = process.stdout.readline().removeprefix("listening on ").strip()
    peak, is_over = [0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.02):
            peak[0] = max(peak[0], anonymous(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    while True:
        try:
            urllib.request.urlopen(base + "/readyz").close()
            break
        except urllib.error.HTTPError:
            assert process.poll() is None, "gitglot has ended"
            time.sleep(0.05)
    elapsed, seconds = time.monotonic() - started, processor_seconds(process.pid)
    time.sleep(15)  # checkpoints are written when no push waits for them
    is_over.set()
    watcher.join()
    body = json.load(urllib.request.urlopen(base + "/api/changes/?page_size=1"))
    print(f"  {seconds:.1f} s of processor time, {elapsed:.1f} s elapsed, peak {peak[0] >> 20} MB, at rest "
          f"{anonymous(process.pid) >> 20} MB, {body['count']:,} changes", flush=True)
    process.terminate()
    process.wait()


def main() -> None:
    program, repository, state = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    shutil.rmtree(state, ignore_errors=True)
    print("cold:", flush=True)
    start(program, repository, state)
    print("restart:", flush=True)
    start(program, repository, state)
    started, before = time.monotonic(), os.times()
    subprocess.run(["git", "-C", repository, "log", "-p", "--no-renames", "--", "locales"], stdout=subprocess.DEVNULL, check=True)
    elapsed, after = time.monotonic() - started, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"git log -p: {spent:.1f} s of processor time, {elapsed:.1f} s elapsed")


if __name__ == "__main__":
    main()
