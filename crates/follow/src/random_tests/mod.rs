//! Followers of random histories: a server that restarts, replicas, and servers that start later return the same, and
//! clients that follow the log miss nothing.
//!
//! `GITGLOT_RANDOM_HISTORIES=3000` sets the number of histories, `GITGLOT_RANDOM_SEED=7` selects different ones.

mod copy;
mod files;
mod plan;

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Arc;

use futures_util::{FutureExt, Stream, StreamExt};
use hyper::body::Bytes;
use proptest::prelude::TestCaseError;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

use super::testing::{FollowSite, TestApi, contents, project};
use copy::Copy;
use files::COMPONENTS;
use gitglot_catalog::Snapshot;
use gitglot_model::ChangeId;
use gitglot_testkit::MemoryStore;
use plan::{Before, Built, Plan, build, plans};

/// The longest history, in commits.
const COMMITS: usize = 14;

fn number(variable: &str, usual: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value.and_then(|value| value.parse().ok()).unwrap_or(usual)
}

#[test]
fn followers_of_random_histories_agree_and_clients_miss_nothing() {
    follow_all(false);
}

/// As above, but each step ends after the batch in which it began, and other replicas move the component meanwhile.
#[test]
fn late_steps_of_random_histories_change_nothing() {
    follow_all(true);
}

fn follow_all(is_late: bool) {
    let cases = number("GITGLOT_RANDOM_HISTORIES", 16) as u32;
    let seed = number("GITGLOT_RANDOM_SEED", 1);
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 1000,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    });
    // Its documents take long to write.
    let api = TestApi::new(Arc::default());
    let outcome = runner.run(&plans(COMMITS), |plan| {
        run(&plan, &api, is_late).map_err(TestCaseError::fail)
    });
    match outcome {
        Ok(()) => {}
        // The message describes the history better than the plan.
        Err(TestError::Fail(wrong, _)) => panic!("GITGLOT_RANDOM_SEED={seed}: {wrong}"),
        Err(error) => panic!("GITGLOT_RANDOM_SEED={seed}: {error}"),
    }
}

/// Follows a plan with all sites; returns the first error with the history that causes it.
fn run(plan: &Plan, api: &TestApi, is_late: bool) -> Result<(), String> {
    let built = build(plan);
    let mut sites = Sites::new(&built, api, is_late);
    let mut tips = Vec::new();
    let mut at = 0_usize;
    for (nth, push) in plan.pushes.iter().enumerate() {
        at = (at as i64 + i64::from(push.to)).rem_euclid(built.ids.len() as i64) as usize;
        tips.push(format!("{:?} c{at}", push.before));
        sites
            .push(at, 10 * nth as i64, push)
            .and_then(|()| sites.check())
            .map_err(|wrong| described(&built, &tips, &wrong))?;
    }
    sites
        .check_end(at, 10 * plan.pushes.len() as i64)
        .map_err(|wrong| described(&built, &tips, &wrong))
}

fn described(built: &Built, tips: &[String], wrong: &str) -> String {
    let labels = built.ids.iter().enumerate();
    let labels: Vec<String> = labels.map(|(at, id)| format!("c{at} = {id}")).collect();
    format!(
        "tips {}: {wrong}\n{}\n{:#?}",
        tips.join(", "),
        labels.join("\n"),
        built.history
    )
}

/// A server that restarts, and two replicas that do not. All record the same ledger.
struct Sites<'a> {
    built: &'a Built,
    api: &'a TestApi,
    server: FollowSite,
    store: Arc<MemoryStore>,
    replicas: [FollowSite; 2],
    client: Client,
    copy: Copy,
    stream: EventStream,
    /// Whether each step is late.
    is_late: bool,
}

impl<'a> Sites<'a> {
    fn new(built: &'a Built, api: &'a TestApi, is_late: bool) -> Self {
        let project = project(built.repo.dir(), &COMPONENTS);
        let store = Arc::<MemoryStore>::default();
        let site = if is_late {
            FollowSite::late
        } else {
            FollowSite::new
        };
        let mut replicas = [(); 2].map(|()| site(&project, Some(&store)));
        // The stream needs a first state.
        let mut server = site(&project, None);
        let tip = built.ids[0];
        server.observe(tip, -10);
        replicas.iter_mut().for_each(|it| it.observe(tip, -10));
        Self {
            built,
            api,
            stream: EventStream::new(api, &replicas[1].snapshot()),
            server,
            store,
            replicas,
            client: Client::default(),
            copy: Copy::default(),
            is_late,
        }
    }

    fn push(&mut self, at: usize, nth: i64, push: &plan::Push) -> Result<(), String> {
        let tip = self.built.ids[at];
        let before = contents(&self.server.snapshot());
        match push.before {
            Before::Nothing => {}
            Before::Checkpoint => self.server.write_checkpoints(),
            Before::Restart => self.server.restart(),
            Before::RestartWithout => {
                self.server.remove_checkpoints();
                self.server.restart();
            }
        }
        same("restart", &contents(&self.server.snapshot()), &before)?;
        self.server.observe(tip, nth);
        let [one, two] = &mut self.replicas;
        let (first, second) = if push.first { (one, two) } else { (two, one) };
        if self.is_late {
            // The second one reads the commits while the first one records them.
            second.begin(tip, nth);
            first.observe(tip, nth);
            if push.reads_ledger {
                second.begin_read_ledger();
            }
            second.finish();
            // It knows that it was overtaken only now.
            second.observe(tip, nth);
            return Ok(());
        }
        first.observe(tip, nth);
        if push.reads_ledger {
            second.read_ledger();
        }
        // Without the ledger, it loses the race.
        second.observe(tip, nth);
        Ok(())
    }

    fn check(&mut self) -> Result<(), String> {
        let now = contents(&self.server.snapshot());
        for replica in &self.replicas {
            same("replica", &contents(&replica.snapshot()), &now)?;
        }
        self.client.poll(&self.server)?;
        let snapshot = self.server.snapshot();
        self.api.show(&snapshot);
        self.copy.poll(self.api, snapshot.unit_count())?;
        self.stream.read(self.api, &self.replicas[1].snapshot());
        let sent: Vec<u32> = self.client.changes.iter().map(|it| it.0).collect();
        if self.stream.sent != sent[self.stream.skipped.min(sent.len())..] {
            return Err(format!("events {:?}, not {sent:?}", self.stream.sent));
        }
        Ok(())
    }

    /// Compares with sites that start now.
    fn check_end(&mut self, at: usize, nth: i64) -> Result<(), String> {
        let tip = self.built.ids[at];
        let responses = |site: &FollowSite| {
            self.api.show(&site.snapshot());
            self.api.responses()
        };
        let responses_now = responses(&self.server);
        let now = contents(&self.server.snapshot());
        self.server.write_checkpoints();
        for (what, keeps) in [("with checkpoints", true), ("without checkpoints", false)] {
            if !keeps {
                self.server.remove_checkpoints();
            }
            self.server.restart();
            same(what, &contents(&self.server.snapshot()), &now)?;
        }
        let project = project(self.built.repo.dir(), &COMPONENTS);
        let mut late = FollowSite::new(&project, Some(&self.store));
        late.observe(tip, nth);
        same("late replica", &responses(&late), &responses_now)?;

        let mut cold = FollowSite::new(&project, None);
        cold.observe(tip, nth);
        let (shown, cold_units) = (units(&self.server), units(&cold));
        for (component, (slug, ..)) in COMPONENTS.iter().enumerate() {
            // A new server knows neither older states nor the renames of other histories.
            let is_older = self.server.failures()[component].is_some();
            let (known, found) = (layouts(&self.server, slug), layouts(&cold, slug));
            if is_older || known != found {
                continue;
            }
            if shown.get(*slug) != cold_units.get(*slug) {
                let (own, cold) = (shown.get(*slug), cold_units.get(*slug));
                return Err(format!("cold start of {slug}:\n{own:?}, not\n{cold:?}"));
            }
        }
        Ok(())
    }
}

/// The first line or response that differs.
fn same(what: &str, actual: &[String], right: &[String]) -> Result<(), String> {
    let all = actual.iter().zip(right);
    let mut different = all.filter(|(actual, right)| actual != right);
    match different.next() {
        Some((actual, right)) => Err(format!("{what}:\n{actual}\nis not\n{right}")),
        None if actual.len() != right.len() => Err(format!("{what}: the number differs")),
        None => Ok(()),
    }
}

/// The masks and paths that a site knows of a component.
fn layouts(site: &FollowSite, slug: &str) -> Option<String> {
    let snapshot = site.snapshot();
    let component = snapshot.component("garden", slug)?;
    Some(format!("{:?}", component.layouts))
}

/// The rows of a component.
type ComponentRows = BTreeMap<(String, String), (String, String, bool)>;

/// Source, target and state of each unit by component, path and context.
fn units(site: &FollowSite) -> BTreeMap<String, ComponentRows> {
    let mut units = BTreeMap::<_, BTreeMap<_, _>>::new();
    for unit in site.snapshot().units_from(0) {
        let text = |id| unit.component.texts.get(id).to_owned();
        let slug = unit.component.component.slug.to_string();
        let name = (unit.translation.path.to_string(), text(unit.source.context));
        let is_translated = unit.unit.translated() || unit.unit.fuzzy();
        let texts = (
            text(unit.source.source),
            text(unit.unit.target),
            is_translated,
        );
        units.entry(slug).or_default().insert(name, texts);
    }
    units
}

/// A change that a client got: id, action, text, user and author.
type Change = (u32, u8, String, Option<u32>, Option<u32>);

/// A client that asks for the changes after the last one.
#[derive(Default)]
struct Client {
    changes: Vec<Change>,
}

impl Client {
    fn poll(&mut self, site: &FollowSite) -> Result<(), String> {
        let snapshot = site.snapshot();
        let users: BTreeSet<u32> = snapshot.users().iter().map(|user| user.id.0).collect();
        let changes = snapshot.changes();
        let all = changes.iter().map(|view| {
            let (id, action) = (view.entry.id.0, view.entry.action.code());
            (
                id,
                action,
                view.target().into_owned(),
                view.user(),
                view.author(),
            )
        });
        let all: Vec<Change> = all.collect();
        let last = self.changes.last().map_or(0, |change| change.0);
        let new = all.iter().filter(|change| change.0 > last).cloned();
        self.changes.extend(new);
        if self.changes != all {
            return Err(format!("the client has {:?}, not {all:?}", self.changes));
        }
        let ids = all.iter().map(|change| change.0);
        if !ids.clone().eq(1..=all.len() as u32) {
            return Err(format!("the ids are {:?}", ids.collect::<Vec<_>>()));
        }
        if snapshot.last_change() != ChangeId(all.len() as u32) {
            return Err("an id is assigned and not shown".to_owned());
        }
        let people = all.iter().flat_map(|change| [change.3, change.4]).flatten();
        match people.into_iter().find(|user| !users.contains(user)) {
            Some(user) => Err(format!("there is no user {user}")),
            None => Ok(()),
        }
    }
}

/// A client of an event stream.
struct EventStream {
    chunks: Pin<Box<dyn Stream<Item = std::io::Result<Bytes>> + Send>>,
    text: String,
    /// The number of changes before the stream began.
    skipped: usize,
    /// The ids of the events.
    sent: Vec<u32>,
}

impl EventStream {
    fn new(api: &TestApi, snapshot: &Snapshot) -> Self {
        api.show(snapshot);
        let mut response = api.get("/api/events/");
        assert_eq!(response.status(), 200);
        Self {
            chunks: Box::pin(response.take_body().into_bytes_stream()),
            text: String::new(),
            skipped: snapshot.changes().iter().count(),
            sent: Vec::new(),
        }
    }

    /// Reads all events that are sent when a state is published.
    fn read(&mut self, api: &TestApi, snapshot: &Snapshot) {
        api.show(snapshot);
        let _guard = api.runtime.enter();
        while let Some(chunk) = self.chunks.next().now_or_never() {
            let chunk = chunk.unwrap().unwrap();
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        let blocks = self.text.split("\n\n");
        let ids = blocks.filter_map(|block| {
            let (id, rest) = block.strip_prefix("id: ")?.split_once('\n')?;
            let id = id.split(':').next()?;
            rest.starts_with("event: change\n")
                .then(|| id.parse().unwrap())
        });
        self.sent = ids.collect();
    }
}
