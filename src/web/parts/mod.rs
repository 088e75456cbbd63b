//! Pieces that several pages are put together from. Each is a template of its own that escapes what it shows.

mod chart;
mod crumbs;
mod entry;
mod figures;
mod pager;
mod table;
mod text;
mod tiles;
mod time;
mod troubles;

pub(super) use chart::{Bars, Lines};
pub(super) use crumbs::Crumbs;
pub(super) use entry::{Entry, Scope, entries};
pub(super) use figures::{Bar, Figures};
pub(super) use pager::{Pager, Stretch};
pub(super) use table::{Last, Row, Table};
pub(super) use text::{Text, Tongue, difference, plain, short_difference};
pub(super) use tiles::Tiles;
pub(super) use time::Time;
pub(super) use troubles::Troubles;
