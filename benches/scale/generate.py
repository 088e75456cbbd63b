#!/usr/bin/env python3
"""Generates large repositories for the benchmarks of scale.

    benches/scale/generate.py wide FOLDER [LANGUAGES] [KEYS]     many strings in few commits
    benches/scale/generate.py long FOLDER [COMMITS]              many commits, nine in ten of which change a small file

Both create a bare repository with the files `locales/LANGUAGE.json`. The same arguments give the same commits.
"""

import subprocess
import sys
from pathlib import Path

WORDS = "filter page block window rule list open close save load site user name text time date file line word".split()
# The repository of many commits: languages, keys of a file, and how often a commit changes no translation file.
LANGUAGES, KEYS, OTHER_EVERY = 20, 30, 10


class Import:
    """`git fast-import` into a new bare repository."""

    def __init__(self, folder: Path):
        subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", folder], check=True)
        command = ["git", "-C", folder, "fast-import", "--quiet", "--depth=50", "--max-pack-size=8g"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE)
        self.clock = 1_500_000_000

    def commit(self, number: int, files: "dict[str, str]") -> None:
        self.clock += 60
        message = f"change {number}"
        author = f"Translator {number % 100} <translator{number % 100}@example.org> {self.clock} +0000"
        out = [f"commit refs/heads/main\ncommitter {author}\ndata {len(message)}\n{message}\n"]
        for path, text in files.items():
            out.append(f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n")
        self.process.stdin.write("".join(out).encode())

    def finish(self) -> None:
        self.process.stdin.close()
        assert self.process.wait() == 0, "git fast-import has failed"


def language(number: int) -> str:
    """A language code: `en`, then `aa`, `ab` …"""
    return "en" if number == 0 else chr(97 + number // 26) + chr(97 + number % 26) + "x"


def text(seed: int) -> str:
    return " ".join(WORDS[(seed * 7919 + at * 104_729) % len(WORDS)] for at in range(3 + seed % 6)) + f" {seed}"


def file(texts: "dict[str, str]") -> str:
    return "{\n" + ",\n".join(f' "{key}": "{value}"' for key, value in texts.items()) + "\n}\n"


def wide(folder: Path, languages: int = 100, keys: int = 100_000) -> None:
    repository = Import(folder)
    for number in range(languages):
        texts = {f"key{at}": text(at if number == 0 else at * 31 + number) for at in range(keys)}
        repository.commit(number, {f"locales/{language(number)}.json": file(texts)})
    repository.finish()


def long(folder: Path, commits: int = 1_000_000) -> None:
    repository = Import(folder)
    files = [{f"key{at}": text(at + number) for at in range(KEYS)} for number in range(LANGUAGES)]
    repository.commit(0, {f"locales/{language(at)}.json": file(texts) for at, texts in enumerate(files)})
    for number in range(1, commits):
        if number % OTHER_EVERY == 0:
            repository.commit(number, {"README.md": f"{number}\n"})
            continue
        at = 1 + number % (LANGUAGES - 1)
        files[at][f"key{number * 7 % KEYS}"] = text(number)
        repository.commit(number, {f"locales/{language(at)}.json": file(files[at])})
    repository.finish()


def main() -> None:
    kinds = {"wide": wide, "long": long}
    if len(sys.argv) < 3 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    kinds[sys.argv[1]](Path(sys.argv[2]), *map(int, sys.argv[3:]))


if __name__ == "__main__":
    main()
