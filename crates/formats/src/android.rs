//! The format `aresource`: Android string resources (`docs/spec/formats.md#aresource`).

use super::entry::{RawEntry, add_line};
use super::entry_list::{EntryList, MAX_TEXT, Translated};
use super::error::SyntaxError;
use super::properties::unicode_escape;
use super::xml::{self, Element, XmlChild};
use gitglot_model::{PluralForm, SeededMap, SeededSet};

pub(super) fn parse(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let mut note = String::new();
    let mut declared: Option<Namespaces> = None;
    let root = xml::parse(text, &[], &mut |outer, child| {
        match child {
            XmlChild::Comment(comment) => {
                add_line(&mut note, &comment);
            }
            XmlChild::Element(element) => {
                let declared = declared.get_or_insert_with(|| {
                    let declared = outer.iter().flat_map(declarations);
                    declared
                        .map(|(prefix, uri)| (prefix.to_owned(), uri.to_owned()))
                        .collect()
                });
                add(&element, declared, &note, list);
                note.clear();
            }
            _ => {}
        }
        // Namespaces make texts much larger than the file.
        list.check_size()
    })?;
    root.require_name("resources", "the root element <resources>")
}

/// Adds the entry of a `string` or `plurals` element. Elements without a name have no entry. `declared` has the
/// namespaces of the root element.
fn add(element: &Element, declared: &Namespaces, note: &str, list: &mut EntryList) {
    let Some(context) = element.attribute("name").filter(|name| !name.is_empty()) else {
        return;
    };
    let translatable = element.attribute("translatable") != Some("false");
    let entry = RawEntry {
        note,
        translatable,
        ..RawEntry::new(context, "", element.offset)
    };
    match element.name {
        "string" => {
            let text = text_of(element, declared, MAX_TEXT);
            list.push(RawEntry {
                text: &text,
                translated: !text.is_empty(),
                ..entry
            });
        }
        "plurals" => {
            let items = element.children_named("item");
            let mut left = MAX_TEXT;
            let forms = items.enumerate().map(|(index, item)| {
                let text = text_of(item, declared, left);
                left = left.saturating_sub(text.len());
                (form(item, index), text)
            });
            let forms: Vec<_> = forms.collect();
            let forms = forms.iter().map(|(form, text)| (*form, text.as_str()));
            list.push_plural(entry, Translated::FirstForm, forms);
        }
        _ => {}
    }
}

fn form(item: &Element, index: usize) -> PluralForm {
    let index = u8::try_from(index).unwrap_or(u8::MAX);
    item.attribute("quantity")
        .and_then(PluralForm::from_category)
        .unwrap_or(PluralForm::Index(index))
}

/// The text of a `string` or `item`. Markup remains XML; a comment is markup. Beyond `limit` bytes of XML, the text is
/// not complete.
fn text_of(element: &Element, declared: &Namespaces, limit: usize) -> String {
    let mut out = String::new();
    let is_markup = |child: &XmlChild| {
        use XmlChild::{Comment, Element, Instruction};
        matches!(child, Element(_) | Comment(_) | Instruction(_))
    };
    if !element.children.iter().any(is_markup) {
        unescape(&element.leading_text(), true, &mut out);
        return out;
    }
    let mut markup = Markup {
        namespaces: namespaces(element, declared),
        limit,
        out,
    };
    markup.add_all(&element.children, true);
    markup.out
}

/// Whitespace that collapses.
pub(super) const BLANK: [char; 3] = [' ', '\n', '\t'];

/// Decodes a text: escapes, quotes, and whitespace outside of quotes, which collapses to one space. `trim` removes
/// whitespace at both ends.
fn unescape(text: &str, trim: bool, out: &mut String) {
    let start = out.len();
    // Without it, a text moves whenever it grows, and the allocator makes threads wait for each other to move it.
    out.reserve(text.len());
    let mut quoted = false;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        match character {
            ' ' | '\n' | '\t' => {
                let after = rest.trim_start_matches(BLANK);
                let whitespace = &rest[..rest.len() - after.len()];
                rest = after;
                let at_end = rest.is_empty();
                if quoted && !at_end && whitespace.len() > 1 {
                    out.push_str(whitespace);
                } else if !trim || quoted && whitespace.len() == 1 || !at_end && out.len() > start {
                    out.push(' ');
                }
                continue;
            }
            '"' => quoted = !quoted,
            '\\' => {
                let escape = &rest[1..];
                rest = unescape_one(escape, out);
                continue;
            }
            other => out.push(other),
        }
        rest = &rest[character.len_utf8()..];
    }
}

/// Appends the character of an escape, given the text after the backslash. Returns the rest. Unknown escapes are
/// dropped.
fn unescape_one<'t>(escape: &'t str, out: &mut String) -> &'t str {
    let Some(kind) = escape.chars().next() else {
        out.push('\\');
        return "";
    };
    let rest = &escape[kind.len_utf8()..];
    match kind {
        'n' | 'N' => out.push('\n'),
        't' | 'T' => out.push('\t'),
        'u' => return unicode_escape(rest, &["\\u"], out),
        '\'' | '"' | '\\' | '@' | '?' | '#' | ' ' => out.push(kind),
        _ => {}
    }
    rest
}

/// Writes the content of an element as XML.
struct Markup<'e> {
    /// The prefixes that the content uses, and their declarations.
    namespaces: Vec<(&'e str, String)>,
    /// Length of `out` where writing ends.
    limit: usize,
    out: String,
}

impl Markup<'_> {
    fn add_all(&mut self, children: &[XmlChild], is_outermost: bool) {
        let mut text = String::new();
        for child in children {
            // Whitespace collapses across CDATA sections.
            if let XmlChild::Text(part) | XmlChild::CData(part) = child {
                text.push_str(part);
                continue;
            }
            self.add_text(&mut text);
            if self.out.len() > self.limit {
                return;
            }
            match child {
                XmlChild::Text(_) | XmlChild::CData(_) => {}
                XmlChild::Comment(text) => self.out.extend(["<!--", text, "-->"]),
                XmlChild::Instruction(text) => self.out.extend(["<?", text, "?>"]),
                XmlChild::Entity(name) => self.out.extend(["&", name, ";"]),
                XmlChild::Element(element) => self.add(element, is_outermost),
            }
        }
        self.add_text(&mut text);
    }

    /// Appends a text and clears it.
    fn add_text(&mut self, text: &mut String) {
        let mut decoded = String::new();
        unescape(text, false, &mut decoded);
        escape(&decoded, false, &mut self.out);
        text.clear();
    }

    /// Appends an element. An outermost element declares namespaces.
    fn add(&mut self, element: &Element, is_outermost: bool) {
        self.out.extend(["<", element.name]);
        if is_outermost {
            self.declare_all(element);
        }
        for (name, value) in &element.attributes {
            attribute(name, value, &mut self.out);
        }
        if element.children.is_empty() {
            self.out.push_str("/>");
            return;
        }
        self.out.push('>');
        self.add_all(&element.children, false);
        self.out.extend(["</", element.name, ">"]);
    }

    /// Appends the declarations that make an element complete: of its own prefix, then of all prefixes of the content.
    fn declare_all(&mut self, element: &Element) {
        let declared: SeededSet<&str> = declarations(element).map(|(prefix, _)| prefix).collect();
        let own_prefix = prefix_of(element.name);
        for is_own in [true, false] {
            for (prefix, declaration) in &self.namespaces {
                let is_next = (own_prefix == Some(*prefix)) == is_own && !declared.contains(prefix);
                if is_next && self.out.len() <= self.limit {
                    self.out.push_str(declaration);
                }
            }
        }
    }
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.extend([" ", name, "=\""]);
    escape(value, true, out);
    out.push('"');
}

fn escape(text: &str, attribute: bool, out: &mut String) {
    out.reserve(text.len());
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

/// The prefixes and namespaces that an element declares.
fn declarations<'e>(element: &'e Element<'_>) -> impl Iterator<Item = (&'e str, &'e str)> {
    let attributes = element.attributes.iter();
    attributes.filter_map(|(name, uri)| Some((name.strip_prefix("xmlns:")?, &**uri)))
}

/// Namespaces by prefix.
type Namespaces = SeededMap<String, String>;

/// The prefixes that a text uses, in order, with the declarations of its element or the root element.
fn namespaces<'e>(element: &'e Element, root: &Namespaces) -> Vec<(&'e str, String)> {
    let declared: SeededMap<&str, &str> = declarations(element).collect();
    let (mut prefixes, mut seen) = (Vec::new(), SeededSet::default());
    add_prefixes(element, &mut seen, &mut prefixes);
    let declaration = |prefix: &str| {
        let of_root = || root.get(prefix).map(String::as_str);
        let uri = declared.get(prefix).copied().or_else(of_root)?;
        let mut out = String::new();
        attribute(&format!("xmlns:{prefix}"), uri, &mut out);
        Some(out)
    };
    let prefixes = prefixes.into_iter();
    prefixes
        .filter_map(|prefix| Some((prefix, declaration(prefix)?)))
        .collect()
}

/// Adds the namespace prefixes of an element and of those inside of it.
fn add_prefixes<'e>(
    element: &'e Element,
    seen: &mut SeededSet<&'e str>,
    prefixes: &mut Vec<&'e str>,
) {
    let names = element.attributes.iter().map(|(name, _)| *name);
    let all = std::iter::once(element.name)
        .chain(names)
        .filter_map(prefix_of);
    let new = all.filter(|prefix| *prefix != "xmlns" && seen.insert(prefix));
    prefixes.extend(new);
    element
        .elements()
        .for_each(|inner| add_prefixes(inner, seen, prefixes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::parsed;

    fn decoded(text: &str) -> String {
        let mut out = String::new();
        unescape(text, true, &mut out);
        out
    }

    fn texts(file: &str) -> Vec<String> {
        let entries = parsed(parse, file).into_iter();
        entries.map(|(_, text, _)| text).collect()
    }

    #[test]
    fn the_order_of_plural_items_means_nothing() {
        let file = "<resources><plurals name=\"p\"><item quantity=\"other\">o</item><item quantity=\"one\">1</item>\
                    <item quantity=\"few\">f</item></plurals></resources>";
        assert_eq!(texts(file), ["1\u{1e}\u{1e}f\u{1e}\u{1e}o"]);
    }

    #[test]
    fn whitespace_quotes_and_escapes_are_decoded() {
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
    fn a_plural_has_any_number_of_items() {
        let items = "<item>x</item>".repeat(300);
        let text = format!("<resources><plurals name=\"a\">{items}</plurals></resources>");
        let mut list = EntryList::default();
        parse(&text, &mut list).unwrap();
        let mut forms = Vec::new();
        list.emit(&mut |entry| forms.extend_from_slice(entry.forms));
        let last = PluralForm::Index(u8::MAX);
        assert_eq!(
            (forms.len(), forms[254], forms[299]),
            (300, PluralForm::Index(254), last)
        );
    }

    #[test]
    fn comments_and_instructions_are_markup() {
        let text = "<resources><string name=\"a\">1 &amp; <!-- c --><![CDATA[ 2]]><?p q?></string></resources>";
        assert_eq!(texts(text), ["1 &amp; <!-- c --> 2<?p q?>"]);
    }

    #[test]
    fn elements_declare_all_prefixes_of_their_string() {
        let text = "<resources xmlns:a=\"u\" xmlns:b=\"v\" xmlns:c=\"w\"><string name=\"k\"><i/><a:x b:y=\"1\"/><b:z/></string></resources>";
        let ab = "xmlns:a=\"u\" xmlns:b=\"v\"";
        let ba = "xmlns:b=\"v\" xmlns:a=\"u\"";
        assert_eq!(
            texts(text),
            [format!("<i {ab}/><a:x {ab} b:y=\"1\"/><b:z {ba}/>")]
        );
    }
}
