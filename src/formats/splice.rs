//! Reading a version of a file against another: what both have is compared as bytes, the rest is lexed.
//!
//! The two files are gone through side by side. While their bytes are equal nothing is looked at. Where they
//! differ, the reader goes back to the last place before which everything is equal and at which the
//! grammar's state is known (a member begins, an object begins or ends) and lexes the members of the new
//! file from there, until it stands before a member, or the end of the object, that the old file has, too.
//! There both are in the same state again, so equal bytes mean equal entries. Which old member to meet at
//! is a guess that costs time at worst. Whatever is not as it should be leaves it to a read of the whole file.

use std::ops::Range;

use super::grammar::{Grammar, Member};
use super::lexer::{Lexer, common_prefix, place};
use super::outline::{Container, Draft, Outline, Shape};
use super::repeats::Repeats;
use super::spell::{Text, unescape};
use super::{MAX_BYTES, Part, ReadError, whole};

/// [`super::Reader::reread`] for a format written as JSON.
pub(super) fn reread<G: Grammar>(
    grammar: &G,
    old: &[u8],
    outline: &mut Outline,
    new: &[u8],
    sink: &mut dyn FnMut(Part<'_>),
) -> Result<(), ReadError> {
    whole::with_draft(|draft| {
        if outline.plain
            && new.len() <= MAX_BYTES
            && let Some(segments) = Comparison::run(grammar, old, &outline.shape, new, draft)
        {
            tell(grammar, old, &outline.shape, &segments, draft, sink);
            std::mem::swap(&mut outline.shape, &mut draft.shape);
            return Ok(());
        }
        whole::read_with(grammar, new, outline, draft, &mut |entry| sink(Part::Entry(entry)))
    })
}

/// A piece of the new file.
enum Segment<'a> {
    /// These nodes of the old file.
    Kept(Range<u32>),
    /// These tokens, members of that old container, which stand in that text.
    Lexed { tokens: Range<usize>, container: u32, text: Text<'a> },
}

/// Bytes that both files have.
struct Equal {
    /// Where they stand in the old file.
    old: Range<u32>,
    /// What is to be added, modulo 2^32, to a place in the old file to have it in the new.
    shift: u32,
}

/// Where both files are in the same state of the grammar.
struct Meeting {
    old: usize,
    new: usize,
    /// How many bytes from there on are equal.
    common: usize,
}

/// Where lexing begins, as a place in the old file before which everything is equal.
struct Restart {
    at: u32,
    /// The object that its members stand in.
    container: u32,
    state: State,
    /// The member of the old file that comes next, if any does.
    next: u32,
}

/// What the grammar asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The first member or the object's end.
    First,
    /// A member.
    Member,
    /// A comma or the object's end.
    AfterMember,
}

struct Comparison<'a, 'd, G> {
    grammar: &'d G,
    old: &'a [u8],
    new: &'a [u8],
    /// The shape of the old file; the draft's is that of the new.
    shape: &'d Shape,
    draft: &'d mut Draft,
    segments: Vec<Segment<'a>>,
    equal: Vec<Equal>,
    /// For each old container its index in the new file, or [`GONE`].
    now: Vec<u32>,
    /// The path hashes of the members that may have come to a name that is there already.
    fresh: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl<'a, 'd, G: Grammar> Comparison<'a, 'd, G> {
    /// Goes through both files; `None` if the new one has to be read whole.
    fn run(
        grammar: &'d G,
        old: &'a [u8],
        shape: &'d Shape,
        new: &'a [u8],
        draft: &'d mut Draft,
    ) -> Option<Vec<Segment<'a>>> {
        let root = *shape.containers.first().filter(|root| root.steady)?;
        let end = root.close as usize + 1;
        let mut this = Self {
            grammar,
            old,
            new,
            shape,
            draft,
            segments: Vec::new(),
            equal: Vec::new(),
            now: vec![GONE; shape.containers.len()],
            fresh: Vec::new(),
        };
        let mut meeting = this.meet(0, 0);
        loop {
            let differs = meeting.old + meeting.common;
            if differs >= end {
                this.keep(&meeting, end);
                let after = new.get(meeting.new + (end - meeting.old)..)?;
                if !after.iter().all(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r')) {
                    return None;
                }
                break;
            }
            let restart = this.restart(differs, meeting.old)?;
            this.keep(&meeting, restart.at as usize);
            meeting = this.lex(&restart, meeting.new + (restart.at as usize - meeting.old))?;
        }
        this.close_containers()?;
        if this.may_repeat() { None } else { Some(this.segments) }
    }

    fn meet(&self, old: usize, new: usize) -> Meeting {
        let rest = |bytes: &'a [u8], from: usize| bytes.get(from..).unwrap_or_default();
        Meeting { old, new, common: common_prefix(rest(self.old, old), rest(self.new, new)) }
    }

    /// Where to lex from when the files differ at `differs` and are equal from `met` until there.
    fn restart(&self, differs: usize, met: usize) -> Option<Restart> {
        let (differs, met) = (place(differs), place(met));
        let mut container = self.shape.enclosing(differs)?;
        while !self.shape.container(container)?.steady {
            container = self.shape.outer(container)?;
        }
        let Container { node, open, .. } = *self.shape.container(container)?;
        let first = Restart { at: open + 1, container, state: State::First, next: node + 1 };
        let mut child = self.shape.nodes_before(differs + 1).checked_sub(1)?;
        let restart = if child <= node {
            first
        } else {
            // From the last node that begins in the equal bytes out to the member that it stands in.
            let start = |node: u32| self.shape.starts.get(node as usize).copied();
            let mut within = self.shape.enclosing(start(child)?)?;
            while within != container {
                child = self.shape.container(within)?.node;
                within = self.shape.outer(within)?;
            }
            if start(child)? < met {
                // The files met inside that member, at the end of an object, and differ behind it.
                let close = self.shape.as_container(child)?.close;
                Restart { at: close + 1, container, state: State::AfterMember, next: self.shape.after(child) }
            } else if child == node + 1 && open >= met {
                first
            } else {
                Restart { at: start(child)?, container, state: State::Member, next: child }
            }
        };
        (restart.at >= met && restart.at <= differs).then_some(restart)
    }

    /// Takes over what stands in the equal bytes from the meeting until that place in the old file.
    fn keep(&mut self, meeting: &Meeting, until: usize) {
        let old = place(meeting.old)..place(until);
        let shift = place(meeting.new).wrapping_sub(old.start);
        let shape = self.shape;
        let nodes = shape.nodes_before(old.start)..shape.nodes_before(old.end);
        let range = nodes.start as usize..nodes.end as usize;
        let draft = &mut self.draft.shape;
        let node_shift = place(draft.starts.len()).wrapping_sub(nodes.start);
        let starts = shape.starts.get(range.clone()).unwrap_or_default();
        draft.starts.extend(starts.iter().map(|start| start.wrapping_add(shift)));
        draft.hashes.extend_from_slice(shape.hashes.get(range).unwrap_or_default());

        let before = |at: u32| shape.containers.partition_point(|container| container.open < at);
        let containers = before(old.start)..before(old.end);
        for (container, index) in shape.containers.get(containers.clone()).unwrap_or_default().iter().zip(containers) {
            let now = place(draft.containers.len());
            if let Some(slot) = self.now.get_mut(index) {
                *slot = now;
            }
            draft.containers.push(Container {
                node: container.node.wrapping_add(node_shift),
                open: container.open.wrapping_add(shift),
                // Where it ends is known when all has been compared.
                close: u32::MAX,
                parent: self.now.get(container.parent as usize).copied().unwrap_or(now),
                steady: container.steady,
            });
        }
        self.segments.push(Segment::Kept(nodes));
        self.equal.push(Equal { old, shift });
    }

    /// Lexes members from that place of the new file on until both files meet.
    fn lex(&mut self, restart: &Restart, from: usize) -> Option<Meeting> {
        let container = *self.shape.container(restart.container)?;
        let now = *self.now.get(restart.container as usize)?;
        let depth = self.shape.depth(restart.container);
        let outer = *self.shape.hashes.get(container.node as usize)?;
        let first_token = self.draft.tokens.len();
        let mut lexer = Lexer::new(self.new, from);
        let (mut state, mut next, mut told) = (restart.state, restart.next, 0);
        let meeting = loop {
            match (state, lexer.token()) {
                (State::AfterMember, Some(b',')) => {
                    lexer.at += 1;
                    state = State::Member;
                    continue;
                }
                (State::AfterMember | State::First, Some(b'}')) => {
                    break self.meet(container.close as usize, lexer.at);
                }
                (State::Member | State::First, Some(b'"')) => {}
                _ => return None,
            }
            let member = Member::read(&mut lexer, outer).ok()?;
            if let Some(twin) = self.twin(restart.container, next, &member, told) {
                let start = *self.shape.starts.get(twin as usize)?;
                let meeting = self.meet(start as usize, member.start);
                if self.leads_on(&meeting) {
                    break meeting;
                }
                next = self.shape.after(twin);
            } else {
                self.fresh.push(member.hash);
            }
            let inner = self.draft.shape.hashes.len() + 1;
            self.grammar.member(&mut lexer, self.draft, member, now, depth).ok()?;
            if self.draft.odd {
                return None;
            }
            self.fresh.extend_from_slice(self.draft.shape.hashes.get(inner..).unwrap_or_default());
            state = State::AfterMember;
            told += 1;
        };
        let text = std::str::from_utf8(self.new.get(from..meeting.new)?).ok()?;
        self.segments.push(Segment::Lexed {
            tokens: first_token..self.draft.tokens.len(),
            container: restart.container,
            text: Text::new(text, from),
        });
        Some(meeting)
    }

    /// The old member of the same name in that container, from `next` on. How far it is searched for grows with
    /// the number of members already `told`, so that the search costs no more than the lexing.
    fn twin(&self, container: u32, next: u32, member: &Member, told: usize) -> Option<u32> {
        const NEAR: usize = 8;
        const STEP: usize = 32;
        const FAR: usize = 4096;
        let close = self.shape.container(container)?.close;
        let starts = self.shape.starts.get(next as usize..)?;
        let hashes = self.shape.hashes.get(next as usize..)?;
        let name = self.new.get(member.start..member.name.span.until as usize + 1)?;
        let near =
            starts.iter().zip(hashes).take((NEAR + STEP * told).min(FAR)).take_while(|(start, _)| **start < close);
        let offset = near.enumerate().find_map(|(offset, (&start, &hash))| {
            let same = hash == member.hash
                && self.old.get(start as usize..).is_some_and(|old| old.starts_with(name))
                && self.shape.enclosing(start) == Some(container);
            same.then_some(offset)
        })?;
        Some(next + place(offset))
    }

    /// Whether more than the beginning of one member is equal from that meeting on.
    fn leads_on(&self, meeting: &Meeting) -> bool {
        let differs = meeting.old + meeting.common;
        let whole = self.shape.containers.first().is_some_and(|root| differs > root.close as usize);
        whole || self.restart(differs, meeting.old).is_some_and(|restart| restart.at as usize > meeting.old)
    }

    /// Notes where the containers end that were taken over.
    fn close_containers(&mut self) -> Option<()> {
        for (container, &now) in self.shape.containers.iter().zip(&self.now) {
            if let Some(taken_over) = self.draft.shape.containers.get_mut(now as usize) {
                let after = self.equal.partition_point(|equal| equal.old.start <= container.close);
                let equal = self.equal.get(after.checked_sub(1)?).filter(|it| it.old.contains(&container.close))?;
                taken_over.close = container.close.wrapping_add(equal.shift);
            }
        }
        Some(())
    }

    /// Whether a name may now stand twice in an object. The old file has no such object, and a member that
    /// came in the place of one with its name brings no new name.
    fn may_repeat(&mut self) -> bool {
        const FEW: usize = 16;
        if self.fresh.len() > FEW {
            return self.draft.may_repeat();
        }
        let hashes = &self.draft.shape.hashes;
        self.fresh.iter().any(|fresh| hashes.iter().filter(|hash| *hash == fresh).count() != 1)
    }
}

/// Gives the parts of the new file's list.
fn tell<G: Grammar>(
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
                let mut entry = |entry: super::RawEntry<'_>| sink(Part::Entry(entry));
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
