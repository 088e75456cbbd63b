//! The names that occur more than once in one object.

use std::borrow::Cow;

use super::token::{JsonText, JsonToken};
use crate::json_shape::JsonShape;
use gitglot_model::{SeededMap, SeededSet};

/// The members that share their name with a sibling, by token index. As in a Python dict, such a member has the
/// position of the first and the value of the last. The value is the token with the effective value, or `None` for a
/// member that an earlier one replaces.
#[derive(Debug, Default)]
pub(super) struct DuplicateMembers(SeededMap<usize, Option<usize>>);

impl DuplicateMembers {
    /// Finds the duplicates among the nodes with these path hashes. Every node except the root has `tokens_per_node`
    /// tokens.
    pub(super) fn find(
        shape: &JsonShape,
        repeated: &[u32],
        tokens: &[JsonToken],
        tokens_per_node: usize,
        text: JsonText<'_>,
    ) -> Self {
        let repeated: SeededSet<u32> = repeated.iter().copied().collect();
        let mut values = SeededMap::default();
        let mut first_of: SeededMap<(u32, Cow<'_, str>), usize> = SeededMap::default();
        let nodes = shape.starts.iter().zip(&shape.hashes).enumerate().skip(1);
        for (node, (&start, _)) in nodes.filter(|(_, (_, hash))| repeated.contains(hash)) {
            let at = 1 + (node - 1) * tokens_per_node;
            let Some(token) = tokens.get(at).filter(|token| !token.is_unnamed()) else {
                continue;
            };
            let Some(object) = shape.enclosing(start) else {
                continue;
            };
            let name = (object, text.name(token.name));
            let first = *first_of.entry(name).or_insert(at);
            if first != at {
                values.insert(at, None);
                values.insert(first, Some(at));
            }
        }
        Self(values)
    }

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
