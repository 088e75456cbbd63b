//! Faults of files that parse (`docs/spec/formats.md#faults-of-xliff-and-ts-files`).

use super::inline::{Inline, Whitespace};
use super::{child, context};
use crate::error::SyntaxError;
use crate::fault::{FaultList, InvalidPart, Names};
use crate::xml::{self, Element, XmlChild};
use gitglot_model::Shape;

/// Adds the faults of a file of XLIFF 1: units with the id, or the context and source, of a unit before them.
pub(crate) fn faults(text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    let (mut ids, mut keys) = (Names::default(), Names::default());
    xml::parse_inside(text, &["file", "body", "group"], &mut |outer, unit| {
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
        let target = child(&unit, "target").map(|it| Inline::text(it, whitespace));
        let target = target.transpose()?.map(|(text, _)| compared(text));
        let again = ids.add((file.offset, id), unit.offset, target.clone());
        let same = keys.add(key.clone(), unit.offset, target);
        if let Some(kind) = again.or(same) {
            list.push(&key, unit.offset, kind);
        }
        Ok(())
    })?;
    Ok(())
}

/// A text to compare with another one: of inline elements only the names and ids count, and spaces next to them do not.
fn compared(text: String) -> String {
    if !text.contains('<') {
        return text;
    }
    let mut compared = String::with_capacity(text.len());
    let mut parts = text.split('<');
    compared.extend(parts.next().into_iter().flat_map(str::split_whitespace));
    for part in parts {
        let (tag, after) = part.split_once('>').unwrap_or((part, ""));
        let mut attributes = tag.split_whitespace();
        let name = attributes.next().unwrap_or_default();
        let id = attributes.find(|it| it.starts_with("id="));
        compared.extend(["<", name, id.unwrap_or_default().trim_end_matches('/'), ">"]);
        compared.extend(after.split_whitespace());
    }
    compared
}

/// Adds the faults of a file of XLIFF 2: units with the id of a unit before them, and translations without a language.
pub(crate) fn faults_2(text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    let mut ids = Names::default();
    let mut has_target = false;
    let root = xml::parse_inside(text, &["file", "group"], &mut |outer, unit| {
        let XmlChild::Element(unit) = unit else {
            return Ok(());
        };
        if let Some(file) = file_of(outer).filter(|_| unit.local_name() == "unit") {
            let id = unit.attribute("id").unwrap_or_default().to_owned();
            if let Some(kind) = ids.add((file.offset, id.clone()), unit.offset, unit.offset) {
                list.push(&id, unit.offset, kind);
            }
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
    outer.iter().rfind(|it| it.local_name() == "file")
}
