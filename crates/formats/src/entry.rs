//! The entries of a file, as readers emit them.

use std::borrow::Cow;
use std::ops::Range;

use gitglot_model::{PluralForm, Shape};

/// One translatable text of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawEntry<'a> {
    /// The id of the text, in the notation of its format (`docs/spec/formats.md#formats`).
    pub context: &'a str,
    /// The text. Plural forms are joined with [`gitglot_model::PLURAL_SEPARATOR`]. Numbers
    /// and booleans have Python's notation (`docs/spec/formats.md#values`).
    pub text: &'a str,
    /// The form of each part of a plural text; empty for a text without plural forms.
    pub forms: &'a [PluralForm],
    /// The developer's note, else `""`.
    pub note: &'a str,
    /// Whether the value counts as a translation (`docs/spec/units.md#state`).
    pub translated: bool,
    /// Whether the file allows a translation of the text.
    pub translatable: bool,
    /// For which template the entry exists; `None` if the file itself has it.
    pub alternative: Option<Alternative>,
    /// Byte offset in the file where the entry begins.
    pub offset: usize,
    /// What only the entries of bilingual files have; `None` if a template contains the source text.
    pub bilingual: Option<&'a BilingualFields<'a>>,
    /// The same fields of an entry whose source text a template contains, without that text; only of formats with
    /// states ([`gitglot_model::FileFormat::has_states`]).
    pub keyed: Option<&'a BilingualFields<'a>>,
}

/// The fields of an entry of a bilingual file, which contains source texts and states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BilingualFields<'a> {
    /// The source text; its forms are joined like those of the text.
    pub source: &'a str,
    /// The source text that a fuzzy text was written for, else `""`.
    pub previous_source: &'a str,
    /// The source text that the entry had before a tool changed it, in formats without `previous_source`, else `""`.
    pub old_source: &'a str,
    /// Where the program uses the text, joined with `, `.
    pub locations: &'a str,
    /// The flags of the entry without its state, joined with `, `.
    pub flags: &'a str,
    /// Whether the file marks the text as one to be reviewed.
    pub fuzzy: bool,
    /// How programs see the entry.
    pub revised: Revised,
}

/// The template that an entry exists for, because it groups the same texts differently
/// (`docs/spec/formats.md#groups-of-plural-forms`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alternative {
    /// One that has the id.
    Any,
    /// One that has the id with plural forms.
    Plural,
}

/// How programs see an entry that Weblate 3.4 reads differently (`docs/spec/formats.md#differences-of-entries`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Revised {
    /// As Weblate 3.4 does.
    #[default]
    Same,
    /// As a string without a translation.
    Untranslated,
    /// As no string.
    Gone,
}

/// Adds a line to a note.
pub(super) fn add_line(note: &mut String, line: &str) {
    if !note.is_empty() {
        note.push('\n');
    }
    note.push_str(line);
}

impl<'a> BilingualFields<'a> {
    /// The source text that the file names as the earlier one, else `""`.
    pub fn earlier_source(&self) -> &'a str {
        match self.previous_source {
            "" => self.old_source,
            previous => previous,
        }
    }
}

impl<'a> RawEntry<'a> {
    /// What identifies the string in the log: its context, in bilingual files with its source
    /// ([`Shape::bilingual_key`]).
    pub fn key(&self) -> Cow<'a, str> {
        match self.bilingual {
            None => Cow::Borrowed(self.context),
            Some(fields) => Shape::bilingual_key(self.context, fields.source).into(),
        }
    }

    /// A text without a note, which is translated unless it is empty.
    #[inline]
    pub(super) fn new(context: &'a str, text: &'a str, offset: usize) -> Self {
        Self {
            context,
            text,
            forms: &[],
            note: "",
            translated: !text.is_empty(),
            translatable: true,
            alternative: None,
            offset,
            bilingual: None,
            keyed: None,
        }
    }
}

/// A part of the entries of a file, relative to the entries of an earlier version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// These entries of the earlier list, as 0-based indexes, unchanged; only notes and locations of bilingual entries
    /// and offsets may differ. Never empty; the ranges of one parse do not overlap, but may be in any order.
    Reused(Range<usize>),
    /// This entry. It may equal an earlier entry that was not reused.
    Entry(RawEntry<'a>),
}

/// Gets the entries of a file.
pub type EntrySink<'s> = &'s mut dyn FnMut(RawEntry<'_>);

/// Gets the parts of a new version of a file.
pub type PartSink<'s> = &'s mut dyn FnMut(Part<'_>);
