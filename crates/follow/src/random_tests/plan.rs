//! Random histories of a repository with a component of each shape, and the pushes that publish them.
//!
//! The histories contain what is legal and rare: unrelated roots, merges that keep one side, templates that are gone or
//! broken, second files of a language, copies of the template, renamed languages and directories, and files with all
//! languages in a different order.

use std::collections::BTreeMap;

use proptest::prelude::*;

use gitglot_model::{CommitId, FileFormat};
use gitglot_testkit::{History, Repo};

/// Slug, mask, template and format of each component. The mask of the second one has two `*`.
/// Those without `*` have one file with all languages, those with `**` a group of files for each language.
pub(super) const COMPONENTS: [(&str, &str, &str, FileFormat); 9] = [
    ("app", "app/*.json", "app/en.json", FileFormat::Json),
    (
        "parts",
        "parts/*/l/*.json",
        "parts/a/l/en.json",
        FileFormat::Json,
    ),
    (
        "web",
        "_locales/*/messages.json",
        "_locales/en/messages.json",
        FileFormat::WebExtension,
    ),
    (
        "catalog",
        "cat/L.xcstrings",
        "cat/L.xcstrings",
        FileFormat::StringCatalog,
    ),
    ("store", "store/*/**", "store/en", FileFormat::AppStore),
    (
        "table",
        "table/L.csv",
        "table/L.csv",
        FileFormat::CsvColumns,
    ),
    (
        "keys",
        "keys/L.yml",
        "keys/L.yml",
        FileFormat::YamlLanguages,
    ),
    ("docs", "docs/*/**", "docs/en", FileFormat::Document),
    (
        "apple",
        "apple/*.lproj/L.strings**",
        "apple/en.lproj/L.strings",
        FileFormat::AppleStrings,
    ),
];
/// Language codes in paths, first that of the template. Two resolve to one language.
const CODES: [&str; 6] = ["en", "cs", "de", "fr", "pt-PT", "pt_PT"];
const KEYS: [&str; 5] = ["k0", "k1", "k2", "k3", "k4"];
const TEXTS: [&str; 6] = ["", "one", "two", "three", "four", "five"];
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

/// Files and keys are indexes; a part is a directory of a mask with two `*`.
#[derive(Clone, Debug)]
enum Change {
    Set {
        file: u8,
        key: u8,
        text: u8,
    },
    Drop {
        file: u8,
        key: u8,
    },
    Delete {
        file: u8,
    },
    Copy {
        from: u8,
        to: u8,
    },
    Rename {
        from: u8,
        to: u8,
    },
    Second {
        file: u8,
    },
    MoveFolder,
    Break {
        file: u8,
    },
    Repair,
    Clear,
    /// The string moves to a different component, in all files that are there.
    MoveString {
        to: u8,
        key: u8,
        new: u8,
    },
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Content {
    texts: BTreeMap<u8, u8>,
    broken: bool,
}

/// The files of a component: directory of the second `*` and code.
#[derive(Clone, Default, Debug)]
struct Files {
    is_moved: bool,
    files: BTreeMap<(bool, u8), Content>,
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

impl Content {
    fn written(&self, format: FileFormat) -> String {
        let texts = self.texts.iter().map(|(key, text)| {
            let (key, text) = (KEYS[usize::from(*key)], TEXTS[usize::from(*text)]);
            match format {
                FileFormat::WebExtension => format!(r#""{key}": {{"message": "{text}"}}"#),
                _ => format!(r#""{key}": "{text}""#),
            }
        });
        let texts: Vec<String> = texts.collect();
        let end = if self.broken { "<<<<" } else { "" };
        format!("{{{}}}{end}\n", texts.join(",\n"))
    }

    /// A file for each text, in a folder whose path ends with `/`.
    fn documents(&self, format: FileFormat, folder: &str) -> Vec<(String, String)> {
        let is_document = format == FileFormat::Document;
        let files = self.texts.iter().map(|(key, text)| {
            let (key, text) = (KEYS[usize::from(*key)], TEXTS[usize::from(*text)]);
            let (end, text) = match (self.broken, is_document) {
                (true, _) => ("png", text.to_owned()),
                (false, true) if !text.is_empty() => ("md", format!("# {text}\n\nof `{text}`\n")),
                (false, true) => ("md", String::new()),
                (false, false) => ("txt", text.to_owned()),
            };
            (format!("{folder}{key}.{end}"), text)
        });
        files.collect()
    }

    /// The end of the name and the content of a strings file or of the one with plurals next to it.
    fn of_apple(&self, has_plurals: bool) -> (&'static str, String) {
        let texts = self.texts.iter().map(|(key, text)| {
            let (key, text) = (KEYS[usize::from(*key)], TEXTS[usize::from(*text)]);
            if !has_plurals {
                return format!("\"{key}\" = \"{text}\";\n");
            }
            let of_key = [("NSStringLocalizedFormatKey", "%#@n@")];
            let format = of_key.map(|(key, it)| format!("<key>{key}</key><string>{it}</string>"));
            let forms = [("one", text), ("other", text)];
            let forms = forms.map(|(form, it)| format!("<key>{form}</key><string>{it}</string>"));
            let [format, forms] = [format.concat(), forms.concat()];
            format!("<key>{key}</key><dict>{format}<key>n</key><dict>{forms}</dict></dict>\n")
        });
        let (texts, end) = (
            texts.collect::<String>(),
            if self.broken { "<<<<" } else { "" },
        );
        match has_plurals {
            true => (
                "dict",
                format!("<plist><dict>\n{texts}</dict></plist>{end}\n"),
            ),
            false => ("", format!("{texts}{end}")),
        }
    }
}

impl Files {
    fn start() -> Self {
        let content = |texts: &[(u8, u8)]| Content {
            texts: texts.iter().copied().collect(),
            broken: false,
        };
        let files = [
            ((false, 0), content(&[(0, 1), (1, 2)])),
            ((false, 1), content(&[(0, 3)])),
        ];
        Self {
            is_moved: false,
            files: files.into(),
        }
    }

    fn apply(&mut self, change: &Change) {
        let files = &mut self.files;
        match *change {
            Change::Set { file, key, text } => {
                let content = files.entry((false, file)).or_default();
                content.texts.insert(key, text);
            }
            Change::Drop { file, key } => {
                if let Some(content) = files.get_mut(&(false, file)) {
                    content.texts.remove(&key);
                }
            }
            Change::Delete { file } => drop(files.remove(&(false, file))),
            Change::Copy { from, to } => {
                let content = files.get(&(false, from)).cloned();
                files.extend(content.map(|content| ((false, to), content)));
            }
            Change::Rename { from, to } => {
                let content = files.remove(&(false, from));
                files.extend(content.map(|content| ((false, to), content)));
            }
            Change::Second { file } => {
                let content = files.get(&(false, file)).cloned().unwrap_or_default();
                files.insert((true, file), content);
            }
            Change::MoveFolder => self.is_moved ^= true,
            Change::Break { file } => {
                if let Some(content) = files.get_mut(&(false, file)) {
                    content.broken = true;
                }
            }
            Change::Repair => files
                .values_mut()
                .for_each(|content| content.broken = false),
            Change::Clear => files.clear(),
            Change::MoveString { .. } => {}
        }
    }

    /// Gives a string to the files of a different component.
    fn move_string(&mut self, to: &mut Self, key: u8, new: u8) {
        for (file, content) in &mut self.files {
            let other = to.files.get_mut(file);
            if let (Some(other), Some(text)) = (other, content.texts.get(&key)) {
                other.texts.insert(new, *text);
            }
            content.texts.remove(&key);
        }
    }

    /// The files by path.
    fn written(&self, component: usize) -> Vec<(String, String)> {
        let (slug, _, _, format) = COMPONENTS[component];
        let folder = match (slug, self.is_moved) {
            ("web", false) => "_locales".to_owned(),
            ("web", true) => "src/_locales".to_owned(),
            ("catalog", false) => "cat".to_owned(),
            ("catalog", true) => "old/cat".to_owned(),
            (_, false) => slug.to_owned(),
            (_, true) => format!("old/{slug}"),
        };
        let all_languages = match format {
            FileFormat::StringCatalog => Some(self.catalog()),
            FileFormat::CsvColumns => Some(self.table()),
            FileFormat::YamlLanguages => Some(self.yaml()),
            _ => None,
        };
        if let Some(content) = all_languages {
            let path = format!("{folder}/L{}", format.extension());
            let has_file = !self.files.is_empty();
            return has_file.then_some((path, content)).into_iter().collect();
        }
        let files = self.files.iter();
        let files = files.flat_map(|(&(second, file), content)| {
            let code = CODES[usize::from(file)];
            let part = if second { "b" } else { "a" };
            let path = match slug {
                "store" | "docs" => {
                    // A file that is not selected, and a directory.
                    let part = if second { "b/" } else { "" };
                    return content.documents(format, &format!("{folder}/{code}/{part}"));
                }
                "app" => format!("{folder}/{code}.json"),
                "parts" => format!("{folder}/{part}/l/{code}.json"),
                "apple" => {
                    let (end, content) = content.of_apple(second);
                    return vec![(format!("{folder}/{code}.lproj/L.strings{end}"), content)];
                }
                _ => format!("{folder}/{code}/messages.json"),
            };
            vec![(path, content.written(format))]
        });
        files.collect()
    }

    /// The texts of all languages by key. Their order differs with the number of files.
    fn texts_by_key(&self) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
        let mut strings: BTreeMap<u8, Vec<_>> = BTreeMap::new();
        for (&(_, file), content) in self.files.iter().filter(|((second, _), _)| !second) {
            for (key, text) in &content.texts {
                let (code, text) = (CODES[usize::from(file)], TEXTS[usize::from(*text)]);
                strings.entry(*key).or_default().push((code, text));
            }
        }
        let strings = strings.into_iter();
        let mut strings: Vec<_> = strings
            .map(|(key, texts)| (KEYS[usize::from(key)], texts))
            .collect();
        if self.files.len() % 2 == 1 {
            strings.reverse();
        }
        strings
    }

    /// What makes a file with all languages broken, which it is if one of its files is.
    fn end(&self) -> &'static str {
        let is_broken = self.files.values().any(|content| content.broken);
        if is_broken { "<<<<" } else { "" }
    }

    fn catalog(&self) -> String {
        let strings = self.texts_by_key().into_iter().map(|(key, texts)| {
            let values = texts.into_iter().map(|(code, text)| {
                // Some texts are to be reviewed.
                let state = if text == "three" {
                    "needs_review"
                } else {
                    "translated"
                };
                format!(r#""{code}": {{"stringUnit": {{"state": "{state}", "value": "{text}"}}}}"#)
            });
            let values: Vec<String> = values.collect();
            let values = values.join(", ");
            format!("\"{key}\": {{\"localizations\": {{{values}}}}}")
        });
        let strings: Vec<String> = strings.collect();
        let (strings, end) = (strings.join(",\n"), self.end());
        format!("{{\"sourceLanguage\": \"en\", \"strings\": {{{strings}}}}}{end}\n")
    }

    fn table(&self) -> String {
        let own = self.files.keys().filter(|(second, _)| !second);
        let mut codes: Vec<&str> = own.map(|&(_, file)| CODES[usize::from(file)]).collect();
        if self.files.len() % 2 == 1 {
            codes.reverse();
        }
        let mut rows = vec![format!("key,{}", codes.join(","))];
        rows.extend(self.texts_by_key().into_iter().map(|(key, texts)| {
            let texts: BTreeMap<_, _> = texts.into_iter().collect();
            let cells = codes.iter().map(|code| texts.get(code).copied());
            let cells: Vec<&str> = cells.map(Option::unwrap_or_default).collect();
            format!("{key},{}", cells.join(","))
        }));
        format!("{}\n{}", rows.join("\n"), self.end())
    }

    fn yaml(&self) -> String {
        let strings = self.texts_by_key().into_iter().map(|(key, texts)| {
            let texts = texts
                .into_iter()
                .map(|(code, text)| format!("  {code}: \"{text}\"\n"));
            format!("{key}:\n{}", texts.collect::<String>())
        });
        format!("_version: 2\n{}{}", strings.collect::<String>(), self.end())
    }
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
