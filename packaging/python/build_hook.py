"""Adds the program to a wheel: the one that GITGLOT_PROGRAM names for GITGLOT_TARGET, or one that cargo builds.

The platform in the name of the wheel is the one of packaging/targets. For a program for glibc it is a local one, such as
linux_x86_64: packaging/python/build finds the oldest glibc that the program runs with.
"""

import os
import re
import subprocess
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def host():
    version = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return re.search("^host: (.*)$", version, re.MULTILINE)[1]


def platform_tag(root, target):
    lines = (line.split() for line in (root / "packaging/targets").read_text().splitlines() if not line.startswith("#"))
    tags = {line[0]: line[2] for line in lines}
    if target not in tags:
        raise SystemExit(f"packaging/targets has no {target}: add a line with the platform tag of its wheels")
    return tags[target]


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        root = Path(self.root)
        target = os.environ.get("GITGLOT_TARGET") or host()
        if "GITGLOT_PROGRAM" in os.environ:
            program = Path(os.environ["GITGLOT_PROGRAM"])
        else:
            folder = root / "target"
            command = ["cargo", "build", "--profile", "dist", "--locked", "--features", "packages", "--bin", "gitglot"]
            subprocess.run([*command, "--target", target, "--target-dir", folder], cwd=root, check=True)
            program = folder / target / "dist" / ("gitglot.exe" if "windows" in target else "gitglot")
        name = "gitglot.exe" if "windows" in target else "gitglot"
        build_data["shared_scripts"][str(program.resolve())] = name
        build_data["tag"] = f"py3-none-{platform_tag(root, target)}"
        build_data["pure_python"] = False
