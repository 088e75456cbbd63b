//! Android resources that occur twice, and texts that the build (aapt2) rejects or changes.

use crate::android::BLANK;
use crate::error::SyntaxError;
use crate::fault::{FaultList, InvalidPart, Names};
use crate::properties::spelled;
use crate::xml::{self, Element, XmlChild};

/// Adds the resources that occur twice, and the texts that the build rejects or changes.
pub(super) fn faults(text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    let mut names = Names::default();
    xml::parse(text, &[], &mut |_, child| {
        let XmlChild::Element(element) = child else {
            return Ok(());
        };
        let Some(name) = element.attribute("name") else {
            return Ok(());
        };
        let product = element.attribute("product").unwrap_or_default();
        let id = [element.name, name, product].map(str::to_owned);
        // The build fails, even if both are equal: their values are not compared.
        let again = names.add(id, element.offset, element.offset);
        list.push(name, element.offset, again);
        match element.name {
            "string" => text_faults(&element, name, list),
            "plurals" => {
                let items = element.children_named("item");
                items.for_each(|item| text_faults(item, name, list));
            }
            _ => {}
        }
        Ok(())
    })
    .map(drop)
}

/// Adds the faults of the text of a `string` or `item`.
fn text_faults(element: &Element, name: &str, list: &mut FaultList) {
    let mut scan = TextScan {
        quoted: false,
        name,
        offset: element.offset,
        list,
    };
    if let Some(XmlChild::Text(text)) = element.children.first() {
        scan.start(text.trim_start_matches(BLANK));
    }
    scan.all(&element.children);
    if let Some(tag) = element_as_text(&element.children) {
        let problem = format!(
            "The tag {tag}> is written as text, so that users see it: write it as markup, as the template does."
        );
        list.unlike(name, element.offset, tag, problem);
    }
}

/// The start of the first tag that a text has as characters: `&lt;b>` and `<![CDATA[<b>]]>`.
fn element_as_text<'e>(children: &'e [XmlChild<'_>]) -> Option<&'e str> {
    children.iter().find_map(|child| match child {
        XmlChild::Text(text) | XmlChild::CData(text) => {
            let last = text.rfind('>')?;
            text[..last].match_indices('<').find_map(|(at, _)| {
                let name = &text[at + 1..];
                let is_part = |char: char| char.is_ascii_alphanumeric() || char == ':';
                let length = name.find(|char| !is_part(char)).unwrap_or(name.len());
                let is_tag = name.starts_with(|char: char| char.is_ascii_alphabetic());
                is_tag.then(|| &text[at..=at + length])
            })
        }
        XmlChild::Element(element) => element_as_text(&element.children),
        _ => None,
    })
}

/// Searches the text of an element. Quotes extend over markup.
struct TextScan<'e, 'l> {
    quoted: bool,
    name: &'e str,
    offset: usize,
    list: &'l mut FaultList,
}

impl TextScan<'_, '_> {
    /// A text that begins with `@` or `?` is a reference to a resource or an attribute.
    fn start(&mut self, text: &str) {
        let has_letter = || text.chars().any(char::is_alphabetic);
        let problem = match text.chars().next() {
            Some('@') if !is_reference(text) => {
                "at the start is a reference to a resource, which does not exist: write \\@"
            }
            Some('?') if has_letter() && !is_reference(text) => {
                "at the start is a reference to an attribute, which does not exist: write \\?"
            }
            _ => return,
        };
        let mark = &text[..1];
        self.list.escape(self.name, self.offset, mark, problem);
    }

    fn all(&mut self, children: &[XmlChild]) {
        for child in children {
            match child {
                XmlChild::Text(text) => self.text(text),
                XmlChild::Element(element) => self.all(&element.children),
                _ => {}
            }
        }
    }

    fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(['\\', '"', '\'']) {
            let (_, found) = rest.split_at(at);
            let mut length = 1;
            match found.as_bytes().first() {
                Some(b'"') => self.quoted = !self.quoted,
                Some(b'\'') if !self.quoted => {
                    let problem = "has no backslash, and the build fails: write \\'";
                    self.list.escape(self.name, self.offset, "'", problem);
                }
                Some(b'\\') => {
                    length = found.chars().take(2).map(char::len_utf8).sum();
                    self.escape(&text[..text.len() - found.len()], found);
                }
                _ => {}
            }
            rest = &found[length..];
        }
    }

    fn escape(&mut self, before: &str, escape: &str) {
        let text = spelled(escape);
        let problem = match escape.chars().nth(1) {
            Some('u') if text.len() < 6 => {
                "is not complete, and the build fails: write four hexadecimal digits after \\u"
            }
            Some('n' | 't' | 'u') => return,
            // No escape has a capital letter, so nothing else was meant: `\Open`, and `\n\Next` in a new line.
            Some(letter)
                if letter.is_ascii_uppercase()
                    && (!matches!(letter, 'N' | 'T' | 'U') || before.ends_with("\\n")) =>
            {
                let problem =
                    format!("{text} is no escape, and the backslash is dropped: remove it.");
                self.list
                    .invalid(self.name, self.offset, InvalidPart::MinorEscape, problem);
                return;
            }
            Some(letter) if letter.is_ascii_alphanumeric() => {
                "is no escape, and the backslash is dropped: write \\\\ or remove it"
            }
            _ => return,
        };
        self.list.escape(self.name, self.offset, text, problem);
    }
}

/// Whether a text is a whole reference such as `@string/app_name` or `?attr/label`, or `@null`.
fn is_reference(text: &str) -> bool {
    let reference = text.trim_end_matches(BLANK);
    let is_word = |word: &str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '$');
        !word.is_empty() && word.chars().all(is_part)
    };
    let Some(body) = reference.get(1..) else {
        return false;
    };
    let body = body.strip_prefix('+').unwrap_or(body);
    let (package, body) = body.split_once(':').unwrap_or(("x", body));
    let Some((kind, name)) = body.split_once('/') else {
        return matches!(reference, "@null" | "@empty");
    };
    is_word(package) && is_word(kind) && is_word(name)
}
