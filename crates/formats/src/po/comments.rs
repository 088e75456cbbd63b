//! The comments of an entry: notes, references, flags and previous texts.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::entry::add_line;

/// The comments above an entry.
#[derive(Default)]
pub(super) struct Comments {
    /// Lines of translators, and those of the source.
    translator: String,
    extracted: String,
    /// References with commas between them.
    references: String,
    flags: BTreeSet<String>,
    pub(super) fuzzy: bool,
}

impl Comments {
    /// Adds a line that begins with `#` and is neither obsolete nor a previous text.
    pub(super) fn add(&mut self, line: &str) {
        let mut characters = line.chars();
        characters.next();
        let rest = characters.as_str();
        match characters.next() {
            Some('.') => add_note(&mut self.extracted, after_first(characters.as_str())),
            Some(':') => self.add_references(characters.as_str()),
            Some(',') => self.add_flags(characters.as_str()),
            _ => add_note(&mut self.translator, after_first(rest)),
        }
    }

    /// Words are references; `%20` is a space.
    fn add_references(&mut self, line: &str) {
        for reference in line.split_whitespace() {
            if !self.references.is_empty() {
                self.references.push_str(", ");
            }
            if reference.contains('%') {
                self.references.push_str(&reference.replace("%20", " "))
            } else {
                self.references.push_str(reference)
            }
        }
    }

    /// All runs of letters, digits, `_`, `-` and `:` are flags.
    fn add_flags(&mut self, line: &str) {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':');
        let words = line
            .split(|c| !is_word(c))
            .map(|word| word.trim_matches(':'));
        for flag in words.filter(|flag| !flag.is_empty()) {
            // Weblate 3.4 searches the word.
            self.fuzzy |= flag.contains("fuzzy");
            if flag != "fuzzy" {
                self.flags.insert(flag.to_owned());
            }
        }
    }

    /// The notes of translators, then those of the source.
    pub(super) fn note(&self) -> Cow<'_, str> {
        match (&*self.translator, &*self.extracted) {
            (note, "") | ("", note) => Cow::Borrowed(note),
            (translator, extracted) => Cow::Owned([translator, extracted].join("\n")),
        }
    }

    pub(super) fn locations(&self) -> &str {
        &self.references
    }

    pub(super) fn flags(&self) -> String {
        let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        flags.join(", ")
    }
}

/// Adds a line to notes, unless it is blank.
fn add_note(notes: &mut String, note: &str) {
    if !note.trim().is_empty() {
        add_line(notes, note);
    }
}

/// A text without its first character, the space after the mark.
fn after_first(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next();
    characters.as_str()
}
