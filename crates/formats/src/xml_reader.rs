//! The reader of bilingual formats that are written in XML: an element, the unit, has one source text and its translation.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::marker::PhantomData;

use super::entry_list::EntryList;
use super::error::{ReadError, SyntaxError};
use super::incremental::{Block, BlockKind, Boundaries, Comparison, Place, Scope, Scopes, Version};
use super::version_reader::BlockFormat;
use super::xml::{self, Element, Visitor, XmlChild, declared_prefix};
use super::xml_encoding;

/// A format of units.
pub(super) trait XmlFormat: Send + Sync {
    /// The elements that can contain units.
    const CONTAINERS: &'static [&'static str];
    /// The name of units.
    const UNIT: &'static str;

    /// Whether an element of that local name is a unit.
    fn is_unit(element: &Element<'_>, root: &Element<'_>) -> bool {
        element.namespace == root.namespace
    }

    /// What units in these elements have in their context.
    fn surroundings(_outer: &[Element<'_>]) -> String {
        String::new()
    }

    /// What units after another child of their container have in their context instead.
    fn new_surroundings(_child: &Element<'_>) -> Option<String> {
        None
    }

    /// The length of the start of a unit on which only its locations depend, given the text from its start tag on.
    fn head(_text: &str) -> usize {
        0
    }

    /// Adds the entries of a unit.
    fn add(unit: &Element<'_>, surroundings: &str, list: &mut EntryList)
    -> Result<(), SyntaxError>;

    /// Checks the root element.
    fn require_root(root: &Element<'_>) -> Result<(), SyntaxError>;
}

/// Calls `found` with each unit of a text and its surroundings. Returns the root element.
///
/// # Errors
/// As of [`xml::parse`].
pub(super) fn units<'t, F: XmlFormat>(
    text: &'t str,
    found: &mut dyn FnMut(&Element<'t>, &str) -> Result<(), SyntaxError>,
) -> Result<Element<'t>, SyntaxError> {
    let mut place = Surroundings::default();
    xml::parse(text, F::CONTAINERS, &mut |outer, child| {
        let ([root, ..], XmlChild::Element(child)) = (outer, child) else {
            return Ok(());
        };
        place.enter::<F>(outer);
        if place.is_unit::<F>(&child, root) {
            found(&child, &place.text)
        } else {
            Ok(())
        }
    })
}

/// Adds the entries of a text.
#[cfg(test)]
pub(super) fn parse<F: XmlFormat>(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let root = units::<F>(text, &mut |unit, surroundings| {
        F::add(unit, surroundings, list)
    })?;
    F::require_root(&root)
}

/// The elements around a unit.
#[derive(Default)]
struct Surroundings {
    /// Where the innermost one begins.
    parent: Option<usize>,
    text: String,
    /// Whether they changed since their scope was determined.
    are_new: bool,
}

impl Surroundings {
    /// Notes the elements around the next child.
    fn enter<F: XmlFormat>(&mut self, outer: &[Element<'_>]) {
        let parent = outer.last().map(|parent| parent.offset);
        if self.parent != parent {
            self.parent = parent;
            self.text = F::surroundings(outer);
            self.are_new = true;
        }
    }

    /// Whether a child is a unit. Others can change the surroundings.
    fn is_unit<F: XmlFormat>(&mut self, child: &Element<'_>, root: &Element<'_>) -> bool {
        if child.local_name() == F::UNIT {
            return F::is_unit(child, root);
        }
        if let Some(text) = F::new_surroundings(child) {
            self.text = text;
            self.are_new = true;
        }
        false
    }
}

impl<F: XmlFormat> BlockFormat for F {
    fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
        xml_encoding::decode(bytes)
    }

    fn read(
        &self,
        text: &str,
        comparison: &mut Comparison<'_>,
        scopes: &mut Scopes,
    ) -> Result<bool, SyntaxError> {
        let mut units = Units::<F> {
            comparison,
            boundaries: UnitBoundaries(text),
            text,
            scopes,
            surroundings: Surroundings::default(),
            // A declared entity changes the meaning of texts.
            has_one_entry_each: !text.contains("<!ENTITY"),
            format: PhantomData,
        };
        if !text.is_empty() {
            let root = xml::visit(text, F::CONTAINERS, &mut units)?;
            F::require_root(&root)?;
        }
        Ok(units.has_one_entry_each)
    }
}

/// The units of a text while it is read.
struct Units<'a, 'c, F> {
    comparison: &'a mut Comparison<'c>,
    boundaries: UnitBoundaries<'a>,
    text: &'a str,
    scopes: &'a mut Scopes,
    surroundings: Surroundings,
    /// Whether each unit has at most one entry, and all have blocks.
    has_one_entry_each: bool,
    format: PhantomData<F>,
}

impl<F: XmlFormat> Units<'_, '_, F> {
    /// The number of what the units in these elements depend on.
    fn set_scope(&mut self, outer: &[Element<'_>]) {
        if !std::mem::take(&mut self.surroundings.are_new) {
            return;
        }
        let mut key = self.surroundings.text.clone();
        for element in outer {
            let _ = write!(key, "\0{}", element.name);
            for (name, value) in &element.attributes {
                if declared_prefix(name).is_some() {
                    let _ = write!(key, "\0{name}\0{value}");
                }
            }
        }
        let scope = Scope::new(self.scopes.len());
        let scope = *self.scopes.entry(key).or_insert(scope);
        self.comparison.version.scope = Some(scope);
    }

    /// Adds the entries and the block of a unit.
    fn add(&mut self, unit: &Element<'_>, end: usize) -> Result<(), SyntaxError> {
        let Version {
            list,
            blocks,
            scope,
            ..
        } = &mut self.comparison.version;
        let before = list.len();
        F::add(unit, &self.surroundings.text, list)?;
        let start = unit.offset;
        let content = start + F::head(self.text.get(start..end).unwrap_or_default());
        let mut block = Block::new(self.text, start, content, end);
        block.scope = *scope;
        let previous = blocks.last().map_or(0, |block| block.end as usize);
        block.is_adjacent = self.boundaries.are_adjacent(previous, start);
        match (list.len() - before, list.last_identity()) {
            (0, _) => {}
            (1, Some((source, context))) => {
                block.kind = BlockKind::Text;
                block.identify(source, context);
            }
            _ => self.has_one_entry_each = false,
        }
        blocks.push(block);
        list.check_size()
    }
}

impl<'t, F: XmlFormat> Visitor<'t> for Units<'_, '_, F> {
    fn child(
        &mut self,
        outer: &[Element<'t>],
        child: XmlChild<'t>,
        end: usize,
    ) -> Result<(), SyntaxError> {
        let ([root, ..], XmlChild::Element(child)) = (outer, child) else {
            return Ok(());
        };
        self.surroundings.enter::<F>(outer);
        if self.surroundings.is_unit::<F>(&child, root) {
            self.set_scope(outer);
            self.add(&child, end)?;
        }
        Ok(())
    }

    fn skip(&mut self, outer: &[Element<'t>], start: usize) -> Option<usize> {
        let rest = self.text.get(start..)?;
        let after = rest.strip_prefix('<')?.strip_prefix(F::UNIT)?;
        if !self.comparison.has_entries() || !after.starts_with(['>', ' ', '\n', '\t', '\r']) {
            return None;
        }
        self.surroundings.enter::<F>(outer);
        self.set_scope(outer);
        let content = start + F::head(rest);
        self.comparison
            .reuse(Place { start, content }, &self.boundaries)
    }
}

/// The bytes around units.
struct UnitBoundaries<'t>(&'t str);

impl Boundaries for UnitBoundaries<'_> {
    /// A head has the start tag, and locations.
    fn have_same_meaning(&self, old_head: &[u8], new_head: &[u8]) -> bool {
        fn tag(head: &[u8]) -> Option<&[u8]> {
            let end = memchr::memchr(b'>', head)?;
            head.get(..=end)
        }
        tag(old_head) == tag(new_head)
    }

    /// The same bytes from the start of an element to its end are a whole element.
    fn ends_at(&self, _: usize) -> bool {
        true
    }

    fn are_adjacent(&self, end: usize, start: usize) -> bool {
        let between = self.0.get(end..start).unwrap_or_default();
        between.trim_ascii().is_empty()
    }
}
