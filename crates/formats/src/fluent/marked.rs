//! The source of a Fluent parser with marks, checked against the limits.

use super::super::entry_list::MAX_TEXT;
use super::super::error::SyntaxError;
use crate::error::ReadErrorKind;

/// Most constructs inside of each other. The parser is recursive, and its stack is smaller than that of 1,000 levels.
pub(crate) const MAX_PLACEABLES: usize = 200;

/// Most named arguments of a message. The parser compares each with those before it.
const MAX_NAMED_ARGUMENTS: usize = 1000;

/// Most spaces that the serializer puts before a line for each construct around it.
const INDENTATION: usize = 8;

/// A text with marks that the parser needs:
///
/// - before each placeable that begins a line of a text. The parser does not count the indentation of such a line, so
///   the other lines of the text would lose theirs;
/// - before a character beyond ASCII instead of a digit of `\uXXXX`, where the parser would panic.
pub(super) struct Marked {
    pub(super) text: String,
    /// A character that the text does not contain.
    pub(super) mark: char,
    /// Offsets of the marks.
    at: Vec<usize>,
}

impl Marked {
    /// The text with marks.
    ///
    /// # Errors
    /// If the text exceeds a limit, or contains every character that could be a mark.
    pub(super) fn of(text: &str) -> Result<Self, SyntaxError> {
        let mark = ('\u{1}'..'\u{9}').find(|mark| !text.contains(*mark));
        let mark = mark
            .ok_or_else(|| ReadErrorKind::syntax("expected text, found control characters", 0))?;
        let bytes = text.as_bytes();
        let scanner = FluentScanner {
            bytes,
            ..FluentScanner::default()
        };
        let offsets = scanner.offsets()?;
        let mut marked = String::with_capacity(text.len() + offsets.len());
        let (mut at, mut copied) = (Vec::with_capacity(offsets.len()), 0);
        for offset in offsets {
            marked.push_str(&text[copied..offset]);
            at.push(marked.len());
            marked.push(mark);
            copied = offset;
        }
        marked.push_str(&text[copied..]);
        Ok(Self {
            text: marked,
            mark,
            at,
        })
    }

    /// Pieces of about `size` bytes, with their offsets, that the parser can read one by one. It keeps an error for each
    /// line of junk, so that the errors of a whole file could take a hundred times its size.
    pub(super) fn pieces(&self, size: usize) -> Vec<(usize, &str)> {
        let mut pieces = Vec::new();
        let mut start = 0;
        while let Some(end) = next_entry(&self.text, start + size) {
            pieces.push((start, &self.text[start..end]));
            start = end;
        }
        pieces.push((start, &self.text[start..]));
        pieces
    }

    /// The offset without marks.
    pub(super) fn original(&self, at: usize) -> usize {
        at - self.at.partition_point(|&mark| mark < at)
    }
}

/// A construct that is not complete.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenBracket {
    /// After `{`.
    Placeable,
    /// After `(` in code.
    Arguments,
    /// After `->` in a placeable.
    Variants,
}

/// Follows the constructs of a text as the parser does. Where the text has an error, the state is exact again at the
/// next entry, where the parser continues.
#[derive(Default)]
struct FluentScanner<'t> {
    bytes: &'t [u8],
    at: usize,
    open: Vec<OpenBracket>,
    /// Whether a string literal is open.
    is_literal: bool,
    /// Named arguments of the entry.
    named: usize,
    /// Spaces that the serializer adds, at most.
    indentation: usize,
    /// Offsets where the parser needs a mark.
    offsets: Vec<usize>,
}

impl FluentScanner<'_> {
    /// The offsets where the parser needs a mark, in order.
    ///
    /// # Errors
    /// If the text exceeds a limit.
    fn offsets(mut self) -> Result<Vec<usize>, SyntaxError> {
        self.begin_line()?;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\n' => self.begin_line()?,
                b'\\' => self.backslash(),
                b'"' if self.is_literal || self.is_code() => self.is_literal = !self.is_literal,
                _ if self.is_literal => {}
                b'{' => self.push(OpenBracket::Placeable)?,
                b'(' if self.is_code() => self.push(OpenBracket::Arguments)?,
                b')' if self.is_in(OpenBracket::Arguments) => drop(self.open.pop()),
                b'}' if !self.is_in(OpenBracket::Arguments) => drop(self.open.pop()),
                b':' if self.is_in(OpenBracket::Arguments) => self.named_argument()?,
                b'-' if self.is_in(OpenBracket::Placeable) && self.byte(self.at) == Some(b'>') => {
                    self.open.pop();
                    self.open.push(OpenBracket::Variants);
                }
                _ => {}
            }
        }
        Ok(self.offsets)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn is_in(&self, open: OpenBracket) -> bool {
        self.open.last() == Some(&open)
    }

    /// Whether the position is in code, and not in a text.
    fn is_code(&self) -> bool {
        self.is_in(OpenBracket::Placeable) || self.is_in(OpenBracket::Arguments)
    }

    fn push(&mut self, open: OpenBracket) -> Result<(), SyntaxError> {
        if self.open.len() >= MAX_PLACEABLES {
            return Err(ReadErrorKind::TooDeep(MAX_PLACEABLES).at(self.at - 1));
        }
        self.open.push(open);
        Ok(())
    }

    fn named_argument(&mut self) -> Result<(), SyntaxError> {
        self.named += 1;
        if self.named <= MAX_NAMED_ARGUMENTS {
            return Ok(());
        }
        let message = format!(
            "expected at most {MAX_NAMED_ARGUMENTS} named arguments in a message, found more"
        );
        Err(ReadErrorKind::syntax(message, self.at - 1))
    }

    /// Reads the start of a line: an entry or a comment ends all constructs.
    fn begin_line(&mut self) -> Result<(), SyntaxError> {
        self.is_literal = false;
        let line = &self.bytes[self.at..];
        match line.first() {
            Some(b'#') => {
                self.open.clear();
                self.at += memchr::memchr(b'\n', line).unwrap_or(line.len());
            }
            Some(b' ') => {
                self.at += line.iter().take_while(|&&byte| byte == b' ').count();
                if self.byte(self.at) == Some(b'{') && !self.is_code() {
                    self.offsets.push(self.at);
                }
            }
            Some(_) if begins_entry(line) => {
                self.open.clear();
                self.named = 0;
            }
            _ => {}
        }
        self.indentation += INDENTATION * self.open.len();
        if self.indentation > MAX_TEXT {
            Err(ReadErrorKind::TooMuchText.at(self.at))
        } else {
            Ok(())
        }
    }

    /// Reads the text after a backslash: in a literal an escaped character, and everywhere the digits of an escape.
    fn backslash(&mut self) {
        match self.byte(self.at) {
            Some(b'"' | b'\\') if self.is_literal => self.at += 1,
            Some(b'u' | b'U') => {
                let digits = self.bytes[self.at + 1..].iter();
                let digits = digits.take_while(|digit| digit.is_ascii_hexdigit());
                let end = self.at + 1 + digits.count();
                if self.byte(end).is_some_and(|byte| !byte.is_ascii()) {
                    self.offsets.push(end);
                    self.at = end;
                }
            }
            _ => {}
        }
    }
}

/// The start of the first entry without a comment that begins after an offset.
fn next_entry(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let ends = memchr::memchr_iter(b'\n', bytes.get(from..)?).map(|end| from + end);
    let mut before = memchr::memrchr(b'\n', bytes.get(..from)?).map_or(0, |end| end + 1);
    for end in ends {
        let is_comment = bytes.get(before) == Some(&b'#');
        before = end + 1;
        if !is_comment && bytes.get(before..).is_some_and(begins_entry) {
            return Some(before);
        }
    }
    None
}

/// Whether the line is the first of a message or term: `name =` or `-name =`.
fn begins_entry(line: &[u8]) -> bool {
    let name = line.strip_prefix(b"-").unwrap_or(line);
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let length = name.iter().take_while(is_name).count();
    let mut rest = name[length..].iter();
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && rest.find(|&&byte| byte != b' ') == Some(&b'=')
}
