//! Classes of characters by Unicode property.

use std::sync::OnceLock;

use regex::Regex;

/// A class of characters, written as between the brackets of a regular expression: `\p{Script=Arabic}`.
pub(super) struct CharClass {
    class: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl CharClass {
    /// Compiles nothing before the first use.
    pub(super) const fn new(class: &'static str) -> Self {
        Self {
            class,
            compiled: OnceLock::new(),
        }
    }

    /// Whether the class contains a character. An invalid class contains none.
    pub(super) fn contains(&self, char: char) -> bool {
        let compile = || Regex::new(&format!("^[{}]$", self.class)).ok();
        let compiled = self.compiled.get_or_init(compile).as_ref();
        compiled.is_some_and(|class| class.is_match(char.encode_utf8(&mut [0; 4])))
    }
}
