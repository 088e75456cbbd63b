//! Finds placeholders in a text, one tokenizer per placeholder style (`docs/spec/checks.md#placeholder-styles`).

mod brace;
mod printf;
mod sigil;

use std::borrow::Cow;
use std::ops::Range;

pub(super) use crate::checks::pair::bounded;

/// A placeholder in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placeholder<'a> {
    /// The bytes of the placeholder.
    pub range: Range<usize>,
    /// The placeholder as compared: without parts that do not matter.
    pub text: Cow<'a, str>,
    /// Whether the placeholder has no name or number, so that its position matters.
    pub positional: bool,
}

/// A placeholder style. Each one belongs to a format check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlaceholderStyle {
    AngularJs,
    Automattic,
    C,
    CSharp,
    EcmaScript,
    I18next,
    JavaMessage,
    JavaPrintf,
    Laravel,
    ObjectiveC,
    ObjectPascal,
    Percent,
    PerlBrace,
    Php,
    Python,
    PythonBrace,
    Qt,
    QtPlural,
    Ruby,
    Scheme,
    Vue,
}

impl PlaceholderStyle {
    /// Returns the placeholders of a text, in order. They do not overlap.
    pub fn tokens(self, text: &str) -> Vec<Placeholder<'_>> {
        let mut tokens = Vec::new();
        let first = self.first_byte();
        let mut from = 0;
        while let Some(start) = text
            .as_bytes()
            .get(from..)
            .and_then(|rest| first.find(rest))
            .map(|at| from + at)
        {
            let token = self.at(text, start);
            from = token
                .as_ref()
                .map_or(start + 1, |token| token.range.end.max(start + 1));
            if let Some(token) = token
                && !token.text.is_empty()
            {
                tokens.push(token);
            }
        }
        tokens
    }

    /// Whether a text can contain a placeholder of this style.
    pub fn may_occur(self, text: &str) -> bool {
        self.first_byte().find(text.as_bytes()).is_some()
    }

    /// Removes the placeholders from a text, including escaped ones.
    pub fn strip(self, text: &str) -> String {
        let mut stripped = String::with_capacity(text.len());
        let mut from = 0;
        let first = self.first_byte();
        while let Some(start) = text
            .as_bytes()
            .get(from..)
            .and_then(|rest| first.find(rest))
            .map(|at| from + at)
        {
            let token = self.at(text, start);
            let until = if token.is_some() { start } else { start + 1 };
            stripped.push_str(text.get(from..until).unwrap_or_default());
            from = token.map_or(until, |token| token.range.end.max(start + 1));
        }
        stripped.push_str(text.get(from..).unwrap_or_default());
        stripped
    }

    /// Returns the end of the placeholder or escape that begins at `start`.
    pub(super) fn end_at(self, text: &str, start: usize) -> Option<usize> {
        self.at(text, start)
            .map(|token| token.range.end.max(start + 1))
    }

    fn first_byte(self) -> FirstByte {
        match self {
            Self::C | Self::JavaPrintf | Self::ObjectiveC | Self::ObjectPascal | Self::Percent => {
                FirstByte::One(b'%')
            }
            Self::Php | Self::Python | Self::Qt | Self::QtPlural | Self::Ruby => {
                FirstByte::One(b'%')
            }
            Self::AngularJs
            | Self::Automattic
            | Self::CSharp
            | Self::JavaMessage
            | Self::PerlBrace => FirstByte::One(b'{'),
            Self::PythonBrace => FirstByte::Two(b'{', b'}'),
            Self::EcmaScript => FirstByte::One(b'$'),
            Self::I18next => FirstByte::Two(b'{', b'$'),
            Self::Laravel => FirstByte::One(b':'),
            Self::Scheme => FirstByte::One(b'~'),
            Self::Vue => FirstByte::Three(b'{', b'%', b'@'),
        }
    }

    /// Reads the placeholder that begins at `start`. An escaped character is a token with an empty text.
    fn at(self, text: &str, start: usize) -> Option<Placeholder<'_>> {
        let rest = bounded(text.get(start..)?, MAX_LENGTH);
        let found = match self {
            Self::C
            | Self::JavaPrintf
            | Self::ObjectiveC
            | Self::ObjectPascal
            | Self::Php
            | Self::Python
            | Self::Ruby => printf::read(self, rest),
            Self::AngularJs => brace::double(rest),
            Self::Automattic => brace::automattic(rest),
            Self::CSharp => brace::c_sharp(rest),
            Self::JavaMessage => brace::java(rest),
            Self::PerlBrace => brace::perl(rest),
            Self::PythonBrace => brace::python(rest),
            Self::I18next => brace::i18next(rest),
            Self::EcmaScript => sigil::ecma_script(rest),
            Self::Vue => sigil::vue(rest),
            Self::Percent => sigil::percent(rest),
            Self::Laravel => sigil::laravel(rest),
            Self::Qt => sigil::qt(rest),
            Self::QtPlural => sigil::qt_plural(rest),
            Self::Scheme => sigil::scheme(rest),
        }?;
        Some(Placeholder {
            range: start..start + found.length,
            text: found.text,
            positional: found.positional,
        })
    }
}

/// A placeholder at the start of a text.
struct FoundPlaceholder<'a> {
    length: usize,
    text: Cow<'a, str>,
    positional: bool,
}

impl<'a> FoundPlaceholder<'a> {
    /// A named placeholder that is compared as written.
    fn named(text: &'a str, length: usize) -> Option<Self> {
        Some(Self {
            length,
            text: Cow::Borrowed(text.get(..length)?),
            positional: false,
        })
    }

    /// A placeholder of which only the number is compared.
    fn numbered(length: usize, number: &'a str) -> Option<Self> {
        Some(Self {
            length,
            text: Cow::Borrowed(number),
            positional: false,
        })
    }

    /// A named placeholder that is compared without whitespace.
    fn without_spaces(text: &'a str, length: usize) -> Option<Self> {
        let written = text.get(..length)?;
        let text = if written.contains(char::is_whitespace) {
            Cow::Owned(written.split_whitespace().collect())
        } else {
            Cow::Borrowed(written)
        };
        Some(Self {
            length,
            text,
            positional: false,
        })
    }

    /// An escaped character.
    fn escape(length: usize) -> Self {
        Self {
            length,
            text: Cow::Borrowed(""),
            positional: false,
        }
    }
}

/// The bytes that a placeholder can begin with.
enum FirstByte {
    One(u8),
    Two(u8, u8),
    Three(u8, u8, u8),
}

impl FirstByte {
    fn find(&self, text: &[u8]) -> Option<usize> {
        match *self {
            Self::One(one) => memchr::memchr(one, text),
            Self::Two(one, two) => memchr::memchr2(one, two, text),
            Self::Three(one, two, three) => memchr::memchr3(one, two, three, text),
        }
    }
}

/// The maximum length of a placeholder in bytes. Without a limit, a text of opening brackets would take quadratic time.
pub(super) const MAX_LENGTH: usize = 1024;

/// The length in bytes of the longest prefix whose characters all match.
fn run(text: &str, matches: impl Fn(char) -> bool) -> usize {
    text.find(|char| !matches(char)).unwrap_or(text.len())
}

fn is_ascii_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

#[cfg(test)]
mod tests;
