//! Strings that mainline commits move from one component of a project to another (docs/spec/renames.md#other-components).
//!
//! Pure: compares the logs of components that follow the same branch, so that all who have the logs find the same moves.
//! Must not depend on git or files.

mod key_texts;

use std::ops::Range;

use self::key_texts::{KeyTexts, WrittenText};
use crate::projection::rows::SourceString;
use crate::string_renames::{
    CandidateTexts, RenameCandidate, RenameSide, StringRename, TextNumbers,
};
use gitglot_model::{
    Action, CommitId, KeyId, KeyRename, LineageId, Log, MainlineRow, PLURAL_SEPARATOR,
    RenameEvidence, SeededMap, SeededSet, Shape, TextId, Texts,
};

/// The log of a component, and the texts that it refers to.
#[derive(Clone, Copy, Debug)]
pub struct ComponentLog<'a> {
    /// The log.
    pub log: &'a Log,
    /// Its texts.
    pub texts: &'a Texts,
    /// The strings at the end of the log.
    pub sources: &'a [SourceString],
    /// What identifies a string.
    pub shape: Shape,
}

impl<'a> ComponentLog<'a> {
    /// A key as people see it; of a bilingual file without a context, its source text.
    pub fn name_of(&self, key: KeyId) -> &'a str {
        let key = self.log.keys[key.0 as usize];
        self.shape.context_or_source(self.texts.get(key))
    }
}

/// A string that a mainline commit moves to another component. Components are indexes into the compared logs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentMove {
    /// The component that has the string now.
    pub to: usize,
    /// Its key there.
    pub to_key: KeyId,
    /// Index of the first entry of that key in the commit.
    pub entry: u32,
    /// The component that had the string before.
    pub from: usize,
    /// Its key there.
    pub from_key: KeyId,
    /// Number of entries of the older log before the commit.
    pub until: u32,
    /// Why the two are one string.
    pub evidence: RenameEvidence,
    /// Number of languages that have the text of the old key under the new one.
    pub languages: u32,
    /// The texts that moved, with the string or later, in the order of the newer log.
    pub texts: Vec<MovedText>,
}

/// What new commits move.
#[derive(Default, Debug)]
pub struct FoundMoves {
    /// The strings, in the order of the mainlines.
    pub moves: Vec<ComponentMove>,
    /// The texts that follow strings of earlier moves: the index of the move, and the text.
    pub followed: Vec<(usize, MovedText)>,
}

/// A text that moves to another component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovedText {
    /// Index of its entry in the newer log; of a text that returns, which has no entry, that of its key.
    pub entry: u32,
    /// Whether the text returns: the translation had it before the key was removed.
    pub returns: bool,
    /// Its translation there.
    pub lineage: LineageId,
    /// The source that it was written for: a component, and one of its texts.
    pub source: (usize, TextId),
}

/// A string that a commit removes from a component, or adds to one.
struct ChangedString {
    component: usize,
    key: KeyId,
    /// Of an added string: the index of its first entry in the commit.
    entry: u32,
    /// Of a removed string: its last source.
    source: TextId,
}

/// The strings that a mainline commit removes from components or adds to them, and its entries in the log of each.
#[derive(Default)]
struct CommitStrings {
    removed: Vec<ChangedString>,
    added: Vec<ChangedString>,
    entries: SeededMap<usize, Range<u32>>,
    /// Number of mainline commits up to the tip.
    from_end: usize,
}

/// A commit, and how often a mainline has had it: a commit that was taken back can be pushed again.
type Arrival = (CommitId, u32);

/// What the commits from `first` rows of each mainline on move. `known` are the moves of earlier commits. `None` if the
/// logs must be compared from the start: a new row of a mainline belongs to an earlier one of a different mainline.
pub fn component_moves(
    logs: &[ComponentLog<'_>],
    first: &[usize],
    known: &[&ComponentMove],
) -> Option<FoundMoves> {
    let all = logs.iter().zip(first).enumerate();
    let changed: Vec<Vec<(usize, CommitStrings)>> = all
        .map(|(component, (compared, &first))| changed_strings(component, compared, first))
        .collect();
    let arrivals = arrivals(logs, first, &changed)?;
    let mut commits: SeededMap<Arrival, CommitStrings> = SeededMap::default();
    for (changed, arrivals) in changed.into_iter().zip(arrivals) {
        for (row, strings) in changed {
            let Some(&arrival) = arrivals.get(&row) else {
                continue;
            };
            let known = commits.entry(arrival).or_default();
            known.from_end = known.from_end.max(strings.from_end);
            known.removed.extend(strings.removed);
            known.added.extend(strings.added);
            known.entries.extend(strings.entries);
        }
    }
    // Of most commits, one component changes.
    commits.retain(|_, CommitStrings { removed, added, .. }| {
        let mut all = removed.iter().chain(added.iter());
        let other = |first: &ChangedString| all.any(|other| other.component != first.component);
        !removed.is_empty() && added.first().is_some_and(other)
    });
    let strings = commits.values();
    let strings = strings.flat_map(|strings| strings.removed.iter().chain(&strings.added));
    let keys = strings.map(|string| (string.component, string.key));
    let mut keys: SeededSet<(usize, KeyId)> = keys.collect();
    let awaited = moves_with_new_texts(logs, first, known);
    for it in awaited.iter().filter_map(|&at| known.get(at)) {
        keys.extend([(it.to, it.to_key), (it.from, it.from_key)]);
    }
    if keys.is_empty() {
        return Some(FoundMoves::default());
    }
    // With the older keys of the strings.
    for (component, compared) in logs.iter().enumerate() {
        let mut renames: Vec<KeyRename> = compared.log.renames().collect();
        renames.reverse();
        for rename in renames {
            if keys.contains(&(component, rename.to)) {
                keys.insert((component, rename.from));
            }
        }
    }
    let mut texts = KeyTexts::of(logs, &keys);
    known.iter().for_each(|known| texts.add_move(known));
    let mut found = FoundMoves::default();
    for at in awaited {
        let Some(&it) = known.get(at) else { continue };
        let start = entries_before(logs, first, it.to);
        for text in later_texts(logs, &texts, it, start) {
            texts.add_text((it.to, text.lineage, it.to_key), &text);
            found.followed.push((at, text));
        }
    }
    let mut commits: Vec<(Arrival, CommitStrings)> = commits.into_iter().collect();
    commits.sort_by_key(|(arrival, strings)| (std::cmp::Reverse(strings.from_end), *arrival));
    for (_, strings) in &commits {
        let moves = moves_of(logs, &texts, strings);
        moves.iter().for_each(|new| texts.add_move(new));
        found.moves.extend(moves);
    }
    Some(found)
}

/// The commits of the rows from `first` on that change strings, by row of each mainline. `None` if the mainlines had one of
/// them differently often before.
fn arrivals(
    logs: &[ComponentLog<'_>],
    first: &[usize],
    changed: &[Vec<(usize, CommitStrings)>],
) -> Option<Vec<SeededMap<usize, Arrival>>> {
    let rows = logs.iter().zip(changed).flat_map(|(compared, changed)| {
        let rows = changed.iter().map(|(row, _)| *row);
        rows.filter_map(|row| compared.log.mainline.get(row))
    });
    let commits: SeededSet<CommitId> = rows.map(|row| row.commit).collect();
    let mut before: Option<SeededMap<CommitId, u32>> = None;
    let mut found = Vec::new();
    for (ComponentLog { log, .. }, &first) in logs.iter().zip(first) {
        let mut times: SeededMap<CommitId, u32> = SeededMap::default();
        let is_wanted = |commit: &CommitId| commits.contains(commit);
        let rows = if commits.is_empty() { 0 } else { first };
        let known = log.mainline.iter().take(rows).map(|row| row.commit);
        for commit in known.filter(is_wanted) {
            *times.entry(commit).or_default() += 1;
        }
        if *before.get_or_insert_with(|| times.clone()) != times {
            return None;
        }
        let new = (first..).zip(log.mainline.iter_from(first));
        let new = new.filter(|(_, row)| is_wanted(&row.commit));
        let arrival = |(at, row): (usize, &MainlineRow)| {
            let times = times.entry(row.commit).or_default();
            *times += 1;
            (at, (row.commit, *times))
        };
        found.push(new.map(arrival).collect());
    }
    Some(found)
}

/// The number of entries of a log before the rows of its mainline from `first` on.
pub fn entries_before(logs: &[ComponentLog<'_>], first: &[usize], component: usize) -> u32 {
    let rows = first.get(component).and_then(|rows| rows.checked_sub(1));
    let row = rows.and_then(|at| logs.get(component)?.log.mainline.get(at));
    row.map_or(0, |row| row.entries)
}

/// The indexes of the known moves whose strings get texts in new commits.
fn moves_with_new_texts(
    logs: &[ComponentLog<'_>],
    first: &[usize],
    known: &[&ComponentMove],
) -> Vec<usize> {
    let key_of = |it: &&ComponentMove| (it.to, it.to_key);
    let by_key = (0..).zip(known).map(|(at, it)| (key_of(it), at));
    let by_key: SeededMap<(usize, KeyId), usize> = by_key.collect();
    let mut found = SeededSet::default();
    for (component, compared) in logs.iter().enumerate().filter(|_| !by_key.is_empty()) {
        let start = entries_before(logs, first, component) as usize;
        let new = (start..compared.log.len()).filter_map(|at| compared.log.get(at));
        let texts = new.filter(|entry| entry.lineage.is_some());
        let keys = texts.filter_map(|entry| by_key.get(&(component, entry.key?)));
        found.extend(keys.copied());
    }
    let mut found: Vec<usize> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// The strings that each commit removes from a component and adds to it, by row, without those that it renames there.
fn changed_strings(
    component: usize,
    compared: &ComponentLog<'_>,
    first: usize,
) -> Vec<(usize, CommitStrings)> {
    let log = compared.log;
    let before = first.checked_sub(1).and_then(|at| log.mainline.get(at));
    let (mut entries, mut removals) = before.map_or((0, 0), |row| (row.entries, row.removals));
    let renames = log.renames().map(|rename| (rename.entry, rename.to));
    let renames: SeededSet<(u32, KeyId)> = renames.collect();
    let mut renamed_from: SeededMap<KeyId, Vec<u32>> = SeededMap::default();
    for rename in log.renames() {
        let of_key = renamed_from.entry(rename.from);
        of_key.or_default().push(rename.entry);
    }
    let mut found = Vec::new();
    // A commit whose strings all have the entries of renames moves none.
    let rows = log.mainline.len();
    for (nth, row) in (first..).zip(log.mainline.iter_from(first)) {
        let (end, removals_end) = (row.entries, row.removals);
        let from_end = rows - nth;
        let (range, removed) = (entries..end, removals..removals_end);
        (entries, removals) = (end, removals_end);
        let mut strings = CommitStrings {
            from_end,
            ..CommitStrings::default()
        };
        let mut added: SeededMap<KeyId, ChangedString> = SeededMap::default();
        for at in range.clone() {
            let Some(entry) = log.get(at as usize) else {
                continue;
            };
            if let (Action::NewSourceString, Some(key)) = (entry.action, entry.key)
                && !renames.contains(&(at, key))
            {
                let string = ChangedString {
                    component,
                    key,
                    source: TextId::EMPTY,
                    entry: at,
                };
                added.entry(key).or_insert(string);
            }
        }
        let is_renamed = |key| {
            let entries = renamed_from.get(&key);
            entries.is_some_and(|list| list.iter().any(|at| range.contains(at)))
        };
        if added.is_empty() && removed.is_empty() {
            continue;
        }
        for removal in removed.filter_map(|at| log.removals.get(at as usize)) {
            // A string that the commit adds, too, is neither.
            let is_back = added.remove(&removal.key).is_some();
            if !is_back && !is_renamed(removal.key) {
                strings.removed.push(ChangedString {
                    component,
                    key: removal.key,
                    source: removal.source,
                    entry: removal.entry,
                });
            }
        }
        strings.added = added.into_values().collect();
        strings.added.sort_by_key(|added| added.entry);
        if strings.removed.is_empty() && strings.added.is_empty() {
            continue;
        }
        strings.entries.insert(component, range);
        found.push((nth, strings));
    }
    found
}

/// The moves of one commit.
fn moves_of(
    logs: &[ComponentLog<'_>],
    texts: &KeyTexts,
    strings: &CommitStrings,
) -> Vec<ComponentMove> {
    let mut numbers = TextNumbers::default();
    let mut languages: Vec<&str> = Vec::new();
    let changed = strings.entries.keys().filter_map(|&at| logs.get(at));
    for compared in changed {
        let lineages = compared.log.lineages.iter();
        languages.extend(lineages.map(|lineage| compared.texts.get(lineage.language)));
    }
    languages.sort_unstable();
    languages.dedup();
    let entries = |component| strings.entries.get(&component).cloned().unwrap_or_default();
    let mut numbered = |list: &[ChangedString], side| {
        let mut found = CandidateTexts::default();
        for it in list {
            let Some(compared) = logs.get(it.component) else {
                continue;
            };
            let Range { start, end } = entries(it.component);
            let (end, source) = match side {
                RenameSide::Before => (start, it.source),
                RenameSide::After => (end, texts.source_before((it.component, it.key), end)),
            };
            let mut of_languages = vec![None; languages.len()];
            for (lineage, row) in (0..).map(LineageId).zip(&compared.log.lineages) {
                let written = texts.written_before((it.component, lineage, it.key), end);
                let language = languages.binary_search(&compared.texts.get(row.language));
                if let (Some(written), Ok(language)) = (written, language)
                    && has_text(compared.texts.get(written.text))
                {
                    of_languages[language] = Some(numbers.number(compared.texts.get(written.text)));
                }
            }
            let key = compared.log.keys[it.key.0 as usize];
            found.candidates.push(RenameCandidate {
                name: compared.shape.context(compared.texts.get(key)),
                source: numbers.number(compared.texts.get(source)),
                twin: None,
            });
            found.texts.push(of_languages);
        }
        found
    };
    let before = numbered(&strings.removed, RenameSide::Before);
    let after = numbered(&strings.added, RenameSide::After);
    let is_bilingual = logs.iter().all(|compared| !compared.shape.has_template());
    let found = CandidateTexts::renames(&before, &after, &numbers, is_bilingual);
    let of_rename = |rename: &StringRename| {
        let removed = strings.removed.get(rename.removed)?;
        let added = strings.added.get(rename.added)?;
        // The rules of a component decide about its own strings.
        (removed.component != added.component).then(|| {
            let mut found = ComponentMove {
                to: added.component,
                to_key: added.key,
                entry: added.entry,
                from: removed.component,
                from_key: removed.key,
                until: entries(removed.component).start,
                evidence: rename.evidence,
                languages: rename.languages,
                texts: Vec::new(),
            };
            let range = entries(added.component);
            found.texts = moved_texts(logs, texts, &found, &range);
            let later = later_texts(logs, texts, &found, range.end);
            found.texts.extend(later);
            found.texts.sort_by_key(|text| text.entry);
            found
        })
    };
    found.iter().filter_map(of_rename).collect()
}

/// The texts of a string that moved with it: those of the commit, and those that return with a key that was removed.
fn moved_texts(
    logs: &[ComponentLog<'_>],
    texts: &KeyTexts,
    it: &ComponentMove,
    range: &Range<u32>,
) -> Vec<MovedText> {
    let new = logs.get(it.to);
    let lineages = new.map_or(0, |new| new.log.lineages.len());
    let moved = (0..lineages as u16).map(LineageId).filter_map(|lineage| {
        let written = texts.written_before((it.to, lineage, it.to_key), range.end)?;
        let is_of_commit = written.is_own && range.contains(&written.entry);
        let moved = moved_text(logs, texts, it, lineage, written)?;
        Some(MovedText {
            entry: if is_of_commit { moved.entry } else { it.entry },
            returns: !is_of_commit,
            ..moved
        })
    });
    moved.collect()
}

/// The texts that follow a string in later commits, from an entry on: the first text that a translation gets.
fn later_texts(
    logs: &[ComponentLog<'_>],
    texts: &KeyTexts,
    it: &ComponentMove,
    start: u32,
) -> Vec<MovedText> {
    let Some(new) = logs.get(it.to) else {
        return Vec::new();
    };
    let end = texts.removed_after((it.to, it.to_key), it.entry);
    let lineages = (0..).map(LineageId).take(new.log.lineages.len());
    let later = lineages.filter_map(|lineage| {
        let unit = (it.to, lineage, it.to_key);
        let mut written = texts.written_from(unit, it.entry);
        let first = written.find(|text| text.is_own && has_text(new.texts.get(text.text)))?;
        let is_later = (start..end).contains(&first.entry);
        is_later.then(|| moved_text(logs, texts, it, lineage, first))?
    });
    later.collect()
}

/// A text under the new key as one that moved; `None` unless it is the last one under the old key.
fn moved_text(
    logs: &[ComponentLog<'_>],
    texts: &KeyTexts,
    it: &ComponentMove,
    lineage: LineageId,
    written: WrittenText,
) -> Option<MovedText> {
    let (old, new) = (logs.get(it.from)?, logs.get(it.to)?);
    let language = new.log.lineages.get(usize::from(lineage.0))?.language;
    let language = new.texts.get(language);
    let mut others = old.log.lineages.iter();
    let other = others.position(|lineage| old.texts.get(lineage.language) == language)?;
    let unit = (it.from, LineageId(other as u16), it.from_key);
    let before = texts.written_before(unit, it.until)?;
    let (old_text, text) = (old.texts.get(before.text), new.texts.get(written.text));
    (old_text == text && has_text(text)).then(|| MovedText {
        entry: written.entry,
        returns: false,
        lineage,
        source: texts.origin(unit, before),
    })
}

/// Whether a text has any content; a plural without forms has none.
fn has_text(text: &str) -> bool {
    !text.split(PLURAL_SEPARATOR).all(str::is_empty)
}

#[cfg(test)]
mod tests;
