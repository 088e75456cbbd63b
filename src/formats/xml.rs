//! An XML document as a tree, for the formats written in XML. Entities are not expanded.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::error::SyntaxError;
use super::{MAX_DEPTH, ReadErrorKind};

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    /// Names and decoded values, in order.
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<XmlChild>,
    /// Byte offset of the start tag.
    pub(super) offset: usize,
}

/// A part of the content of an element.
#[derive(Debug)]
pub(super) enum XmlChild {
    Element(Element),
    /// Decoded text.
    Text(String),
    /// The content of a CDATA section.
    CData(String),
    Comment(String),
    /// The content of a processing instruction.
    Instruction(String),
    /// The name of an entity that the document type declares.
    Entity(String),
}

impl Element {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Checks the name.
    pub(super) fn require_name(
        &self,
        name: &str,
        expected: &'static str,
    ) -> Result<(), SyntaxError> {
        match self.name == name {
            true => Ok(()),
            false => Err(SyntaxError {
                kind: ReadErrorKind::Structure { expected },
                at: self.offset,
            }),
        }
    }

    /// The child elements.
    pub(super) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|child| match child {
            XmlChild::Element(element) => Some(element),
            _ => None,
        })
    }

    /// The text before the first child element, comment or processing instruction.
    pub(super) fn leading_text(&self) -> String {
        let mut text = String::new();
        for child in &self.children {
            match child {
                XmlChild::Text(part) | XmlChild::CData(part) => text.push_str(part),
                XmlChild::Entity(name) => text.extend(["&", name, ";"]),
                _ => break,
            }
        }
        text
    }
}

/// Parses a document. Calls `each` with the root element and each of its children, which are not retained, so that
/// memory does not grow with the file. Returns the root element without its children.
///
/// # Errors
/// If the document is not well-formed, declares no such entity, or is nested too deep.
pub(super) fn parse(
    text: &str,
    each: &mut dyn FnMut(&Element, XmlChild),
) -> Result<Element, SyntaxError> {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = Vec::new();
    let mut root: Option<Element> = None;
    let mut entities = Entities::default();
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let at = usize::try_from(reader.error_position()).unwrap_or(at);
                return Err(syntax(&error.to_string(), at));
            }
        };
        let child = match event {
            Event::Start(start) => {
                if open.len() >= MAX_DEPTH {
                    return Err(SyntaxError {
                        kind: ReadErrorKind::TooDeep,
                        at,
                    });
                }
                if open.is_empty() && root.is_some() {
                    return Err(syntax("a second root element", at));
                }
                open.push(element(&start, at)?);
                continue;
            }
            Event::Empty(start) => XmlChild::Element(element(&start, at)?),
            Event::End(_) => match open.pop() {
                Some(element) => XmlChild::Element(element),
                None => return Err(syntax("an end tag without its start tag", at)),
            },
            Event::Text(part) => XmlChild::Text(newlines(&part)),
            Event::CData(part) => XmlChild::CData(newlines(&part)),
            Event::Comment(part) => XmlChild::Comment(newlines(&part)),
            Event::GeneralRef(reference) => entities.resolve(&reference, at)?,
            Event::DocType(declaration) => {
                entities.declared = declaration.to_string();
                continue;
            }
            Event::PI(part) => XmlChild::Instruction(newlines(&part)),
            Event::Decl(_) => continue,
            Event::Eof if open.is_empty() => {
                return root.ok_or_else(|| syntax("no root element", at));
            }
            Event::Eof => return Err(syntax("the end of the file before an end tag", at)),
        };
        match (open.as_mut_slice(), child) {
            ([root], child) => each(root, child),
            ([.., parent], child) => parent.add(child),
            ([], XmlChild::Element(element)) if root.is_none() => root = Some(element),
            ([], XmlChild::Comment(_) | XmlChild::Instruction(_)) => {}
            ([], XmlChild::Text(text)) if text.trim().is_empty() => {}
            ([], _) => return Err(syntax("content outside of the root element", at)),
        }
    }
}

impl Element {
    /// Appends a child. Adjacent texts become one.
    fn add(&mut self, child: XmlChild) {
        match (self.children.last_mut(), child) {
            (Some(XmlChild::Text(last)), XmlChild::Text(part)) => last.push_str(&part),
            (_, child) => self.children.push(child),
        }
    }
}

/// The entities of a document.
#[derive(Default)]
struct Entities {
    /// The document type declaration.
    declared: String,
}

impl Entities {
    /// A character for a predefined entity or character reference, else the name of a declared entity.
    fn resolve(&self, name: &str, at: usize) -> Result<XmlChild, SyntaxError> {
        if let Some(text) = quick_xml::escape::resolve_predefined_entity(name) {
            return Ok(XmlChild::Text(text.to_owned()));
        }
        if let Some(number) = name.strip_prefix('#') {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
                None => number.parse().ok(),
            };
            let character = code
                .and_then(char::from_u32)
                .filter(|&character| character != '\0');
            return character
                .map(|character| XmlChild::Text(character.to_string()))
                .ok_or_else(|| syntax("an invalid character reference", at));
        }
        let declared = self.declared.split("<!ENTITY").skip(1).any(|declaration| {
            declaration
                .trim_start()
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(char::is_whitespace))
        });
        match declared {
            true => Ok(XmlChild::Entity(name.to_owned())),
            false => Err(syntax(&format!("the undeclared entity &{name};"), at)),
        }
    }
}

fn element(start: &BytesStart<'_>, at: usize) -> Result<Element, SyntaxError> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| syntax(&error.to_string(), at))?;
        let raw = &attribute.value;
        let value =
            quick_xml::escape::unescape(raw).map_err(|error| syntax(&error.to_string(), at))?;
        let name = attribute.key.as_ref().to_owned();
        let value = match value.contains(['\n', '\t', '\r']) {
            true => value.replace(['\n', '\t', '\r'], " "),
            false => value.into_owned(),
        };
        attributes.push((name, value));
    }
    let name = start.name().as_ref().to_owned();
    Ok(Element {
        name,
        attributes,
        children: Vec::new(),
        offset: at,
    })
}

/// Line ends are line feeds in XML.
fn newlines(text: &str) -> String {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.to_owned()
    }
}

fn syntax(message: &str, at: usize) -> SyntaxError {
    SyntaxError {
        kind: ReadErrorKind::Syntax(format!("expected well-formed XML, found: {message}").into()),
        at,
    }
}
