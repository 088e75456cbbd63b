//! Reads small histories for tests, and shows logs as lines.

use std::sync::Arc;

use crate::{FileProblem, History, Projection, UnknownNames};
use gitglot_git::Repository;
use gitglot_model::{
    Component, ComponentSettings, FileFormat, FileMask, KeyId, LogEntry, Slug, Timestamp,
};
use gitglot_testkit::{History as Commits, Repo};

/// A component of JSON files, with the template `locales/en.json`.
pub(crate) fn json_component() -> ComponentSettings {
    let (slug, mask) = (
        Slug::new("app").unwrap(),
        FileMask::new("locales/*.json").unwrap(),
    );
    ComponentSettings::new(slug, mask, "locales/en.json", FileFormat::Json)
}

/// What was read of a history.
pub(crate) struct ReadHistory {
    pub(crate) state: Projection,
    pub(crate) unknown_reviews: Vec<String>,
    pub(crate) repo: Repo,
    pub(crate) repository: Repository,
    _folder: tempfile::TempDir,
}

/// Reads a history in one step, to the tip of `main`.
pub(crate) fn read(commits: &Commits) -> ReadHistory {
    read_as(json_component(), commits, &[])
}

/// Reads a history with a step to each of these commits.
pub(crate) fn read_steps(commits: &Commits, tips: &[&str]) -> ReadHistory {
    read_as(json_component(), commits, tips)
}

/// As [`read_steps`], with settings of the component; without `tips` as [`read`].
pub(crate) fn read_as(
    settings: ComponentSettings,
    commits: &Commits,
    tips: &[&str],
) -> ReadHistory {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("repo.git"), commits);
    let repository = Repository::open(repo.dir()).unwrap();
    let mut history = History::new(Arc::new(Component::new(settings)), "en");
    let mut tips: Vec<_> = tips.iter().map(|tip| repo.id(tip)).collect();
    if tips.is_empty() {
        tips.push(repo.tip("main"));
    }
    for tip in tips {
        let observed = Timestamp::from_seconds(4_000_000_000);
        history.step(&repository, tip, observed, &|_| {}).unwrap();
    }
    ReadHistory {
        state: history.project(&repository).unwrap(),
        unknown_reviews: {
            let mut unknown = None;
            history.find_names(&mut unknown);
            let problems = unknown.map_or_else(Vec::new, UnknownNames::problems);
            let line = |it: FileProblem| format!("{}: {}", it.path, it.reason);
            problems.into_iter().map(line).collect()
        },
        repo,
        repository,
        _folder: folder,
    }
}

impl ReadHistory {
    /// The log, each entry as `COMMIT: ACTION LANGUAGE KEY=TEXT`.
    pub(crate) fn log(&self) -> Vec<String> {
        let line = |entry| format!("{}: {}", self.commit(&entry), self.entry(&entry));
        self.state.log.iter().map(line).collect()
    }

    /// The entries of one commit, each as `ACTION LANGUAGE KEY=TEXT`.
    pub(crate) fn entries_of(&self, commit: &str) -> Vec<String> {
        let own = self.state.log.iter().filter(|it| self.commit(it) == commit);
        own.map(|entry| self.entry(&entry)).collect()
    }

    /// The stale texts of a language, each as `KEY=OLD SOURCE`.
    pub(crate) fn stale(&self, language: &str) -> Vec<String> {
        let mut states = self.state.translations.iter();
        let state = states.find(|it| *it.file_code == *language).unwrap();
        let line = |&(row, old): &(u32, _)| {
            let key = self.state.sources[row as usize].key;
            format!("{}={}", self.key(key), self.state.texts.get(old))
        };
        state.stale.iter().map(line).collect()
    }

    /// A key without the dot that JSON has before it.
    pub(crate) fn key(&self, key: KeyId) -> &str {
        let key = self.state.texts.get(self.state.log.keys[key.0 as usize]);
        key.trim_start_matches('.')
    }

    fn commit(&self, entry: &LogEntry) -> &str {
        let commit = &self.state.log.commits[entry.commit as usize];
        self.state.texts.get(commit.subject)
    }

    /// An entry as `ACTION LANGUAGE KEY=TEXT`.
    pub(crate) fn entry(&self, entry: &LogEntry) -> String {
        let text = self.state.texts.get(entry.target);
        let lineage = |at: gitglot_model::LineageId| {
            let row = self.state.log.lineages[usize::from(at.0)];
            self.state.texts.get(row.language)
        };
        let key = entry.key.map(|key| format!("{}={text}", self.key(key)));
        let parts = [
            Some(entry.action.label().to_owned()),
            entry.lineage.map(|it| lineage(it).to_owned()),
            key.or((!text.is_empty()).then(|| text.to_owned())),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
