//! Strings that move from one component of a project to another (docs/spec/renames.md#other-components).
//!
//! - [`ChangedTexts`] decides which of the strings that a change removes and adds are one, of commits as of checked files.
//! - `commits` reads those strings from the logs of components that follow the same branch, `search` finds the moves and the
//!   texts that follow, and `key_texts` knows for which source each was written.
//! - [`BranchMoves`] keeps what was found up with the logs.
//! - [`CarriedText`] is a text that moved, which a history keeps as written for its source.
//!
//! Pure: all who have the logs find the same moves. Must not depend on git or files.

mod branch;
mod carried_texts;
mod commits;
mod key_texts;
mod moved;
mod pairs;
mod search;

pub use branch::{BranchMoves, ReceivedTexts};
pub use carried_texts::CarriedText;
pub use moved::{ComponentLog, ComponentMove, MovedText};
pub use pairs::ChangedTexts;

#[cfg(test)]
mod tests;
