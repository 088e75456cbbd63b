//! The lines of commit messages that acknowledge translations.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use gitglot_model::language;

/// The name of the trailer.
pub const REVIEW_TRAILER: &str = "Translation-Reviewed";

/// Instead of a code: all languages.
pub const ALL_LANGUAGES: &str = "*";

/// Most patterns with `*` in the trailers of a commit: each can be compared with each key.
pub const MAX_PATTERNS: usize = 100;

/// A trailer: `Translation-Reviewed: LANGUAGE KEY…`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trailer {
    /// The code of the language, or [`ALL_LANGUAGES`].
    pub language: Arc<str>,
    /// Keys and patterns of keys; without any, the commit decides.
    pub keys: Vec<String>,
}

/// The trailers of a message. They may be on any line, since a squashed commit has those of other commits in its middle.
pub fn trailers(message: &str) -> Vec<Trailer> {
    let trailer = |line: &str| {
        let (name, value) = line.trim().split_once(':')?;
        if !name.eq_ignore_ascii_case(REVIEW_TRAILER) {
            return None;
        }
        let mut words = words(value);
        let code = words.next()?;
        let language = match &*code {
            ALL_LANGUAGES => code.into(),
            code => language::resolve(code).code,
        };
        Some(Trailer {
            language,
            keys: words.collect(),
        })
    };
    message.lines().filter_map(trailer).collect()
}

/// The patterns with `*` in the trailers of a commit.
pub fn patterns_in(trailers: &[Trailer]) -> usize {
    let keys = trailers.iter().flat_map(|trailer| &trailer.keys);
    keys.filter(|key| key.contains('*')).count()
}

/// The keys and patterns of trailers that count, each with its language.
pub fn keys_in(trailers: &[Trailer]) -> impl Iterator<Item = (&str, &String)> {
    let mut patterns = 0;
    let keys = (trailers.iter())
        .flat_map(|trailer| trailer.keys.iter().map(|key| (&*trailer.language, key)));
    keys.filter(move |(_, key)| {
        patterns += usize::from(key.contains('*'));
        !key.contains('*') || patterns <= MAX_PATTERNS
    })
}

/// A key as a trailer names it.
pub fn trailer_key(key: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !matches!(c, ',' | '"');
    if !key.is_empty() && key.chars().all(is_plain) {
        return key.to_owned();
    }
    format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether a message acknowledges translations.
pub fn has_review(message: &str) -> bool {
    !trailers(message).is_empty()
}

/// The words of a value, which white space or commas separate. A word in quotes can contain both, and `\` before a quote.
fn words(value: &str) -> impl Iterator<Item = String> {
    let mut rest = value;
    std::iter::from_fn(move || {
        let is_between = |c: char| c.is_whitespace() || c == ',';
        rest = rest.trim_start_matches(is_between);
        let Some(quoted) = rest.strip_prefix('"') else {
            let end = rest.find(is_between).unwrap_or(rest.len());
            let word = rest.get(..end)?.to_owned();
            rest = rest.get(end..)?;
            return (!word.is_empty()).then_some(word);
        };
        let (mut word, mut is_escaped) = (String::new(), false);
        for (at, c) in quoted.char_indices() {
            match c {
                '"' if !is_escaped => {
                    rest = quoted.get(at + 1..)?;
                    return Some(word);
                }
                '\\' if !is_escaped => is_escaped = true,
                c => {
                    word.push(c);
                    is_escaped = false;
                }
            }
        }
        // The quotes do not end: the word ends with the line.
        rest = "";
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(message: &str) -> Vec<String> {
        let line = |it: Trailer| format!("{} {}", it.language, it.keys.join("|"));
        trailers(message).into_iter().map(line).collect()
    }

    #[test]
    fn trailers_are_found_on_any_line() {
        let message = "Squashed (#3)\n\n* Typo\n\nTranslation-Reviewed: de\n\n* More\n\n    translation-reviewed: pt-BR a.b, c.*";
        assert_eq!(shown(message), ["de ", "pt_BR a.b|c.*"]);
        assert!(shown("Translation-Reviewed: \nTranslation-Reviewed:de:x").len() == 1);
        assert!(shown("A Translation-Reviewed: de").is_empty());
    }

    #[test]
    fn quoted_keys_have_spaces_commas_and_quotes() {
        let message = r#"Translation-Reviewed: * "Open, please" "say \"hi\"" "open"#;
        assert_eq!(shown(message), [r#"* Open, please|say "hi"|open"#]);
        for key in ["a.b", "Open, please", "say \"hi\"", "\\ x"] {
            let line = format!("{REVIEW_TRAILER}: de {}", trailer_key(key));
            assert_eq!(shown(&line), [format!("de {key}")]);
        }
    }

    #[test]
    fn a_commit_has_a_hundred_patterns_at_most() {
        let patterns = "a* ".repeat(60);
        let line = format!("Translation-Reviewed: de x {patterns}\n");
        let found = trailers(&line.repeat(2));
        assert_eq!((keys_in(&found).count(), patterns_in(&found)), (102, 120));
    }
}
