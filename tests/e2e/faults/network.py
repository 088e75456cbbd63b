"""A remote behind nginx with a password, and a proxy that drops, delays and truncates: the state is right after each."""

import contextlib
import os
import random
import select
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from git_http import HttpBackend
from harness import configuration, free_port, Gitglot, Nginx, numbered, Origin, Readers, Skipped, until

PATHS = ["/api/units/?page_size=50", "/api/changes/?page_size=50", "/", "/readyz"]

# TLS and a password in front of a server.
SERVER = """
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/certificate.pem;
        ssl_certificate_key {folder}/key.pem;
        auth_basic "example";
        auth_basic_user_file {folder}/users;
        client_max_body_size 100m;
        location / {{
            proxy_pass http://127.0.0.1:{backend};
            proxy_http_version 1.1;
            proxy_set_header Authorization "";
        }}
    }}
"""


class Guard(Nginx):
    """nginx in front of a server, with a certificate of its own, one user and a password."""

    def __init__(self, folder: Path, backend: int):
        self.port = free_port()
        super().__init__(folder, SERVER, port=self.port, backend=backend)

    def __enter__(self) -> "Guard":
        self.folder.mkdir()
        (self.folder / "users").write_text("reader:{PLAIN}open-sesame\n")
        request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        request += ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"]
        request += ["-keyout", self.folder / "key.pem", "-out", self.folder / "certificate.pem"]
        if not shutil.which("openssl") or subprocess.run(request, capture_output=True).returncode:
            raise Skipped("openssl cannot create a certificate")
        super().__enter__()
        return self


class FaultyProxy:
    """A TCP proxy between gitglot and a server that injects network faults."""

    def __init__(self, target: int, chance: random.Random):
        self.target, self.chance = target, chance
        self.fault, self.accepted, self.hanging = "none", 0, 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.over = False
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self) -> None:
        self.over = True
        self.listener.close()

    def accept(self) -> None:
        while not self.over:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.accepted += 1
            threading.Thread(target=self.forward, args=(client, self.fault), daemon=True).start()

    def forward(self, client: socket.socket, fault: str) -> None:
        with contextlib.suppress(OSError), client:
            if fault == "drop":
                return
            if fault == "reset":
                # Closed with data unread: the system sends a reset.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                return
            if fault == "hang":
                return self.hang()
            with socket.create_connection(("127.0.0.1", self.target)) as server:
                self.both_ways(client, server, fault)

    def hang(self) -> None:
        self.hanging += 1
        while not self.over and self.fault == "hang":
            time.sleep(0.05)

    def both_ways(self, client: socket.socket, server: socket.socket, fault: str) -> None:
        # The number of bytes of the response to forward.
        limit = self.chance.randint(0, 3_000) if fault == "truncate" else 1 << 40
        while not self.over:
            ready, _, _ = select.select([client, server], [], [], 1)
            for end in ready:
                data = end.recv(1 << 14)
                if not data:
                    return
                if end is client:
                    if self.fault == "hang":
                        # Open connections serve several requests.
                        return self.hang()
                    server.sendall(data)
                    continue
                if fault == "delay":
                    time.sleep(self.chance.uniform(0.05, 0.3))
                if fault == "trickle":
                    for byte in data[:400]:
                        client.sendall(bytes([byte]))
                        time.sleep(0.0005)
                    data = data[400:]
                if fault == "garble" and len(data) > 200:
                    at = self.chance.randrange(100, len(data))
                    data = data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1:]
                client.sendall(data[:limit])
                limit -= len(data)
                if limit <= 0:
                    return


# The faults, and whether updates arrive despite them.
FAULTS = {"drop": False, "reset": False, "truncate": False, "garble": False, "delay": True, "trickle": True, "hang": False}


def through_faults(step, folder: Path) -> "list[str]":
    chance = random.Random(step.seed)
    origin = Origin(folder / "garden.git")
    origin.push(numbered(0))
    with HttpBackend(folder) as backend, Guard(folder / "nginx", backend.port) as guard:
        proxy = FaultyProxy(guard.port, chance)
        gitglot = Gitglot(step.program, folder, interval="200ms", SSL_CERT_FILE=str(guard.folder / "certificate.pem"))
        address = f"https://reader:open-sesame@127.0.0.1:{proxy.port}/garden.git"
        gitglot.configure(configuration([("app", address), ("web", address)]))
        messages, number = [], 0
        try:
            gitglot.start()
            until("the start", lambda: gitglot.number() == 0 and not gitglot.failures(), 60)
            ids = gitglot.units()
            with Readers(gitglot, PATHS, threads=1) as readers:
                for _ in range(max(1, step.rounds // 5)):
                    for fault, usable in FAULTS.items():
                        proxy.fault, before = fault, number
                        number += 1
                        origin.push({**numbered(number), "filler": os.urandom(30_000).hex()})
                        if not usable:
                            # Only faulty connections lead to an error message.
                            accepted = proxy.accepted
                            if fault in ("drop", "reset", "truncate"):
                                reasons = until(f"a failure after {fault}", gitglot.failures, 60)
                                messages.append(f"{fault}: {next(iter(reasons.values()))}")
                            until(f"tries while {fault}", lambda: proxy.accepted > accepted, 60)
                        proxy.fault = "none"
                        try:
                            until("", lambda: gitglot.number("web") == number and not gitglot.failures(), 150)
                        except AssertionError:
                            state = f"{number} after {fault}: {gitglot.number()}, {gitglot.failures()}"
                            raise AssertionError(f"{state}; {gitglot.tail()}") from None
                        assert gitglot.number("app") == number, "the components are of two revisions"
                        assert gitglot.units() == ids, "units have other ids"
            assert "open-sesame" not in gitglot.log.read_text(), "the password is in the log"
            messages.append(f"{readers.asked} requests meanwhile, none failed")
        finally:
            gitglot.kill()
            proxy.close()
    return list(dict.fromkeys(messages))


def wrong_password(step, folder: Path) -> "list[str]":
    origin = Origin(folder / "garden.git")
    origin.push(numbered(0))
    messages = []
    with HttpBackend(folder) as backend, Guard(folder / "nginx", backend.port) as guard:
        for account in ("", "reader:wrong@"):
            gitglot = Gitglot(step.program, folder, SSL_CERT_FILE=str(guard.folder / "certificate.pem"))
            address = f"https://{account}127.0.0.1:{guard.port}/garden.git"
            gitglot.configure(configuration([("app", address), ("web", address)]))
            try:
                gitglot.start()
                reasons = next(iter(gitglot.failures().values()))
                assert "credentials" in reasons or "refuses access" in reasons, reasons
                assert "wrong" not in reasons and "wrong" not in gitglot.log.read_text(), reasons
                messages.append(reasons)
            finally:
                gitglot.kill()
    return messages


def many_hang(step, folder: Path) -> "list[str]":
    """While more repositories hang than are fetched at once, a local one is followed, nothing spins, and all recover."""
    origin = Origin(folder / "garden.git")
    origin.push(numbered(0))
    chance = random.Random(step.seed)
    with HttpBackend(folder) as backend:
        proxy = FaultyProxy(backend.port, chance)
        gitglot = Gitglot(step.program, folder, interval="100ms")
        components = [("app", origin.path), ("web", origin.path)]
        others = {f"app-{at}": Origin(folder / f"other-{at}.git") for at in range(8)}
        for component, other in others.items():
            other.push(numbered(0))
            components.append((component, f"http://127.0.0.1:{proxy.port}/{other.path.name}"))
        gitglot.configure(configuration(components))
        try:
            gitglot.start()
            accepted = proxy.accepted
            # Failures at the start are reported with a delay and end with the next poll. Later polls share connections.
            until("a second poll of all", lambda: proxy.accepted >= accepted + 8 and not gitglot.failures(), 60)
            proxy.fault = "hang"
            until("four hang", lambda: proxy.hanging >= 4, 60)
            used, since = gitglot.processor_seconds(), time.monotonic()
            for number in range(1, 21):
                origin.push(numbered(number))
                until("a push", lambda: gitglot.number() == number, 20)
            until("some time", lambda: time.monotonic() > since + 5)
            busy = (gitglot.processor_seconds() - used) / (time.monotonic() - since)
            assert busy < 0.5, f"{busy:.0%} of a processor while all hang"
            early = {name: reasons for name, reasons in gitglot.failures().items() if "-" in name}
            assert not early, f"a fetch that hangs is reported too early: {early}; {gitglot.tail()}"
            for other in others.values():
                other.push(numbered(1))
            assert all(gitglot.number(component) == 0 for component in others), "data arrived from a silent server"
            proxy.fault = "none"
            for component in others:
                until(f"the push to {component}", lambda: gitglot.number(component) == 1, 60)
            until("no failures", lambda: not gitglot.failures(), 60)
            return [f"{busy:.0%} of a processor while four fetches hang and four wait"]
        finally:
            gitglot.kill()
            proxy.close()


CASES = {
    "a faulty network, behind nginx with a password": through_faults,
    "no or a wrong password": wrong_password,
    "many hang": many_hang,
}


def run(step) -> str:
    return step.run_cases("network", CASES)
