//! Writes the work list: JSON, Markdown, PO and CSV.

use std::fmt::Write;
use std::str::FromStr;

use super::TodoList;
use crate::output::{escape, format_named, indented_json, line};
use gitglot_model::{InvalidValue, counted, is_formula, language};

/// The format of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TodoFormat {
    /// One JSON document.
    Json,
    /// Text for people.
    Markdown,
    /// A gettext catalogue, which translation programs open.
    Po,
    /// A table with one row for each form.
    Csv,
}

/// Why a list cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TodoOutputError {
    /// A PO file has one language.
    #[error(
        "a PO file has the texts of one language, and the list has {0}: select one with --language"
    )]
    Languages(String),
}

/// The rows of tables. Only the first three are read again.
const COLUMNS: [&str; 13] = [
    "id",
    "form",
    "proposal",
    "kind",
    "language",
    "file",
    "line",
    "key",
    "source",
    "previous_source",
    "translation",
    "note",
    "problems",
];

impl TodoFormat {
    const ALL: [(&'static str, Self); 4] = [
        ("json", Self::Json),
        ("markdown", Self::Markdown),
        ("po", Self::Po),
        ("csv", Self::Csv),
    ];

    /// Writes a list.
    ///
    /// # Errors
    /// If the format cannot have the list.
    pub fn write(self, list: &TodoList) -> Result<String, TodoOutputError> {
        match self {
            Self::Json => Ok(indented_json(list)),
            Self::Markdown => Ok(markdown(list)),
            Self::Po => po(list),
            Self::Csv => Ok(csv(list)),
        }
    }
}

impl FromStr for TodoFormat {
    type Err = InvalidValue;

    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        format_named(Self::ALL, name)
    }
}

/// A heading for each file, and a list of strings.
fn markdown(list: &TodoList) -> String {
    let mut out = format!("### {} with work\n", counted(list.total, "string"));
    let code = |text: &str| format!("<code>{}</code>", escape::xml(text));
    let texts = |texts: &[String]| code(&texts.join(" | "));
    // Writing to a string cannot fail.
    for of_file in list.items.chunk_by(|a, b| a.file == b.file) {
        let first = &of_file[0];
        let language = language::resolve(&first.language);
        let name = escape::xml(&language.name);
        let _ = write!(out, "\n#### {name}: {}\n\n", code(&first.file));
        for item in of_file {
            let (kind, key) = (item.kind.id(), code(&item.key));
            let _ = writeln!(out, "- **{kind}** {key}, line {}", item.line);
            let mut part = |name: &str, text: &str| {
                let _ = writeln!(out, "  - {name}: {text}");
            };
            if !item.source.is_empty() {
                part("Source", &texts(&item.source));
            }
            if let Some(diff) = &item.diff {
                part("Change", &code(diff));
            }
            if !item.translation.is_empty() {
                part("Translation", &texts(&item.translation));
            }
            if !item.note.is_empty() {
                part("Note", &code(&item.note));
            }
            for problem in &item.problems {
                part("Problem", &code(&problem.message));
            }
            for example in &item.examples {
                let both = [texts(&example.source), texts(&example.translation)];
                part("Similar", &both.join(" → "));
            }
        }
    }
    if let Some(next) = &list.next {
        let left = list.total.saturating_sub(list.items.len());
        let _ = write!(
            out,
            "\nThis page ends here; {left} strings are on others. Continue with `--after {next}`.\n"
        );
    }
    out
}

/// A catalogue whose contexts are the ids. Texts to review or to repair are marked as fuzzy.
fn po(list: &TodoList) -> Result<String, TodoOutputError> {
    let mut codes: Vec<&str> = list.items.iter().map(|item| &*item.language).collect();
    codes.sort_unstable();
    codes.dedup();
    if codes.len() > 1 {
        return Err(TodoOutputError::Languages(codes.join(", ")));
    }
    let mut out = po_header(list, codes.first().copied().unwrap_or_default());
    for item in list.items.iter().filter(|item| !item.forms.is_empty()) {
        out.push('\n');
        let _ = writeln!(out, "#. {}", line(&item.report));
        for text in item.note.lines() {
            let _ = writeln!(out, "#. {}", line(text));
        }
        for example in &item.examples {
            let [source, translation] =
                [&example.source, &example.translation].map(|texts| line(&texts.join(" | ")));
            let _ = writeln!(out, "#. Similar: {source} → {translation}");
        }
        let has_text = item.translation.iter().any(|text| !text.is_empty());
        if has_text {
            out.push_str("#, fuzzy\n");
        }
        if let Some(previous) = item.previous_source.as_ref().filter(|_| has_text) {
            let _ = writeln!(out, "#| msgid \"{}\"", escaped(previous));
        }
        let mut keyword = |name: &str, text: &str| {
            let _ = writeln!(out, "{name} \"{}\"", escaped(text));
        };
        keyword("msgctxt", &item.id);
        keyword("msgid", item.source.first().map_or("", String::as_str));
        let is_plural = item.source.len() > 1;
        if let Some(last) = item.source.get(1) {
            keyword("msgid_plural", last);
        }
        for form in 0..item.forms.len() {
            let text = item.translation.get(form).map_or("", String::as_str);
            if is_plural {
                keyword(&format!("msgstr[{form}]"), text)
            } else {
                keyword("msgstr", text)
            }
        }
    }
    Ok(out)
}

/// The header of a catalogue with the plural rule of a language.
fn po_header(list: &TodoList, code: &str) -> String {
    let language = language::resolve(code);
    let plural = language.plural;
    let forms = list.items.iter().map(|item| item.forms.len()).max();
    let named = language::resolve_current(&language.code).named_plural;
    let formula = match forms {
        Some(forms) if forms == usize::from(named.forms) && forms != usize::from(plural.forms) => {
            named.formula
        }
        _ => plural.formula,
    };
    let forms = forms.filter(|&forms| forms > 1);
    let forms = forms.unwrap_or(plural.forms.into());
    let mut out = String::from("msgid \"\"\nmsgstr \"\"\n");
    let plural_forms = format!("nplurals={forms}; plural={formula};");
    for (name, value) in [
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=UTF-8"),
        ("Content-Transfer-Encoding", "8bit"),
        ("Language", &line(&language.code)),
        ("Plural-Forms", &plural_forms),
    ] {
        let _ = writeln!(out, "\"{}: {}\\n\"", name, escaped(value));
    }
    out
}

/// A text of a PO file.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_ascii_control() => {
                let _ = write!(out, "\\{:03o}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

fn csv(list: &TodoList) -> String {
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    // Spreadsheet programs evaluate some texts, unless a character is before them.
    let cell = |text: &str| {
        if is_formula(text) {
            ["'", text].concat()
        } else {
            text.to_owned()
        }
    };
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    for item in &list.items {
        let problems = item.problems.iter().map(|problem| problem.message.as_str());
        let problems = problems.collect::<Vec<_>>().join(" ");
        for form in 0..item.forms.len().max(1) {
            let form_of =
                |texts: &[String]| texts.get(form).map_or_else(String::new, |text| cell(text));
            let source = item.source.get(form).or(item.source.last());
            rows.push([
                item.id.clone(),
                form.to_string(),
                item.proposal.get(form).cloned().unwrap_or_default(),
                item.kind.id().to_owned(),
                cell(&item.language),
                cell(&item.file),
                item.line.to_string(),
                cell(&item.key),
                source.map_or_else(String::new, |text| cell(text)),
                cell(item.previous_source.as_deref().unwrap_or_default()),
                form_of(&item.translation),
                cell(&item.note),
                cell(&problems),
            ]);
        }
    }
    for row in rows {
        // Writing to memory cannot fail.
        let _ = table.write_record(row);
    }
    let bytes = table.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
