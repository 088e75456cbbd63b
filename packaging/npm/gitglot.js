#!/usr/bin/env node
// Runs the program of the package for this platform, which npm has installed as an optional dependency.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { optionalDependencies } = require("../package.json");

function platformPackage() {
    const name = `@gitglot/${process.platform}-${process.arch}`;
    if (process.platform !== "linux") return name;
    // The header is empty with musl. Looking up network interfaces can take seconds.
    process.report.excludeNetwork = true;
    const { glibcVersionRuntime } = process.report.getReport().header;
    return `${name}-${glibcVersionRuntime ? "gnu" : "musl"}`;
}

function program() {
    const name = platformPackage();
    if (!(name in optionalDependencies)) {
        const platform = name.replace("@gitglot/", "");
        throw new Error(`there is no program for ${platform}: build it with cargo, as the README of gitglot describes`);
    }
    try {
        return require.resolve(`${name}/bin/gitglot${process.platform === "win32" ? ".exe" : ""}`);
    } catch {
        throw new Error(
            `the package ${name} is not installed: install gitglot again on this machine, with optional dependencies`,
        );
    }
}

function fail(message) {
    console.error(`gitglot: ${message}`);
    process.exit(2);
}

function run(path) {
    const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
    // The program ends by itself at Ctrl-C, which a terminal sends to both. Others send signals to this process only.
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
    child.on("error", (error) => fail(`cannot run ${path}: ${error.message}`));
    child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

try {
    run(program());
} catch (error) {
    fail(error.message);
}
