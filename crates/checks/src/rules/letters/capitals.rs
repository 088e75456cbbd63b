//! Words with several capital letters: `THe` is a slip, `IDs`, `GitHub` and `DE` are not.

use crate::input::FormPair;

/// Whether no word looks like a slip: two capital letters and then at least two small ones, where the source does not
/// have the word.
pub(crate) fn accepts(pair: &FormPair, language: &str) -> bool {
    // `IJ` is one letter.
    // Nouns have a prefix in Nguni languages: `IBrazil`.
    if matches!(
        language,
        "nl" | "fy" | "li" | "vls" | "nr" | "ss" | "xh" | "zu"
    ) {
        return true;
    }
    let words = pair.target.split(|char: char| !char.is_alphabetic());
    !words
        .into_iter()
        .any(|word| is_slip(word) && !contains_ignoring_case(pair.source, word))
}

/// Whether a text has a word, as the name `ffmpeg` for `FFmpeg`.
fn contains_ignoring_case(text: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    let mut words = text.split(|char: char| !char.is_alphabetic());
    words.any(|other| other.to_lowercase() == word)
}

fn is_slip(word: &str) -> bool {
    let mut chars = word.chars();
    // The palochka of Caucasian languages has no small form in use.
    let mut next_is = |test: fn(char) -> bool| {
        chars
            .next()
            .is_some_and(|letter| letter != 'Ӏ' && test(letter))
    };
    next_is(char::is_uppercase)
        && next_is(char::is_uppercase)
        && next_is(char::is_lowercase)
        && next_is(char::is_lowercase)
        && chars.all(char::is_lowercase)
        && !is_digraph(word)
}

/// Whether the word begins with a letter that is written with two, such as in Serbian and Croatian.
fn is_digraph(word: &str) -> bool {
    ["LJ", "NJ", "DŽ", "CH", "IJ", "LL"]
        .iter()
        .any(|digraph| word.starts_with(digraph))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_slip_of_the_shift_key_is_a_fault() {
        let accepts = |source, target, language| {
            let pair = FormPair {
                source,
                target,
                source_form: 0,
                target_form: 0,
            };
            accepts(&pair, language)
        };
        for (source, target, language, wanted) in [
            ("The file", "DIe Datei", "de", true),
            ("The search", "DIese Suche", "de", false),
            ("Search", "SUche", "de", false),
            ("Identifiers", "IDs und PDFs", "de", true),
            ("Repository", "GitHub-ID", "de", true),
            ("Iceland", "IJsland", "nl", true),
            ("Yes", "YES", "de", true),
            ("A TVset", "Ein TVset", "de", true),
            ("Later", "Кхин дӀасахьажо", "ce", true),
        ] {
            assert_eq!(accepts(source, target, language), wanted, "{target}");
        }
    }
}
