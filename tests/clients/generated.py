"""Clients generated from the OpenAPI document that the repository keeps: each pages through units and changes."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from harness import Steps
from shared import Skipped

HERE = Path(__file__).resolve().parent
DOCUMENT = Path("openapi") / "openapi.json"
# Seconds for the Rust client and the crates that it needs to be compiled.
BUILD_TIME = 300


def expected(steps: Steps) -> list:
    """What a client must find: how many units and changes, and the sum of their numbers."""
    lists = [steps.demo.whole(f"/api/{name}/?page_size=1000") for name in ("units", "changes")]
    return [f"{len(entries)} {sum(entry['id'] for entry in entries)}" for entries in lists]


def python(steps: Steps) -> str:
    programs = steps.environment("openapi-python-client")
    generate = ["generate", "--path", steps.root / DOCUMENT, "--output-path", steps.folder / "gitglot_client"]
    # It reformats what it made with a tool that need not be there.
    (steps.folder / "generator.yaml").write_text(
        # 3.4 names the type of screenshots so, which the generator does not know.
        "post_hooks: []\ncontent_type_overrides:\n  application/binary: application/octet-stream\n"
    )
    told = steps.run(
        programs / "openapi-python-client", *generate, "--meta", "none", "--config", "generator.yaml", "--fail-on-warning"
    )
    found = steps.run(programs / "python", HERE / "pages.py", steps.demo.base, env={"PYTHONPATH": str(steps.folder)})
    assert found.decode().split("\n")[:2] == expected(steps), (told, found)
    return "openapi-python-client pages through all units and changes"


def typescript(steps: Steps) -> str:
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise Skipped(f"there is no {tool}")
    (steps.folder / "package.json").write_text('{"private": true, "type": "module"}\n')
    install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel", "error"]
    # openapi-typescript says that it needs TypeScript 5.
    packages = ["openapi-typescript@7", "openapi-fetch", "typescript@5", "@types/node@20"]
    failure = steps.attempt(*install, *packages, cwd=steps.folder)
    if failure is not None:
        raise Skipped(f"openapi-typescript cannot be installed: {failure}")
    programs = steps.folder / "node_modules" / ".bin"
    steps.run(programs / "openapi-typescript", steps.root / DOCUMENT, "-o", "schema.d.ts")
    shutil.copy(HERE / "pages.ts", steps.folder)
    compiler = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "--skipLibCheck"]
    steps.run(programs / "tsc", *compiler, "pages.ts")
    found = steps.run("node", "pages.js", steps.demo.base)
    assert found.decode().split("\n")[:2] == expected(steps), found
    return "openapi-typescript and openapi-fetch page through all units and changes"


def rust(steps: Steps) -> str:
    if shutil.which("cargo") is None:
        raise Skipped("there is no cargo")
    # Beside what the program is built from, so that a second run finds what the first one built.
    target = Path(os.environ.get("CARGO_TARGET_DIR", steps.root / "target")) / "clients"
    env = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_PROFILE_DEV_DEBUG": "0"}
    manifest = ["--locked", "--manifest-path", HERE / "rust" / "Cargo.toml"]
    failure = steps.attempt("cargo", "fetch", "--quiet", *manifest, env=env)
    if failure is not None:
        raise Skipped(f"progenitor cannot be installed: {failure}")
    # What it needs is there now: a client that does not compile is a failure, one that takes too long is none.
    try:
        done = subprocess.run(
            [str(part) for part in ("cargo", "build", "--quiet", "--offline", *manifest)],
            env=env,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=min(BUILD_TIME, max(1, steps.deadline - time.monotonic())),
        )
    except subprocess.TimeoutExpired:
        raise Skipped("the client is not built in time; the next run goes on from there") from None
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-4000:]
    found = steps.run(target / "debug" / "gitglot-client", steps.demo.base)
    assert found.decode().split("\n")[:2] == expected(steps), found
    return "progenitor's client pages through all units and changes"
