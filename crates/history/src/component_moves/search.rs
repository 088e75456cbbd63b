//! Finds the strings and texts that mainline commits move, in the logs of components.

use std::ops::Range;

use super::commits::{ChangedString, CommitStrings, changed_commits};
use super::key_texts::{KeyTexts, WrittenText};
use super::moved::{ComponentLog, ComponentMove, MovedText};
use crate::changed_texts::ChangedTexts;
use crate::string_renames::{RenameSide, StringRename};
use gitglot_model::{KeyId, KeyRename, LineageId, SeededMap, SeededSet, is_blank};

/// Adds what the commits from `first` rows of each mainline on move to the moves of earlier commits. Returns the new
/// texts, each with the index of its move. `None` if the logs must be compared from the start: a new row of a mainline
/// belongs to an earlier one of a different mainline.
pub fn add_moves(
    logs: &[ComponentLog<'_>],
    first: &[usize],
    moves: &mut Vec<ComponentMove>,
) -> Option<Vec<(usize, MovedText)>> {
    let commits = changed_commits(logs, first)?;
    let strings = commits.iter();
    let strings = strings.flat_map(|strings| strings.removed.iter().chain(&strings.added));
    let keys = strings.map(|string| (string.component, string.key));
    let mut keys: SeededSet<(usize, KeyId)> = keys.collect();
    let awaited = moves_with_new_texts(logs, first, moves);
    for it in awaited.iter().map(|&at| &moves[at]) {
        keys.extend([(it.to, it.rename.to), (it.from, it.rename.from)]);
    }
    let mut new_texts = Vec::new();
    if keys.is_empty() {
        return Some(new_texts);
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
    moves.iter().for_each(|earlier| texts.add_move(earlier));
    for at in awaited {
        let it = &mut moves[at];
        let start = entries_before(logs, first, it.to);
        for text in later_texts(logs, &texts, it, start) {
            texts.add_text((it.to, text.lineage, it.rename.to), &text);
            it.texts.push(text);
            new_texts.push((at, text));
        }
        it.texts.sort_by_key(|text| text.entry);
    }
    for strings in &commits {
        let new_moves = moves_of(logs, &texts, strings);
        new_moves.iter().for_each(|new| texts.add_move(new));
        for (at, new) in (moves.len()..).zip(&new_moves) {
            new_texts.extend(new.texts.iter().map(|text| (at, *text)));
        }
        moves.extend(new_moves);
    }
    Some(new_texts)
}

/// The number of entries of a log before the rows of its mainline from `first` on.
pub(super) fn entries_before(logs: &[ComponentLog<'_>], first: &[usize], component: usize) -> u32 {
    let rows = first.get(component).and_then(|rows| rows.checked_sub(1));
    let row = rows.and_then(|at| logs.get(component)?.log.mainline.get(at));
    row.map_or(0, |row| row.entries)
}

/// The indexes of the known moves whose strings get texts in new commits.
fn moves_with_new_texts(
    logs: &[ComponentLog<'_>],
    first: &[usize],
    known: &[ComponentMove],
) -> Vec<usize> {
    let key_of = |it: &ComponentMove| (it.to, it.rename.to);
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

/// The moves of one commit.
fn moves_of(
    logs: &[ComponentLog<'_>],
    texts: &KeyTexts,
    strings: &CommitStrings,
) -> Vec<ComponentMove> {
    let entries = |component| strings.entries.get(&component).cloned().unwrap_or_default();
    let changed = strings.entries.keys().filter_map(|&at| logs.get(at));
    let languages = changed.flat_map(|compared| {
        let lineages = compared.log.lineages.iter();
        lineages.map(|lineage| compared.texts.get(lineage.language))
    });
    let mut compared = ChangedTexts::new(languages);
    let mut add = |side, string: &ChangedString, source, end| {
        let of_component = &logs[string.component];
        let key = of_component.log.keys[string.key.0 as usize];
        let name = of_component.shape.context(of_component.texts.get(key));
        let source = of_component.texts.get(source);
        let at = compared.add(side, string.component, name, source, None);
        for (lineage, row) in (0..).map(LineageId).zip(&of_component.log.lineages) {
            let unit = (string.component, lineage, string.key);
            let written = texts.written_before(unit, end);
            let text = written.map(|written| of_component.texts.get(written.text));
            let language = compared.language(of_component.texts.get(row.language));
            if let Some((text, language)) = text.filter(|text| !is_blank(text)).zip(language) {
                compared.set_text(side, at, language, text);
            }
        }
    };
    for removed in &strings.removed {
        let end = entries(removed.component).start;
        add(RenameSide::Before, removed, removed.source, end);
    }
    for added in &strings.added {
        let end = entries(added.component).end;
        let source = texts.source_before((added.component, added.key), end);
        add(RenameSide::After, added, source, end);
    }
    let is_bilingual = logs.iter().all(|compared| !compared.shape.has_template());
    let of_pair = |pair: StringRename| {
        let (removed, added) = (&strings.removed[pair.removed], &strings.added[pair.added]);
        let mut new = ComponentMove {
            from: removed.component,
            to: added.component,
            rename: KeyRename {
                entry: added.entry,
                until: entries(removed.component).start,
                from: removed.key,
                to: added.key,
                evidence: pair.evidence,
                languages: pair.languages,
            },
            old_name: logs[removed.component].name_of(removed.key).into(),
            texts: Vec::new(),
        };
        let range = entries(added.component);
        new.texts = moved_texts(logs, texts, &new, &range);
        let later = later_texts(logs, texts, &new, range.end);
        new.texts.extend(later);
        new.texts.sort_by_key(|text| text.entry);
        new
    };
    let pairs = compared.moves(is_bilingual).into_iter();
    pairs.map(of_pair).collect()
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
        let written = texts.written_before((it.to, lineage, it.rename.to), range.end)?;
        let is_of_commit = written.is_own && range.contains(&written.entry);
        let moved = moved_text(logs, texts, it, lineage, written)?;
        Some(MovedText {
            entry: if is_of_commit {
                moved.entry
            } else {
                it.rename.entry
            },
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
    let end = texts.removed_after((it.to, it.rename.to), it.rename.entry);
    let lineages = (0..).map(LineageId).take(new.log.lineages.len());
    let later = lineages.filter_map(|lineage| {
        let unit = (it.to, lineage, it.rename.to);
        let mut written = texts.written_from(unit, it.rename.entry);
        let first = written.find(|text| text.is_own && !is_blank(new.texts.get(text.text)))?;
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
    let unit = (it.from, LineageId(other as u16), it.rename.from);
    let before = texts.written_before(unit, it.rename.until)?;
    let (old_text, text) = (old.texts.get(before.text), new.texts.get(written.text));
    (old_text == text && !is_blank(text)).then(|| MovedText {
        entry: written.entry,
        returns: false,
        lineage,
        source: texts.origin(unit, before),
    })
}
