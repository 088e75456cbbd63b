//! Texts that came from other components stay written for the sources that they had there
//! (docs/spec/renames.md#other-components).

use super::history::History;
use gitglot_model::{KeyId, LineageId, RenameIndex, SeededMap, TextId};

impl History {
    /// Notes that texts moved here from a different component, where they were written for other sources: the translation,
    /// the key, the index of the entry that wrote the text, and the source. Texts with later entries are left out.
    /// Returns whether the next projection differs.
    pub fn carry(&mut self, moved: &[(LineageId, KeyId, u32, &str)]) -> bool {
        let state = &mut self.state;
        let mut carried: SeededMap<(LineageId, KeyId), TextId> = SeededMap::default();
        let mut moved: Vec<_> = moved.to_vec();
        moved.sort_by_key(|&(_, _, entry, _)| entry);
        let mut new = moved.iter().peekable();
        let first = moved.first().map_or(usize::MAX, |it| it.2 as usize);
        let mut rebound = state.log.rebound.iter().peekable();
        let log = state.log.clone();
        let renames = RenameIndex::of(&log);
        for at in first..log.len() {
            let entry = log.get(at);
            let unit = entry.and_then(|entry| Some((entry.lineage?, entry.key?)));
            while let Some(it) = rebound.next_if(|it| it.entry as usize <= at) {
                if it.entry as usize > first {
                    carried.remove(&(it.lineage, it.key));
                }
            }
            if let (Some(entry), Some(unit)) = (entry, unit) {
                // A text that moves to a new key stays one for its source.
                let older = renames
                    .of_entry(at as u32, &entry)
                    .filter(|it| entry.moved && it.until == it.entry);
                let source = older.and_then(|it| carried.get(&(unit.0, it.from)).copied());
                carried.remove(&unit);
                carried.extend(source.map(|source| (unit, source)));
            }
            while let Some(&(lineage, key, _, source)) = new.next_if(|it| it.2 as usize <= at) {
                let source = state.vocabulary.texts.intern(source);
                carried.insert((lineage, key), source);
            }
        }
        rebound.for_each(|it| _ = carried.remove(&(it.lineage, it.key)));
        let mut has_changed = false;
        for ((lineage, key), source) in carried {
            has_changed |= state.carry(lineage, key, source);
        }
        has_changed
    }
}
