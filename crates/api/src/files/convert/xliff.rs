//! Units as XLIFF.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::exported_unit::ExportedUnit;
use crate::encode::xml::{escaped, valid};
use gitglot_catalog::{TranslationView, UnitView};
use gitglot_model::{PLURAL_SEPARATOR, checksum};

/// Writes an XLIFF 1.1 file.
pub(super) fn file<'a>(
    of: TranslationView<'_>,
    mut units: impl Iterator<Item = UnitView<'a>>,
) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
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
                ("source-language", &*of.component.project.source_language),
                ("datatype", "plaintext"),
                ("target-language", &*of.translation.language.code),
            ];
            writer
                .create_element("file")
                .with_attributes(attributes)
                .write_inner_content(|writer| {
                    writer
                        .create_element("body")
                        .write_inner_content(|writer| {
                            units.try_for_each(|view| unit(writer, view))
                        })?;
                    Ok(())
                })?;
            Ok(())
        })?;
    let mut out = writer.into_inner();
    out.push(b'\n');
    Ok(out)
}

/// Writes a unit. A plural is a group with a unit per form, as the XLIFF representation of gettext files has it.
fn unit(writer: &mut Writer<Vec<u8>>, view: UnitView<'_>) -> io::Result<()> {
    let text = ExportedUnit::of(view);
    let id = match text.context {
        "" => checksum(view.source.id_hash).into(),
        context => valid(context),
    };
    if !view.unit.plural() {
        return trans_unit(writer, view, &id, text.source, &text.target, &text.comment);
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
            let id = format!("{id}[{form}]");
            trans_unit(writer, view, &id, source, target, &text.comment)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn trans_unit(
    writer: &mut Writer<Vec<u8>>,
    view: UnitView<'_>,
    id: &str,
    source: &str,
    target_text: &str,
    comment: &str,
) -> io::Result<()> {
    let mut element = writer
        .create_element("trans-unit")
        .with_attribute(("xml:space", "preserve"));
    if view.unit.translated() {
        element = element.with_attribute(("approved", "yes"));
    }
    element
        .with_attribute(("id", id))
        .write_inner_content(|writer| {
            writer
                .create_element("source")
                .write_text_content(escaped(source))?;
            let mut target = writer.create_element("target");
            if view.unit.translated() {
                target = target.with_attribute(("state", "translated"));
            } else if view.unit.fuzzy() {
                target = target.with_attribute(("state", "needs-translation"));
            }
            target.write_text_content(escaped(target_text))?;
            if !comment.is_empty() {
                let note = writer
                    .create_element("note")
                    .with_attribute(("from", "developer"));
                note.write_text_content(escaped(comment))?;
            }
            Ok(())
        })?;
    Ok(())
}
