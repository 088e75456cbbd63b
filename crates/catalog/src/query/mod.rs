//! The language of `q=`: selects units (docs/spec/pages.md#search).
//!
//! `parse` reads a query into a syntax tree. `plan` compiles it: it folds duplicate terms, joins texts that one pass
//! can search, and puts cheap conditions first. `matcher` finds all texts of a query in one pass over a text, and
//! `select` tests units within a [`Budget`](crate::scan::Budget). Must not depend on HTTP or pages.

mod case_folding;
mod matcher;
mod parse;
mod plan;
mod select;
mod syntax;

pub use parse::parse;
pub use plan::Filter;
pub use select::{Selection, spend_check};
pub use syntax::QueryError;

#[cfg(test)]
mod tests;
