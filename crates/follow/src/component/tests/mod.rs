//! Tests of the rules of one component, with a repository and a ledger but without polls.

mod advance;
mod checkpoint;
mod replay;
mod state;

use std::collections::HashMap;
use std::sync::Arc;

use super::phase::Phase;
use super::{Advance, AdvanceInput, CheckpointStore, ComponentState, Failure, Source};
use crate::batch::BatchCommit;
use crate::component::FollowedChecks;
use crate::lookup::Lookup;
use crate::moved_strings::MovedStrings;
use crate::observation::{BranchState, ComponentError, Freshness};
use crate::poll::PollTarget;
use crate::testing::project;
use crate::{HistoryMode, ProjectConfig};
use gitglot_checks::Words;
use gitglot_git::{Branch, Repository};
use gitglot_history::Projection;
use gitglot_ledger::{Appended, Ledger, SharedLedger};
use gitglot_model::{ComponentIndex, FileFormat, Timestamp};
use gitglot_testkit::{History, MemoryStore, Repo, commit};

const APP: (&str, &str, &str, FileFormat) =
    ("app", "locales/*.json", "locales/en.json", FileFormat::Json);

/// The result of an advance.
type Advanced = Result<Option<(Advance, Projection)>, ComponentError>;

/// One component with its repository, state directory and ledger.
struct Site {
    repo: Repo,
    project: ProjectConfig,
    component: ComponentState,
    ledger: Ledger,
    /// Number of observations.
    observed: i64,
    folder: tempfile::TempDir,
}

impl Site {
    fn new(history: &History) -> Self {
        Self::with_mode(history, HistoryMode::Full)
    }

    fn with_mode(history: &History, mode: HistoryMode) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("app.git"), history);
        let project = project(repo.dir(), &[APP]);
        Self {
            component: ComponentState::new(&project, &project.components[0], mode),
            ledger: Ledger::open(&folder.path().join("state")).unwrap(),
            observed: 0,
            repo,
            project,
            folder,
        }
    }

    /// A replica of a shared ledger.
    fn replica(history: &History, store: &Arc<MemoryStore>) -> Self {
        let mut site = Self::new(history);
        let store = SharedLedger::new(store.clone(), "memory://");
        site.ledger.share(store);
        site.ledger.sync().unwrap();
        site
    }

    /// Forgets what is in memory, except the ledger.
    fn restart(&mut self) {
        let mode = self.component.mode;
        self.component = ComponentState::new(&self.project, &self.project.components[0], mode);
    }

    /// The branch at a commit.
    fn at(&self, label: &str) -> BranchState {
        BranchState {
            repository: Repository::open(self.repo.dir()).unwrap(),
            branch: "main".to_owned(),
            tip: self.repo.id(label),
        }
    }

    /// The branch at a commit, in a mirror that was cloned again.
    fn recloned_at(&self, label: &str) -> BranchState {
        let config = &self.project.components[0];
        let branch = Branch::parse(Some("main")).unwrap();
        let mirrors = self.folder.path().join("mirrors");
        std::fs::create_dir_all(&mirrors).unwrap();
        let target = PollTarget::new(&config.repo, &config.access, &mirrors, vec![branch]).unwrap();
        drop(target.open(&mut ()).unwrap());
        let mirror = target.reclone(&[], &mut ()).unwrap();
        BranchState {
            repository: mirror.repository().unwrap(),
            ..self.at(label)
        }
    }

    /// Advances to a commit that was read just now.
    fn advance(&mut self, label: &str) -> Advanced {
        self.advance_to(self.at(label), Freshness::Current)
    }

    fn advance_to(&mut self, state: BranchState, freshness: Freshness) -> Advanced {
        self.observed += 1;
        let time = Timestamp::from_seconds(1_900_000_000 + self.observed);
        let recorded = self.component.recorded_log(&self.ledger);
        self.component.advance(&AdvanceInput {
            component: ComponentIndex::new(0),
            observed: state,
            freshness,
            recorded: &recorded,
            observed_at: time,
            progress: &|_| {},
        })
    }

    /// Advances to a commit, records the advance and shows the state.
    fn follow(&mut self, label: &str) -> Advance {
        let advanced = self.advance(label).unwrap();
        let (advance, projection) = advanced.expect("an advance");
        assert_eq!(self.commit(advance, projection), Appended::Recorded);
        advance
    }

    /// Records an advance and shows its state.
    fn commit(&mut self, advance: Advance, projection: Projection) -> Appended {
        let components = std::slice::from_mut(&mut self.component);
        let lookup = Lookup::new(&[self.project.clone()].into(), components);
        let advances = [advance];
        let (checks, moved) = (FollowedChecks::default(), MovedStrings::default());
        let (ledger, rows) = (&mut self.ledger, HashMap::new());
        let projections = vec![projection];
        let batch = BatchCommit::new(ledger, components, &advances, projections, rows, &checks);
        let time = Timestamp::from_seconds(1_900_000_000 + self.observed);
        let run = batch.run(time, None, &lookup, &moved);
        run.unwrap()
    }

    fn checkpoints(&self) -> CheckpointStore {
        CheckpointStore::new(self.ledger.checkpoints(), &Words::default())
    }

    fn write_checkpoint(&mut self) {
        let checkpoints = self.checkpoints();
        checkpoints.save_if_behind(&mut self.component, &self.ledger);
    }

    /// Restores the component from its checkpoint, with the branch at a commit.
    fn restore(&mut self, label: &str) {
        let components = std::slice::from_ref(&self.component);
        let lookup = Lookup::new(&[self.project.clone()].into(), components);
        let project = lookup.project(&self.ledger.ids, "garden");
        let (checkpoints, state) = (self.checkpoints(), self.at(label));
        let checks = FollowedChecks::default();
        checkpoints.restore(&mut self.component, &self.ledger, &checks, project, &state);
    }

    /// The change ids of the log in memory.
    fn change_ids(&self) -> Vec<u32> {
        let history = self.component.phase.history();
        let log = history.map(|history| history.log().clone());
        log.iter()
            .flat_map(|log| log.iter())
            .map(|it| it.id.0)
            .collect()
    }

    /// The commit that a component shows.
    fn shows(&self, label: &str) -> bool {
        self.component.shows(self.repo.id(label))
    }

    /// The commit of the served state, which can lack strings of other components.
    fn served(&self) -> Option<&'static str> {
        let tip = self.component.served()?.tip.id;
        ["a", "b", "c"]
            .into_iter()
            .find(|it| self.repo.id(it) == tip)
    }

    fn is_unread(&self) -> bool {
        matches!(self.component.phase, Phase::Unread | Phase::Unrestorable)
    }
}

/// A Czech text that changes with each commit.
fn history() -> History {
    commit("a")
        .texts("en", "one=One")
        .texts("cs", "one=jedna")
        .commit("b")
        .texts("cs", "one=dva")
        .commit("c")
        .texts("cs", "one=tři")
}
