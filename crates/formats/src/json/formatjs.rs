//! The format `formatjs`: extracted messages of FormatJS (`docs/spec/formats.md#formatjs`).

use super::node::JsonNode;
use super::token::JsonKind;
use crate::entry::RawEntry;
use crate::entry_list::EntryList;
use crate::error::SyntaxError;

pub(crate) fn entries(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object of messages at the top level")?;
    for member in root.children() {
        member.require_object("an object such as {\"defaultMessage\": \"text\"}")?;
        let text = member.optional_string("defaultMessage", "a text as defaultMessage")?;
        let note = match member.get("description") {
            Some(note) if note.kind() == JsonKind::Object => note.text(),
            _ => member.optional_string("description", "a text as description")?,
        };
        list.push(RawEntry {
            note: &note,
            ..RawEntry::new(&member.name(), &text, member.offset())
        });
    }
    Ok(())
}
