//! The format `aresource`: Android string resources (`docs/spec/formats.md#aresource`).

use super::entry_list::{EntryList, Translated};
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use super::properties::unicode_escape;
use super::xml::{self, Element, XmlChild};
use super::{PluralForm, RawEntry, ReadErrorKind};

/// Android string resources.
pub(super) struct AndroidResource;

impl ListFormat for AndroidResource {
    fn parse(&self, text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        let mut note = String::new();
        let root = xml::parse(text, &mut |root, child| match child {
            XmlChild::Comment(comment) => {
                if !note.is_empty() {
                    note.push('\n');
                }
                note.push_str(&comment);
            }
            XmlChild::Element(element) => {
                add(&element, root, &note, list);
                note.clear();
            }
            _ => {}
        })?;
        if root.name == "resources" {
            return Ok(());
        }
        let kind = ReadErrorKind::Structure {
            expected: "the root element <resources>",
        };
        Err(SyntaxError {
            kind,
            at: root.offset,
        })
    }
}

/// Adds the entry of a `string` or `plurals` element. Elements without a name have no entry.
fn add(element: &Element, root: &Element, note: &str, list: &mut EntryList) {
    let Some(context) = element.attribute("name") else {
        return;
    };
    let translatable = element.attribute("translatable") != Some("false");
    let entry = RawEntry {
        context,
        note,
        translatable,
        offset: element.offset,
        ..RawEntry::default()
    };
    match element.name.as_str() {
        "string" => {
            let text = text_of(element, root);
            list.push(RawEntry {
                text: &text,
                translated: !text.is_empty(),
                ..entry
            });
        }
        "plurals" => {
            let items = element.elements().filter(|item| item.name == "item");
            let forms: Vec<_> = (0..)
                .zip(items)
                .map(|(index, item)| (form(item, index), text_of(item, root)))
                .collect();
            list.push_plural(
                entry,
                Translated::FirstForm,
                forms.iter().map(|(form, text)| (*form, text.as_str())),
            );
        }
        _ => {}
    }
}

fn form(item: &Element, index: u8) -> PluralForm {
    item.attribute("quantity")
        .and_then(PluralForm::from_category)
        .unwrap_or(PluralForm::Index(index))
}

/// The text of a `string` or `item`. Markup remains XML.
fn text_of(element: &Element, root: &Element) -> String {
    let mut out = String::new();
    if element.elements().next().is_none() {
        let mut text = String::new();
        for child in &element.children {
            match child {
                XmlChild::Text(part) | XmlChild::CData(part) => text.push_str(part),
                XmlChild::Entity(name) => text.extend(["&", name, ";"]),
                XmlChild::Element(_) | XmlChild::Comment(_) => {}
            }
        }
        unescape(text.trim_matches(BLANK), &mut out);
        return out;
    }
    let outer = prefixes(element, false);
    for child in &element.children {
        write(child, &mut |top| declarations(top, &outer, root), &mut out);
    }
    out
}

/// Whitespace that Android collapses.
const BLANK: [char; 4] = [' ', '\n', '\t', '\r'];

/// Decodes a text: escapes, quotes, and whitespace outside of quotes, which collapses to one space.
fn unescape(text: &str, out: &mut String) {
    let mut quoted = false;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
        match character {
            '"' => quoted = !quoted,
            ' ' | '\n' | '\t' | '\r' if !quoted => {
                out.push(' ');
                rest = rest.trim_start_matches(BLANK);
            }
            '\\' => {
                let Some(escape) = rest.chars().next() else {
                    out.push('\\');
                    return;
                };
                rest = rest.get(escape.len_utf8()..).unwrap_or_default();
                match escape {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    'u' => rest = unicode_escape(rest, out),
                    // A line that continues.
                    '\n' => {}
                    '\'' | '"' | '\\' | '@' | '?' | '#' | ' ' => out.push(escape),
                    other => out.extend(['\\', other]),
                }
            }
            other => out.push(other),
        }
    }
}

/// Appends a part of a text with markup as XML. `declarations` gives the namespace declarations of an outermost element.
fn write(child: &XmlChild, declarations: &mut dyn FnMut(&Element) -> String, out: &mut String) {
    match child {
        XmlChild::Text(text) | XmlChild::CData(text) => {
            let mut decoded = String::new();
            unescape(text, &mut decoded);
            escape(&decoded, false, out);
        }
        XmlChild::Comment(text) => out.extend(["<!--", text, "-->"]),
        XmlChild::Entity(name) => out.extend(["&", name, ";"]),
        XmlChild::Element(element) => {
            out.extend(["<", &element.name, &declarations(element)]);
            for (name, value) in &element.attributes {
                out.extend([" ", name, "=\""]);
                escape(value, true, out);
                out.push('"');
            }
            if element.children.is_empty() {
                out.push_str("/>");
                return;
            }
            out.push('>');
            element
                .children
                .iter()
                .for_each(|child| write(child, &mut |_| String::new(), out));
            out.extend(["</", &element.name, ">"]);
        }
    }
}

fn escape(text: &str, attribute: bool, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if attribute => out.push_str("&quot;"),
            // As libxml2 writes attributes.
            other if attribute && !other.is_ascii() => {
                out.push_str(&format!("&#x{:X};", u32::from(other)))
            }
            other => out.push(other),
        }
    }
}

/// The namespace prefixes that an element uses; with `nested` also those inside of it.
fn prefixes<'e>(element: &'e Element, nested: bool) -> Vec<&'e str> {
    let names =
        std::iter::once(&element.name).chain(element.attributes.iter().map(|(name, _)| name));
    let prefix = |name: &'e String| name.split_once(':').map(|(prefix, _)| prefix);
    let mut found: Vec<&str> = names
        .filter_map(prefix)
        .filter(|prefix| !matches!(*prefix, "xmlns" | "xml"))
        .collect();
    if nested {
        found.extend(element.elements().flat_map(|inner| prefixes(inner, true)));
    }
    found
}

/// The declarations that make an element of a text complete: of the prefixes inside of it, then of `outer`.
fn declarations(element: &Element, outer: &[&str], root: &Element) -> String {
    let mut out = String::new();
    let mut declared: Vec<&str> = Vec::new();
    for prefix in prefixes(element, true)
        .into_iter()
        .chain(outer.iter().copied())
    {
        let name = format!("xmlns:{prefix}");
        if declared.contains(&prefix) || element.attribute(&name).is_some() {
            continue;
        }
        declared.push(prefix);
        if let Some(uri) = root.attribute(&name) {
            out.extend([" ", &name, "=\""]);
            escape(uri, true, &mut out);
            out.push('"');
        }
    }
    out
}
