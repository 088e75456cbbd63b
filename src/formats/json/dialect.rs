//! The differences between JSON formats. Lexing and parsing are shared.

use super::buffers::ParseBuffers;
use super::duplicates::DuplicateMembers;
use super::lexer::Lexer;
pub(super) use super::member::Member;
use super::shape::JsonShape;
use super::text::JsonText;
use super::token::JsonToken;
use super::tree;
use crate::formats::RawEntry;
use crate::formats::error::SyntaxError;

/// A format written as JSON.
pub(super) trait JsonDialect: Send + Sync {
    /// Number of tokens of each node except the root.
    const TOKENS_PER_NODE: usize = 1;

    /// Lexes the root value at the cursor into nodes and tokens.
    fn root(&self, lexer: &mut Lexer<'_>, buffers: &mut ParseBuffers) -> Result<(), SyntaxError> {
        tree::root(lexer, buffers)
    }

    /// Returns the first value that is valid JSON but does not fit the format. Called if
    /// [`ParseBuffers::unsupported`] is set.
    fn unsupported_value(
        &self,
        tokens: &[JsonToken],
        duplicates: &DuplicateMembers,
    ) -> Option<SyntaxError> {
        let _ = (tokens, duplicates);
        None
    }

    /// Whether a file with this shape may exceed a limit. Its [tokens](Self::check_limits) decide.
    fn may_exceed_limits(&self, shape: &JsonShape) -> bool {
        let _ = shape;
        false
    }

    /// Checks the limits of a whole file before its entries are emitted.
    fn check_limits(&self, tokens: &[JsonToken]) -> Result<(), SyntaxError> {
        let _ = tokens;
        Ok(())
    }

    /// Emits the entries of the tokens: of a whole file, or of members of the object with the path `outer`.
    /// `outer` may be changed. On an error nothing was emitted.
    fn entries(
        &self,
        tokens: &[JsonToken],
        text: JsonText<'_>,
        outer: &mut String,
        duplicates: &DuplicateMembers,
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) -> Result<(), SyntaxError>;
}

/// A JSON format whose files are parsed against an earlier version.
pub(super) trait IncrementalDialect: JsonDialect {
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
}
