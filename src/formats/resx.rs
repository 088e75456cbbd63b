//! The format `resx`: .NET resources (`docs/spec/formats.md#resx`).

use super::RawEntry;
use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use super::xml::{self, Element, XmlChild};

/// .NET resources.
pub(super) struct Resx;

impl ListFormat for Resx {
    fn parse(&self, text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        xml::parse(text, &mut |_, child| match child {
            XmlChild::Element(data) if data.name == "data" => add(&data, list),
            _ => {}
        })?;
        Ok(())
    }
}

/// Adds the entry of a `data` element.
fn add(data: &Element, list: &mut EntryList) {
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
