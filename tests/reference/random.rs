//! Random histories: writes the commits of a shrinkable plan to a repository.

use std::collections::BTreeSet;

use gitglot_git::Repository;
use gitglot_model::{CommitId, FileFormat};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

use super::compare::{Pair, component};
use super::random_tree::{Edit, KEYS, LANGUAGES, Tree};
use gitglot_testkit::{History, Repo};

const PEOPLE: [&str; 4] = [
    "Example Maintainer <anna@example.org>",
    "Example Developer <Ben@Example.org>",
    "Weblate <noreply@weblate.org>",
    "updates[bot] <robot@example.org>",
];
const START: i64 = 1_600_000_000;

/// A history and its observed tips.
#[derive(Clone, Debug)]
pub struct Plan {
    pub commits: Vec<CommitPlan>,
    /// The observed tips in order, counted from the last commit, and whether the observer's clock is behind.
    pub tips: Vec<(u8, bool)>,
}

/// One commit. Out-of-range numbers wrap around, so that any part of a plan is a plan.
#[derive(Clone, Debug)]
pub struct CommitPlan {
    /// Distance of the first parent, in commits.
    parent: u8,
    root: bool,
    /// The same for further parents.
    merges: Vec<u8>,
    /// The side that wins a conflict.
    theirs: bool,
    edits: Vec<Edit>,
    author: u8,
    committer: u8,
    co_author: bool,
    /// The language and the key that the commit acknowledges; out of range: all strings.
    review: Option<(u8, u8)>,
    /// Error of the clock, in hours.
    wrong_clock: i16,
}

/// Plans of up to that many commits.
pub fn plans(commits: usize) -> impl Strategy<Value = Plan> {
    let tips = prop::collection::vec((any::<u8>(), prop::bool::weighted(0.15)), 1..5);
    (prop::collection::vec(commit(), 1..commits), tips)
        .prop_map(|(commits, tips)| Plan { commits, tips })
}

fn commit() -> impl Strategy<Value = CommitPlan> {
    let back = || prop_oneof![6 => Just(0_u8), 3 => Just(1), 2 => 2_u8..6];
    let merges = prop_oneof![6 => Just(vec![]), 4 => prop::collection::vec(back(), 1..3)];
    let clock = prop_oneof![6 => Just(0_i16), 1 => -300_i16..300];
    (
        (back(), prop::bool::weighted(0.04), merges, any::<bool>()),
        prop::collection::vec(edit(), 0..5),
        (0_u8..4, 0_u8..4, prop::bool::weighted(0.2), clock),
        prop::option::weighted(0.15, (0_u8..4, 0_u8..9)),
    )
        .prop_map(
            |(
                (parent, root, merges, theirs),
                edits,
                (author, committer, co_author, wrong_clock),
                review,
            )| {
                CommitPlan {
                    parent,
                    root,
                    merges,
                    theirs,
                    edits,
                    author,
                    committer,
                    co_author,
                    review,
                    wrong_clock,
                }
            },
        )
}

fn edit() -> impl Strategy<Value = Edit> {
    let file = || prop_oneof![3 => Just(0_u8), 3 => Just(1), 2 => Just(2), 2 => 3_u8..7];
    let key = || 0..u8::try_from(KEYS.len()).expect("few");
    let value = || prop_oneof![1 => 0_u8..3, 5 => 3_u8..9];
    prop_oneof![
        20 => (file(), key(), value()).prop_map(|(file, key, value)| Edit::Set { file, key, value }),
        4 => (file(), key()).prop_map(|(file, key)| Edit::Drop { file, key }),
        6 => (key(), key()).prop_map(|(from, to)| Edit::Rename { from, to }),
        2 => (key(), key()).prop_map(|(one, other)| Edit::Exchange { one, other }),
        2 => file().prop_map(|file| Edit::Delete { file }),
        2 => (file(), file()).prop_map(|(from, to)| Edit::Copy { from, to }),
        3 => (file(), file()).prop_map(|(from, to)| Edit::Move { from, to }),
        3 => prop_oneof![2 => Just(0_u8), 1 => 1_u8..3].prop_map(|folder| Edit::MoveAll { folder }),
        3 => (file(), 1_u8..3).prop_map(|(file, how)| Edit::Break { file, how }),
        2 => file().prop_map(|file| Edit::Mend { file }),
        1 => file().prop_map(|file| Edit::Blank { file }),
        1 => file().prop_map(|file| Edit::Twice { file }),
        1 => Just(Edit::DeleteAll),
        1 => Just(Edit::Mailmap),
        2 => (0_u8..3, key(), 3_u8..9)
            .prop_map(|(language, key, value)| Edit::Review { language, key, value }),
    ]
}

/// The repository of a plan.
pub struct Built {
    pub repo: Repo,
    /// The commits, in the order of the plan.
    pub ids: Vec<CommitId>,
    /// A description of the history, for the message of a failing test.
    pub history: History,
    with_template: Vec<bool>,
    _dir: tempfile::TempDir,
}

/// Writes the repository of a plan.
pub fn build(plan: &Plan) -> Built {
    let mut history = History::default();
    let mut trees: Vec<Tree> = Vec::new();
    let mut parents_of: Vec<Vec<usize>> = Vec::new();
    for (at, commit) in plan.commits.iter().enumerate() {
        let back = |steps: u8| {
            at.checked_sub(1)
                .map(|last| last - usize::from(steps).min(last))
        };
        let mut parents = Vec::new();
        for steps in std::iter::once(commit.parent).chain(commit.merges.iter().copied()) {
            parents.extend(back(steps).filter(|parent| !commit.root && !parents.contains(parent)));
        }
        let first = parents.first().map(|&parent| trees[parent].clone());
        let mut tree = first.clone().unwrap_or_else(Tree::start);
        let mut seen = parents
            .first()
            .map(|&parent| ancestors(&parents_of, parent))
            .unwrap_or_default();
        for &other in parents.iter().skip(1) {
            let theirs = ancestors(&parents_of, other);
            let base = seen
                .intersection(&theirs)
                .last()
                .map(|&base| trees[base].clone())
                .unwrap_or_default();
            tree = Tree::merged(&base, &tree, &trees[other], commit.theirs);
            seen.extend(theirs);
        }
        for edit in &commit.edits {
            tree.apply(edit);
        }
        history = with_commit(
            history,
            at,
            commit,
            &parents,
            &first.unwrap_or_default(),
            &tree,
        );
        trees.push(tree);
        parents_of.push(parents);
    }
    let dir = tempfile::tempdir().expect("a folder");
    let repo = Repo::with(&dir.path().join("r.git"), &history);
    let ids = (0..trees.len())
        .map(|at| repo.id(&format!("c{at}")))
        .collect();
    let has_template = |tree: &Tree| tree.files.contains_key("locales/en.json");
    Built {
        repo,
        ids,
        history,
        with_template: trees.iter().map(has_template).collect(),
        _dir: dir,
    }
}

fn ancestors(parents_of: &[Vec<usize>], of: usize) -> BTreeSet<usize> {
    let mut all = BTreeSet::from([of]);
    for at in (0..=of).rev() {
        if all.contains(&at) {
            all.extend(&parents_of[at]);
        }
    }
    all
}

fn with_commit(
    history: History,
    at: usize,
    commit: &CommitPlan,
    parents: &[usize],
    old: &Tree,
    new: &Tree,
) -> History {
    let branch = format!("b{at}");
    let history = match parents.first() {
        Some(parent) => history.branch_at(&branch, &format!("c{parent}")),
        None => history.branch(&branch),
    };
    let hour = i64::try_from(at).expect("few") + i64::from(commit.wrong_clock);
    let line = |person: u8| {
        format!(
            "{} {} +0000",
            PEOPLE[usize::from(person)],
            START + 3600 * hour
        )
    };
    let mut history = history
        .commit(&format!("c{at}"))
        .author_line(&line(commit.author))
        .committer_line(&line(commit.committer));
    let mut trailers = Vec::new();
    if commit.co_author {
        let person = "Example Translator <translator@example.org>";
        trailers.push(format!("Co-authored-by: {person}\n"));
    }
    if let Some((language, key)) = commit.review {
        let key = KEYS.get(usize::from(key)).copied().unwrap_or_default();
        let language = LANGUAGES[usize::from(language)];
        trailers.push(format!("Translation-Reviewed: {language} {key}\n"));
    }
    if !trailers.is_empty() {
        history = history.message(&format!("c{at}\n\n{}", trailers.concat()));
    }
    for parent in parents.iter().skip(1) {
        history = history.merge(&format!("c{parent}"));
    }
    for path in old
        .files
        .keys()
        .filter(|path| !new.files.contains_key(*path))
    {
        history = history.delete(path);
    }
    for (path, content) in new
        .files
        .iter()
        .filter(|(path, content)| old.files.get(*path) != Some(content))
    {
        history = history.write(path, content.json());
    }
    if old.reviewed != new.reviewed {
        let path = gitglot_history::REVIEWED_FILE;
        history = match new.reviewed_file() {
            Some(file) => history.write(path, file),
            None => history.delete(path),
        };
    }
    match (old.mailmap, new.mailmap) {
        (false, true) => history.write(
            ".mailmap",
            "Example Maintainer <anna@example.org> <ben@example.org>\n",
        ),
        (true, false) => history.delete(".mailmap"),
        _ => history,
    }
}

/// The number in an environment variable.
pub fn number(variable: &str, usual: u32) -> u32 {
    let value = std::env::var(variable).ok();
    value.and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// Runs a test with random plans of up to this many commits. A failure names the seed and the smallest history found.
pub fn each_plan(commits: usize, test: impl Fn(&Plan) -> Result<(), String>) {
    let seed = number("GITGLOT_RANDOM_SEED", 1);
    let config = Config {
        cases: number("GITGLOT_RANDOM_HISTORIES", 40),
        failure_persistence: None,
        max_shrink_iters: 4000,
        rng_seed: RngSeed::Fixed(seed.into()),
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&plans(commits), |plan| {
        test(&plan).map_err(TestCaseError::fail)
    });
    match outcome {
        Ok(()) => {}
        // The message describes the history better than the plan.
        Err(TestError::Fail(wrong, _)) => panic!("GITGLOT_RANDOM_SEED={seed}: {wrong}"),
        Err(error) => panic!("GITGLOT_RANDOM_SEED={seed}: {error}"),
    }
}

/// Moves both logs through a plan's tips; returns the first error with the history that causes it.
pub fn run_plan(plan: &Plan) -> Result<(), String> {
    let built = build(plan);
    let repository = Repository::open(built.repo.dir()).expect("a repository");
    let mut pair = Pair::new(
        component("locales/*.json", "locales/en.json", FileFormat::Json),
        "en",
    );
    // The log does not depend on how many commits are read together.
    let first = plan.tips.first().map_or(0, |&(tip, _)| usize::from(tip));
    pair.history.set_window(1 + first % 8);
    let mut steps = Vec::new();
    for (at, &(tip, behind)) in plan.tips.iter().enumerate() {
        let tip = built.ids.len() - 1 - usize::from(tip) % built.ids.len();
        // A log begins at a tip with a template.
        if steps.is_empty() && !built.with_template[tip] {
            continue;
        }
        steps.push(format!("c{tip}"));
        let hours = if behind {
            3
        } else {
            1000 + i64::try_from(at).expect("few")
        };
        if let Err(wrong) = pair.step(
            &repository,
            built.ids[tip],
            (START + 3600 * hours) * 1_000_000,
        ) {
            let labels: Vec<String> = built
                .ids
                .iter()
                .enumerate()
                .map(|(at, id)| format!("c{at} = {id}"))
                .collect();
            return Err(format!(
                "tips {}: {wrong}\n{}\n{:#?}",
                steps.join(" "),
                labels.join("\n"),
                built.history
            ));
        }
    }
    Ok(())
}
