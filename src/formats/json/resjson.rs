//! The format `resjson`: resources of Windows apps in JavaScript (`docs/spec/formats.md#resjson`).

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::node::JsonNode;
use super::token::JsonKind;
use super::tree_dialect::TreeDialect;
use crate::formats::RawEntry;
use crate::formats::entry_list::EntryList;
use crate::formats::error::SyntaxError;

/// The format `resjson`.
pub(super) struct Resjson;

impl TreeDialect for Resjson {
    fn entries(&self, root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
        root.require(JsonKind::Object, "an object of texts at the top level")?;
        let members: Vec<(Cow<'_, str>, JsonNode<'_>)> = root
            .children()
            .map(|member| (member.name(), member))
            .collect();
        let mut notes: FxHashMap<&str, String> = FxHashMap::default();
        for (name, member) in &members {
            if !matches!(
                member.kind(),
                JsonKind::Plain
                    | JsonKind::Escaped
                    | JsonKind::Integer
                    | JsonKind::True
                    | JsonKind::False
            ) {
                return Err(member.expected("a text"));
            }
            if let Some((key, "comment")) = metadata(name) {
                notes.insert(key, member.python());
            }
        }
        let mut buffer = String::new();
        for (name, member) in members.iter().filter(|(name, _)| metadata(name).is_none()) {
            let (text, translated) = member.leaf(&mut buffer);
            list.push(RawEntry {
                context: name,
                text,
                note: notes.get(&**name).map_or("", |note| note),
                translated,
                offset: member.offset(),
                ..RawEntry::default()
            });
        }
        Ok(())
    }
}

/// Splits a name such as `_key.comment` into the key and the kind of metadata.
fn metadata(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix('_')?.rsplit_once('.')
}
