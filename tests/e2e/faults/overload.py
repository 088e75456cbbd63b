"""Hostile load: expensive searches from many clients, and more clients than file descriptors."""

import http.client
import resource
import socket
import statistics
import threading
import time
import urllib.parse
from pathlib import Path

from harness import configuration, Gitglot, numbered, Origin, until

# Clients that send expensive searches, and measured requests meanwhile.
CLIENTS, SAMPLES = 300, 200
# The 99th percentile of `/healthz` and of a cached page may be this many seconds, or this many times that without load.
# The targets are in benches/README.md; here, the clients and other processes use the same cores.
MOST_SECONDS, MOST_TIMES = 0.5, 20
# Strings in each of the six files.
STRINGS = 4_000
# Limit of open files, and clients that stay connected.
FILES, IDLE_CLIENTS = 64, 200
# Seconds until a probe behind these clients gets its response.
MOST_PROBE = 10


def large(number: int) -> "dict[str, str]":
    """The files of `numbered`, with many more strings."""
    more = "".join(f',\n "more{at}": "rule {at} blocks all windows of this page"' for at in range(STRINGS))
    return {path: text.replace("\n}", more + "\n}") for path, text in numbered(number).items()}


def latencies(address: "tuple[str, int]", path: str) -> "list[float]":
    """Seconds of requests on connections of their own, sorted."""
    seconds = []
    for _ in range(SAMPLES):
        connection, started = http.client.HTTPConnection(*address, timeout=60), time.monotonic()
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        seconds.append(time.monotonic() - started)
        connection.close()
        assert answer.status == 200, f"{path}: {answer.status}"
    return sorted(seconds)


class Attack:
    """Clients that send different expensive searches, one after the other."""

    def __init__(self, address: "tuple[str, int]"):
        self.address, self.is_over = address, threading.Event()
        self.statuses: "dict[int | str, int]" = {}
        self.threads = [threading.Thread(target=self.attack, args=(at,), daemon=True) for at in range(CLIENTS)]

    def attack(self, client: int) -> None:
        number = 0
        while not self.is_over.is_set():
            number += 1
            words = " OR ".join(f"q{client:x}x{number:x}x{at:x}" for at in range(120))
            path = f"/api/units/?q={urllib.parse.quote(words)}"
            try:
                connection = http.client.HTTPConnection(*self.address, timeout=60)
                connection.request("GET", path)
                status: "int | str" = connection.getresponse().status
                connection.close()
            except OSError as error:
                status = type(error).__name__
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status != 200:
                self.is_over.wait(2)  # the value of Retry-After

    def __enter__(self) -> "Attack":
        [thread.start() for thread in self.threads]
        return self

    def __exit__(self, *_) -> None:
        self.is_over.set()
        [thread.join(90) for thread in self.threads]


def searches(step, folder: Path) -> "list[str]":
    origin = Origin(folder / "garden.git")
    origin.push(large(0))
    gitglot = Gitglot(step.program, folder, interval="1s")
    gitglot.configure(configuration([("app", origin.path), ("web", origin.path)]))
    paths = ["/healthz", "/api/units/?page=7"]
    try:
        gitglot.start()
        host, port = gitglot.base.removeprefix("http://").split(":")
        address = (host, int(port))
        calm = {path: latencies(address, path) for path in paths}
        with Attack(address) as attack:
            time.sleep(1)
            loaded = {path: latencies(address, path) for path in paths}
            # Updates go on.
            origin.push(large(1))
            until("a push", lambda: gitglot.number() == 1)
        messages = []
        for path in paths:
            before, during = (of[path][SAMPLES * 99 // 100] for of in (calm, loaded))
            median = statistics.median(loaded[path])
            messages.append(f"{path}: median {median * 1000:.1f} ms, p99 {during * 1000:.1f} ms; without load {before * 1000:.1f} ms")
            assert during <= max(MOST_SECONDS, MOST_TIMES * before), messages[-1]
        unexpected = set(attack.statuses) - {200, 503}
        assert not unexpected, f"{attack.statuses}; {gitglot.tail()}"
        return [*messages, f"responses to searches: {attack.statuses}"]
    finally:
        gitglot.kill()


def few_files(step, folder: Path) -> "list[str]":
    """More idle clients than file descriptors: the probe succeeds, others get a 503, and updates go on."""
    origin = Origin(folder / "garden.git")
    origin.push(numbered(0))
    gitglot = Gitglot(step.program, folder, arguments=("--idle-timeout", "20s", "--header-timeout", "20s"))
    gitglot.configure(configuration([("app", origin.path), ("web", origin.path)]))
    clients = []
    try:
        gitglot.start(limits=((resource.RLIMIT_NOFILE, (FILES, FILES)),))
        host, port = gitglot.base.removeprefix("http://").split(":")
        for _ in range(IDLE_CLIENTS):
            client = socket.socket()
            client.settimeout(30)
            client.connect((host, int(port)))
            clients.append(client)
        started = time.monotonic()
        status, body = gitglot.ask("/healthz")
        probe = time.monotonic() - started
        assert (status, body) == (200, b'{"status":"ok"}'), f"/healthz: {status} {body!r}; {gitglot.tail()}"
        assert probe < MOST_PROBE, f"/healthz after {probe:.1f} s"
        status, _ = gitglot.ask("/api/units/")
        assert status == 503, f"{status} instead of 503"
        [client.close() for client in clients]
        until("free connections", lambda: gitglot.ask("/api/units/")[0] == 200, 60)
        origin.push(numbered(1))
        until("a push", lambda: gitglot.number() == 1)
        assert not gitglot.failures(), gitglot.failures()
        return [f"{IDLE_CLIENTS} idle clients, {FILES} file descriptors: /healthz after {probe:.1f} s"]
    finally:
        [client.close() for client in clients]
        gitglot.kill()


CASES = {"expensive searches": searches, "few file descriptors": few_files}


def run(step) -> str:
    return step.run_cases("overload", CASES)
