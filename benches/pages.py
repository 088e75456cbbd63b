#!/usr/bin/env python3
"""How large pages for people are, and how long it takes to make one, on a repository of one's own.

    benches/pages.py PROGRAM REPOSITORY [FLAG...]

Starts `PROGRAM serve REPOSITORY FLAG...` without a response cache, so that every request renders its page, requests
for a page of each kind over one connection, and prints for each its bytes, its bytes as they are sent to a browser, the
median time of an answer, and how many a single client gets in a second. Needs Python 3.9 or newer and nothing else.
"""

import http.client
import json
import subprocess
import sys
import tempfile
import time
from statistics import median

# Requests for each page, after one that is not counted.
ROUNDS = 30


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    program, repository, *flags = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="gitglot-pages-") as state:
        command = [program, "serve", repository, "--listen", "127.0.0.1:0", "--state-dir", state]
        command += ["--cache-size", "0MB", "--log-level", "error", *flags]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as server:
            try:
                line = server.stdout.readline()
                if not line.startswith("listening on http://"):
                    print(f"unexpected output {line!r}", file=sys.stderr)
                    return 1
                measure(line.removeprefix("listening on http://").strip())
            finally:
                server.terminate()
    return 0


def measure(address: str) -> None:
    connection = http.client.HTTPConnection(address, timeout=60)

    def ask(path: str, **headers: str) -> "tuple[int, bytes]":
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    for _ in range(6000):
        if ask("/readyz")[0] == 200:
            break
        time.sleep(0.1)
    print(f"{'page':44} {'bytes':>7} {'sent':>7} {'median':>9} {'per second':>11}")
    for name, path in pages(ask):
        status, body = ask(path)
        if status != 200:
            print(f"{name:44} status {status} at {path}")
            continue
        sent = len(ask(path, **{"Accept-Encoding": "br"})[1])
        times = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            ask(path)
            times.append(time.perf_counter() - begun)
        print(f"{name:44} {len(body):7} {sent:7} {median(times) * 1000:6.2f} ms {len(times) / sum(times):11.0f}")


def pages(ask) -> "list[tuple[str, str]]":
    """A page of each kind: of the component with the most strings, in a language in its middle."""

    def entries(path: str) -> list:
        return json.loads(ask(path)[1])["results"]

    counted = []
    for component in entries("/api/components/?page_size=100"):
        project, slug = component["project"]["slug"], component["slug"]
        translations = entries(f"/api/components/{project}/{slug}/translations/?page_size=1000")
        counted.append((sum(each["total"] for each in translations), project, slug, translations))
    _, project, component, translations = max(counted, key=lambda found: found[:3])
    code = sorted(translations, key=lambda each: each["translated"])[len(translations) // 2]["language"]["code"]
    where = f"{project}/{component}/{code}"
    unit = entries(f"/api/translations/{where}/units/?page_size=1")[0]
    checksum = unit["web_url"].rsplit("?", 1)[1]
    return [
        ("start", "/"),
        ("project", f"/projects/{project}/"),
        ("component", f"/projects/{project}/{component}/"),
        ("translation", f"/projects/{where}/"),
        ("list of strings", f"/translate/{where}/"),
        ("list of strings, the last page", f"/translate/{where}/?page=last"),
        ("search in a list", f"/translate/{where}/?q=and"),
        ("string", f"/translate/{where}/?{checksum}"),
        ("languages", "/languages/"),
        ("language", f"/languages/{code}/"),
        ("language in the project", f"/languages/{code}/{project}/"),
        ("invitation", f"/engage/{project}/"),
        ("changes", "/changes/"),
        ("changes of a language by action", f"/changes/?lang={code}&action=5"),
        ("history, pictures", f"/stats/{project}/"),
        ("history, numbers", f"/stats/{project}/?show=numbers"),
        ("history, map", f"/stats/{project}/?show=map"),
        ("history, contributors", f"/stats/{project}/?show=people"),
        ("history of a language", f"/stats/{project}/{code}/"),
        ("checks", "/checks/"),
        ("check", "/checks/same/"),
        ("search, found at once", "/search/?q=a"),
        ("search without results", "/search/?q=zzzzzzzz"),
        ("badges", f"/widgets/{project}/"),
        ("badge", f"/widgets/{project}/-/svg-badge.svg"),
        ("style sheet", "/static/style.css"),
        ("script", "/static/script.js"),
    ]


if __name__ == "__main__":
    sys.exit(main())
