//! The format `aresource`: Android string resources (`docs/spec/formats.md#aresource`).

use super::entry_list::{EntryList, Translated};
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use super::properties::unicode_escape;
use super::xml::{self, Element, XmlChild};
use super::{PluralForm, RawEntry};

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
        root.require_name("resources", "the root element <resources>")
    }
}

/// Adds the entry of a `string` or `plurals` element. Elements without a name have no entry.
fn add(element: &Element, root: &Element, note: &str, list: &mut EntryList) {
    let Some(context) = element.attribute("name").filter(|name| !name.is_empty()) else {
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

/// The text of a `string` or `item`. Markup remains XML; a comment is markup.
fn text_of(element: &Element, root: &Element) -> String {
    let mut out = String::new();
    let is_markup = |child: &XmlChild| {
        !matches!(
            child,
            XmlChild::Text(_) | XmlChild::CData(_) | XmlChild::Entity(_)
        )
    };
    if !element.children.iter().any(is_markup) {
        let mut text = String::new();
        for child in &element.children {
            match child {
                XmlChild::Text(part) | XmlChild::CData(part) => text.push_str(part),
                XmlChild::Entity(name) => text.extend(["&", name, ";"]),
                _ => {}
            }
        }
        unescape(&text, true, &mut out);
        return out;
    }
    let mut prefixes = Vec::new();
    add_prefixes(element, &mut prefixes);
    let declared = &mut |top: &Element| declarations(top, element, &prefixes, root);
    write_all(&element.children, declared, &mut out);
    out
}

/// Whitespace that collapses.
const BLANK: [char; 3] = [' ', '\n', '\t'];

/// Decodes a text: escapes, quotes, and whitespace outside of quotes, which collapses to one space. `trim` removes
/// whitespace at both ends.
fn unescape(text: &str, trim: bool, out: &mut String) {
    let start = out.len();
    let mut quoted = false;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        match character {
            ' ' | '\n' | '\t' => {
                let after = rest.trim_start_matches(BLANK);
                let blank = rest.get(..rest.len() - after.len()).unwrap_or_default();
                rest = after;
                let at_end = rest.is_empty();
                if quoted && !at_end && blank.len() > 1 {
                    out.push_str(blank);
                } else if !trim || quoted && blank.len() == 1 || !at_end && out.len() > start {
                    out.push(' ');
                }
                continue;
            }
            '"' => quoted = !quoted,
            '\\' => {
                let escape = rest.get(1..).unwrap_or_default();
                rest = unescape_one(escape, out);
                continue;
            }
            other => out.push(other),
        }
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
    }
}

/// Appends the character of an escape, given the text after the backslash. Returns the rest. Unknown escapes are
/// dropped.
fn unescape_one<'t>(escape: &'t str, out: &mut String) -> &'t str {
    let Some(kind) = escape.chars().next() else {
        out.push('\\');
        return "";
    };
    let rest = escape.get(kind.len_utf8()..).unwrap_or_default();
    match kind {
        'n' | 'N' => out.push('\n'),
        't' | 'T' => out.push('\t'),
        'u' => return unicode_escape(rest, out),
        '\'' | '"' | '\\' | '@' | '?' | '#' | ' ' => out.push(kind),
        _ => {}
    }
    rest
}

/// Appends the content of an element as XML. `declarations` gives the namespace declarations of an outermost element.
fn write_all(
    children: &[XmlChild],
    declarations: &mut dyn FnMut(&Element) -> String,
    out: &mut String,
) {
    let mut text = String::new();
    for child in children {
        // Whitespace collapses across CDATA sections.
        if let XmlChild::Text(part) | XmlChild::CData(part) = child {
            text.push_str(part);
            continue;
        }
        write_text(&mut text, out);
        match child {
            XmlChild::Text(_) | XmlChild::CData(_) => {}
            XmlChild::Comment(text) => out.extend(["<!--", text, "-->"]),
            XmlChild::Instruction(text) => out.extend(["<?", text, "?>"]),
            XmlChild::Entity(name) => out.extend(["&", name, ";"]),
            XmlChild::Element(element) => write(element, declarations, out),
        }
    }
    write_text(&mut text, out);
}

/// Appends a text and clears it.
fn write_text(text: &mut String, out: &mut String) {
    let mut decoded = String::new();
    unescape(text, false, &mut decoded);
    escape(&decoded, false, out);
    text.clear();
}

/// Appends an element as XML.
fn write(element: &Element, declarations: &mut dyn FnMut(&Element) -> String, out: &mut String) {
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
    write_all(&element.children, &mut |_| String::new(), out);
    out.extend(["</", &element.name, ">"]);
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

/// The namespace prefix of a name.
fn prefix_of(name: &str) -> Option<&str> {
    let (prefix, _) = name.split_once(':')?;
    (prefix != "xml").then_some(prefix)
}

/// Adds the namespace prefixes of an element and of those inside of it.
fn add_prefixes<'e>(element: &'e Element, prefixes: &mut Vec<&'e str>) {
    let attributes = element
        .attributes
        .iter()
        .filter_map(|(name, _)| prefix_of(name));
    let own = prefix_of(&element.name).into_iter().chain(attributes);
    for prefix in own.filter(|prefix| *prefix != "xmlns") {
        if !prefixes.contains(&prefix) {
            prefixes.push(prefix);
        }
    }
    element
        .elements()
        .for_each(|inner| add_prefixes(inner, prefixes));
}

/// The declarations that make an element inside of `string` complete: of its own prefix, then of all prefixes in
/// `string`.
fn declarations(element: &Element, string: &Element, prefixes: &[&str], root: &Element) -> String {
    let mut out = String::new();
    let own = prefix_of(&element.name);
    let others = prefixes
        .iter()
        .copied()
        .filter(|prefix| own != Some(prefix));
    for prefix in own.into_iter().chain(others) {
        let name = format!("xmlns:{prefix}");
        if element.attribute(&name).is_some() {
            continue;
        }
        if let Some(uri) = string.attribute(&name).or_else(|| root.attribute(&name)) {
            out.extend([" ", &name, "=\""]);
            escape(uri, true, &mut out);
            out.push('"');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> String {
        let mut out = String::new();
        unescape(text, true, &mut out);
        out
    }

    #[test]
    fn whitespace_quotes_and_escapes_are_decoded_as_in_android() {
        for (text, expected) in [
            ("  a \n\t b  ", "a b"),
            (r"a\n\N\t\T", "a\n\n\t\t"),
            (r#"\'\"\@\?\#\\\ "#, r#"'"@?#\ "#),
            (r"a\qb\rc", "abc"),
            ("a\\", "a\\"),
            (r"\u00e9\u2026", "é…"),
            // Quotes keep runs of whitespace, but not a single line feed or tab.
            ("\"  a  \n b  \"", "  a  \n b  "),
            ("\"a\nb\tc\"", "a b c"),
            ("x \"\"  y", "x  y"),
            ("\"open  ", "open"),
            ("\u{a0} x", "\u{a0} x"),
            ("", ""),
        ] {
            assert_eq!(decoded(text), expected, "{text:?}");
        }
    }

    #[test]
    fn comments_and_instructions_are_markup() {
        let text = "<resources><string name=\"a\">1 &amp; <!-- c --><![CDATA[ 2]]><?p q?></string></resources>";
        let mut list = EntryList::default();
        AndroidResource.parse(text, &mut list).unwrap();
        let mut texts = Vec::new();
        list.emit(&mut |entry| texts.push(entry.text.to_owned()));
        assert_eq!(texts, ["1 &amp; <!-- c --> 2<?p q?>"]);
    }

    #[test]
    fn elements_declare_all_prefixes_of_their_string() {
        let text = "<resources xmlns:a=\"u\" xmlns:b=\"v\" xmlns:c=\"w\"><string name=\"k\"><i/><a:x b:y=\"1\"/><b:z/></string></resources>";
        let mut list = EntryList::default();
        AndroidResource.parse(text, &mut list).unwrap();
        let mut texts = Vec::new();
        list.emit(&mut |entry| texts.push(entry.text.to_owned()));
        let ab = "xmlns:a=\"u\" xmlns:b=\"v\"";
        let ba = "xmlns:b=\"v\" xmlns:a=\"u\"";
        assert_eq!(
            texts,
            [format!("<i {ab}/><a:x {ab} b:y=\"1\"/><b:z {ba}/>")]
        );
    }
}
