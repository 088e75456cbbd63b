//! The format `arb`: Application Resource Bundle (`docs/spec/formats.md#arb`).

use std::borrow::Cow;

use super::node::JsonNode;
use super::token::JsonKind;
use crate::entry::RawEntry;
use crate::entry_list::EntryList;
use crate::error::SyntaxError;
use gitglot_model::SeededMap;

pub(crate) fn entries(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object of messages at the top level")?;
    let members = root.members();
    // Metadata without a message is ignored.
    let metadata: SeededMap<&str, JsonNode<'_>> = members
        .iter()
        .filter_map(|(name, member)| Some((name.strip_prefix('@')?, *member)))
        .collect();
    for (name, member) in members.iter().filter(|(name, _)| !name.starts_with('@')) {
        let kind = member.kind();
        // Flutter reads it as a text that is not translated.
        if kind == JsonKind::Null {
            continue;
        }
        if !kind.is_string() && !kind.is_integer_or_boolean() {
            return Err(member.expected("a text as message"));
        }
        let (text, translated) = member.leaf();
        let note = metadata.get(&**name).map(|&metadata| description(metadata));
        let note = note.transpose()?.unwrap_or_default();
        list.push(RawEntry {
            note: &note,
            translated,
            ..RawEntry::new(name, &text, member.offset())
        });
    }
    Ok(())
}

/// The description in the metadata of a message.
fn description<'a>(metadata: JsonNode<'a>) -> Result<Cow<'a, str>, SyntaxError> {
    metadata.require_object("an object with the metadata of the message")?;
    let placeholders = metadata.get("placeholders");
    if let Some(placeholders) = placeholders.filter(|value| value.kind() != JsonKind::Null) {
        placeholders.require_object("an object of placeholders")?;
    }
    metadata.optional_string("description", "a text as description")
}
