//! Strings that a change moves from one component of a project to another (docs/spec/renames.md#checks).

use std::sync::Arc;

use super::align::TemplateStrings;
use super::component_files::ComponentFiles;
use super::earlier::{EarlierEntry, EarlierString, EarlierStrings};
use super::finding::report_key;
use super::language_file::LanguageFile;
use super::renames::{OldKeyUse, RenamedKey, Renames, add_strings, add_texts, can_compare};
use gitglot_checks::Proceed;
use gitglot_history::{ChangedTexts, RenameSide};
use gitglot_model::{Component, RenameEvidence, SeededMap, SeededSet};

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

/// The strings that a state of a component has and the other one lacks.
struct ChangedRows<'a> {
    side: &'a ComponentFiles,
    strings: Option<TemplateStrings<'a>>,
    rows: Vec<usize>,
}

impl<'a> ChangedRows<'a> {
    /// The strings that a change removes from a component, and those that it adds.
    fn between(base: &'a ComponentFiles, head: &'a ComponentFiles) -> [Self; 2] {
        let [mut removed, mut added] = [base, head].map(|side| {
            let template = side.readable_template();
            Self {
                side,
                strings: template.map(|file| TemplateStrings::new(&file.content)),
                rows: Vec::new(),
            }
        });
        // A template that does not parse says nothing about its strings.
        let is_known = |of: &Self| of.strings.is_some() || of.side.template.is_none();
        if is_known(&removed) && is_known(&added) {
            (removed.rows, added.rows) = (removed.not_in(&added), added.not_in(&removed));
        }
        [removed, added]
    }

    fn not_in(&self, other: &Self) -> Vec<usize> {
        let Some(strings) = &self.strings else {
            return Vec::new();
        };
        let is_in_other = |key: &str| {
            let row = other.strings.as_ref().and_then(|other| other.row(key));
            row.is_some_and(|row| other.side.is_expected(row))
        };
        (0..strings.len())
            .filter(|&row| self.side.is_expected(row) && !is_in_other(strings.key(row)))
            .collect()
    }
}

/// The strings that a change removes from a component and adds to it, without those that it renames there: the rules
/// of a component decide first about its own strings.
fn changed_rows<'a>(change: &ComponentChange<'a>, proceed: Proceed<'_>) -> [ChangedRows<'a>; 2] {
    let [mut removed, mut added] = ChangedRows::between(change.base, change.head);
    if !change.component.renames {
        removed.rows.clear();
        added.rows.clear();
    }
    if !removed.rows.is_empty()
        && !added.rows.is_empty()
        && let Some(strings) = &added.strings
        && let Some(earlier) = EarlierStrings::new(change.base, strings)
    {
        let renames = Renames::find(change.component, &earlier, change.head, strings, proceed);
        let (old, new): (SeededSet<_>, SeededSet<_>) = renames.rows.into_iter().unzip();
        removed.rows.retain(|row| !old.contains(row));
        added.rows.retain(|row| !new.contains(row));
    }
    [removed, added]
}

/// Whether a change adds strings to a component or removes some, so that they can come from others or go there.
pub fn changes_strings(base: &ComponentFiles, head: &ComponentFiles) -> bool {
    let changed = ChangedRows::between(base, head);
    changed.iter().any(|of| !of.rows.is_empty())
}

/// The strings that a change moves between components of a project, for each of them; none if the work may not go on.
pub fn find_moves<'a>(
    changes: &[ComponentChange<'a>],
    proceed: Proceed<'_>,
) -> Vec<ComponentMoves<'a>> {
    let moves = changes.iter().map(|_| ComponentMoves::default());
    let mut moves: Vec<ComponentMoves<'a>> = moves.collect();
    let rows = changes.iter().map(|change| changed_rows(change, proceed));
    let rows: Vec<[ChangedRows<'a>; 2]> = rows.collect();
    if !proceed(0) {
        return moves;
    }
    let mut found = pairs(changes, &rows);
    found.sort_by_key(|moved| moved.old.component);
    for (from, change) in changes.iter().enumerate() {
        let of_component = found
            .iter()
            .enumerate()
            .filter(|(_, it)| it.old.component == from);
        let by_old = of_component.map(|(at, it)| (it.old.key, at));
        let by_old: SeededMap<&str, usize> = by_old.collect();
        if by_old.is_empty() {
            continue;
        }
        each_entry(change.base, &by_old, &mut |language_file, index, at| {
            let language = language_file.language.code.clone();
            let file = &language_file.content;
            let entries = &mut found[at].entries;
            // The first entry of a duplicate key counts.
            if !(file.is_bilingual() && entries.contains_key(&language)) {
                entries.insert(language, EarlierEntry { file, index });
            }
        });
        each_entry(change.head, &by_old, &mut |file, entry, at| {
            found[at].add_remaining(file, entry, changes, &mut moves);
        });
    }
    for mut pair in found {
        let rename = pair.renamed_key(changes);
        let [old_component, new_component] =
            [pair.old, pair.new].map(|it| Some(changes[it.component].name.clone()));
        let from = &mut moves[pair.old.component];
        from.old_keys.insert(pair.old.key.to_owned());
        from.left.push(RenamedKey {
            new_component,
            ..rename.clone()
        });
        let to = &mut moves[pair.new.component];
        to.by_new.insert(pair.new.key.to_owned(), to.arrived.len());
        to.arrived.push(ArrivedString {
            rename: RenamedKey {
                old_component,
                ..rename
            },
            source: pair.old.source,
            entries: pair.entries,
        });
    }
    moves
}

/// A string that a change moves.
struct MovedString<'a> {
    old: ChangedString<'a>,
    new: ChangedString<'a>,
    evidence: RenameEvidence,
    /// The languages that have a text in the new component, each with whether it is the old one.
    languages: SeededMap<&'a str, bool>,
    /// Its entry in each language of the old component.
    entries: SeededMap<Arc<str>, EarlierEntry<'a>>,
    /// The texts that are left there.
    remaining: Vec<OldKeyUse>,
}

/// A string that a change removes or adds.
#[derive(Clone, Copy)]
struct ChangedString<'a> {
    component: usize,
    key: &'a str,
    source: &'a str,
}

impl MovedString<'_> {
    /// Adds an entry of the old component that still has the text, if the new one lacks it, and the files that should
    /// change.
    fn add_remaining(
        &mut self,
        file: &LanguageFile,
        entry: usize,
        changes: &[ComponentChange<'_>],
        moves: &mut [ComponentMoves<'_>],
    ) {
        let language = &file.language.code;
        if !file.content.is_translated(entry) || self.languages.contains_key(&**language) {
            return;
        }
        let mut add = |string: ChangedString<'_>, path: &Arc<str>| {
            let of_component = &mut moves[string.component].remaining;
            let of_file = of_component.entry(path.clone()).or_default();
            of_file.insert(string.key.to_owned())
        };
        if !add(self.old, &file.path) {
            return;
        }
        let mut files = first_files(changes[self.new.component].head);
        if let Some(new) = files.find(|new| new.language.code == *language) {
            add(self.new, &new.path);
        }
        self.remaining.push(OldKeyUse::at(file, entry));
    }

    fn renamed_key(&mut self, changes: &[ComponentChange<'_>]) -> RenamedKey {
        let both = [self.old, self.new];
        let [old_key, new_key] =
            both.map(|it| report_key(changes[it.component].component.file_format, it.key));
        let equal = self.languages.iter().filter(|(_, is_equal)| **is_equal);
        let moved_languages: SeededSet<Arc<str>> = equal.map(|(&code, _)| code.into()).collect();
        RenamedKey {
            old_key,
            new_key,
            in_files: both.map(|it| it.key.to_owned()),
            is_bilingual: changes[self.new.component].head.strings.is_some(),
            evidence: self.evidence.name(),
            languages: moved_languages.len() as u32,
            has_equal_source: self.old.source == self.new.source,
            moved_languages,
            remaining: std::mem::take(&mut self.remaining),
            ..RenamedKey::default()
        }
    }
}

/// The strings that move between components, in the order of the components and files that have them now.
fn pairs<'a>(
    changes: &[ComponentChange<'a>],
    rows: &[[ChangedRows<'a>; 2]],
) -> Vec<MovedString<'a>> {
    let count = |side: usize| -> usize { rows.iter().map(|of| of[side].rows.len()).sum() };
    let (old_strings, new_strings) = (count(0), count(1));
    if changes.len() < 2 || old_strings == 0 || new_strings == 0 {
        return Vec::new();
    }
    let sides = changes.iter().flat_map(|change| [change.base, change.head]);
    let languages = sides.flat_map(|side| side.languages.iter().map(|file| &*file.language.code));
    let languages: SeededSet<&str> = languages.collect();
    if !can_compare(old_strings + new_strings, languages.len()) {
        return Vec::new();
    }
    let mut texts = ChangedTexts::new(languages.into_iter());
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for (at, [old, new]) in rows.iter().enumerate() {
        add_changed(&mut texts, RenameSide::Before, at, old, &mut removed);
        add_changed(&mut texts, RenameSide::After, at, new, &mut added);
    }
    let is_bilingual = changes.iter().all(|change| change.head.strings.is_some());
    let moved = texts.moves(is_bilingual).into_iter();
    let moved = moved.map(|pair| MovedString {
        old: removed[pair.removed],
        new: added[pair.added],
        evidence: pair.evidence,
        languages: texts.languages(pair).collect(),
        entries: SeededMap::default(),
        remaining: Vec::new(),
    });
    moved.collect()
}

/// Adds the strings of a component that a change removes or adds.
fn add_changed<'a>(
    texts: &mut ChangedTexts<'a>,
    side: RenameSide,
    component: usize,
    changed: &ChangedRows<'a>,
    added: &mut Vec<ChangedString<'a>>,
) {
    let Some(strings) = changed
        .strings
        .as_ref()
        .filter(|_| !changed.rows.is_empty())
    else {
        return;
    };
    let twins = SeededMap::default();
    let keys = add_strings(texts, side, component, strings, &changed.rows, &twins);
    added.extend(changed.rows.iter().map(|&row| ChangedString {
        component,
        key: strings.key(row),
        source: strings.source(row),
    }));
    for file in first_files(changed.side) {
        if let Some(language) = texts.language(&file.language.code) {
            add_texts(texts, side, language, &file.content, &keys);
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
