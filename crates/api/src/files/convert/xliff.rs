//! Units as XLIFF.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::exported_unit::{ExportedUnit, WorkFields};
use crate::encode::xml::{escaped, valid};
use gitglot_catalog::{TranslationView, UnitView};
use gitglot_model::language::tag;
use gitglot_model::{PLURAL_SEPARATOR, checksum};

/// Writes an XLIFF 1.1 file. A file for work has locations and earlier sources, and codes of languages as its schema wants
/// them.
pub(super) fn file<'a>(
    of: TranslationView<'_>,
    mut units: impl Iterator<Item = UnitView<'a>>,
    is_for_work: bool,
) -> io::Result<Vec<u8>> {
    let codes = [
        &*of.component.project.source_language,
        &*of.translation.language.code,
    ];
    let codes = codes.map(|code| {
        if is_for_work {
            tag(code).unwrap_or_else(|| "und".to_owned())
        } else {
            code.to_owned()
        }
    });
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let mut locations = 0;
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer
        .create_element("xliff")
        .with_attributes([
            ("xmlns", "urn:oasis:names:tc:xliff:document:1.1"),
            ("version", "1.1"),
        ])
        .write_inner_content(|writer| {
            let attributes = [
                ("original", "NoName"),
                ("source-language", &*codes[0]),
                ("datatype", "plaintext"),
                ("target-language", &*codes[1]),
            ];
            writer
                .create_element("file")
                .with_attributes(attributes)
                .write_inner_content(|writer| {
                    writer
                        .create_element("body")
                        .write_inner_content(|writer| {
                            units.try_for_each(|view| {
                                let work = is_for_work.then(|| WorkFields::of(view));
                                unit(writer, view, work.as_ref(), &mut locations)
                            })
                        })?;
                    Ok(())
                })?;
            Ok(())
        })?;
    let mut out = writer.into_inner();
    out.push(b'\n');
    Ok(out)
}

/// Writes a unit; `locations` counts those of the file. A plural is a group with a unit per form, as the XLIFF
/// representation of gettext files has it.
fn unit(
    writer: &mut Writer<Vec<u8>>,
    view: UnitView<'_>,
    work: Option<&WorkFields<'_>>,
    locations: &mut u32,
) -> io::Result<()> {
    let text = ExportedUnit::of(view);
    // Strings of bilingual files can have the same context.
    let is_unique = view.component.component.file_format.shape().has_template();
    let id = match text.context {
        context if !context.is_empty() && (is_unique || work.is_none()) => valid(context),
        _ => checksum(view.source.id_hash).into(),
    };
    let name = (!is_unique && work.is_some() && !text.context.is_empty()).then_some(text.context);
    let places = work.map_or(&[][..], |work| &work.locations);
    let previous = |form: usize| {
        let forms = &work?.previous;
        forms.get(form).or(forms.last()).copied()
    };
    if !view.unit.plural() {
        let parts = UnitParts {
            id: &id,
            source: text.source,
            target: &text.target,
            comment: &text.comment,
            name,
            locations: places,
            previous: previous(0),
        };
        return trans_unit(writer, view, &parts, locations);
    }
    let mut sources = text.source.split(PLURAL_SEPARATOR);
    let mut source = sources.next().unwrap_or_default();
    let group = writer
        .create_element("group")
        .with_attributes([("restype", "x-gettext-plurals"), ("id", &*id)]);
    group.write_inner_content(|writer| {
        for (form, target) in text.target.split(PLURAL_SEPARATOR).enumerate() {
            // Further forms have the last source.
            source = match form {
                0 => source,
                _ => sources.next().unwrap_or(source),
            };
            let parts = UnitParts {
                id: &format!("{id}[{form}]"),
                source,
                target,
                comment: &text.comment,
                name,
                locations: places,
                previous: previous(form),
            };
            trans_unit(writer, view, &parts, locations)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// A text without plural forms, or one of its forms.
struct UnitParts<'a> {
    id: &'a str,
    /// The context, if it is not the id.
    name: Option<&'a str>,
    source: &'a str,
    target: &'a str,
    comment: &'a str,
    locations: &'a [&'a str],
    /// The source that a stale translation was written for.
    previous: Option<&'a str>,
}

fn trans_unit(
    writer: &mut Writer<Vec<u8>>,
    view: UnitView<'_>,
    parts: &UnitParts<'_>,
    locations: &mut u32,
) -> io::Result<()> {
    let mut element = writer
        .create_element("trans-unit")
        .with_attribute(("xml:space", "preserve"));
    if view.unit.translated() {
        element = element.with_attribute(("approved", "yes"));
    }
    let name = parts.name.map(valid);
    let name = name.as_deref().map(|name| ("resname", name));
    element
        .with_attribute(("id", parts.id))
        .with_attributes(name)
        .write_inner_content(|writer| {
            text_element(writer, "source", parts.source)?;
            let mut target = writer.create_element("target");
            if view.unit.translated() {
                target = target.with_attribute(("state", "translated"));
            } else if view.unit.fuzzy() {
                target = target.with_attribute(("state", "needs-translation"));
            }
            target.write_text_content(escaped(parts.target))?;
            for at in parts.locations {
                *locations += 1;
                location(writer, at, *locations)?;
            }
            if !parts.comment.is_empty() {
                let note = writer
                    .create_element("note")
                    .with_attribute(("from", "developer"));
                note.write_text_content(escaped(parts.comment))?;
            }
            // The translation belongs to the earlier source.
            if let Some(previous) = parts.previous {
                let pair = writer
                    .create_element("alt-trans")
                    .with_attribute(("origin", "previous-source"));
                pair.write_inner_content(|writer| {
                    text_element(writer, "source", previous)?;
                    text_element(writer, "target", parts.target)
                })?;
            }
            Ok(())
        })?;
    Ok(())
}

fn text_element(writer: &mut Writer<Vec<u8>>, name: &str, text: &str) -> io::Result<()> {
    writer
        .create_element(name)
        .write_text_content(escaped(text))?;
    Ok(())
}

/// Writes where a text is used: a file, and a line if it has one. Groups have different names, here their number.
fn location(writer: &mut Writer<Vec<u8>>, text: &str, number: u32) -> io::Result<()> {
    let is_number = |line: &str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) if is_number(line) => (file, Some(line)),
        _ => (text, None),
    };
    let group = writer.create_element("context-group").with_attributes([
        ("name", &*format!("location-{number}")),
        ("purpose", "location"),
    ]);
    group.write_inner_content(|writer| {
        let contexts = [("sourcefile", Some(file)), ("linenumber", line)];
        for (kind, text) in contexts {
            if let Some(text) = text {
                let context = writer
                    .create_element("context")
                    .with_attribute(("context-type", kind));
                context.write_text_content(escaped(text))?;
            }
        }
        Ok(())
    })?;
    Ok(())
}
