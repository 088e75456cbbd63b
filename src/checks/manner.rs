//! How a language writes the ends of sentences, as far as the checks make a difference (`checks.md` 3).

/// The languages that have rules of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// No rules of its own.
    Usual,
    /// French and Breton: a space before `:`, `!` and `?`.
    French,
    /// Armenian: marks of its own.
    Armenian,
    /// Japanese: a colon may become a full stop.
    Japanese,
    /// Greek: `;` is the question mark.
    Greek,
    /// Hindi and Bengali: the danda, or a pipe for it.
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

impl Manner {
    /// The manner of a language's base code.
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
            _ => Self::Usual,
        }
    }
}
