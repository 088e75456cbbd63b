//! Strings to which a change gives new keys, and the files that still use the old ones (docs/spec/renames.md#checks).

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::align::TemplateStrings;
use super::context::EarlierStrings;
use super::file::ParsedFile;
use super::side::{ComponentSide, LanguageFile};
use gitglot_history::string_renames::{
    RenameCandidate, RenameInput, RenameSide, find_string_renames,
};
use gitglot_model::counted;

/// A string to which a change gives a new key. Field order is the order in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RenamedKey {
    /// The old key.
    pub old_key: String,
    /// The new key.
    pub new_key: String,
    /// Why both are one string.
    pub evidence: &'static str,
    /// Number of languages that have the text of the old key under the new one.
    pub languages: u32,
    /// The translations that still have the old key and have no text under the new one.
    pub remaining: Vec<OldKeyUse>,
}

/// A translation under an old key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OldKeyUse {
    /// The file.
    pub file: Arc<str>,
    /// The 1-based line of the old key.
    pub line: u32,
    /// The language code.
    pub language: Arc<str>,
}

/// The renames of a component with a template.
#[derive(Debug, Default)]
pub(super) struct Renames {
    pub(super) list: Vec<RenamedKey>,
    by_old: FxHashMap<String, usize>,
    /// The new keys without a text in files that have the old ones, by file.
    remaining: FxHashMap<Arc<str>, FxHashSet<String>>,
}

/// The texts of a file under some keys.
type Texts = Vec<Option<u32>>;

/// Numbers texts: equal texts have equal numbers.
#[derive(Default)]
struct TextNumbers<'a> {
    numbers: FxHashMap<&'a str, u32>,
    texts: Vec<&'a str>,
}

impl<'a> TextNumbers<'a> {
    fn number(&mut self, text: &'a str) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u32 - 1
        })
    }

    /// The translations of keys in a file, given the index of each key.
    fn translations(&mut self, file: &'a ParsedFile, keys: &FxHashMap<&str, usize>) -> Texts {
        let mut texts = vec![None; keys.len()];
        for entry in 0..file.len() {
            if let Some(&at) = keys.get(file.key(entry))
                && file.is_translated(entry)
                && let Some(slot) = texts.get_mut(at)
            {
                *slot = Some(self.number(file.text(entry)));
            }
        }
        texts
    }

    /// The strings of some rows; `other` are the changed keys of the other state.
    fn candidates(
        &mut self,
        strings: &TemplateStrings<'a>,
        rows: &[usize],
        other: &FxHashMap<&str, usize>,
    ) -> Vec<RenameCandidate<'a>> {
        let candidate = |&row: &usize| RenameCandidate {
            name: strings.key(row),
            source: self.number(strings.source(row)),
            twin: other.get(strings.key(row)).copied(),
        };
        rows.iter().map(candidate).collect()
    }
}

/// The rows of two templates whose strings differ: removed ones and those with a new source text, and added ones and
/// those with a new source text.
fn changed_rows(before: &TemplateStrings<'_>, after: &TemplateStrings<'_>) -> [Vec<usize>; 2] {
    let differing = |own: &TemplateStrings<'_>, other: &TemplateStrings<'_>| {
        let is_same = |row: usize| {
            let found = other.row(own.key(row));
            found.is_some_and(|it| other.source(it) == own.source(row))
        };
        (0..own.len()).filter(|&row| !is_same(row)).collect()
    };
    [differing(before, after), differing(after, before)]
}

/// The index of each key in a list of rows.
fn indexes<'k>(strings: &TemplateStrings<'k>, rows: &[usize]) -> FxHashMap<&'k str, usize> {
    rows.iter().map(|&row| strings.key(row)).zip(0..).collect()
}

impl Renames {
    /// Finds the renames between two states of a component with a template.
    pub(super) fn find(
        base: &EarlierStrings<'_>,
        head: &ComponentSide,
        rows: &TemplateStrings<'_>,
    ) -> Self {
        let [removed, added] = changed_rows(&base.rows, rows);
        if removed.is_empty() || added.is_empty() {
            return Self::default();
        }
        let (old_keys, new_keys) = (indexes(&base.rows, &removed), indexes(rows, &added));
        let mut numbers = TextNumbers::default();
        let files: Vec<(&LanguageFile, [Texts; 2])> = head
            .languages
            .iter()
            .filter(|file| file.content.error.is_none())
            .map(|file| {
                let before = base.side.counterpart(file, head);
                let before = before.filter(|file| file.content.error.is_none());
                let old = before.map(|file| numbers.translations(&file.content, &old_keys));
                let new = numbers.translations(&file.content, &new_keys);
                (file, [old.unwrap_or_default(), new])
            })
            .collect();
        let old = numbers.candidates(&base.rows, &removed, &new_keys);
        let new = numbers.candidates(rows, &added, &old_keys);
        let found = find_string_renames(&RenameInput {
            removed: &old,
            added: &new,
            languages: files.len(),
            translation: &|side, at, language| {
                let (_, texts) = files.get(language)?;
                *texts[usize::from(side == RenameSide::After)].get(at)?
            },
            text: &|number| {
                numbers
                    .texts
                    .get(number as usize)
                    .copied()
                    .unwrap_or_default()
            },
            is_bilingual: false,
        });
        let mut renames = Self::default();
        let mut added_keys = Vec::new();
        for rename in found {
            let (old, new) = (old[rename.removed].name, new[rename.added].name);
            renames.by_old.insert(old.to_owned(), renames.list.len());
            added_keys.push((rename.added, new));
            renames.list.push(RenamedKey {
                old_key: old.to_owned(),
                new_key: new.to_owned(),
                evidence: rename.evidence.name(),
                languages: rename.languages,
                remaining: Vec::new(),
            });
        }
        for (file, [_, texts]) in &files {
            renames.add_remaining(file, texts, &added_keys, rows);
        }
        renames
    }

    /// Adds the texts of a file whose keys have a new name. `texts` are those of the added keys.
    fn add_remaining(
        &mut self,
        file: &LanguageFile,
        texts: &Texts,
        added_keys: &[(usize, &str)],
        rows: &TemplateStrings<'_>,
    ) {
        let content = &file.content;
        for entry in (0..content.len()).filter(|&entry| content.is_translated(entry)) {
            let key = content.key(entry);
            // A key that got a different string is no old key.
            let is_gone = rows.row(key).is_none();
            let Some(&at) = self.by_old.get(key).filter(|_| is_gone) else {
                continue;
            };
            let Some(&(added, new_key)) = added_keys.get(at) else {
                continue;
            };
            if texts.get(added).is_some_and(Option::is_some) {
                continue;
            }
            let of_file = self.remaining.entry(file.path.clone()).or_default();
            if of_file.insert(new_key.to_owned())
                && let Some(rename) = self.list.get_mut(at)
            {
                rename.remaining.push(OldKeyUse {
                    file: file.path.clone(),
                    line: content.position(entry).line,
                    language: file.language.code.clone(),
                });
            }
        }
    }

    /// The rename of an old key.
    pub(super) fn of(&self, old_key: &str) -> Option<&RenamedKey> {
        self.list.get(*self.by_old.get(old_key)?)
    }

    /// Whether a file has the text of a new key under the old one only.
    pub(super) fn is_remaining(&self, path: &str, new_key: &str) -> bool {
        let keys = self.remaining.get(path);
        keys.is_some_and(|keys| keys.contains(new_key))
    }
}

impl RenamedKey {
    /// What a change did, and what is left to do.
    pub(super) fn message(&self) -> String {
        /// Files that a message names.
        const MAX_NAMED: usize = 5;
        let (old, new) = (&self.old_key, &self.new_key);
        let languages = counted(self.remaining.len(), "language");
        let verb = if self.remaining.len() == 1 {
            "uses"
        } else {
            "use"
        };
        let places = self.remaining.iter().take(MAX_NAMED);
        let places: Vec<String> = places
            .map(|it| format!("{}:{}", it.file, it.line))
            .collect();
        let more = match self.remaining.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let places = places.join(", ");
        format!(
            "'{old}' was renamed to '{new}'; {languages} still {verb} the old key ({places}{more}): rename it there, too."
        )
    }
}
