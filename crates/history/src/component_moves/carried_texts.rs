//! Texts that came from other components stay written for the sources that they had there
//! (docs/spec/renames.md#other-components).

use crate::history::History;
use gitglot_model::{Action, KeyId, LineageId, RenameIndex, SeededMap, TextId, Texts};

/// A text that moved here from a different component, the entry that wrote it or brought it back, and the source that it was
/// written for, a text of that component.
#[derive(Clone, Debug)]
pub struct CarriedText {
    /// The translation.
    pub lineage: LineageId,
    /// The key.
    pub key: KeyId,
    /// The index of the entry.
    pub entry: u32,
    /// The source.
    pub source: (Texts, TextId),
}

/// The sources of texts from other components, by key and translation.
type CarriedSources = SeededMap<KeyId, SeededMap<LineageId, TextId>>;

impl History {
    /// Notes that texts moved here from a different component, where they were written for other sources. Texts with later
    /// entries are left out. With `is_all`, other texts are forgotten. Returns whether the next projection differs.
    pub fn carry(&mut self, moved: &[CarriedText], is_all: bool) -> bool {
        let carried = self.last_carried(moved);
        let state = &mut self.state;
        let is_carried = |lineage, key| {
            carried
                .get(&key)
                .is_some_and(|of_key| of_key.contains_key(&lineage))
        };
        let mut has_changed = is_all && state.forget_carried(is_carried);
        for (key, of_key) in &carried {
            for (lineage, source) in of_key {
                has_changed |= state.carry(*lineage, *key, *source);
            }
        }
        has_changed
    }

    /// The texts that moved and are still those of their units, with their sources.
    fn last_carried(&mut self, moved: &[CarriedText]) -> CarriedSources {
        let state = &mut self.state;
        let mut carried = CarriedSources::default();
        let mut moved: Vec<_> = moved.iter().collect();
        moved.sort_by_key(|moved| moved.entry);
        let mut new = moved.iter().peekable();
        let first = moved.first();
        let first = first.map_or(usize::MAX, |moved| moved.entry as usize);
        let mut rebound = state.log.rebound.iter().peekable();
        let log = state.log.clone();
        let renames = RenameIndex::of(&log);
        for at in first..log.len() {
            while let Some(it) = rebound.next_if(|change| change.entry as usize <= at) {
                replace(&mut carried, it.lineage, it.key, None);
            }
            if let Some((entry, key)) = log.get(at).and_then(|entry| Some((entry, entry.key?))) {
                if entry.action == Action::NewSourceString {
                    // The texts of a key that returns count as written for its new source.
                    carried.remove(&key);
                } else if let Some(lineage) = entry.lineage {
                    // A text that moves to a new key stays one for its source.
                    let older = renames.of_entry(at as u32, &entry);
                    let older = older.filter(|rename| entry.moved && rename.until == rename.entry);
                    let sources = older.and_then(|rename| carried.get(&rename.from));
                    let source = sources.and_then(|sources| sources.get(&lineage).copied());
                    replace(&mut carried, lineage, key, source);
                }
            }
            while let Some(it) = new.next_if(|change| change.entry as usize <= at) {
                let (texts, source) = (&it.source.0, it.source.1);
                let pool = &mut state.vocabulary.texts;
                // Formats name the plural forms of equal texts differently.
                let source_of_entry = log.get(it.entry as usize).map(|entry| entry.source);
                let source_of_entry = source_of_entry
                    .filter(|source_of_entry| pool.get(*source_of_entry) == texts.get(source));
                let source = source_of_entry.unwrap_or_else(|| pool.intern_from(texts, source));
                replace(&mut carried, it.lineage, it.key, Some(source));
            }
        }
        rebound.for_each(|change| replace(&mut carried, change.lineage, change.key, None));
        carried
    }
}

fn replace(carried: &mut CarriedSources, lineage: LineageId, key: KeyId, source: Option<TextId>) {
    if let Some(source) = source {
        carried.entry(key).or_default().insert(lineage, source);
    } else if let Some(sources) = carried.get_mut(&key) {
        sources.remove(&lineage);
    }
}
