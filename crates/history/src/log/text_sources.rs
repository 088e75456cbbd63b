//! The sources that texts were written for (docs/spec/change-log.md#stale-translations).

use gitglot_model::{Action, KeyId, LineageId, Log, SeededMap, SourceDate, TextId};

/// The source that each text in the log was written for; the newest of equal texts of a unit. Read from the log when a
/// merge first needs it.
#[derive(Default)]
pub struct TextSources(Option<SeededMap<(LineageId, KeyId, TextId), TextId>>);

impl TextSources {
    pub fn get(&mut self, log: &Log, unit: (LineageId, KeyId, TextId)) -> Option<TextId> {
        let sources = self.0.get_or_insert_with(|| {
            let texts = log.iter().filter(|entry| entry.action.sets_source());
            let sources = texts.filter_map(|entry| {
                let unit = (entry.lineage?, entry.key?, entry.target);
                Some((unit, entry.source))
            });
            sources.collect()
        });
        sources.get(&unit).copied()
    }

    pub fn insert(&mut self, unit: (LineageId, KeyId, TextId), source: TextId) {
        if let Some(sources) = &mut self.0 {
            sources.insert(unit, source);
        }
    }
}

/// The sources that the log has shown for each key, and when, in seconds. Read on from the log where it has grown.
#[derive(Default, Debug)]
pub struct SourceTimes {
    read: usize,
    of_keys: SeededMap<KeyId, (Vec<i64>, Vec<TextId>)>,
}

impl SourceTimes {
    /// Reads what the log has since.
    pub fn read_on(&mut self, log: &Log) {
        while let Some(entry) = log.get(self.read) {
            self.read += 1;
            let source = match entry.action {
                Action::NewSourceString => entry.source,
                Action::SourceStringChanged => entry.target,
                _ => continue,
            };
            let Some(key) = entry.key else { continue };
            let (times, sources) = self.of_keys.entry(key).or_default();
            if sources.last() != Some(&source) {
                times.push(entry.time.seconds());
                sources.push(source);
            }
        }
    }

    /// The sources of a key until a time, oldest first.
    pub fn until(&self, key: KeyId, time: i64) -> &[TextId] {
        let Some((times, sources)) = self.of_keys.get(&key) else {
            return &[];
        };
        &sources[..times.iter().take_while(|start| **start <= time).count()]
    }

    /// The source of a key at a date that a document of the time `now` names (docs/spec/change-log.md#recorded-dates).
    /// Only sources from before `end` count.
    ///
    /// # Errors
    /// Why the date has no effect.
    pub fn at(
        &self,
        key: KeyId,
        date: SourceDate,
        now: i64,
        end: i64,
    ) -> Result<Option<TextId>, &'static str> {
        let known = self.of_keys.get(&key);
        let (times, sources) =
            known.map_or((&[][..], &[][..]), |(times, sources)| (times, sources));
        let count = times.iter().take_while(|time| **time < end).count();
        let newest = date.select(&times[..count], now)?;
        Ok(sources.get(newest).copied())
    }
}
