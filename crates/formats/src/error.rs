//! Why a file could not be read, and where; and the limits of all formats.

use std::fmt;

/// Largest file in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// Most bytes of the ids of a file. A name of a container is part of the id of each value inside it, so that they can be
/// much larger than the file.
pub const MAX_IDS: usize = MAX_BYTES;

/// Largest number of nested levels.
pub const MAX_DEPTH: usize = 1000;

/// Why a file does not parse. `Display` gives one sentence with line and column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The reason.
    pub kind: ReadErrorKind,
    /// The 1-based line. Lines end at a line feed.
    pub line: u32,
    /// The 1-based character of the line. A byte order mark does not count.
    pub column: u32,
}

impl std::error::Error for ReadError {}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ReadErrorKind::LfsPointer | ReadErrorKind::TooLarge => self.kind.fmt(f),
            _ => write!(
                f,
                "line {}, column {}: {}",
                self.line, self.column, self.kind
            ),
        }
    }
}

/// An error and its byte offset, before the line is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SyntaxError {
    pub(super) kind: ReadErrorKind,
    pub(super) at: usize,
}

impl ReadErrorKind {
    pub(super) fn at(self, at: usize) -> SyntaxError {
        SyntaxError { kind: self, at }
    }

    /// An error of the parser of the format at an offset.
    pub(super) fn syntax(message: impl Into<Box<str>>, at: usize) -> SyntaxError {
        Self::Syntax(message.into()).at(at)
    }
}

/// The reason why a file does not parse.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadErrorKind {
    /// A git LFS pointer instead of the content.
    #[error("the file is a git LFS pointer; store translation files in git, not in LFS")]
    LfsPointer,
    /// The file has more bytes than [`MAX_BYTES`].
    #[error("the file is larger than {} MB", MAX_BYTES >> 20)]
    TooLarge,
    /// Ids and texts that are together much larger than a file may be.
    #[error(
        "expected at most {} MB of ids and {} MB of texts, found more; shorten the names or remove aliases",
        MAX_IDS >> 20,
        4 * (MAX_BYTES >> 20)
    )]
    TooMuchText,
    /// Invalid UTF-8.
    #[error("expected UTF-8, found an invalid byte; save the file as UTF-8")]
    NotUtf8,
    /// UTF-16 in a format that is always UTF-8.
    #[error("expected UTF-8, found UTF-16; save the file as UTF-8")]
    Utf16,
    /// Invalid UTF-16.
    #[error(
        "expected UTF-16, as the byte order mark says, found an invalid byte; save the file as UTF-8"
    )]
    NotUtf16,
    /// Only whitespace.
    #[error("expected a JSON value, found only whitespace; an empty translation is '{{}}'")]
    Blank,
    /// An unexpected character; `found` is `None` at the end of the file.
    #[error("expected {expected}, found {}", found_text(*found))]
    Unexpected {
        /// The token that the format requires.
        expected: &'static str,
        /// The character at that position.
        found: Option<char>,
    },
    /// A comma before the end of an object or array.
    #[error("expected another value after the comma, found the end of the list; remove the comma")]
    TrailingComma,
    /// `//` or `/*`.
    #[error("expected JSON, found a comment; JSON does not allow comments")]
    Comment,
    /// `NaN` or `Infinity`, with or without sign.
    #[error("expected a JSON value, found NaN or Infinity; JSON does not allow them")]
    NotFinite,
    /// A number that no finite float represents.
    #[error("expected a number up to 1.8e308, found a larger one")]
    NumberTooLarge,
    /// A number such as `007`.
    #[error("expected a number without leading zeros, found leading zeros")]
    LeadingZero,
    /// A string without its closing quote.
    #[error("expected the closing quote of the string that begins here, found the end of the file")]
    OpenString,
    /// A raw control character inside a string.
    #[error("expected an escape such as \\n in the string, found the raw control character U+{:04X}", *.0)]
    ControlCharacter(u8),
    /// An unknown escape.
    #[error(
        "expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found a different one"
    )]
    Escape,
    /// Half of a surrogate pair.
    #[error("expected a whole character, found the lone surrogate \\u{:04x}", *.0)]
    LoneSurrogate(u16),
    /// More levels than the format may have.
    #[error("expected at most {0} levels of nesting, found more")]
    TooDeep(usize),
    /// What other readers of the format accept: another version, or a fault that they ignore.
    #[error("{0}")]
    ReadByOthers(Box<str>),
    /// A value that does not fit the format.
    #[error("expected {expected}, found a different value")]
    Structure {
        /// The value that the format requires.
        expected: &'static str,
    },
    /// An id that occurs twice in a format that forbids it.
    #[error("expected a unique id, found the id of line {first}; remove one of them")]
    Duplicate {
        /// The 1-based line of the first.
        first: u32,
    },
    /// Source code without texts.
    #[error("{0}")]
    NoTexts(Box<str>),
    /// An error of the parser of the format.
    #[error("{0}")]
    Syntax(Box<str>),
}

/// The character that was found, as errors name it.
fn found_text(found: Option<char>) -> String {
    match found {
        None => "the end of the file".to_owned(),
        Some(c) if c.is_control() || c.is_whitespace() => format!("U+{:04X}", u32::from(c)),
        Some(c) => format!("'{c}'"),
    }
}
