"""A browser walks from the start page to a string, with and without scripts, and requests every page; axe checks one of
each kind."""

import shutil
from pathlib import Path

from harness import ClientStep, Skipped

HERE = Path(__file__).resolve().parent
# It requests more than a thousand pages and checks a hundred.
SECONDS = 400


def prepared(step: ClientStep, script: str) -> str:
    """Installs what the script needs and copies it to the directory of the step. Returns the browser."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next((found for found in map(shutil.which, names) if found), None)
    if browser is None:
        raise Skipped("chromium is not installed")
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise Skipped(f"{tool} is not installed")
    (step.folder / "package.json").write_text('{"private": true, "type": "module"}\n')
    install = ["npm", "install", "--no-audit", "--no-fund", "--silent"]
    failure = step.attempt(*install, "playwright-core", "axe-core", "html-validate", cwd=step.folder)
    if failure is not None:
        raise Skipped(f"cannot install playwright-core: {failure}")
    for name in (script, "pages.mjs"):
        shutil.copy(HERE / name, step.folder)
    return browser


def run(step: ClientStep) -> str:
    browser = prepared(step, "browser.mjs")
    return step.run("node", "browser.mjs", step.demo.base, browser, seconds=SECONDS).decode().strip()
