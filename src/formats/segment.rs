//! What comparing two versions of a file found, and telling it as parts of the new list.

use std::ops::Range;

use super::grammar::Grammar;
use super::lexer::Lexer;
use super::outline::{Draft, Shape};
use super::repeats::Repeats;
use super::spell::{Text, unescape};
use super::{Part, RawEntry};

/// A piece of the new file.
pub(super) enum Segment<'a> {
    /// These nodes of the old file.
    Kept(Range<u32>),
    /// These tokens, members of that old container, which stand in that text.
    Lexed { tokens: Range<usize>, container: u32, text: Text<'a> },
}

/// Gives the parts of the new file's list.
pub(super) fn tell<G: Grammar>(
    grammar: &G,
    old: &[u8],
    shape: &Shape,
    segments: &[Segment<'_>],
    draft: &Draft,
    sink: &mut dyn FnMut(Part<'_>),
) {
    let mut kept = 0..0;
    let mut path = String::new();
    for segment in segments {
        match segment {
            Segment::Kept(nodes) => {
                let entries = shape.entries_before(nodes.start)..shape.entries_before(nodes.end);
                if entries.start == kept.end {
                    kept.end = entries.end;
                } else if !entries.is_empty() {
                    if !kept.is_empty() {
                        sink(Part::Kept(kept));
                    }
                    kept = entries;
                }
            }
            Segment::Lexed { tokens, container, text } => {
                let tokens = draft.tokens.get(tokens.clone()).unwrap_or_default();
                if tokens.is_empty() {
                    continue;
                }
                if !kept.is_empty() {
                    sink(Part::Kept(kept.clone()));
                    kept.start = kept.end;
                }
                path.clear();
                if G::NESTS {
                    add_path(old, shape, *container, &mut path);
                }
                let mut entry = |entry: RawEntry<'_>| sink(Part::Entry(entry));
                grammar.entries(tokens, *text, &mut path, &Repeats::default(), &mut entry);
            }
        }
    }
    if !kept.is_empty() {
        sink(Part::Kept(kept));
    }
}

/// Adds the path of an object that stands in objects only.
fn add_path(old: &[u8], shape: &Shape, container: u32, path: &mut String) {
    let around = std::iter::successors(Some(container), |&index| shape.outer(index));
    let mut nodes: Vec<u32> = around.filter_map(|index| Some(shape.container(index)?.node)).collect();
    // The outermost has no name.
    nodes.pop();
    for node in nodes.into_iter().rev() {
        let start = shape.starts.get(node as usize).copied().unwrap_or_default();
        let mut lexer = Lexer::new(old, start as usize);
        let name = lexer.string().unwrap_or_default();
        let raw = std::str::from_utf8(lexer.slice(name.span)).unwrap_or_default();
        path.push('.');
        if name.escaped { unescape(raw, path) } else { path.push_str(raw) }
    }
}
