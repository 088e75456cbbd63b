//! Names that stand more than once in one object: as in Python's dict, such a member keeps the place of the
//! first and has the value of the last.

use std::borrow::Cow;
use std::collections::HashMap;

use super::lexer::Kind;
use super::outline::Token;
use super::spell::Text;

/// The members of a file that share their name with a sibling, by token: the token whose value the member
/// has, or `None` where an earlier member stands for it.
#[derive(Debug, Default)]
pub(super) struct Repeats(HashMap<usize, Option<usize>>);

impl Repeats {
    /// Finds them. `nests`: the objects within objects count as well.
    pub(super) fn find(tokens: &[Token], text: Text<'_>, nests: bool) -> Self {
        let mut fates = HashMap::new();
        let reach = if nests { tokens.len() } else { tokens.len().min(1) };
        for (object, token) in tokens.iter().enumerate().take(reach) {
            if token.kind == Kind::Object {
                let mut first_of: HashMap<Cow<'_, str>, usize> = HashMap::new();
                let mut at = object + 1;
                while let Some(member) = tokens.get(at).filter(|_| at <= object + token.inner as usize) {
                    let first = *first_of.entry(text.name(member.name)).or_insert(at);
                    if first != at {
                        fates.insert(at, None);
                        fates.insert(first, Some(at));
                    }
                    at += 1 + member.inner as usize;
                }
            }
        }
        Self(fates)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The token whose value the member at that token has: mostly its own. `None` if the member is told
    /// at an earlier place.
    #[inline]
    pub(super) fn value_of(&self, token: usize) -> Option<usize> {
        if self.0.is_empty() { Some(token) } else { self.0.get(&token).copied().unwrap_or(Some(token)) }
    }
}
