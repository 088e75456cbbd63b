//! What the thread that all repositories share does for a hostile one, while a push to another one waits. The work is counted
//! in steps, without a clock: other threads do the rest.

use std::sync::Arc;
use std::time::Duration;

use super::PollLoop;
use super::tests::{Ignore, Site, follow_sites};
use gitglot_catalog::Published;
use gitglot_model::{Slug, steps};
use gitglot_testkit::{History, Person, commit};

/// The strings of each language.
const STRINGS: usize = 40;

/// Two repositories, each of which is read on a thread of its own.
struct Neighbours {
    hostile: Site,
    other: Site,
    follow: PollLoop,
    published: Arc<Published>,
    state: tempfile::TempDir,
}

impl Neighbours {
    fn new() -> Self {
        let (mut hostile, mut other) = (Site::new("one"), Site::new("two"));
        hostile.push(1);
        other.push(1);
        let state = tempfile::tempdir().unwrap();
        let (mut follow, published) = follow_sites(state.path(), &[&hostile, &other]);
        follow.first_batch(&Ignore).unwrap();
        follow.followed.steps.slice = Some(Duration::ZERO);
        Self {
            hostile,
            other,
            follow,
            published,
            state,
        }
    }

    fn pass(&mut self) {
        let polls = self.follow.poll(&Ignore).unwrap();
        self.follow.process(polls, &Ignore).unwrap();
    }

    /// Whether the tips of both are published.
    fn is_published(&self) -> bool {
        let snapshot = self.published.load().unwrap();
        let shows = |site: &Site, slug| {
            let component = snapshot.component(slug, "app").unwrap();
            Some(component.tip.id) == site.tip
        };
        shows(&self.hostile, "one") && shows(&self.other, "two")
    }

    /// Reads a push to the hostile repository, whose batch is next.
    fn read(&mut self, push: &History) {
        self.hostile.push_history(push);
        self.follow.handle().poll_now("one/app");
        while self.follow.late_polls.is_empty() {
            self.pass();
        }
        assert!(self.follow.followed.steps.wait());
    }

    /// The steps of the shared thread until a push to the other one is visible.
    fn shared_work(&mut self) -> usize {
        self.other.push(3);
        steps::of(|| {
            self.follow.handle().poll_now("two/app");
            while !self.is_published() {
                self.pass();
            }
        })
    }
}

/// The steps of the shared thread until a push is visible after that of a hostile repository, whose reading has just ended.
fn shared_work(hostile: &History) -> usize {
    let mut site = Neighbours::new();
    site.read(hostile);
    let work = site.shared_work();
    site.follow.shut_down();
    work
}

/// Three languages with texts.
fn languages(history: History, text: impl Fn(usize) -> String) -> History {
    let file = |language: &str| {
        let line = |at: usize| (format!("k{at}"), format!("{}{language}", text(at)));
        let texts: std::collections::BTreeMap<_, _> = (0..STRINGS).map(line).collect();
        serde_json::to_string(&texts).unwrap()
    };
    ["en", "cs", "de"]
        .iter()
        .fold(history, |history, language| {
            history.write(&format!("locales/{language}.json"), file(language))
        })
}

/// Repositories with the same strings and entries as a harmless one.
fn hostile() -> Vec<(&'static str, History)> {
    let plain = |at: usize| format!("Text {at}");
    let begin = || commit("hostile");
    let long =
        |part: &'static str| languages(begin(), move |at| format!("{at} {}", part.repeat(500)));
    let folders = |depth: usize| "x/".repeat(depth);
    let files = |count: usize, path: &dyn Fn(usize) -> String, content: &str| {
        let mut history = languages(begin(), plain);
        for at in 0..count {
            history = history.write(&path(at), format!("{content}{at}"));
        }
        history
    };
    let mut commits = languages(begin(), plain);
    for at in 0..50 {
        let (name, email) = (format!("Ann {at}"), format!("ann{at}@example.org"));
        let person = Person {
            name: Box::leak(name.into()),
            email: Box::leak(email.into()),
            offset: 0,
        };
        commits = commits.commit(&format!("c{at}")).by(person);
        commits = commits.write("README", at.to_string());
    }
    vec![
        ("open braces", long("{{{%{")),
        ("tags", long("<a href='x'><b>")),
        ("links and emphasis", long("[*_`x](")),
        ("plural messages", long("{n, plural, other {")),
        ("references", long("&amp;@:k1 $t(k)")),
        ("entities of one letter", long("a")),
        (
            "manifests",
            files(100, &|at| format!("m{at}/package.json"), "{}"),
        ),
        (
            "other files",
            files(300, &|at| format!("f{}/{at}", at % 7), "x"),
        ),
        (
            "a deep tree",
            files(1, &|_| format!("{}package.json", folders(60)), "{}"),
        ),
        ("commits of many people", commits),
    ]
}

#[test]
fn what_a_repository_contains_does_not_delay_the_pushes_of_others() {
    let plain = shared_work(&languages(commit("plain"), |at| format!("Text {at}")));
    assert!(plain > 3 * STRINGS, "{plain}");
    for (name, history) in hostile() {
        let work = shared_work(&history);
        assert!(work <= plain * 11 / 10, "{name}: {work} instead of {plain}");
    }
}

#[test]
fn an_order_of_strings_does_not_delay_the_pushes_of_others() {
    let in_order = |label: &str, position: fn(usize) -> usize| {
        let line = |at: usize| format!("k{at}=Text {at};");
        let file: String = (0..STRINGS).map(|at| line(position(at))).collect();
        let file = gitglot_testkit::json_texts(&file);
        let history = commit(label).write("locales/en.json", &file);
        history.write("locales/cs.json", &file)
    };
    let work = |position| {
        let mut site = Neighbours::new();
        site.read(&in_order("ordered", |at| at));
        site.shared_work();
        site.read(&in_order("again", position));
        while !site.is_published() {
            site.pass();
        }
        site.other.push(2);
        let work = site.shared_work();
        site.follow.shut_down();
        work
    };
    // A number that has no common factor with the number of strings.
    let shuffled = work(|at| at * 7 % STRINGS);
    let ordered = work(|at| (at + 1) % STRINGS);
    assert!(shuffled <= ordered + 4, "{shuffled} {ordered}");
}

#[test]
fn a_large_checkpoint_is_written_on_a_thread_for_which_only_its_own_pushes_wait() {
    let mut site = Neighbours::new();
    let follow = &mut site.follow.followed;
    follow.background_checkpoints.at_once = 0;
    follow.catch_up();
    let names = ["one/app", "two/app"].map(|name| follow.lookup.component(name).unwrap());
    let is_writing =
        |site: &Neighbours| names.map(|at| site.follow.followed.components[at].is_in_step());
    assert_eq!(is_writing(&site), [true, false]);
    let snapshot = site.published.load().unwrap();
    assert!(snapshot.component("one", "app").is_some());
    site.hostile.push(2);
    site.other.push(3);
    for name in ["one/app", "two/app"] {
        site.follow.handle().poll_now(name);
    }
    while !site.is_published() {
        site.pass();
    }
    assert_eq!(is_writing(&site), [false, false]);
    let checkpoint = site.state.path().join("checkpoint/one.app.state");
    assert!(checkpoint.exists());
    site.follow.shut_down();
}

#[test]
fn a_checkpoint_that_waits_for_a_step_is_written_after_those_of_others() {
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(1);
    two.push(1);
    let mut neighbour = one.project.components[0].clone();
    neighbour.settings.slug = Slug::new("neighbour").unwrap();
    one.project.components.push(neighbour);
    let state = tempfile::tempdir().unwrap();
    let (mut follow, _) = follow_sites(state.path(), &[&one, &two]);
    follow.first_batch(&Ignore).unwrap();
    let followed = &mut follow.followed;
    followed.background_checkpoints.at_once = 0;
    // Its step makes the repository of the first component busy.
    let at = followed.lookup.component("one/neighbour").unwrap();
    let step = followed.steps.next_id();
    let in_step = followed.components[at].take_for(step);
    assert!(followed.catch_up());
    assert!(followed.components[at].put_back(step, in_step));
    while followed.catch_up_at().is_some() || followed.background_checkpoints.is_running() {
        followed.catch_up();
        followed.take_written();
        std::thread::yield_now();
    }
    let checkpoint = |name: &str| state.path().join(format!("checkpoint/{name}.state"));
    let is_written = ["one.app", "one.neighbour", "two.app"].map(|name| checkpoint(name).exists());
    assert_eq!(is_written, [true; 3]);
    follow.shut_down();
}
