//! The texts that differ between two states of a component, for people who review a change.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::file::{ParsedFile, shown};
use super::side::{ComponentSide, LanguageFile};

/// A text that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextDifference {
    /// The language code.
    pub language: Arc<str>,
    /// The file at the head, or at the base if the head lacks it.
    pub file: Arc<str>,
    /// Whether the file is the template.
    pub is_source: bool,
    /// The key.
    pub key: String,
    /// The text at the base; `None` if it lacks the key.
    pub before: Option<String>,
    /// The text at the head; `None` if it lacks the key.
    pub after: Option<String>,
}

/// The texts that differ between two states, the template first, then by file and in the order of the file. Reads only
/// files with different contents that parse. Returns at most `limit` texts, and how many there are.
pub fn differences(
    base: &ComponentSide,
    head: &ComponentSide,
    language: Option<&str>,
    limit: usize,
) -> (Vec<TextDifference>, usize) {
    let mut found = Differences {
        list: Vec::new(),
        limit,
        count: 0,
    };
    let is_selected = |file: &&LanguageFile| {
        language.is_none_or(|code| *code == *file.language.code) && file.content.error.is_none()
    };
    found.compare(
        base.template.as_ref().filter(is_selected),
        head.template.as_ref().filter(is_selected),
        true,
    );
    let mut pairs: BTreeMap<&str, [Option<&LanguageFile>; 2]> = BTreeMap::new();
    for (side, files) in [(0, &base.languages), (1, &head.languages)] {
        for file in files.iter().filter(is_selected) {
            if let Some(slot) = pairs.entry(&file.language.code).or_default().get_mut(side) {
                *slot = Some(file);
            }
        }
    }
    for [before, after] in pairs.into_values() {
        found.compare(before, after, false);
    }
    (found.list, found.count)
}

struct Differences {
    list: Vec<TextDifference>,
    limit: usize,
    count: usize,
}

impl Differences {
    fn compare(
        &mut self,
        before: Option<&LanguageFile>,
        after: Option<&LanguageFile>,
        is_source: bool,
    ) {
        let Some(file) = after.or(before) else { return };
        if before.map(|file| file.blob) == after.map(|file| file.blob) {
            return;
        }
        let old = before.map_or_else(FxHashMap::default, by_key);
        let texts = |file: Option<&LanguageFile>, at: Option<usize>| -> Option<String> {
            Some(shown(file?.content.text(at?)))
        };
        let new = after.map_or_else(FxHashMap::default, by_key);
        let entries = |file: &LanguageFile| {
            let keys = (0..file.content.len()).map(|at| file.content.key(at).to_owned());
            keys.collect::<Vec<_>>()
        };
        let mut keys = after.map(entries).unwrap_or_default();
        let removed = before.map(entries).unwrap_or_default();
        keys.extend(removed.into_iter().filter(|key| !new.contains_key(&**key)));
        let mut last = None;
        for key in keys {
            let (old, new) = (old.get(&*key).copied(), new.get(&*key).copied());
            let (was, is) = (texts(before, old), texts(after, new));
            if was == is || last.as_ref() == Some(&key) {
                continue;
            }
            self.count += 1;
            if self.list.len() < self.limit {
                self.list.push(TextDifference {
                    language: file.language.code.clone(),
                    file: file.path.clone(),
                    is_source,
                    key: key.clone(),
                    before: was,
                    after: is,
                });
            }
            last = Some(key);
        }
    }
}

fn by_key(file: &LanguageFile) -> FxHashMap<&str, usize> {
    let content: &ParsedFile = &file.content;
    (0..content.len())
        .filter(|&at| content.is_translatable(at))
        .map(|at| (content.key(at), at))
        .collect()
}
