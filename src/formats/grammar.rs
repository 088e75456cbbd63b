//! What the JSON formats differ in; reading whole files and in parts is shared.

use super::lexer::{Fault, Lexer, Quoted};
use super::outline::{Draft, Token, path_hash};
use super::repeats::Repeats;
use super::spell::Text;
use super::{Outline, Part, RawEntry, ReadError, Reader, splice, whole};

/// A format written as JSON.
pub(super) trait Grammar: Send + Sync {
    /// Whether entries stand in objects within objects, and are given by path; else the members
    /// of the outermost object are the entries.
    const NESTS: bool;

    /// Lexes the whole value, which begins here, into nodes and tokens.
    fn root(&self, lexer: &mut Lexer<'_>, draft: &mut Draft) -> Result<(), Fault>;

    /// Lexes the value of a member, which begins here, into nodes and tokens. The member
    /// stands in `container`, `depth` levels deep.
    fn member(
        &self,
        lexer: &mut Lexer<'_>,
        draft: &mut Draft,
        member: Member,
        container: u32,
        depth: usize,
    ) -> Result<(), Fault>;

    /// What makes the tokens unfit for the format although they are JSON.
    fn misfit(&self, tokens: &[Token], repeats: &Repeats) -> Option<Fault> {
        let _ = (tokens, repeats);
        None
    }

    /// Gives the entries of the tokens: those of a whole file, or those of members
    /// of the object whose path is `outer`, which may be scribbled upon.
    fn entries(
        &self,
        tokens: &[Token],
        text: Text<'_>,
        outer: &mut String,
        repeats: &Repeats,
        sink: &mut dyn FnMut(RawEntry<'_>),
    );
}

impl<G: Grammar> Reader for G {
    fn read(&self, bytes: &[u8], outline: &mut Outline, sink: &mut dyn FnMut(RawEntry<'_>)) -> Result<(), ReadError> {
        whole::read(self, bytes, outline, sink)
    }

    fn reread(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: &mut dyn FnMut(Part<'_>),
    ) -> Result<(), ReadError> {
        splice::reread(self, old, outline, new, sink)
    }
}

/// A member of an object, or an element, before its value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Member {
    /// Where it begins.
    pub(super) start: usize,
    pub(super) name: Quoted,
    /// The hash of its path.
    pub(super) hash: u32,
}

impl Member {
    /// Reads the name, whose first quote is here, and goes on to the value.
    #[inline]
    pub(super) fn read(lexer: &mut Lexer<'_>, outer: u32) -> Result<Self, Fault> {
        let start = lexer.at;
        let name = lexer.name()?;
        let mut room = String::new();
        Ok(Self { start, name, hash: path_hash(outer, lexer.text_of(name, &mut room)) })
    }
}
