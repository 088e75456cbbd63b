#!/usr/bin/env python3
"""Requests per second of gitglot and nginx serving the same bytes as static files.

    benches/serving/run.py REPOSITORY               starts `gitglot serve REPOSITORY`
    benches/serving/run.py --url http://HOST:PORT   measures a server that runs already
    benches/serving/run.py --apart REPOSITORY       gives the servers half of the cores and the load the other

Fetches the URLs of each case, writes the bodies to files, starts an nginx of its own on a
free loopback port, and lets wrk ask both at random, in turn. With --bare, the program of
`cargo build --release --example bare_server`, a server of nothing but hyper takes part, too.
Needs the Debian packages nginx-light, wrk and python3; nothing runs as a service, nothing
stays behind.
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
  for line in io.lines(arguments[1]) do
    local target, name, value = line:match("^(%S+)%s?(%S*)%s?(.*)$")
    local headers = { Host = wrk.headers["Host"] }
    if name ~= "" then headers[name] = value end
    requests[#requests + 1] = wrk.format("GET", target, headers)
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
worker_processes {workers};
daemon off;
pid nginx.pid;
error_log error.log warn;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_requests 1000000000;
  default_type application/json;
  types {{ }}
  gzip_static on;
  gzip_vary on;
  open_file_cache max=100000 inactive=1h;
  open_file_cache_valid 1h;
  client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
  uwsgi_temp_path temp; scgi_temp_path temp;
  server {{ listen 127.0.0.1:{port}; root www; }}
}}
"""

# The requests: URL with {} for a number, and the header that goes with it.
CASES = {
    "units": ("/api/units/?page={}", None),
    "changes": ("/api/changes/?page={}", None),
    "translations": ("/api/translations/?page={}", None),
    "unit": ("/api/units/{}/", None),
    "304": ("/api/units/?page={}", "If-None-Match"),
    "gzip": ("/api/units/?page={}", "Accept-Encoding"),
}


class Cores:
    """Which cores the servers have and which the load: all for both, or half of them each."""

    def __init__(self, apart, threads):
        every = sorted(os.sched_getaffinity(0))
        half = len(every) // 2
        if apart and not half:
            sys.exit("--apart wants two cores at least")
        self.servers, self.load = (set(every[:half]), set(every[half:])) if apart else (set(every), set(every))
        self.workers = half if apart else 2
        self.threads = threads or self.workers

    def for_servers(self):
        os.sched_setaffinity(0, self.servers)

    def for_load(self):
        os.sched_setaffinity(0, self.load)


class Side:
    """One of the two servers."""

    def __init__(self, cores, name, base, processes):
        self.cores = cores
        self.name = name
        self.base = base
        self.processes = processes  # a function: their ids, for the processor time
        self.runs = []

    def seconds(self):
        """User and system seconds spent so far, if available."""
        spent = [0.0, 0.0]
        for process in self.processes():
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
                for index in (0, 1):
                    spent[index] += int(fields[11 + index]) / os.sysconf("SC_CLK_TCK")
        return spent

    def measure(self, requests, connections, seconds, script):
        before = self.seconds()
        command = ["wrk", f"-t{self.cores.threads}", f"-c{connections}", f"-d{seconds}s", "-s", str(script), self.base]
        command += ["--", str(requests)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=self.cores.for_load)
        output = ran.stdout
        found = re.search(r"RESULT ([\d.]+) (\d+) (\d+) (\d+) (\d+) (\d+)", output)
        if not found:
            sys.exit(f"wrk gave no result for {self.name}:\n{output}")
        after = self.seconds()
        rate, median, slowest, errors, size, answers = map(float, found.groups())
        self.runs.append(
            {
                "rate": rate,
                "p50": median,
                "p99": slowest,
                "errors": errors,
                "user": (after[0] - before[0]) / max(answers, 1) * 1e6,
                "system": (after[1] - before[1]) / max(answers, 1) * 1e6,
            }
        )

    def median(self, key):
        return statistics.median(run[key] for run in self.runs)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(name, probe, seconds=600):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if probe():
                return
        time.sleep(0.05)
    sys.exit(f"{name} did not get ready in {seconds} s")


class Fetcher:
    """GETs over one connection, without any header that wrk would not send."""

    def __init__(self, base):
        self.host = urllib.parse.urlsplit(base).netloc
        self.connection = http.client.HTTPConnection(self.host)

    def get(self, target, header=None):
        """Status, headers and body."""
        self.connection.putrequest("GET", target, skip_accept_encoding=True)
        if header:
            self.connection.putheader(*header)
        self.connection.endheaders()
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def expect(self, status, target, header=None):
        """Headers and body of an answer that must have that status."""
        found, headers, body = self.get(target, header)
        if found != status:
            sys.exit(f"{self.host}{target} answers {found}, not {status}")
        return headers, body


@contextlib.contextmanager
def running(command, **options):
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def start_gitglot(stack, arguments, folder, cores):
    state = folder / "state"
    command = [arguments.gitglot, "serve", arguments.repository, "--listen", "127.0.0.1:0", "--state-dir", str(state)]
    log = (folder / "gitglot.log").open("w")
    options = {"stdout": subprocess.PIPE, "stderr": log, "text": True, "preexec_fn": cores.for_servers}
    process = stack.enter_context(running(command, **options))
    line = process.stdout.readline()
    found = re.match(r"listening on (http://\S+)", line)
    if not found:
        sys.exit(f"gitglot did not listen: {line or (folder / 'gitglot.log').read_text()}")
    base = found.group(1)
    wait_for("gitglot", lambda: Fetcher(base).get("/readyz")[0] == 200)
    return base, process.pid


def start_nginx(stack, folder, files, cores):
    port = free_port()
    folder.mkdir()
    (folder / "www").symlink_to(files)
    (folder / "nginx.conf").write_text(NGINX.format(port=port, workers=cores.workers))
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    process = stack.enter_context(running(command, preexec_fn=cores.for_servers))
    base = f"http://127.0.0.1:{port}"
    wait_for("nginx", lambda: Fetcher(base).get("/none")[0] == 404, 30)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    workers = lambda: children.read_text().split() if children.exists() else []
    return base, workers


def start_bare(stack, program, files, cores):
    """The server of nothing but hyper, with the files that exist now."""
    command = [program, str(files), str(cores.workers)]
    options = {"stdout": subprocess.PIPE, "text": True, "preexec_fn": cores.for_servers}
    process = stack.enter_context(running(command, **options))
    base = process.stdout.readline().removeprefix("listening on ").strip()
    return base, lambda: [process.pid]


def how_many(fetcher, pattern):
    """The numbers that a pattern can have."""
    _, body = fetcher.expect(200, pattern.format(1) if "page" in pattern else pattern.split("{")[0])
    page = json.loads(body)
    return -(-page["count"] // len(page["results"])) if "page" in pattern else page["count"]


class Case:
    """The requests for both sides: files with a target and a header on each line."""

    def __init__(self, name, ours, folder, most):
        self.name = name
        self.pattern, self.header = CASES[name]
        self.folder = folder
        files = folder / "pages" / name
        files.mkdir(parents=True)
        fetcher = Fetcher(ours.base)
        self.targets, self.sizes = [], []
        header = (self.header, "gzip") if self.header == "Accept-Encoding" else None
        for number in range(1, min(most, how_many(fetcher, self.pattern)) + 1):
            target = self.pattern.format(number)
            headers, body = fetcher.expect(200, target, header)
            packed = headers.get("Content-Encoding") == "gzip"
            (files / (f"{number}.gz" if packed else str(number))).write_bytes(body)
            self.targets.append((target, f"/{name}/{number}"))
            self.sizes.append(len(body))

    def requests(self, side, ours):
        """The file with the requests of wrk for that side; a sample of both sides is compared byte by byte before."""
        theirs, own = Fetcher(side.base), Fetcher(ours.base)
        path = self.folder / f"{side.name}-{self.name}.txt"
        lines = []
        for index, pair in enumerate(self.targets):
            target = pair[0 if side is ours else 1]
            value = None
            if self.header == "Accept-Encoding":
                value = "gzip"
            elif self.header:
                value = theirs.expect(200, target)[0]["ETag"]
            header = (self.header, value) if value else None
            if index % max(1, len(self.targets) // 50) == 0:
                body = theirs.expect(304 if self.name == "304" else 200, target, header)[1]
                plain = header if self.name == "gzip" else None
                if self.name != "304" and body != own.expect(200, pair[0], plain)[1]:
                    sys.exit(f"{pair[0]}: {ours.name} and {side.name} do not answer the same")
            lines.append(" ".join([target, *(header or ())]))
        path.write_text("\n".join(lines) + "\n")
        return path


def report(case, connections, sides):
    """Prints the medians of each side; those of the first with their ratio to the others."""
    for side in sides:
        line = f"{case.name:13}{connections:5} {side.name:8}{side.median('rate'):10.0f}"
        line += "".join(f"{side.median(key):9.0f}" for key in ("p50", "p99"))
        line += "".join(f"{side.median(key):9.2f}" for key in ("user", "system"))
        if side is not sides[0]:
            ours, theirs = sides[0], side
            pairs = [one["rate"] / two["rate"] for one, two in zip(ours.runs, theirs.runs)]
            line += f"{ours.median('rate') / theirs.median('rate'):8.3f} ({min(pairs):.2f} to {max(pairs):.2f})"
            line += f"{ours.median('p99') / theirs.median('p99'):8.2f}"
        errors = sum(run["errors"] for run in side.runs)
        print(line + (f"  {errors:.0f} ERRORS" if errors else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", nargs="?", help="the repository to serve: URL or path")
    parser.add_argument("--url", help="a server that runs already, instead of REPOSITORY")
    parser.add_argument("--pid", type=int, help="the process of --url, for its processor time")
    parser.add_argument("--gitglot", default="target/release/gitglot", help="the program (default: %(default)s)")
    parser.add_argument("--bare", help="the server of nothing but hyper; cases without a header only")
    parser.add_argument("--cases", default=",".join(CASES), help="the cases to run (default: %(default)s)")
    parser.add_argument("--targets", type=int, default=5000, help="maximum number of requests per case (default: %(default)s)")
    parser.add_argument("--connections", default="32,512", help="default: %(default)s")
    parser.add_argument("--seconds", type=int, default=3, help="of one run (default: %(default)s)")
    parser.add_argument("--apart", action="store_true", help="half of the cores for each server, half for the load")
    parser.add_argument("--threads", type=int, help="threads of the load (default: the cores that it has)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each side (default: %(default)s)")
    arguments = parser.parse_args()
    if bool(arguments.repository) == bool(arguments.url):
        parser.error("give either REPOSITORY or --url")
    if arguments.apart and arguments.url:
        parser.error("--apart is for a server that is started here: give REPOSITORY")
    unknown = set(arguments.cases.split(",")) - set(CASES)
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    for program in ("wrk", "nginx"):
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
            sys.exit(f"{program} is missing: install the Debian packages nginx-light and wrk")

    cores = Cores(arguments.apart, arguments.threads)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gitglot-serving-")))
        folder.chmod(0o755)  # nginx's workers may be another user
        (folder / "pages").mkdir()
        (folder / "ask.lua").write_text(LUA)
        if arguments.url:
            base, process = arguments.url.rstrip("/"), arguments.pid
        else:
            base, process = start_gitglot(stack, arguments, folder, cores)
        ours = Side(cores, "gitglot", base, lambda: [process] if process else [])
        theirs = Side(cores, "nginx", *start_nginx(stack, folder / "nginx", folder / "pages", cores))

        print(f"{'case':13}{'conn.':>5} {'':8}{'requests/s':>10}{'p50 µs':>9}{'p99 µs':>9}", end="")
        print(f"{'user µs':>9}{'sys. µs':>9}{'ratio':>8} of each pair {'p99 ratio':>12}")
        for name in arguments.cases.split(","):
            case = Case(name, ours, folder, arguments.targets)
            print(f"{name}: {len(case.targets)} of {case.pattern}, {statistics.mean(case.sizes):.0f} bytes on average")
            sides = [ours, theirs]
            if arguments.bare and not case.header:
                sides.append(Side(cores, "hyper", *start_bare(stack, arguments.bare, folder / "pages", cores)))
            requests = [(side, case.requests(side, ours)) for side in sides]
            for side, asked in requests:
                side.measure(asked, 32, 1, folder / "ask.lua")  # to warm up
            for connections in map(int, arguments.connections.split(",")):
                for side in sides:
                    side.runs = []
                for _ in range(arguments.rounds):
                    for side, asked in requests:
                        side.measure(asked, connections, arguments.seconds, folder / "ask.lua")
                report(case, connections, sides)


if __name__ == "__main__":
    main()
