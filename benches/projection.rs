//! Time and memory of the cold projection of a repository's whole history, and the size of the log.
//!
//! `cargo bench --bench projection -- REPOSITORY FILEMASK TEMPLATE FORMAT`: a bare repository on disk.
//! Prints seconds from opening the repository to the finished log and rows, and counts of the entries.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use gitglot_git::Repository;
use gitglot_history::History;
use gitglot_model::{Component, ComponentSettings, FileMask, Slug, Timestamp};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let [repository, mask, template, format] = &arguments[..] else {
        eprintln!("usage: cargo bench --bench projection -- REPOSITORY FILEMASK TEMPLATE FORMAT");
        return Ok(());
    };
    let component = Component {
        repo: repository.clone(),
        branch: "main".into(),
        ..Component::new(ComponentSettings::new(
            Slug::new("component")?,
            FileMask::new(mask)?,
            template,
            format.parse().map_err(anyhow::Error::msg)?,
        ))
    };
    let start = Instant::now();
    let open = Repository::open(repository)?;
    let head = std::fs::read_to_string(format!("{repository}/HEAD"))?;
    let name = head.trim().trim_start_matches("ref: ").to_owned();
    let tip = std::fs::read_to_string(format!("{repository}/{name}"))
        .unwrap_or_else(|_| packed(repository, &name))
        .trim()
        .parse()?;
    let mut history = History::new(Arc::new(component), "en");
    let stepped = history.step(&open, tip, Timestamp::from_seconds(i64::MAX), &|_| {})?;
    let folded = start.elapsed();
    let projection = history.project(&open)?;
    let total = start.elapsed();

    let mut counts = BTreeMap::new();
    let mut authors = std::collections::BTreeSet::new();
    let log = &projection.log;
    let mut texts = std::collections::BTreeSet::new();
    for entry in (0..log.len()).filter_map(|at| log.get(at)) {
        *counts.entry(entry.action.code()).or_insert(0) += 1;
        authors.insert(log.commits[entry.commit as usize].author.0);
        texts.insert(entry.target);
        texts.insert(entry.previous);
    }
    let stale: usize = projection
        .translations
        .iter()
        .map(|translation| translation.stale.len())
        .sum();
    println!(
        "{:?} folded, {total:?} in all, {} commits",
        folded, stepped.commits
    );
    println!("{} entries {counts:?}", log.len());
    println!(
        "{} authors, {stale} stale, {} texts in log, {} texts, {} bytes",
        authors.len(),
        texts.len(),
        projection.texts.count(),
        projection.texts.bytes()
    );
    println!(
        "{} translations, {} sources, {} problems",
        projection.translations.len(),
        projection.sources.len(),
        projection.problems.len()
    );
    if std::env::var_os("DUMP").is_some() {
        let text = |id| projection.texts.get(id);
        for entry in (0..log.len()).filter_map(|at| log.get(at)) {
            let commit = &log.commits[entry.commit as usize];
            println!(
                "{} {} {} {} {:?} {:?}",
                entry.time.0,
                entry.action.code(),
                entry.lineage.map_or("-", |lineage| text(
                    log.lineages[usize::from(lineage.0)].language
                )),
                entry.key.map_or("-", |key| text(log.keys[key.0 as usize])),
                projection.texts.get(entry.target),
                commit.id,
            );
        }
    }
    Ok(())
}

fn packed(repository: &str, name: &str) -> String {
    let refs = std::fs::read_to_string(format!("{repository}/packed-refs")).unwrap_or_default();
    let line = refs
        .lines()
        .find(|line| line.ends_with(name))
        .unwrap_or_default();
    line.split(' ').next().unwrap_or_default().to_owned()
}
