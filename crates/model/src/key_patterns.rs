//! Patterns of keys, of which only few are compared with a key.

use std::collections::{BTreeMap, BTreeSet};

use super::steps;

/// Patterns of keys; `*` matches any text.
#[derive(Clone, Default, Debug)]
pub struct KeyPatterns {
    /// Without `*`.
    whole: BTreeSet<String>,
    /// By the text before the first `*`.
    by_start: BTreeMap<String, Vec<String>>,
    /// Those that begin with `*`, by the text after the last one.
    by_end: BTreeMap<String, Vec<String>>,
}

impl KeyPatterns {
    /// No pattern.
    pub const NONE: Self = Self {
        whole: BTreeSet::new(),
        by_start: BTreeMap::new(),
        by_end: BTreeMap::new(),
    };

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.by_start.is_empty() && self.by_end.is_empty()
    }

    /// Whether a pattern matches a key. A leading dot of the key does not matter.
    pub fn contains(&self, key: &str) -> bool {
        let plain = key.strip_prefix('.').filter(|_| !self.is_empty());
        self.has(key) || plain.is_some_and(|key| self.has(key))
    }

    fn has(&self, key: &str) -> bool {
        let is_one = |patterns: &Vec<String>| {
            steps::count(patterns.len());
            patterns.iter().any(|pattern| matches_key(pattern, key))
        };
        let places = || key.char_indices().map(|(at, _)| at).chain([key.len()]);
        let starts = places().filter_map(|at| self.by_start.get(&key[..at]));
        let ends = places().filter_map(|at| self.by_end.get(&key[at..]));
        self.whole.contains(key)
            || (!self.by_start.is_empty() && starts.into_iter().any(is_one))
            || (!self.by_end.is_empty() && ends.into_iter().any(is_one))
    }
}

impl FromIterator<String> for KeyPatterns {
    fn from_iter<T: IntoIterator<Item = String>>(patterns: T) -> Self {
        let mut keys = Self::default();
        for pattern in patterns {
            let (list, text) = match (pattern.split_once('*'), pattern.rsplit_once('*')) {
                (Some(("", _)), Some((_, end))) => (&mut keys.by_end, end.to_owned()),
                (Some((start, _)), _) => (&mut keys.by_start, start.to_owned()),
                (None, _) => {
                    keys.whole.insert(pattern);
                    continue;
                }
            };
            list.entry(text).or_default().push(pattern);
        }
        keys
    }
}

/// Whether a pattern with `*` matches a whole key. A leading dot of the key does not matter.
pub fn matches_key(pattern: &str, key: &str) -> bool {
    let whole = |key: &str| {
        let Some((first, others)) = pattern.split_once('*') else {
            return key == pattern;
        };
        let (between, last) = others.rsplit_once('*').unwrap_or(("", others));
        let mut rest = key.strip_prefix(first);
        for part in between.split('*') {
            rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
        }
        rest.is_some_and(|rest| rest.ends_with(last))
    };
    whole(key) || key.strip_prefix('.').is_some_and(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_whole_start_end_and_middle() {
        let patterns = ["a.b", "legal.*", "*_url", "x*y*z", "*mid*"].map(str::to_owned);
        let keys: KeyPatterns = patterns.into_iter().collect();
        for key in [
            "a.b", ".a.b", ".legal.x", "legal.", "home_url", "xyz", "x1y2z", "a mid b",
        ] {
            assert!(keys.contains(key), "{key}");
        }
        for key in ["a.bc", "legal", "url", "xz", "", "."] {
            assert!(!keys.contains(key), "{key}");
        }
        assert!(!KeyPatterns::NONE.contains("a"));
    }

    #[test]
    fn only_few_of_many_patterns_are_compared() {
        let patterns = (0..20_000).flat_map(|at| [format!("a{at}.*"), format!("*.b{at}")]);
        let keys: KeyPatterns = patterns.collect();
        let work = steps::of(|| assert!(!keys.contains("a1x.c.b7y") && keys.contains("a9.c")));
        assert!(work < 10, "{work}");
    }

    #[test]
    fn a_star_in_a_pattern_matches_any_text() {
        for (pattern, key, wanted) in [
            ("a.b", "a.b", true),
            ("a.b", ".a.b", true),
            ("a.*", "a.b.c", true),
            ("*.title", "page.title", true),
            ("a*c*e", "abcde", true),
            ("a*c*e", "abde", false),
            ("a", "ab", false),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches_key(pattern, key), wanted, "{pattern} {key}");
        }
    }
}
