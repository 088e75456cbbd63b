//! The format `resjson`: resources of Windows apps in JavaScript (`docs/spec/formats.md#resjson`).

use std::borrow::Cow;

use super::node::JsonNode;
use crate::entry::RawEntry;
use crate::entry_list::EntryList;
use crate::error::SyntaxError;
use gitglot_model::SeededMap;

pub(crate) fn entries(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object of texts at the top level")?;
    let members = root.members();
    let mut notes: SeededMap<&str, Cow<'_, str>> = SeededMap::default();
    // A text has the position of the first member that names it.
    let has_metadata = members.iter().any(|(name, _)| metadata(name).is_some());
    let mut keys: SeededMap<&str, usize> = SeededMap::default();
    if has_metadata {
        keys.reserve(members.len());
    }
    let mut ordered: Vec<Option<usize>> = Vec::with_capacity(members.len());
    for (index, (name, member)) in members.iter().enumerate() {
        let kind = member.kind();
        if !kind.is_string() && !kind.is_integer_or_boolean() {
            return Err(member.expected("a text"));
        }
        let metadata = metadata(name);
        if let Some((key, "comment")) = metadata {
            notes.insert(key, member.text());
        }
        if !has_metadata {
            ordered.push(Some(index));
            continue;
        }
        let key = metadata.map_or(&**name, |(key, _)| key);
        let position = *keys.entry(key).or_insert(ordered.len());
        if position == ordered.len() {
            ordered.push(None);
        }
        if metadata.is_none() {
            ordered[position] = Some(index);
        }
    }
    for (name, member) in ordered.into_iter().flatten().map(|index| &members[index]) {
        let (text, translated) = member.leaf();
        list.push(RawEntry {
            note: notes.get(&**name).map_or("", |note| note),
            translated,
            ..RawEntry::new(name, &text, member.offset())
        });
    }
    Ok(())
}

/// Splits a name such as `_key.comment` into the key and the kind of metadata.
fn metadata(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix('_')?.rsplit_once('.')
}
