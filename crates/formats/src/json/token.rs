//! Tokens of a JSON text: byte ranges with the kind of value. Depends on nothing.

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

/// A byte offset as it is stored. Larger files are refused before.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
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
