//! Tests of the follow loop with local repositories.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use super::poll::{RepoIndex, TrackedRepo};
use super::{FollowEvents, FollowedComponents, PollLoop, PollReport};
use crate::{ComponentConfig, HistoryMode, ProjectConfig, RepoAddress};
use gitglot_catalog::Published;
use gitglot_checks::Words;
use gitglot_ledger::Ledger;
use gitglot_model::{CommitId, ComponentSettings, FileFormat, FileMask, Slug};
use gitglot_testkit::{FakeSystem, History, Repo, commit};

pub(super) struct Ignore;

impl FollowEvents for Ignore {
    fn published(&self, _: &str) {}
    fn failed(&self, component: &str, reason: &str) {
        panic!("{component}: {reason}");
    }
    fn behind(&self, _: &str, _: Option<&str>) {}
}

/// A repository with one translation file, and the project that follows it.
pub(super) struct Site {
    repository: Repo,
    _folder: tempfile::TempDir,
    commits: usize,
    pub(super) tip: Option<CommitId>,
    pub(super) project: ProjectConfig,
}

impl Site {
    pub(super) fn new(slug: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repo::init(&folder.path().join("source.git"));
        let address =
            RepoAddress::parse(repository.dir().to_str().unwrap(), Path::new("/")).unwrap();
        let mask = FileMask::new("locales/*.json").unwrap();
        let slug = Slug::new(slug).unwrap();
        let app = Slug::new("app").unwrap();
        let settings = ComponentSettings::new(app, mask, "locales/en.json", FileFormat::Json);
        let project = ProjectConfig {
            name: slug.to_string(),
            slug,
            web: String::new(),
            instructions: String::new(),
            source_language: "en".to_owned(),
            components: vec![ComponentConfig::new(address, settings)],
        };
        Self {
            repository,
            _folder: folder,
            commits: 0,
            tip: None,
            project,
        }
    }

    pub(super) fn remove_object(&self, id: &str) {
        let (folder, file) = id.split_at(2);
        let objects = self.repository.dir().join("objects");
        std::fs::remove_file(objects.join(folder).join(file)).unwrap();
    }

    /// Dates all references back: changes at the current time can be followed by others at the same time.
    fn settle(&self) {
        let before = SystemTime::now() - Duration::from_secs(3600);
        let mut paths = vec![self.repository.dir().to_owned()];
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).unwrap();
                paths.extend(entries.map(|entry| entry.unwrap().path()));
            }
            File::open(&path).unwrap().set_modified(before).unwrap();
        }
    }

    pub(super) fn push(&mut self, keys: usize) {
        let texts: BTreeMap<String, String> = (0..keys)
            .map(|key| (format!("key{key}"), format!("text {key}")))
            .collect();
        let file = serde_json::to_string(&texts).unwrap();
        self.commits += 1;
        let change = commit(&format!("change {}", self.commits)).write("locales/en.json", file);
        self.repository.push(&change);
        let tip = self.repository.tip("main");
        self.tip = Some(tip);
    }
}

impl Site {
    /// Pushes commits.
    pub(super) fn push_history(&mut self, history: &History) {
        self.repository.push(history);
        self.tip = Some(self.repository.tip("main"));
    }
}

/// Processes messages until the snapshot has this many units.
pub(super) fn run_until(follow: &mut PollLoop, published: &Published, units: usize) {
    while published.load().unwrap().unit_count() != units {
        let polls = follow.poll(&Ignore).unwrap();
        follow.process(polls, &Ignore).unwrap();
    }
}

/// A loop that follows some sites, and their publication.
pub(super) fn follow_sites(state: &Path, sites: &[&Site]) -> (PollLoop, Arc<Published>) {
    let mirrors = state.join("mirrors");
    std::fs::create_dir_all(&mirrors).unwrap();
    let published = Arc::new(Published::new());
    let followed = FollowedComponents::new(
        Ledger::open(state).unwrap(),
        sites
            .iter()
            .map(|site| site.project.clone())
            .collect::<Vec<_>>(),
        HistoryMode::Full,
        Words::default(),
        published.clone(),
    );
    let interval = Duration::from_secs(3600);
    let follow = PollLoop::new(followed, &mirrors, interval, Arc::new(|_| Box::new(())));
    (follow, published)
}

#[test]
fn pushes_to_all_repositories_are_noticed_with_one_watcher() {
    let state = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(1);
    two.push(1);
    let (follow, published) = follow_sites(state.path(), &[&one, &two]);
    let system = FakeSystem::default();
    let mut follow = follow.with_watcher(system.watcher());
    follow.first_batch(&Ignore).unwrap();
    assert_eq!((system.watchers(), system.watched().len()), (1, 4));
    for (site, units) in [(&mut one, 5), (&mut two, 8)] {
        site.push(4);
        let git_dir = site.repository.dir().canonicalize().unwrap();
        let branch = git_dir.join("refs/heads/main");
        system.renamed(&branch.with_extension("lock"), &branch);
        run_until(&mut follow, &published, units);
    }
    follow.shut_down();
}

/// Counts polls, and those that found no change without reading references.
#[derive(Default)]
struct Polls(Mutex<(usize, usize)>);

impl FollowEvents for Polls {
    fn published(&self, _: &str) {}
    fn failed(&self, component: &str, reason: &str) {
        panic!("{component}: {reason}");
    }
    fn behind(&self, _: &str, _: Option<&str>) {}
    fn polled(&self, report: &PollReport<'_>) {
        let mut polls = self.0.lock().unwrap();
        polls.0 += 1;
        polls.1 += usize::from(report.unchanged);
    }
}

#[test]
fn a_poll_reads_only_repositories_whose_references_have_changed() {
    let state = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    let sites = [&mut one, &mut two];
    sites.into_iter().for_each(|site| {
        site.push(1);
        site.settle();
    });
    let (mut follow, published) = follow_sites(state.path(), &[&one, &two]);
    let polls = Polls::default();
    follow.first_batch(&polls).unwrap();
    let poll_all = |follow: &mut PollLoop| {
        follow.tracked.update_all(TrackedRepo::schedule_now);
        let mut read = Vec::new();
        follow.start_polls(&mut read, &polls);
        follow.process(read, &polls).unwrap();
        *polls.0.lock().unwrap()
    };
    let before = published.load().unwrap();
    assert_eq!(poll_all(&mut follow), (4, 2));
    assert!(Arc::ptr_eq(&before, &published.load().unwrap()));
    two.push(4);
    assert_eq!(poll_all(&mut follow), (6, 3));
    assert_eq!(published.load().unwrap().unit_count(), 5);
    assert_eq!(
        poll_all(&mut follow),
        (8, 4),
        "another push could have the same time"
    );
    two.settle();
    assert_eq!(poll_all(&mut follow), (10, 5));
    assert_eq!(poll_all(&mut follow), (12, 7));
    follow.tracked.update_all(TrackedRepo::poll_again_now);
    assert_eq!(poll_all(&mut follow), (14, 7));
    follow.shut_down();
}

#[test]
fn without_watches_a_push_is_found_by_the_next_poll() {
    for system in [FakeSystem::without_watchers(), FakeSystem::with_limit(3)] {
        let state = tempfile::tempdir().unwrap();
        let (mut one, mut two) = (Site::new("one"), Site::new("two"));
        one.push(1);
        two.push(1);
        let (follow, published) = follow_sites(state.path(), &[&one, &two]);
        let mut follow = follow.with_watcher(system.watcher());
        follow.first_batch(&Ignore).unwrap();
        let requests = system.requests();
        one.push(2);
        two.push(3);
        follow.tracked.update_all(TrackedRepo::schedule_now);
        run_until(&mut follow, &published, 5);
        assert_eq!(system.requests(), requests, "it is not asked at each poll");
        follow.shut_down();
    }
}

/// Collects the failures.
#[derive(Default)]
struct Failures(Mutex<Vec<String>>);

impl FollowEvents for Failures {
    fn published(&self, _: &str) {}
    fn failed(&self, component: &str, reason: &str) {
        let failure = format!("{component}: {reason}");
        self.0.lock().unwrap().push(failure);
    }
    fn behind(&self, _: &str, _: Option<&str>) {}
}

#[test]
fn a_panic_is_a_failure_of_one_component_until_its_next_commit() {
    let state = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(1);
    two.push(1);
    let (mut follow, published) = follow_sites(state.path(), &[&one, &two]);
    follow.first_batch(&Ignore).unwrap();
    one.push(2);
    two.push(5);
    let poll_all = |follow: &mut PollLoop, events: &dyn FollowEvents| {
        follow.tracked.update_all(TrackedRepo::schedule_now);
        for _ in 0..2 {
            let polls = follow.poll(events).unwrap();
            follow.process(polls, events).unwrap();
        }
    };
    let failures = Failures::default();
    follow.followed.steps.progress =
        Arc::new(|component, _| assert_ne!(component, "one/app", "injected"));
    poll_all(&mut follow, &failures);
    assert_eq!(
        published.load().unwrap().unit_count(),
        6,
        "one/app is behind"
    );
    let failures = failures.0.into_inner().unwrap();
    assert!(
        failures[0].starts_with("one/app: an internal error occurred"),
        "{failures:?}"
    );
    follow.followed.steps.progress = Arc::new(|_, _| {});
    one.push(3);
    poll_all(&mut follow, &Ignore);
    assert_eq!(published.load().unwrap().unit_count(), 8);
    follow.shut_down();
}

#[test]
fn maintenance_does_not_delay_other_repositories() {
    let state = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(1);
    two.push(1);
    let (mut follow, published) = follow_sites(state.path(), &[&one, &two]);
    follow.first_batch(&Ignore).unwrap();
    assert_eq!(published.load().unwrap().unit_count(), 2);

    // As many files in this directory as a mirror with thousands of loose objects has.
    let loose = follow.tracked[RepoIndex::new(0)]
        .target
        .folder
        .join("objects/17");
    std::fs::create_dir_all(&loose).unwrap();
    (0..200).for_each(|number| std::fs::write(loose.join(format!("{number:038x}")), "").unwrap());
    let lock = follow.tracked[RepoIndex::new(0)].target.lock();
    let guard = lock.lock();
    follow.start_maintenance(RepoIndex::new(0));
    assert!(
        follow.tracked[RepoIndex::new(0)].maintaining,
        "it waits for the lock of the mirror"
    );

    one.push(10);
    two.push(3);
    follow.handle().poll_now("one/app");
    follow.handle().poll_now("two/app");
    run_until(&mut follow, &published, 4);
    assert!(follow.tracked[RepoIndex::new(0)].maintaining);
    drop(guard);
    run_until(&mut follow, &published, 13);
    follow.shut_down();
}
