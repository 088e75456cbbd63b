//! An entry while its lines are read.

use std::borrow::Cow;

use super::comments::Comments;
use super::lines::Lines;
use crate::entry::{BilingualFields, RawEntry, Revised};
use crate::entry_list::{EntryList, numbered_forms};
use crate::incremental::Block;
use gitglot_model::{PLURAL_SEPARATOR, Shape, fit_forms};

/// The text that a continuation line belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Context,
    Source,
    Plural,
    Text,
    PreviousContext,
    PreviousSource,
    PreviousPlural,
}

#[derive(Default)]
pub(super) struct Entry {
    pub(super) comments: Comments,
    pub(super) obsolete: bool,
    /// Where its first keyword is.
    pub(super) start: usize,
    pub(super) lines: Lines,
    pub(super) field: Option<Field>,
    pub(super) context: Option<String>,
    pub(super) source: Option<String>,
    pub(super) plural: Option<String>,
    /// The forms of the text with their indexes; `None` for a text without an index.
    pub(super) texts: Vec<(Option<u32>, String)>,
    previous_source: Option<String>,
    previous_plural: Option<String>,
}

impl Entry {
    /// Whether a keyword was read.
    pub(super) fn has_begun(&self) -> bool {
        self.context.is_some() || self.source.is_some()
    }

    /// Whether a keyword or comment that follows begins a new entry.
    pub(super) fn is_finished(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Its block in a text; none for an entry that more lines could complete.
    pub(super) fn block(&self, text: &str) -> Option<Block> {
        self.is_finished().then(|| self.lines.block(text))
    }

    /// The text of a field, to which lines are appended.
    pub(super) fn text_of<'e>(
        &'e mut self,
        field: Field,
        ignored: &'e mut String,
    ) -> &'e mut String {
        match field {
            Field::Context => self.context.get_or_insert_default(),
            Field::Source => self.source.get_or_insert_default(),
            Field::Plural => self.plural.get_or_insert_default(),
            Field::Text => self.texts.last_mut().map_or(ignored, |(_, text)| text),
            Field::PreviousContext => ignored,
            Field::PreviousSource => self.previous_source.get_or_insert_default(),
            Field::PreviousPlural => self.previous_plural.get_or_insert_default(),
        }
    }

    /// The text of a header, if the entry is one.
    pub(super) fn header(&self) -> Option<&str> {
        let is_header = !self.obsolete
            && self.source.as_deref() == Some("")
            && self.context.as_deref().unwrap_or_default().is_empty();
        is_header.then(|| self.texts.first().map_or("", |(_, text)| text))
    }

    /// Whether the entry is a text in use, if it is no header.
    pub(super) fn is_used(&self) -> bool {
        !self.obsolete && self.is_finished()
    }

    /// Adds a text in use to a list, given its [identity](Self::identity), or its key in a template in place of the
    /// context. `forms` is the number of plural forms that the header of the file declares; texts of keys have as many
    /// as the file has, because the template has those of its own language.
    pub(super) fn push(
        &self,
        context: &str,
        source: Option<&str>,
        forms: Option<usize>,
        list: &mut EntryList,
    ) {
        let text = self.joined_text(forms);
        let has_text = !text.is_empty() && !text.starts_with(PLURAL_SEPARATOR);
        let fuzzy = self.comments.fuzzy && (source.is_some() || !text.is_empty());
        let fields = BilingualFields {
            source: source.unwrap_or_default(),
            previous_source: &self.previous_source(fuzzy),
            old_source: "",
            locations: self.comments.locations(),
            flags: &self.comments.flags(),
            fuzzy,
            // There is nothing to review, and the log calls it empty.
            revised: if source.is_some() && fuzzy && !has_text {
                Revised::Untranslated
            } else {
                Revised::Same
            },
        };
        list.push(RawEntry {
            note: &self.comments.note(),
            forms: &numbered_forms(&text, self.plural.is_some()),
            translated: !fuzzy && has_text,
            bilingual: source.is_some().then_some(&fields),
            keyed: source.is_none().then_some(&fields),
            ..RawEntry::new(context, &text, self.start)
        });
    }

    /// What identifies the entry in a template: the message with its context. None for a header and for entries that do
    /// not count.
    pub(super) fn key(&self) -> Option<String> {
        if self.header().is_some() || !self.is_used() {
            return None;
        }
        let id = self.source.as_deref().unwrap_or_default();
        Some(match self.context.as_deref().unwrap_or_default() {
            "" => id.to_owned(),
            context => Shape::bilingual_key(context, id),
        })
    }

    /// The context and the source, with its forms joined.
    pub(super) fn identity(&self) -> (&str, String) {
        let mut context = self.context.as_deref().unwrap_or_default();
        let mut source = self.source.as_deref().unwrap_or_default();
        // KDE wrote contexts as a first line of the source.
        if let Some((first, rest)) = source
            .strip_prefix("_: ")
            .and_then(|rest| rest.split_once('\n'))
        {
            source = rest;
            if context.is_empty() {
                context = first;
            }
        }
        let source = match &self.plural {
            Some(plural) => [source, plural].join(PLURAL_SEPARATOR),
            None => source.to_owned(),
        };
        (context, source)
    }

    fn joined_text(&self, forms: Option<usize>) -> Cow<'_, str> {
        if let ([(_, text)], None) = (self.texts.as_slice(), &self.plural) {
            return Cow::Borrowed(text);
        }
        let texts: Vec<&str> = self.texts.iter().map(|(_, text)| &**text).collect();
        let joined = texts.join(PLURAL_SEPARATOR);
        match forms {
            Some(forms) if self.plural.is_some() => fit_forms(&joined, forms).into(),
            _ => joined.into(),
        }
    }

    /// The previous source of a fuzzy entry; a plural always has two forms.
    fn previous_source(&self, fuzzy: bool) -> String {
        let source = self.previous_source.as_deref().unwrap_or_default();
        if !fuzzy {
            return String::new();
        }
        if self.plural.is_none() {
            return source.to_owned();
        }
        [source, self.previous_plural.as_deref().unwrap_or_default()].join(PLURAL_SEPARATOR)
    }
}
