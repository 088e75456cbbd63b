//! The comments of an entry: notes, references, flags and previous texts.

use std::collections::BTreeSet;

/// The comments above an entry.
#[derive(Default)]
pub(super) struct Comments {
    translator: Vec<String>,
    extracted: Vec<String>,
    references: Vec<String>,
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
            Some('.') => {
                let note = after_first(characters.as_str());
                self.extracted
                    .extend(Some(note).filter(|note| !note.trim().is_empty()));
            }
            Some(':') => self.references.extend(references(characters.as_str())),
            Some(',') => self.add_flags(characters.as_str()),
            _ => {
                let note = after_first(rest);
                if !note.trim().is_empty() {
                    self.translator.push(note);
                }
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
    pub(super) fn note(&self) -> String {
        let notes: Vec<&str> = self
            .translator
            .iter()
            .chain(&self.extracted)
            .map(String::as_str)
            .collect();
        notes.join("\n")
    }

    pub(super) fn locations(&self) -> String {
        self.references.join(", ")
    }

    pub(super) fn flags(&self) -> String {
        let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        flags.join(", ")
    }
}

/// A text without its first character, the space after the mark.
fn after_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next();
    characters.as_str().to_owned()
}

/// The references of a line; `%20` is a space.
fn references(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split_whitespace()
        .map(|reference| reference.replace("%20", " "))
}
