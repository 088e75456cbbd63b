"""Repositories to push to, and their configuration."""

import json
import os
import signal
import subprocess
from pathlib import Path

from .common import can_connect, free_port, until


# The settings of the current user must not affect git.
GIT_ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Example Maintainer",
    "GIT_AUTHOR_EMAIL": "maintainer@example.org",
    "GIT_COMMITTER_NAME": "Example Maintainer",
    "GIT_COMMITTER_EMAIL": "maintainer@example.org",
}


def git(*command, cwd: "Path | None" = None, stdin: "bytes | None" = None) -> str:
    """Runs a git command; its standard output."""
    parts = ["git", *map(str, command)]
    done = subprocess.run(parts, cwd=cwd, input=stdin, capture_output=True, env=GIT_ENVIRONMENT)
    assert done.returncode == 0, f"{parts} ended with {done.returncode}: {done.stderr.decode(errors='replace')}"
    return done.stdout.decode().strip()


def numbered(number: int) -> "dict[str, str]":
    """The files of two components; every text contains the number."""
    files = {}
    for component in ("app", "web"):
        for language in ("en", "cs", "de"):
            texts = {f"key{at}": f"{component} {language} {at} text {number}" for at in range(4)}
            files[f"{component}/locales/{language}.json"] = json.dumps(texts, indent=1) + "\n"
    return files


class Origin:
    """A bare repository to push to. Commits are created by `git fast-import`, which is fast."""

    def __init__(self, path: Path, branch: str = "main"):
        self.path, self.branch, self.clock = path, branch, 1_600_000_000
        git("init", "--quiet", "--bare", f"--initial-branch={branch}", path)
        with (path / "config").open("a") as config:
            config.write("[gc]\n\tauto = 0\n")

    def push(self, files: "dict[str, str | None]", after: "str | None" = "", branch: "str | None" = None) -> str:
        """Commits files (`None` deletes one) to a branch: on its tip, on the commit `after`, or on nothing."""
        branch = branch or self.branch
        parent = self.tip(branch) if after == "" else after
        self.clock += 60
        lines = [f"commit refs/heads/{branch}", f"committer Example Maintainer <maintainer@example.org> {self.clock} +0000"]
        lines += [f"data {len(f'change {self.clock}')}", f"change {self.clock}"]
        if parent:
            lines.append(f"from {parent}")
        stream = "\n".join(lines).encode() + b"\n"
        for path, text in files.items():
            if text is None:
                stream += f"D {path}\n".encode()
            else:
                data = text.encode()
                stream += f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n"
        if not parent:
            stream = b"reset refs/heads/" + branch.encode() + b"\n" + stream
            # fast-import goes on from the branch unless it is not there.
            self.delete(branch)
        git("fast-import", "--quiet", "--force", cwd=self.path, stdin=stream)
        return self.tip(branch) or ""

    def extend(self, states: "list[dict[str, str]]") -> None:
        """Many commits at once, each with all files of a state."""
        stream, parent = [], self.tip()
        for state in states:
            self.clock += 60
            text = f"change {self.clock}"
            stream.append(f"commit refs/heads/{self.branch}\ncommitter Example Maintainer <maintainer@example.org> "
                          f"{self.clock} +0000\ndata {len(text)}\n{text}\n")
            if parent:
                stream.append(f"from {parent}\n")
                parent = None
            stream += [f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n" for path, text in state.items()]
        git("fast-import", "--quiet", "--force", cwd=self.path, stdin="".join(stream).encode())

    def tip(self, branch: "str | None" = None) -> "str | None":
        name = f"refs/heads/{branch or self.branch}"
        loose = self.path / name
        if loose.exists():
            return loose.read_text().strip()
        done = subprocess.run(
            ["git", "rev-parse", "--quiet", "--verify", name], cwd=self.path, capture_output=True, env=GIT_ENVIRONMENT
        )
        return done.stdout.decode().strip() or None

    def delete(self, branch: str) -> None:
        if self.tip(branch):
            git("update-ref", "-d", f"refs/heads/{branch}", cwd=self.path)


def configuration(repos: "list[tuple[str, str | Path]]", branch: "str | None" = "main", more: str = "") -> str:
    """A configuration file with a component for each name and repository, for the files of `numbered`."""
    text = "[[project]]\nslug = 'garden'\n"
    for slug, repo in repos:
        folder = slug.split("-")[0]
        text += f"[[project.component]]\nslug = '{slug}'\nrepo = '{repo}'\nfile_format = 'json'\n"
        text += f"filemask = '{folder}/locales/*.json'\ntemplate = '{folder}/locales/en.json'\n"
        if branch:
            text += f"branch = '{branch}'\n"
    return more + text


class Daemon:
    """`git daemon` for the repositories of a directory."""

    def __init__(self, folder: Path):
        self.folder, self.port = folder, free_port()

    def address(self, name: str) -> str:
        return f"git://127.0.0.1:{self.port}/{name}"

    def __enter__(self) -> "Daemon":
        command = ["git", "daemon", "--export-all", f"--base-path={self.folder}", "--listen=127.0.0.1"]
        command += [f"--port={self.port}", "--reuseaddr", self.folder]
        self.process = subprocess.Popen(
            command, stderr=subprocess.DEVNULL, env=GIT_ENVIRONMENT, start_new_session=True
        )
        until("git daemon", lambda: can_connect(self.port))
        return self

    def __exit__(self, *_) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(30)
