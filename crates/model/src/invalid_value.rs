//! The error of a setting whose text has no meaning.

use std::borrow::Cow;

/// A text that is not what a setting expects. One sentence with the next step.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{got}' is not {expected}")]
pub struct InvalidValue {
    /// The text.
    pub got: String,
    /// What is expected, with an example: `a size: use a number with B, kB or MB, such as 64MB`.
    pub expected: Cow<'static, str>,
}

impl InvalidValue {
    /// The error of a text.
    pub fn new(got: &str, expected: impl Into<Cow<'static, str>>) -> Self {
        Self {
            got: got.to_owned(),
            expected: expected.into(),
        }
    }
}
