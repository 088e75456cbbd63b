//! Checks of plain text: punctuation, whitespace and letters (`docs/spec/checks.md#text-checks`).

mod ends;
mod letters;
mod spacing;
#[cfg(test)]
mod tests;

pub(super) use ends::check as check_ends;
pub(super) use letters::{duplicate, kabyle, kashida, multiple_capital};
pub(super) use spacing::{check as check_spacing, punctuation_spacing};
