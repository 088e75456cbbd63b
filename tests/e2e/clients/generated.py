"""Clients generated from the OpenAPI document in the repository: each pages through units and changes, follows the log
with `id_after`, and reads a revision and a comparison."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

from harness import ClientStep, Skipped, run

HERE = Path(__file__).resolve().parent
DOCUMENT = Path("openapi") / "openapi.json"
CURRENT_DOCUMENT = Path("openapi") / "current.json"
# Seconds for the Rust client and the crates that it needs to be compiled.
BUILD_TIME = 300


def expected(step: ClientStep) -> list:
    """The expected output of a client: the number of units, changes and followed changes, and the total of their ids."""
    lists = [step.demo.whole(f"/api/{name}/?page_size=1000") for name in ("units", "changes", "changes")]
    found = [f"{len(entries)} {sum(entry['id'] for entry in entries)}" for entries in lists]
    below = "/api/components/reading-lamp/extension/"
    counts = [step.demo.json(below + path)["count"] for path in ("revisions/HEAD/units/", "compare/HEAD...HEAD/")]
    return [*found, f"{counts[0]} {counts[1]}"]


def python(step: ClientStep) -> str:
    programs = step.environment("openapi-python-client")
    generate = ["generate", "--path", step.root / DOCUMENT, "--output-path", step.folder / "gitglot_client"]
    # By default it reformats its output with a tool that may be missing.
    (step.folder / "generator.yaml").write_text(
        # The generator does not know feeds.
        "post_hooks: []\ncontent_type_overrides:\n  application/rss+xml: text/plain\n"
    )
    output = step.run(
        programs / "openapi-python-client", *generate, "--meta", "none", "--config", "generator.yaml", "--fail-on-warning"
    )
    found = step.run(programs / "python", HERE / "pages.py", step.demo.base, env={"PYTHONPATH": str(step.folder)})
    assert found.decode().split("\n")[:4] == expected(step), (output, found)
    return "openapi-python-client pages through all units and changes and follows the log"


def typescript(step: ClientStep) -> str:
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise Skipped(f"{tool} is not installed")
    (step.folder / "package.json").write_text('{"private": true, "type": "module"}\n')
    install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel", "error"]
    # openapi-typescript requires TypeScript 5.
    packages = ["openapi-typescript@7", "openapi-fetch", "typescript@5", "@types/node@20"]
    failure = step.attempt(*install, *packages, cwd=step.folder)
    if failure is not None:
        raise Skipped(f"cannot install openapi-typescript: {failure}")
    programs = step.folder / "node_modules" / ".bin"
    for document, schema in ((DOCUMENT, "schema.d.ts"), (CURRENT_DOCUMENT, "current_schema.d.ts")):
        step.run(programs / "openapi-typescript", step.root / document, "-o", schema)
    sources = ("pages.ts", "current_pages.ts")
    for source in sources:
        shutil.copy(HERE / source, step.folder)
    compiler = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "--skipLibCheck"]
    step.run(programs / "tsc", *compiler, *sources)
    found = step.run("node", "pages.js", step.demo.base)
    assert found.decode().split("\n")[:4] == expected(step), found
    current = step.run("node", "current_pages.js", step.demo.base).decode().split("\n")[:3]
    lists = [step.demo.whole(f"/current/api/{name}/?page_size=1000") for name in ("units", "changes")]
    assert current[:2] == [f"{len(entries)} {sum(entry['id'] for entry in entries)}" for entries in lists], current
    statistics = step.demo.json("/current/api/projects/reading-lamp/statistics/")
    assert current[2] == f"{statistics['total']} {statistics['translated_percent']}", current
    return "openapi-typescript and openapi-fetch page through all units and changes of both APIs and follow the log"


def rust(step: ClientStep) -> str:
    if shutil.which("cargo") is None:
        raise Skipped("cargo is not installed")
    # In the target directory of the program, so that a second run reuses the build.
    target = Path(os.environ.get("CARGO_TARGET_DIR", step.root / "target")) / "clients"
    env = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_PROFILE_DEV_DEBUG": "0"}
    manifest = ["--locked", "--manifest-path", HERE / "rust" / "Cargo.toml"]
    # progenitor refuses operations with several types of responses, so it gets those that the client uses.
    document = json.loads((step.root / DOCUMENT).read_text())
    below = "/api/components/{project}/{component}/"
    used = ("/api/units/", "/api/changes/", f"{below}revisions/{{revision}}/units/", f"{below}compare/{{range}}/")
    document["paths"] = {path: document["paths"][path] for path in used}
    (HERE / "rust" / "openapi.json").write_text(json.dumps(document))
    failure = step.attempt("cargo", "fetch", "--quiet", *manifest, env=env)
    if failure is not None:
        raise Skipped(f"cannot install progenitor: {failure}")
    # All crates are downloaded: a compile error is a failure, a slow build is not.
    try:
        left = min(BUILD_TIME, max(1, step.deadline - time.monotonic()))
        done = run(["cargo", "build", "--quiet", "--offline", *manifest], left, env=env)
    except subprocess.TimeoutExpired:
        raise Skipped("the build takes too long; the next run continues it") from None
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-4000:]
    found = step.run(target / "debug" / "gitglot-client", step.demo.base)
    assert found.decode().split("\n")[:4] == expected(step), found
    return "progenitor's client pages through all units and changes and follows the log"
