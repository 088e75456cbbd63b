//! Parses a version of a file against an earlier version: common bytes are skipped, the rest is lexed.
//!
//! Both files are compared from the start. Equal bytes are not lexed. At a difference, the parser goes back to
//! the last offset where the JSON state is known (before a member, after an opening or closing brace) and lexes
//! members of the new file until it reaches a member, or the end of the object, that the old file also has.
//! There both files are in the same state, so equal bytes mean equal entries. The choice of that member is a
//! heuristic: a poor choice costs time, never correctness. Anything unexpected falls back to a full parse.

use std::ops::Range;

use super::buffers::{ParseBuffers, with_buffers};
use super::dialect::JsonDialect;
use super::full_parse;
use super::lexer::{Lexer, Member};
use super::segment::{self, FileSegment};
use super::token::JsonText;
use crate::common_prefix::common_prefix;
use crate::entry::{EntrySink, Part, PartSink, RawEntry};
use crate::error::{MAX_BYTES, MAX_IDS};
use crate::format_reader::{FormatReader, ReadResult};
use crate::json_shape::{Container, JsonShape};
use crate::offsets::offset;
use crate::outline::Outline;

/// The reader of a dialect.
pub(crate) struct Incremental<D>(pub(crate) D);

impl<D: JsonDialect> FormatReader for Incremental<D> {
    fn read(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        with_buffers(|buffers| full_parse::read(&self.0, bytes, buffers, sink).map(drop))
    }

    fn reparse(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: PartSink<'_>,
    ) -> ReadResult {
        let Self(dialect) = self;
        with_buffers(|buffers| {
            if outline.json.names_are_unique
                && new.len() <= MAX_BYTES
                && let Some(segments) =
                    ShapeComparison::run(dialect, old, &outline.json.shape, new, buffers)
                && buffers.shape.max_id_bytes() <= MAX_IDS
            {
                segment::emit_parts(dialect, old, &outline.json.shape, &segments, buffers, sink);
                std::mem::swap(&mut outline.json.shape, &mut buffers.shape);
                return Ok(());
            }
            let mut entry = |entry: RawEntry<'_>| sink(Part::Entry(entry));
            outline.json.names_are_unique = full_parse::read(dialect, new, buffers, &mut entry)?;
            std::mem::swap(&mut outline.json.shape, &mut buffers.shape);
            Ok(())
        })
    }
}

/// A run of bytes that both files contain.
struct EqualBytes {
    /// Its range in the old file.
    old: Range<u32>,
    /// Added to an old offset, modulo 2^32, it gives the new offset.
    shift: u32,
}

/// Offsets at which both files are in the same JSON state.
struct SyncPoint {
    old: usize,
    new: usize,
    /// Number of equal bytes from there on.
    common: usize,
}

/// The point where lexing starts.
struct Restart {
    /// Offset in the old file. Everything before it is equal since the last sync point.
    at: u32,
    /// The object that contains the members.
    container: u32,
    state: Expectation,
    /// The node of the next member in the old file, if there is one.
    next: u32,
}

/// The token that the parser expects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expectation {
    /// The first member or the object's end.
    First,
    Member,
    /// A comma or the object's end.
    AfterMember,
}

struct ShapeComparison<'a, 'd, D> {
    dialect: &'d D,
    old: &'a [u8],
    new: &'a [u8],
    /// The shape of the old file. The buffers contain the shape of the new file.
    shape: &'d JsonShape,
    buffers: &'d mut ParseBuffers,
    segments: Vec<FileSegment<'a>>,
    equal: Vec<EqualBytes>,
    /// The new index of each old container, or [`GONE`].
    new_index: Vec<u32>,
    /// Path hashes of members whose name may already exist in their object.
    new_names: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl<'a, 'd, D: JsonDialect> ShapeComparison<'a, 'd, D> {
    /// Compares both files. Returns `None` if the new file needs a full parse.
    fn run(
        dialect: &'d D,
        old: &'a [u8],
        shape: &'d JsonShape,
        new: &'a [u8],
        buffers: &'d mut ParseBuffers,
    ) -> Option<Vec<FileSegment<'a>>> {
        let root = *shape.container(0).filter(|root| root.path_is_static)?;
        let end = root.close as usize + 1;
        let mut comparison = Self {
            dialect,
            old,
            new,
            shape,
            buffers,
            segments: Vec::new(),
            equal: Vec::new(),
            new_index: vec![GONE; shape.containers.len()],
            new_names: Vec::new(),
        };
        let mut sync = comparison.meet(0, 0);
        loop {
            let differs = sync.old + sync.common;
            if differs >= end {
                comparison.keep(&sync, end);
                let after = new.get(sync.new + (end - sync.old)..)?;
                if Lexer::new(after, 0).token().is_some() {
                    return None;
                }
                break;
            }
            let restart = comparison.restart(differs, sync.old)?;
            comparison.keep(&sync, restart.at as usize);
            let next = comparison.lex(&restart, sync.new + (restart.at as usize - sync.old))?;
            // True unless the outline belongs to a different file.
            let onward =
                next.old >= restart.at as usize && (next.old, next.new) > (sync.old, sync.new);
            if !onward {
                return None;
            }
            sync = next;
        }
        comparison.close_containers()?;
        (!comparison.may_have_duplicates()).then_some(comparison.segments)
    }

    /// Where both files may be equal. The outline of a different file gives offsets beyond the end, where nothing is.
    fn meet(&self, old: usize, new: usize) -> SyncPoint {
        let rest = |bytes: &'a [u8], from: usize| bytes.get(from..).unwrap_or_default();
        SyncPoint {
            old,
            new,
            common: common_prefix(rest(self.old, old), rest(self.new, new)),
        }
    }

    /// Finds the restart for files that are equal from `met` to `differs`.
    fn restart(&self, differs: usize, met: usize) -> Option<Restart> {
        let (differs, met) = (offset(differs), offset(met));
        let mut container = self.shape.enclosing(differs)?;
        while !self.shape.container(container)?.path_is_static {
            container = self.shape.outer(container)?;
        }
        let Container { node, open, .. } = *self.shape.container(container)?;
        let first = Restart {
            at: open + 1,
            container,
            state: Expectation::First,
            next: node + 1,
        };
        let mut child = self.shape.nodes_before(differs + 1).checked_sub(1)?;
        let restart = if child <= node {
            first
        } else {
            // Walk outwards from the last node that begins in the equal bytes to its member of `container`.
            let start = |node: u32| self.shape.starts.get(node as usize).copied();
            let mut within = self.shape.enclosing(start(child)?)?;
            while within != container {
                child = self.shape.container(within)?.node;
                within = self.shape.outer(within)?;
            }
            let inner = self.shape.as_container(child);
            if let Some(close) = inner
                .map(|container| container.close)
                .filter(|&close| close < differs)
            {
                Restart {
                    at: close + 1,
                    container,
                    state: Expectation::AfterMember,
                    next: self.shape.after(child),
                }
            } else if child == node + 1 && open >= met {
                first
            } else {
                Restart {
                    at: start(child)?,
                    container,
                    state: Expectation::Member,
                    next: child,
                }
            }
        };
        (restart.at >= met && restart.at <= differs).then_some(restart)
    }

    /// Copies the nodes of the equal bytes from `sync` to `until`, an offset in the old file.
    fn keep(&mut self, sync: &SyncPoint, until: usize) {
        let old = offset(sync.old)..offset(until);
        let shift = offset(sync.new).wrapping_sub(old.start);
        let shape = self.shape;
        let nodes = shape.nodes_before(old.start)..shape.nodes_before(old.end);
        let range = nodes.start as usize..nodes.end as usize;
        let buffers = &mut self.buffers.shape;
        let node_shift = offset(buffers.starts.len()).wrapping_sub(nodes.start);
        // A node that is lost here would be a string that the file lacks.
        let starts = &shape.starts[range.clone()];
        buffers
            .starts
            .extend(starts.iter().map(|start| start.wrapping_add(shift)));
        buffers.hashes.extend_from_slice(&shape.hashes[range]);

        let before = |at: u32| {
            shape
                .containers
                .partition_point(|container| container.open < at)
        };
        let containers = before(old.start)..before(old.end);
        for (container, index) in shape.containers[containers.clone()].iter().zip(containers) {
            let new_index = offset(buffers.containers.len());
            if let Some(slot) = self.new_index.get_mut(index) {
                *slot = new_index;
            }
            buffers.containers.push(Container {
                node: container.node.wrapping_add(node_shift),
                open: container.open.wrapping_add(shift),
                // `close_containers` sets the end.
                close: u32::MAX,
                parent: self
                    .new_index
                    .get(container.parent as usize)
                    .copied()
                    .unwrap_or(new_index),
                path_is_static: container.path_is_static,
            });
        }
        self.segments.push(FileSegment::Reused(nodes));
        self.equal.push(EqualBytes { old, shift });
    }

    /// Lexes members from the offset `from` of the new file to the next sync point.
    fn lex(&mut self, restart: &Restart, from: usize) -> Option<SyncPoint> {
        let container = *self.shape.container(restart.container)?;
        let new_index = *self.new_index.get(restart.container as usize)?;
        let depth = self.shape.depth(restart.container);
        let outer = *self.shape.hashes.get(container.node as usize)?;
        let first_token = self.buffers.tokens.len();
        let mut lexer = Lexer::new(self.new, from);
        let (mut state, mut next, mut lexed) = (restart.state, restart.next, 0);
        let sync = loop {
            match (state, lexer.token()) {
                (Expectation::AfterMember, Some(b',')) => {
                    lexer.at += 1;
                    state = Expectation::Member;
                    continue;
                }
                (Expectation::AfterMember | Expectation::First, Some(b'}')) => {
                    break self.meet(container.close as usize, lexer.at);
                }
                (Expectation::Member | Expectation::First, Some(b'"')) => {}
                _ => return None,
            }
            let member = Member::read(&mut lexer, outer).ok()?;
            if let Some(old_member) = self.matching_member(restart.container, next, &member, lexed)
            {
                let start = *self.shape.starts.get(old_member as usize)?;
                let sync = self.meet(start as usize, member.start);
                if self.makes_progress(&sync) {
                    break sync;
                }
                next = self.shape.after(old_member);
            } else {
                self.new_names.push(member.hash);
            }
            let inner = self.buffers.shape.hashes.len() + 1;
            self.dialect
                .member(&mut lexer, self.buffers, member, new_index, depth)
                .ok()?;
            if self.buffers.unsupported {
                return None;
            }
            self.new_names
                .extend_from_slice(&self.buffers.shape.hashes[inner..]);
            state = Expectation::AfterMember;
            lexed += 1;
        };
        let text = std::str::from_utf8(self.new.get(from..sync.new)?).ok()?;
        self.segments.push(FileSegment::Lexed {
            tokens: first_token..self.buffers.tokens.len(),
            container: restart.container,
            text: JsonText::new(text, from),
        });
        Some(sync)
    }

    /// Finds the old member with the same name in that container, from `next` on. The search distance grows with
    /// the number of lexed members, so that the search costs no more than the lexing.
    fn matching_member(
        &self,
        container: u32,
        next: u32,
        member: &Member,
        lexed: usize,
    ) -> Option<u32> {
        const NEAR: usize = 8;
        const STEP: usize = 32;
        const FAR: usize = 4096;
        let close = self.shape.container(container)?.close;
        let name = self
            .new
            .get(member.start..member.name.span.until as usize + 1)?;
        let reach = (NEAR + STEP * lexed).min(FAR);
        let near = |all: &'d [u32]| {
            let rest = all.get(next as usize..)?;
            Some(&rest[..rest.len().min(reach)])
        };
        let starts = near(&self.shape.starts)?;
        let within = starts.partition_point(|start| *start < close);
        let hashes = near(&self.shape.hashes)?.get(..within)?;
        let distance = positions(hashes, member.hash).find(|&distance| {
            starts.get(distance).is_some_and(|&start| {
                let old = self.old.get(start as usize..);
                old.is_some_and(|old| old.starts_with(name))
                    && self.shape.enclosing(start) == Some(container)
            })
        })?;
        Some(next + offset(distance))
    }

    /// Whether the files are equal beyond the start of one member from that sync point on.
    fn makes_progress(&self, sync: &SyncPoint) -> bool {
        let differs = sync.old + sync.common;
        let root = self.shape.container(0);
        let restart = || self.restart(differs, sync.old);
        root.is_some_and(|root| differs > root.close as usize)
            || restart().is_some_and(|restart| restart.at as usize > sync.old)
    }

    /// Sets the ends of the containers that were copied.
    fn close_containers(&mut self) -> Option<()> {
        for (container, &new_index) in self.shape.containers.iter().zip(&self.new_index) {
            if let Some(copied) = self.buffers.shape.containers.get_mut(new_index as usize) {
                let starts_before = |equal: &EqualBytes| equal.old.start <= container.close;
                let after = self.equal.partition_point(starts_before);
                let equal = self.equal.get(after.checked_sub(1)?)?;
                equal.old.contains(&container.close).then_some(())?;
                copied.close = container.close.wrapping_add(equal.shift);
            }
        }
        Some(())
    }

    /// Whether an object may now have a name twice. The old file has no such object, and a member that replaces
    /// one of the same name adds no name.
    fn may_have_duplicates(&mut self) -> bool {
        const FEW: usize = 16;
        if self.new_names.len() > FEW {
            return !self.buffers.repeated_hashes().is_empty();
        }
        let hashes = &self.buffers.shape.hashes;
        self.new_names
            .iter()
            .any(|new_names| hashes.iter().filter(|hash| *hash == new_names).count() != 1)
    }
}

/// The indexes of a hash. The loop over a chunk has no branches, so that it compares many hashes at once.
fn positions(hashes: &[u32], hash: u32) -> impl Iterator<Item = usize> {
    const CHUNK: usize = 32;
    let chunks = hashes.chunks(CHUNK).enumerate();
    let with_hash = chunks.filter(move |(_, chunk)| {
        let any = chunk
            .iter()
            .fold(0, |any, &other| any | u32::from(other == hash));
        any != 0
    });
    with_hash.flat_map(move |(index, chunk)| {
        let at = (0..chunk.len()).filter(move |&at| chunk[at] == hash);
        at.map(move |at| index * CHUNK + at)
    })
}

#[cfg(test)]
#[path = "incremental_tests.rs"]
mod tests;
