//! Random histories of a repository with a component of each shape, and the pushes that publish them.
//!
//! The histories contain what is legal and rare: unrelated roots, merges that keep one side, templates that are gone or
//! broken, second files of a language, copies of the template, renamed languages and directories, and files with all
//! languages in a different order.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::files::{COMPONENTS, Change, Files, KEYS, TEXTS};
use gitglot_model::CommitId;
use gitglot_testkit::{History, Repo};

const PEOPLE: [&str; 4] = [
    "Example Maintainer <maintainer@example.org>",
    "Example Translator <Translator@example.org>",
    "Weblate <noreply@weblate.org>",
    "No Address <>",
];
const START: i64 = 1_600_000_000;

/// A history and its pushes. Out-of-range numbers wrap around, so that any part of a plan is a plan.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub commits: Vec<CommitPlan>,
    pub pushes: Vec<Push>,
}

/// A new tip of the branch and what happens to the server before.
#[derive(Clone, Debug)]
pub(super) struct Push {
    /// The distance from the previous tip, in the order of the commits.
    pub to: i8,
    pub before: Before,
    /// The replica that sees the push first.
    pub first: bool,
    /// Whether the other replica reads the ledger before it sees the push.
    pub reads_ledger: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Before {
    Nothing,
    /// It writes its checkpoints.
    Checkpoint,
    /// It restarts from its checkpoints, which may be old.
    Restart,
    /// It restarts without checkpoints.
    RestartWithout,
}

/// One commit.
#[derive(Clone, Debug)]
pub(super) struct CommitPlan {
    /// Distance of the first parent, in commits.
    parent: u8,
    root: Root,
    merge: Option<(u8, Merge)>,
    edits: Vec<Edit>,
    author: u8,
}

/// The commits without parents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    No,
    /// With the files of the first commit.
    Start,
    /// Without files.
    Empty,
}

/// The tree of a merge.
#[derive(Clone, Copy, Debug)]
enum Merge {
    Ours,
    Theirs,
    /// The files of both sides; theirs where both have one.
    Both,
}

/// A change of the files of a component.
#[derive(Clone, Debug)]
struct Edit {
    component: u8,
    change: Change,
}

type Tree = [Files; COMPONENTS.len()];

/// Plans of up to that many commits.
pub(super) fn plans(commits: usize) -> impl Strategy<Value = Plan> {
    let commits = prop::collection::vec(commit(), 2..commits);
    (commits, prop::collection::vec(push(), 2..7))
        .prop_map(|(commits, pushes)| Plan { commits, pushes })
}

fn push() -> impl Strategy<Value = Push> {
    let to = prop_oneof![4 => 1_i8..4, 2 => -3_i8..0, 3 => any::<i8>()];
    let before = prop_oneof![
        3 => Just(Before::Nothing),
        2 => Just(Before::Checkpoint),
        2 => Just(Before::Restart),
        2 => Just(Before::RestartWithout),
    ];
    (to, before, any::<bool>(), any::<bool>()).prop_map(|(to, before, first, reads_ledger)| Push {
        to,
        before,
        first,
        reads_ledger,
    })
}

fn commit() -> impl Strategy<Value = CommitPlan> {
    let back = || prop_oneof![6 => Just(0_u8), 2 => Just(1), 2 => 2_u8..6];
    let root = prop_oneof![
        12 => Just(Root::No),
        1 => Just(Root::Start),
        3 => Just(Root::Empty),
    ];
    let kind =
        prop_oneof![1 => Just(Merge::Ours), 1 => Just(Merge::Theirs), 2 => Just(Merge::Both)];
    let merge = prop::option::weighted(0.25, (back(), kind));
    let edits = prop::collection::vec(edit(), 0..8);
    (back(), root, merge, edits, 0..4_u8).prop_map(|(parent, root, merge, edits, author)| {
        CommitPlan {
            parent,
            root,
            merge,
            edits,
            author,
        }
    })
}

fn edit() -> impl Strategy<Value = Edit> {
    let file = || prop_oneof![3 => Just(0_u8), 3 => Just(1), 2 => 2_u8..6];
    let (key, text) = (|| 0..KEYS.len() as u8, || 0..TEXTS.len() as u8);
    let set = (file(), key(), text()).prop_map(|(file, key, text)| Change::Set { file, key, text });
    let change = prop_oneof![
        20 => set,
        3 => (file(), key()).prop_map(|(file, key)| Change::Drop { file, key }),
        2 => file().prop_map(|file| Change::Delete { file }),
        3 => (file(), file()).prop_map(|(from, to)| Change::Copy { from, to }),
        3 => (file(), file()).prop_map(|(from, to)| Change::Rename { from, to }),
        3 => file().prop_map(|file| Change::Second { file }),
        3 => Just(Change::MoveFolder),
        3 => file().prop_map(|file| Change::Break { file }),
        2 => Just(Change::Repair),
        1 => Just(Change::Clear),
        5 => (0..COMPONENTS.len() as u8, key(), key())
            .prop_map(|(to, key, new)| Change::MoveString { to, key, new }),
    ];
    let component = 0..COMPONENTS.len() as u8;
    (component, change).prop_map(|(component, change)| Edit { component, change })
}

fn written(tree: &Tree) -> BTreeMap<String, String> {
    let files = tree.iter().enumerate();
    files.flat_map(|(at, files)| files.written(at)).collect()
}

/// The repository of a plan.
pub(super) struct Built {
    pub repo: Repo,
    /// The commits, in the order of the plan.
    pub ids: Vec<CommitId>,
    /// A description of the history, for the message of a failing test.
    pub history: History,
    _folder: tempfile::TempDir,
}

/// Writes the repository of a plan.
pub(super) fn build(plan: &Plan) -> Built {
    let mut history = History::default();
    let mut trees: Vec<Tree> = Vec::new();
    for (at, commit) in plan.commits.iter().enumerate() {
        let back = |steps: u8| Some(at.checked_sub(1)? - usize::from(steps).min(at - 1));
        let is_root = at == 0 || commit.root != Root::No;
        let parent = back(commit.parent).filter(|_| !is_root);
        let merge = commit.merge.filter(|_| !is_root);
        let merge = merge.and_then(|(steps, kind)| Some((back(steps)?, kind)));
        let merge = merge.filter(|&(other, _)| Some(other) != parent);
        let before = parent.map_or_else(Tree::default, |parent| trees[parent].clone());
        let mut tree = match (parent, commit.root) {
            (None, Root::Empty) => Tree::default(),
            (None, _) => std::array::from_fn(|_| Files::start()),
            (Some(_), _) => before.clone(),
        };
        if let Some((other, kind)) = merge {
            tree = merged(&tree, &trees[other], kind);
        }
        for Edit { component, change } in &commit.edits {
            let component = usize::from(*component);
            match *change {
                Change::MoveString { to, .. } if usize::from(to) == component => {}
                Change::MoveString { to, key, new } => {
                    let mut other = std::mem::take(&mut tree[usize::from(to)]);
                    tree[component].move_string(&mut other, key, new);
                    tree[usize::from(to)] = other;
                }
                _ => tree[component].apply(change),
            }
        }
        history = with_commit(history, at, commit, parent, merge.map(|(other, _)| other));
        history = with_files(history, &written(&before), &written(&tree));
        trees.push(tree);
    }
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("garden.git"), &history);
    let ids = (0..trees.len()).map(|at| repo.id(&format!("c{at}")));
    Built {
        ids: ids.collect(),
        repo,
        history,
        _folder: folder,
    }
}

fn merged(ours: &Tree, theirs: &Tree, kind: Merge) -> Tree {
    match kind {
        Merge::Ours => ours.clone(),
        Merge::Theirs => theirs.clone(),
        Merge::Both => std::array::from_fn(|at| {
            let mut files = ours[at].clone();
            files.files.extend(theirs[at].files.clone());
            files
        }),
    }
}

fn with_commit(
    history: History,
    at: usize,
    commit: &CommitPlan,
    parent: Option<usize>,
    merge: Option<usize>,
) -> History {
    let branch = format!("b{at}");
    let history = match parent {
        Some(parent) => history.branch_at(&branch, &format!("c{parent}")),
        None => history.branch(&branch),
    };
    let person = PEOPLE[usize::from(commit.author)];
    let line = format!("{person} {} +0000", START + 3600 * at as i64);
    let history = history.commit(&format!("c{at}"));
    let history = history.author_line(&line).committer_line(&line);
    match merge {
        Some(other) => history.merge(&format!("c{other}")),
        None => history,
    }
}

/// Changes the files of the last commit.
fn with_files(
    mut history: History,
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
) -> History {
    for path in old.keys().filter(|path| !new.contains_key(*path)) {
        history = history.delete(path);
    }
    for (path, content) in new.iter().filter(|(path, it)| old.get(*path) != Some(it)) {
        history = history.write(path, content);
    }
    history
}
