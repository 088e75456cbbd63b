//! An XML document as a tree, for the formats written in XML. Entities are not expanded.

use std::borrow::Cow;
use std::rc::Rc;

use super::error::{MAX_DEPTH, ReadErrorKind, SyntaxError};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Default)]
pub(super) struct Element {
    /// The name with its prefix.
    pub(super) name: String,
    /// The namespace of the name.
    pub(super) namespace: Option<Rc<str>>,
    /// The prefixes of its attributes, in their order, with their namespaces.
    pub(super) prefixes: Vec<(String, Rc<str>)>,
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
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The name without its prefix.
    pub(super) fn local_name(&self) -> &str {
        self.name
            .split_once(':')
            .map_or(&*self.name, |(_, local)| local)
    }

    pub(super) fn require_name(
        &self,
        name: &str,
        expected: &'static str,
    ) -> Result<(), SyntaxError> {
        match self.name == name {
            true => Ok(()),
            false => Err(ReadErrorKind::Structure { expected }.at(self.offset)),
        }
    }

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

    /// Appends a child. Adjacent texts become one.
    fn add(&mut self, child: XmlChild) {
        match (self.children.last_mut(), child) {
            (Some(XmlChild::Text(last)), XmlChild::Text(part)) => last.push_str(&part),
            (_, child) => self.children.push(child),
        }
    }
}

/// Receives the root element, without its children, and one of its children.
pub(super) type Each<'f> = dyn FnMut(&Element, XmlChild) -> Result<(), SyntaxError> + 'f;

/// Receives the elements around a child, from the root on and without their children, and the child.
pub(super) type EachInside<'f> = dyn FnMut(&[Element], XmlChild) -> Result<(), SyntaxError> + 'f;

/// Parses a document. Calls `each` with each child of the root element, which is not retained, so that memory does not
/// grow with the file. Returns the root element without its children.
///
/// # Errors
/// If the document is not well-formed, declares no such entity, or is nested too deep, and the errors of `each`.
pub(super) fn parse(text: &str, each: &mut Each<'_>) -> Result<Element, SyntaxError> {
    parse_inside(text, &[], &mut |outer, child| match outer {
        [root, ..] => each(root, child),
        [] => Ok(()),
    })
}

/// As [`parse`], but also calls `each` with each child of the elements of these names, if only such elements are around
/// them. These elements are not given themselves.
pub(super) fn parse_inside(
    text: &str,
    containers: &[&str],
    each: &mut EachInside<'_>,
) -> Result<Element, SyntaxError> {
    require_characters(text)?;
    let mut reader = Reader::from_str(text);
    let mut document = PartialDocument::default();
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = reader.read_event().map_err(|error| {
            let at = usize::try_from(reader.error_position()).unwrap_or(at);
            syntax(&error.to_string(), at)
        })?;
        match event {
            Event::Eof if document.open.is_empty() => {
                return document.root.ok_or_else(|| syntax("no root element", at));
            }
            Event::Eof => return Err(syntax("the end of the file before an end tag", at)),
            event => {
                if let Some(child) = document.child(event, containers, at)? {
                    document.attach(child, at, each)?;
                }
            }
        }
    }
}

/// A document that is not complete.
#[derive(Default)]
struct PartialDocument {
    open: Vec<Element>,
    /// The number of the outermost open elements whose children are given away.
    containers: usize,
    root: Option<Element>,
    /// The namespaces of each prefix, the innermost last; `""` is the default. An empty namespace is none.
    namespaces: FxHashMap<String, Vec<Rc<str>>>,
    /// The names of the entities that the document type declares.
    entities: FxHashSet<String>,
}

impl PartialDocument {
    /// The complete child of an event, if any.
    fn child(
        &mut self,
        event: Event<'_>,
        containers: &[&str],
        at: usize,
    ) -> Result<Option<XmlChild>, SyntaxError> {
        Ok(Some(match event {
            Event::Start(start) => {
                let element = self.element(&start, at)?;
                if self.open.is_empty() && self.root.is_some() {
                    return Err(syntax("a second root element", at));
                }
                let is_container = self.open.len() == self.containers
                    && (self.open.is_empty() || containers.contains(&element.local_name()));
                self.containers += usize::from(is_container);
                self.open.push(element);
                return Ok(None);
            }
            Event::Empty(start) => {
                let element = self.element(&start, at)?;
                self.leave(&element);
                XmlChild::Element(element)
            }
            Event::End(_) => match self.open.pop() {
                Some(element) => {
                    self.leave(&element);
                    let is_given = self.open.len() >= self.containers || self.open.is_empty();
                    self.containers = self.containers.min(self.open.len());
                    if !is_given {
                        return Ok(None);
                    }
                    XmlChild::Element(element)
                }
                None => return Err(syntax("an end tag without its start tag", at)),
            },
            Event::Text(part) => XmlChild::Text(newlines(&part)),
            Event::CData(part) => XmlChild::CData(newlines(&part)),
            Event::Comment(part) => XmlChild::Comment(newlines(&part)),
            Event::GeneralRef(reference) => self.entity(&reference, at)?,
            Event::DocType(declaration) => {
                let declarations = declaration.split("<!ENTITY").skip(1);
                let names = declarations
                    .filter_map(|it| it.trim_start().split_once(char::is_whitespace))
                    .map(|(name, _)| name.to_owned());
                self.entities = names.collect();
                return Ok(None);
            }
            Event::PI(part) => XmlChild::Instruction(newlines(&part)),
            Event::Decl(_) | Event::Eof => return Ok(None),
        }))
    }

    /// The element of a start tag, whose namespaces are in scope until [`Self::leave`].
    fn element(&mut self, start: &BytesStart<'_>, at: usize) -> Result<Element, SyntaxError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(at));
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| syntax(&error.to_string(), at))?;
            let raw = spaces(&attribute.value);
            let value = quick_xml::escape::unescape(&raw)
                .map_err(|error| syntax(&error.to_string(), at))?;
            if value.contains(is_no_character) {
                return Err(syntax("an invalid character reference", at));
            }
            let name = attribute.key.as_ref().to_owned();
            if let Some(prefix) = declared_prefix(&name) {
                let namespaces = self.namespaces.entry(prefix.to_owned()).or_default();
                namespaces.push(value.as_ref().into());
            }
            attributes.push((name, value.into_owned()));
        }
        let name = start.name().as_ref().to_owned();
        let namespace = self.namespace(name.split_once(':').map_or("", |(prefix, _)| prefix));
        let mut prefixes: Vec<(String, Rc<str>)> = Vec::new();
        for (name, _) in &attributes {
            if let Some((prefix, _)) = name.split_once(':')
                && let Some(namespace) = self.namespace(prefix)
            {
                prefixes.push((prefix.to_owned(), namespace));
            }
        }
        Ok(Element {
            name,
            namespace,
            prefixes,
            attributes,
            children: Vec::new(),
            offset: at,
        })
    }

    /// The namespace of a prefix.
    fn namespace(&self, prefix: &str) -> Option<Rc<str>> {
        let namespace = self.namespaces.get(prefix)?.last()?;
        (!namespace.is_empty()).then(|| namespace.clone())
    }

    /// Ends the scope of the namespaces that an element declares.
    fn leave(&mut self, element: &Element) {
        for (name, _) in &element.attributes {
            if let Some(namespaces) =
                declared_prefix(name).and_then(|prefix| self.namespaces.get_mut(prefix))
            {
                namespaces.pop();
            }
        }
    }

    /// A character for a predefined entity or character reference, else the name of a declared entity.
    fn entity(&self, name: &str, at: usize) -> Result<XmlChild, SyntaxError> {
        if let Some(text) = quick_xml::escape::resolve_predefined_entity(name) {
            return Ok(XmlChild::Text(text.to_owned()));
        }
        if let Some(number) = name.strip_prefix('#') {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
                None => number.parse().ok(),
            };
            return match code.and_then(char::from_u32) {
                Some(character) if !is_no_character(character) && !number.contains('+') => {
                    Ok(XmlChild::Text(character.to_string()))
                }
                _ => Err(syntax("an invalid character reference", at)),
            };
        }
        match self.entities.contains(name) {
            true => Ok(XmlChild::Entity(name.to_owned())),
            false => Err(syntax(&format!("the undeclared entity &{name};"), at)),
        }
    }

    /// Adds a child to the innermost element, or gives it to `each`.
    fn attach(
        &mut self,
        child: XmlChild,
        at: usize,
        each: &mut EachInside<'_>,
    ) -> Result<(), SyntaxError> {
        match (self.open.as_mut_slice(), child) {
            (outer @ [_, ..], child) if outer.len() == self.containers => {
                return each(outer, child);
            }
            ([.., parent], child) => parent.add(child),
            ([], XmlChild::Element(element)) if self.root.is_none() => self.root = Some(element),
            ([], XmlChild::Comment(_) | XmlChild::Instruction(_)) => {}
            ([], XmlChild::Text(text)) if text.trim().is_empty() => {}
            ([], _) => return Err(syntax("content outside of the root element", at)),
        }
        Ok(())
    }
}

/// The prefix that an attribute declares; `""` for the default namespace.
fn declared_prefix(attribute: &str) -> Option<&str> {
    match attribute.strip_prefix("xmlns")? {
        "" => Some(""),
        prefix => prefix.strip_prefix(':'),
    }
}

/// Whether XML has no such character, not even as a reference.
fn is_no_character(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Finds characters that XML does not have.
///
/// # Errors
/// At the first of them.
fn require_characters(text: &str) -> Result<(), SyntaxError> {
    match text.find(is_no_character) {
        Some(at) => Err(syntax("a control character", at)),
        None => Ok(()),
    }
}

/// The white space of an attribute is spaces.
fn spaces(value: &str) -> Cow<'_, str> {
    match value.contains(['\n', '\t', '\r']) {
        true => value
            .replace("\r\n", " ")
            .replace(['\n', '\t', '\r'], " ")
            .into(),
        false => value.into(),
    }
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
    ReadErrorKind::syntax(format!("expected well-formed XML, found: {message}"), at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_reference_has_no_sign() {
        let read = |file: &str| parse(file, &mut |_, _| Ok(())).is_ok();
        assert!(read("<a>&#65;&#x41;</a>"));
        assert!(!read("<a>&#+65;</a>") && !read("<a>&#x+41;</a>"));
    }

    #[test]
    fn an_empty_element_is_a_level() {
        let file = |levels: usize, inner: &str| {
            format!("{}{inner}{}", "<a>".repeat(levels), "</a>".repeat(levels))
        };
        let read = |file: &str| parse(file, &mut |_, _| Ok(())).map_err(|error| error.kind);
        assert!(read(&file(MAX_DEPTH - 1, "<b/>")).is_ok());
        let error = read(&file(MAX_DEPTH, "<b/>")).unwrap_err();
        assert_eq!(error, ReadErrorKind::TooDeep(MAX_DEPTH));
    }
}
