//! Reading a version of a file against the one before it; for now all of it.

use super::grammar::Grammar;
use super::{Outline, Part, ReadError, whole};

/// [`super::Reader::reread`] for a format written as JSON.
pub(super) fn reread<G: Grammar>(
    grammar: &G,
    _old: &[u8],
    outline: &mut Outline,
    new: &[u8],
    sink: &mut dyn FnMut(Part<'_>),
) -> Result<(), ReadError> {
    whole::with_draft(|draft| whole::read_with(grammar, new, outline, draft, &mut |entry| sink(Part::Entry(entry))))
}
