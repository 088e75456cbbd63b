//! The strings that a mainline commit gives new keys (docs/spec/renames.md). A merge is compared with the mainline commit
//! before it, so that its side commits count as one change.

use std::sync::Arc;

use super::changes::KeyRanks;
use super::context::StepContext;
use super::state::{Lineage, LogState};
use crate::files::trees::LanguageIndex;
use crate::graph::walk::MainlineCommit;
use crate::string_renames::{
    RenameCandidate, RenameInput, RenameSide, StringRename, find_string_renames,
};
use crate::versions::parsed::{ParsedVersion, Vocabulary};
use crate::versions::values::TextValue;
use gitglot_model::{
    KeyId, KeyRename, LineageId, RenameEvidence, SeededMap, SeededSet, Shape, TextId, is_blank,
};

/// The renames of a mainline commit, by the new key. The log records each with the first entry of that key.
#[derive(Default)]
pub struct PendingRenames {
    renames: SeededMap<KeyId, PendingRename>,
    /// The length of the log before the commit and its side commits.
    start: u32,
}

struct PendingRename {
    from: KeyId,
    evidence: RenameEvidence,
    languages: u32,
    /// Of an old key that gets another string in the same commit: the values that it had and the sources that they were
    /// written for, by translation.
    values: Option<Vec<(TextValue, TextId)>>,
    is_recorded: bool,
}

/// The text of a string under its old key.
#[derive(Clone, Copy)]
pub struct OldText {
    pub text: TextId,
    /// The source that it was written for.
    pub source: TextId,
    /// The same in a different component, from which the text came.
    pub carried: Option<TextId>,
}

impl PendingRenames {
    /// Finds the renames of a commit.
    pub fn find(
        context: &StepContext<'_>,
        state: &LogState,
        ranks: &mut KeyRanks,
        commit: &MainlineCommit,
    ) -> Self {
        let start = state.log.len() as u32;
        let before = context.template(commit.base);
        let after = context.template(Some(commit.node));
        let (Some(before), Some(after)) = (before, after) else {
            return Self::default();
        };
        let mut changed = ChangedKeys::between(before, after);
        if !changed.can_have_renames(before, after) {
            return Self::default();
        }
        changed.sort(before, after, &state.vocabulary, ranks);
        let shape = match context.unions {
            Some(_) => Shape::Bilingual,
            None => Shape::Template,
        };
        let versions = versions_of(context, commit);
        let found = changed.renames(before, after, &versions, shape, &state.vocabulary);
        let renames = found.into_iter().map(|rename| {
            let (from, to) = (changed.removed[rename.removed], changed.added[rename.added]);
            let values = changed.kept.contains(&from).then(|| values_of(state, from));
            let pending = PendingRename {
                from,
                evidence: rename.evidence,
                languages: rename.languages,
                values,
                is_recorded: false,
            };
            (to, pending)
        });
        Self {
            renames: renames.collect(),
            start,
        }
    }

    /// The text that a string had under its old key, if the key is renamed, now or earlier.
    pub fn old_text(&self, state: &LogState, lineage: LineageId, key: KeyId) -> Option<OldText> {
        let of_lineage = state.lineages.get(usize::from(lineage.0))?;
        let of_key = |key| {
            let carried = of_lineage.carried.get(&key).copied();
            (of_lineage.value(key), of_lineage.source(key), carried)
        };
        let (value, source, carried) = match self.renames.get(&key) {
            Some(PendingRename {
                values: Some(values),
                ..
            }) => {
                let &(value, source) = values.get(usize::from(lineage.0))?;
                (value, source, None)
            }
            Some(rename) => of_key(rename.from),
            None => {
                let from = *state.predecessors.get(&key)?;
                // A translation moves later than the template, unless it is translated again or the old key is reused.
                let can_move = !state.key(from).present && !of_lineage.value(key).is_translated();
                can_move.then(|| of_key(from))?
            }
        };
        let is_text = !is_blank(state.vocabulary.texts.get(value.text()));
        is_text.then_some(OldText {
            text: value.text(),
            source,
            carried,
        })
    }

    /// Records the rename to a key, of which the log gets its first entry next.
    pub fn record(&mut self, state: &mut LogState, key: KeyId) {
        let rename = self.renames.get_mut(&key);
        let Some(rename) = rename.filter(|rename| !rename.is_recorded) else {
            return;
        };
        rename.is_recorded = true;
        let entry = state.log.len() as u32;
        let is_reused = rename.values.is_some();
        if is_reused {
            // The old key no longer has the texts of the string.
            state.predecessors.remove(&key);
        } else {
            state.predecessors.insert(key, rename.from);
        }
        Arc::make_mut(&mut state.log).renames.push(KeyRename {
            entry,
            until: if is_reused { self.start } else { entry },
            from: rename.from,
            to: key,
            evidence: rename.evidence,
            languages: rename.languages,
        });
    }
}

fn values_of(state: &LogState, key: KeyId) -> Vec<(TextValue, TextId)> {
    let values = |lineage: &Lineage| (lineage.value(key), lineage.source(key));
    state.lineages.iter().map(values).collect()
}

/// The keys whose sources differ between two templates.
#[derive(Default)]
pub struct ChangedKeys {
    /// Removed and kept keys.
    removed: Vec<KeyId>,
    /// Added and kept keys.
    added: Vec<KeyId>,
    /// Keys of both templates.
    kept: SeededSet<KeyId>,
}

impl ChangedKeys {
    /// The new and the old key of each string that a template renames, given the translations before and after.
    pub fn renamed(
        before: &ParsedVersion,
        after: &ParsedVersion,
        versions: &[(&ParsedVersion, &ParsedVersion)],
        vocabulary: &Vocabulary,
    ) -> SeededMap<KeyId, KeyId> {
        let mut changed = Self::between(before, after);
        if !changed.can_have_renames(before, after) {
            return SeededMap::default();
        }
        changed.sort(before, after, vocabulary, &mut KeyRanks::default());
        let found = changed.renames(before, after, versions, Shape::Template, vocabulary);
        let keys = |it: StringRename| (changed.added[it.added], changed.removed[it.removed]);
        found.into_iter().map(keys).collect()
    }

    fn between(before: &ParsedVersion, after: &ParsedVersion) -> Self {
        let mut changed = Self::default();
        before.diff(after, &mut |key| {
            let (old, new) = (before.source(key), after.source(key));
            match (old.is_present(), new.is_present()) {
                (true, false) => changed.removed.push(key),
                (false, true) => changed.added.push(key),
                (true, true) if old.text() != new.text() => {
                    changed.removed.push(key);
                    changed.added.push(key);
                    changed.kept.insert(key);
                }
                _ => {}
            }
        });
        changed
    }

    /// Whether there is a key that disappears and one that appears, or two that can exchange their strings.
    fn can_have_renames(&self, before: &ParsedVersion, after: &ParsedVersion) -> bool {
        let kept = self.kept.len();
        let (removed, added) = (self.removed.len() - kept, self.added.len() - kept);
        let has_equal_sources = || {
            let sources = self.removed.iter().map(|&key| before.source(key).text());
            let sources: SeededSet<TextId> = sources.collect();
            let mut added = self.added.iter();
            added.any(|&key| sources.contains(&after.source(key).text()))
        };
        removed > 0 && added > 0 || kept > 1 && has_equal_sources()
    }

    /// Sorts the keys into the order of the files; those of bilingual files by text.
    fn sort(
        &mut self,
        before: &ParsedVersion,
        after: &ParsedVersion,
        Vocabulary { texts, keys, .. }: &Vocabulary,
        ranks: &mut KeyRanks,
    ) {
        let name = |key: &KeyId| texts.get(keys.context(*key));
        for (list, version) in [(&mut self.removed, before), (&mut self.added, after)] {
            list.sort_unstable_by(|a, b| name(a).cmp(name(b)));
            list.dedup();
            if version.order.is_some() && list.len() > 1 {
                let ranks = ranks.of(version);
                list.sort_by_key(|key| ranks.get(key.0 as usize).copied());
            }
        }
    }

    fn renames(
        &self,
        before: &ParsedVersion,
        after: &ParsedVersion,
        versions: &[(&ParsedVersion, &ParsedVersion)],
        shape: Shape,
        vocabulary: &Vocabulary,
    ) -> Vec<StringRename> {
        let Vocabulary { texts, keys, .. } = vocabulary;
        let index_of = |list: &[KeyId]| -> SeededMap<KeyId, usize> {
            let kept = list.iter().copied().zip(0..);
            kept.filter(|(key, _)| self.kept.contains(key)).collect()
        };
        let candidates =
            |list: &[KeyId], other: &[KeyId], state: &ParsedVersion| -> Vec<RenameCandidate<'_>> {
                let twins = index_of(other);
                let candidate = |&key: &KeyId| RenameCandidate {
                    name: shape.context(texts.get(keys.context(key))),
                    source: state.source(key).text().0,
                    twin: twins.get(&key).copied(),
                };
                list.iter().map(candidate).collect()
            };
        let removed = candidates(&self.removed, &self.added, before);
        let added = candidates(&self.added, &self.removed, after);
        let translation = |side, at: usize, language: usize| {
            let (old, new) = versions.get(language)?;
            let value = match side {
                RenameSide::Before => old.value(*self.removed.get(at)?),
                RenameSide::After => new.value(*self.added.get(at)?),
            };
            // A fuzzy text of a bilingual file is evidence, too.
            let counts = value.is_translated()
                || !shape.has_template() && !is_blank(texts.get(value.text()));
            counts.then(|| value.text().0)
        };
        find_string_renames(&RenameInput {
            removed: &removed,
            added: &added,
            languages: versions.len(),
            translation: &translation,
            previous_source: &|added, language| {
                let (_, version) = versions.get(language)?;
                let previous = version.previous_sources.get(*self.added.get(added)?);
                previous.is_present().then(|| previous.text().0)
            },
            text: &|text| texts.get(TextId(text)),
            is_bilingual: !shape.has_template(),
        })
    }
}

/// The translations that exist before and after a commit, by path.
fn versions_of<'c>(
    context: &'c StepContext<'_>,
    commit: &MainlineCommit,
) -> Vec<(&'c ParsedVersion, &'c ParsedVersion)> {
    let Some(set) = context.set(Some(commit.node)) else {
        return Vec::new();
    };
    let template = set.template.map(|(language, _)| language);
    let files = set.files.iter();
    let files = files.filter(|&&(language, _)| Some(language) != template);
    let files = files.map(|&(language, file)| (&**context.path(file), language));
    let mut files: Vec<(&str, LanguageIndex)> = files.collect();
    files.sort_unstable();
    let versions = files.into_iter().filter_map(|(_, language)| {
        let version = |node| context.version(node, language).map(|version| &**version);
        Some((version(commit.base)?, version(Some(commit.node))?))
    });
    versions.collect()
}
