//! The format `resx`: .NET resources (`docs/spec/formats.md#resx`).

use super::entry::RawEntry;
use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::fault::{FaultList, Names};
use super::xml::{self, Element, XmlChild};

pub(super) fn parse(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let root = xml::parse(text, &[], &mut |_, child| {
        if let XmlChild::Element(element) = child {
            add(&element, list);
        }
        Ok(())
    })?;
    root.require_name("root", "the root element <root>")
}

/// Adds the names that occur twice.
pub(super) fn faults(text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    let mut names = Names::default();
    xml::parse(text, &[], &mut |_, child| {
        if let XmlChild::Element(element) = child {
            add_faults(&element, &mut names, list);
        }
        Ok(())
    })
    .map(drop)
}

fn add_faults(element: &Element, names: &mut Names<String, String>, list: &mut FaultList) {
    if is_text(element)
        && let Some(name) = element.attribute("name")
    {
        let value = element.child("value").map(Element::leading_text);
        let value = value.unwrap_or_default().into_owned();
        let again = names.add(name.to_owned(), element.offset, value);
        list.push(name, element.offset, again);
    }
    element
        .elements()
        .for_each(|inner| add_faults(inner, names, list));
}

/// Whether an element has a text. Other resources have a type or a MIME type, and the names of the form designer's own
/// data begin with `>>`.
fn is_text(element: &Element) -> bool {
    let is_string = |kind: &str| kind.split(',').next().map(str::trim) == Some("System.String");
    element.name == "data"
        && element.attribute("type").is_none_or(is_string)
        && element.attribute("mimetype").is_none()
        && !element
            .attribute("name")
            .is_some_and(|name| name.starts_with(">>"))
}

/// Adds the entries of an element: its own, if it is a text, and those inside of it.
fn add(element: &Element, list: &mut EntryList) {
    if is_text(element) {
        let text_of = |name: &str| {
            let child = element.child(name);
            child.map(Element::leading_text).unwrap_or_default()
        };
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
    fn data_of_the_form_designer_is_no_text() {
        let text = r#"<root><data name="b.Text"><value>OK</value></data>
            <data name="b.Size" type="System.Drawing.Size, System.Drawing"><value>1, 2</value></data>
            <data name="b.Icon" mimetype="application/x-microsoft.net.object.bytearray.base64"><value>A</value></data>
            <data name="&gt;&gt;b.Name"><value>b</value></data>
            <data name="s" type="System.String, mscorlib"><value>x</value></data></root>"#;
        let found = crate::test_support::parsed(parse, text);
        let ids: Vec<&str> = found.iter().map(|(id, ..)| id.as_str()).collect();
        assert_eq!(ids, ["b.Text", "s"]);
    }

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
