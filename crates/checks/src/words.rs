//! The words that the `same` check ignores (`docs/spec/checks.md#words`).

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use gitglot_model::{SeededSet, steps};

/// A set of lower-case words, and names of several words. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Words {
    /// `None` is the built-in list.
    list: Option<Arc<BTreeSet<String>>>,
    /// The names of several words, the longest first, in lower case and with single spaces.
    phrases: Arc<[String]>,
}

/// The maximum size of a file of words in bytes.
const MAX_BYTES: u64 = 8 << 20;

/// gitglot's own list, and names from the Unicode CLDR; see `words/README.md`.
const BUILT_IN: [&str; 2] = [
    include_str!("words/own.txt"),
    include_str!("words/cldr.txt"),
];

fn built_in() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().flat_map(|text| text.lines())
}

/// A word list is unusable.
#[derive(Debug, thiserror::Error)]
pub enum WordsError {
    /// The file is unreadable.
    #[error("cannot read the word list {} ({source}): check the setting 'same-words'", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The text begins like JSON, but is not valid JSON of a supported shape.
    #[error(
        "the word list is not valid JSON ({0}): use an array of words, an object with 'words', or one word per line"
    )]
    Json(#[from] serde_json::Error),
}

/// Reads a file up to the limit, also one without a size.
fn read_limited(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "it is larger than 8 MB",
        ));
    }
    Ok(text)
}

impl Words {
    /// Reads a file of words; see [`Words::parse`].
    ///
    /// # Errors
    /// Fails if the file is unreadable or has an unsupported shape.
    pub fn from_file(path: &Path) -> Result<Self, WordsError> {
        let text = read_limited(path).map_err(|source| WordsError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        Self::parse(&text)
    }

    /// Parses a JSON array of words, a JSON object with such an array under `words`, or one word per line.
    ///
    /// # Errors
    /// Fails if the text begins with a bracket and is not such JSON.
    pub fn parse(text: &str) -> Result<Self, WordsError> {
        #[derive(serde::Deserialize)]
        struct Object {
            words: Vec<String>,
        }
        let text = text.trim_start_matches('\u{feff}').trim();
        let words = match text.chars().next() {
            Some('[') => serde_json::from_str(text)?,
            Some('{') => serde_json::from_str::<Object>(text)?.words,
            _ => text.lines().map(str::to_owned).collect(),
        };
        Ok(words.into_iter().collect())
    }

    /// Adds names, such as those of a project. The words of a name of several words stay words of the language.
    #[must_use]
    pub fn with_names<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let words = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ");
        let names = names.into_iter().map(|name| words(&name.to_lowercase()));
        let (mut phrases, names): (Vec<_>, Vec<_>) = names.partition(|name| name.contains(' '));
        phrases.extend(self.phrases.iter().cloned());
        phrases.sort_by_key(|phrase| Reverse(phrase.len()));
        let mut words = self.clone();
        if !names.is_empty() {
            let listed = self.list.as_deref().cloned();
            let listed = listed.unwrap_or_else(|| built_in().map(str::to_owned).collect());
            words = listed.into_iter().chain(names).collect();
        }
        words.phrases = phrases.into();
        words
    }

    /// A text without the names of several words that it contains, in any case.
    pub(super) fn without_phrases<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut rest = Cow::Borrowed(text);
        for phrase in &*self.phrases {
            if let Some(without) = without_phrase(&rest, phrase) {
                rest = Cow::Owned(without);
            }
        }
        rest
    }

    /// Whether the set contains a lower-case word.
    pub fn contains(&self, word: &str) -> bool {
        // Most components use the built-in list, for all words of all unchanged texts.
        static KNOWN: LazyLock<SeededSet<&'static str>> = LazyLock::new(|| built_in().collect());
        match &self.list {
            None => !word.is_empty() && KNOWN.contains(word),
            Some(list) => list.contains(word),
        }
    }

    /// Returns a hash of the words.
    pub fn fingerprint(&self) -> String {
        let lines = |text: &mut String, words: &mut dyn Iterator<Item = &String>| {
            text.extend(words.flat_map(|word| [word, "\n"]));
        };
        let mut text = String::new();
        match &self.list {
            None => text.extend(BUILT_IN),
            Some(list) => lines(&mut text, &mut list.iter()),
        }
        lines(&mut text, &mut self.phrases.iter());
        blake3::hash(text.as_bytes()).to_string()
    }
}

/// A text without the occurrences of a phrase in lower case, as whole words; `None` if it has none.
fn without_phrase(text: &str, phrase: &str) -> Option<String> {
    let mut rest = text;
    let mut kept = String::new();
    let mut is_word_before = false;
    while let Some(first) = rest.chars().next() {
        let may_begin = !is_word_before;
        let end = may_begin.then(|| end_of_phrase(rest, phrase)).flatten();
        is_word_before = first.is_alphanumeric();
        if end.is_none() {
            kept.push(first);
        }
        rest = rest.get(end.unwrap_or(first.len_utf8())..)?;
    }
    (kept.len() < text.len()).then_some(kept)
}

/// The bytes of a phrase at the start of a text, which no letter follows.
fn end_of_phrase(text: &str, phrase: &str) -> Option<usize> {
    let mut wanted = phrase.chars();
    let mut end = 0;
    for char in text.chars() {
        if wanted.as_str().is_empty() {
            return (!char.is_alphanumeric()).then_some(end);
        }
        steps::count(char.len_utf8());
        for lower in char.to_lowercase() {
            let is_same =
                |wanted: char| wanted == lower || (wanted == ' ' && lower.is_whitespace());
            wanted.next().filter(|wanted| is_same(*wanted))?;
        }
        end += char.len_utf8();
    }
    wanted.as_str().is_empty().then_some(end)
}

impl FromIterator<String> for Words {
    fn from_iter<I: IntoIterator<Item = String>>(words: I) -> Self {
        let words = words.into_iter().map(|word| word.trim().to_lowercase());
        let words: BTreeSet<String> = words.filter(|word| !word.is_empty()).collect();
        Self {
            list: Some(words.into()),
            phrases: Arc::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_shapes_of_a_list_are_equivalent() {
        for text in [
            r#"["Mail", "Web"]"#,
            r#"{"about": "x", "words": ["web", "mail"]}"#,
            "web\r\nmail\n\nmail\n",
        ] {
            let words = Words::parse(text).unwrap();
            assert_eq!(
                words,
                ["mail", "web"].map(str::to_owned).into_iter().collect(),
                "{text}"
            );
            assert!(words.contains("mail") && words.contains("web"));
            assert!(
                !words.contains("ma")
                    && !words.contains("")
                    && !words.contains("zoo")
                    && !words.contains("a")
            );
        }
        assert!(!Words::parse("").unwrap().contains("mail"));
    }

    #[test]
    fn a_malformed_list_is_rejected_with_advice() {
        assert!(
            Words::parse("[1]")
                .unwrap_err()
                .to_string()
                .contains("one word per line")
        );
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("words");
        std::fs::write(&large, "x\n".repeat(MAX_BYTES as usize / 2 + 1)).unwrap();
        let error = Words::from_file(&large).unwrap_err();
        assert!(error.to_string().contains("larger than 8 MB"), "{error}");
        let error = Words::from_file(Path::new("no/such/file")).unwrap_err();
        assert!(error.to_string().contains("same-words"));
    }

    #[test]
    fn names_of_several_words_are_ignored_as_a_whole() {
        let words =
            Words::default().with_names(["Acme", "Free  Software", "free software guidebook"]);
        assert!(words.contains("acme") && !words.contains("guidebook"));
        for (text, wanted) in [
            ("Free Software", ""),
            ("The FREE software guide", "The  guide"),
            ("Free Software Guidebook!", "!"),
            ("Carefree software", "Carefree software"),
            ("Free softwares", "Free softwares"),
            ("Software free", "Software free"),
        ] {
            assert_eq!(words.without_phrases(text), wanted, "{text}");
        }
        let other = Words::default().with_names(["Acme"]);
        assert_ne!(words.fingerprint(), other.fingerprint());
    }

    #[test]
    fn every_built_in_word_is_found() {
        let words = Words::default();
        for text in BUILT_IN {
            let lines: Vec<&str> = text.lines().collect();
            assert!(
                lines.len() > 500 && lines.is_sorted_by(|one, next| one < next),
                "sorted, without duplicates"
            );
            for word in lines {
                assert!(words.contains(word), "{word}");
                assert_eq!(word.to_lowercase(), word);
                assert!(word.chars().count() > 2, "{word}");
                assert_eq!(
                    crate::rules::same::split(word).collect::<Vec<_>>(),
                    [word],
                    "can occur in a text"
                );
            }
        }
    }
}
