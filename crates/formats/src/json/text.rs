//! Texts of tokens, read from the file.

use std::borrow::Cow;

use super::python_repr::{python_float, python_repr};
use super::token::{ByteSpan, JsonKind, Quoted};
use super::unescape::{float, unescape};

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

    /// The decoded string; in `buffer` if it has escapes.
    #[inline]
    pub(super) fn quoted<'b>(&self, name: Quoted, buffer: &'b mut String) -> &'b str
    where
        'a: 'b,
    {
        if !name.escaped {
            return self.at(name.span);
        }
        buffer.clear();
        unescape(self.at(name.span), buffer);
        buffer
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
            JsonKind::Escaped => (
                self.quoted(
                    Quoted {
                        span,
                        escaped: true,
                    },
                    buffer,
                ),
                true,
            ),
            JsonKind::Integer => match self.at(span) {
                "0" | "-0" => ("0", false),
                digits => (digits, true),
            },
            JsonKind::Float => {
                let value = float(self.at(span).as_bytes()).unwrap_or_default();
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
