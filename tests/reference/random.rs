//! Random histories: writes the commits of a shrinkable plan to a repository.

use std::collections::{BTreeMap, BTreeSet};

use gitglot_git::Repository;
use gitglot_model::{CommitId, FileFormat};
use proptest::prelude::*;

use super::compare::{Pair, component};
use gitglot_testkit::{History, Repo};

/// Language files, by the code in their name. Two codes resolve to one language; the first is the template's.
const CODES: [&str; 7] = ["en", "cs", "de", "pt", "pt-PT", "pt_PT", "en-US"];
/// Directories of the files; at a tip, only the first one is valid.
const FOLDERS: [&str; 3] = ["locales", "src/locales", "l10n"];
const KEYS: [&str; 6] = ["k0", "k1", "k2", "k3", "k4", "a.b"];
/// JSON values: untranslated ones first.
const VALUES: [&str; 9] = [
    "\"\"",
    "0",
    "false",
    "\"one\"",
    "\"two\"",
    "\"three\"",
    "\"four\"",
    "\"five\"",
    "\"six\"",
];
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
    /// Error of the clock, in hours.
    wrong_clock: i16,
}

/// A change of the tree.
#[derive(Clone, Debug)]
pub enum Edit {
    Set { file: u8, key: u8, value: u8 },
    Drop { file: u8, key: u8 },
    Rename { from: u8, to: u8 },
    Exchange { one: u8, other: u8 },
    Delete { file: u8 },
    Copy { from: u8, to: u8 },
    Move { from: u8, to: u8 },
    MoveAll { folder: u8 },
    Break { file: u8, how: u8 },
    Mend { file: u8 },
    Blank { file: u8 },
    Twice { file: u8 },
    DeleteAll,
    Mailmap,
}

/// A file's content.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Content {
    values: BTreeMap<u8, u8>,
    broken: u8,
    spaces: u8,
    twice: bool,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Tree {
    files: BTreeMap<String, Content>,
    mailmap: bool,
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
    )
        .prop_map(
            |(
                (parent, root, merges, theirs),
                edits,
                (author, committer, co_author, wrong_clock),
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
    ]
}

impl Content {
    fn json(&self) -> String {
        let mut lines: Vec<String> = self
            .values
            .iter()
            .map(|(key, value)| {
                format!(
                    "\"{}\": {}",
                    KEYS[usize::from(*key)],
                    VALUES[usize::from(*value)]
                )
            })
            .collect();
        if self.twice {
            lines.push("\"a\": {\"b\": \"again\"}".into());
        }
        let spaces = " ".repeat(1 + usize::from(self.spaces));
        let body: Vec<String> = lines.iter().map(|line| format!("{spaces}{line}")).collect();
        format!(
            "{{\n{}\n}}\n{}",
            body.join(",\n"),
            "<<<<".repeat(usize::from(self.broken))
        )
    }
}

impl Tree {
    fn start() -> Self {
        let content = |values: &[(u8, u8)]| Content {
            values: values.iter().copied().collect(),
            ..Content::default()
        };
        let files = [
            ("locales/en.json", content(&[(0, 3), (1, 4)])),
            ("locales/cs.json", content(&[(0, 5)])),
        ];
        Self {
            files: files
                .into_iter()
                .map(|(path, content)| (path.to_owned(), content))
                .collect(),
            mailmap: false,
        }
    }

    fn folder(&self) -> &'static str {
        let exists = |folder: &&&str| self.files.keys().any(|path| path.starts_with(**folder));
        FOLDERS.iter().find(exists).copied().unwrap_or(FOLDERS[0])
    }

    fn apply(&mut self, edit: &Edit) {
        let folder = self.folder();
        let path = |file: u8| format!("{folder}/{}.json", CODES[usize::from(file)]);
        match *edit {
            Edit::Set { file, key, value } => {
                self.files
                    .entry(path(file))
                    .or_default()
                    .values
                    .insert(key, value);
            }
            Edit::Drop { file, key } => {
                if let Some(content) = self.files.get_mut(&path(file)) {
                    content.values.remove(&key);
                }
            }
            Edit::Rename { from, to } => self.each(|values| {
                if let Some(value) = values.remove(&from) {
                    values.insert(to, value);
                }
            }),
            Edit::Exchange { one, other } => self.each(|values| {
                let (first, second) = (values.remove(&one), values.remove(&other));
                values.extend(first.map(|value| (other, value)));
                values.extend(second.map(|value| (one, value)));
            }),
            Edit::Delete { file } => {
                self.files.remove(&path(file));
            }
            Edit::Copy { from, to } => {
                if let Some(content) = self.files.get(&path(from)).cloned() {
                    self.files.insert(path(to), content);
                }
            }
            Edit::Move { from, to } => {
                if let Some(content) = self.files.remove(&path(from)) {
                    self.files.insert(path(to), content);
                }
            }
            Edit::MoveAll { folder: to } => {
                let to = FOLDERS[usize::from(to)];
                let old = std::mem::take(&mut self.files);
                self.files = old
                    .into_iter()
                    .map(|(path, content)| (path.replace(folder, to), content))
                    .collect();
            }
            Edit::Break { file, how } => self.with(&path(file), |content| content.broken = how),
            Edit::Mend { file } => self.with(&path(file), |content| content.broken = 0),
            Edit::Blank { file } => self.with(&path(file), |content| content.spaces ^= 1),
            Edit::Twice { file } => self.with(&path(file), |content| content.twice ^= true),
            Edit::DeleteAll => self.files.clear(),
            Edit::Mailmap => self.mailmap ^= true,
        }
    }

    /// Changes the values of all files.
    fn each(&mut self, change: impl Fn(&mut BTreeMap<u8, u8>)) {
        self.files
            .values_mut()
            .for_each(|it| change(&mut it.values));
    }

    fn with(&mut self, path: &str, change: impl FnOnce(&mut Content)) {
        if let Some(content) = self.files.get_mut(path) {
            change(content);
        }
    }

    /// Merges two trees, given their common ancestor.
    fn merged(base: &Self, ours: &Self, theirs: &Self, take_theirs: bool) -> Self {
        let paths: BTreeSet<&String> = base
            .files
            .keys()
            .chain(ours.files.keys())
            .chain(theirs.files.keys())
            .collect();
        let mut files = BTreeMap::new();
        for path in paths {
            let versions = [
                base.files.get(path),
                ours.files.get(path),
                theirs.files.get(path),
            ];
            let one = match pick(versions, take_theirs) {
                Ok(one) => one.cloned(),
                Err(one) => {
                    let [Some(base), Some(ours), Some(theirs)] = versions else {
                        files.extend(one.cloned().map(|content| (path.clone(), content)));
                        continue;
                    };
                    let keys: BTreeSet<u8> = ours
                        .values
                        .keys()
                        .chain(theirs.values.keys())
                        .copied()
                        .collect();
                    let value = |key: u8| {
                        let all = [base, ours, theirs].map(|content| content.values.get(&key));
                        pick(all, take_theirs)
                            .unwrap_or_else(|one| one)
                            .map(|value| (key, *value))
                    };
                    let values = keys.into_iter().filter_map(value).collect();
                    Some(Content {
                        values,
                        ..if take_theirs {
                            theirs.clone()
                        } else {
                            ours.clone()
                        }
                    })
                }
            };
            files.extend(one.map(|content| (path.clone(), content)));
        }
        Self {
            files,
            mailmap: ours.mailmap,
        }
    }
}

/// The merge of base, ours and theirs; an error if both sides changed it.
fn pick<T: PartialEq + Copy>([base, ours, theirs]: [T; 3], take_theirs: bool) -> Result<T, T> {
    match () {
        () if ours == theirs || base == theirs => Ok(ours),
        () if base == ours => Ok(theirs),
        () => Err(if take_theirs { theirs } else { ours }),
    }
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
    if commit.co_author {
        let trailer = "Co-authored-by: Example Translator <translator@example.org>";
        history = history.message(&format!("c{at}\n\n{trailer}\n"));
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
    match (old.mailmap, new.mailmap) {
        (false, true) => history.write(
            ".mailmap",
            "Example Maintainer <anna@example.org> <ben@example.org>\n",
        ),
        (true, false) => history.delete(".mailmap"),
        _ => history,
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
