//! The names of the dependencies in a manifest. JSON and TOML are parsed, other files scanned line by line.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::libraries::ManifestKind;

/// The names of the dependencies. A manifest that is not valid has none.
pub(super) fn dependencies(kind: ManifestKind, path: &str, text: &str) -> BTreeSet<String> {
    match kind {
        ManifestKind::Npm => of_npm(text),
        ManifestKind::Composer => of_json(text, &["require", "require-dev"]),
        ManifestKind::Ruby => of_ruby(text),
        ManifestKind::Pub => of_pubspec(text),
        ManifestKind::Go => of_go(text),
        ManifestKind::Cargo => of_toml(text, &["dependencies", "dev-dependencies"]),
        ManifestKind::Python if path.ends_with(".toml") => of_pyproject(text),
        ManifestKind::Python => text.lines().filter_map(requirement).collect(),
        ManifestKind::Jvm => words(text, "//", "<!--", "-->"),
        ManifestKind::DotNet => words(text, "\0", "<!--", "-->"),
        ManifestKind::CMake => words(text, "#", "#[[", "]]"),
        ManifestKind::Extension => of_extension(text),
    }
}

/// The keys of some objects of a JSON file.
fn of_json(text: &str, sections: &[&str]) -> BTreeSet<String> {
    let file: Json = serde_json::from_str(text).unwrap_or_default();
    let sections = sections
        .iter()
        .filter_map(|name| file.get(name)?.as_object());
    let names = sections.flat_map(|section| section.keys().cloned());
    names.collect()
}

/// The packages of a `package.json`, also with their major version: `vue-i18n` and `vue-i18n@8`.
fn of_npm(text: &str) -> BTreeSet<String> {
    let file: Json = serde_json::from_str(text).unwrap_or_default();
    let sections = [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
    ];
    let sections = sections
        .iter()
        .filter_map(|name| file.get(name)?.as_object());
    let mut found = BTreeSet::new();
    for (name, range) in sections.flatten() {
        let range = range.as_str().unwrap_or_default();
        let range = range.trim_start_matches(['^', '~', '=', 'v', ' ', '>']);
        let digits = range.find(|char: char| !char.is_ascii_digit());
        let major = &range[..digits.unwrap_or(range.len())];
        if !major.is_empty() {
            found.insert(format!("{name}@{major}"));
        }
        found.insert(name.clone());
    }
    found
}

/// An integration of Home Assistant names its domain and the people who maintain it.
fn of_extension(text: &str) -> BTreeSet<String> {
    let file: Json = serde_json::from_str(text).unwrap_or_default();
    let is_integration = file.get("domain").is_some() && file.get("codeowners").is_some();
    let name = is_integration.then(|| "Home Assistant".to_owned());
    name.into_iter().collect()
}

/// The keys of all tables with these names, such as `[dependencies]` and `[workspace.dependencies]`, up to four levels deep.
fn of_toml(text: &str, sections: &[&str]) -> BTreeSet<String> {
    let Ok(file) = text.parse::<toml::Table>() else {
        return BTreeSet::new();
    };
    let mut found = BTreeSet::new();
    let mut tables = vec![(&file, 0)];
    while let Some((table, depth)) = tables.pop() {
        for (name, value) in table {
            let Some(inner) = value.as_table() else {
                continue;
            };
            if sections.contains(&name.as_str()) {
                found.extend(inner.keys().cloned());
            } else if depth < 4 {
                tables.push((inner, depth + 1));
            }
        }
    }
    found
}

/// The dependencies of a Python project: arrays of requirements, and the tables of Poetry.
fn of_pyproject(text: &str) -> BTreeSet<String> {
    let tables = of_toml(text, &["dependencies", "dev-dependencies"]);
    let names = tables.iter().filter_map(|name| requirement(name));
    let mut found: BTreeSet<String> = names.collect();
    let Ok(file) = text.parse::<toml::Table>() else {
        return found;
    };
    let project = file.get("project").and_then(toml::Value::as_table);
    let lists = [
        project.and_then(|project| project.get("dependencies")),
        project.and_then(|project| project.get("optional-dependencies")),
        file.get("dependency-groups"),
    ];
    for list in lists.into_iter().flatten() {
        let arrays: Vec<&toml::Value> = match list.as_table() {
            Some(groups) => groups.values().collect(),
            None => vec![list],
        };
        let items = arrays.into_iter().filter_map(toml::Value::as_array);
        found.extend(
            items
                .flatten()
                .filter_map(|item| requirement(item.as_str()?)),
        );
    }
    found
}

/// The name of a requirement such as `python-i18n[YAML]>=0.3`, as PyPI compares it.
fn requirement(line: &str) -> Option<String> {
    let line = line.trim();
    let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
    let end = line.find(|char| !is_name(char)).unwrap_or(line.len());
    let name = line.get(..end).filter(|name| !name.is_empty())?;
    Some(name.to_ascii_lowercase().replace(['_', '.'], "-"))
}

/// The gems that a `Gemfile` or a gemspec names.
fn of_ruby(text: &str) -> BTreeSet<String> {
    let calls = [
        "gem",
        "add_dependency",
        "add_runtime_dependency",
        "add_development_dependency",
    ];
    let name = |line: &str| {
        let line = line.trim();
        let (call, rest) = line.split_once(['\'', '"'])?;
        let call = call.trim_end_matches([' ', '(']);
        let call = call.rsplit(['.', ' ']).next()?;
        let end = rest.find(['\'', '"'])?;
        (calls.contains(&call) && !line.starts_with('#')).then(|| rest[..end].to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// The packages that a `pubspec.yaml` names: the keys one level below `dependencies` and `dev_dependencies`.
fn of_pubspec(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut is_inside, mut level) = (false, None);
    for line in text.lines() {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let indent = line.len() - content.len();
        let Some((key, _)) = content.split_once(':') else {
            continue;
        };
        if indent == 0 {
            is_inside = matches!(key, "dependencies" | "dev_dependencies");
            level = None;
        } else if is_inside && *level.get_or_insert(indent) == indent {
            found.insert(key.trim_matches(['"', '\'']).to_owned());
        }
    }
    found
}

/// The modules that a `go.mod` requires directly, without the version at the end of the path.
fn of_go(text: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        if line.contains("// indirect") {
            return None;
        }
        let mut words = line.split("//").next()?.split_whitespace();
        let first = words.next()?;
        let path = match first {
            "require" => words.next()?,
            "module" | "replace" | "exclude" | "go" | "toolchain" => return None,
            path => path,
        };
        let (base, last) = path.rsplit_once('/')?;
        let number = last.strip_prefix('v').unwrap_or_default();
        let is_version = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        Some(if is_version { base } else { path }.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// The words of a file without its comments: letters, digits, `.`, `-` and `_`.
fn words(text: &str, line_comment: &str, open: &str, close: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut is_comment = false;
    for line in text.lines() {
        let mut rest = line;
        let mut code = String::new();
        while !rest.is_empty() {
            let mark = if is_comment { close } else { open };
            let (part, after) = rest.split_once(mark).unwrap_or((rest, ""));
            if !is_comment {
                code.push_str(part);
                code.push(' ');
            }
            if part.len() < rest.len() {
                is_comment = !is_comment;
            }
            rest = after;
        }
        let code = match code.split_once(line_comment) {
            // `https://…` is no comment.
            Some((before, _)) if !before.ends_with(':') => before,
            _ => &code,
        };
        let is_word = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_');
        let parts = code.split(|char| !is_word(char));
        found.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
    }
    found
}
