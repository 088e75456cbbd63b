//! Units as current Weblate shows them: states, contexts and plural forms.

use std::borrow::Cow;

use crate::current_state::CurrentState;
use crate::views::{TranslationView, UnitView};
use gitglot_model::language::plural_categories;
use gitglot_model::{PLURAL_SEPARATOR, TextId, words};

impl<'a> TranslationView<'a> {
    /// Its index in the component.
    pub(crate) fn index(self) -> Option<u32> {
        self.component.current_index(self.translation.lineage)
    }

    /// The number of plural forms, and the C expression that selects one by `n`. A file can declare a different number
    /// than its language has; the expression then selects forms that exist.
    pub fn current_plural(self) -> (usize, &'static str) {
        let translation = self.translation;
        let language = &translation.current_language;
        let plural = if self.component.component.file_format.has_numbered_forms() {
            language.plural
        } else {
            language.named_plural
        };
        let usual = usize::from(plural.forms);
        match translation.plural_forms().unwrap_or(usual).max(1) {
            1 => (1, "0"),
            forms if forms < usual => (forms, "n != 1"),
            forms => (forms, plural.formula),
        }
    }

    /// The plural forms of a text, as many as the language has.
    pub(crate) fn fitted_forms(self, text: TextId) -> Forms<'a> {
        let texts = &self.component.texts;
        let (count, _) = self.current_plural();
        let own: Vec<&str> = texts.get(text).split(PLURAL_SEPARATOR).collect();
        let code = &self.translation.language.code;
        let names: Vec<_> = texts.forms(text).collect();
        let named = names.iter().all(|name| name.category().is_some());
        let categories = plural_categories(code).filter(|all| all.len() == count);
        let (Some(categories), true) = (categories, named && names.len() == own.len()) else {
            let forms = own.into_iter().chain(std::iter::repeat(""));
            return forms.take(count).collect();
        };
        let form = |category: &&str| {
            let mut names = names.iter();
            let at = names.position(|name| name.category() == Some(category))?;
            own.get(at).copied()
        };
        let forms = categories.iter().map(|name| form(name).unwrap_or_default());
        forms.collect()
    }
}

/// The plural forms of a text.
pub type Forms<'a> = Cow<'a, [&'a str]>;

impl<'a> UnitView<'a> {
    /// Its state.
    pub fn current_state(self) -> CurrentState {
        match (self.unit.fuzzy(), self.unit.translated()) {
            _ if !self.translation.has_file() => CurrentState::ReadOnly,
            (true, _) if self.translation.bilingual.is_some() => CurrentState::NeedsEditing,
            (true, _) => CurrentState::NeedsRewriting,
            (false, true) => CurrentState::Translated,
            (false, false) => CurrentState::Empty,
        }
    }

    /// The key of the string: that of 3.4, in JSON without the leading dot.
    pub fn current_context(self) -> &'a str {
        let context = self.component.texts.get(self.source.context);
        if self.component.component.file_format.has_key_paths() {
            context.strip_prefix('.').unwrap_or(context)
        } else {
            context
        }
    }

    /// `id_hash` and `content_hash`.
    pub fn current_hashes(self) -> (i64, i64) {
        let context = self.current_context();
        let texts = &self.component.texts;
        if context.len() == texts.get(self.source.context).len() {
            return (self.source.id_hash, self.source.content_hash);
        }
        (self.component.shape).hashes(context, texts.get(self.source.source))
    }

    /// The source text and its forms.
    pub fn current_source(self) -> Forms<'a> {
        self.forms_of(self.source.source)
    }

    /// The translation with as many forms as the language has. In the source language this is the source.
    pub fn current_target(self) -> Forms<'a> {
        if !self.unit.plural() {
            return Cow::Owned(vec![self.component.texts.get(self.unit.target)]);
        }
        if self.translation.is_template {
            self.current_source()
        } else {
            self.of().fitted_forms(self.unit.target)
        }
    }

    /// The forms of a text as the file has them.
    fn forms_of(self, text: TextId) -> Forms<'a> {
        let joined = self.component.texts.get(text);
        if self.unit.plural() {
            joined.split(PLURAL_SEPARATOR).collect()
        } else {
            Cow::Owned(vec![joined])
        }
    }

    /// Words of all forms of the source.
    pub fn current_words(self) -> u32 {
        if self.unit.plural() {
            words(self.component.texts.get(self.source.source))
        } else {
            self.source.words
        }
    }

    /// The unit of the source language; itself there.
    pub fn source_unit(self) -> UnitView<'a> {
        let source = self.component.source_translation();
        let found = source.and_then(|view| view.unit_of_string(self.string()));
        found.unwrap_or(self)
    }
}
