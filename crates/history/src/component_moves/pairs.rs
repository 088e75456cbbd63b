//! Which strings that a change removes from components and adds to others are one (docs/spec/renames.md#evidence).

use crate::string_renames::{
    RenameCandidate, RenameInput, RenameSide, StringRename, TextNumbers, find_string_renames,
};

/// The strings that a change removes from components of a project and adds to them, with their texts.
pub struct ChangedTexts<'a> {
    /// The languages of the components, ascending.
    languages: Vec<&'a str>,
    numbers: TextNumbers<'a>,
    removed: Strings<'a>,
    added: Strings<'a>,
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
    /// No strings of components with these languages.
    pub fn new(languages: impl Iterator<Item = &'a str>) -> Self {
        let mut languages: Vec<&str> = languages.collect();
        languages.sort_unstable();
        languages.dedup();
        Self {
            languages,
            numbers: TextNumbers::default(),
            removed: Strings::default(),
            added: Strings::default(),
        }
    }

    fn strings(&mut self, side: RenameSide) -> &mut Strings<'a> {
        match side {
            RenameSide::Before => &mut self.removed,
            RenameSide::After => &mut self.added,
        }
    }

    /// Adds a string, given its key as people see it and its source. Returns its index; those of a component are in the
    /// order of its files.
    pub fn add(
        &mut self,
        side: RenameSide,
        component: usize,
        name: &'a str,
        source: &'a str,
    ) -> usize {
        let candidate = RenameCandidate {
            name,
            source: self.numbers.number(source),
            twin: None,
        };
        let texts = vec![None; self.languages.len()];
        let strings = self.strings(side);
        strings.components.push(component);
        strings.candidates.push(candidate);
        strings.texts.push(texts);
        strings.texts.len() - 1
    }

    /// Sets the text of a string in a language.
    pub fn set_text(&mut self, side: RenameSide, at: usize, language: &str, text: &'a str) {
        if let Ok(language) = self.languages.binary_search(&language) {
            let number = self.numbers.number(text);
            if let Some(texts) = self.strings(side).texts.get_mut(at) {
                texts[language] = Some(number);
            }
        }
    }

    /// The removed strings that are now strings of other components, in the order of the added ones. The rules of a component
    /// decide about its own strings.
    pub fn pairs(&self, is_bilingual: bool) -> Vec<StringRename> {
        let (removed, added) = (&self.removed, &self.added);
        let mut pairs = find_string_renames(&RenameInput {
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
            previous_source: &|_, _| None,
            text: &|number| self.numbers.text(number),
            is_bilingual,
        });
        pairs.retain(|pair| removed.components[pair.removed] != added.components[pair.added]);
        pairs
    }

    /// The languages in which an added string has a text, each with whether it is that of a removed one.
    pub fn languages(&self, pair: StringRename) -> impl Iterator<Item = (&'a str, bool)> {
        let texts = self.added.texts[pair.added].iter();
        let texts = texts.zip(&self.removed.texts[pair.removed]);
        let languages = self.languages.iter().zip(texts);
        languages.filter_map(|(language, (text, old))| text.map(|_| (*language, text == old)))
    }
}
