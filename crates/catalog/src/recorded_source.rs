//! What a document says that it was made from (docs/spec/change-log.md#recorded-sources).

use crate::component::ComponentSnapshot;
use crate::scan::Budget;
use crate::views::UnitView;
use gitglot_history::SourceTimes;
use gitglot_model::{KeyId, SourceDate};

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

impl<'a> RecordedSource<'a> {
    /// What a document says that it was made from.
    pub fn of(unit: UnitView<'a>, budget: &Budget) -> Option<Self> {
        let of = &unit.component.component;
        let text = unit.component.texts.get(unit.unit.target);
        if let Some((field, commit)) = of.source_commit(text) {
            let value = RecordedValue::Commit(commit);
            return Some(Self { field, value });
        }
        let (field, date) = of.source_date(text)?;
        let problem = || {
            let Some(parsed) = SourceDate::parse(date) else {
                return Some("it is no date in the form of ISO 8601");
            };
            let key = unit.component.key_of(unit.string())?;
            let written = written(unit, key, budget)?;
            let times = source_times(unit.component, budget)?;
            times.at(key, parsed, written, written).err()
        };
        let value = RecordedValue::Date(date, problem());
        Some(Self { field, value })
    }
}

/// When the sources of a component's strings came; `None` if the budget is exhausted.
fn source_times<'a>(component: &'a ComponentSnapshot, budget: &Budget) -> Option<&'a SourceTimes> {
    let known = &component.current.source_times;
    if known.get().is_none() && !budget.spend(component.log.len() as u64) {
        return None;
    }
    Some(known.get_or_init(|| {
        let mut times = SourceTimes::default();
        times.read_on(&component.log);
        times
    }))
}

/// When the text of a unit was last written, in seconds; `None` if the log does not know, or the budget is exhausted.
fn written(unit: UnitView<'_>, key: KeyId, budget: &Budget) -> Option<i64> {
    let log = &unit.component.log;
    let own = log.of_lineage(unit.translation.lineage)?;
    let entries = own
        .iter()
        .take_while(|_| budget.spend(1))
        .filter_map(|&at| log.get(at as usize));
    let texts = entries.filter(|entry| entry.key == Some(key) && entry.action.writes_text());
    let last = texts.last()?;
    Some(last.time.seconds())
}
