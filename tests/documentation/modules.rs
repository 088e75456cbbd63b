//! The modules of a crate have an order: none uses a later one, and shared types have a module below their users, not
//! `lib.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// The crates that the rule applies to, besides the root package.
const CRATES: [&str; 20] = [
    "api",
    "catalog",
    "checks",
    "fast-import",
    "follow",
    "formats",
    "git",
    "history",
    "ledger",
    "lint",
    "manifests",
    "metrics",
    "model",
    "revisions",
    "server",
    "site",
    "store",
    "testkit",
    "watch",
    "web",
];

/// A path that begins at the crate or at a module above, up to its first name or list of names. `$crate` is a path of those
/// who use a macro.
static REFERENCE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[^$\w](crate|super(?:::super)*)::(\w+|\{)").unwrap());

static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)//.*$").unwrap());

/// The attributes and the name of a module that a file declares.
static MODULE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^((?:#\[.*\]\n)*)(?:pub(?:\([a-z ]+\))? )?mod (\w+);").unwrap()
});

/// The first names of a list that begins after its opening brace.
fn listed(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, char) in list.char_indices() {
        match char {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let name = list[start..at].trim().split("::").next().unwrap();
                names.extend(Some(name).filter(|name| !name.is_empty()));
                start = at + 1;
                if char == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

/// Adds the names below the crate that the code of a module uses, and those of the modules in it. `depth` is the number of
/// modules from the crate to this one.
fn add_names(file: &Path, depth: usize, names: &mut BTreeSet<String>) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let text = COMMENT.replace_all(&text, "");
    let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    for found in REFERENCE.captures_iter(product) {
        if &found[1] != "crate" && found[1].matches("super").count() != depth {
            continue;
        }
        match &found[2] {
            "{" => {
                let list = &product[found.get(0).unwrap().end()..];
                names.extend(listed(list).into_iter().map(str::to_owned));
            }
            name => drop(names.insert(name.to_owned())),
        }
    }
    let folder = if file.ends_with("mod.rs") {
        file.parent().unwrap().to_owned()
    } else {
        file.with_extension("")
    };
    for module in modules(product) {
        add_names(&file_of(&folder, module), depth + 1, names);
    }
}

/// The modules that a file declares, except those of tests.
fn modules(text: &str) -> Vec<&str> {
    let found = MODULE.captures_iter(text);
    let product = found.filter(|found| !found[1].contains("cfg(test)"));
    product
        .map(|found| found.get(2).unwrap().as_str())
        .collect()
}

fn file_of(folder: &Path, module: &str) -> PathBuf {
    let file = folder.join(format!("{module}.rs"));
    if file.exists() {
        file
    } else {
        folder.join(module).join("mod.rs")
    }
}

#[test]
fn no_module_uses_a_later_one_or_the_crate_itself() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = CRATES.map(|name| (name, root.join("crates").join(name)));
    for (name, package) in crates.into_iter().chain([("gitglot", root.to_owned())]) {
        let folder = package.join("src");
        let lib = std::fs::read_to_string(folder.join("lib.rs")).unwrap();
        let mut uses: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for module in modules(&lib) {
            let names = uses.entry(module).or_default();
            add_names(&file_of(&folder, module), 1, names);
            names.remove(module);
        }
        for (module, names) in &uses {
            let of_lib: Vec<_> = names
                .iter()
                .filter(|it| !uses.contains_key(&***it))
                .collect();
            assert!(
                of_lib.is_empty(),
                "{name}: `{module}` uses {of_lib:?} of lib.rs: name the module that has it, or move it to one"
            );
        }
        // Those that use nothing of what is left come first.
        while !uses.is_empty() {
            let is_first = |(_, names): &(&&str, &BTreeSet<String>)| {
                !names.iter().any(|it| uses.contains_key(&**it))
            };
            let first = uses.iter().find(is_first).map(|(module, _)| *module);
            let Some(first) = first else {
                let circle: Vec<_> = uses.keys().collect();
                panic!("{name}: each of these modules uses another one of them: {circle:?}");
            };
            uses.remove(first);
        }
    }
}
