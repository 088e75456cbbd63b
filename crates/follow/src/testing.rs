//! The followed components of one repository without polls, for tests, and the responses of its server.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use poem::endpoint::BoxEndpoint;
use poem::{Endpoint, EndpointExt, Request, Response};

use super::{BranchState, FollowEvents, FollowedComponents, Freshness, Observation};
use crate::{ComponentConfig, HistoryMode, ProjectConfig, RepoAddress};
use gitglot_api::{ApiState, Streams, endpoint};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{CurrentRows, Published, Snapshot, read_current_log};
use gitglot_checks::Words;
use gitglot_git::Repository;
use gitglot_ledger::{Ledger, SharedLedger};
use gitglot_model::{
    CommitId, ComponentIndex, ComponentSettings, FileFormat, FileMask, Slug, Timestamp,
};
use gitglot_testkit::{History, MemoryStore, Repo, commit};

/// The first observation; later than all commits.
const START: i64 = 1_900_000_000;

/// A project whose components are in one repository: slug, mask, template and format.
pub(super) fn project(
    repository: &Path,
    components: &[(&str, &str, &str, FileFormat)],
) -> ProjectConfig {
    let address = RepoAddress::parse(repository.to_str().unwrap(), Path::new("/")).unwrap();
    let component = |&(slug, mask, template, format): &(&str, &str, &str, FileFormat)| {
        let (slug, mask) = (Slug::new(slug).unwrap(), FileMask::new(mask).unwrap());
        let settings = ComponentSettings::new(slug, mask, template, format);
        ComponentConfig::new(address.clone(), settings)
    };
    ProjectConfig {
        slug: Slug::new("garden").unwrap(),
        name: "Garden".to_owned(),
        web: String::new(),
        instructions: String::new(),
        source_language: "en".to_owned(),
        components: components.iter().map(component).collect(),
    }
}

/// A stale string that moves to another component.
pub(super) fn moved_string() -> History {
    commit("a")
        .write("a/en.json", r#"{"k": "Hello", "z": "Zed"}"#)
        .write("a/cs.json", r#"{"k": "Ahoj", "z": "Z"}"#)
        .write("b/en.json", r#"{"q": "Quit"}"#)
        .write("b/cs.json", r#"{"q": "Konec"}"#)
        .commit("b")
        .write("a/en.json", r#"{"k": "Hello there", "z": "Zed"}"#)
        .commit("c")
        .write("a/en.json", r#"{"z": "Zed"}"#)
        .write("a/cs.json", r#"{"z": "Z"}"#)
        .write("b/en.json", r#"{"q": "Quit", "k2": "Hello there"}"#)
        .write("b/cs.json", r#"{"q": "Konec", "k2": "Ahoj"}"#)
}

pub(super) fn moved_project(repo: &Repo) -> ProjectConfig {
    let components = [
        ("a", "a/*.json", "a/en.json", FileFormat::Json),
        ("b", "b/*.json", "b/en.json", FileFormat::Json),
    ];
    project(repo.dir(), &components)
}

/// Followed components with their state directory and the state that it publishes.
pub(super) struct FollowSite {
    project: ProjectConfig,
    mode: HistoryMode,
    store: Option<Arc<MemoryStore>>,
    pub state: tempfile::TempDir,
    followed: Option<FollowedComponents>,
    pub published: Arc<Published>,
    events: Reports,
    /// The tip and the time of the last observation.
    observed: Option<(CommitId, i64)>,
    /// Whether each step is late.
    is_late: bool,
}

/// Collects the components that fail.
#[derive(Default)]
struct Reports(Mutex<Vec<String>>);

impl FollowEvents for Reports {
    fn published(&self, _: &str) {}
    fn failed(&self, component: &str, reason: &str) {
        self.0
            .lock()
            .unwrap()
            .push(format!("{component}: {reason}"));
    }
    fn behind(&self, _: &str, _: Option<&str>) {}
}

impl FollowSite {
    /// A site that has observed nothing. With a store, it is a replica.
    pub fn new(project: &ProjectConfig, store: Option<&Arc<MemoryStore>>) -> Self {
        Self::with_mode(project, store, HistoryMode::Full)
    }

    /// A site on which each step is late.
    pub fn late(project: &ProjectConfig, store: Option<&Arc<MemoryStore>>) -> Self {
        let mut site = Self::new(project, store);
        site.is_late = true;
        site.open();
        site
    }

    pub fn with_mode(
        project: &ProjectConfig,
        store: Option<&Arc<MemoryStore>>,
        mode: HistoryMode,
    ) -> Self {
        let mut site = Self {
            project: project.clone(),
            mode,
            store: store.cloned(),
            state: tempfile::tempdir().unwrap(),
            followed: None,
            published: Arc::default(),
            events: Reports::default(),
            observed: None,
            is_late: false,
        };
        site.open();
        site
    }

    /// Opens the state directory again, without an observation.
    pub fn open(&mut self) {
        // A state directory has one owner.
        self.followed = None;
        let mut ledger = Ledger::open(self.state.path()).unwrap();
        if let Some(store) = &self.store {
            ledger.share(SharedLedger::new(store.clone(), "memory://"));
            ledger.sync().unwrap();
        }
        self.published = Arc::new(Published::new());
        let (projects, published) = (vec![self.project.clone()], self.published.clone());
        let mut followed =
            FollowedComponents::new(ledger, projects, self.mode, Words::default(), published);
        followed.steps.slice = self.is_late.then_some(Duration::ZERO);
        self.followed = Some(followed);
    }

    pub fn followed(&mut self) -> &mut FollowedComponents {
        self.followed.as_mut().unwrap()
    }

    /// Observes a tip, as the `nth` observation of all sites.
    pub fn observe(&mut self, tip: CommitId, nth: i64) {
        self.begin(tip, nth);
        self.finish();
    }

    /// Observes a tip. Late steps are not finished.
    pub fn begin(&mut self, tip: CommitId, nth: i64) {
        self.observed = Some((tip, nth));
        let path = self.project.components[0].repo.local_path().unwrap();
        let repository = Repository::open(path).unwrap();
        let observation = |at| Observation {
            component: ComponentIndex::new(at),
            state: Ok(BranchState {
                repository: repository.clone(),
                branch: "main".to_owned(),
                tip,
            }),
            freshness: Freshness::Current,
        };
        let observations = (0..self.project.components.len()).map(observation);
        let seen = Timestamp::from_seconds(START + nth);
        let followed = self.followed.as_mut().unwrap();
        followed
            .ingest(observations.collect(), seen, &self.events)
            .unwrap();
    }

    /// Finishes late steps.
    pub fn finish(&mut self) {
        let followed = self.followed.as_mut().unwrap();
        while followed.steps.wait() {
            followed.ingest_late(&self.events).unwrap();
        }
    }

    /// Reads the batches of other replicas.
    pub fn read_ledger(&mut self) {
        self.begin_read_ledger();
        self.finish();
    }

    /// Reads the batches of other replicas. Late steps are not finished.
    pub fn begin_read_ledger(&mut self) {
        let followed = self.followed.as_mut().unwrap();
        followed.follow_ledger(&self.events).unwrap();
    }

    /// Writes all checkpoints.
    pub fn write_checkpoints(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(3600);
        self.followed().write_checkpoints(deadline);
    }

    pub fn remove_checkpoints(&self) {
        let _ = std::fs::remove_dir_all(self.state.path().join("checkpoint"));
    }

    /// Restarts and observes the same tip again.
    pub fn restart(&mut self) {
        self.open();
        if let Some((tip, nth)) = self.observed {
            self.observe(tip, nth + 1);
        }
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.published.load().unwrap_or_default()
    }

    /// Why components fail or show an older state, in configuration order.
    pub fn failures(&self) -> Vec<Option<String>> {
        let followed = self.followed.as_ref().unwrap();
        let components = (0..self.project.components.len()).map(ComponentIndex::new);
        components
            .map(|component| followed.failure(component).map(str::to_owned))
            .collect()
    }

    /// Whether a component of this index was read from its checkpoint.
    pub fn is_restored(&mut self, component: usize) -> bool {
        let log = self.followed().components[component].phase.log();
        log.is_some_and(|log| log.saved.is_some())
    }
}

/// The content of a snapshot, one line for each object. Faster than [`responses`].
pub(super) fn contents(snapshot: &Snapshot) -> Vec<String> {
    let mut lines = vec![format!("{:?} {}", snapshot.time(), snapshot.batch())];
    for of in snapshot.components() {
        let (tip, problems) = (of.tip.id, &of.problems);
        lines.push(format!("{} {tip} {problems:?}", of.path()));
        let translations = of.translations.iter().map(|it| {
            let (id, path, code) = (it.id, &it.path, &it.language.code);
            let (is_template, statistics) = (it.is_template, it.statistics);
            format!("{id} {path} {code} {is_template} {statistics:?}")
        });
        lines.extend(translations);
        lines.extend(of.arrivals().iter().map(|it| format!("{it:?}")));
    }
    lines.extend(snapshot.units_from(0).map(|unit| {
        let text = |id| unit.component.texts.get(id);
        let texts = [unit.source.context, unit.source.source, unit.unit.target].map(text);
        let stale = unit.unit.fuzzy().then(|| {
            let previous = unit.translation.previous_source(unit.row);
            text(previous)
        });
        format!("{} {} {texts:?} {stale:?}", unit.unit.id, unit.source.id)
    }));
    lines.extend(snapshot.changes().iter().map(|view| {
        let (entry, commit) = (view.entry, view.commit().map(|commit| commit.id));
        let (unit, language) = (view.unit().map(|it| it.unit.id), view.language());
        let (target, people) = (view.target(), (view.user(), view.author()));
        let (id, time, action) = (entry.id, entry.time, entry.action);
        format!("{id} {time:?} {action:?} {unit:?} {language:?} {target} {people:?} {commit:?}")
    }));
    lines.extend(snapshot.users().iter().map(|user| format!("{user:?}")));
    lines.extend(current_contents(snapshot));
    lines
}

/// The order of units and the rows of the log that current Weblate has.
fn current_contents(snapshot: &Snapshot) -> Vec<String> {
    for of in snapshot.components() {
        read_current_log(of, &Budget::unlimited());
    }
    let units = snapshot.current_units_from(0);
    let mut lines: Vec<String> = units
        .map(|unit| format!("current {}", unit.unit.id))
        .collect();
    let rows = CurrentRows::all(snapshot);
    rows.each(snapshot, 0..rows.len(), |_, row| {
        let (id, action, text) = (row.id, row.action, row.target());
        lines.push(format!(
            "current {id} {action} {text} {:?}",
            row.view.language()
        ));
        true
    });
    lines
}

/// The API of a published state.
pub(super) struct TestApi {
    published: Arc<Published>,
    endpoint: BoxEndpoint<'static, Response>,
    pub runtime: tokio::runtime::Runtime,
}

impl TestApi {
    pub fn new(published: Arc<Published>) -> Self {
        let state = ApiState {
            streams: Streams::new(1),
            ..ApiState::new(published.clone())
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        Self {
            published,
            endpoint: endpoint(state).boxed(),
            runtime,
        }
    }

    /// Publishes a different state.
    pub fn show(&self, snapshot: &Snapshot) {
        self.published.publish(snapshot.clone());
    }

    pub fn get(&self, uri: &str) -> Response {
        let request = Request::builder().uri(uri.parse().unwrap());
        let request = request.header("host", "localhost").finish();
        self.runtime.block_on(self.endpoint.get_response(request))
    }

    /// The responses to some requests: headers and bodies.
    pub fn responses(&self) -> Vec<String> {
        let lists = [
            "projects",
            "components",
            "translations",
            "units",
            "sources",
            "changes",
            "users",
            "renames",
        ];
        let mut paths = lists.map(str::to_owned).to_vec();
        let snapshot = self.published.load().unwrap_or_default();
        paths.extend(snapshot.components().iter().map(|of| {
            let slug = &of.component.slug;
            format!("components/{}/{slug}/problems", of.project.slug)
        }));
        let read = |path: String| {
            let uri = format!("/api/{path}/?page_size=1000");
            let response = self.get(&uri);
            let headers = response.headers().iter();
            let mut headers: Vec<_> = headers
                .map(|(name, value)| format!("{name}: {value:?}"))
                .collect();
            headers.sort();
            let body = response.into_body().into_string();
            let body = self.runtime.block_on(body).unwrap();
            format!("{uri}\n{headers:?}\n{body}")
        };
        paths.into_iter().map(read).collect()
    }
}

/// The responses of a server of this state: headers and bodies.
pub(super) fn responses(published: &Arc<Published>) -> Vec<String> {
    TestApi::new(published.clone()).responses()
}
