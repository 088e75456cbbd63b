//! The habits of languages, by base code (`docs/spec/checks.md#differences-of-inferred-checks`).

/// Codes with three letters of languages that have one with two, and rules of their own.
const PRIMARY: &[(&str, &str)] = &[
    ("amh", "am"),
    ("ell", "el"),
    ("hye", "hy"),
    ("jpn", "ja"),
    ("khm", "km"),
    ("kor", "ko"),
    ("lao", "lo"),
    ("mya", "my"),
    ("tha", "th"),
    ("zho", "zh"),
];

/// The code with two letters of a base code.
pub(crate) fn primary_code(base: &str) -> &str {
    let primary = PRIMARY.iter().find(|(code, _)| *code == base);
    primary.map_or(base, |(_, primary)| primary)
}

/// Whether zero-width spaces separate words.
pub(crate) fn has_zero_width_spaces(language: &str) -> bool {
    const CODES: &[&str] = &[
        "bo", "dz", "jv", "km", "ksw", "lo", "mnw", "my", "nod", "shn", "tdd", "th",
    ];
    CODES.contains(&language)
}

/// Whether words have no spaces between them.
pub(crate) fn has_no_spaces(language: &str) -> bool {
    const CODES: &[&str] = &[
        "bo", "dz", "km", "ksw", "lo", "mnw", "my", "nod", "shn", "th",
    ];
    is_ideographic(language) || CODES.contains(&language)
}

/// Whether the language is written with ideographs.
pub(crate) fn is_ideographic(language: &str) -> bool {
    const CODES: &[&str] = &[
        "cdo", "cjy", "gan", "hak", "hsn", "ja", "lzh", "nan", "wuu", "yue", "zh",
    ];
    CODES.contains(&language)
}

/// Whether sentences end without a mark, at least in the texts of programs.
pub(crate) fn has_no_final_stop(language: &str) -> bool {
    has_no_spaces(language) || matches!(language, "ko" | "jbo")
}

/// Whether words of one letter are written directly before a name, a placeholder or a tag: `ב<b>…</b>`.
pub(crate) fn has_prefixes(language: &str) -> bool {
    matches!(language, "ar" | "he")
}

/// Whether endings are written directly behind a name, a placeholder or a tag.
pub(crate) fn has_suffixes(language: &str) -> bool {
    const CODES: &[&str] = &[
        "az", "bn", "ckb", "et", "eu", "fi", "gu", "hu", "hy", "ka", "kk", "kn", "ko", "ku", "ky",
        "ml", "mn", "mr", "ne", "or", "pa", "si", "ta", "te", "tk", "tr", "tt", "ug", "uz",
    ];
    CODES.contains(&language)
}

/// Whether a noun after a number is in the singular, or has no plural.
pub(crate) fn has_no_plural_after_numbers(language: &str) -> bool {
    const CODES: &[&str] = &[
        "am", "as", "cy", "fa", "fil", "haw", "hi", "id", "jv", "mg", "mi", "ms", "ps", "su", "sw",
        "ti", "tl", "ur", "vi", "yo", "zu",
    ];
    has_suffixes(language) || has_no_spaces(language) || CODES.contains(&language)
}

/// Whether programs use the form `one` for 1 alone (and 0), although the plural rule of the language has further numbers.
pub(crate) fn has_simple_one(language: &str) -> bool {
    matches!(language, "fil" | "is" | "tl")
}

/// Whether words are repeated to form plurals, adverbs and the like.
pub(crate) fn repeats_words(language: &str) -> bool {
    const CODES: &[&str] = &[
        "af", "ak", "bm", "ceb", "ee", "ha", "he", "ht", "ig", "ilo", "kok", "ln", "mai", "mni",
        "om", "rw", "sa", "sd", "skr", "sm", "sn", "so", "st", "tn", "to", "tw", "war", "wo", "xh",
    ];
    has_no_plural_after_numbers(language) || CODES.contains(&language)
}
