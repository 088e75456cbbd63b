//! An element with its content. Names and texts are those of the document as far as they need no decoding.

use std::borrow::Cow;
use std::rc::Rc;

use crate::error::{ReadErrorKind, SyntaxError};

#[derive(Debug, Default)]
pub(crate) struct Element<'t> {
    /// The name with its prefix.
    pub(crate) name: &'t str,
    /// The namespace of the name.
    pub(crate) namespace: Option<Rc<str>>,
    /// The prefixes of its attributes, in their order, with their namespaces.
    pub(crate) prefixes: Vec<(&'t str, Rc<str>)>,
    /// Names and decoded values, in order.
    pub(crate) attributes: Vec<(&'t str, Cow<'t, str>)>,
    pub(crate) children: Vec<XmlChild<'t>>,
    /// Byte offset of the start tag.
    pub(crate) offset: usize,
}

/// A name as its prefix and the local name.
pub(crate) fn split_name(name: &str) -> (Option<&str>, &str) {
    // Names are short.
    match name.bytes().position(|byte| byte == b':') {
        Some(at) => (Some(&name[..at]), &name[at + 1..]),
        None => (None, name),
    }
}

/// A part of the content of an element.
#[derive(Debug)]
pub(crate) enum XmlChild<'t> {
    Element(Element<'t>),
    /// Decoded text.
    Text(Cow<'t, str>),
    /// The content of a CDATA section.
    CData(Cow<'t, str>),
    Comment(Cow<'t, str>),
    /// The content of a processing instruction.
    Instruction(Cow<'t, str>),
    /// The name of an entity that the document type declares.
    Entity(String),
}

impl<'t> Element<'t> {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let (_, value) = self.attributes.iter().find(|(key, _)| *key == name)?;
        Some(value)
    }

    /// The name without its prefix.
    pub(crate) fn local_name(&self) -> &'t str {
        split_name(self.name).1
    }

    pub(crate) fn require_name(
        &self,
        name: &str,
        expected: &'static str,
    ) -> Result<(), SyntaxError> {
        if self.name == name {
            Ok(())
        } else {
            Err(ReadErrorKind::Structure { expected }.at(self.offset))
        }
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|child| match child {
            XmlChild::Element(element) => Some(element),
            _ => None,
        })
    }

    /// The child elements with a name.
    pub(crate) fn children_named(&self, name: &str) -> impl Iterator<Item = &Self> {
        self.elements().filter(move |child| child.name == name)
    }

    /// The first child element with a name.
    pub(crate) fn child(&self, name: &str) -> Option<&Self> {
        self.children_named(name).next()
    }

    /// The text before the first child element, comment or processing instruction.
    pub(crate) fn leading_text(&self) -> Cow<'_, str> {
        let mut text = Cow::Borrowed("");
        for child in &self.children {
            match child {
                XmlChild::Text(part) | XmlChild::CData(part) if text.is_empty() => {
                    text = Cow::Borrowed(part);
                }
                XmlChild::Text(part) | XmlChild::CData(part) => text.to_mut().push_str(part),
                XmlChild::Entity(name) => text.to_mut().extend(["&", name, ";"]),
                _ => break,
            }
        }
        text
    }

    /// Appends a child. Adjacent texts become one.
    pub(super) fn add(&mut self, child: XmlChild<'t>) {
        match (self.children.last_mut(), child) {
            (Some(XmlChild::Text(last)), XmlChild::Text(part)) => last.to_mut().push_str(&part),
            (_, child) => self.children.push(child),
        }
    }
}
