//! Suggests names that need no translation: words that begin with a capital letter in the template, and that nearly all
//! translations keep.

use std::collections::{BTreeMap, HashMap, HashSet};

/// The most words of all templates that are counted, and that are suggested.
const MAX_WORDS: usize = 4096;
const MAX_SUGGESTED: usize = 30;

/// The texts that must have a name, and the translations of them that are counted at least.
const MIN_TEXTS: usize = 2;
const MIN_TRANSLATIONS: usize = 6;

/// Counts how often translations keep the words of templates.
#[derive(Default)]
pub(super) struct TermStatistics {
    words: BTreeMap<String, WordCounts>,
    /// Words that a template has in lower case.
    small: HashSet<String>,
    /// The texts of the present template with their words, by key.
    template: HashMap<String, (String, Vec<String>)>,
}

#[derive(Default)]
struct WordCounts {
    texts: usize,
    translations: usize,
    kept: usize,
}

impl TermStatistics {
    /// Begins with another template.
    pub(super) fn next_template(&mut self) {
        self.template.clear();
    }

    /// Counts the words of a text of the template.
    pub(super) fn add_source(&mut self, key: &str, text: &str) {
        let mut names = Vec::new();
        for word in words(text) {
            if !is_name(word) {
                let is_small = word.chars().all(char::is_lowercase);
                if is_small && self.small.len() < MAX_WORDS * 16 {
                    self.small.insert(word.to_owned());
                }
            } else if self.words.contains_key(word) || self.words.len() < MAX_WORDS {
                self.words.entry(word.to_owned()).or_default().texts += 1;
                names.push(word.to_owned());
            }
        }
        if !names.is_empty() {
            self.template
                .insert(key.to_owned(), (text.to_owned(), names));
        }
    }

    /// Counts the words that a translation keeps. A copy of a sentence is no translation.
    pub(super) fn add_translation(&mut self, key: &str, text: &str) {
        let Some((source, names)) = self.template.get(key) else {
            return;
        };
        if text.is_empty() || (text == source && words(text).nth(1).is_some()) {
            return;
        }
        let present: HashSet<&str> = words(text).collect();
        for name in names {
            if let Some(counts) = self.words.get_mut(name) {
                counts.translations += 1;
                counts.kept += usize::from(present.contains(&**name));
            }
        }
    }

    /// The names, the most frequent first.
    pub(super) fn names(&self) -> Vec<&str> {
        let is_kept = |(word, counts): &(&String, &WordCounts)| {
            counts.texts >= MIN_TEXTS
                && counts.translations >= MIN_TRANSLATIONS
                && counts.kept * 10 >= counts.translations * 9
                && !self.small.contains(&word.to_lowercase())
        };
        let mut found: Vec<_> = self.words.iter().filter(is_kept).collect();
        found.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.texts));
        let names = found.into_iter().map(|(word, _)| word.as_str());
        names.take(MAX_SUGGESTED).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// Whether a word can be a name that checks do not know: not an abbreviation, and no word with digits.
fn is_name(word: &str) -> bool {
    let (mut chars, letters) = (word.chars(), word.chars().count());
    let is_capital = chars.next().is_some_and(char::is_uppercase);
    is_capital && (3..=40).contains(&letters) && chars.any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_that_most_translations_keep() {
        let mut terms = TermStatistics::default();
        let texts = [
            ("a", "Open in Firefox"),
            ("b", "Firefox"),
            ("c", "Open the Interval"),
            ("d", "Interval of the open files"),
            ("e", "Acme"),
        ];
        for (key, text) in texts {
            terms.add_source(key, text);
        }
        let languages = [
            [
                "In Firefox öffnen",
                "Firefox",
                "Interval öffnen",
                "Interval",
            ],
            [
                "Ouvrir dans Firefox",
                "Firefox",
                "Ouvrir l’intervalle",
                "Intervalle",
            ],
            ["Firefoxで開く Firefox", "Firefox", "間隔を開く", "間隔"],
        ];
        for texts in languages {
            for (key, text) in ["a", "b", "c", "d"].into_iter().zip(texts) {
                terms.add_translation(key, text);
            }
        }
        assert_eq!(terms.names(), ["Firefox"]);
        // Copies of sentences do not count.
        for _ in 0..9 {
            terms.add_translation("c", "Open the Interval");
            terms.add_translation("d", "Interval of the open files");
        }
        assert_eq!(terms.names(), ["Firefox"]);
    }
}
