//! Lexes a value with everything inside it.

use super::buffers::{Frame, ParseBuffers};
use super::lexer::{COMMA_OR_BRACE, Lexer, Member, NAME_OR_END, VALUE};
use super::token::{ByteSpan, JsonKind, JsonToken};
use crate::error::{MAX_DEPTH, ReadErrorKind, SyntaxError};
use crate::json_shape::path_hash;
use crate::offsets::offset;

/// Skips a value. `depth` containers are around it.
pub(super) fn skip(
    lexer: &mut Lexer<'_>,
    buffers: &mut ParseBuffers,
    depth: usize,
) -> Result<(JsonKind, ByteSpan), SyntaxError> {
    let from = lexer.at;
    let kind = match lexer.peek() {
        Some(b'{') => JsonKind::Object,
        Some(b'[') => JsonKind::Array,
        _ => return lexer.scalar(VALUE),
    };
    lex_value::<false>(lexer, buffers, Member::default(), None, depth)?;
    Ok((kind, ByteSpan::new(from, lexer.at)))
}

/// Lexes a value and everything inside it, without recursion. Adds nodes and tokens if `RECORD`. `depth` containers are
/// around it.
pub(super) fn lex_value<const RECORD: bool>(
    lexer: &mut Lexer<'_>,
    buffers: &mut ParseBuffers,
    member: Member,
    container: Option<u32>,
    depth: usize,
) -> Result<(), SyntaxError> {
    let mut next = member;
    let mut expected = VALUE;
    buffers.stack.clear();
    loop {
        if RECORD {
            buffers.node(next.start, next.hash);
        }
        let open = lexer.at;
        let object = lexer.peek() == Some(b'{');
        if object || lexer.peek() == Some(b'[') {
            if depth + buffers.stack.len() >= MAX_DEPTH {
                return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(open));
            }
            begin::<RECORD>(buffers, &next, open, container, object);
            lexer.at += 1;
            match lexer.token() {
                Some(b'}') if object => close::<RECORD>(lexer, buffers),
                Some(b']') if !object => close::<RECORD>(lexer, buffers),
                Some(b'"') if object => {
                    next = named::<RECORD>(lexer, next.hash)?;
                    expected = VALUE;
                    continue;
                }
                _ if object => return Err(lexer.unexpected(NAME_OR_END)),
                _ => {
                    next = element(lexer, next.hash, 0);
                    expected = "a JSON value or ']'";
                    continue;
                }
            }
        } else {
            let (kind, value) = lexer.scalar(expected)?;
            if RECORD {
                buffers.tokens.push(JsonToken {
                    name: next.name,
                    kind,
                    value,
                    inner: 0,
                });
            }
        }
        expected = VALUE;
        match next_member::<RECORD>(lexer, buffers)? {
            Some(member) => next = member,
            None => return Ok(()),
        }
    }
}

/// Begins an object or array at an offset. `outer` is the container around the outermost one.
#[inline]
fn begin<const RECORD: bool>(
    buffers: &mut ParseBuffers,
    member: &Member,
    open: usize,
    outer: Option<u32>,
    object: bool,
) {
    let mut frame = Frame {
        token: offset(buffers.tokens.len()),
        container: 0,
        hash: member.hash,
        index: (!object).then_some(0),
    };
    if RECORD {
        let parent = buffers.stack.last().map(|frame| frame.container);
        frame.container = buffers.container(open, parent.or(outer), object);
        buffers.tokens.push(JsonToken {
            name: member.name,
            kind: if object {
                JsonKind::Object
            } else {
                JsonKind::Array
            },
            value: ByteSpan::new(open, open),
            inner: 0,
        });
    }
    buffers.stack.push(frame);
}

/// Closes the containers that end after a value. Returns the next member or element, whose value is at the cursor;
/// `None` when the outermost container is closed.
#[inline(always)]
fn next_member<const RECORD: bool>(
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
                lexer.comma()?;
                return named::<RECORD>(lexer, frame.hash).map(Some);
            }
            (Some(index), Some(b',')) => {
                lexer.at += 1;
                if lexer.token() == Some(b']') {
                    return Err(ReadErrorKind::TrailingComma.at(lexer.at));
                }
                *index = index.saturating_add(1);
                return Ok(Some(element(lexer, frame.hash, *index)));
            }
            (None, Some(b'}')) | (Some(_), Some(b']')) => close::<RECORD>(lexer, buffers),
            (None, _) => return Err(lexer.unexpected(COMMA_OR_BRACE)),
            (Some(_), _) => return Err(lexer.unexpected("',' or ']' after the value")),
        }
    }
}

/// Ends the innermost container, whose closing bracket is at the cursor.
fn close<const RECORD: bool>(lexer: &mut Lexer<'_>, buffers: &mut ParseBuffers) {
    if let Some(frame) = buffers.stack.pop()
        && RECORD
    {
        buffers.close(frame.container, lexer.at);
        let inner = buffers.tokens.len() - 1 - frame.token as usize;
        if let Some(token) = buffers.tokens.get_mut(frame.token as usize) {
            token.inner = offset(inner);
            token.value.until = offset(lexer.at + 1);
        }
    }
    lexer.at += 1;
}

/// The member whose name begins at the cursor.
#[inline]
fn named<const RECORD: bool>(lexer: &mut Lexer<'_>, outer: u32) -> Result<Member, SyntaxError> {
    if RECORD {
        return Member::read(lexer, outer);
    }
    lexer.name().map(|_| Member::default())
}

/// An element of an array, which begins at the cursor.
fn element(lexer: &Lexer<'_>, outer: u32, index: u32) -> Member {
    Member {
        start: lexer.at,
        hash: path_hash(outer, &index.to_le_bytes()),
        ..Member::default()
    }
}
