//! Regular expressions that are compiled when they are used for the first time.

use std::ops::Deref;
use std::sync::OnceLock;

use regex::Regex;

/// A valid regular expression.
pub(super) struct LazyRegex {
    pattern: &'static str,
    compiled: OnceLock<Regex>,
}

impl LazyRegex {
    /// Compiles nothing before the first use.
    pub(super) const fn new(pattern: &'static str) -> Self {
        Self {
            pattern,
            compiled: OnceLock::new(),
        }
    }

    /// Whether the expression, such as `\p{Script=Arabic}`, matches a character.
    pub(super) fn has(&self, char: char) -> bool {
        self.is_match(char.encode_utf8(&mut [0; 4]))
    }
}

impl Deref for LazyRegex {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        let compile = || Regex::new(self.pattern).expect("the pattern is valid");
        self.compiled.get_or_init(compile)
    }
}
