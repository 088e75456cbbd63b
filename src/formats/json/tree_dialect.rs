//! JSON formats that need the whole tree and are always parsed in full.

use super::dialect::JsonDialect;
use super::duplicates::DuplicateMembers;
use super::full_parse;
use super::node::{JsonNode, JsonTree};
use super::shape::Outline;
use super::text::JsonText;
use super::token::JsonToken;
use super::walk::{NestedDialect, Walk};
use crate::formats::entry_list::EntryList;
use crate::formats::error::SyntaxError;
use crate::formats::{FormatReader, RawEntry, ReadError};

/// A JSON format as a function of the root value.
pub(super) trait TreeDialect: Send + Sync {
    /// Adds the entries of the file.
    fn entries(&self, root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError>;
}

/// A format with nested objects as a function of the root value.
pub(super) struct Nested<D>(pub(super) D);

impl<D: NestedDialect> TreeDialect for Nested<D> {
    fn entries(&self, root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
        Walk::run(&self.0, root, list)
    }
}

/// The reader of a [`TreeDialect`].
pub(super) struct TreeReader<D>(pub(super) D);

impl<D: TreeDialect> JsonDialect for TreeReader<D> {
    fn entries(
        &self,
        tokens: &[JsonToken],
        text: JsonText<'_>,
        _outer: &mut String,
        duplicates: &DuplicateMembers,
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) -> Result<(), SyntaxError> {
        let mut list = EntryList::default();
        let tree = JsonTree {
            tokens,
            text,
            duplicates,
        };
        if let Some(root) = tree.root() {
            self.0.entries(root, &mut list)?;
            list.check_size()?;
        }
        list.emit(sink);
        Ok(())
    }
}

impl<D: TreeDialect> FormatReader for TreeReader<D> {
    fn read(
        &self,
        bytes: &[u8],
        outline: &mut Outline,
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) -> Result<(), ReadError> {
        full_parse::read(self, bytes, outline, sink)
    }
}
