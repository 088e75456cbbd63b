//! Names that occur more than once in one object. As in a Python dict, such a member has the position of the
//! first and the value of the last.

use std::borrow::Cow;
use std::collections::HashMap;

use super::text::JsonText;
use super::token::{JsonKind, JsonToken};

/// The members that share their name with a sibling, by token index. The value is the token with the effective
/// value, or `None` for a member that an earlier one replaces.
#[derive(Debug, Default)]
pub(super) struct DuplicateMembers(HashMap<usize, Option<usize>>);

impl DuplicateMembers {
    /// Finds the duplicates; with `nests` also in nested objects.
    pub(super) fn find(tokens: &[JsonToken], text: JsonText<'_>, nests: bool) -> Self {
        let mut values = HashMap::new();
        let objects = if nests {
            tokens.len()
        } else {
            tokens.len().min(1)
        };
        for (object, token) in tokens.iter().enumerate().take(objects) {
            if token.kind == JsonKind::Object {
                let mut first_of: HashMap<Cow<'_, str>, usize> = HashMap::new();
                let mut at = object + 1;
                while let Some(member) = tokens
                    .get(at)
                    .filter(|_| at <= object + token.inner as usize)
                {
                    let first = *first_of.entry(text.name(member.name)).or_insert(at);
                    if first != at {
                        values.insert(at, None);
                        values.insert(first, Some(at));
                    }
                    at += 1 + member.inner as usize;
                }
            }
        }
        Self(values)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The token with the effective value of a member: usually the same token. `None` if the member is part of an
    /// earlier one.
    #[inline]
    pub(super) fn value_of(&self, token: usize) -> Option<usize> {
        if self.0.is_empty() {
            Some(token)
        } else {
            self.0.get(&token).copied().unwrap_or(Some(token))
        }
    }
}
