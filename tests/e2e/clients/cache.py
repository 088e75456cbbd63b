"""nginx as a shared cache in proxy: it revalidates responses with 304, and never mixes variants."""

import http.client
import itertools
import socket
import time

from harness import ClientStep, Nginx, Skipped

# gitglot sends `Cache-Control: no-cache`: store, but revalidate. nginx does not store such responses unless the header is
# ignored; then it revalidates after the time in `proxy_cache_valid`.
CONFIGURATION = """
    proxy_cache_path {folder}/cache keys_zone=answers:1m;
    server {{
        listen unix:{folder}/server;
        location / {{
            proxy_pass {base};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_cache answers;
            proxy_cache_key $scheme$http_host$request_uri;
            proxy_ignore_headers Cache-Control;
            proxy_cache_valid 200 1s;
            proxy_cache_revalidate on;
            add_header X-Cache $upstream_cache_status always;
            add_header X-Upstream $upstream_status always;
        }}
    }}
"""

PATHS = ["/api/units/?page_size=50", "/api/components/reading-lamp/extension/", "/api/changes/?page=last"]
ACCEPTS = ["application/json", "text/html", "application/x-ndjson"]
CODINGS = ["identity", "gzip", "br", "zstd", "gzip;q=0.5, br;q=0"]
HOSTS = ["one.localhost", "two.localhost:8000"]


class ProxyConnection(http.client.HTTPConnection):
    """A connection to nginx by its socket file."""

    def __init__(self, path: str):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def ask(connection: http.client.HTTPConnection, variant: tuple, **more: str) -> tuple:
    """Status, headers and body."""
    path, accept, coding, host = variant
    headers = {"Host": host, "Accept": accept, "Accept-Encoding": coding, **more}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def run(step: ClientStep) -> str:
    if time.monotonic() > step.deadline:
        raise Skipped("the time limit is reached")
    with Nginx(step.folder, CONFIGURATION, base=step.demo.base):
        return compare(step, ProxyConnection(str(step.folder / "server")))


def compare(step: ClientStep, proxy: ProxyConnection) -> str:
    direct = http.client.HTTPConnection(step.demo.base.removeprefix("http://"), timeout=30)
    variants = list(itertools.product(PATHS, ACCEPTS, CODINGS, HOSTS))
    # The date of the start is sent once it is past.
    while ask(direct, variants[0])[1]["last-modified"] is None:
        assert time.monotonic() < step.deadline, "no date"
        time.sleep(0.1)
    own = {variant: ask(direct, variant) for variant in variants}
    assert len({body for _, _, body in own.values()}) > len(PATHS) * len(ACCEPTS), "the variants do not differ"

    def agrees(variant: tuple) -> str:
        status, headers, body = ask(proxy, variant)
        wanted = own[variant]
        for name in ("content-type", "content-encoding", "etag", "vary", "last-modified"):
            assert headers[name] == wanted[1][name], f"{variant}: {name} {headers[name]!r}, not {wanted[1][name]!r}"
        assert (status, body) == (wanted[0], wanted[2]), f"{variant}: {status}, {len(body)} bytes"
        return f"{headers['x-cache']} {headers['x-upstream']}"

    # Once in order, to fill the cache, and once in reverse, to be served from it. nginx stores one variant of a URL under
    # the URL itself and may replace that one, so each is requested twice.
    for variant in variants:
        agrees(variant)
    for variant in reversed(variants):
        agrees(variant)
        state = agrees(variant)
        assert state != "MISS 200", f"nginx does not store {variant}"

    # Responses with a validator are revalidated when they expire after one second.
    waiting = [variant for variant in variants if own[variant][1]["etag"] is not None]
    revalidated = len(waiting)
    deadline = time.monotonic() + 60
    while waiting:
        assert time.monotonic() < deadline, f"not revalidated with 304: {waiting}"
        waiting = [variant for variant in waiting if agrees(variant) != "REVALIDATED 304"]
        time.sleep(0.1)
    for variant in variants:
        tag = own[variant][1]["etag"]
        if tag is not None:
            status, _, body = ask(proxy, variant, **{"If-None-Match": tag})
            assert (status, body) == (304, b""), f"{variant}: {status} instead of 304"
    assert revalidated > 0
    return f"nginx separates {len(variants)} variants and revalidates {revalidated} with 304"
