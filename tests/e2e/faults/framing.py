"""Requests whose framing is ambiguous, directly and through nginx and HAProxy: no proxy and gitglot read one differently.

A request that two programs read differently lets a client hide a second request in the body of the first (request
smuggling). The hidden request requests a path that no other request has, so its response reveals it.
"""

import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

from harness import can_connect, configuration, free_port, Gitglot, Nginx, numbered, Origin, Skipped

HIDDEN = b"GET /api/hidden/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = b"0\r\n\r\n" + HIDDEN


def request(*headers: bytes, body: bytes = b"", method: bytes = b"POST", path: bytes = b"/hooks/github/", version: bytes = b"HTTP/1.1") -> bytes:
    lines = [b"%s %s %s" % (method, path, version), b"Host: localhost", *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


LENGTH = b"Content-Length: %d" % len(CHUNKED)
CODED = b"Transfer-Encoding: chunked"
# Requests that must not be read in two ways. Each hides a request if the wrong one of its lengths counts.
SHAPES = {
    "length and coding": request(LENGTH, CODED, body=CHUNKED),
    "coding and length": request(CODED, LENGTH, body=CHUNKED),
    "two lengths": request(b"Content-Length: 0", LENGTH, body=CHUNKED),
    "a list of lengths": request(b"Content-Length: 0, %d" % len(CHUNKED), body=CHUNKED),
    "a length with a sign": request(b"Content-Length: +%d" % len(CHUNKED), body=CHUNKED),
    "a length in hexadecimal": request(b"Content-Length: 0x%x" % len(CHUNKED), body=CHUNKED),
    "a length with a space before the colon": request(b"Content-Length : %d" % len(CHUNKED), body=CHUNKED),
    "a coding with a space before the colon": request(LENGTH, b"Transfer-Encoding : chunked", body=CHUNKED),
    "a coding in capitals": request(LENGTH, b"Transfer-Encoding: CHUNKED", body=CHUNKED),
    "an unknown coding": request(LENGTH, b"Transfer-Encoding: xchunked", body=CHUNKED),
    "identity and chunked": request(LENGTH, b"Transfer-Encoding: identity, chunked", body=CHUNKED),
    "chunked twice": request(LENGTH, b"Transfer-Encoding: chunked, chunked", body=CHUNKED),
    "two codings": request(LENGTH, CODED, b"Transfer-Encoding: identity", body=CHUNKED),
    "a quoted coding": request(LENGTH, b'Transfer-Encoding: "chunked"', body=CHUNKED),
    "a coding after a tab": request(LENGTH, b"Transfer-Encoding:\tchunked", body=CHUNKED),
    "a coding after a vertical tab": request(LENGTH, b"Transfer-Encoding: \x0bchunked", body=CHUNKED),
    "a folded coding": request(LENGTH, b"Transfer-Encoding:\r\n chunked", body=CHUNKED),
    "a bare line feed before the coding": request(LENGTH + b"\nTransfer-Encoding: chunked", body=CHUNKED),
    "a bare carriage return before the coding": request(LENGTH + b"\rTransfer-Encoding: chunked", body=CHUNKED),
    "a NUL in the coding": request(LENGTH, b"Transfer-Encoding: chunked\0", body=CHUNKED),
    "a coding in HTTP/1.0": request(CODED, b"Connection: keep-alive", body=CHUNKED, version=b"HTTP/1.0"),
    "a GET with a body": request(b"Content-Length: %d" % len(HIDDEN), body=HIDDEN, method=b"GET", path=b"/api/"),
    "a HEAD with a coded body": request(CODED, body=CHUNKED, method=b"HEAD", path=b"/api/"),
    "a chunk size with a sign": request(CODED, body=b"+0\r\n\r\n" + HIDDEN),
    "a chunk size that overflows": request(CODED, body=b"1%s0\r\n\r\n" % (b"0" * 15) + HIDDEN),
    "a chunk size with a line feed": request(CODED, body=b"0\n\n" + HIDDEN),
    "a chunk extension with a line feed": request(CODED, body=b"1;a=\n\r\nx\r\n0\r\n\r\n" + HIDDEN),
    "a chunk that is longer than its size": request(CODED, body=b"1\r\nxyz\r\n0\r\n\r\n" + HIDDEN),
    "a trailer with a length": request(CODED, body=b"0\r\nContent-Length: 100\r\n\r\n" + HIDDEN),
    "a header without a colon": request(b"Nothing", LENGTH, CODED, body=CHUNKED),
    "a header with an empty name": request(b": x", LENGTH, CODED, body=CHUNKED),
    "a space before the first header": b"POST /hooks/github/ HTTP/1.1\r\n Host: localhost\r\n" + LENGTH + b"\r\n\r\n" + CHUNKED,
    "an absolute target of another host": b"GET http://evil.example/api/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "two hosts": request(b"Host: evil.example", method=b"GET", path=b"/api/"),
    "HTTP/0.9": b"GET /api/\r\n",
    "HTTP/2 in clear text": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "an upgrade to HTTP/2": request(b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQAAP__", method=b"GET", path=b"/api/"),
    "an expectation": request(LENGTH, b"Expect: 100-continue", body=CHUNKED),
    "an unknown expectation": request(LENGTH, b"Expect: nothing", body=CHUNKED),
    "a body that ends early": request(b"Content-Length: 1000", body=b"x"),
}
# Shapes whose hidden request is a second request for everybody: nothing is ambiguous.
PIPELINED = {
    "a HEAD with a coded body",
    "a trailer with a length",
}

HAPROXY = """
defaults
    mode http
    timeout connect 5s
    timeout client 10s
    timeout server 10s
frontend front
    bind 127.0.0.1:{port}
    default_backend app
backend app
    http-reuse always
    server app {address}
"""

NGINX = """
    upstream app {{
        server {address};
        keepalive 4;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://app;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_request_buffering off;
        }}
    }}
"""


# Requests of other clients.
PATHS = ["/healthz", "/api/projects/garden/", "/api/components/garden/app/"]


def plain(path: str) -> bytes:
    return request(b"Connection: close", method=b"GET", path=path.encode())


def exchange(port: int, sent: bytes) -> bytes:
    """Everything that a server sends until it closes or is silent."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as stream:
        stream.settimeout(1)
        try:
            stream.sendall(sent)
            while piece := stream.recv(1 << 16):
                received += piece
        except OSError:
            pass
    return received


def statuses(received: bytes) -> "list[int]":
    return [int(code) for code in re.findall(rb"HTTP/1\.[01] (\d{3})", received)]


class Haproxy:
    def __init__(self, folder: Path, address: str):
        self.folder, self.port = folder, free_port()
        self.configuration = HAPROXY.format(port=self.port, address=address)

    def __enter__(self) -> "Haproxy":
        program = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if program is None:
            raise Skipped("haproxy is not installed")
        file = self.folder / "haproxy.cfg"
        file.write_text(self.configuration)
        self.process = subprocess.Popen([program, "-f", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while not can_connect(self.port):
            assert self.process.poll() is None and time.monotonic() < end, "haproxy does not start"
            time.sleep(0.05)
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(30)


def direct(gitglot: Gitglot, port: int) -> "list[str]":
    """gitglot answers only the first request of each shape, or none."""
    wrong = []
    for name, sent in SHAPES.items():
        found = statuses(exchange(port, sent))
        allowed = 2 if name in PIPELINED else 1
        final = [status for status in found if status != 100]
        if len(final) > allowed or any(status >= 500 for status in found):
            wrong.append(f"{name}: {found}")
    assert not wrong, wrong
    return [f"{len(SHAPES)} shapes"]


def through(gitglot: Gitglot, port: int) -> "list[str]":
    """After each shape, other clients of the proxy get the responses to their own requests."""
    wrong, passed = [], 0
    own = {path: exchange(port, plain(path)).partition(b"\r\n\r\n")[2] for path in PATHS}
    assert len(set(own.values())) == len(PATHS), own
    for name, sent in SHAPES.items():
        found = statuses(exchange(port, sent))
        passed += any(status < 400 for status in found)
        for path, body in own.items():
            received = exchange(port, plain(path))
            if statuses(received)[:1] != [200] or received.partition(b"\r\n\r\n")[2] != body:
                wrong.append(f"{name}: then {path} gets {received[:300]!r}")
    assert not wrong, wrong
    return [f"{len(SHAPES)} shapes; the proxy forwards {passed} to a success"]


def run(step) -> str:
    done = 0
    folder = step.folder / "framing"
    folder.mkdir()
    origin = Origin(folder / "garden.git")
    origin.push(numbered(0))
    gitglot = Gitglot(step.program, folder)
    gitglot.configure(configuration([("app", origin.path), ("web", origin.path)]))
    try:
        gitglot.start()
        address = gitglot.base.removeprefix("http://")
        if step.wants("direct"):
            with step.case("direct") as messages:
                messages += direct(gitglot, int(address.split(":")[1]))
            done += 1
        if step.wants("nginx"):
            with step.case("nginx") as messages:
                port = free_port()
                with Nginx(folder, NGINX, port=port, address=address):
                    messages += through(gitglot, port)
            done += 1
        if step.wants("haproxy"):
            with step.case("haproxy") as messages, Haproxy(folder, address) as haproxy:
                messages += through(gitglot, haproxy.port)
            done += 1
    finally:
        gitglot.kill()
    return f"{done} cases"
