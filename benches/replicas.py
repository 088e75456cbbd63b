#!/usr/bin/env python3
"""How long a push takes to be visible on three replicas, and the size of a shared ledger.

    benches/replicas.py PROGRAM [REPOSITORY [PUSHES]]

Starts three replicas with a ledger in a directory. Without REPOSITORY, they follow a small repository; otherwise a bare
clone of that one. Pushes PUSHES (20) commits that change one text each, and prints the median and the largest time until
the first replica, and until all replicas, serve the push; the requests to the store per push; and the objects and bytes
in the store, in total and per commit. Needs Python 3.9 or newer and git.
"""

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "e2e"))

from harness import Origin, git, numbered, until  # noqa: E402

INTERVAL = 1.0


class Replica:
    def __init__(self, program: str, folder: Path, repository: Path, store: Path):
        command = [program, "serve", repository, "--listen", "127.0.0.1:0", "--state-dir", folder]
        command += ["--ledger", f"file://{store}", "--ledger-poll-interval", f"{int(INTERVAL * 1000)}ms", "--log-level", "error"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.base = self.process.stdout.readline().removeprefix("listening on ").strip()

    def get(self, path: str):
        try:
            with urllib.request.urlopen(self.base + path, timeout=30) as answer:
                return answer.headers, answer.read()
        except OSError:
            return {}, b""

    def batch(self) -> int:
        return int(self.get("/api/")[0].get("Gitglot-Batch", 0))

    def requests(self) -> int:
        text = self.get("/metrics")[1].decode()
        return sum(int(float(count)) for count in re.findall(r'gitglot_store_requests_total\{[^}]*\} (\S+)', text))


def size(store: Path) -> "dict[str, tuple[int, int]]":
    """The number and the bytes of the objects, by kind."""
    kinds = {}
    for kind in ("batches", "packs", "checkpoints"):
        sizes = [file.stat().st_size for file in (store / kind).rglob("*") if file.is_file()]
        kinds[kind] = (len(sizes), sum(sizes))
    return kinds


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    program, pushes = sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 20
    with tempfile.TemporaryDirectory(prefix="gitglot-replicas-") as folder:
        folder = Path(folder)
        bare, store = folder / "repository.git", folder / "store"
        if len(sys.argv) > 2:
            git("clone", "--quiet", "--bare", sys.argv[2], bare)
            commits = int(git("rev-list", "--count", "HEAD", cwd=bare))
            branch = git("symbolic-ref", "--short", "HEAD", cwd=bare)
            origin = Origin.__new__(Origin)
            origin.path, origin.branch, origin.clock = bare, branch, int(time.time())
        else:
            origin, commits = Origin(bare), 1
            origin.push(numbered(0))
        replicas = [Replica(program, folder / f"state-{at}", bare, store) for at in range(3)]
        try:
            until("ready", lambda: all(replica.batch() > 0 for replica in replicas), 600)
            time.sleep(2)
            first = size(store)
            print(f"{commits} commits: {first}")
            total = sum(bytes for kind, (_, bytes) in first.items() if kind != "checkpoints")
            print(f"{total / commits:.0f} bytes per commit in batches and packs")
            template = json.loads(replicas[0].get("/api/components/?page_size=1")[1])["results"][0]["template"]
            text = json.loads(git("show", f"{origin.branch}:{template}", cwd=bare))
            key = next(key for key, value in text.items() if isinstance(value, str))
            visible, everywhere, before = [], [], sum(replica.requests() for replica in replicas)
            begin = time.monotonic()
            for number in range(pushes):
                text[key] = f"text {number}"
                batch = max(replica.batch() for replica in replicas)
                origin.push({template: json.dumps(text, indent=4, ensure_ascii=False) + "\n"})
                started, seen = time.monotonic(), {}
                while len(seen) < 3:
                    for replica in replicas:
                        if replica not in seen and replica.batch() > batch:
                            seen[replica] = time.monotonic() - started
                visible.append(min(seen.values()))
                everywhere.append(max(seen.values()))
            idle = 3 * (time.monotonic() - begin) / INTERVAL
            requests = sum(replica.requests() for replica in replicas) - before - idle
            for name, times in (("the first replica", visible), ("all replicas", everywhere)):
                print(f"visible on {name}: median {statistics.median(times) * 1000:.0f} ms, at most {max(times) * 1000:.0f} ms")
            last = size(store)
            grown = sum(last[kind][1] - first[kind][1] for kind in ("batches", "packs"))
            print(f"{requests / pushes:.1f} requests and {grown / pushes:.0f} bytes per push")
        finally:
            for replica in replicas:
                replica.process.terminate()
                replica.process.wait(30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
