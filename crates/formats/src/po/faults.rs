//! Faults of files that parse, as `msgfmt --check` reports them (`docs/spec/formats.md#faults-of-po-files`).

use super::entry::Entry;
use super::{header, parse};
use crate::faults::{FaultKind, FaultList, InvalidPart, Names};
use gitglot_model::language::PluralRule;
use gitglot_model::{PLURAL_SEPARATOR, Shape};

/// The fields that a header must have, and their values in a file that nobody filled in.
const FIELDS: [(&str, &str); 3] = [
    ("MIME-Version", ""),
    ("Content-Type", "text/plain; charset=CHARSET"),
    ("Content-Transfer-Encoding", "ENCODING"),
];

/// Adds the faults of a file.
pub(crate) fn faults(text: &str, list: &mut FaultList) {
    let mut found = PoFaults {
        list,
        names: Names::default(),
        forms: None,
        has_header: false,
        has_entries: false,
        first_plural: None,
    };
    // A file that does not parse has an error, not faults.
    let _ = parse::entries(text, &mut |entry| {
        found.entry(&entry);
        true
    });
    found.finish();
}

struct PoFaults<'l> {
    list: &'l mut FaultList,
    names: Names<String, usize>,
    /// The number of plural forms that the header declares.
    forms: Option<usize>,
    has_header: bool,
    has_entries: bool,
    /// Where the first entry with plural forms begins that follows no rule.
    first_plural: Option<usize>,
}

impl PoFaults<'_> {
    fn entry(&mut self, entry: &Entry) {
        if let Some(header) = entry.header() {
            if !self.has_header {
                self.has_header = true;
                self.header(header, entry.start);
            }
            return;
        }
        if entry.obsolete || entry.texts.is_empty() {
            return;
        }
        self.has_entries = true;
        let (context, source) = entry.identity();
        let key = Shape::bilingual_key(context, &source);
        // Tools identify an entry by context and singular, and refuse a second one, whatever its texts are.
        let singular = source.split(PLURAL_SEPARATOR).next().unwrap_or_default();
        let name = Shape::bilingual_key(context, singular);
        if let Some(kind) = self.names.add(name, entry.start, entry.start) {
            self.list.push(&key, entry.start, kind);
        }
        self.plural_forms(entry, &key);
    }

    fn header(&mut self, text: &str, at: usize) {
        // A template has initial values, which each new file replaces.
        let revision = header::field(text, "PO-Revision-Date");
        if revision.is_some_and(|date| date.trim().starts_with("YEAR")) {
            return;
        }
        let mut add = |problem: String| self.list.push("", at, header_fault(problem));
        for (name, initial) in FIELDS {
            match header::field(text, name).map(str::trim) {
                None => add(format!("The header has no field {name}: add it.")),
                Some(value) if !initial.is_empty() && value.eq_ignore_ascii_case(initial) => {
                    add(format!(
                        "The field {name} of the header has its initial value: set it."
                    ));
                }
                Some(_) => {}
            }
        }
        let Some(value) = header::field(text, "Plural-Forms") else {
            return;
        };
        match declared(value) {
            Ok(forms) => self.forms = Some(forms),
            Err(problem) => self.list.push("", at, plural_fault(problem)),
        }
    }

    /// Compares the number of forms of an entry with the header.
    fn plural_forms(&mut self, entry: &Entry, key: &str) {
        if entry.plural.is_none() || entry.texts.iter().all(|(_, text)| text.is_empty()) {
            return;
        }
        let Some(forms) = self.forms else {
            self.first_plural.get_or_insert(entry.start);
            return;
        };
        let found = entry.texts.len();
        if found != forms {
            let problem = format!(
                "The text has {found} plural forms, but the header declares {forms}: write one for each."
            );
            self.list.push(key, entry.start, plural_fault(problem));
        }
    }

    fn finish(self) {
        if self.has_entries && !self.has_header {
            let problem = "The file has no header: add an entry with an empty msgid.".to_owned();
            self.list.push("", 0, header_fault(problem));
        }
        if let Some(at) = self.first_plural {
            let problem =
                "The file has plural forms, but its header has no valid Plural-Forms: add it."
                    .to_owned();
            self.list.push("", at, plural_fault(problem));
        }
    }
}

/// The number of forms of a rule.
fn declared(value: &str) -> Result<usize, String> {
    let value = value.trim();
    let expected =
        || format!("Plural-Forms is '{value}': expected 'nplurals=NUMBER; plural=FORMULA;'.");
    let (_, count) = value.split_once("nplurals=").ok_or_else(expected)?;
    let (count, rest) = count.split_once(';').ok_or_else(expected)?;
    let count: usize = count.trim().parse().map_err(|_| expected())?;
    let (_, formula) = rest.split_once("plural=").ok_or_else(expected)?;
    let formula = formula.trim().trim_end_matches(';').trim();
    let rule = (count > 0)
        .then(|| PluralRule::parse(count, formula))
        .flatten();
    let rule =
        rule.ok_or_else(|| format!("The formula '{formula}' of Plural-Forms is invalid."))?;
    match rule.undeclared_form() {
        Some((number, form)) => Err(format!(
            "Plural-Forms declares {count} forms, but its formula gives form {form} for {number}, counted from 0."
        )),
        None => Ok(count),
    }
}

fn header_fault(problem: String) -> FaultKind {
    FaultKind::Invalid {
        part: InvalidPart::Header,
        problem,
    }
}

fn plural_fault(problem: String) -> FaultKind {
    FaultKind::Invalid {
        part: InvalidPart::PluralForms,
        problem,
    }
}

#[cfg(test)]
mod tests {
    use crate::{FaultKind, faults};
    use gitglot_model::FileFormat;

    const HEADER: &str = "msgid \"\"\nmsgstr \"\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\
        \"Content-Transfer-Encoding: 8bit\\n\"\n";

    fn found(text: &str) -> Vec<String> {
        let shown = |fault: crate::Fault| match fault.kind {
            FaultKind::Duplicate { first, .. } => format!("{} {first}", fault.offset),
            FaultKind::Invalid { problem, .. } => problem,
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
        assert!(found("").is_empty());
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
        let none = found(&format!("{HEADER}\nmsgid \"a\"\nmsgid_plural \"b\"\n{two}"));
        assert!(none[0].contains("no valid Plural-Forms"), "{none:?}");
    }

    #[test]
    fn a_header_has_all_fields_and_no_initial_values() {
        let entry = "msgid \"a\"\nmsgstr \"b\"\n";
        assert!(found(entry)[0].contains("no header"));
        let initial = HEADER.replace("UTF-8", "CHARSET").replace("MIME", "X");
        let found = found(&format!("{initial}\n{entry}"));
        assert!(found[0].contains("no field MIME-Version"), "{found:?}");
        assert!(found[1].contains("Content-Type"), "{found:?}");
    }

    #[test]
    fn an_entry_occurs_once() {
        let text = "msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgid_plural \"c\"\nmsgstr[0] \"\"\n\n\
            msgctxt \"x\"\nmsgid \"a\"\nmsgstr \"b\"\n\n#~ msgid \"a\"\n#~ msgstr \"b\"\n";
        let found = found(&format!("{HEADER}\n{text}"));
        let first = HEADER.len() + 1;
        assert_eq!(found, [format!("{} {first}", first + 22)]);
    }
}
