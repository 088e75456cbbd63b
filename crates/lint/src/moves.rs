//! Strings that a change moves from one component of a project to another (docs/spec/renames.md#checks).

use std::sync::Arc;

use super::align::TemplateStrings;
use super::component_files::ComponentFiles;
use super::earlier::{EarlierEntry, EarlierString, EarlierStrings};
use super::finding::report_key;
use super::language_file::LanguageFile;
use super::renames::{OldKeyUse, RenamedKey, Renames, candidates, indexes, translations};
use gitglot_checks::Proceed;
use gitglot_history::string_renames::{CandidateTexts, TextNumbers};
use gitglot_model::{Component, SeededMap, SeededSet};

/// A component in the two states that are compared.
#[derive(Clone, Copy, Debug)]
pub struct ComponentChange<'a> {
    /// `project/component`.
    pub name: &'a Arc<str>,
    /// The component in the newer state.
    pub component: &'a Component,
    /// The older state.
    pub base: &'a ComponentFiles,
    /// The newer state.
    pub head: &'a ComponentFiles,
}

/// The strings that a change moves to a component, and from it.
#[derive(Default, Debug)]
pub struct ComponentMoves<'a> {
    arrived: Vec<ArrivedString<'a>>,
    /// Indexes in `arrived` by the new key.
    by_new: SeededMap<String, usize>,
    left: Vec<RenamedKey>,
    /// The old keys of `left`.
    old_keys: SeededSet<String>,
    /// Of the files that lack the text of an arrived string or still have that of one that left: those keys.
    remaining: SeededMap<Arc<str>, SeededSet<String>>,
}

/// A string that came from a different component.
#[derive(Debug)]
struct ArrivedString<'a> {
    rename: RenamedKey,
    source: &'a str,
    /// Its entry in each language there.
    entries: SeededMap<Arc<str>, EarlierEntry<'a>>,
}

impl<'a> ComponentMoves<'a> {
    /// The renames of strings that came from other components.
    pub(super) fn arrived(&self) -> impl ExactSizeIterator<Item = &RenamedKey> {
        self.arrived.iter().map(|arrived| &arrived.rename)
    }

    /// The renames of strings that moved to other components.
    pub(super) fn left(&self) -> &[RenamedKey] {
        &self.left
    }

    /// Whether a string of the older state moved to a different component.
    pub(super) fn has_left(&self, old_key: &str) -> bool {
        self.old_keys.contains(old_key)
    }

    /// Whether a string came from a different component.
    pub(super) fn has_arrived(&self, new_key: &str) -> bool {
        self.by_new.contains_key(new_key)
    }

    /// Whether a file lacks the text of an arrived string, or still has that of one that left.
    pub(super) fn is_remaining(&self, path: &str, key: &str) -> bool {
        let keys = self.remaining.get(path);
        keys.is_some_and(|keys| keys.contains(key))
    }

    /// The string that an arrived one was in a language.
    pub(super) fn string(&self, new_key: &str, language: &str) -> Option<EarlierString<'a>> {
        let arrived = self.arrived.get(*self.by_new.get(new_key)?)?;
        Some(EarlierString {
            source: arrived.source,
            entry: arrived.entries.get(language).copied(),
        })
    }
}

/// The strings that a change adds to a component and removes from it, without those that it renames there.
struct ChangedRows<'a> {
    before: Option<TemplateStrings<'a>>,
    after: Option<TemplateStrings<'a>>,
    removed: Vec<usize>,
    added: Vec<usize>,
}

impl<'a> ChangedRows<'a> {
    fn between(base: &'a ComponentFiles, head: &'a ComponentFiles) -> Self {
        let strings = |side: &'a ComponentFiles| {
            let file = side.readable_template()?;
            Some(TemplateStrings::new(&file.content))
        };
        let (before, after) = (strings(base), strings(head));
        // A template that does not parse says nothing about its strings.
        let is_known =
            |side: &ComponentFiles, rows: &Option<_>| rows.is_some() || side.template.is_none();
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        if is_known(base, &before) && is_known(head, &after) {
            let [old, new] = [(base, before.as_ref()), (head, after.as_ref())];
            (removed, added) = (only_in(old, new), only_in(new, old));
        }
        Self {
            before,
            after,
            removed,
            added,
        }
    }

    /// The rules of a component decide first about its own strings.
    fn without_renames(mut self, change: &ComponentChange<'a>, proceed: Proceed<'_>) -> Self {
        if !change.component.renames {
            self.removed.clear();
            self.added.clear();
        }
        if !self.removed.is_empty()
            && !self.added.is_empty()
            && let Some(after) = &self.after
            && let Some(earlier) = EarlierStrings::new(change.base, after)
        {
            let renames = Renames::find(change.component, &earlier, change.head, after, proceed);
            let (old, new): (SeededSet<_>, SeededSet<_>) = renames.rows.into_iter().unzip();
            self.removed.retain(|row| !old.contains(row));
            self.added.retain(|row| !new.contains(row));
        }
        self
    }
}

/// A state and its strings, if they are readable.
type Strings<'a> = (&'a ComponentFiles, Option<&'a TemplateStrings<'a>>);

/// The rows of the strings of a state that a different state of the component does not have.
fn only_in(state: Strings<'_>, other: Strings<'_>) -> Vec<usize> {
    let (side, Some(rows)) = state else {
        return Vec::new();
    };
    let is_in_other = |key: &str| {
        let row = other.1.and_then(|other| other.row(key));
        row.is_some_and(|row| other.0.is_expected(row))
    };
    (0..rows.len())
        .filter(|&row| side.is_expected(row) && !is_in_other(rows.key(row)))
        .collect()
}

/// Whether a change adds strings to a component or removes some, so that they can come from others or go there.
pub fn changes_strings(base: &ComponentFiles, head: &ComponentFiles) -> bool {
    let changed = ChangedRows::between(base, head);
    !changed.removed.is_empty() || !changed.added.is_empty()
}

/// The strings that a change moves between components of a project, for each of them; none if the work may not go on.
pub fn find_moves<'a>(
    changes: &[ComponentChange<'a>],
    proceed: Proceed<'_>,
) -> Vec<ComponentMoves<'a>> {
    let moves = changes.iter().map(|_| ComponentMoves::default());
    let mut moves: Vec<ComponentMoves<'a>> = moves.collect();
    let of_change = |change: &ComponentChange<'a>| {
        ChangedRows::between(change.base, change.head).without_renames(change, proceed)
    };
    let rows: Vec<ChangedRows<'a>> = changes.iter().map(of_change).collect();
    if !proceed(0) {
        return moves;
    }
    let mut found = pairs(changes, &rows);
    found.sort_by_key(|moved| moved.from);
    let renames = found.iter().map(|moved| moved.renamed_key(changes));
    let mut renames: Vec<RenamedKey> = renames.collect();
    let mut entries: Vec<SeededMap<Arc<str>, EarlierEntry<'a>>> = Vec::new();
    entries.resize_with(found.len(), SeededMap::default);
    for (from, change) in changes.iter().enumerate() {
        let of_component = found.iter().enumerate().filter(|(_, it)| it.from == from);
        let by_old = of_component.map(|(at, it)| (it.old_key, at));
        let by_old: SeededMap<&str, usize> = by_old.collect();
        if by_old.is_empty() {
            continue;
        }
        each_entry(change.base, &by_old, &mut |language_file, index, at| {
            let language = language_file.language.code.clone();
            let file = &language_file.content;
            // The first entry of a duplicate key counts.
            if !(file.is_bilingual() && entries[at].contains_key(&language)) {
                entries[at].insert(language, EarlierEntry { file, index });
            }
        });
        each_entry(change.head, &by_old, &mut |file, entry, at| {
            let remaining = found[at].remaining(file, entry, changes, &mut moves);
            renames[at].remaining.extend(remaining);
        });
    }
    for ((pair, rename), entries) in found.iter().zip(renames).zip(entries) {
        let [old_component, new_component] =
            [pair.from, pair.to].map(|at| Some(changes[at].name.clone()));
        let from = &mut moves[pair.from];
        from.old_keys.insert(pair.old_key.to_owned());
        from.left.push(RenamedKey {
            new_component,
            ..rename.clone()
        });
        let to = &mut moves[pair.to];
        to.by_new.insert(pair.new_key.to_owned(), to.arrived.len());
        to.arrived.push(ArrivedString {
            rename: RenamedKey {
                old_component,
                ..rename
            },
            source: pair.source,
            entries,
        });
    }
    moves
}

struct MovedString<'a> {
    from: usize,
    to: usize,
    old_key: &'a str,
    new_key: &'a str,
    source: &'a str,
    evidence: &'static str,
    /// The languages with equal texts.
    equal: Vec<&'a str>,
    has_equal_source: bool,
    /// The languages that have a text in the new component.
    languages: SeededSet<&'a str>,
}

impl MovedString<'_> {
    /// An entry of the old component that still has the text, if the new one lacks it. Notes the files that should change.
    fn remaining(
        &self,
        file: &LanguageFile,
        entry: usize,
        changes: &[ComponentChange<'_>],
        moves: &mut [ComponentMoves<'_>],
    ) -> Option<OldKeyUse> {
        let language = &file.language.code;
        if !file.content.is_translated(entry) || self.languages.contains(&**language) {
            return None;
        }
        let mut add = |component: usize, path: &Arc<str>, key: &str| {
            let of_file = moves[component].remaining.entry(path.clone()).or_default();
            of_file.insert(key.to_owned())
        };
        if !add(self.from, &file.path, self.old_key) {
            return None;
        }
        let mut files = first_files(changes[self.to].head);
        if let Some(new) = files.find(|new| new.language.code == *language) {
            add(self.to, &new.path, self.new_key);
        }
        Some(OldKeyUse::at(file, entry))
    }

    fn renamed_key(&self, changes: &[ComponentChange<'_>]) -> RenamedKey {
        let format = |at: usize| changes[at].component.file_format;
        let shown = [(self.from, self.old_key), (self.to, self.new_key)];
        let [old, new] = shown.map(|(at, key)| report_key(format(at), key));
        let in_files = [self.old_key, self.new_key].map(str::to_owned);
        let (head, languages) = (changes[self.to].head, self.equal.len() as u32);
        RenamedKey {
            has_equal_source: self.has_equal_source,
            moved_languages: self.equal.iter().map(|&code| code.into()).collect(),
            ..RenamedKey::new([old, new], in_files, head, self.evidence, languages)
        }
    }
}

/// The strings that move between components, in the order of the components and files that have them now.
fn pairs<'a>(changes: &[ComponentChange<'a>], rows: &[ChangedRows<'a>]) -> Vec<MovedString<'a>> {
    let list = |select: for<'r> fn(&'r ChangedRows<'a>) -> &'r Vec<usize>| -> Vec<(usize, usize)> {
        let of_component = |(at, it)| select(it).iter().map(move |&row| (at, row));
        rows.iter().enumerate().flat_map(of_component).collect()
    };
    let (removed, added) = (list(|change| &change.removed), list(|change| &change.added));
    if changes.len() < 2 || removed.is_empty() || added.is_empty() {
        return Vec::new();
    }
    let sides = changes.iter().flat_map(|change| [change.base, change.head]);
    let mut languages: Vec<&'a str> = sides
        .flat_map(|side| side.languages.iter().map(|file| &*file.language.code))
        .collect();
    languages.sort_unstable();
    languages.dedup();
    let mut numbers = TextNumbers::default();
    let mut before = CandidateTexts::default();
    let mut after = CandidateTexts::default();
    for (change, rows) in changes.iter().zip(rows) {
        let states = [
            (change.base, &rows.before, &rows.removed, &mut before),
            (change.head, &rows.after, &rows.added, &mut after),
        ];
        for (side, strings, rows, texts) in states {
            if let Some(strings) = strings.as_ref().filter(|_| !rows.is_empty()) {
                add_texts(side, strings, rows, &languages, &mut numbers, texts);
            }
        }
    }
    let is_bilingual = changes.iter().all(|change| change.head.strings.is_some());
    let found = CandidateTexts::renames(&before, &after, &numbers, is_bilingual);
    let moved = found.into_iter().filter_map(|rename| {
        let ((from, old), (to, new)) = (removed[rename.removed], added[rename.added]);
        let (old_rows, new_rows) = (rows[from].before.as_ref()?, rows[to].after.as_ref()?);
        let old_texts = &before.texts[rename.removed];
        let texts = languages.iter().zip(&after.texts[rename.added]);
        let equal = texts.clone().zip(old_texts);
        let equal = equal.filter(|((_, text), old)| text.is_some() && text == old);
        (from != to).then(|| MovedString {
            from,
            to,
            old_key: old_rows.key(old),
            new_key: new_rows.key(new),
            source: old_rows.source(old),
            evidence: rename.evidence.name(),
            equal: equal.map(|((&code, _), _)| code).collect(),
            has_equal_source: old_rows.source(old) == new_rows.source(new),
            languages: texts
                .filter_map(|(code, text)| text.map(|_| *code))
                .collect(),
        })
    });
    moved.collect()
}

/// Adds the strings of some rows of a component.
fn add_texts<'a>(
    side: &'a ComponentFiles,
    strings: &TemplateStrings<'a>,
    rows: &[usize],
    languages: &[&str],
    numbers: &mut TextNumbers<'a>,
    texts: &mut CandidateTexts<'a>,
) {
    let found = candidates(numbers, strings, rows, &SeededMap::default());
    texts.candidates.extend(found);
    let first = texts.texts.len();
    let none = vec![None; languages.len()];
    texts.texts.resize(first + rows.len(), none);
    let keys = indexes(strings, rows);
    for file in first_files(side) {
        if let Ok(language) = languages.binary_search(&&*file.language.code) {
            let of_file = translations(numbers, &file.content, &keys);
            for (of_string, text) in texts.texts[first..].iter_mut().zip(of_file) {
                of_string[language] = text;
            }
        }
    }
}

/// Calls `found` with each entry of some keys, and the number of the key.
fn each_entry<'a>(
    side: &'a ComponentFiles,
    keys: &SeededMap<&str, usize>,
    found: &mut dyn FnMut(&'a LanguageFile, usize, usize),
) {
    for file in first_files(side) {
        for entry in 0..file.content.len() {
            if let Some(&at) = keys.get(file.content.key(entry)) {
                found(file, entry, at);
            }
        }
    }
}

/// The files of a state that parse, one for each language.
fn first_files(side: &ComponentFiles) -> impl Iterator<Item = &LanguageFile> {
    let mut seen = SeededSet::default();
    let files = side.languages.iter();
    files.filter(move |file| file.content.error.is_none() && seen.insert(&*file.language.code))
}
