//! Strings to which a change gives new keys, and the files that still use the old ones (docs/spec/renames.md#checks).

use std::sync::Arc;

use serde::Serialize;

use super::align::ROW;
use super::align::TemplateStrings;
use super::component_files::ComponentFiles;
use super::earlier::EarlierStrings;
use super::file::ParsedFile;
use super::finding::report_key;
use super::language_file::LanguageFile;
use super::listed::listed;
use gitglot_checks::Proceed;
use gitglot_history::{ChangedTexts, RenameSide};
use gitglot_model::{Component, SeededMap, SeededSet, counted, shown_path};

/// The most texts of two states that are compared, each stored in 8 bytes (docs/spec/renames.md#limits).
const MAX_TEXTS: usize = 16 << 20;

/// Whether the texts of changed strings are few enough to be compared.
pub(super) fn can_compare(strings: usize, languages: usize) -> bool {
    strings.saturating_mul(languages) <= MAX_TEXTS
}

/// A string to which a change gives a new key. Field order is the order in JSON.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct RenamedKey {
    /// The old key; of a bilingual file, the context and the source text.
    pub old_key: String,
    /// The new key.
    pub new_key: String,
    /// The old and the new key as files have them.
    #[serde(skip)]
    pub(super) in_files: [String; 2],
    /// Whether the key has the source text, so that a new source text is a new key.
    #[serde(skip)]
    pub(super) is_bilingual: bool,
    /// Why both are one string.
    pub evidence: &'static str,
    /// Number of languages that have the text of the old key under the new one.
    pub languages: u32,
    /// The translations that still have the old key and have no text under the new one.
    pub remaining: Vec<OldKeyUse>,
    /// The component that had the string before, if it is a different one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_component: Option<Arc<str>>,
    /// The component that has the string now, if it is a different one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_component: Option<Arc<str>>,
    /// Of a string that moves between components: whether the source text is the same, and the languages whose text is.
    #[serde(skip)]
    pub(super) has_equal_source: bool,
    #[serde(skip)]
    pub(super) moved_languages: SeededSet<Arc<str>>,
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

impl OldKeyUse {
    /// The use of an entry of a file.
    pub(super) fn at(file: &LanguageFile, entry: usize) -> Self {
        let at = file.content.position(entry);
        Self {
            file: at.path(&shown_path(&file.path)),
            line: at.line,
            language: file.language.code.clone(),
        }
    }
}

/// The renames of a component.
#[derive(Debug, Default)]
pub(super) struct Renames {
    pub(super) list: Vec<RenamedKey>,
    /// The rows of the old and the new key of each.
    pub(super) rows: Vec<(usize, usize)>,
    by_old: SeededMap<String, usize>,
    /// The new keys without a text in files that have the old ones, by file.
    remaining: SeededMap<Arc<str>, SeededSet<String>>,
}

/// Adds the strings of some rows of a component; `twins` are the changed keys of the other state. Returns the index of
/// each key.
pub(super) fn add_strings<'a>(
    texts: &mut ChangedTexts<'a>,
    side: RenameSide,
    component: usize,
    strings: &TemplateStrings<'a>,
    rows: &[usize],
    twins: &SeededMap<&str, usize>,
) -> SeededMap<&'a str, usize> {
    let shape = strings.file.shape();
    let add = |&row: &usize| {
        let (key, twin) = (strings.key(row), twins.get(strings.key(row)).copied());
        let source = strings.source(row);
        (
            key,
            texts.add(side, component, shape.context(key), source, twin),
        )
    };
    rows.iter().map(add).collect()
}

/// Adds the translations of keys in a file, given the index of each key. A fuzzy text is evidence, too.
pub(super) fn add_texts<'a>(
    texts: &mut ChangedTexts<'a>,
    side: RenameSide,
    language: usize,
    file: &'a ParsedFile,
    keys: &SeededMap<&str, usize>,
) {
    for entry in 0..file.len() {
        if let Some(&at) = keys.get(file.key(entry))
            && (file.is_translated(entry) || file.is_fuzzy(entry))
        {
            texts.set_text(side, at, language, file.text(entry));
        }
    }
}

/// The rows of two states whose strings differ: removed ones and those with a new source text, and added ones and those
/// with a new source text. Of bilingual files, those count that every file should have.
fn changed_rows(
    before: (&TemplateStrings<'_>, &ComponentFiles),
    after: (&TemplateStrings<'_>, &ComponentFiles),
) -> [Vec<usize>; 2] {
    type State<'a> = (&'a TemplateStrings<'a>, &'a ComponentFiles);
    let differing = |state: State<'_>, other: State<'_>| {
        let is_same = |row: usize| {
            let found = other.0.row(state.0.key(row));
            let found = found.filter(|&row| other.1.is_expected(row));
            found.is_some_and(|of_other| other.0.source(of_other) == state.0.source(row))
        };
        (0..state.0.len())
            .filter(|&row| state.1.is_expected(row) && !is_same(row))
            .collect()
    };
    [differing(before, after), differing(after, before)]
}

impl Renames {
    /// Finds the renames between two states of a component; none if the work may not go on.
    pub(super) fn find(
        component: &Component,
        base: &EarlierStrings<'_>,
        head: &ComponentFiles,
        rows: &TemplateStrings<'_>,
        proceed: Proceed<'_>,
    ) -> Self {
        let [removed, added] = changed_rows((&base.rows, base.side), (rows, head));
        if removed.is_empty() || added.is_empty() || !component.renames {
            return Self::default();
        }
        let files = head.languages.iter();
        let files = files.filter(|file| file.content.error.is_none());
        let (strings, languages) = (removed.len() + added.len(), files.clone().count());
        if !can_compare(strings, languages) || !proceed(strings * languages) {
            return Self::default();
        }
        let mut texts = ChangedTexts::new(files.clone().map(|file| &*file.path));
        let new_keys = added.iter().map(|&row| rows.key(row)).zip(0..).collect();
        let mut add = |side, strings, changed: &[usize], twins| {
            add_strings(&mut texts, side, 0, strings, changed, twins)
        };
        let old_keys = add(RenameSide::Before, &base.rows, &removed, &new_keys);
        let new_keys = add(RenameSide::After, rows, &added, &old_keys);
        let languages = files.filter_map(|file| Some((file, texts.language(&file.path)?)));
        let languages: Vec<(&LanguageFile, usize)> = languages.collect();
        for &(file, language) in &languages {
            let content = &file.content;
            if !proceed(content.len() * ROW) {
                return Self::default();
            }
            let before = base.side.counterpart(file, head);
            if let Some(before) = before.filter(|file| file.content.error.is_none()) {
                add_texts(
                    &mut texts,
                    RenameSide::Before,
                    language,
                    &before.content,
                    &old_keys,
                );
            }
            add_texts(&mut texts, RenameSide::After, language, content, &new_keys);
            for entry in 0..content.len() {
                if let Some(source) = content.previous_source(entry)
                    && let Some(&at) = new_keys.get(content.key(entry))
                {
                    texts.set_previous_source(at, language, source);
                }
            }
        }
        if !proceed(0) {
            return Self::default();
        }
        let mut renames = Self::default();
        let mut added_keys = Vec::new();
        let format = rows.file.format();
        for rename in texts.renames(head.strings.is_some()) {
            let (old_row, new_row) = (removed[rename.removed], added[rename.added]);
            let (old, new) = (base.rows.key(old_row), rows.key(new_row));
            renames.by_old.insert(old.to_owned(), renames.list.len());
            renames.rows.push((old_row, new_row));
            added_keys.push((rename.added, new));
            let [old_key, new_key] = [old, new].map(|key| report_key(format, key));
            renames.list.push(RenamedKey {
                old_key,
                new_key,
                in_files: [old, new].map(str::to_owned),
                is_bilingual: head.strings.is_some(),
                evidence: rename.evidence.name(),
                languages: rename.languages,
                ..RenamedKey::default()
            });
        }
        // The finding is one of the template.
        if head.template.is_some() {
            let is_gone = |key: &str| {
                let row = rows.row(key);
                row.is_none_or(|row| !head.is_expected(row))
            };
            for (file, language) in languages {
                let has_text = |added| texts.has_text(added, language);
                renames.add_remaining(file, &has_text, &added_keys, &is_gone);
            }
        }
        renames
    }

    /// Adds the texts of a file whose keys have a new name. A key that got a different string is not gone, and
    /// so no old key.
    fn add_remaining(
        &mut self,
        file: &LanguageFile,
        has_text: &dyn Fn(usize) -> bool,
        added_keys: &[(usize, &str)],
        is_gone: &dyn Fn(&str) -> bool,
    ) {
        let content = &file.content;
        for entry in (0..content.len()).filter(|&entry| content.is_translated(entry)) {
            let key = content.key(entry);
            let at = self.by_old.get(key).filter(|_| is_gone(key));
            let Some((&at, &(added, new_key))) = at.and_then(|at| Some((at, added_keys.get(*at)?)))
            else {
                continue;
            };
            if has_text(added) {
                continue;
            }
            let of_file = self.remaining.entry(file.path.clone()).or_default();
            if of_file.insert(new_key.to_owned())
                && let Some(rename) = self.list.get_mut(at)
            {
                rename.remaining.push(OldKeyUse::at(file, entry));
            }
        }
    }

    /// The rename of an old key.
    pub(super) fn of(&self, old_key: &str) -> Option<&RenamedKey> {
        self.list.get(*self.by_old.get(old_key)?)
    }

    /// Whether a base string got a new key.
    pub(super) fn has_old(&self, old_key: &str) -> bool {
        self.by_old.contains_key(old_key)
    }

    /// Whether a file has the text of a new key under the old one only.
    pub(super) fn is_remaining(&self, path: &str, new_key: &str) -> bool {
        let keys = self.remaining.get(path);
        keys.is_some_and(|keys| keys.contains(new_key))
    }
}

impl RenamedKey {
    /// The old key as files have it.
    pub(super) fn old_in_files(&self) -> &str {
        &self.in_files[0]
    }

    /// The new key as files have it.
    pub(super) fn new_in_files(&self) -> &str {
        &self.in_files[1]
    }

    /// What a change did, and what is left to do.
    pub(super) fn message(&self) -> String {
        /// Files that a message names.
        const MAX_NAMED: usize = 5;
        let (old, new) = (&self.old_key, &self.new_key);
        let count = self.remaining.len();
        let languages = counted(count, "language");
        let verb = if count == 1 { "uses" } else { "use" };
        let places = self.remaining.iter();
        let places = places.map(|place| format!("{}:{}", place.file, place.line));
        let places = listed(places, MAX_NAMED);
        if let Some(component) = &self.old_component {
            let new = (old != new).then(|| format!(" as '{new}'"));
            let new = new.unwrap_or_default();
            return format!(
                "'{old}' moved from {component} here{new}; {languages} still {verb} the old place ({places}): move it \
                 there, too."
            );
        }
        if self.is_bilingual {
            format!(
                "'{old}' was changed to '{new}'; {languages} still {verb} the old text ({places}): merge them with \
                 the template."
            )
        } else {
            format!(
                "'{old}' was renamed to '{new}'; {languages} still {verb} the old key ({places}): rename it there, too."
            )
        }
    }
}
