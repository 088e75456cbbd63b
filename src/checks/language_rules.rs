//! The languages with their own rules for punctuation (`docs/spec/checks.md#final-punctuation`).

/// The group of languages whose rules apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LanguageRules {
    /// All other languages.
    Default,
    /// French and Breton: a space before `:`, `!` and `?`.
    French,
    /// Armenian: its own marks.
    Armenian,
    /// Japanese: a colon may become a full stop.
    Japanese,
    /// Greek: `;` is the question mark.
    Greek,
    /// Hindi and Bengali: the danda, or a vertical bar instead.
    Indic,
    /// Basque: exclamation marks on both sides.
    Basque,
    /// Thai: no full stops.
    Thai,
    /// Lojban: no marks.
    Lojban,
    /// Khmer: zero-width spaces between words.
    Khmer,
}

impl LanguageRules {
    /// Returns the rules for a base code.
    pub(super) fn of(base_code: &str) -> Self {
        match base_code {
            "fr" | "br" => Self::French,
            "hy" => Self::Armenian,
            "ja" => Self::Japanese,
            "el" => Self::Greek,
            "hi" | "bn" => Self::Indic,
            "eu" => Self::Basque,
            "th" => Self::Thai,
            "jbo" => Self::Lojban,
            "km" => Self::Khmer,
            _ => Self::Default,
        }
    }
}
