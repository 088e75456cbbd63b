//! The text of a `source` or `target`, in which inline elements stay XML.

use std::rc::Rc;

use crate::entry_list::MAX_TEXT;
use crate::error::{ReadErrorKind, SyntaxError};
use crate::xml::{Element, XmlChild, split_name};
use gitglot_model::SeededMap;

/// The white space of a text (`xml:space`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whitespace {
    /// A run is one space, and there is none at the ends.
    Collapsed,
    Preserved,
}

/// Whether a character collapses.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

impl Whitespace {
    /// The white space that an element declares.
    pub(super) fn of(element: &Element) -> Option<Self> {
        let value = element.attribute("xml:space")?;
        Some(if value == "preserve" {
            Self::Preserved
        } else {
            Self::Collapsed
        })
    }
}

/// Writes a text as XML.
#[derive(Default)]
pub(super) struct Inline<'e> {
    out: String,
    /// The white space of elements that do not declare it; `None` if all of it stays.
    whitespace: Option<Whitespace>,
    /// Whether elements declare their namespaces, as in the texts of Weblate 3.4.
    declares: bool,
    /// The namespaces that the text has declared, the innermost last.
    declared: SeededMap<&'e str, Vec<Rc<str>>>,
}

impl<'e> Inline<'e> {
    /// The text of an element as Weblate 3.4 has it, and whether it has a text without markup.
    pub(super) fn text(
        element: &'e Element,
        whitespace: Whitespace,
    ) -> Result<(String, bool), SyntaxError> {
        let mut inline = Self {
            whitespace: Some(Whitespace::of(element).unwrap_or(whitespace)),
            declares: true,
            ..Self::default()
        };
        let of_content = inline.whitespace;
        if Whitespace::of(element) == Some(Whitespace::Preserved) {
            // The element's own white space does not apply to elements inside of it.
            inline.whitespace = Some(whitespace);
        }
        inline.add_content(element, of_content)?;
        let has_text = has_text(element, of_content.unwrap_or(whitespace));
        Ok((inline.out, has_text))
    }

    /// The text of an element with all white space, without namespaces.
    pub(super) fn plain_markup(element: &'e Element) -> Result<String, SyntaxError> {
        let mut inline = Self::default();
        inline.add_content(element, None)?;
        Ok(inline.out)
    }

    /// Appends the content of an element with this white space.
    fn add_content(
        &mut self,
        element: &'e Element,
        whitespace: Option<Whitespace>,
    ) -> Result<(), SyntaxError> {
        let is_text = element.elements().next().is_none();
        let mut text = String::new();
        let mut before: Option<&Element> = None;
        for child in &element.children {
            match child {
                XmlChild::Text(part) | XmlChild::CData(part) => text.push_str(part),
                XmlChild::Element(child) => {
                    self.add_text(&text, before, is_text, whitespace);
                    text.clear();
                    self.add_element(child)?;
                    before = Some(child);
                }
                XmlChild::Comment(_) | XmlChild::Instruction(_) | XmlChild::Entity(_) => {
                    let message = "expected text or an inline element, found a comment, processing instruction or entity; \
                                   remove it from the text";
                    return Err(ReadErrorKind::syntax(message, element.offset));
                }
            }
            if self.out.len() > MAX_TEXT {
                return Err(ReadErrorKind::TooMuchText.at(element.offset));
            }
        }
        self.add_text(&text, before, is_text, whitespace);
        Ok(())
    }

    /// Appends a text of an element after another element, or at its start. `is_all`: the element has no other content.
    fn add_text(
        &mut self,
        text: &str,
        before: Option<&Element>,
        is_all: bool,
        whitespace: Option<Whitespace>,
    ) {
        let collapses = match before {
            None => whitespace == Some(Whitespace::Collapsed),
            Some(before) => self.collapses_after(before, whitespace),
        };
        if !collapses {
            escape(text, false, &mut self.out);
            return;
        }
        let text = collapsed(text);
        let text = match before {
            None if text.starts_with(' ') => text.trim_start(),
            _ => &text,
        };
        escape(
            if is_all { text.trim_end() } else { text },
            false,
            &mut self.out,
        );
    }

    /// Whether the text after an element collapses: its own white space counts for it, and inside of an element that
    /// preserves white space, elements without content leave it as it is.
    fn collapses_after(&self, before: &Element, whitespace: Option<Whitespace>) -> bool {
        if Whitespace::of(before).or(self.whitespace) != Some(Whitespace::Collapsed) {
            return false;
        }
        let is_placeholder = is_known(before) && before.local_name() != "g";
        !(is_placeholder && whitespace == Some(Whitespace::Preserved))
    }

    fn add_element(&mut self, element: &'e Element) -> Result<(), SyntaxError> {
        let is_known = self.declares && is_known(element);
        let name = if is_known || !self.declares {
            element.local_name()
        } else {
            element.name
        };
        self.out.extend(["<", name]);
        let scope = self.add_attributes(element, is_known);
        let whitespace = self
            .whitespace
            .map(|outer| Whitespace::of(element).unwrap_or(outer));
        let start = self.out.len();
        self.out.push('>');
        let content = self.out.len();
        self.add_content(element, whitespace)?;
        if self.out.len() == content {
            self.out.truncate(start);
            self.out.push_str("/>");
        } else {
            self.out.extend(["</", name, ">"]);
        }
        for prefix in scope {
            if let Some(namespaces) = self.declared.get_mut(prefix) {
                namespaces.pop();
            }
        }
        Ok(())
    }

    /// Appends the namespaces and attributes of a start tag. Returns the prefixes that it declares.
    fn add_attributes(&mut self, element: &'e Element, is_known: bool) -> Vec<&'e str> {
        let mut scope = Vec::new();
        if self.declares && !is_known {
            let of_element = element.namespace.as_ref();
            let of_element = of_element.map(|uri| (prefix_of(element.name).unwrap_or(""), uri));
            let attributes = element.prefixes.iter();
            let attributes = attributes
                .filter(|(prefix, _)| *prefix != "xmlns")
                .map(|(prefix, uri)| (&**prefix, uri));
            for (prefix, namespace) in of_element.into_iter().chain(attributes) {
                if self.declare(prefix, namespace) {
                    scope.push(prefix);
                }
            }
        }
        let mut numbers: SeededMap<&str, usize> = SeededMap::default();
        if is_known {
            for (prefix, namespace) in &element.prefixes {
                let number = numbers.len();
                if *prefix != "xmlns" && !numbers.contains_key(&**prefix) {
                    numbers.insert(prefix, number);
                    attribute(&format!("xmlns:ns{number}"), namespace, &mut self.out);
                }
            }
        }
        for (name, value) in &element.attributes {
            let prefix = prefix_of(name);
            if *name == "xmlns" || prefix == Some("xmlns") {
                continue;
            }
            match prefix.and_then(|prefix| numbers.get(prefix)) {
                Some(number) => {
                    let (_, local) = split_name(name);
                    attribute(&format!("ns{number}:{local}"), value, &mut self.out);
                }
                None => attribute(name, value, &mut self.out),
            }
        }
        scope
    }

    /// Declares a namespace, unless the text has declared it.
    fn declare(&mut self, prefix: &'e str, namespace: &Rc<str>) -> bool {
        let namespaces = self.declared.entry(prefix).or_default();
        if namespaces.last() == Some(namespace) {
            return false;
        }
        namespaces.push(namespace.clone());
        match prefix {
            "" => attribute("xmlns", namespace, &mut self.out),
            prefix => attribute(&format!("xmlns:{prefix}"), namespace, &mut self.out),
        }
        true
    }
}

/// Whether Weblate 3.4 knows an inline element, and writes it without a namespace.
fn is_known(element: &Element) -> bool {
    matches!(element.local_name(), "x" | "g" | "bx" | "ex")
}

fn prefix_of(name: &str) -> Option<&str> {
    split_name(name).0
}

/// Whether [`plain_text`] is not empty.
fn has_text(element: &Element, whitespace: Whitespace) -> bool {
    element.children.iter().any(|child| match child {
        XmlChild::Text(part) | XmlChild::CData(part) => match whitespace {
            Whitespace::Preserved => !part.is_empty(),
            Whitespace::Collapsed => !part.trim().is_empty(),
        },
        XmlChild::Element(element) => has_text(element, whitespace),
        _ => false,
    })
}

/// The text of an element without its markup.
pub(super) fn plain_text(element: &Element, whitespace: Whitespace) -> String {
    let mut text = String::new();
    add_plain(element, &mut text);
    match whitespace {
        Whitespace::Preserved => text,
        Whitespace::Collapsed => collapsed(&text).trim().to_owned(),
    }
}

fn add_plain(element: &Element, out: &mut String) {
    for child in &element.children {
        match child {
            XmlChild::Text(part) | XmlChild::CData(part) => out.push_str(part),
            XmlChild::Element(element) => add_plain(element, out),
            _ => {}
        }
    }
}

/// A text with one space for each run of white space.
fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_blank) {
        let (word, from) = rest.split_at(at);
        out.extend([word, " "]);
        rest = from.trim_start_matches(|it: char| u8::try_from(it).is_ok_and(is_blank));
    }
    out.push_str(rest);
    out
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.extend([" ", name, "=\""]);
    escape(value, true, out);
    out.push('"');
}

fn escape(text: &str, attribute: bool, out: &mut String) {
    let mut rest = text;
    let special = |byte: u8| {
        matches!(byte, b'&' | b'<' | b'>' | b'\r')
            || attribute && matches!(byte, b'"' | b'\n' | b'\t')
    };
    while let Some(at) = rest.bytes().position(special) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let mut characters = from.chars();
        out.push_str(match characters.next() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('\r') => "&#13;",
            Some('"') => "&quot;",
            Some('\n') => "&#10;",
            _ => "&#9;",
        });
        rest = characters.as_str();
    }
    out.push_str(rest);
}
