//! The differences between the JSON formats that are parsed against an earlier version.

use super::buffers::ParseBuffers;
use super::duplicates::DuplicateMembers;
use super::lexer::{Lexer, Member};
use super::token::{JsonText, JsonToken};
use crate::entry::EntrySink;
use crate::error::SyntaxError;

/// A format written as JSON.
pub(super) trait JsonDialect: Send + Sync {
    /// Number of tokens of each node except the root.
    const TOKENS_PER_NODE: usize;

    /// Lexes the root value at the cursor into nodes and tokens.
    fn root(&self, lexer: &mut Lexer<'_>, buffers: &mut ParseBuffers) -> Result<(), SyntaxError>;

    /// Lexes the value of a member of `container`, `depth` levels deep, into nodes and tokens. The value begins
    /// at the cursor.
    fn member(
        &self,
        lexer: &mut Lexer<'_>,
        buffers: &mut ParseBuffers,
        member: Member,
        container: u32,
        depth: usize,
    ) -> Result<(), SyntaxError>;

    /// Returns the first value that is valid JSON but does not fit the format. Called if
    /// [`ParseBuffers::unsupported`] is set.
    fn unsupported_value(
        &self,
        _tokens: &[JsonToken],
        _duplicates: &DuplicateMembers,
    ) -> Option<SyntaxError> {
        None
    }

    /// Emits the entries of the tokens: of a whole file, or of members of the object with the path `outer`.
    /// `outer` may be changed.
    fn entries(
        &self,
        tokens: &[JsonToken],
        text: JsonText<'_>,
        outer: &mut String,
        duplicates: &DuplicateMembers,
        sink: EntrySink<'_>,
    );
}
