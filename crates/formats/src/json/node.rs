//! Read access to the tokens of a file as a tree, for the formats that are always parsed in full.

use std::borrow::Cow;

use super::buffers::with_buffers;
use super::duplicates::DuplicateMembers;
use super::full_parse::lex;
use super::nested::Json;
use super::token::{JsonKind, JsonText, JsonToken, Quoted};
use crate::entry_list::EntryList;
use crate::error::{ReadErrorKind, SyntaxError};

/// A JSON format as a function of the root value, which adds the entries of the file.
pub(crate) type TreeEntries = fn(JsonNode<'_>, &mut EntryList) -> Result<(), SyntaxError>;

/// Adds the entries of a text that is not empty.
pub(crate) fn read_tree(
    text: &str,
    entries: TreeEntries,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    with_tree(text, |root| entries(root, list))
}

/// Calls `read` with the root value of a text. A text without a value is an error.
pub(crate) fn with_tree(
    text: &str,
    read: impl FnOnce(JsonNode<'_>) -> Result<(), SyntaxError>,
) -> Result<(), SyntaxError> {
    with_buffers(|buffers| {
        let duplicates = lex(&Json, text, 0, buffers)?;
        if buffers.tokens.is_empty() {
            let expected = "a value";
            return Err(ReadErrorKind::Structure { expected }.at(0));
        }
        let tree = JsonTree {
            duplicates,
            tokens: &buffers.tokens,
            text: JsonText::new(text, 0),
        };
        let (tree, index) = (&tree, 0);
        read(JsonNode { tree, index })
    })
}

/// The tokens of a file.
struct JsonTree<'a> {
    tokens: &'a [JsonToken],
    text: JsonText<'a>,
    duplicates: DuplicateMembers,
}

/// A value in the tree. Small, because objects of many members are lists of these.
#[derive(Clone, Copy)]
pub(crate) struct JsonNode<'a> {
    tree: &'a JsonTree<'a>,
    index: usize,
}

impl<'a> JsonNode<'a> {
    fn token(self) -> &'a JsonToken {
        &self.tree.tokens[self.index]
    }

    pub(super) fn kind(self) -> JsonKind {
        self.token().kind
    }

    /// Byte offset of the member or element.
    pub(crate) fn offset(self) -> usize {
        self.token().start()
    }

    /// The name of a member, decoded.
    pub(crate) fn name(self) -> Cow<'a, str> {
        self.tree.text.name(self.token().name)
    }

    /// Whether no object of the file has a name twice.
    pub(super) fn has_unique_names(self) -> bool {
        self.tree.duplicates.is_empty()
    }

    /// The members of an object or the elements of an array, without duplicates.
    pub(crate) fn children(self) -> impl Iterator<Item = JsonNode<'a>> {
        let mut next = self.index + 1;
        let end = next + self.token().inner as usize;
        std::iter::from_fn(move || {
            while next < end {
                let at = next;
                next += 1 + self.tree.tokens.get(at)?.inner as usize;
                if let Some(index) = self.tree.duplicates.value_of(at) {
                    let tree = self.tree;
                    return Some(Self { tree, index });
                }
            }
            None
        })
    }

    /// The members of an object with their names, without duplicates.
    pub(super) fn members(self) -> Vec<(Cow<'a, str>, JsonNode<'a>)> {
        self.children()
            .map(|member| (member.name(), member))
            .collect()
    }

    pub(crate) fn get(self, name: &str) -> Option<JsonNode<'a>> {
        if self.kind() != JsonKind::Object {
            return None;
        }
        self.children().find(|child| child.name() == name)
    }

    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        self.kind().is_string().then(|| self.text())
    }

    /// The text of any value in Python's notation, borrowed where the file has it, and whether the value is true.
    pub(super) fn leaf(self) -> (Cow<'a, str>, bool) {
        let JsonToken { kind, value, .. } = *self.token();
        if kind.is_string() {
            let text = self.tree.text.name(Quoted {
                span: value,
                escaped: kind == JsonKind::Escaped,
            });
            let is_true = !text.is_empty();
            return (text, is_true);
        }
        let mut buffer = String::new();
        let (text, is_true) = self.tree.text.leaf(kind, value, &mut buffer);
        (Cow::Owned(text.to_owned()), is_true)
    }

    /// The value as it is written; a string without its quotes.
    pub(super) fn source(self) -> &'a str {
        self.tree.text.at(self.token().value)
    }

    /// The text of any value in Python's notation.
    pub(super) fn text(self) -> Cow<'a, str> {
        self.leaf().0
    }

    pub(super) fn expected(self, expected: &'static str) -> SyntaxError {
        ReadErrorKind::Structure { expected }.at(self.token().value_start())
    }

    /// The text of a string, or an error.
    pub(super) fn require_string(
        self,
        expected: &'static str,
    ) -> Result<Cow<'a, str>, SyntaxError> {
        self.string().ok_or_else(|| self.expected(expected))
    }

    /// The text of a member, which is a string; empty without one.
    pub(super) fn optional_string(
        self,
        name: &str,
        expected: &'static str,
    ) -> Result<Cow<'a, str>, SyntaxError> {
        let member = self.get(name);
        member.map_or(Ok(Cow::Borrowed("")), |member| {
            member.require_string(expected)
        })
    }

    pub(super) fn require_object(self, expected: &'static str) -> Result<(), SyntaxError> {
        self.require(JsonKind::Object, expected)
    }

    pub(super) fn require(self, kind: JsonKind, expected: &'static str) -> Result<(), SyntaxError> {
        if self.kind() == kind {
            Ok(())
        } else {
            Err(self.expected(expected))
        }
    }
}
