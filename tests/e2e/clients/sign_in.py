"""A proxy that signs people in, as docs/sizing.md sets it up: nginx asks a server that plays oauth2-proxy."""

import hashlib
import re

from clients.prefix import Proxy, demo
from harness import ClientStep, Nginx, free_port

GUIDE = "docs/sizing.md"
# A session is a cookie with the name of the person.
AUTHENTICATION = """
    server {{
        listen 127.0.0.1:{sign_in};
        location = /oauth2/auth {{
            if ($cookie_session = "") {{ return 401; }}
            add_header X-Auth-Request-User $cookie_session always;
            add_header X-Auth-Request-Groups $cookie_groups always;
            return 202;
        }}
        location / {{ return 200 "sign in here"; }}
    }}
    server {{
        listen 127.0.0.1:{port};
        {guide}
    }}
"""
GRANTS = """
[[grant]]
name = "program"
token_sha256 = "{hash}"
projects = ["{first}"]

[[grant]]
name = "translators"
group = "l10n"
projects = ["{second}"]
"""


def run(step: ClientStep) -> str:
    first, second = [project["slug"] for project in step.demo.json("/api/projects/")["results"]]
    grants = step.folder / "grants.toml"
    grants.write_text(GRANTS.format(hash=hashlib.sha256(b"a-token").hexdigest(), first=first, second=second))
    headers = ["--user-header", "X-Forwarded-User", "--groups-header", "X-Forwarded-Groups"]
    with demo(step, "server", "--tokens", grants, "--trusted-proxies", "127.0.0.1", *headers) as server:
        guide = re.search(r"```nginx[^\n]*\n(.*?)```", (step.root / GUIDE).read_text(), re.DOTALL).group(1)
        port, sign_in = free_port(), free_port()
        guide = guide.replace("http://127.0.0.1:4180", f"http://127.0.0.1:{sign_in}")
        guide = guide.replace("http://127.0.0.1:8000", server.base)
        folder = step.folder / "nginx"
        folder.mkdir()
        with Nginx(folder, AUTHENTICATION, port=port, sign_in=sign_in, guide=guide):
            check(Proxy(port), first, second)
    return "nginx with auth_request"


def check(proxy: Proxy, first: str, second: str) -> None:
    def status(path: str, **headers: str) -> int:
        return proxy.get(path, "text/html", **headers)[0]

    forged = {"X-Forwarded-User": "ada", "X-Forwarded-Groups": "l10n"}
    for headers in ({}, forged):
        assert "sign in here" in proxy.get("/", "text/html", **headers)[2], headers
        assert status("/api/projects/", **headers) == 401, headers
    member = {"Cookie": "session=ada; groups=l10n"}
    assert status(f"/projects/{second}/", **member) == 200
    assert status(f"/projects/{first}/", **member) == 404
    assert f"/projects/{first}/" not in proxy.get("/", "text/html", **member)[2]
    assert status("/", Cookie="session=eve") == 403
    assert status("/", Cookie="session=eve", **forged) == 403
    token = {"Authorization": "Token a-token"}
    assert status(f"/api/projects/{first}/", **token) == 200
    assert status(f"/api/projects/{second}/", **token) == 404
