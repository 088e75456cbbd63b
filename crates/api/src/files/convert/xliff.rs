//! Units as XLIFF.

use super::exported_unit::{ExportedUnit, WorkFields};
use super::{Conversion, put};
use crate::encode::xml::{attribute, escaped};
use gitglot_catalog::UnitView;
use gitglot_model::language::tag;
use gitglot_model::{PLURAL_SEPARATOR, checksum};

/// Writes an XLIFF 1.1 file. A file for work has locations and earlier sources, and codes of languages as its schema wants
/// them.
pub(super) fn file(of: &Conversion<'_>) -> Vec<u8> {
    let codes = [
        &*of.view.component.project.source_language,
        &*of.view.translation.language.code,
    ];
    let [source, target] = codes.map(|code| {
        if of.is_for_work() {
            tag(code).unwrap_or_else(|| "und".to_owned())
        } else {
            code.to_owned()
        }
    });
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.1\" version=\"1.1\">\n\
\x20 <file original=\"NoName\" source-language=\"{}\" datatype=\"plaintext\" target-language=\"{}\">\n    <body>\n",
        attribute(&source),
        attribute(&target)
    );
    let mut locations = 0;
    for view in of.units() {
        let work = of.is_for_work().then(|| WorkFields::of(view));
        unit(&mut out, view, work.as_ref(), &mut locations);
    }
    out.push_str("    </body>\n  </file>\n</xliff>\n");
    out.into_bytes()
}

/// Writes a unit; `locations` counts those of the file. A plural is a group with a unit per form, as the XLIFF
/// representation of gettext files has it.
fn unit(out: &mut String, view: UnitView<'_>, work: Option<&WorkFields<'_>>, locations: &mut u32) {
    let text = ExportedUnit::of(view);
    // Strings of bilingual files can have the same context.
    let is_unique = view.component.component.file_format.shape().has_template();
    let id = match text.context {
        context if !context.is_empty() && (is_unique || work.is_none()) => context.to_owned(),
        _ => checksum(view.source.id_hash),
    };
    let name = (!is_unique && work.is_some() && !text.context.is_empty()).then_some(text.context);
    let mut write = |out: &mut String, id: &str, form: usize, source: &str, target: &str| {
        let previous = work.and_then(|work| work.previous.get(form).or(work.previous.last()));
        let parts = UnitParts {
            id,
            name,
            source,
            target,
            comment: &text.comment,
            locations: work.map_or(&[][..], |work| &work.locations),
            previous: previous.copied(),
        };
        trans_unit(out, view, &parts, locations);
    };
    if !view.unit.plural() {
        return write(out, &id, 0, text.source, &text.target);
    }
    put!(
        out,
        "      <group restype=\"x-gettext-plurals\" id=\"{}\">\n",
        attribute(&id)
    );
    // Further forms have the last source.
    let sources: Vec<_> = text.source.split(PLURAL_SEPARATOR).collect();
    for (form, target) in text.target.split(PLURAL_SEPARATOR).enumerate() {
        let source = sources.get(form).or(sources.last());
        let source = source.copied().unwrap_or_default();
        write(out, &format!("{id}[{form}]"), form, source, target);
    }
    out.push_str("      </group>\n");
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

fn trans_unit(out: &mut String, view: UnitView<'_>, parts: &UnitParts<'_>, locations: &mut u32) {
    let depth = if view.unit.plural() { 4 } else { 3 };
    let indent = "  ".repeat(depth);
    let (approved, state) = if view.unit.translated() {
        (" approved=\"yes\"", " state=\"translated\"")
    } else if view.unit.fuzzy() {
        ("", " state=\"needs-translation\"")
    } else {
        ("", "")
    };
    put!(
        out,
        "{indent}<trans-unit xml:space=\"preserve\"{approved} id=\"{}\"",
        attribute(parts.id)
    );
    if let Some(name) = parts.name {
        put!(out, " resname=\"{}\"", attribute(name));
    }
    let (source, target) = (escaped(parts.source), escaped(parts.target));
    put!(
        out,
        ">\n{indent}  <source>{source}</source>\n{indent}  <target{state}>{target}</target>\n"
    );
    for at in parts.locations {
        *locations += 1;
        location(out, at, *locations, &indent);
    }
    if !parts.comment.is_empty() {
        let note = escaped(parts.comment);
        put!(out, "{indent}  <note from=\"developer\">{note}</note>\n");
    }
    // The translation belongs to the earlier source.
    if let Some(previous) = parts.previous.map(escaped) {
        put!(
            out,
            "{indent}  <alt-trans origin=\"previous-source\">\n{indent}    <source>{previous}</source>\n\
{indent}    <target>{target}</target>\n{indent}  </alt-trans>\n"
        );
    }
    put!(out, "{indent}</trans-unit>\n");
}

/// Writes where a text is used: a file, and a line if it has one. Groups have different names, here their number.
fn location(out: &mut String, text: &str, number: u32, indent: &str) {
    let is_number = |line: &str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) if is_number(line) => (file, Some(line)),
        _ => (text, None),
    };
    put!(
        out,
        "{indent}  <context-group name=\"location-{number}\" purpose=\"location\">\n"
    );
    let contexts = [("sourcefile", Some(file)), ("linenumber", line)];
    for (kind, text) in contexts {
        if let Some(text) = text.map(escaped) {
            put!(
                out,
                "{indent}    <context context-type=\"{kind}\">{text}</context>\n"
            );
        }
    }
    put!(out, "{indent}  </context-group>\n");
}
