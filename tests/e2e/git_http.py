"""`git http-backend` behind a small server on the loopback interface: for Python a class, for others a program.

    python3 git_http.py FOLDER CERTIFICATE KEY USER:PASSWORD

The program serves the repositories in FOLDER over https to that user at a free port, which it prints, until its standard
input ends.
"""

import base64
import http.server
import os
import socketserver
import ssl
import subprocess
import sys
import threading
from pathlib import Path
from typing import Callable, Iterable

# git must not read the settings of the current user, and may serve repositories of other owners.
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}


class HttpBackend:
    """The repositories of a folder by http, or by https with the files of a certificate and its key.

    `moved` maps old names to new ones (301); `account` is `user:password`, asked for if there is one."""

    def __init__(self, folder: Path, account: "str | None" = None, certificate: "tuple[str, str] | None" = None):
        self.folder, self.moved, self.account = folder, {}, account
        # Gives the pieces of the body of every response, instead of git.
        self.replacement: "Callable[[], Iterable[bytes]] | None" = None
        # A program that git runs instead of `git pack-objects`.
        self.pack_objects_hook: "Path | None" = None
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.answer(self)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass  # tests kill clients

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            listening = self.server.socket
            self.server.socket = context.wrap_socket(listening, server_side=True, do_handshake_on_connect=False)

    def address(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"

    def __enter__(self) -> "HttpBackend":
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        body = request_body(request)
        if self.replacement:
            return send_pieces(request, self.replacement())
        path, _, query = request.path.partition("?")
        if self.account:
            wanted = "Basic " + base64.b64encode(self.account.encode()).decode()
            if request.headers.get("Authorization") != wanted:
                return respond(request, 401, b"", {"WWW-Authenticate": 'Basic realm="example"'})
        for old, new in self.moved.items():
            if path.startswith(f"/{old}/"):
                location = self.address(new) + path[len(old) + 1:]
                return respond(request, 301, b"", {"Location": location + (f"?{query}" if query else "")})
        environment = {
            **ENVIRONMENT,
            "GIT_PROJECT_ROOT": str(self.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": request.command,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        }
        if self.pack_objects_hook:
            environment |= {
                "GIT_CONFIG_COUNT": "2",
                "GIT_CONFIG_KEY_1": "uploadpack.packObjectsHook",
                "GIT_CONFIG_VALUE_1": str(self.pack_objects_hook),
            }
        made = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment)
        head, _, content = made.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        status = int(headers.pop("Status", "200").split()[0])
        return respond(request, status, content, headers)


def request_body(request: http.server.BaseHTTPRequestHandler) -> bytes:
    if request.headers.get("Transfer-Encoding", "").lower() != "chunked":
        return request.rfile.read(int(request.headers.get("Content-Length") or 0))
    whole = b""
    while size := int(request.rfile.readline().split(b";")[0], 16):
        whole += request.rfile.read(size)
        request.rfile.readline()
    request.rfile.readline()
    return whole


def respond(request: http.server.BaseHTTPRequestHandler, status: int, body: bytes, headers: "dict[str, str]") -> None:
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def send_pieces(request: http.server.BaseHTTPRequestHandler, pieces: "Iterable[bytes]") -> None:
    """Sends a body without a length, as an advertisement of refs."""
    request.close_connection = True
    request.send_response(200)
    request.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
    request.end_headers()
    for piece in pieces:
        request.wfile.write(piece)


def main(folder: str, certificate: str, key: str, account: str) -> None:
    with HttpBackend(Path(folder), account, (certificate, key)) as backend:
        print(backend.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
