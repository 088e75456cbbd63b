//! Time and memory from the repository on disk to the published snapshot: cold, from a checkpoint, and for
//! one more commit; and the memory it takes.
//!
//! `cargo bench --bench update -- REPOSITORY FILEMASK TEMPLATE FORMAT`: a bare repository on disk, of which a copy
//! is made. One part alone, with the state in a directory that `STATE` names: `PART=cold`, the one to read memory from,
//! then `PART=restart` and `PART=update`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;

use gitglot_catalog::Published;
use gitglot_checks::Words;
use gitglot_follow::{BranchState, FollowEvents, FollowedComponents, Freshness, Observation};
use gitglot_follow::{ComponentConfig, HistoryMode, ProjectConfig, RepoAddress};
use gitglot_git::Repository;
use gitglot_ledger::Ledger;
use gitglot_model::{CommitId, ComponentIndex, ComponentSettings, FileMask, Slug, Timestamp};

/// Commits of each kind.
const COMMITS: usize = 15;

struct Quiet;

impl FollowEvents for Quiet {
    fn published(&self, _: &str) {}
    fn behind(&self, _: &str, _: Option<&str>) {}
    fn failed(&self, component: &str, reason: &str) {
        eprintln!("{component}: {reason}");
    }
}

struct Bench {
    repository: PathBuf,
    state: PathBuf,
    project: ProjectConfig,
    published: Arc<Published>,
}

impl Bench {
    fn followed(&self) -> anyhow::Result<FollowedComponents> {
        let ledger = Ledger::open(&self.state)?;
        let projects = vec![self.project.clone()];
        Ok(FollowedComponents::new(
            ledger,
            projects,
            HistoryMode::Full,
            Words::default(),
            self.published.clone(),
        ))
    }

    fn tip(&self) -> anyhow::Result<CommitId> {
        let repository = gix::open(&self.repository)?;
        let id = repository
            .find_reference("refs/heads/main")?
            .into_fully_peeled_id()?;
        Ok(id.to_string().parse()?)
    }

    fn ingest(&self, followed: &mut FollowedComponents) -> anyhow::Result<()> {
        let repository = Repository::open(&self.repository)?;
        let state = BranchState {
            repository,
            branch: "main".into(),
            tip: self.tip()?,
        };
        let observation = Observation {
            component: ComponentIndex::new(0),
            state: Ok(state),
            freshness: Freshness::Current,
        };
        followed.ingest(
            vec![observation],
            Timestamp(chrono::Utc::now().timestamp_micros()),
            &Quiet,
        )?;
        Ok(())
    }

    /// Changes one text of a file in a commit of its own, and gives the time until that is published.
    fn push(
        &self,
        followed: &mut FollowedComponents,
        file: &str,
        text: &str,
    ) -> anyhow::Result<Duration> {
        let tip = self.tip()?;
        let mut reader = Repository::open(&self.repository)?.reader();
        let tree = reader.commit_header(tip)?.tree;
        let Some(gitglot_git::EntryKind::File(blob)) = reader.entry_at(tree, file)? else {
            anyhow::bail!("no file {file}");
        };
        let bytes = reader.blob(blob)?;
        let mut content: Value =
            serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes))?;
        change(&mut content, text);
        let content = serde_json::to_string_pretty(&content)?;
        let stream = format!(
            "commit refs/heads/main\ncommitter Example Author <author@example.org> 1577836800 +0000\n\
             data 14\nChange a text\nfrom {tip}\nM 100644 inline {file}\ndata {}\n{content}\n",
            content.len()
        );
        fast_import(&self.repository, &stream)?;
        let start = Instant::now();
        self.ingest(followed)?;
        let taken = start.elapsed();
        while followed.catch_up() {}
        Ok(taken)
    }
}

/// Lets git import a stream, because the repository has packs.
fn fast_import(repository: &Path, stream: &str) -> anyhow::Result<()> {
    let mut git = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()?;
    let mut stdin = git.stdin.take().context("no standard input")?;
    stdin.write_all(stream.as_bytes())?;
    drop(stdin);
    anyhow::ensure!(git.wait()?.success(), "git fast-import failed");
    Ok(())
}

/// Sets the first text in an object to another.
fn change(value: &mut Value, text: &str) -> bool {
    match value {
        Value::String(old) => {
            *old = text.to_owned();
            true
        }
        Value::Object(object) => object.values_mut().any(|value| change(value, text)),
        _ => false,
    }
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let [original, mask, template, format] = &arguments[..] else {
        eprintln!("usage: cargo bench --bench update -- REPOSITORY FILEMASK TEMPLATE FORMAT");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let given = std::env::var_os("STATE").map(PathBuf::from);
    let part = std::env::var("PART").unwrap_or_default();
    let repository = if part.is_empty() || part == "update" {
        copy(Path::new(original), &folder.path().join("repository.git"))?;
        folder.path().join("repository.git")
    } else {
        PathBuf::from(original)
    };
    let component = ComponentConfig {
        branch: Some("main".into()),
        ..ComponentConfig::new(
            RepoAddress::parse(original, Path::new("/"))?,
            ComponentSettings::new(
                Slug::new("component")?,
                FileMask::new(mask)?,
                template,
                format.parse().map_err(anyhow::Error::msg)?,
            ),
        )
    };
    let project = ProjectConfig {
        slug: Slug::new("project")?,
        name: "project".into(),
        web: String::new(),
        instructions: String::new(),
        source_language: "en".into(),
        components: vec![component],
    };
    let state = given.unwrap_or_else(|| folder.path().join("state"));
    let bench = Bench {
        repository,
        state,
        project,
        published: Arc::default(),
    };
    if part.is_empty() || part == "cold" {
        cold(&bench)?;
    }
    if part == "cold" {
        return Ok(());
    }
    let start = Instant::now();
    let mut followed = bench.followed()?;
    let opened = start.elapsed();
    bench.ingest(&mut followed)?;
    println!(
        "restart {:?}, of that the ledger {opened:?}; then {} MB",
        start.elapsed(),
        anonymous() / 1_000_000
    );
    if part != "restart" {
        updates(&bench, &mut followed, template)?;
    }
    Ok(())
}

fn cold(bench: &Bench) -> anyhow::Result<()> {
    let (peak, done) = (
        Arc::new(AtomicU64::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let watch = {
        let (peak, done) = (peak.clone(), done.clone());
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                peak.fetch_max(anonymous(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(2));
            }
        })
    };
    let start = Instant::now();
    let mut followed = bench.followed()?;
    bench.ingest(&mut followed)?;
    let cold = start.elapsed();
    while followed.catch_up() {}
    done.store(true, Ordering::Relaxed);
    let _ = watch.join();
    let snapshot = bench.published.load().context("nothing is published")?;
    let component = snapshot
        .component("project", "component")
        .context("no component")?;
    let (entries, texts) = (component.log.len(), component.texts.bytes());
    let mut reader = Repository::open(&bench.repository)?.reader();
    let mut files = 0;
    for translation in &component.translations {
        files += translation
            .blob
            .map_or(Ok(0), |blob| reader.blob(blob).map(|it| it.len() as u64))?;
    }
    let bar = 40_000_000 + 2 * files + 48 * entries as u64 + texts as u64;
    let (rest, peak) = (anonymous(), peak.load(Ordering::Relaxed));
    let mega = |bytes: u64| bytes as f64 / 1e6;
    println!(
        "cold {cold:?}: {entries} entries, {} units",
        snapshot.unit_count()
    );
    println!(
        "at rest {:.1} MB of {:.1} allowed, peak {:.1} ({:.2} of the limit)",
        mega(rest),
        mega(bar),
        mega(peak),
        peak as f64 / (3 * bar) as f64
    );
    Ok(())
}

fn updates(bench: &Bench, followed: &mut FollowedComponents, template: &str) -> anyhow::Result<()> {
    let snapshot = bench.published.load().context("nothing is published")?;
    let component = snapshot
        .component("project", "component")
        .context("no component")?;
    let largest = component
        .translations
        .iter()
        .filter(|it| !it.is_template)
        .max_by_key(|it| it.statistics.translated.units);
    let file = largest.context("no translation")?.path.to_string();
    drop(snapshot);
    for (name, file) in [("a translation", &*file), ("the template", template)] {
        // The first one writes the file in another layout.
        bench.push(followed, file, &format!("{}-first", name.replace(' ', "-")))?;
        let mut times = Vec::new();
        for nth in 0..COMMITS {
            times.push(bench.push(followed, file, &format!("{}-{nth}", name.replace(' ', "-")))?);
        }
        times.sort();
        println!(
            "one commit that changes {name}: {:?} (median), {:?} (longest)",
            times[COMMITS / 2],
            times[COMMITS - 1]
        );
    }
    Ok(())
}

/// Bytes of anonymous memory of this process.
fn anonymous() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
