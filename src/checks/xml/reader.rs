//! A strict reader of XML that keeps only what stands in which order (`checks.md` 5).
//!
//! It refuses what libxml2 refuses: besides what XML calls not well-formed also undeclared or misused namespace prefixes,
//! impossible namespace names and more than [`MOST_DEPTH`] levels. A document type with an internal subset is refused,
//! too, which libxml2 would read: no text of a user interface declares one.

use super::namespaces::{Name, Namespaces, QName};

/// The most elements that may stand inside each other.
const MOST_DEPTH: usize = 256;

/// What the text is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// The content of an element: text, and any number of elements.
    Fragment,
    /// A document: one element, perhaps with a declaration before it.
    Document,
}

/// What stands in a text, without its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node<'a> {
    /// A start tag.
    Element(Name<'a>),
    /// A comment.
    Comment,
    /// A processing instruction.
    Instruction,
}

/// The nodes in the order in which they begin; in a document only those of its element. `None` if the text is not
/// well-formed.
pub(super) fn nodes(text: &str, shape: Shape) -> Option<Vec<Node<'_>>> {
    if !text.chars().all(is_xml_char) {
        return None;
    }
    let mut reader =
        Reader { rest: text, nodes: Vec::new(), open: Vec::new(), namespaces: Namespaces::default(), ids: Vec::new() };
    match shape {
        Shape::Fragment => {
            // The element around the text counts, too.
            reader.content(MOST_DEPTH - 1, |reader| reader.open.is_empty() && reader.rest.is_empty())?;
        }
        Shape::Document => {
            reader.declaration()?;
            reader.aside()?;
            reader.document_type()?;
            reader.aside()?;
            reader.nodes.clear();
            reader.start_tag(MOST_DEPTH)?;
            reader.content(MOST_DEPTH, |reader| reader.open.is_empty())?;
            let nodes = std::mem::take(&mut reader.nodes);
            reader.aside()?;
            reader.rest.is_empty().then_some(())?;
            reader.nodes = nodes;
        }
    }
    Some(reader.nodes)
}

struct Reader<'a> {
    rest: &'a str,
    nodes: Vec<Node<'a>>,
    /// The names of the open elements as written.
    open: Vec<&'a str>,
    namespaces: Namespaces<'a>,
    /// Values of `xml:id`, which must differ.
    ids: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    /// Reads text and markup until `ends`. An end tag without its element is not well-formed, nor is the reverse.
    fn content(&mut self, most_depth: usize, ends: impl Fn(&Self) -> bool) -> Option<()> {
        while !ends(self) {
            let text = self.until(memchr::memchr2(b'<', b'&', self.rest.as_bytes()).unwrap_or(self.rest.len()))?;
            if memchr::memmem::find(text.as_bytes(), b"]]>").is_some() {
                return None;
            }
            if self.rest.is_empty() {
                return ends(self).then_some(());
            }
            // A bare ampersand is no markup: well-formed texts have none once their entities are gone.
            self.markup(most_depth)?;
        }
        Some(())
    }

    /// Reads one piece of markup.
    fn markup(&mut self, most_depth: usize) -> Option<()> {
        let inside = self.rest.strip_prefix('<')?;
        match inside.as_bytes().first()? {
            b'/' => self.end_tag(),
            b'!' if inside.starts_with("!--") => self.comment(),
            b'!' => self.character_data(),
            b'?' => self.instruction(),
            _ => self.start_tag(most_depth),
        }
    }

    fn start_tag(&mut self, most_depth: usize) -> Option<()> {
        self.take("<")?;
        let (written, name) = self.qualified_name()?;
        self.namespaces.open(self.open.len());
        let mut attributes: Vec<QName<'a>> = Vec::new();
        let empty = loop {
            let blank = self.blanks();
            if self.take("/>").is_some() {
                break true;
            }
            if self.take(">").is_some() {
                break false;
            }
            // Blanks part attributes.
            blank.then_some(())?;
            let (_, attribute) = self.qualified_name()?;
            self.equals()?;
            let value = self.quoted()?;
            if value.contains(['<', '&']) {
                return None;
            }
            if self.namespaces.declare(attribute, value)? {
                continue;
            }
            if attribute == QName::XML_ID {
                let unique = is_plain_name(value) && !self.ids.contains(&value);
                unique.then(|| self.ids.push(value))?;
            }
            attributes.push(attribute);
        };
        self.namespaces.all_differ(&attributes)?;
        let name = self.namespaces.element(name)?;
        (self.open.len() < most_depth).then_some(())?;
        self.nodes.push(Node::Element(name));
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
        self.blanks();
        self.take(">")?;
        self.namespaces.close(self.open.len());
        Some(())
    }

    fn comment(&mut self) -> Option<()> {
        self.take("<!--")?;
        self.until(self.rest.find("--")?)?;
        self.take("-->")?;
        self.nodes.push(Node::Comment);
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
            self.blanks().then_some(())?;
            self.until(self.rest.find("?>")?)?;
            self.take("?>")?;
        }
        self.nodes.push(Node::Instruction);
        Some(())
    }

    /// The declaration that a document may begin with. One with an encoding is refused: the text has been decoded.
    fn declaration(&mut self) -> Option<()> {
        let declared = self.rest.strip_prefix("<?xml").is_some_and(|after| after.starts_with(is_blank));
        if !declared {
            return Some(());
        }
        self.take("<?xml")?;
        self.blanks();
        self.take("version")?;
        self.equals()?;
        let minor = self.quoted()?.strip_prefix("1.")?;
        minor.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
        if self.blanks() && self.take("standalone").is_some() {
            self.equals()?;
            matches!(self.quoted()?, "yes" | "no").then_some(())?;
            self.blanks();
        }
        self.take("?>")
    }

    fn document_type(&mut self) -> Option<()> {
        if self.take("<!DOCTYPE").is_none() {
            return Some(());
        }
        self.blanks().then_some(())?;
        self.name()?;
        if self.blanks() {
            if self.take("SYSTEM").is_some() {
                self.blanks().then_some(())?;
                self.quoted()?;
            } else if self.take("PUBLIC").is_some() {
                self.blanks().then_some(())?;
                let allowed = |char: char| char.is_ascii_alphanumeric() || " \r\n-'()+,./:=?;!*#@$_%".contains(char);
                self.quoted()?.chars().all(allowed).then_some(())?;
                self.blanks().then_some(())?;
                self.quoted()?;
            }
            self.blanks();
        }
        self.take(">")
    }

    /// Comments, processing instructions and blanks beside a document's element.
    fn aside(&mut self) -> Option<()> {
        loop {
            self.blanks();
            if self.rest.starts_with("<!--") {
                self.comment()?;
            } else if self.rest.starts_with("<?") {
                self.instruction()?;
            } else {
                return Some(());
            }
        }
    }

    /// A name with at most one colon in it, as written and in its parts.
    fn qualified_name(&mut self) -> Option<(&'a str, QName<'a>)> {
        let written = self.rest;
        let first = self.name()?;
        let name = match self.take(":") {
            Some(()) => QName { prefix: first, local: self.name()? },
            None => QName { prefix: "", local: first },
        };
        let written = written.get(..written.len() - self.rest.len())?;
        (!self.rest.starts_with(':')).then_some((written, name))
    }

    /// A name without a colon.
    fn name(&mut self) -> Option<&'a str> {
        self.rest.starts_with(starts_name).then_some(())?;
        self.until(self.rest.find(|char| !continues_name(char)).unwrap_or(self.rest.len()))
    }

    fn equals(&mut self) -> Option<()> {
        self.blanks();
        self.take("=")?;
        self.blanks();
        Some(())
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let quote = self.rest.chars().next().filter(|char| matches!(char, '"' | '\''))?;
        self.until(1)?;
        let value = self.until(self.rest.find(quote)?)?;
        self.until(1)?;
        Some(value)
    }

    /// Skips blanks and tells whether there were some.
    fn blanks(&mut self) -> bool {
        let after = self.rest.trim_start_matches(is_blank);
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
        self.rest = rest;
        Some(text)
    }
}

fn is_plain_name(text: &str) -> bool {
    text.starts_with(starts_name) && text.chars().all(continues_name)
}

fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\r' | '\n')
}

/// What XML allows in a text at all.
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
