"""A browser on the pages for people: it walks from the start to a string, with and without scripts; every page is asked
for, and axe looks at one of each kind."""

import shutil
from pathlib import Path

from harness import ClientStep, Skipped

HERE = Path(__file__).resolve().parent
# More than a thousand pages are asked for, and a hundred looked at.
SECONDS = 300


def run(step: ClientStep) -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next((found for found in map(shutil.which, names) if found), None)
    if browser is None:
        raise Skipped("there is no chromium")
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise Skipped(f"there is no {tool}")
    (step.folder / "package.json").write_text('{"private": true, "type": "module"}\n')
    install = ["npm", "install", "--no-audit", "--no-fund", "--silent"]
    failure = step.attempt(*install, "playwright-core", "axe-core", "html-validate", cwd=step.folder)
    if failure is not None:
        raise Skipped(f"playwright-core cannot be installed: {failure}")
    shutil.copy(HERE / "browser.mjs", step.folder)
    return step.run("node", "browser.mjs", step.demo.base, browser, seconds=SECONDS).decode().strip()
