//! Citations of the specification: each names an existing file of `docs/spec` and one of its headings.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|it| {
            ["rs", "md", "py", "html", "toml"]
                .iter()
                .any(|known| it == *known)
        }) {
            found.push(path);
        }
    }
}

/// All text files that may cite the specification, with their content.
fn texts() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md"]
        .iter()
        .map(|name| root().join(name))
        .filter(|path| path.exists())
        .collect();
    [
        "src",
        "crates",
        "tests",
        "benches",
        "docs",
        "fuzz/fuzz_targets",
    ]
    .iter()
    .for_each(|folder| files(&root().join(folder), &mut paths));
    paths.retain(|path| !path.ends_with(file!()));
    paths
        .into_iter()
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// The anchors of a Markdown file, made from its headings as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !in_code) else {
            continue;
        };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let slug: String = heading
            .chars()
            .filter(|&letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'))
            .map(|letter| if letter == ' ' { '-' } else { letter })
            .collect();
        let count = counts.entry(slug.clone()).or_default();
        anchors.insert(if *count == 0 {
            slug
        } else {
            format!("{slug}-{count}")
        });
        *count += 1;
    }
    anchors
}

#[test]
fn each_citation_names_an_existing_heading() {
    let citation = Regex::new(r"docs/spec/(?<file>[\w-]+\.md)(?:#(?<anchor>[\w-]+))?").unwrap();
    let link =
        Regex::new(r"\]\((?:docs/spec/|spec/)?(?<file>[\w-]+\.md)?#(?<anchor>[\w-]+)\)").unwrap();
    let spec = root().join("docs/spec");
    let mut wrong = BTreeSet::new();
    for (path, text) in texts() {
        let mut cited: Vec<(String, Option<String>)> = citation
            .captures_iter(&text)
            .map(|it| {
                (
                    it["file"].to_owned(),
                    it.name("anchor").map(|anchor| anchor.as_str().to_owned()),
                )
            })
            .collect();
        if path.starts_with(&spec) {
            let own = path.file_name().unwrap().to_str().unwrap();
            let links = link.captures_iter(&text);
            cited.extend(links.map(|it| {
                (
                    it.name("file").map_or(own, |file| file.as_str()).to_owned(),
                    Some(it["anchor"].to_owned()),
                )
            }));
        }
        for (file, anchor) in cited {
            let shown = path.strip_prefix(root()).unwrap().display();
            match (fs::read_to_string(spec.join(&file)), anchor) {
                (Err(_), _) => drop(wrong.insert(format!("{shown}: there is no docs/spec/{file}"))),
                (Ok(text), Some(anchor)) if !anchors(&text).contains(&anchor) => {
                    wrong.insert(format!(
                        "{shown}: docs/spec/{file} has no heading #{anchor}"
                    ));
                }
                _ => {}
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{}",
        wrong.into_iter().collect::<Vec<_>>().join("\n")
    );
}
