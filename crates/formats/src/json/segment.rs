//! The result of an incremental parse, and its conversion to parts of the new entry list.

use std::ops::Range;

use super::buffers::ParseBuffers;
use super::dialect::JsonDialect;
use super::duplicates::DuplicateMembers;
use super::lexer::Lexer;
use super::token::JsonText;
use crate::entry::{Part, PartSink, RawEntry};
use crate::json_shape::JsonShape;

/// A piece of the new file.
pub(super) enum FileSegment<'a> {
    /// These nodes of the old file.
    Reused(Range<u32>),
    /// These tokens of the text: members of that container of the old file.
    Lexed {
        tokens: Range<usize>,
        container: u32,
        text: JsonText<'a>,
    },
}

/// Emits the parts of the new entry list.
pub(super) fn emit_parts<D: JsonDialect>(
    dialect: &D,
    old: &[u8],
    shape: &JsonShape,
    segments: &[FileSegment<'_>],
    buffers: &ParseBuffers,
    sink: PartSink<'_>,
) {
    let mut reused = 0..0;
    let mut path = String::new();
    for segment in segments {
        match segment {
            FileSegment::Reused(nodes) => {
                let entries = shape.entries_before(nodes.start)..shape.entries_before(nodes.end);
                if entries.start == reused.end {
                    reused.end = entries.end;
                } else if !entries.is_empty() {
                    if !reused.is_empty() {
                        sink(Part::Reused(reused));
                    }
                    reused = entries;
                }
            }
            FileSegment::Lexed {
                tokens,
                container,
                text,
            } => {
                let tokens = &buffers.tokens[tokens.clone()];
                if tokens.is_empty() {
                    continue;
                }
                if !reused.is_empty() {
                    sink(Part::Reused(reused.clone()));
                    reused.start = reused.end;
                }
                path.clear();
                if D::TOKENS_PER_NODE == 1 {
                    add_path(old, shape, *container, &mut path);
                }
                let mut entry = |entry: RawEntry<'_>| sink(Part::Entry(entry));
                let unique = DuplicateMembers::default();
                dialect.entries(tokens, *text, &mut path, &unique, &mut entry);
            }
        }
    }
    if !reused.is_empty() {
        sink(Part::Reused(reused));
    }
}

/// Appends the path of an object whose ancestors are all objects.
fn add_path(old: &[u8], shape: &JsonShape, container: u32, path: &mut String) {
    let ancestors = std::iter::successors(Some(container), |&index| shape.outer(index));
    let mut nodes: Vec<u32> = ancestors
        .filter_map(|index| Some(shape.container(index)?.node))
        .collect();
    // The root has no name.
    nodes.pop();
    for node in nodes.into_iter().rev() {
        let mut lexer = Lexer::new(old, shape.starts[node as usize] as usize);
        let name = lexer.string().expect("a name that the lexer read");
        let raw = std::str::from_utf8(lexer.slice(name.span)).expect("a name in valid UTF-8");
        path.push('.');
        JsonText::new(raw, name.span.from as usize).add_name(name, path);
    }
}
