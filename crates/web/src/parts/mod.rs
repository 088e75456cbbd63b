//! Building blocks that several pages share. Each is a template of its own that escapes everything it shows.

pub mod activity;
mod entry;
mod failures;
mod links;
mod origins;
mod people;
mod progress;
mod sorting;
mod string_table;
mod table;
mod text;
mod work;

pub(crate) use entry::{EntryScope, EntryView, EntryViews, SHORT_ID, entries};
pub(crate) use failures::Failures;
pub(crate) use links::{Breadcrumbs, Pager};
pub(crate) use origins::{Origins, origin_label};
pub(crate) use people::{name_of, person};
use progress::marks;
pub(crate) use progress::{Bar, Tiles, group_thousands, percent_of, percent_text};
pub(crate) use sorting::{SortColumn, SortLink, Sorting};
pub(crate) use string_table::{RowAttrs, StringRow, StringTable, UnitStatus};
pub(crate) use table::{LastChange, PAGE_SIZE, ProgressTable, TableRow, Time};
pub(crate) use text::{
    LONG, LangAttrs, LocalizedText, Mark, SHORT, difference, plain, side_by_side,
};
pub(crate) use work::ComponentWork;
