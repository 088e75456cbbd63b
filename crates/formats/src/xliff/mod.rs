//! The formats `xliff` and `xliff2` (`docs/spec/formats.md#xliff`).

mod faults;
mod inline;
#[cfg(test)]
mod tests;

use super::entry::{BilingualFields, RawEntry, Revised};
use super::entry_list::EntryList;
use super::error::{ReadErrorKind, SyntaxError};
use super::xml::Element;
use super::xml_reader::XmlFormat;
pub use faults::is_same_xliff_text;
pub(super) use faults::{faults, faults_2};
use inline::{Inline, Whitespace, plain_text};

/// Those of them of a target that nobody translated, often a copy of the source.
const NEW_STATES: [&str; 2] = ["new", "needs-translation"];

/// States of a target that needs work.
const FUZZY_STATES: [&str; 4] = ["new", "needs-translation", "needs-adaptation", "needs-l10n"];

/// XLIFF 1.
pub(super) struct Xliff;

impl XmlFormat for Xliff {
    const CONTAINERS: &'static [&'static str] = &["file", "body", "group"];
    const UNIT: &'static str = "trans-unit";

    /// The file.
    fn surroundings(outer: &[Element<'_>]) -> String {
        let file = outer.iter().rfind(|element| element.local_name() == "file");
        let original = file.and_then(|file| file.attribute("original"));
        original.unwrap_or_default().to_owned()
    }

    /// Adds the entry of a `trans-unit`, if it has a text that may be translated.
    fn add(unit: &Element<'_>, original: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        let (source, target) = (child(unit, "source"), child(unit, "target"));
        let Some(source) = source.filter(|_| unit.attribute("translate") != Some("no")) else {
            return Ok(());
        };
        let whitespace = Whitespace::of(unit).unwrap_or(Whitespace::Collapsed);
        let text_of = |element: &Element| Inline::text(element, whitespace);
        let (source_text, source_has_text) = text_of(source)?;
        let (text, has_text) = target.map_or(Ok(Default::default()), text_of)?;
        if !source_has_text && !has_text {
            return Ok(());
        }
        let state = target.and_then(|target| target.attribute("state"));
        let fuzzy = !text.is_empty() && state.is_some_and(|state| FUZZY_STATES.contains(&state));
        let fields = BilingualFields {
            source: &source_text,
            flags: &max_length(unit),
            fuzzy,
            revised: match state {
                Some(state) if fuzzy && NEW_STATES.contains(&state) => Revised::Untranslated,
                _ => Revised::Same,
            },
            ..BilingualFields::default()
        };
        list.push(RawEntry {
            note: &notes(unit, whitespace),
            translated: !text.is_empty() && !fuzzy,
            bilingual: Some(&fields),
            ..RawEntry::new(&context(unit, original), &text, unit.offset)
        });
        Ok(())
    }

    fn require_root(root: &Element<'_>) -> Result<(), SyntaxError> {
        require_version(root, "1")
    }
}

/// XLIFF 2.
pub(super) struct Xliff2;

impl XmlFormat for Xliff2 {
    const CONTAINERS: &'static [&'static str] = &["file", "group"];
    const UNIT: &'static str = "unit";

    /// Adds an entry for each segment of a unit.
    fn add(unit: &Element<'_>, _: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        let is_segment = |element: &&Element| {
            element.local_name() == "segment" && element.namespace == unit.namespace
        };
        let segments: Vec<&Element> = unit.elements().filter(is_segment).collect();
        let id = unit.attribute("id").unwrap_or_default();
        for (&segment, number) in segments.iter().zip(1..) {
            let Some(source) = child(segment, "source") else {
                continue;
            };
            let context = match (segments.len(), segment.attribute("id")) {
                (1, _) => id.to_owned(),
                (_, Some(segment)) => format!("{id}::{segment}"),
                (_, None) => format!("{id}::segment-{number}"),
            };
            let source = Inline::plain_markup(source)?;
            let target = child(segment, "target");
            let text = target.map_or(Ok(String::new()), Inline::plain_markup)?;
            let fields = BilingualFields {
                source: &source,
                ..BilingualFields::default()
            };
            list.push(RawEntry {
                bilingual: Some(&fields),
                ..RawEntry::new(&context, &text, segment.offset)
            });
            list.check_size()?;
        }
        Ok(())
    }

    fn require_root(root: &Element<'_>) -> Result<(), SyntaxError> {
        require_version(root, "2")
    }
}

/// Checks the root element and its version, which begins with a number.
fn require_version(root: &Element, version: &str) -> Result<(), SyntaxError> {
    if root.local_name() != "xliff" {
        let expected = "the root element <xliff>";
        return Err(ReadErrorKind::Structure { expected }.at(root.offset));
    }
    let declared = root.attribute("version").unwrap_or(version);
    if declared.split('.').next() == Some(version) {
        return Ok(());
    }
    let other = if declared.starts_with('2') {
        "xliff2"
    } else {
        "xliff"
    };
    let message = format!(
        "expected XLIFF {version}, found version {declared}; set file_format to {other} for such files"
    );
    Err(ReadErrorKind::ReadByOthers(message.into()).at(root.offset))
}

/// The first child of the format with a name.
fn child<'e, 't>(unit: &'e Element<'t>, name: &str) -> Option<&'e Element<'t>> {
    unit.elements()
        .find(|child| child.local_name() == name && child.namespace == unit.namespace)
}

/// `resname`, else the file and the id.
fn context(unit: &Element, original: &str) -> String {
    let name = unit.attribute("resname").filter(|name| !name.is_empty());
    let id = unit.attribute("id").unwrap_or_default();
    match (name, original) {
        (Some(name), _) => name.to_owned(),
        (None, "") => id.to_owned(),
        (None, original) => [original, id].join("///"),
    }
}

/// The flag of a limited length.
fn max_length(unit: &Element) -> String {
    let width = unit.attribute("maxwidth").map(str::trim);
    match width.and_then(|width| width.parse::<u32>().ok()) {
        Some(width) => format!("max-length:{width}"),
        None => String::new(),
    }
}

/// The notes inside of a unit, each on lines of its own.
fn notes(unit: &Element, whitespace: Whitespace) -> String {
    let mut found = Vec::new();
    add_notes(unit, whitespace, &mut found);
    found.join("\n")
}

fn add_notes(element: &Element, whitespace: Whitespace, found: &mut Vec<String>) {
    for child in element.elements() {
        if child.local_name() == "note" {
            let note = plain_text(child, Whitespace::of(child).unwrap_or(whitespace));
            found.extend(Some(note).filter(|note| !note.is_empty()));
        } else {
            add_notes(child, whitespace, found);
        }
    }
}
