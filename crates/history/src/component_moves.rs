//! Strings that move from one component of a project to another (docs/spec/renames.md#other-components).
//!
//! - `commits` reads the strings that commits remove from components and add to others, from the logs of components
//!   that follow the same branch.
//! - `search` finds which of them are one string, with [`ChangedTexts`](crate::ChangedTexts) as a check does, and the
//!   texts that follow them. `key_texts` knows for which source each was written.
//! - [`BranchMoves`] keeps what was found up with the logs.
//! - [`CarriedText`] is a text that moved, which a history keeps as written for its source.
//!
//! All who have the logs find the same moves. Only a history that carries texts depends on git.

mod branch;
mod carried_texts;
mod commits;
mod key_texts;
mod moved;
mod search;

pub use branch::{BranchMoves, ReceivedTexts};
pub use carried_texts::CarriedText;
pub use moved::{ComponentLog, ComponentMove, MovedText};

#[cfg(test)]
mod tests;
