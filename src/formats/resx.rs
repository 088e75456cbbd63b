//! The format `resx`: .NET resources (`docs/spec/formats.md#resx`).

use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::format_reader::RawEntry;
use super::xml::{self, Element, XmlChild};

pub(super) fn parse(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let root = xml::parse(text, &mut |_, child| {
        if let XmlChild::Element(element) = child {
            add(&element, list);
        }
        Ok(())
    })?;
    root.require_name("root", "the root element <root>")
}

/// Adds the entries of an element: its own, if it is a `data` element, and those inside of it.
fn add(element: &Element, list: &mut EntryList) {
    if element.name == "data" {
        add_data(element, list);
    }
    element.elements().for_each(|inner| add(inner, list));
}

/// Adds the entry of a `data` element.
fn add_data(data: &Element, list: &mut EntryList) {
    let child = |name: &str| {
        data.elements()
            .find(|element| element.name == name)
            .map(Element::leading_text)
    };
    let text = child("value").unwrap_or_default();
    let note = child("comment").unwrap_or_default();
    list.push(RawEntry {
        note: &note,
        ..RawEntry::new(
            data.attribute("name").unwrap_or(text.trim_matches(' ')),
            &text,
            data.offset,
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_at_markup_and_data_can_be_nested() {
        let text = "<root><data name=\"a\"><value>x<!-- c -->y</value><comment>n<b/>m</comment></data>\
            <data><value> y </value></data><group><data name=\"in\"/></group><metadata name=\"m\"/></root>";
        let mut list = EntryList::default();
        parse(text, &mut list).unwrap();
        let mut found = Vec::new();
        list.emit(&mut |entry| {
            found.push([entry.context, entry.text, entry.note].map(str::to_owned))
        });
        assert_eq!(
            found,
            [["a", "x", "n"], ["y", " y ", ""], ["in", "", ""]].map(|row| row.map(str::to_owned))
        );
        assert!(parse("<ROOT/>", &mut EntryList::default()).is_err());
    }
}
