//! The formats `go-i18n-json` (version 1) and `go-i18n-json-v2` (`docs/spec/formats.md#go-i18n`).

use std::borrow::Cow;

use super::go_messages::{MessageList, form_text, forms, push_plural, push_text, text_of};
use super::node::JsonNode;
use super::token::JsonKind;
use super::tree_dialect::TreeDialect;
use crate::formats::RawEntry;
use crate::formats::entry_list::EntryList;
use crate::formats::error::SyntaxError;

/// The format `go-i18n-json`: a list of messages.
pub(super) struct GoI18nV1;

/// The format `go-i18n-json-v2`: an object of messages.
pub(super) struct GoI18nV2;

impl TreeDialect for GoI18nV1 {
    fn entries(&self, root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
        root.require(JsonKind::Array, "a list of messages at the top level")?;
        let messages = MessageList {
            note: "description",
            id: scalar_id,
            has_numbers: true,
            forms: |translation| forms(translation, form_text),
        };
        messages.entries(root, list)
    }
}

/// The id of a message. A number has Python's notation.
fn scalar_id(message: JsonNode<'_>) -> Result<Cow<'_, str>, SyntaxError> {
    match message.get("id") {
        Some(id) if matches!(id.kind(), JsonKind::Object | JsonKind::Array) => {
            Err(id.expected("a text as id"))
        }
        Some(id) => Ok(id.text()),
        None => Ok(Cow::Borrowed("")),
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
            if message.kind() != JsonKind::Object {
                push_text(message, entry, list)?;
                continue;
            }
            let note = text_of(message, "description")?;
            let entry = RawEntry {
                note: &note,
                ..entry
            };
            push_plural(&forms(message, form_text)?, entry, list);
        }
        Ok(())
    }
}
