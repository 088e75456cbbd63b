//! The loop that joins the rooms: repositories → history → ledger → catalog, batch by batch.
//!
//! Knows nothing of HTTP; whoever serves is told through [`Events`] and the published snapshot.

mod batch;
mod checkpoint;
mod component;
mod look;
mod reload;
mod replay;
mod schedule;
mod tail;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

use crate::catalog::{ComponentSnapshot, Published, Snapshot, User};
use crate::checks::Checker;
use crate::config::{HistoryMode, ProjectConfig};
use crate::git::{EntryKind, GitError, Repository};
use crate::history::{HistoryError, Person, Progress, Projection, username};
use crate::ledger::{Checkpoints, Ledger, LedgerError};
use crate::model::{BlobId, ChangeId, CommitId, ComponentId, Project, Timestamp, UserId};
use component::Followed;

pub use look::{Place, find};
pub use reload::Wanted;
pub use tail::{Pager, Tail, Watches};

/// What somebody who serves wants to hear while components are read.
pub trait Events: Sync {
    /// How far the reading of a component has come.
    fn progress(&self, component: &str, progress: Progress);
    /// A component is published.
    fn published(&self, component: &str);
    /// A component cannot be served, for that reason.
    fn failed(&self, component: &str, reason: &str);
    /// What is known of a component's repository may be old, for that reason; `None` when it is not.
    fn behind(&self, component: &str, reason: Option<&str>);
    /// A look at a repository has ended.
    fn looked(&self, look: &Looked<'_>) {
        let _ = look;
    }
    /// A component was taken to a tip, which took so long; `anew` when a log that it had was made anew.
    fn stepped(&self, component: &str, took: Duration, anew: bool) {
        let _ = (component, took, anew);
    }
    /// A batch was published, so long after it was found.
    fn batch(&self, took: Duration) {
        let _ = took;
    }
    /// From now on these projects are followed, and these repositories looked at.
    fn configured(&self, projects: &[ProjectConfig], repositories: &BTreeSet<String>) {
        let _ = (projects, repositories);
    }
}

/// How a look at a repository ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Looked<'a> {
    /// Its address, without credentials.
    pub repository: &'a str,
    /// `good`; `passing` or `lasting` for failures that may go away by themselves or not; `damaged` when the mirror is
    /// to be cloned anew.
    pub outcome: &'static str,
    /// Whether a damaged mirror was cloned anew.
    pub healed: bool,
}

/// Why nothing can be published.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The state directory.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// Why one component cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ComponentError {
    /// Its repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// Its files.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Anything about its repository that another room has put into words.
    #[error("{0}")]
    Repository(String),
}

impl ComponentError {
    /// Whether the repository's objects on disk are incomplete or broken.
    fn is_damage(&self) -> bool {
        match self {
            Self::Git(error) => error.is_damage(),
            Self::History(error) => error.is_damage(),
            Self::Repository(_) => false,
        }
    }
}

/// A repository as it was found: one branch of it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: String,
    /// Its tip.
    pub tip: CommitId,
}

/// Everything that is followed, and what it has led to.
#[derive(Debug)]
pub struct Follower {
    ledger: Ledger,
    checkpoints: Checkpoints,
    checker: Checker,
    /// What the outcome of checks depends on, beside the texts.
    checks: String,
    mode: HistoryMode,
    projects: Vec<ProjectConfig>,
    /// The components, in configuration order.
    components: Vec<Followed>,
    published: Arc<Published>,
    sources: Arc<Sources>,
    /// Since when something is put off, and when it was put off last.
    put_off: Option<(Instant, Instant)>,
    /// The least time, in seconds, of the next snapshot: a new configuration shows something else without a batch.
    not_before: Option<i64>,
}

/// Where the files of components can be read, for downloads.
#[derive(Default, Debug)]
pub struct Sources(ArcSwap<BTreeMap<ComponentId, Repository>>);

impl Sources {
    /// The bytes of a blob of a component's repository.
    ///
    /// # Errors
    /// When the component is gone or the blob cannot be read.
    pub fn blob(&self, component: ComponentId, blob: BlobId) -> Result<Vec<u8>, ComponentError> {
        let gone = || ComponentError::Repository(format!("component {component} is not served any more"));
        let repository = self.0.load().get(&component).cloned().ok_or_else(gone)?;
        let mut bytes = Vec::new();
        repository.reader().blob(blob, &mut bytes)?;
        Ok(bytes)
    }

    /// The bytes of the file at a path of a commit of a component's repository.
    ///
    /// # Errors
    /// When the component is gone, there is no such file, or it cannot be read.
    pub fn at_path(&self, component: ComponentId, commit: CommitId, path: &str) -> Result<Vec<u8>, ComponentError> {
        let gone = || ComponentError::Repository(format!("component {component} is not served any more"));
        let repository = self.0.load().get(&component).cloned().ok_or_else(gone)?;
        let mut reader = repository.reader();
        let tree = reader.outline(commit)?.tree;
        let Some(EntryKind::File(blob)) = reader.entry_at(tree, path)? else {
            return Err(ComponentError::Repository(format!("the commit {commit} has no file {path}")));
        };
        let mut bytes = Vec::new();
        reader.blob(blob, &mut bytes)?;
        Ok(bytes)
    }
}

impl Follower {
    /// Follows these projects, going on from what the ledger of their state directory says.
    pub fn new(
        ledger: Ledger,
        projects: Vec<ProjectConfig>,
        mode: HistoryMode,
        checker: Checker,
        published: Arc<Published>,
    ) -> Self {
        let components = projects
            .iter()
            .flat_map(|project| project.components.iter().map(move |component| Followed::new(project, component, mode)))
            .collect();
        let sources = Arc::default();
        let (checkpoints, checks) = (ledger.checkpoints(), checker.fingerprint());
        Self {
            ledger,
            checkpoints,
            checker,
            checks,
            mode,
            projects,
            components,
            published,
            sources,
            put_off: None,
            not_before: None,
        }
    }

    /// Where downloads come from.
    pub fn sources(&self) -> Arc<Sources> {
        self.sources.clone()
    }

    /// What is followed.
    pub fn projects(&self) -> &[ProjectConfig] {
        &self.projects
    }

    /// The names of all components, `project/component`, in configuration order.
    pub fn names(&self) -> Vec<String> {
        self.components.iter().map(|component| component.name.clone()).collect()
    }

    /// Takes in what was found of the repositories of components, named by their places in the configuration and in
    /// that order, as one batch; publishes the result if there is anything new. Gives the places of components whose
    /// repositories turned out to be damaged. What can wait is put off: see [`Self::catch_up`].
    ///
    /// # Errors
    /// When the ledger cannot be written; then nothing is published.
    pub fn observe(
        &mut self,
        found: Vec<(usize, Result<Found, String>)>,
        seen: Timestamp,
        events: &dyn Events,
    ) -> Result<Vec<usize>, FollowError> {
        let begun = Instant::now();
        let mut moved = Vec::new();
        let mut damaged = Vec::new();
        let places: Vec<usize> = found.iter().map(|(at, _)| *at).filter(|at| *at < self.components.len()).collect();
        let mut healed = false;
        for (at, found) in found {
            let cloned_anew = found.as_ref().is_ok_and(|found| found.repository.is_cloned_anew());
            healed |= cloned_anew;
            if let (Ok(found), true) = (&found, at < self.components.len()) {
                self.restore(at, found);
            }
            let Some(component) = self.components.get_mut(at) else { continue };
            if cloned_anew {
                // What could not be carried over stands in the log at hand only: it is written down now.
                component.saved = None;
            }
            let name = component.name.clone();
            let stepping = Instant::now();
            let step = found.map_err(ComponentError::Repository).and_then(|found| {
                let progress = |progress| events.progress(&name, progress);
                component.advance(found, &self.ledger, seen, &progress)
            });
            match step {
                Ok(Some(step)) => {
                    let known = || {
                        self.ledger.batches.iter().any(|(batch, _)| batch.moves.iter().any(|it| it.component == name))
                    };
                    let begins = step.from.is_none() && !step.replayed && self.mode == HistoryMode::Full;
                    events.stepped(&name, stepping.elapsed(), begins && known());
                    moved.push((at, step));
                }
                Ok(None) => {}
                Err(error) => {
                    damaged.extend(error.is_damage().then_some(at));
                    component.fail(error.to_string());
                }
            }
        }
        let anything = !moved.is_empty() || self.published.load().is_none();
        damaged.extend(self.close_batch(moved, seen)?);
        if anything {
            self.publish();
            events.batch(begun.elapsed());
        } else {
            self.share_sources();
        }
        for at in places {
            let component = &mut self.components[at];
            // Whether it can be served is known when its repository was cloned anew, which comes next.
            let comes_next = damaged.contains(&at) && !std::mem::replace(&mut component.mending, true);
            component.mending &= damaged.contains(&at);
            match &component.failure {
                Some(_) if comes_next && component.snapshot.is_none() => {}
                Some(reason) => {
                    if component.snapshot.is_some() {
                        events.published(&component.name);
                    }
                    events.failed(&component.name, reason);
                }
                None => events.published(&component.name),
            }
        }
        if anything || healed {
            let now = Instant::now();
            self.put_off = Some((self.put_off.map_or(now, |(since, _)| since), now));
        }
        Ok(damaged)
    }

    /// The commits that the logs of these components need, so that they can be replayed.
    fn needed(&self, components: &[usize]) -> Vec<CommitId> {
        let components = components.iter().filter_map(|&at| self.components.get(at));
        let moves = components.filter_map(|component| component.moves(&self.ledger));
        let tips = moves.flat_map(|(moves, begin)| {
            moves.into_iter().skip(begin).filter_map(|(batch, _, nth)| batch.moves[nth].to.parse().ok())
        });
        tips.collect()
    }

    /// Builds the snapshot of all components that can be served, and publishes it.
    fn publish(&mut self) {
        let projects = self.projects.iter().filter_map(|project| self.project(project)).collect();
        let served: Vec<Arc<ComponentSnapshot>> =
            self.components.iter().filter_map(|component| component.served().cloned()).collect();
        self.share_sources();
        let last = ChangeId(self.ledger.known.next_change().saturating_sub(1));
        let before = self.published.load();
        let snapshot = Snapshot::after(before.as_deref(), projects, served, self.users()).numbered_to(last);
        // A second of its own for each batch, so that the time tells states apart that came in the same second.
        let seconds = self.ledger.batches.iter().map(|(batch, _)| Timestamp(batch.seen).seconds());
        let time = seconds.reduce(|last, seen| seen.max(last + 1));
        let time = time.max(self.not_before);
        self.not_before = self.not_before.and(time).map(|time| time + 1);
        self.published.publish(match time {
            Some(time) => snapshot.at(time),
            None => snapshot,
        });
    }

    /// Lets downloads read from the repositories as they are now: a mirror that was cloned anew has other packs.
    fn share_sources(&self) {
        let repositories = self.components.iter().filter_map(|component| {
            let id = component.served()?.component.id;
            Some((id, component.repository.clone()?))
        });
        self.sources.0.store(Arc::new(repositories.collect()));
    }

    fn project(&self, project: &ProjectConfig) -> Option<Arc<Project>> {
        Some(Arc::new(Project {
            id: self.ledger.known.project(project.slug.as_str())?,
            slug: project.slug.clone(),
            name: project.name.clone(),
            web: project.web.clone(),
            source_language: project.source_language.clone(),
        }))
    }

    fn project_named(&self, slug: &str) -> Option<Arc<Project>> {
        self.project(self.projects.iter().find(|project| project.slug.as_str() == slug)?)
    }

    /// The user of each person of a projection.
    fn people_of(&self, projection: &Projection) -> Vec<UserId> {
        let user = |person: &Person| self.ledger.known.known_user(&person.identity).unwrap_or(UserId(0));
        projection.people.iter().map(user).collect()
    }

    /// Everybody whom a log names, by id.
    fn users(&self) -> Vec<User> {
        let mut people: BTreeMap<UserId, &Person> = BTreeMap::new();
        for component in &self.components {
            for person in component.people.iter() {
                if let Some(id) = self.ledger.known.known_user(&person.identity) {
                    let newest = people.entry(id).or_insert(person);
                    if person.named > newest.named {
                        *newest = person;
                    }
                }
            }
        }
        let mut taken = std::collections::HashSet::new();
        people
            .into_iter()
            .map(|(id, person)| {
                let name = username(&person.full_name, &|name| taken.contains(name));
                taken.insert(name.clone());
                User { id, username: name.into(), full_name: person.full_name.as_str().into() }
            })
            .collect()
    }
}

impl Follower {
    /// When no component can be served: why the first cannot.
    pub fn hopeless(&self) -> Option<String> {
        if self.components.iter().any(|component| component.snapshot.is_some()) {
            return None;
        }
        self.components.first()?.failure.clone()
    }

    /// Why the component at that place of the configuration cannot be served, or not as its repository is now.
    fn trouble(&self, at: usize) -> Option<&str> {
        let component = self.components.get(at)?;
        component.failure.as_deref().or(component.lacking.as_deref())
    }

    /// The components that cannot be served or updated, with the reason.
    pub fn failures(&self) -> impl Iterator<Item = String> + '_ {
        let failed = self.components.iter().filter_map(|component| Some((component, component.failure.as_ref()?)));
        failed.map(|(component, reason)| format!("{}: {reason}", component.name))
    }
}
