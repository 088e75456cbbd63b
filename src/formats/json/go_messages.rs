//! Parts that the formats of Go share: lists of messages and objects of plural forms.

use std::borrow::Cow;

use super::node::JsonNode;
use super::token::JsonKind;
use crate::formats::entry_list::{EntryList, Translated};
use crate::formats::error::SyntaxError;
use crate::formats::{PluralForm, RawEntry};

/// The plural forms of a message.
pub(super) type Forms<'a> = Vec<(PluralForm, Cow<'a, str>)>;

/// A format with a list of messages.
pub(super) struct MessageList {
    /// The name of the member with the note.
    pub(super) note: &'static str,
    /// The id of a message.
    pub(super) id: for<'a> fn(JsonNode<'a>) -> Result<Cow<'a, str>, SyntaxError>,
    /// Whether a translation can be a number or boolean.
    pub(super) has_numbers: bool,
    /// The plural forms of a translation that is an object.
    pub(super) forms: for<'a> fn(JsonNode<'a>) -> Result<Forms<'a>, SyntaxError>,
}

impl MessageList {
    /// Adds the entries of the list.
    pub(super) fn entries(
        &self,
        messages: JsonNode<'_>,
        list: &mut EntryList,
    ) -> Result<(), SyntaxError> {
        for message in messages.children() {
            message.require(
                JsonKind::Object,
                "an object such as {\"id\": \"key\", \"translation\": \"text\"}",
            )?;
            let (context, note) = ((self.id)(message)?, text_of(message, self.note)?);
            let entry = RawEntry {
                context: &context,
                note: &note,
                offset: message.offset(),
                ..RawEntry::default()
            };
            match message.get("translation") {
                Some(translation) if translation.kind() == JsonKind::Object => {
                    push_plural(&(self.forms)(translation)?, entry, list);
                }
                Some(number) if self.has_numbers && number.kind().is_integer_or_boolean() => {
                    let mut buffer = String::new();
                    let (text, translated) = number.leaf(&mut buffer);
                    list.push(RawEntry {
                        text,
                        translated,
                        ..entry
                    });
                }
                Some(translation) if translation.kind() != JsonKind::Null => {
                    push_text(translation, entry, list)?;
                }
                _ => list.push(entry),
            }
        }
        Ok(())
    }
}

/// Adds an entry with the text of a value.
pub(super) fn push_text(
    value: JsonNode<'_>,
    entry: RawEntry<'_>,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    let text = value.require_string("a text or an object of plural forms")?;
    list.push(RawEntry {
        text: &text,
        translated: !text.is_empty(),
        ..entry
    });
    Ok(())
}

/// Adds an entry with plural forms.
pub(super) fn push_plural(forms: &Forms<'_>, entry: RawEntry<'_>, list: &mut EntryList) {
    let forms = forms.iter().map(|(form, text)| (*form, &**text));
    list.push_plural(entry, Translated::AnyForm, forms);
}

/// The members that are named after categories, in the order of the categories. `text` returns the text of a member.
///
/// # Errors
/// If there is none.
pub(super) fn forms<'a>(
    object: JsonNode<'a>,
    text: impl Fn(JsonNode<'a>) -> Result<Cow<'a, str>, SyntaxError>,
) -> Result<Forms<'a>, SyntaxError> {
    let mut forms = Forms::new();
    for member in object.children() {
        if let Some(form) = PluralForm::from_category(&member.name()) {
            forms.push((form, text(member)?));
        }
    }
    if forms.is_empty() {
        return Err(object.expected("a plural form such as \"other\""));
    }
    forms.sort_by_key(|&(form, _)| form);
    Ok(forms)
}

/// The text of a plural form.
pub(super) fn form_text(form: JsonNode<'_>) -> Result<Cow<'_, str>, SyntaxError> {
    form.require_string("a text as plural form")
}

/// The text of a member; empty if it is missing or null.
pub(super) fn text_of<'a>(object: JsonNode<'a>, name: &str) -> Result<Cow<'a, str>, SyntaxError> {
    match object.get(name) {
        Some(member) if member.kind() != JsonKind::Null => member.require_string("a text"),
        _ => Ok(Cow::Borrowed("")),
    }
}
