//! Tokens of a JSON text: byte ranges with the kind of value, and the texts and numbers that they represent.

use std::borrow::Cow;

use super::literal::{lexed_float, unescape};
use super::python_repr::{python_float, python_repr};
use crate::offsets::offset;

/// A byte range of a file. Files fit in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ByteSpan {
    pub(super) from: u32,
    pub(super) until: u32,
}

impl ByteSpan {
    pub(super) fn new(from: usize, until: usize) -> Self {
        Self {
            from: offset(from),
            until: offset(until),
        }
    }
}

/// A string literal: the bytes between the quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Quoted {
    pub(super) span: ByteSpan,
    /// Whether it contains escapes.
    pub(super) escaped: bool,
}

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum JsonKind {
    /// No value.
    #[default]
    Missing,
    Null,
    True,
    False,
    Integer,
    Float,
    /// A string without escapes.
    Plain,
    /// A string with escapes.
    Escaped,
    Object,
    Array,
}

impl JsonKind {
    pub(super) fn is_string(self) -> bool {
        matches!(self, Self::Plain | Self::Escaped)
    }

    pub(super) fn is_container(self) -> bool {
        matches!(self, Self::Object | Self::Array)
    }

    /// Whether the value is an integer or boolean, which some formats accept as a text.
    pub(super) fn is_integer_or_boolean(self) -> bool {
        matches!(self, Self::Integer | Self::True | Self::False)
    }
}

/// A value with its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct JsonToken {
    /// The name of a member; empty at offset 0 for elements and the root.
    pub(super) name: Quoted,
    pub(super) kind: JsonKind,
    /// For a string the bytes between the quotes, else the whole value.
    pub(super) value: ByteSpan,
    /// Number of tokens inside this value. They follow directly.
    pub(super) inner: u32,
}

impl JsonToken {
    /// Whether the token has no name: the root value or an element of an array.
    pub(super) fn is_unnamed(&self) -> bool {
        self.name.span.from == 0
    }

    /// Byte offset where the member or element begins.
    pub(super) fn start(&self) -> usize {
        let first = if self.is_unnamed() {
            self.value.from
        } else {
            self.name.span.from
        };
        let quoted = !self.is_unnamed() || self.kind.is_string();
        (first as usize).saturating_sub(usize::from(quoted))
    }

    /// Byte offset where the value begins.
    pub(super) fn value_start(&self) -> usize {
        (self.value.from as usize).saturating_sub(usize::from(self.kind.is_string()))
    }
}

/// The text of a file, or of a part of it. Spans are offsets in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonText<'a> {
    text: &'a str,
    /// Offset of the text in the file.
    from: usize,
}

impl<'a> JsonText<'a> {
    pub(super) fn new(text: &'a str, from: usize) -> Self {
        Self { text, from }
    }

    /// The text at that span, which is one of a token of this text. Panics otherwise: an empty text would be served as a
    /// translation.
    #[inline]
    pub(super) fn at(&self, span: ByteSpan) -> &'a str {
        let from = (span.from as usize).wrapping_sub(self.from);
        let until = (span.until as usize).wrapping_sub(self.from);
        &self.text[from..until]
    }

    /// Appends a decoded string.
    #[inline]
    pub(super) fn add_name(&self, name: Quoted, out: &mut String) {
        let raw = self.at(name.span);
        if name.escaped {
            unescape(raw, out)
        } else {
            out.push_str(raw)
        }
    }

    /// The decoded string.
    pub(super) fn name(&self, name: Quoted) -> Cow<'a, str> {
        if !name.escaped {
            return Cow::Borrowed(self.at(name.span));
        }
        let mut out = String::new();
        unescape(self.at(name.span), &mut out);
        Cow::Owned(out)
    }

    /// The text of a value, and whether it is true in Python (`docs/spec/units.md#state`). `buffer` stores the
    /// text if it differs from the bytes of the file.
    #[inline]
    pub(super) fn leaf<'b>(
        &self,
        kind: JsonKind,
        span: ByteSpan,
        buffer: &'b mut String,
    ) -> (&'b str, bool)
    where
        'a: 'b,
    {
        match kind {
            JsonKind::Missing | JsonKind::Null => ("", false),
            JsonKind::True => ("True", true),
            JsonKind::False => ("False", false),
            JsonKind::Plain => {
                let text = self.at(span);
                (text, !text.is_empty())
            }
            JsonKind::Escaped => {
                buffer.clear();
                unescape(self.at(span), buffer);
                (buffer, true)
            }
            JsonKind::Integer => match self.at(span) {
                "0" | "-0" => ("0", false),
                digits => (digits, true),
            },
            JsonKind::Float => {
                let value = lexed_float(self.at(span));
                buffer.clear();
                python_float(value, buffer);
                (buffer, value != 0.0)
            }
            JsonKind::Object | JsonKind::Array => {
                buffer.clear();
                let any = python_repr(self.at(span), buffer);
                (buffer, any)
            }
        }
    }
}
