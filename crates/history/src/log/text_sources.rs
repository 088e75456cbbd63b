//! The sources that texts were written for (docs/spec/change-log.md#stale-translations).

use gitglot_model::{KeyId, LineageId, Log, SeededMap, TextId};

/// The source that each text in the log was written for; the newest of equal texts of a unit. Read from the log when a
/// merge first needs it.
#[derive(Default)]
pub struct TextSources(Option<SeededMap<(LineageId, KeyId, TextId), TextId>>);

impl TextSources {
    pub fn get(&mut self, log: &Log, unit: (LineageId, KeyId, TextId)) -> Option<TextId> {
        let sources = self.0.get_or_insert_with(|| {
            let texts = log.iter().filter(|entry| entry.action.sets_source());
            texts
                .filter_map(|it| Some(((it.lineage?, it.key?, it.target), it.source)))
                .collect()
        });
        sources.get(&unit).copied()
    }

    pub fn insert(&mut self, unit: (LineageId, KeyId, TextId), source: TextId) {
        if let Some(sources) = &mut self.0 {
            sources.insert(unit, source);
        }
    }
}
