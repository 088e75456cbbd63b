"""Clients generated from the OpenAPI document that the repository keeps: each pages through units and changes."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from harness import ClientStep, Skipped

HERE = Path(__file__).resolve().parent
DOCUMENT = Path("openapi") / "openapi.json"
# Seconds for the Rust client and the crates that it needs to be compiled.
BUILD_TIME = 300


def expected(step: ClientStep) -> list:
    """What a client must find: how many units and changes, and the sum of their numbers."""
    lists = [step.demo.whole(f"/api/{name}/?page_size=1000") for name in ("units", "changes")]
    return [f"{len(entries)} {sum(entry['id'] for entry in entries)}" for entries in lists]


def python(step: ClientStep) -> str:
    programs = step.environment("openapi-python-client")
    generate = ["generate", "--path", step.root / DOCUMENT, "--output-path", step.folder / "gitglot_client"]
    # It reformats what it made with a tool that need not be there.
    (step.folder / "generator.yaml").write_text(
        # The generator does not know feeds.
        "post_hooks: []\ncontent_type_overrides:\n  application/rss+xml: text/plain\n"
    )
    told = step.run(
        programs / "openapi-python-client", *generate, "--meta", "none", "--config", "generator.yaml", "--fail-on-warning"
    )
    found = step.run(programs / "python", HERE / "pages.py", step.demo.base, env={"PYTHONPATH": str(step.folder)})
    assert found.decode().split("\n")[:2] == expected(step), (told, found)
    return "openapi-python-client pages through all units and changes"


def typescript(step: ClientStep) -> str:
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise Skipped(f"there is no {tool}")
    (step.folder / "package.json").write_text('{"private": true, "type": "module"}\n')
    install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel", "error"]
    # openapi-typescript says that it needs TypeScript 5.
    packages = ["openapi-typescript@7", "openapi-fetch", "typescript@5", "@types/node@20"]
    failure = step.attempt(*install, *packages, cwd=step.folder)
    if failure is not None:
        raise Skipped(f"openapi-typescript cannot be installed: {failure}")
    programs = step.folder / "node_modules" / ".bin"
    step.run(programs / "openapi-typescript", step.root / DOCUMENT, "-o", "schema.d.ts")
    shutil.copy(HERE / "pages.ts", step.folder)
    compiler = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "--skipLibCheck"]
    step.run(programs / "tsc", *compiler, "pages.ts")
    found = step.run("node", "pages.js", step.demo.base)
    assert found.decode().split("\n")[:2] == expected(step), found
    return "openapi-typescript and openapi-fetch page through all units and changes"


def rust(step: ClientStep) -> str:
    if shutil.which("cargo") is None:
        raise Skipped("there is no cargo")
    # Beside what the program is built from, so that a second run finds what the first one built.
    target = Path(os.environ.get("CARGO_TARGET_DIR", step.root / "target")) / "clients"
    env = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_PROFILE_DEV_DEBUG": "0"}
    manifest = ["--locked", "--manifest-path", HERE / "rust" / "Cargo.toml"]
    failure = step.attempt("cargo", "fetch", "--quiet", *manifest, env=env)
    if failure is not None:
        raise Skipped(f"progenitor cannot be installed: {failure}")
    # What it needs is there now: a client that does not compile is a failure, one that takes too long is none.
    try:
        done = subprocess.run(
            [str(part) for part in ("cargo", "build", "--quiet", "--offline", *manifest)],
            env=env,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=min(BUILD_TIME, max(1, step.deadline - time.monotonic())),
        )
    except subprocess.TimeoutExpired:
        raise Skipped("the client is not built in time; the next run goes on from there") from None
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-4000:]
    found = step.run(target / "debug" / "gitglot-client", step.demo.base)
    assert found.decode().split("\n")[:2] == expected(step), found
    return "progenitor's client pages through all units and changes"
