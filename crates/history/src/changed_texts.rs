//! The strings that a change removes and adds, by component, with the numbers of their texts.

use crate::string_renames::{
    RenameCandidate, RenameInput, RenameSide, StringRename, find_string_renames,
};
use gitglot_model::SeededMap;

/// The strings that a change removes from components and adds to them, with their texts.
pub struct ChangedTexts<'a> {
    /// The languages of the components, ascending.
    languages: Vec<&'a str>,
    numbers: TextNumbers<'a>,
    removed: Strings<'a>,
    added: Strings<'a>,
    /// The earlier source texts that files name, by added string and language.
    previous_sources: SeededMap<(usize, usize), u32>,
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
    /// The number of the text of each string in each language; `None` if there is none.
    texts: Vec<Vec<Option<u32>>>,
}

impl<'a> ChangedTexts<'a> {
    /// No strings of components with these languages, or with files with these paths.
    pub fn new(languages: impl Iterator<Item = &'a str>) -> Self {
        let mut languages: Vec<&str> = languages.collect();
        languages.sort_unstable();
        languages.dedup();
        Self {
            languages,
            numbers: TextNumbers::default(),
            removed: Strings::default(),
            added: Strings::default(),
            previous_sources: SeededMap::default(),
        }
    }

    /// The index of a language.
    pub fn language(&self, name: &str) -> Option<usize> {
        self.languages.binary_search(&name).ok()
    }

    fn strings(&mut self, side: RenameSide) -> &mut Strings<'a> {
        match side {
            RenameSide::Before => &mut self.removed,
            RenameSide::After => &mut self.added,
        }
    }

    /// Adds a string, given its key as people see it, its source, and of a key that exists in both states its index on the
    /// other side. Returns its index; those of a component are in the order of its files.
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
        let texts = vec![None; self.languages.len()];
        let strings = self.strings(side);
        strings.components.push(component);
        strings.candidates.push(candidate);
        strings.texts.push(texts);
        strings.texts.len() - 1
    }

    /// Sets the text of a string in a language, by their indexes.
    pub fn set_text(&mut self, side: RenameSide, at: usize, language: usize, text: &'a str) {
        let number = self.numbers.number(text);
        self.strings(side).texts[at][language] = Some(number);
    }

    /// Notes the source text that the file of a language names as the earlier one of an added string.
    pub fn set_previous_source(&mut self, added: usize, language: usize, source: &'a str) {
        let number = self.numbers.number(source);
        self.previous_sources.insert((added, language), number);
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
                *strings.texts.get(at)?.get(language)?
            },
            previous_source: &|added, language| {
                self.previous_sources.get(&(added, language)).copied()
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
        self.added.texts[added][language].is_some()
    }

    /// The languages in which an added string has a text, each with whether it is that of the removed one.
    pub fn languages(&self, pair: StringRename) -> impl Iterator<Item = (&'a str, bool)> {
        let texts = self.added.texts[pair.added].iter();
        let texts = texts.zip(&self.removed.texts[pair.removed]);
        let languages = self.languages.iter().zip(texts);
        languages.filter_map(|(language, (text, old))| text.map(|_| (*language, text == old)))
    }
}
