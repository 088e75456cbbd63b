"""Reverse proxies that serve gitglot below a path: links, redirects, the document, pages and files stay below it."""

import http.client
import json
import re
import shutil
import socket
import subprocess
import time
import urllib.parse

from harness import ClientStep, Nginx, Skipped

PREFIX = "/l10n"
NGINX = """
    server {{
        listen 127.0.0.1:{port};
        location {prefix}/ {{
            proxy_pass {base}/;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-Proto http;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Prefix {prefix};
        }}
    }}
"""
HAPROXY = """
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend proxy
    bind 127.0.0.1:{port}
    http-request set-header X-Forwarded-Prefix {prefix}
    http-request set-header X-Forwarded-For %[src]
    http-request replace-path {prefix}(/.*) \\1
    default_backend own
backend own
    server own {address}
"""
PAGES = ["/", "/projects/", "/projects/reading-lamp/", "/widgets/reading-lamp/", "/languages/", "/changes/", "/api/docs/"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """A client of the proxy."""

    def __init__(self, port: int):
        self.host = f"127.0.0.1:{port}"

    def get(self, path: str, accept: str) -> tuple:
        connection = http.client.HTTPConnection(self.host, timeout=30)
        connection.request("GET", path, headers={"Accept": accept})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode(errors="replace")


def check(proxy: Proxy) -> int:
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
            if urllib.parse.urlsplit(link).netloc == proxy.host:
                assert link.startswith(f"{base}/"), f"{link} in {path}"
                if "/api/" in link and not link.endswith("/file/"):
                    waiting.append(link.removeprefix(f"http://{proxy.host}"))
    for page in PAGES:
        status, _, body = proxy.get(PREFIX + page, "text/html")
        assert status == 200, f"{page}: {status}"
        for link in set(re.findall(r'(?:href|src|action)="(/[^"]*)"', body)) if page != "/api/docs/" else ():
            assert link.startswith(f"{PREFIX}/"), f"{link} in {page}"
            status, _, _ = proxy.get(link, "text/html")
            assert status in (200, 301, 302), f"{link} in {page}: {status}"
            seen.add(link)
    document = json.loads(proxy.get(f"{PREFIX}/api/openapi.json", "application/json")[2])
    assert document["servers"] == [{"url": base}], document["servers"]
    for path in ("/api/units", "/projects"):
        status, headers, _ = proxy.get(PREFIX + path, "*/*")
        assert (status, headers["location"]) == (301, f"{PREFIX}{path}/"), (path, status, headers["location"])
    return len(seen)


def wait(port: int, process: subprocess.Popen) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert process.poll() is None and time.monotonic() < end, "the proxy does not start"
            time.sleep(0.05)


def run(step: ClientStep) -> str:
    port = free_port()
    with Nginx(step.folder, NGINX, base=step.demo.base, port=port, prefix=PREFIX):
        found = [f"nginx ({check(Proxy(port))} links)"]
    program = shutil.which("haproxy", path="/usr/sbin:/usr/bin")
    if program is None:
        return f"{found[0]}; HAProxy is not installed"
    port = free_port()
    file = step.folder / "haproxy.cfg"
    file.write_text(HAPROXY.format(port=port, prefix=PREFIX, address=step.demo.base.removeprefix("http://")))
    process = subprocess.Popen([program, "-db", "-f", file], stdin=subprocess.DEVNULL)
    try:
        wait(port, process)
        found.append(f"HAProxy ({check(Proxy(port))} links)")
    finally:
        process.terminate()
        process.wait(30)
    return " and ".join(found)
