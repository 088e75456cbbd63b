//! Words that occur twice in a row.

use crate::finding::PartialFinding;
use crate::input::FormPair;
use crate::languages;

/// Words that may follow themselves: pronouns and articles, of which one ends a part of a sentence and one begins the
/// next, and set phrases.
const REPEATED: &[(&str, &[&str])] = &[
    ("co", &["prestu"]),
    ("da", &["der", "det", "de", "som", "til", "for"]),
    ("de", &["das", "dem", "den", "der", "die", "sie"]),
    ("fo", &["um", "tað"]),
    ("fr", &["nous", "vous", "petit"]),
    ("it", &["passo", "via", "mano", "piano", "man", "appena"]),
    ("lb", &["déi", "dat", "dir"]),
    ("nb", &["der", "det", "de", "som", "til", "for"]),
    (
        "nl",
        &[
            "dat", "die", "er", "het", "je", "u", "we", "ze", "zijn", "in", "op",
        ],
    ),
    ("nn", &["der", "det", "dei", "som", "til", "for"]),
    ("pt", &["passo"]),
    ("es", &["paso"]),
    ("sv", &["det", "de", "den", "som", "för"]),
];

/// Whether the repetition is a part of the language, or the parts of a list, or separated by a bracket.
pub(crate) fn accepts(pair: &FormPair, finding: &PartialFinding, language: &str) -> bool {
    if languages::repeats_words(language) {
        return true;
    }
    let range = finding.spans.first().map(|span| span.range.clone());
    let Some(found) = range.and_then(|range| pair.target.get(range)) else {
        return false;
    };
    let word = found.split_whitespace().next().unwrap_or_default();
    let word = word.to_lowercase();
    let words = REPEATED.iter().find(|(code, _)| *code == language);
    !word.chars().any(char::is_alphabetic)
        || word.ends_with([',', ';', ':', '.', '!', '?', '/', '-'])
        || found.contains(['(', ')'])
        || words.is_some_and(|(_, words)| words.contains(&word.as_str()))
}
