//! A strict XML parser that returns only the sequence of nodes (`docs/spec/checks.md#xml-markup`).
//!
//! It rejects the same texts as libxml2: text that is not well-formed, undeclared or misused namespace prefixes,
//! invalid namespace names and more than [`MAX_DEPTH`] levels. Unlike libxml2 it also rejects a document type with an
//! internal subset.

use super::namespaces::{Name, Namespaces, QName};
use crate::pair::run;
use gitglot_model::{SeededSet, steps};

/// The maximum depth of nested elements.
const MAX_DEPTH: usize = 256;

/// The grammar production to parse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Production {
    /// The content of an element: text, and any number of elements.
    Fragment,
    /// A document: one element with an optional declaration before it.
    Document,
}

/// A node without its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum XmlNode<'a> {
    /// A start tag.
    Element(Name<'a>),
    Comment,
    /// A processing instruction.
    Instruction,
}

/// The nodes of a text in document order; for a document, only those of its root element.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in super::super) struct XmlContent<'a> {
    pub(super) nodes: Vec<XmlNode<'a>>,
    /// The attributes, each with the index of its node.
    attributes: Vec<(usize, QName<'a>)>,
}

impl XmlContent<'_> {
    /// The nodes as tags, with the names of their attributes.
    pub(in super::super) fn tags(&self) -> Vec<String> {
        let mut attributes = self.attributes.iter().peekable();
        let tag = |(index, node): (usize, &XmlNode<'_>)| match node {
            XmlNode::Comment => "<!-- -->".to_owned(),
            XmlNode::Instruction => "<? ?>".to_owned(),
            XmlNode::Element(name) => {
                let mut tag = format!("<{}", name.local);
                while let Some((_, attribute)) = attributes.next_if(|(node, _)| *node == index) {
                    tag.push(' ');
                    tag.push_str(attribute.local);
                }
                tag + ">"
            }
        };
        self.nodes.iter().enumerate().map(tag).collect()
    }
}

/// Reads a text without entities as a fragment, or else as a document. `None` if the text is not well-formed.
pub(in super::super) fn read_any(text: &str) -> Option<(Production, XmlContent<'_>)> {
    [Production::Fragment, Production::Document]
        .into_iter()
        .find_map(|production| Some((production, read(text, production)?)))
}

/// Reads a text without entities. `None` if the text is not well-formed.
pub(in super::super) fn read(text: &str, production: Production) -> Option<XmlContent<'_>> {
    if !text.chars().all(is_xml_char) {
        return None;
    }
    let mut reader = XmlReader {
        rest: text,
        content: XmlContent::default(),
        open: Vec::new(),
        namespaces: Namespaces::default(),
        ids: SeededSet::default(),
    };
    match production {
        Production::Fragment => {
            // The wrapping element adds one level.
            reader.read_content(MAX_DEPTH - 1, |reader| {
                reader.open.is_empty() && reader.rest.is_empty()
            })?;
        }
        Production::Document => {
            reader.declaration()?;
            reader.misc()?;
            reader.document_type()?;
            reader.misc()?;
            reader.content.nodes.clear();
            reader.start_tag(MAX_DEPTH)?;
            reader.read_content(MAX_DEPTH, |reader| reader.open.is_empty())?;
            let content = std::mem::take(&mut reader.content);
            reader.misc()?;
            reader.rest.is_empty().then_some(())?;
            reader.content = content;
        }
    }
    Some(reader.content)
}

struct XmlReader<'a> {
    rest: &'a str,
    content: XmlContent<'a>,
    /// The names of the open elements as written.
    open: Vec<&'a str>,
    namespaces: Namespaces<'a>,
    /// Values of `xml:id`, which must be unique.
    ids: SeededSet<&'a str>,
}

impl<'a> XmlReader<'a> {
    /// Reads text and markup until `ends` is true.
    fn read_content(&mut self, max_depth: usize, ends: impl Fn(&Self) -> bool) -> Option<()> {
        while !ends(self) {
            let text = self.until(
                memchr::memchr2(b'<', b'&', self.rest.as_bytes()).unwrap_or(self.rest.len()),
            )?;
            if memchr::memmem::find(text.as_bytes(), b"]]>").is_some() {
                return None;
            }
            if self.rest.is_empty() {
                return ends(self).then_some(());
            }
            // A bare ampersand is an error: all entities were removed before.
            self.markup(max_depth)?;
        }
        Some(())
    }

    /// Reads one piece of markup.
    fn markup(&mut self, max_depth: usize) -> Option<()> {
        let inside = self.rest.strip_prefix('<')?;
        match inside.as_bytes().first()? {
            b'/' => self.end_tag(),
            b'!' if inside.starts_with("!--") => self.comment(),
            b'!' => self.character_data(),
            b'?' => self.instruction(),
            _ => self.start_tag(max_depth),
        }
    }

    fn start_tag(&mut self, max_depth: usize) -> Option<()> {
        self.take("<")?;
        let (written, name) = self.qualified_name()?;
        let mut attributes: Vec<QName<'a>> = Vec::new();
        let empty = loop {
            let separated = self.whitespace();
            if self.take("/>").is_some() {
                break true;
            }
            if self.take(">").is_some() {
                break false;
            }
            // Whitespace separates attributes.
            separated.then_some(())?;
            let (_, attribute) = self.qualified_name()?;
            self.equals()?;
            let value = self.quoted()?;
            if value.contains(['<', '&']) {
                return None;
            }
            if self.namespaces.declare(self.open.len(), attribute, value)? {
                continue;
            }
            if attribute == QName::XML_ID {
                let unique = is_plain_name(value) && self.ids.insert(value);
                unique.then_some(())?;
            }
            attributes.push(attribute);
        };
        self.namespaces.all_differ(&attributes)?;
        let name = self.namespaces.element(name)?;
        (self.open.len() < max_depth).then_some(())?;
        let index = self.content.nodes.len();
        self.content
            .attributes
            .extend(attributes.into_iter().map(|attribute| (index, attribute)));
        self.content.nodes.push(XmlNode::Element(name));
        if empty {
            self.namespaces.close(self.open.len());
        } else {
            self.open.push(written);
        }
        Some(())
    }

    fn end_tag(&mut self) -> Option<()> {
        self.take("</")?;
        let name = self.open.pop()?;
        self.take(name)?;
        self.whitespace();
        self.take(">")?;
        self.namespaces.close(self.open.len());
        Some(())
    }

    fn comment(&mut self) -> Option<()> {
        self.take("<!--")?;
        self.until(self.rest.find("--")?)?;
        self.take("-->")?;
        self.content.nodes.push(XmlNode::Comment);
        Some(())
    }

    fn character_data(&mut self) -> Option<()> {
        self.take("<![CDATA[")?;
        self.until(self.rest.find("]]>")?)?;
        self.take("]]>")
    }

    fn instruction(&mut self) -> Option<()> {
        self.take("<?")?;
        let target = self.name()?;
        if target.eq_ignore_ascii_case("xml") {
            return None;
        }
        if self.take("?>").is_none() {
            self.whitespace().then_some(())?;
            self.until(self.rest.find("?>")?)?;
            self.take("?>")?;
        }
        self.content.nodes.push(XmlNode::Instruction);
        Some(())
    }

    /// Reads the optional declaration of a document. An encoding is an error because the text is already decoded.
    fn declaration(&mut self) -> Option<()> {
        let after = self.rest.strip_prefix("<?xml");
        let Some(after) = after.filter(|after| after.starts_with(is_whitespace)) else {
            return Some(());
        };
        self.rest = after;
        self.whitespace();
        self.take("version")?;
        self.equals()?;
        let minor = self.quoted()?.strip_prefix("1.")?;
        let is_number = minor.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(())?;
        if self.whitespace() && self.take("standalone").is_some() {
            self.equals()?;
            matches!(self.quoted()?, "yes" | "no").then_some(())?;
            self.whitespace();
        }
        self.take("?>")
    }

    fn document_type(&mut self) -> Option<()> {
        if self.take("<!DOCTYPE").is_none() {
            return Some(());
        }
        self.whitespace().then_some(())?;
        self.name()?;
        if self.whitespace() {
            if self.take("SYSTEM").is_some() {
                self.whitespace().then_some(())?;
                self.quoted()?;
            } else if self.take("PUBLIC").is_some() {
                self.whitespace().then_some(())?;
                let allowed = |char: char| {
                    char.is_ascii_alphanumeric() || " \r\n-'()+,./:=?;!*#@$_%".contains(char)
                };
                self.quoted()?.chars().all(allowed).then_some(())?;
                self.whitespace().then_some(())?;
                self.quoted()?;
            }
            self.whitespace();
        }
        self.take(">")
    }

    /// Reads comments, processing instructions and whitespace outside the root element.
    fn misc(&mut self) -> Option<()> {
        loop {
            self.whitespace();
            if self.rest.starts_with("<!--") {
                self.comment()?;
            } else if self.rest.starts_with("<?") {
                self.instruction()?;
            } else {
                return Some(());
            }
        }
    }

    /// Reads a name with at most one colon. Returns it as written and split.
    fn qualified_name(&mut self) -> Option<(&'a str, QName<'a>)> {
        let written = self.rest;
        let first = self.name()?;
        let (prefix, local) = match self.take(":") {
            Some(()) => (first, self.name()?),
            None => ("", first),
        };
        let name = QName { prefix, local };
        let written = written.get(..written.len() - self.rest.len())?;
        (!self.rest.starts_with(':')).then_some((written, name))
    }

    /// Reads a name without a colon.
    fn name(&mut self) -> Option<&'a str> {
        self.rest.starts_with(starts_name).then_some(())?;
        self.until(run(self.rest, continues_name))
    }

    fn equals(&mut self) -> Option<()> {
        self.whitespace();
        self.take("=")?;
        self.whitespace();
        Some(())
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let quote = char::from(*self.rest.as_bytes().first()?);
        matches!(quote, '"' | '\'').then_some(())?;
        self.until(1)?;
        let value = self.until(self.rest.find(quote)?)?;
        self.until(1)?;
        Some(value)
    }

    /// Skips whitespace. Returns whether there was any.
    fn whitespace(&mut self) -> bool {
        let after = self.rest.trim_start_matches(is_whitespace);
        let some = after.len() < self.rest.len();
        self.rest = after;
        some
    }

    fn take(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    fn until(&mut self, end: usize) -> Option<&'a str> {
        let (text, rest) = self.rest.split_at_checked(end)?;
        steps::count(end);
        self.rest = rest;
        Some(text)
    }
}

fn is_plain_name(text: &str) -> bool {
    text.starts_with(starts_name) && text.chars().all(continues_name)
}

fn is_whitespace(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\r' | '\n')
}

/// `Char` of XML 1.0.
fn is_xml_char(char: char) -> bool {
    matches!(char, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// `NameStartChar` of XML 1.0, without the colon.
fn starts_name(char: char) -> bool {
    matches!(char, 'a'..='z' | 'A'..='Z' | '_' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}')
        || matches!(char, '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}')
        || matches!(char, '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}')
        || matches!(char, '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// `NameChar` of XML 1.0, without the colon.
fn continues_name(char: char) -> bool {
    matches!(char, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
        || starts_name(char)
}
