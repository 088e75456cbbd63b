//! An XML document as a tree, for the formats written in XML. Entities are not expanded.

mod element;

use std::borrow::Cow;
use std::rc::Rc;

use super::error::{MAX_DEPTH, ReadErrorKind, SyntaxError};
pub(super) use element::{Element, XmlChild, split_name};
use gitglot_model::{SeededMap, SeededSet};
use quick_xml::Reader;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};

/// Receives the elements around a child, from the root on and without their children, and the child.
pub(super) type Each<'f, 't> =
    dyn FnMut(&[Element<'t>], XmlChild<'t>) -> Result<(), SyntaxError> + 'f;

/// Receives the content of a document.
pub(super) trait Visitor<'t> {
    /// Receives the elements around a child, from the root on and without their children, the child, and where it ends.
    fn child(
        &mut self,
        outer: &[Element<'t>],
        child: XmlChild<'t>,
        end: usize,
    ) -> Result<(), SyntaxError>;

    /// Where parsing continues instead of at a child that begins at an offset; `None` if that child is not known. Between
    /// the two there are only complete children.
    fn skip(&mut self, _outer: &[Element<'t>], _at: usize) -> Option<usize> {
        None
    }
}

/// A function that receives all children.
struct All<'f, 'e, 't>(&'f mut Each<'e, 't>);

impl<'t> Visitor<'t> for All<'_, '_, 't> {
    fn child(
        &mut self,
        outer: &[Element<'t>],
        child: XmlChild<'t>,
        _: usize,
    ) -> Result<(), SyntaxError> {
        (self.0)(outer, child)
    }
}

/// Parses a document. Calls `each` with each child of the root element, and of the elements with names in
/// `containers`, if only such elements are around those. A child is not retained, so that memory does not grow with
/// the file, and these elements are not given themselves. Returns the root element without its children.
///
/// # Errors
/// If the document is not well-formed, declares no such entity, or is nested too deep, and the errors of `each`.
pub(super) fn parse<'t>(
    text: &'t str,
    containers: &[&str],
    each: &mut Each<'_, 't>,
) -> Result<Element<'t>, SyntaxError> {
    visit(text, containers, &mut All(each))
}

/// As [`parse`], for a visitor that knows some children.
pub(super) fn visit<'t>(
    text: &'t str,
    containers: &[&str],
    visitor: &mut dyn Visitor<'t>,
) -> Result<Element<'t>, SyntaxError> {
    require_characters(text)?;
    let mut document = PartialDocument {
        text,
        ..PartialDocument::default()
    };
    let mut reader = reader_from(text, 0);
    // Where the text of the reader begins.
    let mut start = 0;
    loop {
        let position = |at: u64| usize::try_from(at).map_or(usize::MAX, |at| start + at);
        let at = position(reader.buffer_position());
        if document.is_in_container()
            && text.as_bytes().get(at) == Some(&b'<')
            && let Some(end) = visitor.skip(&document.open, at)
        {
            start = end;
            reader = reader_from(text, start);
            continue;
        }
        let event = reader
            .read_event()
            .map_err(|error| syntax(&error.to_string(), position(reader.error_position())))?;
        let end = position(reader.buffer_position());
        match event {
            Event::Eof if document.open.is_empty() => {
                return document.root.ok_or_else(|| syntax("no root element", at));
            }
            Event::Eof => return Err(syntax("the end of the file before an end tag", at)),
            event => {
                if let Some(child) = document.child(event, containers, at)? {
                    document.attach(child, at, end, visitor)?;
                }
            }
        }
    }
}

/// A reader of the rest of a text. It does not know which elements are open.
fn reader_from(text: &str, at: usize) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text.get(at..).unwrap_or_default());
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    reader
}

/// A document that is not complete.
#[derive(Default)]
struct PartialDocument<'t> {
    text: &'t str,
    open: Vec<Element<'t>>,
    /// The number of the outermost open elements whose children are given away.
    containers: usize,
    root: Option<Element<'t>>,
    /// The namespaces of each prefix, the innermost last; `""` is the default. An empty namespace is none.
    namespaces: SeededMap<&'t str, Vec<Rc<str>>>,
    /// The names of the entities that the document type declares.
    entities: SeededSet<String>,
}

impl<'t> PartialDocument<'t> {
    /// Whether the next child is given away.
    fn is_in_container(&self) -> bool {
        !self.open.is_empty() && self.open.len() == self.containers
    }

    /// The complete child of an event, if any.
    fn child(
        &mut self,
        event: Event<'t>,
        containers: &[&str],
        at: usize,
    ) -> Result<Option<XmlChild<'t>>, SyntaxError> {
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
            Event::End(end) => {
                let element = self.open.pop();
                let element =
                    element.ok_or_else(|| syntax("an end tag without its start tag", at))?;
                if end.name().as_ref() != element.name {
                    let (expected, found) = (element.name, end.name());
                    let message = format!("</{}> instead of </{expected}>", found.as_ref());
                    return Err(syntax(&message, at));
                }
                self.leave(&element);
                let is_given = self.open.len() >= self.containers || self.open.is_empty();
                self.containers = self.containers.min(self.open.len());
                if !is_given {
                    return Ok(None);
                }
                XmlChild::Element(element)
            }
            Event::Text(part) => XmlChild::Text(newlines(part.into_inner())),
            Event::CData(part) => XmlChild::CData(newlines(part.into_inner())),
            Event::Comment(part) => XmlChild::Comment(newlines(part.into_inner())),
            Event::GeneralRef(reference) => self.entity(&reference, at)?,
            Event::DocType(declaration) => {
                let declarations = declaration.split("<!ENTITY").skip(1);
                let names = declarations
                    .filter_map(|text| text.trim_start().split_once(char::is_whitespace))
                    .map(|(name, _)| name.to_owned());
                self.entities = names.collect();
                return Ok(None);
            }
            Event::PI(part) => XmlChild::Instruction(newlines(part.into_inner())),
            Event::Decl(_) | Event::Eof => return Ok(None),
        }))
    }

    /// The element of a start tag, whose namespaces are in scope until [`Self::leave`].
    fn element(&mut self, start: &BytesStart<'_>, at: usize) -> Result<Element<'t>, SyntaxError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(at));
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| attribute_fault(&error, at))?;
            let value = self.attribute_value(&attribute.value, at)?;
            let name = part_of(self.text, attribute.key.as_ref());
            if let Some(prefix) = declared_prefix(name) {
                let namespaces = self.namespaces.entry(prefix).or_default();
                namespaces.push(value.as_ref().into());
            }
            attributes.push((name, value));
        }
        let name = part_of(self.text, start.name().as_ref());
        let namespace = self.namespace(split_name(name).0.unwrap_or_default());
        let mut prefixes: Vec<(&str, Rc<str>)> = Vec::new();
        for (name, _) in &attributes {
            if let (Some(prefix), _) = split_name(name)
                && let Some(namespace) = self.namespace(prefix)
            {
                prefixes.push((prefix, namespace));
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

    /// The decoded value of an attribute.
    fn attribute_value(&self, raw: &str, at: usize) -> Result<Cow<'t, str>, SyntaxError> {
        if memchr::memchr(b'&', raw.as_bytes()).is_none() {
            return Ok(spaces(part_of(self.text, raw)));
        }
        let value = quick_xml::escape::unescape(&spaces(raw))
            .map_err(|error| syntax(&error.to_string(), at))?
            .into_owned();
        if value.contains(is_no_character) {
            Err(syntax("an invalid character reference", at))
        } else {
            Ok(value.into())
        }
    }

    /// The namespace of a prefix.
    fn namespace(&self, prefix: &str) -> Option<Rc<str>> {
        let namespace = self.namespaces.get(prefix)?.last()?;
        (!namespace.is_empty()).then(|| namespace.clone())
    }

    /// Ends the scope of the namespaces that an element declares.
    fn leave(&mut self, element: &Element<'_>) {
        for (name, _) in &element.attributes {
            if let Some(namespaces) =
                declared_prefix(name).and_then(|prefix| self.namespaces.get_mut(prefix))
            {
                namespaces.pop();
            }
        }
    }

    /// A character for a predefined entity or character reference, else the name of a declared entity.
    fn entity(&self, name: &str, at: usize) -> Result<XmlChild<'t>, SyntaxError> {
        if let Some(text) = quick_xml::escape::resolve_predefined_entity(name) {
            return Ok(XmlChild::Text(Cow::Borrowed(text)));
        }
        if let Some(number) = name.strip_prefix('#') {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
                None => number.parse().ok(),
            };
            return match code.and_then(char::from_u32) {
                Some(character) if !is_no_character(character) && !number.contains('+') => {
                    Ok(XmlChild::Text(character.to_string().into()))
                }
                _ => Err(syntax("an invalid character reference", at)),
            };
        }
        if self.entities.contains(name) {
            Ok(XmlChild::Entity(name.to_owned()))
        } else {
            Err(syntax(&format!("the undeclared entity &{name};"), at))
        }
    }

    /// Adds a child, which ends at an offset, to the innermost element, or gives it away.
    fn attach(
        &mut self,
        child: XmlChild<'t>,
        at: usize,
        end: usize,
        visitor: &mut dyn Visitor<'t>,
    ) -> Result<(), SyntaxError> {
        match (self.open.as_mut_slice(), child) {
            (outer @ [_, ..], child) if outer.len() == self.containers => {
                return visitor.child(outer, child, end);
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

/// Bytes that are scanned at once.
const SCANNED: usize = 4 << 10;

/// The prefix that an attribute declares; `""` for the default namespace.
pub(super) fn declared_prefix(attribute: &str) -> Option<&str> {
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
    let bytes = text.as_bytes();
    // Without branches, this compares many bytes at once.
    let is_control = |byte: u8| (byte < b' ') & !matches!(byte, b'\t' | b'\n' | b'\r');
    let has_control =
        |part: &[u8]| (part.iter()).fold(false, |found, &byte| found | is_control(byte));
    let has = |character: &str| memchr::memmem::find(bytes, character.as_bytes()).is_some();
    if !bytes.chunks(SCANNED).any(has_control) && !has("\u{FFFE}") && !has("\u{FFFF}") {
        return Ok(());
    }
    match text.find(is_no_character) {
        Some(at) => Err(syntax("a control character", at)),
        None => Ok(()),
    }
}

/// The white space of an attribute is spaces.
fn spaces(value: &str) -> Cow<'_, str> {
    if memchr::memchr3(b'\n', b'\t', b'\r', value.as_bytes()).is_some() {
        value
            .replace("\r\n", " ")
            .replace(['\n', '\t', '\r'], " ")
            .into()
    } else {
        value.into()
    }
}

/// Line ends are line feeds in XML.
fn newlines(text: Cow<'_, str>) -> Cow<'_, str> {
    match memchr::memchr(b'\r', text.as_bytes()) {
        Some(_) => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        None => text,
    }
}

/// The part of a text that a parser of it has given.
fn part_of<'t>(text: &'t str, part: &str) -> &'t str {
    let start = part.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
    text.get(start..start.wrapping_add(part.len()))
        .unwrap_or_default()
}

/// The error of an attribute in the tag that begins at `tag`, at its own position.
fn attribute_fault(error: &AttrError, tag: usize) -> SyntaxError {
    let (AttrError::ExpectedEq(at)
    | AttrError::ExpectedValue(at)
    | AttrError::UnquotedValue(at)
    | AttrError::ExpectedQuote(at, _)
    | AttrError::Duplicated(at, _)) = error;
    let text = error.to_string();
    // The position in the tag begins the text.
    let message = text.split_once(": ").map_or(&*text, |(_, message)| message);
    syntax(message, tag + 1 + at)
}

fn syntax(message: &str, at: usize) -> SyntaxError {
    ReadErrorKind::syntax(format!("expected well-formed XML, found: {message}"), at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_lacks_are_found() {
        let error = |text: &str| parse(text, &[], &mut |_, _| Ok(())).map(drop).err();
        assert_eq!(error("<a>\t\r\n \u{FFFD}\u{FF01}\u{7F}</a>"), None);
        for character in ['\0', '\u{B}', '\u{C}', '\u{1F}', '\u{FFFE}', '\u{FFFF}'] {
            let long = format!("<a>{}{character}</a>", "\u{FF01}".repeat(SCANNED));
            assert_eq!(error(&long).map(|error| error.at), Some(3 + 3 * SCANNED));
        }
    }

    #[test]
    fn errors_of_attributes_are_at_their_position() {
        let error = parse("<a>\n<b c=\"d\" e=f/></a>", &[], &mut |_, _| Ok(())).unwrap_err();
        assert_eq!(error.at, "<a>\n<b c=\"d\" e=".len());
        let found = ": attribute value must be enclosed in `\"` or `'`";
        assert!(error.kind.to_string().ends_with(found), "{}", error.kind);
    }

    #[test]
    fn a_character_reference_has_no_sign() {
        let read = |file: &str| parse(file, &[], &mut |_, _| Ok(())).is_ok();
        assert!(read("<a>&#65;&#x41;</a>"));
        assert!(!read("<a>&#+65;</a>") && !read("<a>&#x+41;</a>"));
    }

    #[test]
    fn an_empty_element_is_a_level() {
        let file = |levels: usize, inner: &str| {
            format!("{}{inner}{}", "<a>".repeat(levels), "</a>".repeat(levels))
        };
        let read = |file: &str| {
            let root = parse(file, &[], &mut |_, _| Ok(()));
            root.map(drop).map_err(|error| error.kind)
        };
        assert!(read(&file(MAX_DEPTH - 1, "<b/>")).is_ok());
        let error = read(&file(MAX_DEPTH, "<b/>")).unwrap_err();
        assert_eq!(error, ReadErrorKind::TooDeep(MAX_DEPTH));
    }
}
