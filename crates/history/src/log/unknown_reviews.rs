//! Names in acknowledgements that mean nothing: they are reported and have no effect.

use super::state::LogState;
use crate::reviews::{ALL_LANGUAGES, REVIEWED_FILE, names_of};
use gitglot_model::{FileFormat, KeyPatterns, SeededSet};

/// Most names that are reported.
const MAX_NAMES: usize = 20;

impl LogState {
    /// The names in the file and in the last commit with trailers that no language or string of the component has, each
    /// as a sentence. Another component of the repository can have them.
    pub fn unknown_reviews(&self, format: FileFormat) -> Vec<String> {
        let reviewed = &self.reviewed;
        if reviewed.last.is_none() && reviewed.rows.is_empty() && reviewed.errors.is_empty() {
            return Vec::new();
        }
        let alive = self.lineages.iter().filter(|it| it.alive);
        let languages: SeededSet<&str> = alive.map(|it| &*it.language).collect();
        let contexts = self.vocabulary.keys.contexts().iter();
        let present = contexts.zip(&self.keys).filter(|(_, key)| key.present);
        let keys: SeededSet<_> = present
            .flat_map(|(&id, _)| names_of(format, self.vocabulary.texts.get(id)))
            .collect();
        let has_key = |name: &str| match name.contains('*') {
            true => {
                let pattern: KeyPatterns = std::iter::once(name.to_owned()).collect();
                keys.iter().any(|key| pattern.contains(key))
            }
            false => keys.contains(name),
        };
        let mut unknown = Vec::new();
        let file_errors = reviewed.errors.iter();
        unknown.extend(file_errors.map(|error| format!("{REVIEWED_FILE}: {error}")));
        let mut check = |place: &str, language: &str, key: Option<&str>| {
            if unknown.len() >= MAX_NAMES {
            } else if language != ALL_LANGUAGES && !languages.contains(language) {
                unknown.push(format!(
                    "{place} acknowledges translations of {language}, which no file has: correct the code"
                ));
            } else if let Some(key) = key.filter(|key| !has_key(key)) {
                unknown.push(format!(
                    "{place} acknowledges the string {key:?}, which does not exist: correct the key"
                ));
            }
        };
        if let Some((commit, trailers)) = &reviewed.last {
            let id = commit.to_string();
            let place = format!("commit {}", id.get(..10).unwrap_or_default());
            for trailer in trailers {
                match &trailer.keys[..] {
                    [] => check(&place, &trailer.language, None),
                    keys => {
                        (keys.iter()).for_each(|key| check(&place, &trailer.language, Some(key)))
                    }
                }
            }
        }
        for (key, of_key) in &reviewed.rows {
            for language in of_key.keys() {
                check(REVIEWED_FILE, language, Some(key));
            }
        }
        unknown.dedup();
        unknown
    }
}
