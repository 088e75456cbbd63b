//! Units as a gettext catalogue.

use std::borrow::Cow;

use super::exported_unit::{ExportedUnit, WorkFields};
use super::{Conversion, put, wrap};
use gitglot_catalog::TranslationView;
use gitglot_model::{OffsetTime, PLURAL_SEPARATOR};

/// How texts are written.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// For the API of 3.4: lines break at the line breaks of a text only.
    Legacy,
    /// As current Weblate does.
    Current,
}

impl Style {
    /// The lines of a text, escaped, and whether the first one is on a line of its own.
    fn lines(self, text: &str) -> (Vec<String>, bool) {
        match self {
            Self::Legacy if text.trim_end_matches('\n').contains('\n') => {
                let lines = text.split_inclusive('\n');
                (lines.map(|line| self.escaped(line)).collect(), true)
            }
            Self::Legacy => (vec![self.escaped(text)], false),
            Self::Current => wrap::lines(&self.escaped(text)),
        }
    }

    fn escaped(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                // Octal escapes with three digits, so that a following digit is not part of them.
                c if c.is_ascii_control() && self == Self::Legacy => {
                    put!(out, "\\{:03o}", u32::from(c));
                }
                '\0' => out.push(char::REPLACEMENT_CHARACTER),
                c => out.push(c),
            }
        }
        out
    }
}

struct Entry<'a> {
    /// The lines with notes.
    comments: String,
    /// Files and lines.
    locations: Vec<Cow<'a, str>>,
    /// Joined, with `fuzzy` first.
    flags: String,
    /// The forms of the source that the text was written for.
    previous: Vec<&'a str>,
    context: &'a str,
    /// One text, or two with plural forms.
    sources: Vec<&'a str>,
    targets: Vec<&'a str>,
    is_plural: bool,
}

/// Writes the catalogue of 3.4. Lines break only at line breaks of the texts. The creation date is the time of the
/// commit, so that the same commit gives the same file. A file for work has locations and earlier sources.
pub(super) fn file(of: &Conversion<'_>) -> Vec<u8> {
    let language = &of.view.translation.language;
    let plural = language.plural;
    let name = value(&language.name);
    let code = value(&language.code);
    let fields = [
        ("MIME-Version", "1.0".to_owned()),
        ("Content-Type", TYPE.to_owned()),
        ("Content-Transfer-Encoding", "8bit".to_owned()),
        (
            "Plural-Forms",
            plural_forms(plural.forms.into(), plural.formula),
        ),
        ("X-Generator", GENERATOR.to_owned()),
    ];
    let fields = [("Language", code)].into_iter().chain(fields);
    let mut out = header(&header_text(of.view, &name, of.page, fields), Style::Legacy);
    for view in of.units() {
        let text = ExportedUnit::of(view);
        let target = view.gettext_target();
        let flags = if view.unit.fuzzy() { "fuzzy" } else { "" };
        let work = if of.is_for_work() {
            WorkFields::of(view)
        } else {
            WorkFields::default()
        };
        let entry = Entry {
            comments: text
                .comment
                .lines()
                .map(|line| format!("#. {line}\n"))
                .collect(),
            locations: work.locations.into_iter().map(location).collect(),
            flags: flags.to_owned(),
            previous: work.previous,
            context: text.context,
            sources: text.source.split(PLURAL_SEPARATOR).collect(),
            targets: target.split(PLURAL_SEPARATOR).collect(),
            is_plural: view.unit.plural(),
        };
        write(&mut out, &entry, Style::Legacy);
    }
    out.into_bytes()
}

/// Writes the catalogue of the current API, like that of 3.4 (docs/spec/current-api.md#downloads).
pub(super) fn current(of: &Conversion<'_>) -> Vec<u8> {
    let mut out = header(&current_header(of.view, of.page), Style::Current);
    for unit in of.strings() {
        let fuzzy = if unit.state.is_fuzzy() { "fuzzy" } else { "" };
        let flags = [fuzzy, &unit.flags];
        let flags: Vec<_> = flags.into_iter().filter(|flag| !flag.is_empty()).collect();
        let entry = Entry {
            comments: comments(&unit.note),
            locations: unit.locations().map(Cow::Borrowed).collect(),
            flags: flags.join(", "),
            previous: Vec::new(),
            context: unit.context,
            sources: unit.source,
            targets: unit.target,
            is_plural: unit.is_plural,
        };
        write(&mut out, &entry, Style::Current);
    }
    out.into_bytes()
}

/// The text of the header of the current API.
pub(super) fn current_header(of: TranslationView<'_>, page: &str) -> String {
    let language = of.translation.current_language();
    let (forms, formula) = of.current_plural();
    let fields = [
        ("MIME-Version", "1.0".to_owned()),
        ("Content-Type", TYPE.to_owned()),
        ("Content-Transfer-Encoding", "8bit".to_owned()),
        ("X-Generator", GENERATOR.to_owned()),
        ("Language", value(&language.code)),
        ("Plural-Forms", plural_forms(forms, formula)),
    ];
    header_text(of, &value(&language.name), page, fields)
}

/// The lines with the notes of current Weblate. A note that ends with a line break has an empty last line.
fn comments(note: &str) -> String {
    let lines = note.split('\n').filter(|_| !note.is_empty());
    let comment = |line: &str| match line {
        "" => "#.\n".to_owned(),
        line => format!("#. {line}\n"),
    };
    lines.map(comment).collect()
}

const TYPE: &str = "text/plain; charset=UTF-8";
const GENERATOR: &str = concat!("gitglot ", env!("CARGO_PKG_VERSION"));

fn plural_forms(forms: usize, formula: &str) -> String {
    format!("nplurals={forms}; plural={formula};")
}

/// The text of the header: the fields that all files have, and further ones.
fn header_text(
    of: TranslationView<'_>,
    name: &str,
    page: &str,
    fields: impl IntoIterator<Item = (&'static str, String)>,
) -> String {
    let mut text = format!(
        "Project-Id-Version: {name} ({project})\nReport-Msgid-Bugs-To: \nPOT-Creation-Date: {created}\n\
PO-Revision-Date: YEAR-MO-DA HO:MI+ZONE\nLast-Translator: FULL NAME <EMAIL@ADDRESS>\n\
Language-Team: {name} <{page}>\n",
        project = value(&of.component.project.name),
        page = value(page),
        created = minute(of.component.tip.committer.time),
    );
    for (field, value) in fields {
        text.extend([field, ": ", &*value, "\n"]);
    }
    text
}

/// The entry with the header.
fn header(text: &str, style: Style) -> String {
    let mut out = "msgid \"\"\n".to_owned();
    keyword(&mut out, "msgstr", text, style);
    out
}

fn write(out: &mut String, entry: &Entry<'_>, style: Style) {
    out.push('\n');
    out.push_str(&entry.comments);
    for location in &entry.locations {
        out.extend(["#: ", &**location, "\n"]);
    }
    if !entry.flags.is_empty() {
        out.extend(["#, ", &*entry.flags, "\n"]);
    }
    for (form, name) in entry.previous.iter().zip(["#| msgid", "#| msgid_plural"]) {
        keyword_below(out, name, "#| ", form, style);
    }
    let mut keyword = |name: &str, text: &str| keyword(out, name, text, style);
    if !entry.context.is_empty() {
        keyword("msgctxt", entry.context);
    }
    let source = entry.sources.first().copied().unwrap_or_default();
    keyword("msgid", source);
    if !entry.is_plural {
        keyword("msgstr", entry.targets.first().copied().unwrap_or_default());
        return;
    }
    keyword(
        "msgid_plural",
        entry.sources.get(1).copied().unwrap_or(source),
    );
    for (form, target) in entry.targets.iter().enumerate() {
        keyword(&format!("msgstr[{form}]"), target);
    }
}

/// A value of a header. A language code from a file name can have line breaks, which would begin another header.
pub(super) fn value(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A file, and its line, as a catalogue can have it: names with spaces are between isolates, and have no line breaks.
pub(super) fn location(text: &str) -> Cow<'_, str> {
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        format!("\u{2068}{}\u{2069}", value(text)).into()
    } else {
        text.into()
    }
}

fn keyword(out: &mut String, keyword: &str, text: &str, style: Style) {
    keyword_below(out, keyword, "", text, style);
}

/// Writes a keyword and its text; further lines start with `mark`.
fn keyword_below(out: &mut String, keyword: &str, mark: &str, text: &str, style: Style) {
    let (lines, is_below) = style.lines(text);
    out.extend([keyword, if is_below { " \"\"\n" } else { " " }]);
    for (at, line) in lines.iter().enumerate() {
        let mark = if at > 0 || is_below { mark } else { "" };
        out.extend([mark, "\"", &**line, "\"\n"]);
    }
}

/// Formats a time for the header, in UTC.
fn minute(time: OffsetTime) -> String {
    let time = chrono::DateTime::from_timestamp(time.seconds, 0).unwrap_or_default();
    time.format("%Y-%m-%d %H:%M+0000").to_string()
}
