//! Building blocks that several pages share. Each is a template of its own that escapes everything it shows.

mod breadcrumbs;
mod entry;
mod failures;
mod pager;
mod progress;
mod string_table;
mod table;
mod text;
mod tiles;
mod time;
mod unit_state;

pub(crate) use breadcrumbs::Breadcrumbs;
pub(crate) use entry::{EntryScope, EntryView, entries};
pub(crate) use failures::Failures;
pub(crate) use pager::{PageRange, Pager};
pub(crate) use progress::{UnitCounts, group_thousands, percent_text};
pub(crate) use string_table::{StringRow, StringTable};
pub(crate) use table::{LastChange, ProgressTable, TableRow};
pub(crate) use text::{
    LangAttrs, LocalizedText, Mark, difference, plain, short_difference, side_by_side,
};
pub(crate) use tiles::Tiles;
pub(crate) use time::Time;
pub(crate) use unit_state::UnitStatus;
