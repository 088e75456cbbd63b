//! The meanings that a query can have, and how they differ. Must not depend on other modules.

/// Which meaning the terms of a query have (docs/spec/query.md). The syntax is the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// That of pages and of the API of Weblate 3.4: with the fields and values that only gitglot has.
    Weblate34,
    /// That of current Weblate.
    Current,
}

/// All differences of the dialects.
#[derive(Debug)]
pub(super) struct DialectRules {
    /// Whether terms have the meaning that only gitglot gives them: fields, flags, states, checks and actions.
    pub(super) has_own_terms: bool,
    /// Whether `:=` compares the whole text, else one of its forms.
    pub(super) compares_whole_texts: bool,
    /// Whether `component:` finds names, too, else slugs only.
    pub(super) finds_component_names: bool,
    /// The lowest state of strings that have a translation.
    pub(super) translated_from: u8,
    /// Whether the checks run as Weblate runs them.
    pub(super) runs_exact_checks: bool,
    /// Whether languages, keys, texts and changes are read as current Weblate shows them.
    pub(super) reads_as_current: bool,
}

const WEBLATE34: DialectRules = DialectRules {
    has_own_terms: true,
    compares_whole_texts: false,
    finds_component_names: false,
    // A stale string has a translation, too.
    translated_from: 10,
    runs_exact_checks: false,
    reads_as_current: false,
};

const CURRENT: DialectRules = DialectRules {
    has_own_terms: false,
    compares_whole_texts: true,
    finds_component_names: true,
    translated_from: 20,
    runs_exact_checks: true,
    reads_as_current: true,
};

impl Dialect {
    pub(super) fn rules(self) -> &'static DialectRules {
        match self {
            Self::Weblate34 => &WEBLATE34,
            Self::Current => &CURRENT,
        }
    }
}
