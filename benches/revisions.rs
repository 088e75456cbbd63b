//! Time of states of other revisions and of comparisons, and the size of their cache.
//!
//! `cargo bench --bench revisions -- REPOSITORY FILEMASK TEMPLATE FORMAT`: a bare repository on disk. Reads its history
//! first. Prints medians and maxima in milliseconds, and those of `git` for the same commits.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use gitglot::catalog::{ComponentSnapshot, Ids, PreviousResults};
use gitglot::checks::Checker;
use gitglot::git::Repository;
use gitglot::history::History;
use gitglot::model::{
    CommitId, Component, ComponentId, FileFormat, FileMask, Project, ProjectId, Slug, SourceId,
    Timestamp, TranslationId, UnitId,
};
use gitglot::revisions::{FindingFilter, Revision, Revisions};

/// The size of the cache, in bytes.
const CACHE: usize = 64_000_000;
/// Samples of each measurement.
const SAMPLES: usize = 40;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let [folder, mask, template, format] = &arguments[..] else {
        eprintln!("usage: cargo bench --bench revisions -- REPOSITORY FILEMASK TEMPLATE FORMAT");
        return Ok(());
    };
    let repository = Repository::open(folder)?;
    let head = repository.resolve("HEAD")?;
    let tip = tip(&repository, head, mask, template, format)?;
    // A server does this after it publishes a snapshot.
    tip.views().for_each(|view| {
        view.modern_failures();
    });
    let mut mainline: Vec<CommitId> = tip.log.mainline.iter().map(|row| row.commit).collect();
    mainline.drain(..mainline.len() / 10);
    let revisions = || {
        let repository = repository.clone();
        Revisions::new(Box::new(move |_| Some(repository.clone())), CACHE)
    };
    let sample = |at: usize| at * (mainline.len() - 2) / SAMPLES;
    let named = |commit: CommitId| Revision {
        name: commit.to_string(),
        commit,
        is_fixed: true,
    };

    let mut cold = Vec::new();
    let all = revisions();
    for at in 0..SAMPLES {
        let start = Instant::now();
        let found = all.find(&tip, &mainline[sample(at)].to_string())?;
        all.state(&tip, found.commit).map_err(anyhow::Error::from)?;
        cold.push(start.elapsed().as_secs_f64());
    }
    show("first request for a revision", cold);
    println!("cache: {} of {CACHE} bytes", all.cached_bytes());
    let paths = mask.split('*').next().unwrap_or_default().to_owned();
    let read = (0..SAMPLES).map(|at| {
        let start = Instant::now();
        read_with_git(folder, mainline[sample(at)], &paths)?;
        anyhow::Ok(start.elapsed().as_secs_f64())
    });
    show(
        "  git ls-tree, git cat-file --batch, serde_json",
        read.collect::<Result<_, _>>()?,
    );
    let known = mainline[sample(SAMPLES - 1)];
    let warm = (0..SAMPLES).map(|_| {
        let start = Instant::now();
        let _ = all.state(&tip, known);
        start.elapsed().as_secs_f64()
    });
    show("cached revision", warm.collect());

    let filter = FindingFilter {
        only_new: true,
        language: None,
    };
    let compare = |revisions: &Revisions, at: usize, filter: &FindingFilter| {
        let start = Instant::now();
        let (base, head) = (named(mainline[at]), named(mainline[at + 1]));
        let comparison = revisions.compare(&tip, &base, &head)?;
        revisions.findings(&tip, &comparison, filter, 0..20)?;
        anyhow::Ok(start.elapsed().as_secs_f64())
    };
    let (mut empty, mut next, mut cached, mut page) = (vec![], vec![], vec![], vec![]);
    for at in 0..SAMPLES {
        let at = sample(at);
        let revisions = revisions();
        empty.push(compare(&revisions, at, &filter)?);
        next.push(compare(&revisions, at + 1, &filter)?);
        cached.push(compare(&revisions, at + 1, &filter)?);
        page.push(compare(&revisions, at + 1, &FindingFilter::default())?);
    }
    show("comparison of adjacent commits, nothing cached", empty);
    let diff = (0..SAMPLES).map(|at| {
        let ends = [mainline[sample(at)], mainline[sample(at) + 1]].map(|it| it.to_string());
        let start = Instant::now();
        git(folder, &["diff", &ends[0], &ends[1], "--", &paths]).output()?;
        anyhow::Ok(start.elapsed().as_secs_f64())
    });
    show("  git diff", diff.collect::<Result<_, _>>()?);
    show("comparison of adjacent commits, one end cached", next);
    show("comparison, both ends cached, new findings", cached);
    show("comparison, both ends cached, all findings", page);
    Ok(())
}

fn git(folder: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    command
}

/// Reads and parses the JSON files of a commit.
fn read_with_git(folder: &str, commit: CommitId, paths: &str) -> anyhow::Result<()> {
    let list = git(folder, &["ls-tree", "-r", &commit.to_string(), "--", paths]).output()?;
    let list = String::from_utf8(list.stdout)?;
    let blobs: Vec<&str> = list.lines().filter_map(|line| line.get(12..52)).collect();
    let mut process = git(folder, &["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = process.stdin.take().context("piped")?;
    let lines = blobs.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = process.wait_with_output()?.stdout;
    writer
        .join()
        .map_err(|_| anyhow::anyhow!("the writer failed"))??;
    let mut rest = &output[..];
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let (header, after) = rest.split_at(end + 1);
        let size: usize = std::str::from_utf8(header)?
            .split_whitespace()
            .nth(2)
            .context("an object")?
            .parse()?;
        let _ = serde_json::from_slice::<serde_json::Value>(&after[..size]);
        rest = &after[size + 1..];
    }
    Ok(())
}

fn show(name: &str, mut seconds: Vec<f64>) {
    seconds.sort_by(f64::total_cmp);
    let median = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
    let most = seconds.last().copied().unwrap_or_default();
    println!(
        "{name}: median {:.1} ms, at most {:.1} ms",
        median * 1e3,
        most * 1e3
    );
}

/// The snapshot of the tip.
fn tip(
    repository: &Repository,
    head: CommitId,
    mask: &str,
    template: &str,
    format: &str,
) -> anyhow::Result<Arc<ComponentSnapshot>> {
    let component = Component {
        id: ComponentId(1),
        branch: "main".into(),
        ..Component::new(
            Slug::new("component")?,
            FileMask::new(mask)?,
            template,
            FileFormat::from_name(format).context("no such format")?,
        )
    };
    let component = Arc::new(component);
    let mut history = History::new(component.clone(), "en");
    history.step(repository, head, Timestamp::from_seconds(i64::MAX), &|_| {})?;
    let projection = history.project(repository)?;
    let mut next = 0;
    let mut id = || {
        next += 1;
        next
    };
    let ids = Ids {
        sources: projection.sources.iter().map(|_| SourceId(id())).collect(),
        translations: (1..=projection.translations.len() as u32)
            .map(TranslationId)
            .collect(),
        units: projection
            .translations
            .iter()
            .map(|it| it.units.iter().map(|_| UnitId(id())).collect())
            .collect(),
        people: Vec::new(),
    };
    let project = Project {
        id: ProjectId(1),
        slug: Slug::new("project")?,
        name: "Project".into(),
        web: String::new(),
        source_language: "en".into(),
    };
    let checker = Checker::default();
    let (project, before) = (Arc::new(project), PreviousResults::Nothing);
    Ok(Arc::new(ComponentSnapshot::new(
        project, component, projection, ids, &checker, before,
    )))
}
