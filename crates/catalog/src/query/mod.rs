//! The language of `q=`: selects units (docs/spec/query.md).
//!
//! `parse` reads a query into a syntax tree; `fields` gives terms the meaning of a dialect. `plan` compiles the tree: it
//! folds duplicate terms, joins texts that one pass can search, and puts cheap conditions first. `matcher` finds all
//! texts of a query in one pass over a text, `highlight` their parts in a text that is shown, `changes` tests the log, and `select` tests units within a
//! [`Budget`](crate::scan::Budget). Must not depend on HTTP, pages or the clock.

mod actions;
mod case_folding;
mod changes;
mod dialect;
mod error;
mod fields;
mod highlight;
mod matcher;
mod parse;
mod pattern;
mod plan;
mod select;
mod syntax;
mod times;
mod values;

pub use actions::action_name;
pub use dialect::Dialect;
pub use error::QueryError;
pub use highlight::ShownText;
pub use parse::parse;
pub use plan::Filter;
pub use select::{Selection, spend_check};
pub use times::depends_on_day;

#[cfg(test)]
mod tests;
