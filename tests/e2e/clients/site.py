"""`gitglot site` for the example repositories, below a prefix and from files: a crawler follows every link, a browser
searches, opens strings and switches the theme, a browser without scripts reads, and axe and the page weight are checked on
one page of each kind."""

import functools
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import harness
from harness import ClientStep, git

from .browser import prepared

HERE = Path(__file__).resolve().parent
# Its crawler requests thousands of files.
SECONDS = 400

COMPONENT = """
[[project]]
slug = "{project}"
name = "{name}"
[[project.component]]
slug = "{component}"
repo = "{repo}"
filemask = "{filemask}"
template = "{template}"
file_format = "{file_format}"
"""

EXAMPLES = [
    {
        "project": "reading-lamp",
        "name": "Reading Lamp",
        "component": "extension",
        "filemask": "src/_locales/*/messages.json",
        "template": "src/_locales/en/messages.json",
        "file_format": "webextension",
    },
    {
        "project": "seedbook",
        "name": "Seedbook",
        "component": "app",
        "filemask": "locales/*.json",
        "template": "locales/template.json",
        "file_format": "json",
    },
]


class Quiet(SimpleHTTPRequestHandler):
    """A server of static files without a log."""

    def log_message(self, *_) -> None:
        pass


def configured(step: ClientStep) -> Path:
    """The configuration of the example repositories."""
    text = ""
    for example in EXAMPLES:
        repo = step.folder / f"{example['project']}.git"
        git("init", "--quiet", "--bare", "--initial-branch=main", repo)
        stream = step.root / "example-repos" / f"{example['project']}.fi"
        git("fast-import", "--quiet", cwd=repo, stdin=stream.read_bytes())
        text += COMPONENT.format(repo=repo, **example)
    file = step.folder / "gitglot.toml"
    file.write_text(text)
    return file


def run(step: ClientStep) -> str:
    browser = prepared(step, "site.mjs")
    config = configured(step)
    root = step.folder / "root"
    handler = functools.partial(Quiet, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        for strings in ("all", "packed"):
            place = f"user/{strings}/"
            command = [step.demo.program, "site", "--config", config, "--api", "--changes", "all", "--strings", strings]
            command += ["--base-url", address + place, "--log-level", "error", root / place]
            done = harness.run(command, 120)
            assert done.returncode == 0, done.stderr.decode(errors="replace")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            return step.run("node", "site.mjs", address + "user/", root / "user", browser, seconds=SECONDS).decode().strip()
        finally:
            server.shutdown()
            thread.join()
