//! The formats of Go: `go-i18n-json`, `go-i18n-json-v2` (`docs/spec/formats.md#go-i18n`) and `gotext`, catalogs of
//! `golang.org/x/text/message` (`docs/spec/formats.md#gotext`).

use std::borrow::Cow;

use super::node::JsonNode;
use super::token::JsonKind;
use super::walk::each_message;
use crate::entry::RawEntry;
use crate::entry_list::{EntryList, Translated};
use crate::error::SyntaxError;
use gitglot_model::PluralForm;

/// The format `go-i18n-json`: a list of messages.
pub(crate) fn i18n_v1(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require(JsonKind::Array, "a list of messages at the top level")?;
    let messages = MessageList {
        note: "description",
        id: scalar_id,
        has_numbers: true,
        forms: |translation| forms(translation, form_text),
    };
    messages.entries(root, list)
}

/// The id of a message. A number has Python's notation.
fn scalar_id(message: JsonNode<'_>) -> Result<Cow<'_, str>, SyntaxError> {
    match message.get("id") {
        Some(id) if id.kind().is_container() => Err(id.expected("a text as id")),
        Some(id) => Ok(id.text()),
        None => Ok(Cow::Borrowed("")),
    }
}

/// Files of go-i18n that are no JSON: a list of messages as in version 1, or an object as in version 2.
pub(crate) fn i18n(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    match root.kind() {
        JsonKind::Array => i18n_v1(root, list),
        _ => i18n_v2(root, list),
    }
}

/// The format `go-i18n-json-v2`: an object of messages.
pub(crate) fn i18n_v2(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object of messages at the top level")?;
    let is_group = |object| !is_message(object);
    each_message(root, &mut String::new(), &is_group, &mut |message, id| {
        if message.kind() != JsonKind::Object {
            return push_text(message, RawEntry::new(id, "", message.offset()), list);
        }
        let note = text_of(message, "description")?;
        let entry = RawEntry {
            note: &note,
            ..RawEntry::new(id, "", message.offset())
        };
        push_plural(&forms(message, form_text)?, entry, list);
        Ok(())
    })
}

/// Whether an object is a message, as go-i18n decides it: a text has a name that messages reserve.
fn is_message(object: JsonNode<'_>) -> bool {
    object.children().any(|member| {
        let name = member.name();
        let others = ["id", "description", "hash", "leftdelim", "rightdelim"];
        let is_reserved = PluralForm::from_category(&name).is_some() || others.contains(&&*name);
        member.kind().is_string() && is_reserved
    })
}

pub(crate) fn gotext(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object with \"language\" and \"messages\"")?;
    let Some(messages) = root.get("messages") else {
        return Ok(());
    };
    messages.require(JsonKind::Array, "a list of messages")?;
    let format = MessageList {
        note: "translatorComment",
        id: |message| Ok(message.get("id").map_or(Cow::Borrowed(""), JsonNode::text)),
        has_numbers: false,
        forms: selected,
    };
    format.entries(messages, list)
}

/// The plural forms of a selection. Cases for exact numbers and ranges are no plural forms.
fn selected(translation: JsonNode<'_>) -> Result<Forms<'_>, SyntaxError> {
    const EXPECTED: &str = "a selection of plural forms";
    let select = translation
        .get("select")
        .ok_or_else(|| translation.expected(EXPECTED))?;
    let cases = select
        .get("cases")
        .ok_or_else(|| select.expected(EXPECTED))?;
    cases.require_object(EXPECTED)?;
    forms(cases, |case| match case.kind() {
        JsonKind::Object => {
            let message = case.get("msg");
            form_text(message.ok_or_else(|| case.expected("a text as plural form"))?)
        }
        _ => form_text(case),
    })
}

type Forms<'a> = Vec<(PluralForm, Cow<'a, str>)>;

/// A format with a list of messages.
struct MessageList {
    /// The name of the member with the note.
    note: &'static str,
    /// The id of a message.
    id: for<'a> fn(JsonNode<'a>) -> Result<Cow<'a, str>, SyntaxError>,
    /// Whether a translation can be a number or boolean.
    has_numbers: bool,
    /// The plural forms of a translation that is an object.
    forms: for<'a> fn(JsonNode<'a>) -> Result<Forms<'a>, SyntaxError>,
}

impl MessageList {
    fn entries(&self, messages: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
        for message in messages.children() {
            message
                .require_object("an object such as {\"id\": \"key\", \"translation\": \"text\"}")?;
            let (context, note) = ((self.id)(message)?, text_of(message, self.note)?);
            let entry = RawEntry {
                note: &note,
                ..RawEntry::new(&context, "", message.offset())
            };
            match message.get("translation") {
                Some(translation) if translation.kind() == JsonKind::Object => {
                    push_plural(&(self.forms)(translation)?, entry, list);
                }
                Some(number) if self.has_numbers && number.kind().is_integer_or_boolean() => {
                    let (text, translated) = number.leaf();
                    list.push(RawEntry {
                        text: &text,
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
fn push_text(
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

fn push_plural(forms: &Forms<'_>, entry: RawEntry<'_>, list: &mut EntryList) {
    let forms = forms.iter().map(|(form, text)| (*form, &**text));
    list.push_plural(entry, Translated::AnyForm, forms);
}

/// The members that are named after categories, in the order of the categories. `text` returns the text of a member.
///
/// # Errors
/// If there is none.
fn forms<'a>(
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
fn form_text(form: JsonNode<'_>) -> Result<Cow<'_, str>, SyntaxError> {
    form.require_string("a text as plural form")
}

/// The text of a member; empty if it is missing or null.
fn text_of<'a>(object: JsonNode<'a>, name: &str) -> Result<Cow<'a, str>, SyntaxError> {
    match object.get(name) {
        Some(member) if member.kind() != JsonKind::Null => member.require_string("a text"),
        _ => Ok(Cow::Borrowed("")),
    }
}
