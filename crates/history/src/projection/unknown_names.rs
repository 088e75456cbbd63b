//! Names in acknowledgements that mean nothing: they are reported and have no effect.

use std::sync::Arc;

use super::rows::FileProblem;
use crate::log::state::LogState;
use crate::reviews::{ALL_LANGUAGES, MAX_PATTERNS, REVIEWED_FILE, Reviewed, names_of, patterns_in};
use gitglot_model::{FileFormat, KeyPatterns, SeededSet};

/// Most names that are reported.
const MAX_NAMES: usize = 20;

/// The names in the file and in the last commit with trailers that no component was found to have. Components of the same
/// repository and branch have the same acknowledgements.
#[derive(Debug)]
pub struct UnknownNames {
    names: Vec<Name>,
    languages: SeededSet<Arc<str>>,
    keys: SeededSet<Arc<str>>,
    /// The first patterns of keys: each can be compared with each key.
    patterns: Vec<(Arc<str>, KeyPatterns)>,
    /// The trailers have more patterns than count.
    ignored: Option<FileProblem>,
}

/// A language, and a key or a pattern of keys, where they are written.
#[derive(Debug)]
struct Name {
    place: Arc<str>,
    language: Arc<str>,
    key: Option<Arc<str>>,
}

impl UnknownNames {
    /// The names to find; `None` without acknowledgements.
    pub fn of(reviewed: &Reviewed) -> Option<Self> {
        if reviewed.last.is_none() && reviewed.rows.is_empty() {
            return None;
        }
        let mut unknown = Self {
            names: Vec::new(),
            languages: SeededSet::default(),
            keys: SeededSet::default(),
            patterns: Vec::new(),
            ignored: None,
        };
        if let Some((commit, trailers)) = &reviewed.last {
            let id = commit.to_string();
            let place: Arc<str> = format!("commit {}", id.get(..10).unwrap_or_default()).into();
            for trailer in trailers.iter() {
                if trailer.keys.is_empty() {
                    unknown.add(&place, &trailer.language, None);
                }
                for key in &trailer.keys[..] {
                    unknown.add(&place, &trailer.language, Some(&Arc::from(&**key)));
                }
            }
            let count = patterns_in(trailers);
            unknown.ignored = (count > MAX_PATTERNS).then(|| {
                let reason = format!(
                    "it acknowledges strings with {count} patterns, of which the first {MAX_PATTERNS} count: name the \
                     others in a further commit"
                );
                problem(&place, reason)
            });
        }
        let file = REVIEWED_FILE.into();
        for (key, of_key) in &*reviewed.rows {
            for language in of_key.keys() {
                unknown.add(&file, language, Some(key));
            }
        }
        Some(unknown)
    }

    fn add(&mut self, place: &Arc<str>, language: &Arc<str>, key: Option<&Arc<str>>) {
        if **language != *ALL_LANGUAGES {
            self.languages.insert(language.clone());
        }
        let is_pattern = |key: &&Arc<str>| key.contains('*') && **place != *REVIEWED_FILE;
        if let Some(pattern) = key.filter(is_pattern) {
            if self.patterns.len() == MAX_NAMES {
                return;
            }
            let parsed = std::iter::once(pattern.to_string()).collect();
            self.patterns.push((pattern.clone(), parsed));
        } else {
            self.keys.extend(key.cloned());
        }
        self.names.push(Name {
            place: place.clone(),
            language: language.clone(),
            key: key.cloned(),
        });
    }

    /// Notes that a component has a language.
    pub fn found_language(&mut self, code: &str) {
        self.languages.remove(code);
    }

    /// Notes that a component has a string, given its id.
    pub fn found_string(&mut self, format: FileFormat, id: &str) {
        if self.keys.is_empty() && self.patterns.is_empty() {
            return;
        }
        for name in names_of(format, id) {
            self.keys.remove(&*name);
            self.patterns
                .retain(|(_, pattern)| !pattern.contains(&name));
        }
    }

    /// The names that were not found.
    pub fn problems(self) -> Vec<FileProblem> {
        let mut problems: Vec<FileProblem> = self.ignored.into_iter().collect();
        for name in &self.names {
            let (language, key) = (&name.language, &name.key);
            let is_unknown = |key: &&Arc<str>| {
                self.keys.contains(*key) || self.patterns.iter().any(|(it, _)| it == *key)
            };
            let reason = if self.languages.contains(language) {
                format!(
                    "it acknowledges translations of {language}, which no file has: correct the code"
                )
            } else if let Some(key) = key.as_ref().filter(is_unknown) {
                format!("it acknowledges the string {key:?}, which does not exist: correct the key")
            } else {
                continue;
            };
            let problem = problem(&name.place, reason);
            if !problems.contains(&problem) {
                problems.push(problem);
            }
            if problems.len() == MAX_NAMES {
                break;
            }
        }
        problems
    }
}

/// Notes the names that a component has; takes over those of its own acknowledgements if there are none yet. Files of
/// components without a template have no acknowledgements.
pub fn find_names(log: &LogState, format: FileFormat, unknown: &mut Option<UnknownNames>) {
    if !format.shape().has_template() {
        return;
    }
    if unknown.is_none() {
        *unknown = UnknownNames::of(&log.reviewed);
    }
    let Some(unknown) = unknown else {
        return;
    };
    for lineage in log.lineages.iter().filter(|lineage| lineage.alive) {
        unknown.found_language(&lineage.language);
    }
    let contexts = log.vocabulary.keys.contexts().iter();
    for (&id, _) in contexts.zip(&log.keys).filter(|(_, key)| key.present) {
        unknown.found_string(format, log.vocabulary.texts.get(id));
    }
}

fn problem(place: &str, reason: String) -> FileProblem {
    FileProblem {
        path: place.to_owned(),
        reason,
        broken: false,
    }
}
