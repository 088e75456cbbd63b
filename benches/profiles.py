#!/usr/bin/env python3
"""Processor time per byte of pages of the current API and of that of 3.4.

    benches/profiles.py PROGRAM REPOSITORY

Serves the repository with and without the response cache, requests pages of both APIs in turn, and prints for each page
the processor time of the server, in total and per byte, and the ratio of the times per byte. Exits with 1 if the ratio of
cached pages of 200 strings exceeds 1.3. Linux only.
"""

import argparse
import http.client
import statistics
import sys
import tempfile

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("repository")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=500)
    options = parser.parse_args()
    is_met = True
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
                    is_met &= cache == "built" or not has_goal or ratio <= MOST
            finally:
                server.process.terminate()
                server.process.wait()
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
