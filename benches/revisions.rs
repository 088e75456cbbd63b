//! Time of states of other revisions and of comparisons, and the size of their cache.
//!
//! `cargo bench --bench revisions -- REPOSITORY FILEMASK TEMPLATE FORMAT`: a bare repository on disk. Reads its history
//! first. Prints the time and the processor time, and those of `git` for the same commits.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use gitglot_catalog::{ComponentSnapshot, PreviousResults};
use gitglot_checks::ComponentChecks;
use gitglot_git::Repository;
use gitglot_history::History;
use gitglot_model::{
    CommitId, Component, ComponentId, ComponentSettings, FileMask, Project, ProjectId,
    ProjectionIds, Slug, SourceId, Timestamp, TranslationId, UnitId, Unlimited,
};
use gitglot_revisions::{FindingFilter, Revision, Revisions, find};

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
        view.check_results(&gitglot_catalog::scan::Budget::unlimited());
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

    let all = revisions();
    measure("first request for a revision", |at| {
        let found = find(&all, &tip, &mainline[sample(at)].to_string())?;
        all.state(&tip, found.commit, &Unlimited)?;
        Ok(())
    })?;
    println!("cache: {} of {CACHE} bytes", all.cached_bytes());
    let paths = mask.split('*').next().unwrap_or_default();
    measure("  git ls-tree, git cat-file, serde_json", |at| {
        read_with_git(folder, mainline[sample(at)], paths)
    })?;
    let known = mainline[sample(SAMPLES - 1)];
    measure("cached revision", |_| {
        all.state(&tip, known, &Unlimited)?;
        Ok(())
    })?;

    let only_new = FindingFilter {
        only_new: true,
        language: None,
    };
    let compare = |revisions: &Revisions, at: usize, filter: &FindingFilter| {
        let (base, head) = (named(mainline[at]), named(mainline[at + 1]));
        let comparison = revisions.compare(&tip, &[], &base, &head, &Unlimited)?;
        revisions.findings(&tip, &[], &comparison, filter, 0..20, &Unlimited)?;
        anyhow::Ok(())
    };
    let [mut empty, mut next, mut new, mut all] = [(); 4].map(|()| Samples::default());
    for at in 0..SAMPLES {
        let (at, revisions) = (sample(at), revisions());
        empty.add(|| compare(&revisions, at, &only_new))?;
        next.add(|| compare(&revisions, at + 1, &only_new))?;
        new.add(|| compare(&revisions, at + 1, &only_new))?;
        all.add(|| compare(&revisions, at + 1, &FindingFilter::default()))?;
    }
    empty.print("comparison of adjacent commits, nothing cached");
    next.print("comparison of adjacent commits, one end cached");
    new.print("comparison, both ends cached, new findings");
    all.print("comparison, both ends cached, all findings");
    measure("  git diff", |at| {
        let ends = [mainline[sample(at)], mainline[sample(at) + 1]].map(|it| it.to_string());
        git(folder, &["diff", &ends[0], &ends[1], "--", paths]).output()?;
        Ok(())
    })
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

/// Elapsed and processor times of one operation.
#[derive(Default)]
struct Samples {
    seconds: Vec<f64>,
    processor: f64,
}

impl Samples {
    fn add(&mut self, sample: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        let (processor, start) = (processor_time(), Instant::now());
        sample()?;
        self.seconds.push(start.elapsed().as_secs_f64());
        self.processor += processor_time() - processor;
        Ok(())
    }

    /// Prints the median and the maximum of the elapsed times, and the mean processor time.
    fn print(mut self, name: &str) {
        self.seconds.sort_by(f64::total_cmp);
        let count = self.seconds.len();
        println!(
            "{name}: median {:.1} ms, at most {:.1} ms, processor {:.1} ms",
            self.seconds[count / 2] * 1e3,
            self.seconds[count - 1] * 1e3,
            self.processor / count as f64 * 1e3
        );
    }
}

/// Measures a number of samples.
fn measure(name: &str, mut sample: impl FnMut(usize) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut samples = Samples::default();
    for at in 0..SAMPLES {
        samples.add(|| sample(at))?;
    }
    samples.print(name);
    Ok(())
}

/// The processor time of this process and its ended children in seconds, in steps of 10 ms; 0 where `/proc` is missing.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(4);
    ticks.filter_map(|it| it.parse::<f64>().ok()).sum::<f64>() / 100.0
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
        ..Component::new(ComponentSettings::new(
            Slug::new("component")?,
            FileMask::new(mask)?,
            template,
            format.parse().map_err(anyhow::Error::msg)?,
        ))
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
    let ids = ProjectionIds {
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
        instructions: String::new(),
        source_language: "en".into(),
    };
    let checks = ComponentChecks::default();
    let (project, before) = (Arc::new(project), PreviousResults::Nothing);
    Ok(Arc::new(ComponentSnapshot::new(
        project, component, projection, ids, &checks, before,
    )))
}
