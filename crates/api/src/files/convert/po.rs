//! Units as a gettext catalogue.

use std::fmt::Write;

use super::exported_unit::ExportedUnit;
use gitglot_catalog::{TranslationView, UnitView};
use gitglot_model::{OffsetTime, PLURAL_SEPARATOR};

/// Writes a gettext catalogue. Lines break only at line breaks of the texts. The creation date is the time of the
/// commit, so that the same commit gives the same file.
pub(super) fn file<'a>(
    of: TranslationView<'_>,
    units: impl Iterator<Item = UnitView<'a>>,
    page: &str,
) -> Vec<u8> {
    let language = &of.translation.language;
    let plural = language.plural;
    let header = format!(
        "Project-Id-Version: {name} ({project})\nReport-Msgid-Bugs-To: \nPOT-Creation-Date: {created}\n\
PO-Revision-Date: YEAR-MO-DA HO:MI+ZONE\nLast-Translator: FULL NAME <EMAIL@ADDRESS>\n\
Language-Team: {name} <{page}>\nLanguage: {code}\nMIME-Version: 1.0\n\
Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\
Plural-Forms: nplurals={forms}; plural={formula};\nX-Generator: gitglot {version}\n",
        name = value(&language.name),
        project = value(&of.component.project.name),
        page = value(page),
        created = minute(of.component.tip.committer.time),
        code = value(&language.code),
        forms = plural.forms,
        formula = plural.formula,
        version = env!("CARGO_PKG_VERSION"),
    );
    let mut out = String::from("msgid \"\"\nmsgstr \"\"\n");
    lines(&mut out, &header);
    for view in units {
        let text = ExportedUnit::of(view);
        out.push('\n');
        for line in text.comment.lines() {
            out.push_str("#. ");
            out.push_str(line);
            out.push('\n');
        }
        if view.unit.fuzzy() {
            out.push_str("#, fuzzy\n");
        }
        if !text.context.is_empty() {
            keyword(&mut out, "msgctxt", text.context);
        }
        let mut sources = text.source.split(PLURAL_SEPARATOR);
        keyword(&mut out, "msgid", sources.next().unwrap_or_default());
        if !view.unit.plural() {
            keyword(&mut out, "msgstr", &text.target);
            continue;
        }
        keyword(
            &mut out,
            "msgid_plural",
            sources.next().unwrap_or(text.source),
        );
        for (form, target) in text.target.split(PLURAL_SEPARATOR).enumerate() {
            keyword(&mut out, &format!("msgstr[{form}]"), target);
        }
    }
    out.into_bytes()
}

/// A value of a header. A language code from a file name can have line breaks, which would begin another header.
pub(super) fn value(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Writes a keyword and its text; texts of several lines start on the next line.
fn keyword(out: &mut String, keyword: &str, text: &str) {
    out.push_str(keyword);
    if text.trim_end_matches('\n').contains('\n') {
        out.push_str(" \"\"\n");
        lines(out, text);
    } else {
        out.push(' ');
        quoted(out, text);
    }
}

fn lines(out: &mut String, text: &str) {
    text.split_inclusive('\n')
        .for_each(|line| quoted(out, line));
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Octal escapes with three digits, so that a following digit is not part of them.
            c if c.is_ascii_control() => {
                let _ = write!(out, "\\{:03o}", u32::from(c)); // a string takes everything
            }
            c => out.push(c),
        }
    }
    out.push_str("\"\n");
}

/// Formats a time for the header, in UTC.
fn minute(time: OffsetTime) -> String {
    let time = chrono::DateTime::from_timestamp(time.seconds, 0).unwrap_or_default();
    time.format("%Y-%m-%d %H:%M+0000").to_string()
}
