//! The formats `go-i18n-json` (version 1) and `go-i18n-json-v2` (`docs/spec/formats.md#go-i18n`).

use std::borrow::Cow;

use super::node::JsonNode;
use super::token::JsonKind;
use super::tree_dialect::TreeDialect;
use crate::formats::entry_list::{EntryList, Translated};
use crate::formats::error::SyntaxError;
use crate::formats::{PluralForm, RawEntry};

/// The format `go-i18n-json`: a list of messages.
pub(super) struct GoI18nV1;

/// The format `go-i18n-json-v2`: an object of messages.
pub(super) struct GoI18nV2;

impl TreeDialect for GoI18nV1 {
    fn entries(&self, root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
        root.require(JsonKind::Array, "a list of messages at the top level")?;
        for message in root.children() {
            message.require(
                JsonKind::Object,
                "an object such as {\"id\": \"key\", \"translation\": \"text\"}",
            )?;
            let context = text_of(message, "id")?;
            let note = text_of(message, "description")?;
            let entry = RawEntry {
                context: &context,
                note: &note,
                offset: message.offset(),
                ..RawEntry::default()
            };
            match message.get("translation") {
                Some(translation) if translation.kind() == JsonKind::Object => {
                    plural(translation, entry, list)?
                }
                Some(translation) if translation.kind() != JsonKind::Null => {
                    let text = translation.require_string("a text or an object of plural forms")?;
                    list.push(RawEntry {
                        text: &text,
                        translated: !text.is_empty(),
                        ..entry
                    });
                }
                _ => list.push(entry),
            }
        }
        Ok(())
    }
}

impl TreeDialect for GoI18nV2 {
    fn entries(&self, root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
        root.require(JsonKind::Object, "an object of messages at the top level")?;
        for message in root.children() {
            let context = message.name();
            let entry = RawEntry {
                context: &context,
                offset: message.offset(),
                ..RawEntry::default()
            };
            if message.kind() == JsonKind::Object {
                let note = text_of(message, "description")?;
                plural(
                    message,
                    RawEntry {
                        note: &note,
                        ..entry
                    },
                    list,
                )?;
            } else {
                let text = message.require_string("a text or an object of plural forms")?;
                list.push(RawEntry {
                    text: &text,
                    translated: !text.is_empty(),
                    ..entry
                });
            }
        }
        Ok(())
    }
}

/// Adds an entry with the forms that the object has, in the order of the categories.
pub(super) fn plural(
    object: JsonNode<'_>,
    entry: RawEntry<'_>,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    let mut forms: Vec<(PluralForm, Cow<'_, str>)> = Vec::new();
    for member in object.children() {
        if let Some(form) = PluralForm::from_category(&member.name()) {
            forms.push((form, member.require_string("a text as plural form")?));
        }
    }
    if forms.is_empty() {
        return Err(object.expected("a plural form such as \"other\""));
    }
    forms.sort_by_key(|&(form, _)| form);
    list.push_plural(
        entry,
        Translated::AnyForm,
        forms.iter().map(|(form, text)| (*form, &**text)),
    );
    Ok(())
}

/// The text of a member; empty if it is missing or null.
pub(super) fn text_of<'a>(object: JsonNode<'a>, name: &str) -> Result<Cow<'a, str>, SyntaxError> {
    match object.get(name) {
        Some(member) if member.kind() != JsonKind::Null => member.require_string("a text"),
        _ => Ok(Cow::Borrowed("")),
    }
}
