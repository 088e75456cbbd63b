//! Why a file could not be read, and where.

use std::fmt;

use super::{MAX_BYTES, MAX_DEPTH};

/// Why a file could not be read: its `Display` is one sentence with the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// What is wrong.
    pub kind: ReadErrorKind,
    /// The line it is in, from 1; a line ends at a line feed.
    pub line: u32,
    /// The character of that line, from 1; a byte order mark does not count.
    pub column: u32,
}

impl std::error::Error for ReadError {}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ReadErrorKind::LfsPointer | ReadErrorKind::TooLarge => self.kind.fmt(f),
            _ => write!(f, "line {}, column {}: {}", self.line, self.column, self.kind),
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadErrorKind {
    /// The file is a pointer that git LFS put in the place of the content.
    #[error(
        "this is a git LFS pointer and not the translations themselves; keep translation files in git, outside of LFS"
    )]
    LfsPointer,
    /// The file has more bytes than [`MAX_BYTES`].
    #[error("the file is larger than {} MB", MAX_BYTES >> 20)]
    TooLarge,
    /// Bytes that are not UTF-8.
    #[error("expected UTF-8 text, found a byte that is not; save the file as UTF-8")]
    NotUtf8,
    /// Nothing but white space.
    #[error("expected a JSON value, found only blanks; an empty translation is '{{}}'")]
    Blank,
    /// Something else than the grammar asks for; `found` is `None` at the end of the file.
    #[error("expected {expected}, found {}", Found(*found))]
    Unexpected {
        /// What could stand there.
        expected: Expected,
        /// What stands there.
        found: Option<char>,
    },
    /// A comma with nothing after it in its object or array.
    #[error("expected another value after the comma, found the end of the list; remove the comma")]
    TrailingComma,
    /// `//` or `/*`.
    #[error("expected JSON, found a comment; JSON has none")]
    Comment,
    /// `NaN` or `Infinity`, with or without sign.
    #[error("expected a JSON value, found NaN or Infinity; JSON has neither")]
    NotFinite,
    /// A number with an exponent beyond any float.
    #[error("expected a number up to 1.8e308, found a larger one")]
    NumberTooLarge,
    /// A number such as `007`.
    #[error("expected a number without leading zeros, found one with them")]
    LeadingZero,
    /// A string that the file's end cuts off.
    #[error("expected the closing quote of the string that begins here, found the end of the file")]
    OpenString,
    /// A raw control character inside a string.
    #[error("expected an escape such as \\n in the string, found the raw control character U+{:04X}", *.0)]
    ControlCharacter(u8),
    /// A backslash with something unknown after it.
    #[error("expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found another after the backslash")]
    Escape,
    /// Half of a surrogate pair.
    #[error("expected a whole character, found the lone surrogate \\u{:04x}", *.0)]
    LoneSurrogate(u16),
    /// More levels than [`MAX_DEPTH`].
    #[error("expected at most {} levels of nesting, found more", MAX_DEPTH)]
    TooDeep,
    /// A webextension file whose top level is something else than an object.
    #[error("expected an object of messages at the top level, found another value")]
    NotAnObject,
    /// A webextension message that is something else than an object.
    #[error("expected an object with the message, such as {{\"message\": \"text\"}}, found another value")]
    EntryNotAnObject,
}

/// What the grammar asks for at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Expected {
    /// Any value.
    #[error("a JSON value")]
    Value,
    /// The first value of an array, or its end.
    #[error("a JSON value or ']'")]
    ValueOrEnd,
    /// The name of a member.
    #[error("a name in double quotes")]
    Name,
    /// The first name of an object, or its end.
    #[error("a name in double quotes or '}}'")]
    NameOrEnd,
    /// The colon after a name.
    #[error("':' after the name")]
    Colon,
    /// After a member of an object.
    #[error("',' or '}}' after the value")]
    CommaOrBrace,
    /// After an element of an array.
    #[error("',' or ']' after the value")]
    CommaOrBracket,
    /// In a number.
    #[error("a digit")]
    Digit,
    /// After the whole value.
    #[error("nothing more after the value")]
    EndOfFile,
}

/// What was found, for people.
struct Found(Option<char>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("the end of the file"),
            Some(c) if c.is_control() || c.is_whitespace() => write!(f, "U+{:04X}", u32::from(c)),
            Some(c) => write!(f, "'{c}'"),
        }
    }
}
