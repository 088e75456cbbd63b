#!/usr/bin/env python3
"""Requests per second of gitglot beside nginx serving the same bytes as static files.

    benches/serving/run.py REPOSITORY               starts `gitglot serve REPOSITORY`
    benches/serving/run.py --url http://HOST:PORT   measures a server that runs already

Fetches the pages, writes their bodies to files, starts an nginx of its own on a free
loopback port, and lets wrk ask both for pages at random, in turn. Needs the Debian
packages nginx-light, wrk and python3; nothing runs as a service, nothing stays behind.
"""

import argparse
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

LUA = """
local requests = {}
function init(arguments)
  for target in io.lines(arguments[1]) do
    requests[#requests + 1] = wrk.format("GET", target)
  end
  math.randomseed(os.time())
end
function request()
  return requests[math.random(#requests)]
end
function done(summary, latency, rates)
  local errors = summary.errors
  io.write(string.format("RESULT %f %d %d %d %d %d\\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50), latency:percentile(99),
    errors.status + errors.read + errors.write + errors.connect + errors.timeout,
    summary.bytes, summary.requests))
end
"""

NGINX = """
worker_processes 2;
daemon off;
pid nginx.pid;
error_log error.log warn;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_requests 1000000000;
  default_type application/json;
  types {{ }}
  {cache}
  client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
  uwsgi_temp_path temp; scgi_temp_path temp;
  server {{ listen 127.0.0.1:{port}; root www; }}
}}
"""

CACHE = "open_file_cache max=100000 inactive=1h; open_file_cache_valid 1h;"


class Side:
    """One of the servers that are compared."""

    def __init__(self, name, base, targets, processes):
        self.name = name
        self.base = base
        self.targets = targets
        self.processes = processes  # a function: their ids, for the processor time
        self.runs = {}

    def seconds(self):
        """User and system seconds spent so far, where the system tells."""
        spent = [0.0, 0.0]
        for process in self.processes():
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
                for index in (0, 1):
                    spent[index] += int(fields[11 + index]) / os.sysconf("SC_CLK_TCK")
        return spent

    def measure(self, connections, seconds, script):
        before = self.seconds()
        command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "-s", str(script), self.base, "--", str(self.targets)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = re.search(r"RESULT ([\d.]+) (\d+) (\d+) (\d+) (\d+) (\d+)", output)
        if not found:
            sys.exit(f"wrk gave no result for {self.name}:\n{output}")
        after = self.seconds()
        rate, median, slowest, errors, size, requests = map(float, found.groups())
        run = {
            "rate": rate,
            "p50": median,
            "p99": slowest,
            "errors": errors,
            "size": size / max(requests, 1),
            "user": (after[0] - before[0]) / max(requests, 1) * 1e6,
            "system": (after[1] - before[1]) / max(requests, 1) * 1e6,
        }
        self.runs.setdefault(connections, []).append(run)
        return run

    def median(self, connections, key):
        return statistics.median(run[key] for run in self.runs[connections])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, probe, seconds=600):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if probe():
                return
        time.sleep(0.05)
    sys.exit(f"{what} did not get ready in {seconds} s")


class Fetcher:
    """GETs over one connection, without any header that wrk would not send."""

    def __init__(self, base):
        self.host = urllib.parse.urlsplit(base).netloc
        self.connection = http.client.HTTPConnection(self.host)

    def get(self, target):
        self.connection.putrequest("GET", target, skip_accept_encoding=True)
        self.connection.endheaders()
        answer = self.connection.getresponse()
        return answer.status, answer.read()


@contextlib.contextmanager
def running(command, **options):
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def start_gitglot(stack, arguments, folder):
    state = folder / "state"
    command = [arguments.gitglot, "serve", arguments.repository, "--listen", "127.0.0.1:0", "--state-dir", str(state)]
    process = stack.enter_context(
        running(command, stdout=subprocess.PIPE, stderr=(folder / "gitglot.log").open("w"), text=True)
    )
    line = process.stdout.readline()
    found = re.match(r"listening on (http://\S+)", line)
    if not found:
        sys.exit(f"gitglot did not listen: {line or (folder / 'gitglot.log').read_text()}")
    base = found.group(1)
    wait_for("gitglot", lambda: Fetcher(base).get("/readyz")[0] == 200)
    return base, process.pid


def start_nginx(stack, folder, files, cache):
    port = free_port()
    folder.mkdir()
    (folder / "www").symlink_to(files)
    (folder / "nginx.conf").write_text(NGINX.format(port=port, cache=CACHE if cache else ""))
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    process = stack.enter_context(running(command))
    base = f"http://127.0.0.1:{port}"
    wait_for("nginx", lambda: Fetcher(base).get("/none")[0] == 404, 30)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    workers = lambda: children.read_text().split() if children.exists() else []
    return base, workers


def dump(base, pattern, most, files):
    """Writes the body of each page to a file; gives the targets asked for, in the files' order."""
    fetcher = Fetcher(base)
    status, body = fetcher.get(pattern.format(1))
    if status != 200:
        sys.exit(f"{base}{pattern.format(1)} answers {status}")
    with contextlib.suppress(ValueError, KeyError, ZeroDivisionError):
        page = json.loads(body)
        most = min(most, -(-page["count"] // len(page["results"])))
    targets = []
    for number in range(1, most + 1):
        target = pattern.format(number)
        status, body = fetcher.get(target)
        if status != 200:
            sys.exit(f"{base}{target} answers {status}")
        (files / str(number)).write_bytes(body)
        targets.append(target)
    return targets


def check_same(first, second):
    """A few pages of both sides, byte by byte."""
    ours = first.targets.read_text().split()
    theirs = second.targets.read_text().split()
    one, two = Fetcher(first.base), Fetcher(second.base)
    for index in range(0, len(ours), max(1, len(ours) // 50)):
        if one.get(ours[index]) != two.get(theirs[index]):
            sys.exit(f"{ours[index]}: {first.name} and {second.name} do not answer the same")


def report(sides, connections):
    ours = sides[0]
    print(f"\n{connections} connections, median of {len(ours.runs[connections])} runs")
    print(f"  {'':24}{'requests/s':>11}{'p50 µs':>9}{'p99 µs':>9}{'user µs':>9}{'system µs':>11}{'ratio':>8}  of each pair")
    for side in sides:
        middle = {key: side.median(connections, key) for key in ("rate", "p50", "p99", "user", "system", "errors")}
        line = f"  {side.name:24}{middle['rate']:11.0f}{middle['p50']:9.0f}{middle['p99']:9.0f}"
        line += f"{middle['user']:9.2f}{middle['system']:11.2f}"
        if side is not ours:
            pairs = [one["rate"] / two["rate"] for one, two in zip(ours.runs[connections], side.runs[connections])]
            line += f"{ours.median(connections, 'rate') / middle['rate']:8.3f}  {min(pairs):.3f} to {max(pairs):.3f}"
        errors = sum(run["errors"] for run in side.runs[connections])
        print(line + (f"  {errors:.0f} ERRORS" if errors else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", nargs="?", help="what gitglot shall serve: URL or path")
    parser.add_argument("--url", help="a server that runs already, instead of REPOSITORY")
    parser.add_argument("--pid", type=int, help="the process of --url, for its processor time")
    parser.add_argument("--gitglot", default="target/release/gitglot", help="the program (default: %(default)s)")
    parser.add_argument("--path", default="/api/units/?page={}", help="pages, {} is the number (default: %(default)s)")
    parser.add_argument("--pages", type=int, default=5000, help="at most so many (default: %(default)s)")
    parser.add_argument("--connections", default="32,64", help="default: %(default)s")
    parser.add_argument("--seconds", type=int, default=6, help="of one run (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each side (default: %(default)s)")
    arguments = parser.parse_args()
    if bool(arguments.repository) == bool(arguments.url):
        parser.error("give either REPOSITORY or --url")
    for program in ("wrk", "nginx"):
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
            sys.exit(f"{program} is missing: install the Debian packages nginx-light and wrk")

    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gitglot-serving-")))
        folder.chmod(0o755)  # nginx's workers may be another user
        files = folder / "pages"
        files.mkdir()
        if arguments.url:
            base, process = arguments.url.rstrip("/"), arguments.pid
        else:
            base, process = start_gitglot(stack, arguments, folder)

        targets = dump(base, arguments.path, arguments.pages, files)
        size = statistics.mean(path.stat().st_size for path in files.iterdir())
        print(f"{len(targets)} pages of {arguments.path}, {size:.0f} bytes on average")
        (folder / "ours.txt").write_text("\n".join(targets) + "\n")
        (folder / "files.txt").write_text("".join(f"/{number}\n" for number in range(1, len(targets) + 1)))
        (folder / "ask.lua").write_text(LUA)

        sides = [Side("gitglot", base, folder / "ours.txt", lambda: [process] if process else [])]
        for name, cache in (("nginx", False), ("nginx, open_file_cache", True)):
            address, workers = start_nginx(stack, folder / f"nginx-{cache}", files, cache)
            sides.append(Side(name, address, folder / "files.txt", workers))
        for side in sides[1:]:
            check_same(sides[0], side)

        for side in sides:
            side.measure(32, 2, folder / "ask.lua")  # to warm up
            side.runs.clear()
        for connections in map(int, arguments.connections.split(",")):
            for _ in range(arguments.rounds):
                for side in sides:
                    side.measure(connections, arguments.seconds, folder / "ask.lua")
            report(sides, connections)


if __name__ == "__main__":
    main()
