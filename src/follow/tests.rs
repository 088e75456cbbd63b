//! Tests of the follow loop with local repositories.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::poll::RepoIndex;
use super::{FollowEvents, FollowLoop, Follower};
use crate::catalog::Published;
use crate::checks::Checker;
use crate::config::{ComponentConfig, HistoryMode, ProjectConfig, RepoAddress};
use crate::git::test_support::TestRepository;
use crate::history::StepProgress;
use crate::ledger::Ledger;
use crate::model::{CommitId, ComponentSettings, FileFormat, FileMask, Slug};

struct Ignore;

impl FollowEvents for Ignore {
    fn progress(&self, _: &str, _: StepProgress) {}
    fn published(&self, _: &str) {}
    fn failed(&self, component: &str, reason: &str) {
        panic!("{component}: {reason}");
    }
    fn behind(&self, _: &str, _: Option<&str>) {}
}

/// A repository with one translation file, and the project that follows it.
pub(super) struct Site {
    repository: TestRepository,
    pub(super) tip: Option<CommitId>,
    pub(super) project: ProjectConfig,
}

impl Site {
    pub(super) fn new(slug: &str) -> Self {
        let repository = TestRepository::new();
        let address =
            RepoAddress::parse(repository.path().to_str().unwrap(), Path::new("/")).unwrap();
        let mask = FileMask::new("locales/*.json").unwrap();
        let slug = Slug::new(slug).unwrap();
        let app = Slug::new("app").unwrap();
        let settings = ComponentSettings::new(app, mask, "locales/en.json", FileFormat::Json);
        let project = ProjectConfig {
            name: slug.to_string(),
            slug,
            web: String::new(),
            source_language: "en".to_owned(),
            components: vec![ComponentConfig::new(address, settings)],
        };
        Self {
            repository,
            tip: None,
            project,
        }
    }

    pub(super) fn remove_object(&self, id: &str) {
        let (folder, file) = id.split_at(2);
        let objects = self.repository.path().join("objects");
        std::fs::remove_file(objects.join(folder).join(file)).unwrap();
    }

    pub(super) fn push(&mut self, keys: usize) {
        let texts: BTreeMap<String, String> = (0..keys)
            .map(|key| (format!("key{key}"), format!("text {key}")))
            .collect();
        let file = serde_json::to_string(&texts).unwrap();
        let parents: Vec<CommitId> = self.tip.into_iter().collect();
        let tip = self
            .repository
            .commit(&parents, &[("locales/en.json", &file)], "change");
        self.repository.set_branch("main", tip);
        self.tip = Some(tip);
    }
}

/// Processes messages until the snapshot has this many units.
fn run_until(follow: &mut FollowLoop, published: &Published, units: usize) {
    while published.load().unwrap().unit_count() != units {
        let polls = follow.poll(&Ignore).unwrap();
        follow.process(polls, &Ignore).unwrap();
    }
}

#[test]
fn maintenance_does_not_delay_other_repositories() {
    let state = tempfile::tempdir().unwrap();
    let mirrors = state.path().join("mirrors");
    std::fs::create_dir_all(&mirrors).unwrap();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(1);
    two.push(1);
    let published = Arc::new(Published::new());
    let projects = vec![one.project.clone(), two.project.clone()];
    let ledger = Ledger::open(state.path()).unwrap();
    let follower = Follower::new(
        ledger,
        projects,
        HistoryMode::Full,
        Checker::default(),
        published.clone(),
    );
    let mut follow = FollowLoop::new(
        follower,
        &mirrors,
        Duration::from_secs(3600),
        Arc::new(|_| Box::new(())),
    );
    follow.first_batch(&Ignore).unwrap();
    assert_eq!(published.load().unwrap().unit_count(), 2);

    // As many files in this directory as a mirror with thousands of loose objects has.
    let loose = follow.tracked[0].target.folder.join("objects/17");
    std::fs::create_dir_all(&loose).unwrap();
    (0..200).for_each(|number| std::fs::write(loose.join(format!("{number:038x}")), "").unwrap());
    let lock = follow.tracked[0].target.lock();
    let guard = lock.lock();
    follow.start_maintenance(RepoIndex::new(0));
    assert!(
        follow.tracked[0].maintaining,
        "it waits for the lock of the mirror"
    );

    one.push(10);
    two.push(3);
    follow.handle().poll_now("one/app");
    follow.handle().poll_now("two/app");
    run_until(&mut follow, &published, 4);
    assert!(follow.tracked[0].maintaining);
    drop(guard);
    run_until(&mut follow, &published, 13);
    follow.shut_down();
}
