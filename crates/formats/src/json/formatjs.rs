//! The format `formatjs`: extracted messages of FormatJS (`docs/spec/formats.md#formatjs`).

use std::borrow::Cow;

use super::node::JsonNode;
use super::token::JsonKind;
use crate::entry_list::EntryList;
use crate::error::SyntaxError;
use crate::format_reader::RawEntry;

pub(crate) fn entries(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require(JsonKind::Object, "an object of messages at the top level")?;
    for member in root.children() {
        member.require(
            JsonKind::Object,
            "an object such as {\"defaultMessage\": \"text\"}",
        )?;
        let text = match member.get("defaultMessage") {
            Some(message) => message.require_string("a text as defaultMessage")?,
            None => Cow::Borrowed(""),
        };
        let note = match member.get("description") {
            Some(note) if note.kind() == JsonKind::Object => note.text(),
            Some(note) => note.require_string("a text as description")?,
            None => Cow::Borrowed(""),
        };
        list.push(RawEntry {
            note: &note,
            ..RawEntry::new(&member.name(), &text, member.offset())
        });
    }
    Ok(())
}
