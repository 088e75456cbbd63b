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
        let child = |name: &str| element.elements().find(|child| child.name == name);
        let text_of = |name: &str| child(name).map_or_else(String::new, Element::leading_text);
        let (text, note) = (text_of("value"), text_of("comment"));
        let name = element.attribute("name").unwrap_or(text.trim_matches(' '));
        list.push(RawEntry {
            note: &note,
            ..RawEntry::new(name, &text, element.offset)
        });
    }
    element.elements().for_each(|inner| add(inner, list));
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
