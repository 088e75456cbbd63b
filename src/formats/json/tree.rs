//! Lexes a value with everything inside it.

use super::buffers::{Frame, ParseBuffers};
use super::lexer::Lexer;
use super::member::Member;
use super::shape::path_hash;
use super::token::{ByteSpan, JsonKind, JsonToken, offset};
use crate::formats::error::SyntaxError;
use crate::formats::{Expected, MAX_DEPTH, ReadErrorKind};

/// Lexes the root value.
pub(super) fn root(lexer: &mut Lexer<'_>, buffers: &mut ParseBuffers) -> Result<(), SyntaxError> {
    let root = Member {
        start: lexer.at,
        ..Member::default()
    };
    tree(lexer, buffers, root, None, 0)
}

/// Lexes a value and everything inside it, without recursion. `depth` containers are around it.
pub(super) fn tree(
    lexer: &mut Lexer<'_>,
    buffers: &mut ParseBuffers,
    member: Member,
    container: Option<u32>,
    depth: usize,
) -> Result<(), SyntaxError> {
    let mut next = member;
    let mut expected = Expected::Value;
    buffers.stack.clear();
    loop {
        buffers.node(next.start, next.hash);
        let open = lexer.at;
        let object = lexer.peek() == Some(b'{');
        if object || lexer.peek() == Some(b'[') {
            if depth + buffers.stack.len() >= MAX_DEPTH {
                return Err(SyntaxError {
                    kind: ReadErrorKind::TooDeep(MAX_DEPTH),
                    at: open,
                });
            }
            begin(buffers, &next, open, container, object);
            lexer.at += 1;
            match lexer.token() {
                Some(b'}') if object => close(lexer, buffers),
                Some(b']') if !object => close(lexer, buffers),
                Some(b'"') if object => {
                    next = Member::read(lexer, next.hash)?;
                    expected = Expected::Value;
                    continue;
                }
                _ if object => return Err(lexer.unexpected(Expected::NameOrEnd)),
                _ => {
                    next = element(lexer, next.hash, 0);
                    expected = Expected::ValueOrEnd;
                    continue;
                }
            }
        } else {
            let (kind, value) = lexer.scalar(expected)?;
            buffers.tokens.push(JsonToken {
                name: next.name,
                kind,
                value,
                inner: 0,
            });
        }
        expected = Expected::Value;
        match next_member(lexer, buffers)? {
            Some(member) => next = member,
            None => return Ok(()),
        }
    }
}

/// Begins an object or array at an offset. `outer` is the container around the outermost one.
#[inline]
fn begin(
    buffers: &mut ParseBuffers,
    member: &Member,
    open: usize,
    outer: Option<u32>,
    object: bool,
) {
    let parent = buffers
        .stack
        .last()
        .map_or(outer, |frame| Some(frame.container));
    let container = buffers.container(open, parent, object);
    buffers.stack.push(Frame {
        token: offset(buffers.tokens.len()),
        container,
        hash: member.hash,
        index: (!object).then_some(0),
    });
    let kind = if object {
        JsonKind::Object
    } else {
        JsonKind::Array
    };
    buffers.tokens.push(JsonToken {
        name: member.name,
        kind,
        value: ByteSpan::new(open, open),
        inner: 0,
    });
}

/// Closes the containers that end after a value. Returns the next member or element, whose value is at the cursor;
/// `None` when the outermost container is closed.
#[inline(always)]
fn next_member(
    lexer: &mut Lexer<'_>,
    buffers: &mut ParseBuffers,
) -> Result<Option<Member>, SyntaxError> {
    loop {
        let Some(frame) = buffers.stack.last_mut() else {
            return Ok(None);
        };
        let byte = lexer.token();
        match (&mut frame.index, byte) {
            (None, Some(b',')) => {
                lexer.at += 1;
                if lexer.token() != Some(b'"') {
                    return Err(lexer.after_comma(b'}', Expected::Name));
                }
                return Member::read(lexer, frame.hash).map(Some);
            }
            (Some(index), Some(b',')) => {
                lexer.at += 1;
                if lexer.token() == Some(b']') {
                    return Err(lexer.after_comma(b']', Expected::Value));
                }
                *index = index.saturating_add(1);
                return Ok(Some(element(lexer, frame.hash, *index)));
            }
            (None, Some(b'}')) | (Some(_), Some(b']')) => close(lexer, buffers),
            (None, _) => return Err(lexer.unexpected(Expected::CommaOrBrace)),
            (Some(_), _) => return Err(lexer.unexpected(Expected::CommaOrBracket)),
        }
    }
}

/// Ends the innermost container, whose closing bracket is at the cursor.
fn close(lexer: &mut Lexer<'_>, buffers: &mut ParseBuffers) {
    let Some(frame) = buffers.stack.pop() else {
        return;
    };
    buffers.close(frame.container, lexer.at);
    let inner = buffers.tokens.len() - 1 - frame.token as usize;
    if let Some(token) = buffers.tokens.get_mut(frame.token as usize) {
        token.inner = offset(inner);
        token.value.until = offset(lexer.at + 1);
    }
    lexer.at += 1;
}

/// An element of an array, which begins at the cursor.
fn element(lexer: &Lexer<'_>, outer: u32, index: u32) -> Member {
    Member {
        start: lexer.at,
        hash: path_hash(outer, &index.to_le_bytes()),
        ..Member::default()
    }
}
