//! What a document says that it was made from (docs/spec/change-log.md#recorded-sources).

use crate::scan::Budget;
use crate::{ComponentSnapshot, UnitView};
use gitglot_history::SourceTimes;
use gitglot_model::{Action, KeyId, SourceDate};

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
    /// The source of a commit, by its id or the first digits of it.
    Commit(&'a str),
    /// The source at a date, and why the date has no effect, if it has none.
    Date(&'a str, Option<&'static str>),
}

impl ComponentSnapshot {
    /// When the sources of its strings came; `None` if the budget is exhausted.
    fn source_times(&self, budget: &Budget) -> Option<&SourceTimes> {
        let known = &self.current.last_changes.source_times;
        if known.get().is_none() && !budget.spend(self.log.len() as u64) {
            return None;
        }
        Some(known.get_or_init(|| {
            let mut times = SourceTimes::default();
            times.read_on(&self.log);
            times
        }))
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
            let times = self.component.source_times(budget)?;
            times.at(key, parsed, written, written).err()
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
