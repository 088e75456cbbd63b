//! Faults of files that parse, as `msgfmt --check` reports them (`docs/spec/formats.md#faults-of-po-files`).

use std::hash::BuildHasher;

use super::entry::Entry;
use super::parse::Entries;
use super::{header, messages};
use crate::fault::{FaultKind, FaultList, InvalidPart, Names};
use gitglot_model::language::PluralRule;
use gitglot_model::{PLURAL_SEPARATOR, Seeded, Shape};

/// Most invalid escapes of a file that are found.
const MAX_ESCAPES: usize = 10_000;

/// The plural forms that gettext uses of a file without a rule, those of English.
const FORMS_WITHOUT_RULE: usize = 2;

/// The fields that a header must have, and how their values begin in a file that nobody filled in.
const FIELDS: [(&str, Option<&str>); 8] = [
    ("Project-Id-Version", Some("PACKAGE VERSION")),
    ("PO-Revision-Date", Some("YEAR-MO-DA")),
    ("Last-Translator", Some("FULL NAME <EMAIL@ADDRESS>")),
    ("Language-Team", Some("LANGUAGE <LL@li.org>")),
    ("Language", Some("")),
    ("MIME-Version", None),
    ("Content-Type", Some("text/plain; charset=CHARSET")),
    ("Content-Transfer-Encoding", Some("ENCODING")),
];

/// Adds the faults of a file. `has_template`: whether the messages are keys of a template.
pub(crate) fn faults(text: &str, has_template: bool, list: &mut FaultList) {
    let mut escapes = invalid_escapes(text);
    escapes.reverse();
    let mut found = PoFaults {
        list: std::mem::take(list),
        has_template,
        escapes,
        ..PoFaults::default()
    };
    let mut entries = Entries { text, at: 0 };
    // A file that does not parse has an error, not faults.
    while let Ok(Some(entry)) = entries.next() {
        found.entry(&entry);
    }
    found.finish(text.trim().is_empty());
    *list = found.list;
}

#[derive(Default)]
struct PoFaults {
    list: FaultList,
    has_template: bool,
    /// The entries so far, with the hashes of their texts.
    names: Names<String, u64>,
    /// The number of plural forms that the header declares.
    forms: Option<usize>,
    /// The text of the first header, and where its entry begins.
    header: Option<(String, usize)>,
    has_entries: bool,
    /// Whether any entry has a text.
    is_translated: bool,
    /// Where the first entry with plural forms begins that follows no rule, and the most forms of such an entry.
    first_plural: Option<usize>,
    most_forms: usize,
    /// Where the header has a rule of plural forms that is invalid, and why.
    invalid_rule: Option<(usize, String)>,
    has_plurals: bool,
    /// The escapes that tools refuse, the last one first: where their lines begin, and the escapes.
    escapes: Vec<(usize, String)>,
    /// The key of the last entry.
    last_key: String,
}

impl PoFaults {
    fn entry(&mut self, entry: &Entry) {
        self.escapes_before(entry.start);
        if let Some(header) = entry.header() {
            if self.header.is_none() {
                self.header = Some((header.to_owned(), entry.start));
                self.plural_rule(header, entry.start);
            }
            return;
        }
        let (context, source) = entry.identity();
        if entry.texts.is_empty() {
            let problem = "The entry has no msgstr, so that tools refuse the file: add it.";
            self.list
                .invalid(&source, entry.start, InvalidPart::Text, problem);
            return;
        }
        if !entry.obsolete {
            self.has_entries = true;
            self.is_translated |= entry.texts.iter().any(|(_, text)| !text.is_empty());
        }
        // Tools identify an entry by context and singular, and refuse a second one, whatever its texts are.
        let singular = source.split(PLURAL_SEPARATOR).next().unwrap_or_default();
        let name = Shape::bilingual_key(context, singular);
        let key = match entry.key().filter(|_| self.has_template) {
            Some(key) => key,
            None => Shape::bilingual_key(context, &source),
        };
        let texts = Seeded::default().hash_one(&entry.texts);
        let mut again = self.names.add(name, entry.start, texts);
        if let Some(FaultKind::Duplicate { is_equal, .. }) = &mut again {
            // Programs do not read obsolete entries.
            *is_equal |= entry.obsolete;
        }
        self.list.push(&key, entry.start, again);
        if !entry.obsolete {
            self.plural_forms(entry, &key);
            self.placeholders(entry, &key);
            self.last_key = key;
        }
    }

    /// Compares placeholders of formats that have no check.
    fn placeholders(&mut self, entry: &Entry, key: &str) {
        let flags = entry.comments.flags();
        if entry.comments.fuzzy || !flags.contains("-format") {
            return;
        }
        let singular = entry.source.as_deref().unwrap_or_default();
        for (index, text) in &entry.texts {
            let source = match (index, &entry.plural) {
                (Some(1..), Some(plural)) => plural,
                _ => singular,
            };
            let problem = (!text.is_empty()).then(|| messages::problem(&flags, source, text));
            if let Some(problem) = problem.flatten() {
                self.list
                    .invalid(key, entry.start, InvalidPart::Text, problem);
            }
        }
    }

    /// Adds the escapes in the lines before an offset, which belong to the last entry.
    fn escapes_before(&mut self, end: usize) {
        while let Some((at, escape)) = self.escapes.pop_if(|(at, _)| *at < end) {
            let problem = "is no escape, and tools refuse the file: write \\\\ for a backslash";
            self.list.escape(&self.last_key, at, &escape, problem);
        }
    }

    fn plural_rule(&mut self, header: &str, at: usize) {
        // An empty field is a fault only with plural forms.
        let value = header::field(header, "Plural-Forms");
        let Some(value) = value.filter(|value| !value.trim().is_empty()) else {
            return;
        };
        match declared(value) {
            Ok(forms) => self.forms = Some(forms),
            // The initial value is none.
            Err(_) if value.contains("INTEGER") => {}
            Err(problem) => {
                self.invalid_rule = Some((at, problem.to_string()));
            }
        }
    }

    /// Finds the fields that a header lacks, and those that nobody filled in.
    fn header_fields(&mut self) {
        let Some((header, at)) = &self.header else {
            return;
        };
        if is_template(header) && !self.is_translated {
            return;
        }
        let (mut missing, mut initial) = (Vec::new(), Vec::new());
        for (name, first_value) in FIELDS {
            match (header::field(header, name).map(str::trim), first_value) {
                (None, _) => missing.push(name),
                (Some(value), Some(first)) if is_initial(value, first) => initial.push(name),
                _ => {}
            }
        }
        let mut add = |names: &[&str], before: &str, after: &str| {
            if !names.is_empty() {
                let problem = format!("{before}: {}; {after}.", names.join(", "));
                self.list.invalid("", *at, InvalidPart::Header, problem);
            }
        };
        add(&missing, "The header lacks fields", "add them");
        add(
            &initial,
            "Fields of the header have their initial values",
            "set them",
        );
    }

    /// Compares the number of forms of an entry with the header.
    fn plural_forms(&mut self, entry: &Entry, key: &str) {
        if entry.plural.is_none() || entry.texts.iter().all(|(_, text)| text.is_empty()) {
            return;
        }
        self.has_plurals = true;
        let mut indexes = (0..).zip(&entry.texts);
        if indexes.any(|(index, (named, _))| *named != Some(index)) {
            let problem = "The plural forms are not numbered 0, 1, 2 and so on in the order of the file: number them so.";
            self.list
                .invalid(key, entry.start, InvalidPart::PluralForms, problem);
        }
        let Some(forms) = self.forms else {
            self.first_plural.get_or_insert(entry.start);
            self.most_forms = self.most_forms.max(entry.texts.len());
            return;
        };
        let found = entry.texts.len();
        // Programs do not read fuzzy entries.
        if found != forms && !entry.comments.fuzzy {
            let problem = format!(
                "The text has {found} plural forms, but the header declares {forms}: write one for each."
            );
            let (used, surplus) = entry.texts.split_at(forms.min(found));
            let is_shown = |(_, text): &(_, String)| {
                text.is_empty() || used.last().is_some_and(|(_, last)| last == text)
            };
            let is_minor = found > forms && surplus.iter().all(is_shown);
            self.invalid_forms(key, entry.start, is_minor, problem);
        }
    }

    fn invalid_forms(&mut self, key: &str, at: usize, is_minor: bool, problem: String) {
        let part = if is_minor {
            InvalidPart::MinorPluralForms
        } else {
            InvalidPart::PluralForms
        };
        self.list.invalid(key, at, part, problem);
    }

    fn finish(&mut self, is_empty: bool) {
        self.escapes_before(usize::MAX);
        if let Some((at, problem)) = self.invalid_rule.clone() {
            self.invalid_forms("", at, !self.has_plurals, problem);
        }
        self.header_fields();
        if (self.has_entries || is_empty) && self.header.is_none() {
            let problem = if is_empty {
                "The file is empty: copy the template, or remove the file."
            } else {
                "The file has no header: add an entry with an empty msgid."
            };
            self.list.invalid("", 0, InvalidPart::Header, problem);
        }
        if let Some(at) = self.first_plural.filter(|_| self.invalid_rule.is_none()) {
            let problem =
                "The file has plural forms, but its header has no valid Plural-Forms: add it.";
            // Programs then use the two forms of English.
            let is_minor = self.most_forms <= FORMS_WITHOUT_RULE;
            self.invalid_forms("", at, is_minor, problem.to_owned());
        }
    }
}

/// The escapes that `msgfmt` does not know, with the offsets of their lines.
fn invalid_escapes(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive(['\n', '\r']) {
        let content = line.trim();
        let mut chars = content.chars();
        while !content.starts_with('#') && found.len() < MAX_ESCAPES {
            let Some(char) = chars.next() else { break };
            let escaped = (char == '\\').then(|| chars.next()).flatten();
            if let Some(escaped) = escaped.filter(|char| !"ntbrfva\"\\x01234567".contains(*char)) {
                found.push((at, format!("\\{escaped}")));
            }
        }
        at += line.len();
    }
    found
}

/// Whether a header is that of a template, which nobody revised.
fn is_template(header: &str) -> bool {
    let revision = header::field(header, "PO-Revision-Date");
    revision.is_some_and(|date| date.trim().starts_with("YEAR"))
}

/// Whether the value of a field is the one that tools write first.
fn is_initial(value: &str, first: &str) -> bool {
    let start = value.get(..first.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(first))
        && (!first.is_empty() || value.is_empty())
}

/// Why a rule of plural forms is invalid, as a sentence.
#[derive(Debug, thiserror::Error)]
enum PluralRuleFault {
    #[error("Plural-Forms is '{0}': expected 'nplurals=NUMBER; plural=FORMULA;'.")]
    Syntax(String),
    #[error("The formula '{0}' of Plural-Forms is invalid.")]
    Formula(String),
    #[error("The formula '{formula}' of Plural-Forms divides by zero for {number}.")]
    DivisionByZero { formula: String, number: u64 },
    #[error(
        "Plural-Forms declares {count} forms, but its formula gives form {form} for {number}, counted from 0."
    )]
    Undeclared {
        count: usize,
        form: u64,
        number: u64,
    },
}

/// The number of forms of a rule.
fn declared(value: &str) -> Result<usize, PluralRuleFault> {
    let value = value.trim();
    let expected = || PluralRuleFault::Syntax(value.to_owned());
    let (count, formula) = header::formula(value).ok_or_else(expected)?;
    let rule = (count > 0)
        .then(|| PluralRule::parse(count, formula))
        .flatten();
    let rule = rule.ok_or_else(|| PluralRuleFault::Formula(formula.to_owned()))?;
    if let Some(number) = rule.undefined_number() {
        return Err(PluralRuleFault::DivisionByZero {
            formula: formula.to_owned(),
            number,
        });
    }
    match rule.undeclared_form() {
        Some((number, form)) => Err(PluralRuleFault::Undeclared {
            count,
            form,
            number,
        }),
        None => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use crate::{FaultKind, InvalidPart, faults};
    use gitglot_model::FileFormat;

    const HEADER: &str = "msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: a 1\\n\"\n\"PO-Revision-Date: 2026-01-01 10:00+0000\\n\"\n\
        \"Last-Translator: A <a@example.org>\\n\"\n\"Language-Team: Czech <cs@example.org>\\n\"\n\"Language: cs\\n\"\n\
        \"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n";

    fn found(text: &str) -> Vec<String> {
        let shown = |fault: crate::Fault| match fault.kind {
            FaultKind::Duplicate { first, .. } => format!("{} {first}", fault.offset),
            FaultKind::Invalid { problem, .. } | FaultKind::Unlike { problem, .. } => problem,
            FaultKind::Escape { text, .. } => text,
        };
        let list = faults(FileFormat::Po, text.as_bytes());
        list.into_iter().map(shown).collect()
    }

    fn with_rule(rule: &str, forms: &str) -> Vec<String> {
        let entry = format!("\nmsgid \"a\"\nmsgid_plural \"b\"\n{forms}");
        found(&format!("{HEADER}\"Plural-Forms: {rule}\\n\"\n{entry}"))
    }

    #[test]
    fn a_complete_file_has_no_faults() {
        let two = "msgstr[0] \"x\"\nmsgstr[1] \"y\"\n";
        assert!(with_rule("nplurals=2; plural=(n != 1);", two).is_empty());
        let untranslated = "msgstr[0] \"\"\nmsgstr[1] \"\"\n";
        let initial = "\"PO-Revision-Date: YEAR-MO-DA HO:MI+ZONE\\n\"\n";
        let template = format!(
            "msgid \"\"\nmsgstr \"\"\n{initial}\nmsgid \"a\"\nmsgid_plural \"b\"\n{untranslated}"
        );
        assert!(found(&template).is_empty());
        let no_plurals = format!("{HEADER}\"Plural-Forms: \\n\"\n\nmsgid \"a\"\nmsgstr \"b\"\n");
        assert!(found(&no_plurals).is_empty());
        assert!(found("")[0].contains("is empty"));
    }

    #[test]
    fn plural_forms_must_fit_the_header() {
        let two = "msgstr[0] \"x\"\nmsgstr[1] \"y\"\n";
        for (rule, problem) in [
            (
                "nplurals=3; plural=n%3;",
                "has 2 plural forms, but the header declares 3",
            ),
            ("nplurals=2; plural=n%3;", "gives form 2 for 2"),
            ("nplurals=2; plural=5%n>3;", "divides by zero for 0"),
            (
                "nplurals=2; plural=n !;",
                "The formula 'n !' of Plural-Forms is invalid",
            ),
            ("nplurals=2", "expected 'nplurals=NUMBER"),
            (
                "nplurals=0; plural=0;",
                "The formula '0' of Plural-Forms is invalid",
            ),
        ] {
            let found = with_rule(rule, two);
            assert!(found[0].contains(problem), "{rule}: {found:?}");
        }
        let fuzzy = "\"Plural-Forms: nplurals=3; plural=n%3;\\n\"\n\n#, fuzzy\nmsgid \"a\"\nmsgid_plural \"b\"\n";
        assert!(found(&format!("{HEADER}{fuzzy}{two}")).is_empty());
        let none = found(&format!("{HEADER}\nmsgid \"a\"\nmsgid_plural \"b\"\n{two}"));
        assert!(none[0].contains("no valid Plural-Forms"), "{none:?}");
    }

    #[test]
    fn forms_that_no_program_needs_are_no_fault_of_the_forms() {
        let part = |rule: &str, forms: &str| {
            let entry = format!("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"x\"\n{forms}");
            let text = format!("{HEADER}{rule}\n{entry}");
            match faults(FileFormat::Po, text.as_bytes()).remove(0).kind {
                FaultKind::Invalid { part, .. } => part,
                other => panic!("{other:?}"),
            }
        };
        let one = "\"Plural-Forms: nplurals=1; plural=0;\\n\"\n";
        let initial = "\"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n\"\n";
        let third = "msgstr[1] \"y\"\nmsgstr[2] \"z\"\n";
        for (rule, forms, wanted) in [
            (one, "msgstr[1] \"\"\n", InvalidPart::MinorPluralForms),
            (one, "msgstr[1] \"x\"\n", InvalidPart::MinorPluralForms),
            (one, "msgstr[1] \"y\"\n", InvalidPart::PluralForms),
            ("", "msgstr[1] \"y\"\n", InvalidPart::MinorPluralForms),
            (initial, "msgstr[1] \"y\"\n", InvalidPart::MinorPluralForms),
            (initial, third, InvalidPart::PluralForms),
        ] {
            assert_eq!(part(rule, forms), wanted, "{rule}{forms}");
        }
    }

    #[test]
    fn a_header_has_all_fields_and_no_initial_values() {
        let entry = "msgid \"a\"\nmsgstr \"b\"\n";
        assert!(found(entry)[0].contains("no header"));
        let initial = HEADER.replace("UTF-8", "CHARSET").replace("MIME", "X");
        let found = found(&format!("{initial}\n{entry}"));
        let [missing, initial] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert!(missing.contains("lacks fields: MIME-Version;"), "{missing}");
        assert!(
            initial.contains("initial values: Content-Type;"),
            "{initial}"
        );
    }

    #[test]
    fn what_tools_refuse_and_readers_accept_is_found() {
        let problem = |entry: &str| {
            let rule = "\"Plural-Forms: nplurals=2; plural=n!=1;\\n\"\n";
            found(&format!("{HEADER}{rule}\n{entry}"))
        };
        assert_eq!(
            problem("msgid \"a\"\nmsgstr \"\\q\\n\\\\q\\x41\"\n"),
            ["\\q"]
        );
        assert!(problem("# \\q\nmsgid \"a\"\nmsgstr \"b\"\n").is_empty());
        let forms = "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"x\"\nmsgstr[0] \"y\"\n";
        assert!(problem(forms)[0].contains("not numbered"));
        assert!(problem("msgid \"a\"\n")[0].contains("no msgstr"));
    }

    #[test]
    fn an_entry_occurs_once() {
        let text = "msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgid_plural \"c\"\nmsgstr[0] \"\"\n\n\
            msgctxt \"x\"\nmsgid \"a\"\nmsgstr \"b\"\n\n#~ msgid \"a\"\n#~ msgstr \"b\"\n";
        let found = found(&format!("{HEADER}\n{text}"));
        let first = HEADER.len() + 1;
        let obsolete = HEADER.len() + 1 + text.find("#~").unwrap() + 3;
        let second = [first + 22, obsolete].map(|second| format!("{second} {first}"));
        assert_eq!(found, second);
    }
}
