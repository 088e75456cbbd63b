"""Reverse proxies that serve gitglot below a path: links, redirects, the document, pages, files and cookies stay below it."""

import contextlib
import http.client
import json
import re
import urllib.parse

from harness import ClientStep, Demo, HaProxy, Nginx, Skipped, free_port

PREFIX = "/l10n"
# A proxy that removes the prefix; `headers` name it to the server.
NGINX = """
    server {{
        listen 127.0.0.1:{port};
        location {prefix}/ {{
            proxy_pass {base}/;
            proxy_http_version 1.1;
            {headers}
        }}
    }}
"""
X_FORWARDED = """
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-Proto {scheme};
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Prefix {prefix};
"""
HAPROXY = """
frontend proxy
    bind 127.0.0.1:{port}
    http-request set-header X-Forwarded-Prefix {prefix}
    {forwarded}
    http-request replace-path {prefix}(/.*) \\1
    default_backend own
backend own
    server own {address}
"""
# The two ways to name the client, and the host that it asked for.
X_FORWARDED_FOR = "http-request set-header X-Forwarded-For %[src]"
FORWARDED = (
    'http-request set-header Forwarded "for=%[src];proto=http;host=\\"%[req.hdr(Host)]\\""\n'
    "    http-request set-header Host wrong.localhost"
)
PAGES = ["/", "/projects/", "/projects/reading-lamp/", "/widgets/reading-lamp/", "/languages/", "/changes/", "/api/docs/"]
TOKEN = "a-long-read-token"


class Proxy:
    """A client of the proxy."""

    def __init__(self, port: int):
        self.host = f"127.0.0.1:{port}"

    def get(self, path: str, accept: str = "*/*", method: str = "GET", body: "str | None" = None, **more: str) -> tuple:
        connection = http.client.HTTPConnection(self.host, timeout=30)
        connection.request(method, path, body=body, headers={"Accept": accept, **more})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode(errors="replace")


def check(proxy: Proxy) -> str:
    """Follows the links of the API and of pages; how many there were."""
    base = f"http://{proxy.host}{PREFIX}"
    seen, waiting = set(), [f"{PREFIX}/api/", f"{PREFIX}/api/units/?page_size=5", f"{PREFIX}/api/changes/?page_size=5"]
    while waiting and len(seen) < 150:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        status, _, body = proxy.get(path, "application/json")
        assert status == 200, f"{path}: {status}"
        for link in re.findall(r'"(http://[^"]*)"', body):
            # All links of the demo that do not lead to repository hosts.
            if urllib.parse.urlsplit(link).netloc.startswith(("127.0.0.1", "wrong")):
                assert link.startswith(f"{base}/"), f"{link} in {path}"
                if "/api/" in link and not link.endswith("/file/"):
                    waiting.append(link.removeprefix(f"http://{proxy.host}"))
    for page in PAGES:
        status, _, body = proxy.get(PREFIX + page, "text/html")
        assert status == 200, f"{page}: {status}"
        for link in set(re.findall(r'(?:href|src|action)="(/[^"]*)"', body)):
            assert link.startswith(f"{PREFIX}/"), f"{link} in {page}"
            status, _, _ = proxy.get(link, "text/html")
            assert status in (200, 301, 302), f"{link} in {page}: {status}"
            seen.add(link)
    document = json.loads(proxy.get(f"{PREFIX}/api/openapi.json", "application/json")[2])
    assert document["servers"] == [{"url": base}], document["servers"]
    for path in ("/api/units", "/projects"):
        status, headers, _ = proxy.get(PREFIX + path)
        assert (status, headers["location"]) == (301, f"{PREFIX}{path}/"), (path, status, headers["location"])
    return f"({len(seen)} links)"


def check_cookie(proxy: Proxy, secure: bool) -> str:
    """Signs in with a browser: the cookie is for the prefix, and only for HTTPS if the client uses it."""
    status, _, body = proxy.get(f"{PREFIX}/projects/", "text/html")
    assert status == 401 and f'action="{PREFIX}/sign-in/"' in body, (status, body[:500])
    form = urllib.parse.urlencode({"token": TOKEN, "next": "/projects/"})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    status, headers, _ = proxy.get(f"{PREFIX}/sign-in/", "text/html", "POST", form, **kind)
    assert (status, headers["location"]) == (303, f"{PREFIX}/projects/"), (status, headers["location"])
    value, *attributes = headers["set-cookie"].split("; ")
    assert f"Path={PREFIX}/" in attributes and ("Secure" in attributes) == secure, headers["set-cookie"]
    status, _, body = proxy.get(f"{PREFIX}/projects/", "text/html", Cookie=value)
    assert status == 200, status
    status, headers, _ = proxy.get(f"{PREFIX}/sign-out/", "text/html", Cookie=value)
    assert (status, headers["location"]) == (303, f"{PREFIX}/sign-in/"), (status, headers["location"])
    assert f"Path={PREFIX}/" in headers["set-cookie"] and "Max-Age=0" in headers["set-cookie"]
    return ""


@contextlib.contextmanager
def nginx(step: ClientStep, name: str, base: str, headers: str):
    folder, port = step.folder / name, free_port()
    folder.mkdir()
    with Nginx(folder, NGINX, base=base, port=port, prefix=PREFIX, headers=headers):
        yield Proxy(port)


@contextlib.contextmanager
def haproxy(step: ClientStep, forwarded: str):
    address = step.demo.base.removeprefix("http://")
    with HaProxy(step.folder, HAPROXY, free_port(), prefix=PREFIX, address=address, forwarded=forwarded) as proxy:
        yield Proxy(proxy.port)


def demo(step: ClientStep, name: str, *arguments) -> Demo:
    folder = step.folder / name
    folder.mkdir()
    return Demo(step.demo.program, folder, *arguments)


def run(step: ClientStep) -> str:
    found = []
    headers = X_FORWARDED.format(scheme="http", prefix=PREFIX)
    with nginx(step, "nginx", step.demo.base, headers) as proxy:
        found.append(f"nginx {check(proxy)}")
    # A base URL with a path needs no headers, but the port must be known before.
    port, folder = free_port(), step.folder / "nginx-base"
    folder.mkdir()
    with demo(step, "base", "--base-url", f"http://127.0.0.1:{port}{PREFIX}") as server:
        with Nginx(folder, NGINX, base=server.base, port=port, prefix=PREFIX, headers=""):
            found.append(f"nginx with --base-url {check(Proxy(port))}")
    tokens = step.folder / "tokens"
    tokens.write_text(f"{TOKEN}\n")
    with demo(step, "signed", "--tokens", tokens, "--trusted-proxies", "127.0.0.1") as server:
        for scheme in ("http", "https"):
            headers = X_FORWARDED.format(scheme=scheme, prefix=PREFIX)
            with nginx(step, f"nginx-{scheme}", server.base, headers) as proxy:
                check_cookie(proxy, secure=scheme == "https")
    found.append("cookies")
    try:
        for name, forwarded in (("X-Forwarded-For", X_FORWARDED_FOR), ("Forwarded", FORWARDED)):
            with haproxy(step, forwarded) as proxy:
                found.append(f"HAProxy with {name} {check(proxy)}")
    except Skipped as reason:
        found.append(str(reason))
    return ", ".join(found)
