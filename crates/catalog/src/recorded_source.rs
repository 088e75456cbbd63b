//! What a document says that it was made from (docs/spec/change-log.md#recorded-sources).

use crate::scan::Budget;
use crate::{ComponentSnapshot, UnitView};
use gitglot_model::{Action, CommitId, KeyId, SeededMap, SourceDate};

/// A field in the front matter of a document.
#[derive(Clone, Debug)]
pub struct RecordedSource<'a> {
    /// The name of the field.
    pub field: &'a str,
    /// What it says.
    pub value: RecordedValue<'a>,
}

/// What a document was made from.
#[derive(Clone, Debug)]
pub enum RecordedValue<'a> {
    /// The source of a commit.
    Commit(CommitId),
    /// The source at a date, and why the date has no effect, if it has none.
    Date(&'a str, Option<&'static str>),
}

impl ComponentSnapshot {
    /// When the sources of a key came, in seconds.
    fn times_of(&self, key: KeyId, budget: &Budget) -> &[i64] {
        let known = &self.current.last_changes.of_keys;
        if known.get().is_none() && !budget.spend(self.log.len() as u64) {
            return &[];
        }
        let times = known.get_or_init(|| {
            let mut times: SeededMap<KeyId, Vec<i64>> = SeededMap::default();
            for entry in self.log.iter() {
                let is_source = matches!(
                    entry.action,
                    Action::NewSourceString | Action::SourceStringChanged
                );
                let Some(key) = entry.key.filter(|_| is_source) else {
                    continue;
                };
                let (own, time) = (times.entry(key).or_default(), entry.time.seconds());
                // A key that comes back with another source has two entries.
                if own.last() != Some(&time) {
                    own.push(time);
                }
            }
            times
        });
        times.get(&key).map_or(&[], Vec::as_slice)
    }
}

impl<'a> UnitView<'a> {
    /// What a document says that it was made from.
    pub fn recorded_source(self, budget: &Budget) -> Option<RecordedSource<'a>> {
        let of = &self.component.component;
        let text = self.component.texts.get(self.unit.target);
        if let Some((field, commit)) = of.source_commit(text) {
            let value = RecordedValue::Commit(commit);
            return Some(RecordedSource { field, value });
        }
        let (field, date) = of.source_date(text)?;
        let problem = || {
            let Some(parsed) = SourceDate::parse(date) else {
                return Some("it is no date in the form of ISO 8601");
            };
            let key = self.component.strings().get(self.string() as usize)?.key;
            let times = self.component.times_of(key, budget);
            let written = self.last_updated().seconds();
            parsed.select(times, written).err()
        };
        let value = RecordedValue::Date(date, problem());
        Some(RecordedSource { field, value })
    }
}
