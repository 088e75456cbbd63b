//! The format `resx`: .NET resources (`docs/spec/formats.md#resx`).

use super::RawEntry;
use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use super::xml::{self, Element};

/// .NET resources.
pub(super) struct Resx;

impl ListFormat for Resx {
    fn parse(&self, text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        let root = xml::parse(text)?;
        for data in root.elements().filter(|element| element.name == "data") {
            let child = |name: &str| {
                data.elements()
                    .find(|element| element.name == name)
                    .map(Element::leading_text)
            };
            let text = child("value").unwrap_or_default();
            let note = child("comment").unwrap_or_default();
            list.push(RawEntry {
                context: data.attribute("name").unwrap_or(&text),
                text: &text,
                note: &note,
                translated: !text.is_empty(),
                offset: data.offset,
                ..RawEntry::default()
            });
        }
        Ok(())
    }
}
