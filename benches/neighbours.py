#!/usr/bin/env python3
"""How long pushes to a small repository wait for what another repository of the same process contains.

    benches/neighbours.py [--program P] [--limit SECONDS] [--rounds N] [CASE...]

For each case, one process serves a small repository and one that is expensive to read. Each push to the latter is followed by
pushes to the small one, one after the other, until the former is visible and its checkpoint is written. Prints the longest time
until such a push is visible in the API, the processor time of the thread that all repositories share, how long the expensive push
itself takes, and the memory. Fails if a push waits for longer than the limit (1 second). Needs Python 3.9 or newer and git.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUIET_PUSHES = 4_000
COMPONENT = ("locales/*.json", "locales/en.json", "json")


def as_json(texts: "dict[str, str]") -> bytes:
    return json.dumps(texts, ensure_ascii=False, indent=0).encode()


def colliding(count: int) -> "list[str]":
    """Keys that one hash function without a secret maps to the same number (FxHash of rustc-hash 2.1)."""
    mask, first, second = (1 << 64) - 1, 0x243F6A8885A308D3, 0xA4093822299F31D0
    letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    chance = random.Random(1)
    while True:
        begin = bytes(chance.choice(letters) for _ in range(16))
        factors = [first ^ int.from_bytes(begin[:8], "little"), second ^ int.from_bytes(begin[8:], "little")]
        product = factors[0] * factors[1]
        middle = ((product & mask) ^ (product >> 64)).to_bytes(8, "little")
        if all(byte in letters for byte in middle):
            break
    keys = []
    for at in range(count):
        digits = b""
        for _ in range(8):
            digits += letters[at % 62 : at % 62 + 1]
            at //= 62
        keys.append((begin + b"B" * 16 + middle + digits + b"S" * 16).decode())
    return keys


# Each case yields its components and a function from the number of a push to its commits: lists of files, `None` for deleted ones.


def strings(count: int, order: bool = False, keys: "list[str] | None" = None):
    keys = keys or [f"key{at:07}" for at in range(count)]

    def push(number: int):
        shown = list(keys)
        if order:
            random.Random(number).shuffle(shown)
        # The first state is small, and the last push changes a single text.
        text = "Text" if number == 3 else f"Text {min(number, 2)}"
        shown = shown if number else shown[:10]
        files = {f"locales/{it}.json": as_json({key: f"{text} {it} {key[-9:]}" for key in shown}) for it in ("en", "cs")}
        return [files]

    return [COMPONENT], push


def one_line(count: int, kind: str):
    def unit(at: int, number: int) -> str:
        if kind == "xlf":
            return f'<trans-unit id="{at}"><source>OK {number}</source><target>OK</target></trans-unit>'
        return f"<context><name>C{at}</name><message><source>a {number}</source><translation>b</translation></message></context>"

    def push(number: int):
        units = "".join(unit(at, number) for at in range(count if number else 1))
        begin = '<xliff version="1.2"><file source-language="en" target-language="cs" datatype="plaintext" original="x"><body>'
        whole = {
            "xlf": f'<?xml version="1.0"?>{begin}{units}</body></file></xliff>',
            "ts": f'<?xml version="1.0"?><!DOCTYPE TS><TS version="2.1" language="cs">{units}</TS>',
        }
        return [{f"l/cs.{kind}": whole[kind].encode()}]

    return [(f"l/*.{kind}", None, {"xlf": "xliff", "ts": "ts"}[kind])], push


def moved(count: int, is_all: bool):
    """One string or all strings move between two components, forth and back."""

    def push(number: int):
        files = {}
        for at, folder in enumerate("ab"):
            for language in ("en", "cs"):
                own = range(count if is_all and number % 2 == at else 10 if is_all else count)
                texts = {f"{folder}{key:06}": f"Text {'' if is_all else folder} {language} {key}" for key in own}
                if number % 2 == at:
                    texts["moved"] = f"A string that moves {language}"
                files[f"{folder}/{language}.json"] = as_json(texts)
        return [files]

    return [(f"{it}/*.json", f"{it}/en.json", "json") for it in "ab"], push


def languages(count: int, keys: int):
    codes = [chr(97 + at // 26 % 26) + chr(97 + at % 26) + chr(97 + at // 676 % 26) for at in range(17, count + 17)]

    def push(number: int):
        own = range(keys if number else 10)
        text = lambda of: as_json({f"key{at:05}": f"Text {of} {number} {at}" for at in own})
        return [{f"locales/{of}.json": text(of) for of in ["en", *codes]}]

    return [COMPONENT], push


def commits(count: int, people: bool):
    def push(number: int):
        if not number:
            return [{"locales/en.json": as_json({"a": "x"}), "locales/cs.json": as_json({"a": "y"})}]
        made = []
        for at in range(count):
            name = f"Ann {number} {at}" if people else f"Ann {at % 3}"
            made.append({"locales/cs.json": as_json({"a": f"y {number} {at}"}), "": f"{name} <ann{number}.{at}@example.org>"})
        return made

    return [COMPONENT], push


def manifests(count: int):
    def push(number: int):
        files = {"locales/en.json": as_json({"a": f"x {number}"}), "locales/cs.json": as_json({"a": "y"})}
        content = json.dumps({"name": f"x{number}", "dependencies": {"i18next": "^23.0.0"}}).encode()
        files.update({f"packages/m{at}/package.json": content for at in range(count)})
        return [files]

    return [COMPONENT], push


def trees(width: int):
    """Files that are no translations, at up to seven directories."""

    def push(number: int):
        files = {"locales/en.json": as_json({"a": f"x {number}"}), "locales/cs.json": as_json({"a": "y"})}
        for at in range(width):
            files["d/" * (at % 7) + f"f{at}.json"] = f"{number}".encode()
        return [files]

    return [COMPONENT], push


def deep(depth: int, count: int):
    """Documents in directories of directories."""

    def push(number: int):
        path = lambda language, at: f"docs/{language}/" + "d/" * (depth * at // count) + f"f{at}.md"
        return [{path(language, at): f"# Text {number} {at}\n".encode() for language in ("en", "cs") for at in range(1, count + 1)}]

    return [("docs/*/**", "docs/en", "document")], push


def components(count: int, keys: int):
    """Components of one repository, whose texts all change."""

    def push(number: int):
        files = {}
        for at in range(count):
            for language in ("en", "cs"):
                texts = {f"key{key}": f"Text {language} {number} {key} {at}" for key in range(keys)}
                files[f"c{at}/{language}.json"] = as_json(texts)
        return [files]

    return [(f"c{at}/*.json", f"c{at}/en.json", "json") for at in range(count)], push


def texts(part: str, size: int):
    """Long texts that some checks or parsers may read again and again."""

    def push(number: int):
        long = part * (size // len(part) if number else 1)
        return [{f"locales/{of}.json": as_json({f"k{at}": f"{number} {long} {of}" for at in range(4)}) for of in ("en", "cs")}]

    return [COMPONENT], push


def renamed(count: int, keys: int):
    """All keys get other names, and all files other folders."""

    def push(number: int):
        files = {f"locales/{of}.json": as_json({f"{number}.key{at}": f"Text {of} {at % 50}" for at in range(keys)}) for of in LANGUAGES[:count]}
        return [files]

    return [COMPONENT], push


LANGUAGES = "en cs de es fr it ja ko nl pl pt ru sv tr uk fi da hu ro bg".split()
CASES = {
    "plain": lambda: strings(100),
    "million": lambda: strings(1_000_000),
    "shuffled": lambda: strings(300_000, order=True),
    "colliding": lambda: strings(40_000, keys=colliding(40_000)),
    "xliff-line": lambda: one_line(60_000, "xlf"),
    "ts-line": lambda: one_line(60_000, "ts"),
    "moved": lambda: moved(100_000, is_all=False),
    "all-moved": lambda: moved(50_000, is_all=True),
    "languages": lambda: languages(300, 5_000),
    "commits": lambda: commits(2_000, people=False),
    "people": lambda: commits(5_000, people=True),
    "manifests": lambda: manifests(100),
    "deep": lambda: deep(900, 50),
    "wide": lambda: trees(50_000),
    "components": lambda: components(100, 1_000),
    "renamed": lambda: renamed(20, 10_000),
    "braces": lambda: texts("{", 4 << 20),
    "tags": lambda: texts("<a b='", 4 << 20),
    "plurals": lambda: texts("{n, plural, other {", 4 << 20),
    "links": lambda: texts("[]( ", 4 << 20),
    "references": lambda: texts("$t(", 4 << 20),
}


def create(folder: Path, pushes: "list[list[dict[str, bytes | None]]]") -> "list[str]":
    """A bare repository with all pushes, of which the first one is its tip. Returns the tips."""
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", folder], check=True)
    command = ["git", "-C", folder, "-c", "fastimport.unpackLimit=0", "-c", "core.compression=1", "fast-import", "--quiet"]
    writer = subprocess.Popen(command, stdin=subprocess.PIPE)
    made, write = 0, writer.stdin.write
    for number, push in enumerate(pushes):
        for files in push:
            made += 1
            person = files.pop("", "Ann <ann@example.org>").encode() + b" %d +0000" % (1_700_000_000 + made)
            write(b"commit refs/heads/all\nauthor %s\ncommitter %s\ndata 1\nc\n" % (person, person))
            for path, content in files.items():
                if content is None:
                    write(b"D %s\n" % path.encode())
                else:
                    write(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content))
        write(b"reset refs/tips/%d\nfrom refs/heads/all\n\n" % number)
    writer.stdin.close()
    assert writer.wait() == 0
    refs = subprocess.run(["git", "-C", folder, "for-each-ref", "refs/tips", "--format=%(refname:lstrip=2) %(objectname)"], check=True, capture_output=True, text=True)
    tips = dict(line.split() for line in refs.stdout.splitlines())
    tips = [tips[str(number)] for number in range(len(pushes))]
    set_tip(folder, tips[0])
    return tips


def set_tip(folder: Path, tip: str) -> None:
    new = folder / "refs/heads/main.lock"
    new.write_text(tip + "\n")
    new.rename(folder / "refs/heads/main")


class Server:
    def __init__(self, program: Path, folder: Path, configured: "list"):
        config = ['poll_interval = "60s"']
        for project, path, of in configured:
            config.append(f'[[project]]\nslug = "{project}"')
            for at, (mask, template, file_format) in enumerate(of):
                config.append(f'[[project.component]]\nslug = "c{at}"\nrepo = "{path}"\nbranch = "main"\nfilemask = "{mask}"')
                config.append(f'file_format = "{file_format}"' + (f'\ntemplate = "{template}"' if template else ""))
        (folder / "config.toml").write_text("\n".join(config) + "\n")
        command = [program, "serve", "--config", folder / "config.toml", "--state-dir", folder / "state", "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen([*command, "--log-level", "error"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.base = self.process.stdout.readline().removeprefix("listening on ").strip()

    def get(self, path: str):
        try:
            with urllib.request.urlopen(self.base + path, timeout=120) as answer:
                return json.loads(answer.read())
        except OSError:
            return {}

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(self.base + "/readyz", timeout=120) as answer:
                return answer.status == 200
        except OSError:
            return False

    def revision(self, project: str) -> str:
        """The commit that the first component of a project shows."""
        return self.get(f"/api/components/{project}/c0/repository/").get("remote_commit", {}).get("revision", "")

    def quiet_text(self) -> str:
        units = self.get("/api/translations/quiet/c0/cs/units/").get("results") or [{}]
        return units[0].get("target") or ""

    def follower_seconds(self) -> float:
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        follower = next(task for task in tasks if (task / "comm").read_text().strip() == "follow")
        parts = (follower / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("VmHWM")), 0)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Quiet:
    """The small repository, and the pushes to it."""

    def __init__(self, folder: Path):
        self.folder, self.next = folder, 1
        text = lambda number: {"locales/en.json": as_json({"a": "Text"}), "locales/cs.json": as_json({"a": f"text {number}"})}
        self.tips = create(folder, [[text(number)] for number in range(QUIET_PUSHES)])

    def push(self, server: Server) -> float:
        """How long a push takes to be visible."""
        number, self.next = self.next, self.next + 1
        set_tip(self.folder, self.tips[number])
        started = time.monotonic()
        while server.quiet_text() != f"text {number}":
            time.sleep(0.01)
        return time.monotonic() - started


def measure(program: Path, name: str, rounds: int, limit: float) -> bool:
    chance = random.Random(name)
    with tempfile.TemporaryDirectory(prefix="gitglot-neighbours-") as folder:
        folder = Path(folder)
        quiet = Quiet(folder / "quiet.git")
        of, push = CASES[name]()
        tips = create(folder / "expensive.git", [push(number) for number in range(rounds + 1)])
        server = Server(program, folder, [("quiet", folder / "quiet.git", [COMPONENT]), ("expensive", folder / "expensive.git", of)])
        try:
            while not server.is_ready():
                time.sleep(0.1)
            alone = max(quiet.push(server) for _ in range(5))
            worst, own, processor = 0.0, [], server.follower_seconds()
            for tip in tips[1:]:
                set_tip(folder / "expensive.git", tip)
                started, until = time.monotonic(), None
                while until is None or time.monotonic() < until:
                    time.sleep(chance.random() * 0.4)
                    delay = quiet.push(server)
                    if delay > limit / 2:
                        print(f"  {name}: {delay:.2f} s after {time.monotonic() - started:.1f} s", flush=True)
                    worst = max(worst, delay)
                    if until is None and (server.revision("expensive") == tip or time.monotonic() > started + 300):
                        own.append(time.monotonic() - started)
                        # Until the checkpoint is written.
                        until = time.monotonic() + 12
            processor = server.follower_seconds() - processor
            times = " ".join(f"{it:.1f}" for it in own)
            print(f"{name}: others wait {worst:.2f} s at most ({alone:.2f} s alone); own pushes visible after {times} s; shared thread {processor:.2f} s; {server.memory()} MB", flush=True)
            return worst <= limit
        finally:
            server.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/gitglot")
    parser.add_argument("--limit", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("cases", nargs="*", help=" ".join(CASES))
    arguments = parser.parse_args()
    results = [measure(arguments.program.resolve(), name, arguments.rounds, arguments.limit) for name in arguments.cases or CASES]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
