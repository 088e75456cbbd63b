//! Malformed repositories, files, configurations and state directories: reading, following and serving them must not
//! crash or hang the program, and its memory stays within a limit.
//!
//! Each repository depends only on its number. `MUTATIONS=10000 cargo test --test mutations -- --nocapture` runs
//! more and prints time and memory; `MUTATIONS=1234..1235` runs that one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod damage;
mod http_requests;
mod objects;
mod random;
mod settings;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gitglot::demo::{DEMOS, Demo};
use gitglot_catalog::Published;
use gitglot_checks::Words;
use gitglot_follow::HistoryMode;
use gitglot_follow::{FollowEvents, FollowHandle, FollowedComponents, PollLoop, PollReport};
use gitglot_git::Branch;
use gitglot_ledger::Ledger;
use gitglot_model::{CommitId, FileFormat};
use gix::ObjectId;
use tokio::runtime::Runtime;

use gitglot_testkit::{ANNA, History, Person, Repo, commit};
use http_requests::TestApi;
use objects::Store;
use random::Chance;
use settings::About;

/// A step that takes longer counts as a hang, even on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);
/// Maximum of the peak memory of a run, in kB.
const MOST_MEMORY: u64 = 1_000_000;

/// Stops the loop after one more poll.
#[derive(Default)]
struct Once(Mutex<Option<FollowHandle>>);

impl FollowEvents for Once {
    fn published(&self, _: &str) {}
    fn failed(&self, _: &str, _: &str) {}
    fn behind(&self, _: &str, _: Option<&str>) {}

    fn polled(&self, _: &PollReport<'_>) {
        if let Some(handle) = &*self.0.lock().unwrap() {
            handle.stop();
        }
    }
}

/// A repository that others start as copies of.
struct Model {
    folder: PathBuf,
    about: About,
    tip: ObjectId,
}

const BOT: Person = Person {
    name: "Example Bot",
    email: "bot@example.org",
    offset: 0,
};

fn small() -> History {
    let german = r#"{"hello": "Hallo {nme}", "menu": {"open": "Offen..."}}"#;
    commit("start")
        .by_at(ANNA, "2019-03-04 09:12")
        .write("locales/en.json", r#"{"hello": "Hello {name}", "menu": {"open": "Open…", "list": ["one", "two"]}}"#)
        .write("locales/cs.json", r#"{"hello": "Ahoj {name}"}"#)
        .write(".mailmap", "Somebody Else <else@example.org> <bot@example.org>\n")
        .branch_at("side", "start")
        .commit("german")
        .by_at(BOT, "2019-03-05 04:00")
        .write("locales/de.json", german)
        .branch("main")
        .commit("reworded")
        .by_at(ANNA, "2019-03-06 21:00")
        .write(
            "locales/en.json",
            r#"{"hello": "Good morning {name}", "menu": {"open": "Open…", "list": ["one", "two"]}}"#,
        )
        .rename("locales/cs.json", "locales/cs_CZ.json")
        .commit("merged")
        .by_at(ANNA, "2019-03-06 21:30")
        .merge("german")
        .write("locales/de.json", german)
        .commit("broken")
        .by_at(BOT, "2019-03-07")
        .write("locales/de.json", r#"{"hello": "x","#)
        .commit("fixed")
        .by_at(BOT, "2019-03-08")
        .write("locales/de.json", r#"{"hello": "Guten Morgen {name}"}"#)
}

/// Valid repositories, each with loose objects and with a pack.
fn models(temporary: &Path) -> Vec<Model> {
    let about = About {
        mask: "locales/*.json",
        template: "locales/en.json",
        format: FileFormat::Json,
    };
    let of = |demo: &Demo| About {
        mask: demo.filemask,
        template: demo.template,
        format: demo.file_format,
    };
    let examples = DEMOS.iter().map(|demo| (Some(demo), of(demo)));
    let mut models = Vec::new();
    for (demo, about) in std::iter::once((None, about)).chain(examples) {
        let folder = temporary.join(format!("model-{}.git", models.len()));
        let tip = match demo {
            Some(demo) => demo.write(&folder).unwrap().references["refs/heads/main"],
            None => Repo::with(&folder, &small()).tip("main"),
        };
        let tip = ObjectId::Sha1(tip.0);
        let packed = temporary.join(format!("model-{}.git", models.len() + 1));
        copy(&folder, &packed);
        Store::of(&packed).pack(&mut Chance::new(0));
        let about_packed = About { ..about };
        models.push(Model { folder, about, tip });
        models.push(Model {
            folder: packed,
            about: about_packed,
            tip,
        });
    }
    models
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(path, to).unwrap();
        }
    }
}

/// The outcome of a repository.
#[derive(Default)]
struct Outcome {
    /// Whether any of it was served.
    served: bool,
    /// Whether the state directory was refused.
    refused: bool,
    slowest_step: Duration,
    slowest_answer: Duration,
}

/// Runs a function that must end soon.
fn timed<T>(slowest: &mut Duration, name: &str, run: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = run();
    let took = begun.elapsed();
    assert!(took < LONGEST, "{name} took {took:?}");
    *slowest = took.max(*slowest);
    result
}

/// One repository: follows it, changes it meanwhile, and follows it again after a restart.
fn round(number: u64, models: &[Model], runtime: &Runtime) -> Outcome {
    let chance = &mut Chance::new(number);
    let temporary = tempfile::tempdir().unwrap();
    let (folder, state) = (
        temporary.path().join("garden.git"),
        temporary.path().join("state"),
    );
    let mut outcome = Outcome::default();
    let fresh = About {
        mask: "locales/*.json",
        template: "locales/en.json",
        format: FileFormat::WebExtension,
    };
    // The demo's repositories are slow, so they are rare.
    let model = match chance.below(24) {
        0..10 => None,
        10..16 => Some(&models[0]),
        16..22 => Some(&models[1]),
        _ => Some(&models[2 + chance.below(4)]),
    };
    let mut tips = Vec::new();
    match model {
        Some(model) => {
            copy(&model.folder, &folder);
            tips.push(model.tip);
        }
        None => drop(gix::init_bare(&folder).unwrap()),
    }
    let store = Store::of(&folder);
    let push = |tips: &mut Vec<ObjectId>, chance: &mut Chance| {
        for _ in 0..1 + chance.below(3) {
            let commit = match (model, tips.last()) {
                (Some(_), Some(&tip)) => store.changed(chance, tip, &tips[..tips.len() - 1]),
                _ => store.fresh(chance, tips),
            };
            tips.push(commit);
        }
        let tip = if chance.one_in(10) {
            chance.of(tips)
        } else {
            tips[tips.len() - 1]
        };
        store.branch("main", tip);
    };
    if model.is_none() || chance.one_in(2) {
        push(&mut tips, chance);
    }
    if chance.one_in(6) {
        store.pack(chance);
    }
    if chance.one_in(8) {
        damage::repository(&folder, chance);
    }
    let about = model.map_or(&fresh, |model| &model.about);
    let mut project = settings::project(&folder, about, chance);
    let history = if chance.one_in(10) {
        HistoryMode::None
    } else {
        HistoryMode::Full
    };
    settings::file(&project, temporary.path(), chance);
    if let Some(tip) = tips.last() {
        let tip = CommitId(tip.as_slice().try_into().unwrap());
        // Damage is reported, unsupported content is ignored.
        let _ = timed(&mut outcome.slowest_step, "finding out", || {
            settings::found(&folder, tip)
        });
    }
    for life in 0..2 {
        let ledger = match Ledger::open(&state) {
            Ok(ledger) => ledger,
            // One that was damaged may be refused.
            Err(_) if life == 1 => {
                outcome.refused = true;
                break;
            }
            Err(error) => panic!("{error}"),
        };
        let (published, sources) = (Arc::new(Published::new()), Arc::default());
        let followed = FollowedComponents::new(
            ledger,
            vec![project.clone()],
            history,
            Words::default(),
            published.clone(),
        )
        .with_sources(Arc::clone(&sources));
        let served = TestApi::new(runtime, published.clone(), sources);
        let mirrors = state.join("mirrors");
        fs::create_dir_all(&mirrors).unwrap();
        let mut follow = PollLoop::new(
            followed,
            &mirrors,
            Duration::from_secs(3600),
            Arc::new(|_| Box::new(())),
        );
        let begun = timed(&mut outcome.slowest_step, "the first batch", || {
            follow.first_batch(&Once::default())
        });
        begun.unwrap_or_else(|error| panic!("{error}"));
        outcome.slowest_answer = served.ask(10, chance).max(outcome.slowest_answer);
        // A repository whose branch name is invalid is never polled.
        let polls = Branch::parse(project.components[0].branch.as_deref()).is_ok();
        if polls && chance.one_in(2) {
            push(&mut tips, chance);
            if chance.one_in(3) {
                damage::repository(&folder, chance);
            }
            let handle = follow.handle();
            handle.poll_now("garden/app");
            let once = Once(Mutex::new(Some(handle)));
            let ran = timed(&mut outcome.slowest_step, "a poll", || follow.run(&once));
            ran.unwrap_or_else(|error| panic!("{error}"));
            outcome.slowest_answer = served.ask(8, chance).max(outcome.slowest_answer);
        }
        outcome.served |= published
            .load()
            .is_some_and(|snapshot| snapshot.unit_count() > 0);
        follow.shut_down();
        drop(follow);
        // Anything may change while the program is stopped.
        if chance.one_in(2) {
            push(&mut tips, chance);
        }
        for _ in 0..chance.of(&[0, 1, 1, 3]) {
            damage::repository(&folder, chance);
        }
        for _ in 0..chance.of(&[0, 0, 1, 2]) {
            damage::any_file(&state, chance);
        }
        if chance.one_in(4) {
            project = settings::project(&folder, about, chance);
        }
    }
    outcome
}

/// A number of the process's state, in kB.
fn memory(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

static PANICS: AtomicUsize = AtomicUsize::new(0);
/// The current repository, and the seconds since it was started.
static CURRENT: AtomicU64 = AtomicU64::new(0);
static SECONDS: AtomicU64 = AtomicU64::new(0);

/// Ends the process with a message when one repository takes minutes, because a test that hangs prints nothing.
fn watch() {
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            if SECONDS.fetch_add(1, Ordering::Relaxed) > 180 {
                eprintln!("repository {} hangs", CURRENT.load(Ordering::Relaxed));
                std::process::abort();
            }
        }
    });
}

#[test]
fn no_repository_fails_the_program_or_hangs_it() {
    let wanted = std::env::var("MUTATIONS").unwrap_or_else(|_| "100".to_owned());
    let (first, end) = wanted.split_once("..").unwrap_or(("0", &wanted));
    let rounds: std::ops::Range<u64> = first.parse().unwrap()..end.parse().unwrap();
    let usual = std::panic::take_hook();
    // Also panics on other threads, and caught ones.
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        eprintln!("repository {}:", CURRENT.load(Ordering::Relaxed));
        usual(panic);
    }));
    watch();
    let temporary = tempfile::tempdir().unwrap();
    let models = models(temporary.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (mut served, mut refused, mut early) = (0, 0, 0);
    let mut slowest = [Duration::ZERO; 2];
    let begun = Instant::now();
    let (first, count) = (rounds.start, rounds.end - rounds.start);
    for at in rounds {
        CURRENT.store(at, Ordering::Relaxed);
        SECONDS.store(0, Ordering::Relaxed);
        let outcome = round(at, &models, &runtime);
        assert_eq!(
            PANICS.load(Ordering::Relaxed),
            0,
            "something has panicked in repository {at}"
        );
        served += u64::from(outcome.served);
        refused += u64::from(outcome.refused);
        slowest[0] = slowest[0].max(outcome.slowest_step);
        slowest[1] = slowest[1].max(outcome.slowest_answer);
        if (at + 1) % 1000 == 0 {
            println!("{} done, {} kB at most", at + 1, memory("VmHWM"));
        }
        if at == first + count / 4 {
            early = memory("VmRSS");
        }
    }
    let (late, most) = (memory("VmRSS"), memory("VmHWM"));
    println!(
        "{count} repositories in {:?}: {served} served, {refused} with a state that was refused; slowest step {:?}, \
         slowest answer {:?}; memory {early} kB after a quarter, {late} kB at the end, {most} kB at most",
        begun.elapsed(),
        slowest[0],
        slowest[1]
    );
    assert!(count < 100 || served > count / 3, "most have no response");
    assert!(
        count < 100 || late < early + 200_000,
        "memory grows from {early} to {late} kB"
    );
    assert!(most < MOST_MEMORY, "{most} kB at most");
}
