//! The reader of bilingual formats that are written in XML: an element, the unit, has one source text and its translation.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::marker::PhantomData;

use super::entry::{EntrySink, Part, PartSink};
use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::format_reader::{FormatReader, ReadResult};
use super::incremental::{
    Block, BlockKind, Boundaries, Comparison, Place, Scope, Scopes, Version, are_ambiguous,
};
use super::input::{BYTE_ORDER_MARK, located};
use super::offsets::FileOffsets;
use super::outline::Outline;
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

/// The reader of a format.
pub(super) struct XmlReader<F>(pub(super) F);

impl<F: XmlFormat> FormatReader for XmlReader<F> {
    fn read(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        read::<F>(bytes, &mut Outline::default(), sink)
    }

    fn reparse(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: PartSink<'_>,
    ) -> ReadResult {
        match reparse::<F>(old, outline, new) {
            Some(version) => {
                version.emit(sink);
                outline.blocks = version.blocks;
                Ok(())
            }
            None => read::<F>(new, outline, &mut |entry| sink(Part::Entry(entry))),
        }
    }
}

/// As [`FormatReader::read`]; sets the outline.
fn read<F: XmlFormat>(bytes: &[u8], outline: &mut Outline, sink: EntrySink<'_>) -> ReadResult {
    let decoded = xml_encoding::decode(bytes)?;
    let text = decoded.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&decoded);
    let mut units = Units::<F>::new(Comparison::new(b"", &[], text), text, Scopes::default());
    let read = units.read();
    let mut version = units.comparison.version;
    let checked = read.and_then(|()| version.list.check_size());
    checked.map_err(|error| located(text, error))?;
    version.list.set_offsets(FileOffsets::new(bytes, text));
    // The next version can only be compared with bytes of the file.
    let is_comparable = matches!(decoded, Cow::Borrowed(_))
        && units.has_one_entry_each
        && !are_ambiguous(&version.blocks);
    *outline = Outline::default();
    if is_comparable {
        outline.blocks = version.blocks;
        outline.scopes = units.scopes;
    }
    version.list.emit(sink);
    Ok(())
}

/// Parses `new` against `old` with its outline. Returns `None` if a full parse is necessary.
fn reparse<F: XmlFormat>(old: &[u8], outline: &mut Outline, new: &[u8]) -> Option<Version> {
    if outline.blocks.is_empty() {
        return None;
    }
    let Cow::Borrowed(text) = xml_encoding::decode(new).ok()? else {
        return None;
    };
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let scopes = outline.scopes.clone();
    let comparison = Comparison::new(old, &outline.blocks, text);
    let mut units = Units::<F>::new(comparison, text, scopes);
    units.read().ok()?;
    let version = units.comparison.version;
    // Scopes of old versions stay, until they are too many.
    let has_few_scopes = units.scopes.len() <= 2 * version.blocks.len();
    if !units.has_one_entry_each || !has_few_scopes {
        return None;
    }
    let version = version.completed(new, text)?;
    outline.scopes = units.scopes;
    Some(version)
}

/// The units of a text while it is read.
struct Units<'a, F> {
    comparison: Comparison<'a>,
    boundaries: UnitBoundaries<'a>,
    text: &'a str,
    scopes: Scopes,
    surroundings: Surroundings,
    /// Whether each unit has at most one entry, and all have blocks.
    has_one_entry_each: bool,
    format: PhantomData<F>,
}

impl<'a, F: XmlFormat> Units<'a, F> {
    fn new(comparison: Comparison<'a>, text: &'a str, scopes: Scopes) -> Self {
        Self {
            comparison,
            boundaries: UnitBoundaries(text),
            text,
            scopes,
            surroundings: Surroundings::default(),
            // A declared entity changes the meaning of texts.
            has_one_entry_each: !text.contains("<!ENTITY"),
            format: PhantomData,
        }
    }

    /// Reads the whole text.
    fn read(&mut self) -> Result<(), SyntaxError> {
        if self.text.is_empty() {
            return Ok(());
        }
        let root = xml::visit(self.text, F::CONTAINERS, self)?;
        F::require_root(&root)
    }

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

impl<'t, F: XmlFormat> Visitor<'t> for Units<'_, F> {
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
