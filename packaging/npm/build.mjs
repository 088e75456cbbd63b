// Makes the npm packages of a program: build.mjs PROGRAM TARGET OUT_DIR
// They are gitglot, which has types and a launcher and is the same for all targets, and the one with the program, which
// npm installs if it is for the platform. No package has an install script.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [program, target, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const read = (path) => readFileSync(join(root, path), "utf8");
const manifest = read("Cargo.toml");
const field = (name) => manifest.match(new RegExp(`^${name} = "(.*)"`, "m"))[1];
const common = {
    version: field("version"),
    description: field("description"),
    license: field("license"),
    repository: { type: "git", url: `git+https://github.com/${read("packaging/owner").trim()}/gitglot.git` },
};
const licenses = {
    "LICENSE-MIT": "LICENSE-MIT",
    "LICENSE-APACHE": "LICENSE-APACHE",
    "LICENSE-UNICODE": "crates/checks/src/words/LICENSE-UNICODE",
    "LICENSE-LANGUAGE-DATA": "crates/model/src/language/current/LICENSE-LANGUAGE-DATA",
};

const platforms = read("packaging/targets").split("\n").filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split(/ +/)).map(([target, name]) => ({ target, name, parts: name.split("-") }));
const platform = platforms.find((platform) => platform.target === target);
if (!platform) throw new Error(`packaging/targets has no ${target}`);

// Writes a package and packs it. `files` are paths in the package, with the path of the content and the mode.
function pack(fields, files) {
    const folder = mkdtempSync(join(tmpdir(), "gitglot-npm-"));
    try {
        writeFileSync(join(folder, "package.json"), JSON.stringify({ ...fields, ...common }, null, 2) + "\n");
        for (const [name, path, mode] of files) {
            mkdirSync(dirname(join(folder, name)), { recursive: true });
            copyFileSync(resolve(root, path), join(folder, name));
            chmodSync(join(folder, name), mode);
        }
        for (const [name, path] of Object.entries(licenses)) copyFileSync(join(root, path), join(folder, name));
        const types = join(folder, "index.d.ts");
        if (fields.types) {
            const schemas = ["check-report", "todo"].map((name) => join(root, `docs/${name}.schema.json`));
            writeFileSync(types, execFileSync(process.execPath, [join(here, "types.mjs"), ...schemas]));
        }
        const npm = process.platform === "win32" ? "npm.cmd" : "npm";
        const packed = execFileSync(npm, ["pack", "--json", "--pack-destination", resolve(out)], {
            cwd: folder,
            shell: process.platform === "win32",
        });
        console.log(join(resolve(out), JSON.parse(packed)[0].filename));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

mkdirSync(out, { recursive: true });
pack({
    name: "gitglot",
    bin: { gitglot: "bin/gitglot.js" },
    types: "index.d.ts",
    files: ["bin", "index.d.ts", "LICENSE-*"],
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(platforms.map(({ name }) => [`@gitglot/${name}`, common.version])),
}, [
    ["bin/gitglot.js", "packaging/npm/gitglot.js", 0o755],
    ["README.md", "packaging/npm/README.md", 0o644],
]);
const [os, cpu, libc] = platform.parts;
pack({
    name: `@gitglot/${platform.name}`,
    files: ["bin", "LICENSE-*"],
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc === "gnu" ? "glibc" : libc] }),
    preferUnplugged: true,
    publishConfig: { access: "public" },
}, [[`bin/gitglot${os === "win32" ? ".exe" : ""}`, resolve(program), 0o755]]);
