//! One component on its way from tip to tip.

use std::sync::Arc;

use super::{ComponentError, Found};
use crate::catalog::ComponentSnapshot;
use crate::config::{ComponentConfig, HistoryMode, ProjectConfig};
use crate::git::{EntryKind, GitError, Repository};
use crate::history::{self, History, Person, Progress, Projection};
use crate::ledger::Ledger;
use crate::model::{CommitId, Component, ComponentId, ProjectId, Timestamp};

/// A component that is followed.
#[derive(Debug)]
pub(super) struct Followed {
    /// `project/component`.
    pub name: String,
    pub project_slug: String,
    pub slug: String,
    pub source_language: String,
    /// The configuration; ids and branch are filled in when they are known.
    pub config: Component,
    pub mode: HistoryMode,
    /// What of the configuration the log depends on, hashed.
    pub fingerprint: String,
    pub repository: Option<Repository>,
    /// The log so far, with `history = full`.
    pub history: Option<History>,
    /// The tip that is published or about to be.
    pub tip: Option<CommitId>,
    pub people: Arc<[Person]>,
    pub snapshot: Option<Arc<ComponentSnapshot>>,
    /// What is served until there is a snapshot: the state by an older configuration.
    pub older: Option<Arc<ComponentSnapshot>>,
    /// The tip that `snapshot` shows.
    pub shown: Option<CommitId>,
    /// Why it cannot be served, or not be updated.
    pub failure: Option<String>,
    /// Its repository was found damaged, and cloning anew is tried.
    pub mending: bool,
    /// What the tip lacks, so that an older state is shown.
    pub lacking: Option<String>,
    /// Whether a checkpoint was looked for.
    pub looked_back: bool,
    /// The checkpoint that `history` comes from, until the moves behind it are replayed.
    pub restored: Option<Restored>,
    /// Moves since the last checkpoint, and the entries that it has; `None` without one.
    pub saved: Option<(usize, usize)>,
}

/// What a checkpoint covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Restored {
    /// The last batch of the ledger.
    pub batch: u32,
    /// Entries of the log.
    pub entries: usize,
}

/// What a component brings into a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// The tip before, unless the log begins anew.
    pub from: Option<CommitId>,
    pub to: CommitId,
    /// The first entry of the step in the component's log, and the log's new length.
    pub entries: (usize, usize),
    /// Whether the ledger knows the step already.
    pub replayed: bool,
}

impl Followed {
    pub fn new(project: &ProjectConfig, config: &ComponentConfig, mode: HistoryMode) -> Self {
        let component = Component {
            id: ComponentId(0),
            project: ProjectId(0),
            slug: config.slug.clone(),
            name: config.name.clone(),
            repo: config.repo.public(),
            branch: config.branch.clone().unwrap_or_default(),
            filemask: config.filemask.clone(),
            template: config.template.clone(),
            file_format: config.file_format,
            new_base: config.new_base.clone(),
            license: config.license.clone(),
            license_url: config.license_url.clone(),
            git_export: config.git_export.clone(),
            priority: config.priority,
            previous_filemasks: config.previous_filemasks.clone(),
            platforms: config.platforms.clone(),
        };
        Self {
            name: format!("{}/{}", project.slug, config.slug),
            project_slug: project.slug.to_string(),
            slug: config.slug.to_string(),
            source_language: project.source_language.clone(),
            fingerprint: fingerprint(&component, &project.source_language),
            config: component,
            mode,
            repository: None,
            history: None,
            tip: None,
            people: Arc::new([]),
            snapshot: None,
            older: None,
            shown: None,
            failure: None,
            mending: false,
            lacking: None,
            looked_back: false,
            restored: None,
            saved: None,
        }
    }

    /// Serves what the same component showed by an older configuration, until it has been read by its own.
    pub fn take_over(&mut self, before: Self) {
        self.older = before.snapshot.or(before.older);
        (self.repository, self.people) = (before.repository, before.people);
    }

    /// What is served.
    pub fn served(&self) -> Option<&Arc<ComponentSnapshot>> {
        self.snapshot.as_ref().or(self.older.as_ref())
    }

    /// Notes why the component cannot be served or updated; what is published stays.
    pub fn fail(&mut self, reason: String) {
        if self.failure.as_ref() != Some(&reason) {
            tracing::warn!(component = self.name, "cannot read {}: {reason}", self.name);
        }
        self.failure = Some(reason);
    }

    /// Notes in the log what of a projection is not served as it stands, unless that was so before.
    pub fn tell_problems(&self, projection: &Projection) {
        let known = self.snapshot.as_ref().map_or(&[][..], |snapshot| &snapshot.problems);
        for problem in projection.problems.iter().filter(|problem| !known.contains(problem)) {
            let cannot = if problem.broken { "cannot be read: " } else { "" };
            tracing::warn!(component = self.name, "{}: {cannot}{}", problem.path, problem.what);
        }
    }

    /// Moves on to what was found; `None` when that is where it stands.
    pub fn advance(
        &mut self,
        found: Found,
        ledger: &Ledger,
        seen: Timestamp,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Option<Step>, ComponentError> {
        self.config.branch = found.branch;
        let repository = found.repository;
        let step = match self.mode {
            HistoryMode::None => self.advance_present(found.tip, ledger),
            HistoryMode::Full => self.advance_log(&repository, found.tip, ledger, seen, progress)?,
        };
        self.repository = Some(repository);
        self.failure = None;
        Ok(step)
    }

    fn advance_present(&mut self, tip: CommitId, ledger: &Ledger) -> Option<Step> {
        if self.tip == Some(tip) && self.shown == Some(tip) {
            return None;
        }
        let known = self.last_move(ledger).is_some_and(|(_, last)| last.to == tip.to_string());
        self.tip = Some(tip);
        Some(Step { from: None, to: tip, entries: (0, 0), replayed: known })
    }

    fn advance_log(
        &mut self,
        repository: &Repository,
        tip: CommitId,
        ledger: &Ledger,
        seen: Timestamp,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Option<Step>, ComponentError> {
        let mut replayed = false;
        if self.history.is_none() || self.restored.is_some() {
            self.history = self.replay(repository, ledger, progress)?;
            replayed = self.history.is_some();
        }
        if self.tip == Some(tip) && self.history.is_some() {
            let log = self.history.as_ref().map_or(0, History::log_len);
            let unmoved = Step { from: Some(tip), to: tip, entries: (log, log), replayed: true };
            // What could not be shown is tried again.
            return Ok((replayed || self.shown != Some(tip)).then_some(unmoved));
        }
        let mut begins = self.history.is_none();
        let new = || History::new(Arc::new(self.config.clone()), &self.source_language);
        let mut history = self.history.take().unwrap_or_else(new);
        let mut stepped = history.step(repository, tip, seen, progress);
        if let Err(error) = &stepped
            && error.is_damage()
            && repository.is_cloned_anew()
            && !begins
        {
            tracing::warn!(
                component = self.name,
                "the log of {} is made anew: it cannot go on from the old tip: {error}",
                self.name
            );
            (begins, history) = (true, new());
            stepped = history.step(repository, tip, seen, progress);
        }
        let stepped = match stepped {
            Ok(stepped) => stepped,
            Err(error) => {
                self.history = (!begins).then_some(history);
                return Err(error.into());
            }
        };
        self.history = Some(history);
        if let Some((moves, _)) = &mut self.saved {
            *moves += 1;
        }
        let from = if begins { None } else { self.tip };
        if stepped.rewritten {
            tracing::warn!(component = self.name, "history of {} was rewritten: now at {tip}", self.name);
        }
        self.tip = Some(tip);
        Ok(Some(Step { from, to: tip, entries: stepped.entries, replayed: false }))
    }

    /// What is to be shown at the tip.
    pub fn project(&mut self) -> Result<Projection, ComponentError> {
        let (Some(repository), Some(tip)) = (&self.repository, self.tip) else {
            return Err(ComponentError::Repository("its repository was not read yet".into()));
        };
        let projection = match &mut self.history {
            Some(history) => history.project(repository)?,
            None => history::present(&self.config, &self.source_language, repository, tip)?,
        };
        let lacking = self.without_template(repository, &projection)?;
        if let Some(lacking) = lacking.as_ref().filter(|_| lacking != self.lacking) {
            tracing::warn!(component = self.name, "{}: {lacking}", self.name);
        }
        self.lacking = lacking;
        Ok(projection)
    }

    /// Says so when the tip has no template (any more): then what is shown is the last state that had one.
    fn without_template(&self, repository: &Repository, shown: &Projection) -> Result<Option<String>, GitError> {
        let Some(template) = shown.translations.iter().find(|translation| translation.is_template) else {
            return Ok(None);
        };
        let path = &template.path;
        if let Some(EntryKind::File(_)) = repository.reader().entry_at(shown.tip.tree, &**path)? {
            return Ok(None);
        }
        Ok(Some(format!(
            "the template {path} is gone from the branch {} (commit {}): served is the state before; bring the file \
             back, or set the template to its new path",
            self.config.branch, shown.tip.id
        )))
    }
}

/// What of a component's configuration its log depends on, hashed.
fn fingerprint(component: &Component, source_language: &str) -> String {
    let previous: Vec<&str> = component.previous_filemasks.iter().map(|mask| mask.as_str()).collect();
    let parts = serde_json::json!([
        component.filemask.as_str(),
        component.template,
        component.file_format.name(),
        source_language,
        previous,
        component.platforms,
    ]);
    blake3::hash(parts.to_string().as_bytes()).to_hex()[..32].to_owned()
}
