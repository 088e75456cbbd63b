//! The texts that today's strings had while other components had the strings (docs/spec/renames.md#other-components).

use std::ops::Range;

use super::month::month_of;
use gitglot_catalog::{ArrivedString, ChangeView, ComponentSnapshot};
use gitglot_model::{ComponentId, KeyId, SeededMap, TextId};

/// A string while a component had it.
struct Part {
    entries: Range<u32>,
    /// The month in which the string moved on.
    end: i64,
    /// Index of the component that has the string today, in the list of moved strings.
    string: usize,
}

/// The months in which a text appeared or disappeared.
pub(super) struct MovedText {
    /// Index of the month, and 1 or -1.
    pub(super) differences: Vec<(usize, i64)>,
    pub(super) has_text: bool,
    /// The month in which the string moved on, from which on the next component counts.
    pub(super) end: i64,
}

/// The entries of strings that other components have today.
pub(super) struct StringsElsewhere<'a> {
    components: Vec<&'a ComponentSnapshot>,
    parts: SeededMap<(ComponentId, KeyId), Vec<Part>>,
    /// By part, as component, key and first entry, and language.
    texts: SeededMap<((ComponentId, KeyId, u32), &'a str), MovedText>,
}

impl<'a> StringsElsewhere<'a> {
    pub(super) fn new(strings: Vec<ArrivedString<'a>>) -> Self {
        let mut found = Self {
            components: Vec::new(),
            parts: SeededMap::default(),
            texts: SeededMap::default(),
        };
        for (at, string) in strings.into_iter().enumerate() {
            found.components.push(string.component);
            for part in string.parts {
                let list = found.parts.entry((part.component, part.key)).or_default();
                list.push(Part {
                    entries: part.entries,
                    end: month_of(part.end),
                    string: at,
                });
            }
        }
        found
    }

    /// Counts an entry of a string that its component no longer has. `month` is the index of its month.
    pub(super) fn read(&mut self, view: &ChangeView<'_>, month: usize) {
        let (Some(key), component) = (view.entry.key, view.component.component.id) else {
            return;
        };
        let parts = self.parts.get(&(component, key));
        let mut parts = parts.map_or(&[][..], Vec::as_slice).iter();
        let Some(part) = parts.find(|part| part.entries.contains(&view.index)) else {
            return;
        };
        let today = self.components.get(part.string).copied();
        let translation = view
            .language()
            .and_then(|code| Some(today?.translation_in(code)?.translation));
        let Some(translation) = translation.filter(|translation| !translation.is_template) else {
            return;
        };
        let unit = (component, key, part.entries.start);
        let text = self.texts.entry((unit, &translation.language.code));
        let text = text.or_insert_with(|| MovedText {
            differences: Vec::new(),
            has_text: false,
            end: part.end,
        });
        let has = view.entry.target != TextId::EMPTY;
        if text.has_text != has {
            text.has_text = has;
            text.differences.push((month, if has { 1 } else { -1 }));
        }
    }

    /// The texts with their languages.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'a str, &MovedText)> {
        self.texts
            .iter()
            .map(|((_, language), text)| (*language, text))
    }
}
