//! Read access to the tokens of a file as a tree.

use std::borrow::Cow;

use super::duplicates::DuplicateMembers;
use super::text::JsonText;
use super::token::{JsonKind, JsonToken};
use crate::formats::ReadErrorKind;
use crate::formats::error::SyntaxError;

/// The tokens of a file.
pub(super) struct JsonTree<'a> {
    pub(super) tokens: &'a [JsonToken],
    pub(super) text: JsonText<'a>,
    pub(super) duplicates: &'a DuplicateMembers,
}

/// A value in the tree. Small, because objects of many members are lists of these.
#[derive(Clone, Copy)]
pub(super) struct JsonNode<'a> {
    tree: &'a JsonTree<'a>,
    index: usize,
}

impl JsonTree<'_> {
    /// The root value; `None` for a file without bytes.
    pub(super) fn root(&self) -> Option<JsonNode<'_>> {
        self.node(0)
    }

    fn node(&self, index: usize) -> Option<JsonNode<'_>> {
        self.tokens.get(index)?;
        Some(JsonNode { tree: self, index })
    }
}

impl<'a> JsonNode<'a> {
    fn token(self) -> &'a JsonToken {
        &self.tree.tokens[self.index]
    }

    pub(super) fn kind(self) -> JsonKind {
        self.token().kind
    }

    /// Byte offset of the member or element.
    pub(super) fn offset(self) -> usize {
        self.token().start()
    }

    /// The name of a member, decoded.
    pub(super) fn name(self) -> Cow<'a, str> {
        self.tree.text.name(self.token().name)
    }

    /// The members of an object or the elements of an array, without duplicates.
    pub(super) fn children(self) -> impl Iterator<Item = JsonNode<'a>> {
        let mut next = self.index + 1;
        let end = next + self.token().inner as usize;
        std::iter::from_fn(move || {
            while next < end {
                let at = next;
                next += 1 + self.tree.tokens.get(at)?.inner as usize;
                if let Some(index) = self.tree.duplicates.value_of(at) {
                    return self.tree.node(index);
                }
            }
            None
        })
    }

    /// The member of that name.
    pub(super) fn get(self, name: &str) -> Option<JsonNode<'a>> {
        if self.kind() != JsonKind::Object {
            return None;
        }
        self.children().find(|child| child.name() == name)
    }

    /// The text of a string.
    pub(super) fn string(self) -> Option<Cow<'a, str>> {
        match self.kind() {
            JsonKind::Plain => Some(Cow::Borrowed(self.tree.text.at(self.token().value))),
            JsonKind::Escaped => Some(Cow::Owned(self.python())),
            _ => None,
        }
    }

    /// The text of any value in Python's notation, and whether it is true.
    pub(super) fn leaf<'b>(self, buffer: &'b mut String) -> (&'b str, bool)
    where
        'a: 'b,
    {
        self.tree
            .text
            .leaf(self.token().kind, self.token().value, buffer)
    }

    /// The text of any value in Python's notation.
    pub(super) fn python(self) -> String {
        let mut buffer = String::new();
        self.leaf(&mut buffer).0.to_owned()
    }

    /// The value as it is written; a string without its quotes.
    pub(super) fn source(self) -> &'a str {
        self.tree.text.at(self.token().value)
    }

    /// The text of any value in Python's notation, borrowed where the file has it.
    pub(super) fn text(self) -> Cow<'a, str> {
        self.string().unwrap_or_else(|| Cow::Owned(self.python()))
    }

    /// An error at this value.
    pub(super) fn expected(self, expected: &'static str) -> SyntaxError {
        SyntaxError {
            kind: ReadErrorKind::Structure { expected },
            at: self.token().value_start(),
        }
    }

    /// The text of a string, or an error.
    pub(super) fn require_string(
        self,
        expected: &'static str,
    ) -> Result<Cow<'a, str>, SyntaxError> {
        self.string().ok_or_else(|| self.expected(expected))
    }

    /// Checks the kind of the value.
    pub(super) fn require(self, kind: JsonKind, expected: &'static str) -> Result<(), SyntaxError> {
        if self.kind() == kind {
            Ok(())
        } else {
            Err(self.expected(expected))
        }
    }
}
