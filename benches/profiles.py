#!/usr/bin/env python3
"""Processor time per byte of pages of the current API and of that of 3.4.

    benches/profiles.py PROGRAM REPOSITORY [--server URL --process ID...]

Serves the repository with and without the response cache, requests pages of both APIs in turn, and prints for each page
the processor time of the server, in total and per byte, and the ratio of the times per byte. Exits with 1 if the ratio of
cached pages of 200 strings exceeds 1.3. With the root of the API of a running server of Weblate that has the same
repository, and the ids of its processes, it requests the same pages from that server and prints how many times as much
processor time these processes and their descendants need. Linux only.
"""

import argparse
import http.client
import os
import statistics
import sys
import tempfile
import urllib.parse
from pathlib import Path

from lists import Server

# Name, path below both roots, and whether the goal applies.
PAGES = [
    ("200 strings", "units/?page_size=200", True),
    ("20 strings", "units/?page_size=20", False),
    ("20 changes", "changes/?page_size=20", False),
]
ROOTS = ("/api", "/current/api")
MOST = 1.3


def measure(server: Server, path: str, count: int) -> "tuple[float, int]":
    """The processor time of a request, in microseconds, and the length of the body."""
    connection = http.client.HTTPConnection(server.host, timeout=60)

    def get() -> int:
        connection.request("GET", path)
        answer = connection.getresponse()
        length = len(answer.read())
        assert answer.status == 200, (path, answer.status)
        return length

    length, before = get(), server.seconds()
    for _ in range(count):
        get()
    return (server.seconds() - before) / count * 1e6, length


def seconds_of(processes: "list[int]") -> float:
    """The processor time of processes and all their descendants so far."""
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            stats[int(path.parent.name)] = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            pass  # it has ended
    known, total = set(processes), 0
    for _ in stats:
        known |= {process for process, stat in stats.items() if int(stat[1]) in known}
    for process in known & stats.keys():
        # Of itself, and of children that have ended.
        total += sum(int(ticks) for ticks in stats[process][11:15])
    return total / os.sysconf("SC_CLK_TCK")


def measure_outside(url: str, processes: "list[int]", path: str, count: int) -> float:
    """The processor time of a request to another server, in microseconds."""
    root = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(root.hostname, root.port, timeout=60)

    def get() -> None:
        connection.request("GET", f"{root.path.rstrip('/')}/{path}", headers={"Accept": "application/json"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, (path, answer.status)

    get()
    before = seconds_of(processes)
    for _ in range(count):
        get()
    return (seconds_of(processes) - before) / count * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("repository")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--server", help="root of the API of a running server of Weblate")
    parser.add_argument("--process", type=int, nargs="+", default=[], help="its processes, with those of its database")
    parser.add_argument("--server-requests", type=int, default=50)
    options = parser.parse_args()
    is_met, others = True, {}
    if options.server:
        others = {path: measure_outside(options.server, options.process, path, options.server_requests) for _, path, _ in PAGES}
    print("cache, page: µs and bytes in 3.4, µs and bytes in the current API, ratio of the times per byte")
    for cache, flags in (("cached", []), ("built", ["--cache-size", "0"])):
        with tempfile.TemporaryDirectory(prefix="gitglot-profiles-") as folder:
            server = Server(options.program, options.repository, folder, *flags)
            try:
                for name, path, has_goal in PAGES:
                    rounds = [[measure(server, f"{root}/{path}", options.requests) for root in ROOTS] for _ in range(options.rounds)]
                    (old, size), (new, larger) = ((statistics.median(times), lengths[0]) for times, lengths in map(lambda of: zip(*of), zip(*rounds)))
                    ratio = (new / larger) / (old / size)
                    print(f"{cache}, {name}: {old:.0f} {size:,}, {new:.0f} {larger:,}, {ratio:.2f}", flush=True)
                    if options.server:
                        print(f"  Weblate: {others[path]:.0f}, {others[path] / new:.0f} times the current API of gitglot", flush=True)
                    is_met &= cache == "built" or not has_goal or ratio <= MOST
            finally:
                server.process.terminate()
                server.process.wait()
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
