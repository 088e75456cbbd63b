//! The name of a member.

use super::lexer::Lexer;
use super::shape::path_hash;
use super::token::Quoted;
use crate::formats::error::SyntaxError;

/// The name of a member, or the start of an element, before its value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Member {
    /// Byte offset of its first byte.
    pub(super) start: usize,
    pub(super) name: Quoted,
    /// The hash of its path.
    pub(super) hash: u32,
}

impl Member {
    /// Reads the name, whose first quote is at the cursor, and advances to the value.
    #[inline]
    pub(super) fn read(lexer: &mut Lexer<'_>, outer: u32) -> Result<Self, SyntaxError> {
        let start = lexer.at;
        let name = lexer.name()?;
        let mut buffer = String::new();
        Ok(Self {
            start,
            name,
            hash: path_hash(outer, lexer.text_of(name, &mut buffer)),
        })
    }
}
