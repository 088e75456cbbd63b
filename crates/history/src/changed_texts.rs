//! The strings that a change removes and adds, by component, with the numbers of their texts.

use crate::string_renames::{
    RenameCandidate, RenameInput, RenameSide, StringRename, find_string_renames,
};
use gitglot_model::SeededMap;

/// The strings that a change removes from components and adds to them, with their texts.
pub struct ChangedTexts<'a> {
    /// The names by which texts are compared, ascending.
    languages: Vec<&'a str>,
    numbers: TextNumbers<'a>,
    removed: Strings<'a>,
    added: Strings<'a>,
    /// The earlier source texts that files name, as the texts of added strings. Empty if no file names one.
    previous_sources: Vec<Option<u32>>,
}

/// The numbers of texts: equal texts have equal numbers.
#[derive(Default)]
struct TextNumbers<'a> {
    numbers: SeededMap<&'a str, u32>,
    texts: Vec<&'a str>,
}

impl<'a> TextNumbers<'a> {
    fn number(&mut self, text: &'a str) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u32 - 1
        })
    }
}

/// The strings that a change removes, or adds.
#[derive(Default)]
struct Strings<'a> {
    /// The component of each.
    components: Vec<usize>,
    candidates: Vec<RenameCandidate<'a>>,
    /// The numbers of the texts: those of the first string in each language, then those of the next one. `None` if
    /// there is none.
    texts: Vec<Option<u32>>,
}

impl<'a> ChangedTexts<'a> {
    /// No strings yet. `languages` are the names by which texts are compared: codes of languages, or the paths of
    /// files if only one component is compared.
    pub fn new(languages: impl Iterator<Item = &'a str>) -> Self {
        let mut languages: Vec<&str> = languages.collect();
        languages.sort_unstable();
        languages.dedup();
        Self {
            languages,
            numbers: TextNumbers::default(),
            removed: Strings::default(),
            added: Strings::default(),
            previous_sources: Vec::new(),
        }
    }

    /// The index of a language.
    pub fn language(&self, name: &str) -> Option<usize> {
        self.languages.binary_search(&name).ok()
    }

    /// The index of the text of a string in a language.
    fn place(&self, at: usize, language: usize) -> usize {
        at * self.languages.len() + language
    }

    fn strings(&mut self, side: RenameSide) -> &mut Strings<'a> {
        match side {
            RenameSide::Before => &mut self.removed,
            RenameSide::After => &mut self.added,
        }
    }

    /// Adds a string, given its key as people see it, its source, and of a key that exists in both states its index on
    /// the other side. Returns its index; those of a component are in the order of its files.
    pub fn add(
        &mut self,
        side: RenameSide,
        component: usize,
        name: &'a str,
        source: &'a str,
        twin: Option<usize>,
    ) -> usize {
        let candidate = RenameCandidate {
            name,
            source: self.numbers.number(source),
            twin,
        };
        let languages = self.languages.len();
        let strings = self.strings(side);
        strings.components.push(component);
        strings.candidates.push(candidate);
        strings
            .texts
            .resize(strings.candidates.len() * languages, None);
        strings.candidates.len() - 1
    }

    /// Sets the text of a string in a language, by their indexes.
    pub fn set_text(&mut self, side: RenameSide, at: usize, language: usize, text: &'a str) {
        let number = self.numbers.number(text);
        let place = self.place(at, language);
        self.strings(side).texts[place] = Some(number);
    }

    /// Notes the source text that the file of a language names as the earlier one of an added string.
    pub fn set_previous_source(&mut self, added: usize, language: usize, source: &'a str) {
        let number = self.numbers.number(source);
        let place = self.place(added, language);
        self.previous_sources.resize(self.added.texts.len(), None);
        self.previous_sources[place] = Some(number);
    }

    /// The removed strings that have new keys, in the order of the added ones.
    pub fn renames(&self, is_bilingual: bool) -> Vec<StringRename> {
        let (removed, added) = (&self.removed, &self.added);
        find_string_renames(&RenameInput {
            removed: &removed.candidates,
            added: &added.candidates,
            languages: self.languages.len(),
            translation: &|side, at, language| {
                let strings = match side {
                    RenameSide::Before => removed,
                    RenameSide::After => added,
                };
                *strings.texts.get(self.place(at, language))?
            },
            previous_source: &|added, language| {
                *self.previous_sources.get(self.place(added, language))?
            },
            text: &|number| self.numbers.texts[number as usize],
            is_bilingual,
        })
    }

    /// The removed strings that other components have now. The rules of a component decide first about its own strings.
    pub fn moves(&self, is_bilingual: bool) -> Vec<StringRename> {
        let (old, new) = (&self.removed.components, &self.added.components);
        let mut moves = self.renames(is_bilingual);
        moves.retain(|pair| old[pair.removed] != new[pair.added]);
        moves
    }

    /// Whether an added string has a text in a language.
    pub fn has_text(&self, added: usize, language: usize) -> bool {
        self.added.texts[self.place(added, language)].is_some()
    }

    /// The languages in which an added string has a text, each with whether it is that of the removed one.
    pub fn languages(&self, pair: StringRename) -> impl Iterator<Item = (&'a str, bool)> {
        let texts = &self.added.texts[self.place(pair.added, 0)..];
        let texts = texts
            .iter()
            .zip(&self.removed.texts[self.place(pair.removed, 0)..]);
        let languages = self.languages.iter().zip(texts);
        languages.filter_map(|(language, (text, old))| text.map(|_| (*language, text == old)))
    }
}
