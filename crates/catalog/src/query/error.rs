//! The errors of the parser. Must not depend on other modules.

/// Why a query cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {position}: {message}")]
pub struct QueryError {
    /// Which character, from 1 on.
    pub position: usize,
    /// The reason.
    pub message: String,
    /// The reason in the words of current Weblate.
    in_weblate: String,
}

impl QueryError {
    /// `in_weblate`: the reason in the words of current Weblate, if it has any.
    pub(super) fn new(position: usize, reason: Reason) -> Self {
        Self {
            position,
            message: reason.message,
            in_weblate: reason.in_weblate,
        }
    }

    /// The reason as the API of current Weblate reports it (docs/spec/query.md#errors).
    pub fn in_weblate(&self) -> String {
        ["Could not parse query string: ", &*self.in_weblate].concat()
    }
}

/// Why a term cannot be read.
#[derive(Debug)]
pub(super) struct Reason {
    /// A sentence for people.
    pub(super) message: String,
    /// In the words of current Weblate.
    pub(super) in_weblate: String,
}

impl Reason {
    pub(super) fn new(message: impl Into<String>, in_weblate: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            in_weblate: in_weblate.into(),
        }
    }

    /// Current Weblate has the error `KIND: VALUE`.
    pub(super) fn of(message: impl Into<String>, kind: &str, value: &str) -> Self {
        Self::new(message, [kind, ": ", value].concat())
    }
}
