#!/usr/bin/env python3
"""Measures one process that serves many small repositories.

    benches/hosting/run.py [--program P] [--folder DIR] COUNT...

For each count, generates that many local repositories (5 to 20 languages, 10 to 50 commits), serves them, and prints
processor time and elapsed time of a cold start and a restart, memory at rest, the processor time of an idle minute,
how long a push and a reload of the configuration take to be served, the exit, and the size of `/`, `/metrics` and the state
directory; at the end, a table of all counts next to the goals and to the first measurement. The same arguments give the same
repositories; `--folder` keeps them for the next run. Memory counts for a build with jemalloc, as packages have.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = "cs de es fr it ja ko nl pl pt ru sv tr uk zh_Hans fi da hu ro".split()
WORDS = "filter page block window rule list open close save load site user name text time date file line word".split()
POLL_SECONDS, IDLE_SECONDS, SETTLE_SECONDS = 60, 60, 180
# Rows of the table: the first measurement with 500, 2,000 and 10,000 repositories, and the goal for 10,000.
BEFORE_COUNTS = (500, 2_000, 10_000)
TABLE = {
    "cold start, processor time": ("3.9 s", "14.7 s", "118 s", "40 s"),
    "restart": ("–", "10 s", "128 s", "15 s"),
    "idle, share of one core": ("2.5 %", "15.8 %", "90 %", "5 %"),
    "processor time per poll": ("3.0 ms", "4.7 ms", "9.8 ms", "0.1 ms"),
    "memory at rest": ("137 MB", "479 MB", "2,300 MB", "1,000 MB"),
    "push": ("–", "–", "48 to 103 s", "–"),
    "reload of the configuration": ("–", "3.0 s", "never", "1 s"),
    "`/`": ("–", "1,100 kB", "5,600 kB, 900 ms", "60 kB, 20 ms"),
    "`/metrics`": ("–", "2,600 kB", "12,900 kB", "1,000 kB"),
    "state per repository": ("–", "–", "–", "20 kB"),
}


def phrase(seed: int) -> str:
    return " ".join(WORDS[(seed * 7919 + at * 104_729) % len(WORDS)] for at in range(2 + seed % 5)) + f" {seed}"


def commits(number: int) -> "list[dict[str, str]]":
    """The files that each commit of a repository writes."""
    languages = ["en", *LANGUAGES[: 4 + number % 16]]
    keys, texts, written = 10 + number % 30, {}, []
    for commit in range(10 + number % 41):
        changed = languages if commit == 0 else [languages[(number + commit) % len(languages)]]
        for language in changed:
            of = texts.setdefault(language, {})
            new = range(keys) if commit == 0 else [(number * 31 + commit * 17) % keys]
            of.update({f"key{key}": phrase(number + key * 13 + commit * 7 + len(language)) for key in new})
        files = {f"locales/{it}.json": json.dumps(texts[it], indent=1) + "\n" for it in changed}
        written.append(files)
    return written


def generate(folder: Path, number: int) -> None:
    (folder / "refs/heads").mkdir(parents=True)
    (folder / "objects").mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
    out = []
    for at, files in enumerate(commits(number)):
        when = 1_500_000_000 + number * 1_000 + at * 86_400
        author = f"Translator {at % 7} <translator{at % 7}@example.org> {when} +0000"
        out.append(f"commit refs/heads/main\ncommitter {author}\ndata 6\nchange\n")
        for path, text in files.items():
            out.append(f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n")
    command = ["git", "-C", folder, "-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"]
    subprocess.run(command, input="".join(out).encode(), check=True)


def repositories(folder: Path, count: int) -> "list[Path]":
    found = [folder / f"{number // 1000:02}" / f"repository{number:05}.git" for number in range(count)]
    for number, path in enumerate(found):
        if not path.exists():
            temporary = path.with_suffix(".new")
            shutil.rmtree(temporary, ignore_errors=True)
            generate(temporary, number)
            temporary.rename(path)
    return found


def configuration(paths: "list[Path]") -> str:
    projects = [
        f'[[project]]\nslug = "project{number:05}"\nname = "Project {number}"\n[[project.component]]\nslug = "app"\n'
        f'repo = "{path}"\nbranch = "main"\nfilemask = "locales/*.json"\ntemplate = "locales/en.json"\nfile_format = "json"\n'
        for number, path in enumerate(paths)
    ]
    return "\n".join(projects)


def processor_seconds(pid: int) -> float:
    parts = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon")), 0)


class Server:
    """A running server and what its start took."""

    def __init__(self, program: Path, config: Path, state: Path):
        command = [program, "serve", "--config", config, "--state-dir", state, "--listen", "127.0.0.1:0"]
        command += ["--log-level", "error", "--poll-interval", f"{POLL_SECONDS}s"]
        started = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.base = self.process.stdout.readline().removeprefix("listening on ").strip()
        while not self.is_ready():
            assert self.process.poll() is None, "gitglot has ended"
            time.sleep(0.05)
        self.elapsed, self.seconds = time.monotonic() - started, self.processor()

    def is_ready(self) -> bool:
        try:
            return urllib.request.urlopen(self.base + "/readyz").status == 200
        except urllib.error.HTTPError:
            return False

    def processor(self) -> float:
        return processor_seconds(self.process.pid)

    def get(self, path: str) -> bytes:
        return urllib.request.urlopen(self.base + path, timeout=60).read()

    def wait_for(self, path: str, is_there) -> float:
        """Seconds until a response fulfils a condition."""
        begun = time.monotonic()
        while time.monotonic() - begun < 600:
            try:
                if is_there(self.get(path)):
                    return time.monotonic() - begun
            except urllib.error.HTTPError:
                pass
            time.sleep(0.01)
        return float("inf")

    def settle(self) -> float:
        """Seconds of processor time until nothing is left to do, such as checks and checkpoints, which follow a start."""
        begun, before = time.monotonic(), self.processor()
        while time.monotonic() - begun < SETTLE_SECONDS:
            last = self.processor()
            time.sleep(5)
            if self.processor() - last < 0.15:
                break
        return self.processor() - before

    def stop(self) -> float:
        """Seconds until it has ended."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        return time.monotonic() - begun


def push(repository: Path, text: str) -> None:
    """Commits a new text of the first key."""
    name = "locales/en.json"
    shown = subprocess.run(["git", "-C", repository, "show", f"main:{name}"], check=True, capture_output=True)
    texts = json.loads(shown.stdout)
    texts["key0"] = text
    body = json.dumps(texts, indent=1)
    author = f"Translator <translator@example.org> {int(time.time())} +0000"
    stream = f"commit refs/heads/main\ncommitter {author}\ndata 4\npush\nfrom refs/heads/main^0\n"
    stream += f"M 100644 inline {name}\ndata {len(body)}\n{body}\n"
    subprocess.run(["git", "-C", repository, "fast-import", "--quiet"], input=stream.encode(), check=True)


def measure(program: Path, folder: Path, count: int) -> "dict[str, str]":
    """Prints what a number of repositories costs. Returns the rows of the table."""
    paths, table = repositories(folder, count), {}
    with tempfile.TemporaryDirectory() as work:
        config, state = Path(work) / "gitglot.toml", Path(work) / "state"
        config.write_text(configuration(paths[:-1]))

        def row(name: str, value: str) -> None:
            print(f"{count:>6}  {name:<34} {value}", flush=True)

        server = Server(program, config, state)
        row("cold start", f"{server.elapsed:.1f} s, processor {server.seconds:.1f} s")
        table["cold start, processor time"] = f"{server.seconds:.1f} s"
        row("checks and checkpoints after it", f"processor {server.settle():.1f} s")
        server.stop()
        server = Server(program, config, state)
        row("restart", f"{server.elapsed:.1f} s, processor {server.seconds:.1f} s")
        table["restart"] = f"{server.elapsed:.1f} s"
        server.settle()
        before = server.processor()
        time.sleep(IDLE_SECONDS)
        idle = server.processor() - before
        share, poll = 100 * idle / IDLE_SECONDS, 1000 * idle * POLL_SECONDS / IDLE_SECONDS / count
        row("idle", f"{share:.1f} % of a core, {poll:.3f} ms per poll")
        table |= {"idle, share of one core": f"{share:.1f} %", "processor time per poll": f"{poll:.3f} ms"}
        table["memory at rest"] = f"{memory(server.process.pid) / 1e6:,.0f} MB"
        row("memory at rest", table["memory at rest"])
        for path in ("/", "/metrics"):
            begun = time.monotonic()
            size = len(server.get(path))
            table[f"`{path}`"] = f"{size / 1000:.0f} kB, {1000 * (time.monotonic() - begun):.0f} ms"
            row(path, table[f"`{path}`"])
        text = f"pushed {time.time()}"
        push(paths[7], text)
        units = "/api/translations/project00007/app/en/units/?page_size=1"
        table["push"] = f"{server.wait_for(units, lambda body: text.encode() in body):.2f} s"
        row("push", table["push"])
        config.write_text(configuration(paths))
        added = f"/api/components/project{count - 1:05}/app/"
        table["reload of the configuration"] = f"{server.wait_for(added, lambda _: True):.2f} s"
        row("reload with one more project", table["reload of the configuration"])
        row("exit", f"{server.stop():.2f} s")
        size = sum(file.stat().st_size for file in state.rglob("*") if file.is_file())
        table["state per repository"] = f"{size / 1000 / count:.1f} kB"
        row("state directory", f"{size / 1000 / count:.1f} kB per repository")
    return table


def print_table(measured: "dict[int, dict[str, str]]") -> None:
    """Prints all measurements next to those before, as Markdown."""
    before = [count for count in measured if count in BEFORE_COUNTS]
    heads = [f"{count:,} before" for count in before] + [f"{count:,}" for count in measured] + ["goal at 10,000"]
    print("", "| | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|", sep="\n")
    for name, values in TABLE.items():
        cells = [values[BEFORE_COUNTS.index(count)] for count in before]
        cells += [table[name] for table in measured.values()] + [values[-1]]
        print(f"| {name} | " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/gitglot", help="%(default)s")
    parser.add_argument("--folder", type=Path, help="directory of the generated repositories (default: a temporary one)")
    parser.add_argument("counts", metavar="COUNT", type=int, nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        print_table({count: measure(options.program, folder, count) for count in options.counts})


if __name__ == "__main__":
    sys.exit(main())
