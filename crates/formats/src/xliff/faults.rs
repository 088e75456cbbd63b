//! Faults of files that parse (`docs/spec/formats.md#faults-of-xliff-and-ts-files`).

use std::borrow::Cow;

use super::inline::{Inline, Whitespace};
use super::{child, context};
use crate::error::SyntaxError;
use crate::fault::{FaultKind, FaultList, InvalidPart, Names};
use crate::xml::{self, Element, XmlChild};
use gitglot_model::{SeededSet, Shape};

/// Adds the faults of a file of XLIFF 1: units with the id, or the context and source, of a unit before them.
pub(crate) fn faults(text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    let (mut ids, mut keys) = (Ids::default(), Names::default());
    xml::parse(text, &["file", "body", "group"], &mut |outer, unit| {
        let XmlChild::Element(unit) = unit else {
            return Ok(());
        };
        let source = child(&unit, "source").filter(|_| unit.local_name() == "trans-unit");
        let (Some(file), Some(source)) = (file_of(outer), source) else {
            return Ok(());
        };
        let original = file.attribute("original").unwrap_or_default();
        let whitespace = Whitespace::of(&unit).unwrap_or(Whitespace::Collapsed);
        let (source, _) = Inline::text(source, whitespace)?;
        let key = Shape::bilingual_key(&context(&unit, original), &source);
        let id = unit.attribute("id").unwrap_or_default().to_owned();
        let target = child(&unit, "target").map(|target| Inline::text(target, whitespace));
        let target = target
            .transpose()?
            .map(|(text, _)| compared(&text).into_owned());
        let again = ids.add(
            (file.offset, id),
            unit.attribute("resname"),
            unit.offset,
            target.clone(),
        );
        let same = keys.add(key.clone(), unit.offset, target);
        list.push(&key, unit.offset, same.or(again));
        Ok(())
    })?;
    Ok(())
}

/// The ids of the units of each file, and the names of those that have one.
#[derive(Default)]
struct Ids<V> {
    ids: Names<FileId, V>,
    named: SeededSet<(FileId, String)>,
}

/// The offset of a file, and an id in it.
type FileId = (usize, String);

impl<V: PartialEq> Ids<V> {
    /// Adds a unit. Returns the fault if its id occurred before. Programs such as Symfony identify units by their names.
    fn add(&mut self, id: FileId, name: Option<&str>, at: usize, value: V) -> Option<FaultKind> {
        let is_new_name = name.is_some_and(|name| self.named.insert((id.clone(), name.to_owned())));
        let shown = id.1.clone();
        match self.ids.add(id, at, value)? {
            FaultKind::Duplicate {
                is_equal: false, ..
            } if is_new_name => Some(FaultKind::Invalid {
                part: InvalidPart::Id,
                problem: format!(
                    "A unit with a different name has the id '{shown}', too: change one of them."
                ),
            }),
            kind => Some(kind),
        }
    }
}

/// A text to compare with another one: of inline elements only the names and ids count, and spaces next to them do not.
fn compared(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return text.into();
    }
    let mut compared = String::with_capacity(text.len());
    let mut parts = text.split('<');
    compared.extend(parts.next().into_iter().flat_map(str::split_whitespace));
    for part in parts {
        let (tag, after) = part.split_once('>').unwrap_or((part, ""));
        let mut attributes = tag.split_whitespace();
        let name = attributes.next().unwrap_or_default();
        let id = attributes.find(|attribute| attribute.starts_with("id="));
        compared.extend(["<", name, id.unwrap_or_default().trim_end_matches('/'), ">"]);
        compared.extend(after.split_whitespace());
    }
    compared.into()
}

/// Whether two texts of XLIFF differ at most in spaces next to inline elements and in attributes of these other than `id`:
/// tools that extract the texts again change them (`docs/spec/units.md#missing-strings`).
pub fn is_same_xliff_text(one: &str, other: &str) -> bool {
    one == other || compared(one) == compared(other)
}

/// Adds the faults of a file of XLIFF 2: units with the id of a unit before them, and translations without a language.
pub(crate) fn faults_2(text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    let mut ids = Ids::default();
    let mut has_target = false;
    let root = xml::parse(text, &["file", "group"], &mut |outer, unit| {
        let XmlChild::Element(unit) = unit else {
            return Ok(());
        };
        if let Some(file) = file_of(outer).filter(|_| unit.local_name() == "unit") {
            let id = unit.attribute("id").unwrap_or_default().to_owned();
            let name = unit.attribute("name");
            let again = ids.add((file.offset, id.clone()), name, unit.offset, unit.offset);
            list.push(&id, unit.offset, again);
            let mut segments = unit.elements();
            has_target |= segments.any(|segment| child(segment, "target").is_some());
        }
        Ok(())
    })?;
    if has_target && root.attribute("trgLang").is_none_or(str::is_empty) {
        let problem =
            "The file has translations, but its root element has no language: add trgLang.";
        list.invalid("", root.offset, InvalidPart::Header, problem);
    }
    Ok(())
}

/// The `file` element around a unit.
fn file_of<'e, 't>(outer: &'e [Element<'t>]) -> Option<&'e Element<'t>> {
    outer.iter().rfind(|element| element.local_name() == "file")
}
