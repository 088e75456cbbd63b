//! Translated strings with similar source texts: they show the terms that the translations of a language use.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{TodoComponent, TodoExample, list};
use crate::align::{Aligned, TemplateStrings};
use crate::finding::report_key;
use gitglot_model::{SeededMap, SeededSet};

/// The most examples of a string.
const MAX_EXAMPLES: usize = 5;
/// The most similar strings that are considered, of which some have no translation.
const MAX_CANDIDATES: usize = 60;
/// The most words of a text that count.
const MAX_WORDS: usize = 64;
/// The most strings with common words that are compared with one text, the rarest words first.
const MAX_COMPARED: usize = 4_000;
/// The least part of the weight of two texts that they share.
const LEAST_SCORE: f32 = 0.25;
/// The most bytes of the source text of an example.
const MAX_BYTES: usize = 2_000;

/// A component with its strings.
type IndexedComponent<'a> = (&'a TodoComponent<'a>, TemplateStrings<'a>);

/// A string: the index of its component, and its row.
type StringIndex = (u32, u32);

/// An index of source texts by word.
pub(super) struct Examples<'a> {
    components: &'a [IndexedComponent<'a>],
    strings: Vec<StringIndex>,
    /// For each word, the strings that have it, ascending.
    by_word: SeededMap<String, Vec<u32>>,
    /// The weight of each string: the sum of those of its words.
    weights: Vec<f32>,
    /// The most similar strings of each text that was asked for.
    similar: SeededMap<StringIndex, Vec<u32>>,
    /// The translations by component and language.
    aligned: HashMap<(u32, Box<str>), Option<Aligned<'a>>>,
}

impl<'a> Examples<'a> {
    pub(super) fn new(components: &'a [IndexedComponent<'a>]) -> Self {
        let (mut strings, mut texts) = (Vec::new(), Vec::new());
        let mut by_word: SeededMap<String, Vec<u32>> = SeededMap::default();
        for (at, (_, rows)) in (0..).zip(components) {
            for row in (0..rows.len()).filter(|&row| rows.source(row).len() <= MAX_BYTES) {
                let words = words(rows.source(row));
                for word in &words {
                    let list = by_word.entry(word.clone()).or_default();
                    list.push(strings.len() as u32);
                }
                strings.push((at, row as u32));
                texts.push(words);
            }
        }
        let weight = |word: &String| weight(strings.len(), by_word.get(word).map_or(0, Vec::len));
        let weights = texts.iter().map(|words| words.iter().map(weight).sum());
        Self {
            weights: weights.collect(),
            components,
            strings,
            by_word,
            similar: SeededMap::default(),
            aligned: HashMap::new(),
        }
    }

    /// The examples for a string in a language. `has_work` says that a translation is no example.
    pub(super) fn of(
        &mut self,
        component: usize,
        row: usize,
        language: &str,
        has_work: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<TodoExample> {
        let index = (component as u32, row as u32);
        if !self.similar.contains_key(&index) {
            let similar = self.find_similar(index);
            self.similar.insert(index, similar);
        }
        let similar = self.similar.get(&index).cloned().unwrap_or_default();
        let mut found = Vec::new();
        let mut seen: SeededSet<(&str, &str)> = SeededSet::default();
        for string in similar {
            let (component, row) = self.strings[string as usize];
            let (at, row) = (component as usize, row as usize);
            let (other, rows) = &self.components[at];
            let aligned = self.aligned.entry((component, language.into()));
            let aligned = aligned.or_insert_with(|| {
                let mut files = other.head.languages.iter();
                let file = files.find(|file| *file.language.code == *language)?;
                Some(Aligned::new(&file.content, rows))
            });
            let Some(aligned) = aligned else { continue };
            let Some(translation) = aligned.translation(row) else {
                continue;
            };
            let entry = aligned.entry(row);
            let is_fuzzy = || entry.is_some_and(|entry| aligned.file.is_fuzzy(entry));
            let source = rows.source(row);
            if is_fuzzy() || has_work(at, row) || !seen.insert((source, translation)) {
                continue;
            }
            found.push(TodoExample {
                key: report_key(rows.file.format(), rows.key(row)),
                source: list(source),
                translation: list(translation),
            });
            if found.len() == MAX_EXAMPLES {
                break;
            }
        }
        found
    }

    /// The strings whose source texts share most of the weight of their words with a text, the most similar first.
    fn find_similar(&self, index: StringIndex) -> Vec<u32> {
        let (component, rows) = &self.components[index.0 as usize];
        let words = words(rows.source(index.1 as usize));
        let lists = words.iter().filter_map(|word| self.by_word.get(word));
        let mut lists: Vec<&Vec<u32>> = lists.collect();
        lists.sort_by_key(|list| list.len());
        let weight = |list: &Vec<u32>| weight(self.strings.len(), list.len());
        let own_weight: f32 = lists.iter().map(|list| weight(list)).sum();
        let mut shared: SeededMap<u32, f32> = SeededMap::default();
        let mut compared = 0;
        for list in lists {
            compared += list.len();
            if compared > MAX_COMPARED && !shared.is_empty() {
                break;
            }
            for &string in list.iter().take(MAX_COMPARED) {
                *shared.entry(string).or_default() += weight(list);
            }
        }
        let is_comparable = |string: u32| {
            let string = self.strings[string as usize];
            let (other, _) = &self.components[string.0 as usize];
            string != index && other.spec.source_language == component.spec.source_language
        };
        let mut found: Vec<(u32, u32)> = shared
            .into_iter()
            .filter(|&(string, _)| is_comparable(string))
            .map(|(string, shared)| {
                let all = own_weight + self.weights[string as usize] - shared;
                ((shared / all.max(f32::MIN_POSITIVE) * 1e6) as u32, string)
            })
            .filter(|&(score, _)| score as f32 >= LEAST_SCORE * 1e6)
            .collect();
        found.sort_unstable_by_key(|&(score, string)| (Reverse(score), string));
        found.truncate(MAX_CANDIDATES);
        found.into_iter().map(|(_, string)| string).collect()
    }
}

/// The weight of a word that some of all strings have.
fn weight(all: usize, with: usize) -> f32 {
    (1.0 + all as f32 / with.max(1) as f32).ln()
}

/// The different words of a text in lower case, in order.
fn words(text: &str) -> Vec<String> {
    let mut seen = SeededSet::default();
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .map(str::to_lowercase)
        .filter(|word| seen.insert(word.clone()))
        .collect()
}
