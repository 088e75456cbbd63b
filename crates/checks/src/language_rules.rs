//! The languages with their own rules for punctuation (`docs/spec/checks.md#final-punctuation` and
//! `docs/spec/checks.md#final-punctuation-in-modern-checks`).

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LanguageRules {
    pub(super) group: LanguageGroup,
    /// Whether the rules are those of current Weblate, else of Weblate 3.4.
    pub(super) is_current: bool,
}

/// Languages with the same rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LanguageGroup {
    /// All other languages.
    Default,
    /// French and Breton in Weblate 3.4: a space before `:`, `!` and `?`.
    French,
    /// Armenian: its own marks.
    Armenian,
    /// Japanese, in current Weblate also Chinese and Korean: a colon may become a full stop.
    Cjk,
    /// Greek: `;` is the question mark.
    Greek,
    /// Hindi and Bengali, in current Weblate also Odia: the danda, or a vertical bar instead.
    Indic,
    /// Basque: exclamation marks on both sides.
    Basque,
    /// Burmese in current Weblate: its own marks.
    Burmese,
    /// Santali in current Weblate: its own full stop.
    Santali,
    /// Thai in Weblate 3.4: no full stops.
    Thai,
    /// Lojban, in current Weblate also Thai: no marks.
    WithoutMarks,
    /// Khmer: zero-width spaces between words.
    Khmer,
}

impl LanguageRules {
    /// Returns the rules of Weblate 3.4 for a base code.
    pub(super) fn legacy(base_code: &str) -> Self {
        let group = match base_code {
            "fr" | "br" => LanguageGroup::French,
            "ja" => LanguageGroup::Cjk,
            "hi" | "bn" => LanguageGroup::Indic,
            "th" => LanguageGroup::Thai,
            "zh" | "ko" | "or" | "my" | "sat" => LanguageGroup::Default,
            _ => LanguageRules::current(base_code).group,
        };
        Self {
            group,
            is_current: false,
        }
    }

    /// Returns the rules of current Weblate for a base code.
    pub fn current(base_code: &str) -> Self {
        let group = match base_code {
            "hy" => LanguageGroup::Armenian,
            "zh" | "ja" | "ko" => LanguageGroup::Cjk,
            "el" => LanguageGroup::Greek,
            "hi" | "bn" | "or" => LanguageGroup::Indic,
            "eu" => LanguageGroup::Basque,
            "my" => LanguageGroup::Burmese,
            "sat" => LanguageGroup::Santali,
            "th" | "jbo" => LanguageGroup::WithoutMarks,
            "km" => LanguageGroup::Khmer,
            _ => LanguageGroup::Default,
        };
        Self {
            group,
            is_current: true,
        }
    }
}
