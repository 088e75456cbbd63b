"""Three replicas that share a ledger in a store: kills, pauses, partitions and restarts, and equal bytes afterwards."""

import base64
import contextlib
import hashlib
import hmac
import http.client
import os
import random
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from email.utils import formatdate
from pathlib import Path

from faults.network import FaultyProxy
from harness import Gitglot, Origin, Skipped, attempt, can_connect, configuration, free_port, numbered, until

# Headers that depend on the process: a start and a notice change the date of pages (docs/spec/http.md#caching).
OWN_HEADERS = ("date", "last-modified")
# Seconds until replicas are equal after a fault.
CATCH_UP = 90
BASE = "http://l10n.example.org"
# The public account of the emulator.
AZURE_ACCOUNT = "devstoreaccount1"
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def install(folder: Path, program: str, commands: "list[list]", installed: Path) -> Path:
    """A program, installed in a directory if the system does not have it."""
    found = shutil.which(program)
    if found:
        return Path(found)
    run_commands(folder, program, commands)
    return installed


def run_commands(folder: Path, program: str, commands: "list[list]") -> None:
    """Installs a program."""
    for command in commands:
        failure = attempt(command, 150, cwd=folder)
        if failure:
            raise Skipped(f"cannot install {program}: {failure}")


class Files:
    """A store in a directory."""

    partitions = False

    def __init__(self, folder: Path):
        self.address = f"file://{folder}/store"

    def environment(self, _port: "int | None") -> "dict[str, str]":
        return {}

    def __enter__(self) -> "Files":
        return self

    def __exit__(self, *_) -> None:
        pass


class Emulator:
    """A store over HTTP. A replica can use it through a proxy."""

    partitions = True
    process: subprocess.Popen

    def __init__(self, folder: Path):
        self.folder, self.port = folder / "emulator", free_port()
        self.folder.mkdir()

    def start(self, command: list) -> None:
        log = (self.folder / "log").open("wb")
        self.process = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log, cwd=self.folder)
        until("the store", lambda: self.process.poll() is not None or can_connect(self.port))
        assert self.process.poll() is None, (self.folder / "log").read_text()

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(30)


class Moto(Emulator):
    """S3, emulated by moto."""

    address = "s3://ledgers/garden"

    def environment(self, port: "int | None") -> "dict[str, str]":
        return {
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
            "AWS_ENDPOINT": f"http://127.0.0.1:{port or self.port}",
        }

    def __enter__(self) -> "Moto":
        python = self.folder / "environment" / "bin" / "python"
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run_commands(self.folder, "moto", [[sys.executable, "-m", "venv", python.parent.parent], [*pip, "moto[server]"]])
        self.start([python, Path(__file__).with_name("serial_moto.py"), "-H", "127.0.0.1", "-p", self.port])
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/ledgers", method="PUT")
        urllib.request.urlopen(request, timeout=30).close()
        return self


class Azurite(Emulator):
    """Azure Blob Storage, emulated by Azurite."""

    address = "az://ledgers/garden"

    def environment(self, port: "int | None") -> "dict[str, str]":
        return {
            "AZURE_STORAGE_ACCOUNT_NAME": AZURE_ACCOUNT,
            "AZURE_STORAGE_ACCOUNT_KEY": AZURE_KEY,
            "AZURE_ALLOW_HTTP": "true",
            "AZURE_STORAGE_ENDPOINT": f"http://127.0.0.1:{port or self.port}/{AZURE_ACCOUNT}",
        }

    def __enter__(self) -> "Azurite":
        if not shutil.which("node"):
            raise Skipped("node is not installed")
        installed = self.folder / "node_modules" / ".bin" / "azurite-blob"
        commands = [["npm", "install", "--silent", "--prefix", self.folder, "azurite"]]
        server = install(self.folder, "azurite-blob", commands, installed)
        options = ["--silent", "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry"]
        self.start([server, "--blobHost", "127.0.0.1", "--blobPort", self.port, *options])
        self.create_container()
        return self

    def create_container(self) -> None:
        date, version = formatdate(usegmt=True), "2021-08-06"
        path = f"/{AZURE_ACCOUNT}/ledgers"
        headers = f"x-ms-date:{date}\nx-ms-version:{version}\n"
        text = "PUT" + "\n" * 12 + headers + f"/{AZURE_ACCOUNT}{path}\nrestype:container"
        key = hmac.new(base64.b64decode(AZURE_KEY), text.encode(), hashlib.sha256).digest()
        signature = f"SharedKey {AZURE_ACCOUNT}:{base64.b64encode(key).decode()}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"x-ms-date": date, "x-ms-version": version, "Authorization": signature, "Content-Length": "0"}
        connection.request("PUT", f"{path}?restype=container", headers=sent)
        answer = connection.getresponse()
        assert answer.status == 201, f"cannot create a container: {answer.status} {answer.read()!r}"


class Partition(FaultyProxy):
    """A proxy whose faults also end open connections."""

    def both_ways(self, client, server, fault: str) -> None:
        while not self.over and self.fault == fault:
            ready, _, _ = select.select([client, server], [], [], 0.1)
            for end in ready:
                data = end.recv(1 << 16)
                if not data:
                    return
                (server if end is client else client).sendall(data)


class Replica(Gitglot):
    """One of several servers with the same ledger."""

    def __init__(self, fleet: "Fleet", name: str, *arguments: str):
        folder = fleet.folder / name
        folder.mkdir()
        self.proxy = Partition(fleet.store.port, fleet.chance) if fleet.store.partitions else None
        more = ("--ledger", fleet.store.address, "--ledger-poll-interval", "200ms", "--base-url", BASE, *arguments)
        env = fleet.store.environment(self.proxy.port if self.proxy else None)
        super().__init__(fleet.program, folder, interval="1s", arguments=more, **env)
        self.configure(fleet.configuration)

    def get(self, path: str) -> "tuple[int, dict, bytes]":
        """Status, headers and body."""
        try:
            with urllib.request.urlopen(self.base + path, timeout=30) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read()

    def batch(self) -> int:
        try:
            return int(self.get("/api/")[1].get("Gitglot-Batch", 0))
        except OSError:
            return -1

    def store_requests(self) -> int:
        text = self.get("/metrics")[2].decode()
        return sum(int(float(number)) for number in re.findall(r"gitglot_store_requests_total\{[^}]*\} (\S+)", text))

    def crawl(self) -> "dict[str, tuple]":
        """The responses of the API and of the pages at all addresses that responses name."""
        found, waiting = {}, ["/api/", "/api/units/?page_size=200", "/api/changes/?page_size=500", "/"]
        while waiting:
            path = waiting.pop()
            if path in found or path.startswith(("/metrics", "/healthz", "/readyz", "/static/")):
                continue
            status, headers, body = self.get(path)
            headers = {name: value for name, value in headers.items() if name.lower() not in OWN_HEADERS}
            found[path] = (status, sorted(headers.items()), body)
            for address in re.findall(rb'"http://l10n\.example\.org(/[^"\\]*)"', body):
                waiting.append(address.decode().replace("&amp;", "&"))
        return found


class Fleet:
    """Three replicas of two repositories."""

    def __init__(self, step, folder: Path, store):
        self.program, self.folder, self.store = step.program, folder, store
        self.chance = random.Random(step.seed)
        self.origins = [Origin(folder / "app.git"), Origin(folder / "web.git")]
        self.numbers = [0, 0]
        for origin in self.origins:
            origin.push(numbered(0))
        self.configuration = configuration([("app", self.origins[0].path), ("web", self.origins[1].path)])
        self.replicas = [Replica(self, f"replica-{at}") for at in range(3)]
        self.ids: "dict[str, int]" = {}

    def __enter__(self) -> "Fleet":
        for replica in self.replicas:
            replica.start(ready=False)
        for replica in self.replicas:
            replica.wait_ready()
        return self

    def __exit__(self, kind, *_) -> None:
        for replica in self.replicas:
            replica.kill()
            if replica.proxy:
                replica.proxy.close()
        if kind is None:
            for replica in self.replicas:
                assert "panicked" not in replica.log.read_text(), replica.tail()

    def push(self, at: int, forced: bool = False) -> None:
        self.numbers[at] += 1
        files = numbered(self.numbers[at])
        self.origins[at].push(files, after=None if forced else "")

    def caught_up(self, replica: Replica) -> bool:
        with contextlib.suppress(OSError, AssertionError, http.client.HTTPException):
            return [replica.number("app"), replica.number("web")] == self.numbers
        return False

    def settle(self) -> None:
        """Waits until all replicas serve the newest pushes and the same batch."""
        for replica in self.replicas:
            try:
                until("all pushes", lambda replica=replica: self.caught_up(replica), CATCH_UP)
            except AssertionError:
                numbers = [replica.number("app"), replica.number("web")]
                raise AssertionError(
                    f"{replica.folder.name}: {numbers} instead of {self.numbers}; {replica.ask('/readyz')[1]}; {replica.tail()}"
                ) from None
        until("equal batches", lambda: len({replica.batch() for replica in self.replicas}) == 1, CATCH_UP)

    def check_ids(self) -> None:
        """No unit has an id that it did not have before, and no two have the same one."""
        for replica in self.replicas:
            ids = replica.units()
            assert len(set(ids.values())) == len(ids), "two units have the same id"
            changed = {unit: (self.ids[unit], found) for unit, found in ids.items() if self.ids.get(unit, found) != found}
            assert not changed, f"{replica.folder.name}: ids have changed: {changed}"
            self.ids.update(ids)

    def check_equal(self, replicas: "list[Replica]") -> int:
        """All responses of all replicas are the same bytes. Returns their number."""
        crawls = [None] * len(replicas)

        def crawl(at: int) -> None:
            crawls[at] = replicas[at].crawl()

        threads = [threading.Thread(target=crawl, args=(at,)) for at in range(len(replicas))]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        first = crawls[0]
        assert first and all(crawls), "a crawl has failed"
        for replica, crawl in zip(replicas[1:], crawls[1:]):
            different = [path for path in {*first, *crawl} if first.get(path) != crawl.get(path)]
            if different:
                path = min(different)
                raise AssertionError(
                    f"{replica.folder.name} differs at {len(different)} addresses, as {path}:\n"
                    f"{first.get(path)}\n{crawl.get(path)}"
                )
        return len(first)

    def verify(self) -> str:
        command = [self.program, "ledger", "verify", self.store.address]
        env = {**os.environ, **self.store.environment(None)}
        done = subprocess.run(command, capture_output=True, text=True, env=env)
        assert done.returncode == 0, done.stderr
        return ", ".join(done.stdout.splitlines())


def faults(fleet: Fleet, pushes: int) -> None:
    """Pushes, a tenth of them forced and a twentieth to both repositories at once, while replicas fail."""
    for number in range(pushes):
        fleet.push(number % 2, forced=number % 10 == 9)
        if number % 20 == 7:
            fleet.push((number + 1) % 2)
        victim = fleet.chance.choice(fleet.replicas)
        kind = number % 25
        if kind == 5:
            victim.kill()
            fleet.push(0)
            if number % 50 == 5:
                shutil.rmtree(victim.state)
            victim.start(ready=False)
        elif kind == 12:
            victim.process.send_signal(signal.SIGSTOP)
            for at in (0, 1, 0):
                fleet.push(at)
                time.sleep(0.3)
            victim.process.send_signal(signal.SIGCONT)
        elif kind == 18 and victim.proxy:
            victim.proxy.fault = fleet.chance.choice(["hang", "reset", "drop"])
            for at in (0, 1, 0):
                fleet.push(at)
                time.sleep(0.5)
            victim.proxy.fault = "none"
        if number % 10 == 0:
            time.sleep(fleet.chance.uniform(0, 0.5))
        if number % 25 == 24:
            fleet.settle()
            fleet.check_ids()


def latencies(fleet: Fleet) -> str:
    """The time from a push until the first replica and until all of them serve it, and the requests to the store."""
    fleet.settle()
    before, started = [replica.store_requests() for replica in fleet.replicas], time.monotonic()
    until("some time", lambda: time.monotonic() > started + 4)
    idle = sum(replica.store_requests() for replica in fleet.replicas) - sum(before)
    per_hour = idle / (time.monotonic() - started) * 3600 / 3
    first, last, requests = [], [], 0
    for _ in range(10):
        before = sum(replica.store_requests() for replica in fleet.replicas)
        fleet.push(0)
        started, seen = time.monotonic(), {}
        while len(seen) < 3:
            for replica in fleet.replicas:
                if replica not in seen and replica.number("app") == fleet.numbers[0]:
                    seen[replica] = time.monotonic() - started
            time.sleep(0.002)
        first.append(min(seen.values()))
        last.append(max(seen.values()))
        elapsed = time.monotonic() - started
        requests += sum(replica.store_requests() for replica in fleet.replicas) - before - per_hour * 3 * elapsed / 3600
    times = [f"{statistics.median(times) * 1000:.0f} ms" for times in (first, last)]
    return (
        f"a push is visible on the first replica after {times[0]}, on all after {times[1]} (polling 5 times per second); "
        f"{requests / 10:.0f} requests to the store per push, {per_hour:.0f} per idle hour and replica"
    )


def rolling_restart(fleet: Fleet) -> str:
    """Restarts all replicas in turn, while clients that try a second replica after a failure send requests."""
    failures, asked, over = [], [0, 0], threading.Event()

    def client(at: int) -> None:
        turn = 0
        while not over.is_set():
            turn += 1
            for tries in range(2):
                replica = fleet.replicas[(turn + tries) % 3]
                try:
                    with urllib.request.urlopen(replica.base + "/api/units/", timeout=30) as answer:
                        answer.read()
                    break
                except (OSError, http.client.HTTPException) as error:
                    if tries == 1:
                        failures.append(str(error))
            asked[at] += 1

    threads = [threading.Thread(target=client, args=(at,), daemon=True) for at in range(len(asked))]
    [thread.start() for thread in threads]
    for at, replica in enumerate(fleet.replicas):
        assert replica.stop() == 0
        fleet.push(at % 2)
        replica.start()
        # As a load balancer: a request that this replica did not answer must not meet the stop of the next one.
        before = list(asked)
        until("requests after the restart", lambda before=before: all(now > old for now, old in zip(asked, before)))
    over.set()
    [thread.join(60) for thread in threads]
    assert not failures, f"{len(failures)} of {sum(asked)} requests failed twice: {failures[:3]}"
    return f"rolling restart: {sum(asked)} requests, none failed twice"


def replicas_of(step, folder: Path, kind) -> "list[str]":
    messages = []
    with kind(folder) as store, Fleet(step, folder, store) as fleet:
        fleet.settle()
        fleet.check_ids()
        faults(fleet, 20 * step.rounds)
        fleet.settle()
        fleet.check_ids()
        messages.append(f"{fleet.check_equal(fleet.replicas)} addresses are equal after {sum(fleet.numbers)} pushes")
        messages.append(rolling_restart(fleet))
        messages.append(latencies(fleet))
        fleet.settle()
        messages.append(fleet.verify())
        before = fleet.replicas[0].crawl()
        for origin in fleet.origins:
            origin.path.rename(origin.path.with_suffix(".gone"))
        late = Replica(fleet, "late", "--follow", "false")
        try:
            late.start()
            until("the newest batch", lambda: late.batch() == fleet.replicas[0].batch(), CATCH_UP)
            own = late.crawl()
            different = [path for path in before if before[path] != own.get(path)]
            assert not different, f"{different[:3]} of {len(different)} differ: {before[different[0]]} {own.get(different[0])}"
            messages.append(f"a replica without repositories returns the same {len(before)} responses")
        finally:
            late.kill()
            if late.proxy:
                late.proxy.close()
    return messages


CASES = {"a directory": Files, "S3": Moto, "Azure": Azurite}


def run(step) -> str:
    done = 0
    for at, (name, kind) in enumerate(CASES.items()):
        if not step.wants(name):
            continue
        folder = step.folder / f"replicas-{at}"
        folder.mkdir()
        with step.case(name) as messages:
            try:
                messages += replicas_of(step, folder, kind)
            except Skipped as reason:
                messages.append(f"skipped, {reason}")
        done += 1
    return f"{done} cases"
