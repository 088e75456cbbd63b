//! The files of a commit of a random history, and the changes of them.

use std::collections::{BTreeMap, BTreeSet};

/// Language files, by the code in their name. Two codes resolve to one language; the first is the template's.
const CODES: [&str; 7] = ["en", "cs", "de", "pt", "pt-PT", "pt_PT", "en-US"];
/// Directories of the files; at a tip, only the first one is valid.
const FOLDERS: [&str; 3] = ["locales", "src/locales", "l10n"];
/// What people write for the languages.
pub const LANGUAGES: [&str; 4] = ["cs", "de", "pt_PT", "*"];
pub const KEYS: [&str; 6] = ["k0", "k1", "k2", "k3", "k4", "a.b"];
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
    Review { language: u8, key: u8, value: u8 },
}

/// A file's content.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Content {
    values: BTreeMap<u8, u8>,
    broken: u8,
    spaces: u8,
    twice: bool,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tree {
    pub files: BTreeMap<String, Content>,
    pub mailmap: bool,
    /// The row in the file with acknowledged translations: language, key and source.
    pub reviewed: Option<(u8, u8, u8)>,
}

impl Content {
    pub fn json(&self) -> String {
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
    pub fn start() -> Self {
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
            reviewed: None,
        }
    }

    fn folder(&self) -> &'static str {
        let exists = |folder: &&&str| self.files.keys().any(|path| path.starts_with(**folder));
        FOLDERS.iter().find(exists).copied().unwrap_or(FOLDERS[0])
    }

    pub fn apply(&mut self, edit: &Edit) {
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
            Edit::Review {
                language,
                key,
                value,
            } => self.reviewed = Some((language, key, value)),
        }
    }

    /// The file with acknowledged translations.
    pub fn reviewed_file(&self) -> Option<String> {
        let (language, key, value) = self.reviewed?;
        let source = VALUES[usize::from(value)].trim_matches('"');
        Some(format!(
            "[{}]\n\"{}\" = \"{}\"\n",
            LANGUAGES[usize::from(language)],
            KEYS[usize::from(key)],
            gitglot_history::review_hash(source)
        ))
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
    pub fn merged(base: &Self, ours: &Self, theirs: &Self, take_theirs: bool) -> Self {
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
            reviewed: if take_theirs {
                theirs.reviewed
            } else {
                ours.reviewed
            },
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
