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
use super::segment::{self, Segment};
use super::spell::Text;
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
            segment::tell(grammar, old, &outline.shape, &segments, draft, sink);
            std::mem::swap(&mut outline.shape, &mut draft.shape);
            return Ok(());
        }
        whole::read_with(grammar, new, outline, draft, &mut |entry| sink(Part::Entry(entry)))
    })
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
            let next = this.lex(&restart, meeting.new + (restart.at as usize - meeting.old))?;
            // Holds unless the outline is that of another file.
            let onward = next.old >= restart.at as usize && (next.old, next.new) > (meeting.old, meeting.new);
            if !onward {
                return None;
            }
            meeting = next;
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
            let closed = self.shape.as_container(child).map(|inner| inner.close).filter(|&close| close < differs);
            if let Some(close) = closed {
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

#[cfg(test)]
mod tests {
    use super::super::trial::{entries, read, reread};
    use super::*;
    use crate::model::FileFormat::{self, Json, WebExtension};

    /// Reads `new` against `old` and the other way round; gives how many entries of `old` were kept, after
    /// making sure of the rest.
    fn kept(format: FileFormat, old: &str, new: &str) -> usize {
        let one_way = |old: &str, new: &str| {
            let mut outline = Outline::default();
            let list = read(format, old.as_bytes(), &mut outline).unwrap();
            let (found, kept) = reread(format, old.as_bytes(), &mut outline, &list, new.as_bytes()).unwrap();
            assert_eq!(Ok(found), entries(format, new.as_bytes()), "{old} {new}");
            let mut fresh = Outline::default();
            read(format, new.as_bytes(), &mut fresh).unwrap();
            assert_eq!(outline, fresh, "{old} {new}");
            kept
        };
        one_way(new, old);
        one_way(old, new)
    }

    #[test]
    fn a_number_that_goes_on_is_another_number() {
        assert_eq!(kept(Json, r#"{"a":12,"b":1}"#, r#"{"a":123,"b":1}"#), 1);
        assert_eq!(kept(Json, r#"{"a":1,"b":12}"#, r#"{"a":1,"b":12.5}"#), 1);
        assert_eq!(kept(Json, r#"{"a":1,"b":12}"#, r#"{"a":1,"b":12 }"#), 1);
    }

    #[test]
    fn members_come_and_go_at_either_end() {
        let all = r#"{"a":"1","b":"2","c":"3"}"#;
        assert_eq!(kept(Json, all, r#"{"b":"2","c":"3"}"#), 2);
        assert_eq!(kept(Json, all, r#"{"a":"1","b":"2"}"#), 1);
        assert_eq!(kept(Json, all, "{}"), 0);
        assert_eq!(kept(Json, "{\n}", "{\"a\":{}}"), 0);
    }

    #[test]
    fn only_the_object_around_a_change_is_read() {
        let old = r#"{"x":{"a":"1","b":{"c":"2","d":"3"}},"y":{"e":"4","f":"5"},"z":"6"}"#;
        let deep = r#"{"x":{"a":"1","b":{"c":"2","d":"new"}},"y":{"e":"4","f":"5"},"z":"6"}"#;
        assert_eq!(kept(Json, old, deep), 5);
        let emptied = r#"{"x":{"a":"1","b":{}},"y":{"e":"4","f":"5"},"z":"6"}"#;
        assert_eq!(kept(Json, old, emptied), 4);
        let both_ends = r#"{"x":{"a":"1","b":{"c":"2","d":"3"},"n":"7"},"y":{"e":"4","f":"5"},"n":"8"}"#;
        assert_eq!(kept(Json, old, both_ends), 5);
        let spaced = r#"{ "x" : {"a":"1","b":{"c":"2","d":"3"} } ,"y":{"e":"4","f":"5"},"z":"6" }"#;
        assert_eq!(kept(Json, old, &format!("{spaced}\n")), 2);
        let moved_out = r#"{"x":{"a":"1"},"b":{"c":"2","d":"3"},"y":{"e":"4","f":"5"},"z":"6"}"#;
        assert_eq!(kept(Json, old, moved_out), 3);
    }

    #[test]
    fn an_array_is_read_whole_as_its_ids_depend_on_the_places() {
        let old = r#"{"l":[{"a":"1","b":"2"},{"a":"3","b":"4"}],"m":{"a":"5"}}"#;
        assert_eq!(kept(Json, old, &old.replace('4', "new")), 1);
        assert_eq!(kept(Json, old, &old.replace(r#"{"a":"1","b":"2"},"#, "")), 1);
        assert_eq!(kept(Json, old, &old.replace(r#""a":"3","#, "")), 1);
        assert_eq!(kept(Json, &format!("[{old}]"), &format!("[{}]", old.replace('5', "new"))), 0);
    }

    #[test]
    fn a_name_that_comes_to_stand_twice_is_noticed() {
        let old = r#"{"a":"1","b":"2","c":{"a":"3","d":"4"}}"#;
        assert_eq!(kept(Json, old, r#"{"a":"1","b":"2","c":{"a":"3","d":"4"},"a":"5"}"#), 0);
        assert_eq!(kept(Json, old, r#"{"a":"1","b":"2","c":{"a":"3","d":"4","\u0061":"5"}}"#), 0);
        assert_eq!(kept(Json, old, r#"{"a":"1","b":"2","c":{"a":"3","d":"4","x":{"y":"5","y":"6"}}}"#), 0);
        // The same name in another object is another.
        assert_eq!(kept(Json, old, r#"{"a":"1","b":"2","c":{"a":"3","d":"4"},"d":"5"}"#), 4);
        // A name may come to another place.
        assert_eq!(kept(Json, old, r#"{"b":"2","a":"1","c":{"a":"3","d":"4"}}"#), 3);
    }

    #[test]
    fn white_space_and_a_byte_order_mark_change_no_entry() {
        let old = "{\n  \"a\": \"1\",\n  \"b\": \"2\"\n}";
        assert_eq!(kept(Json, old, &format!("{old}\n")), 2);
        assert_eq!(kept(Json, old, &old.replace(",\n", ",\r\n")), 1);
        assert_eq!(kept(Json, old, &format!("\u{FEFF}{old}")), 0);
        let marked = format!("\u{FEFF}{old}");
        assert_eq!(kept(Json, &marked, &marked.replace('2', "3")), 1);
    }

    #[test]
    fn messages_are_kept_whole() {
        let old = r#"{"a":{"message":"1"},"b":{"message":"2","description":"d"},"c":{"message":"3"}}"#;
        assert_eq!(kept(WebExtension, old, &old.replace('d', "new")), 2);
        assert_eq!(kept(WebExtension, old, &old.replace(r#","description":"d""#, "")), 2);
        assert_eq!(kept(WebExtension, old, &old.replace("{\"a\"", "{\"n\":{},\"a\"")), 3);
    }

    #[test]
    fn a_version_that_is_broken_gives_its_error_and_leaves_the_outline_to_the_next() {
        let old = "{\n  \"a\": \"1\",\n  \"b\": \"é\"\n}\n".as_bytes();
        let mut outline = Outline::default();
        let list = read(Json, old, &mut outline).unwrap();
        let broken: [&[u8]; 8] = [
            b"{\n  \"a\": \"1\",\n  \"b\": \"\xC3\"\n}\n",
            b"{\n  \"a\": \"1\",\n  \"b\": \"\xA9\"\n}\n",
            b"{\n  \"a\": \"1\",\n}\n",
            b"{\n  \"a\": \"1\",\n  \"b\": \"\xC3\xA9\"\n}\n}\n",
            b"{\n  \"a\": \"1\",\n  \"b\": \"\xC3\xA9\"\n",
            b"{\n  \"a\": \"1\"\n  \"b\": \"\xC3\xA9\"\n}\n",
            b"  ",
            b"version https://git-lfs.github.com/spec/v1\n",
        ];
        for new in broken {
            let error = reread(Json, old, &mut outline, &list, new).unwrap_err();
            assert_eq!(Err(error), entries(Json, new), "{}", new.escape_ascii());
        }
        let (_, kept) = reread(Json, old, &mut outline, &list, b"{\n  \"a\": \"1\",\n  \"b\": \"2\"\n}\n").unwrap();
        assert_eq!(kept, 1);
        // From a file without entries everything is new.
        let mut outline = Outline::default();
        assert_eq!(reread(Json, b"", &mut outline, &[], old).unwrap(), (list, 0));
    }

    #[test]
    fn an_outline_of_another_file_does_no_harm_beyond_a_wrong_list() {
        let files = [
            "",
            "{}",
            "[]",
            "7",
            r#"{"a":"1"}"#,
            r#"{"a":{"b":"1","c":{"d":["2"]}},"e":{}}"#,
            r#"{"é":{"message":"é"}}"#,
            "{\n  \"a\": {\"x\": \"1\"},\n  \"b\": {\"x\": \"2\"}\n}\n",
            "\u{FEFF}{\"a\":{}}",
        ];
        for format in FileFormat::ALL {
            for described in files {
                for old in files {
                    for new in files {
                        let mut outline = Outline::default();
                        let _ = read(Json, described.as_bytes(), &mut outline);
                        let mut parts = 0;
                        let reader = super::super::reader(format);
                        let _ = reader.reread(old.as_bytes(), &mut outline, new.as_bytes(), &mut |_| parts += 1);
                    }
                }
            }
        }
    }
}
