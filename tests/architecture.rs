//! The dependencies of the code, read from its `use` declarations: `ARCHITECTURE.md` lists the dependencies between
//! modules, only `git` uses gix, and files do not import each other in cycles. Test code is exempt.

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

static DECLARATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*(?<public>pub\s+)?use\s+(?<tree>[\w:{},*\s]+);").unwrap()
});
static INLINE_PATH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:\b\w+::)+\w+").unwrap());

/// A source file without its tests.
struct Source {
    /// The path below the repository, with slashes.
    path: String,
    /// The module path, without `crate`.
    module: Vec<String>,
    code: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// All source files of the library, except those of test modules.
fn sources() -> Vec<Source> {
    let mut paths = Vec::new();
    rust_files(&root().join("src"), &mut paths);
    paths.sort();
    let comment = Regex::new(r"(?m)//.*$").unwrap();
    let restricted = Regex::new(r"pub\([\w: ]+\)").unwrap();
    let inline_tests =
        Regex::new(r"(?m)^#\[cfg\(test\)\]\n(#\[[^\n]*\]\n)*(pub(\([a-z]+\))? )?mod \w+ \{")
            .unwrap();
    let test_file = Regex::new(
        r#"#\[cfg\(test\)\]\s*(?:#\[path = "(?<path>[^"]+)"\]\s*)?(?:#\[[^\n]*\]\s*)*(?:pub(?:\([a-z ]+\))? )?mod (?<name>\w+);"#,
    )
    .unwrap();
    let mut tests: BTreeSet<PathBuf> = BTreeSet::new();
    let mut sources = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let folder = path.parent().unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let own = if matches!(stem, "mod" | "lib" | "main") {
            folder.to_owned()
        } else {
            folder.join(stem)
        };
        for declared in test_file.captures_iter(&text) {
            match declared.name("path") {
                Some(file) => drop(tests.insert(folder.join(file.as_str()).with_extension(""))),
                None => drop(tests.insert(own.join(&declared["name"]))),
            }
        }
        let text = test_file.replace_all(&text, "");
        let code = match inline_tests.find(&text) {
            Some(found) => &text[..found.start()],
            None => &text,
        };
        let relative = path
            .strip_prefix(root().join("src"))
            .unwrap()
            .with_extension("");
        let mut module: Vec<String> = relative
            .iter()
            .map(|part| part.to_str().unwrap().to_owned())
            .collect();
        if matches!(
            module.last().map(String::as_str),
            Some("mod" | "lib" | "main")
        ) {
            module.pop();
        }
        let name = path
            .strip_prefix(root())
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        sources.push(Source {
            path: name,
            module,
            code: restricted
                .replace_all(&comment.replace_all(code, ""), "pub")
                .into_owned(),
        });
    }
    sources.retain(|source| {
        let path = root().join(&source.path).with_extension("");
        source.path != "src/main.rs" && !path.ancestors().any(|path| tests.contains(path))
    });
    sources
}

/// Expands `a::{b, c::{d, e as f}}` to its paths.
fn expand(tree: &str) -> Vec<Vec<String>> {
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![
            path.split("::")
                .map(|part| part.trim().to_owned())
                .filter(|part| !part.is_empty())
                .collect(),
        ];
    };
    let prefix = expand(&tree[..open]).remove(0);
    let inner = &tree[open + 1..tree.rfind('}').unwrap()];
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let paths = parts
        .into_iter()
        .filter(|part| !part.trim().is_empty())
        .flat_map(expand);
    paths.map(|path| [prefix.clone(), path].concat()).collect()
}

/// Makes a path of a `use` declaration absolute; `None` for other crates.
fn absolute(module: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut base = module.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => base.clear(),
        "self" | "super" => {
            while let Some("super") = rest.first().map(String::as_str) {
                base.pop()?;
                rest = &rest[1..];
            }
            return Some(
                [
                    &base,
                    rest.strip_prefix(&["self".to_owned()][..]).unwrap_or(rest),
                ]
                .concat(),
            );
        }
        _ => return None,
    }
    Some([&base, &rest[1..]].concat())
}

/// The paths of a file's `use` declarations and of its code, absolute, and whether each is a re-export. Other crates are
/// left out: a path starts at `crate`, `super` or `self`, at a child of the module, or at a module that is imported.
fn imports(source: &Source, modules: &BTreeMap<Vec<String>, &Source>) -> Vec<(Vec<String>, bool)> {
    let mut found = Vec::new();
    let mut imported: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let locate = |path: &[String], imported: &BTreeMap<String, Vec<String>>| {
        let child = [&source.module[..], &path[..1.min(path.len())]].concat();
        let local = modules.contains_key(&child).then(|| child.clone());
        let module = path.first().and_then(|name| imported.get(name).cloned());
        let start = module.or(local);
        absolute(&source.module, path).or(start.map(|start| [&start, &path[1..]].concat()))
    };
    for declared in DECLARATION.captures_iter(&source.code) {
        for path in expand(&declared["tree"]) {
            let Some(path) = locate(&path, &BTreeMap::new()) else {
                continue;
            };
            if modules.contains_key(&path) {
                imported.extend(path.last().map(|name| (name.clone(), path.clone())));
            }
            found.push((path, declared.name("public").is_some()));
        }
    }
    let rest = DECLARATION.replace_all(&source.code, "");
    for path in INLINE_PATH.find_iter(&rest) {
        let path: Vec<String> = path.as_str().split("::").map(str::to_owned).collect();
        found.extend(locate(&path, &imported).map(|path| (path, false)));
    }
    found
}

/// The paths of a file's `use` declarations and of its code, as they are written.
fn external_paths(source: &Source) -> Vec<String> {
    let declared = DECLARATION.captures_iter(&source.code);
    let imported = declared.flat_map(|declared| expand(&declared["tree"]));
    let rest = DECLARATION.replace_all(&source.code, "");
    let inline = INLINE_PATH.find_iter(&rest).map(|path| path.as_str());
    inline
        .map(str::to_owned)
        .chain(imported.map(|path| path.join("::")))
        .collect()
}

/// The lists in the columns of the table in `ARCHITECTURE.md`: the modules that each module uses; `None` for all.
fn documented(names: &BTreeSet<String>) -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let header = Regex::new(r"(?m)^\| \w+ \| Uses \|\n\|[-|]+\|\n").unwrap();
    let table = &text[header
        .find(&text)
        .expect("a table with the column Uses")
        .end()..];
    let name = Regex::new(r"`(\w+)`").unwrap();
    let mut found = BTreeMap::new();
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let uses: BTreeSet<String> = name
            .captures_iter(cells[1])
            .map(|it| it[1].to_owned())
            .collect();
        let all = cells[1].trim().trim_end_matches('.') == "all";
        for module in name.captures_iter(cells[0]) {
            assert!(
                names.contains(&module[1]),
                "ARCHITECTURE.md: there is no module {}",
                &module[1]
            );
            found.insert(
                module[1].to_owned(),
                (!all).then(|| uses.intersection(names).cloned().collect()),
            );
        }
    }
    found
}

#[test]
fn modules_depend_on_each_other_as_documented() {
    let sources = sources();
    let modules = sources
        .iter()
        .map(|source| (source.module.clone(), source))
        .collect();
    let names: BTreeSet<String> = sources
        .iter()
        .filter_map(|source| source.module.first().cloned())
        .collect();
    let documented = documented(&names);
    let mut used: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut wrong = BTreeSet::new();
    for source in &sources {
        let Some(module) = source.module.first() else {
            continue;
        };
        for (path, _) in imports(source, &modules) {
            let Some(other) = path
                .first()
                .filter(|&other| other != module && names.contains(other))
            else {
                continue;
            };
            used.entry(module).or_default().insert(other.clone());
            match documented.get(module) {
                None => drop(wrong.insert(format!("ARCHITECTURE.md does not list {module}"))),
                Some(None) => {}
                Some(Some(uses)) if !uses.contains(other) => {
                    wrong.insert(format!("{} uses {other}", source.path));
                }
                Some(Some(_)) => {}
            }
        }
    }
    for (module, uses) in documented {
        for other in uses.into_iter().flatten() {
            if !used.get(&*module).is_some_and(|used| used.contains(&other)) {
                wrong.insert(format!("ARCHITECTURE.md: {module} does not use {other}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{}",
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn only_git_uses_gix() {
    let gix = Regex::new(r"\bgix(_\w+)?\b").unwrap();
    for source in sources()
        .iter()
        .filter(|source| source.module.first().is_none_or(|module| module != "git"))
    {
        assert!(!gix.is_match(&source.code), "{} uses gix", source.path);
    }
}

/// The rows of the table in `ARCHITECTURE.md` with the columns Module, Contains, Must not depend on: first and last cell.
fn forbidden() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let start = text.find("| Module | Contains | Must not depend on |");
    let rows = text[start.expect("a table of modules")..].lines().skip(2);
    let rows = rows.take_while(|line| line.starts_with("| `"));
    let cells = rows.map(|line| line.trim_matches('|').split(" | ").collect::<Vec<_>>());
    let name = |cell: &str| cell.trim().trim_matches('`').to_owned();
    cells
        .map(|cells| (name(cells[0]), cells[2].to_owned()))
        .collect()
}

#[test]
fn modules_without_http_or_io_use_no_crates_for_it() {
    let http =
        Regex::new(r"^(poem|poem_openapi|http|http_body_util|hyper|hyper_util)(::|$)").unwrap();
    let io = Regex::new(r"^(std|tokio)::(fs\b|net$|net::(Tcp|Udp|\*))").unwrap();
    let sources = sources();
    let mut wrong = Vec::new();
    for (module, text) in forbidden() {
        let files = sources
            .iter()
            .filter(|source| source.module.first() == Some(&module));
        for source in files {
            let no_http = text.contains("HTTP") && !text.contains("HTTP headers");
            let no_io = text.contains("I/O") || text.contains("the disk");
            for path in external_paths(source) {
                if no_http && http.is_match(&path) || no_io && io.is_match(&path) {
                    wrong.push(format!("{}: {path}", source.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "forbidden crates: {wrong:#?}");
}

#[test]
fn every_file_begins_with_its_purpose() {
    for source in sources() {
        let text = fs::read_to_string(root().join(&source.path)).unwrap();
        assert!(
            text.starts_with("//! "),
            "{} has no top comment",
            source.path
        );
    }
}

#[test]
fn the_top_level_of_api_stays_small() {
    let files = fs::read_dir(root().join("src/api")).unwrap();
    let files = files.filter(|entry| entry.as_ref().unwrap().path().is_file());
    assert!(files.count() <= 8, "src/api: group files in directories");
}

/// The file that defines an imported item: follows re-exports, since a module lists the items of its files.
fn definition<'a>(
    path: &[String],
    modules: &BTreeMap<Vec<String>, &'a Source>,
    exports: &BTreeMap<Vec<String>, Vec<String>>,
) -> Option<&'a str> {
    let mut path = path.to_vec();
    for _ in 0..8 {
        let Some(export) = (1..=path.len()).find_map(|end| Some((end, exports.get(&path[..end])?)))
        else {
            break;
        };
        path = [&export.1[..], &path[export.0..]].concat();
    }
    (1..=path.len())
        .rev()
        .find_map(|end| modules.get(&path[..end]))
        .map(|source| &*source.path)
}

/// Whether a file imports another one, directly or not.
fn reaches(edges: &BTreeMap<&str, BTreeSet<&str>>, from: &str, to: &str) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(file) = waiting.pop() {
        if file == to {
            return true;
        }
        if seen.insert(file) {
            waiting.extend(edges.get(file).into_iter().flatten());
        }
    }
    false
}

#[test]
fn files_do_not_import_each_other_in_cycles() {
    let sources = sources();
    let modules: BTreeMap<Vec<String>, &Source> =
        sources.iter().map(|it| (it.module.clone(), it)).collect();
    let mut exports = BTreeMap::new();
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in &sources {
        for (path, public) in imports(source, &modules) {
            if let Some(name) = path.last().filter(|_| public) {
                let exported = [&source.module[..], std::slice::from_ref(name)].concat();
                if exported != path {
                    exports.insert(exported, path);
                }
            }
        }
    }
    for source in &sources {
        for (path, public) in imports(source, &modules) {
            match definition(&path, &modules, &exports) {
                Some(file) if !public && file != source.path => {
                    edges.entry(&source.path).or_default().insert(file);
                }
                _ => {}
            }
        }
    }
    let mut lines = Vec::new();
    for (&from, to) in &edges {
        let cyclic: Vec<&str> = to
            .iter()
            .copied()
            .filter(|to| reaches(&edges, to, from))
            .collect();
        if !cyclic.is_empty() {
            lines.push(format!("{from} → {}", cyclic.join(", ")));
        }
    }
    assert!(
        lines.is_empty(),
        "files in import cycles:\n{}",
        lines.join("\n")
    );
}
