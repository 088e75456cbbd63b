//! What a document says that it was made from (docs/spec/change-log.md#recorded-sources).

use crate::scan::Budget;
use crate::{ComponentSnapshot, UnitView};
use gitglot_model::{Action, CommitId, KeyId, SeededMap, SourceDate, TextId};

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
    /// The sources of a key, each with the time when it came, in seconds; `None` if the budget is exhausted.
    fn sources_of(&self, key: KeyId, budget: &Budget) -> Option<&[(i64, TextId)]> {
        let known = &self.current.last_changes.of_keys;
        if known.get().is_none() && !budget.spend(self.log.len() as u64) {
            return None;
        }
        let sources = known.get_or_init(|| {
            let mut sources: SeededMap<KeyId, Vec<(i64, TextId)>> = SeededMap::default();
            for entry in self.log.iter() {
                let source = match entry.action {
                    Action::NewSourceString => entry.source,
                    Action::SourceStringChanged => entry.target,
                    _ => continue,
                };
                let Some(key) = entry.key else { continue };
                let own = sources.entry(key).or_default();
                if own.last().is_none_or(|(_, last)| *last != source) {
                    own.push((entry.time.seconds(), source));
                }
            }
            sources
        });
        Some(sources.get(&key).map_or(&[], Vec::as_slice))
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
            let written = self.written(key, budget)?;
            let sources = self.component.sources_of(key, budget)?.iter();
            let times = sources.map(|(time, _)| *time);
            let times: Vec<i64> = times.take_while(|time| *time < written).collect();
            parsed.select(&times, written).err()
        };
        let value = RecordedValue::Date(date, problem());
        Some(RecordedSource { field, value })
    }

    /// When its text was written last, in seconds; `None` if the log does not know, or the budget is exhausted.
    fn written(self, key: KeyId, budget: &Budget) -> Option<i64> {
        let log = &self.component.log;
        let own = log.of_lineage(self.translation.lineage)?;
        let entries = own
            .iter()
            .take_while(|_| budget.spend(1))
            .filter_map(|&at| log.get(at as usize));
        let is_text =
            |action| matches!(action, Action::NewTranslation | Action::TranslationChanged);
        let texts = entries.filter(|entry| entry.key == Some(key) && is_text(entry.action));
        let last = texts.last()?;
        Some(last.time.seconds())
    }
}
