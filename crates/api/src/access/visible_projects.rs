//! The projects that a reader may see.

use std::sync::Arc;

use gitglot_model::Slug;

/// Patterns of the slugs of projects: a slug, a beginning with a final `*`, or `*` for all. Sorted, each once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct VisibleProjects(Arc<[Box<str>]>);

impl VisibleProjects {
    /// The projects that one of the patterns matches.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Self {
        let mut patterns: Vec<&str> = patterns.into_iter().collect();
        patterns.sort_unstable();
        patterns.dedup();
        Self(patterns.into_iter().map(Box::from).collect())
    }

    /// All projects.
    pub fn all() -> Self {
        Self::new(["*"])
    }

    /// No project.
    pub(super) fn none() -> Self {
        Self::new([])
    }

    /// The projects of several readers together.
    pub(super) fn union<'a>(of: impl IntoIterator<Item = &'a Self>) -> Self {
        let of: Vec<&Self> = of.into_iter().collect();
        match of.as_slice() {
            [one] => (*one).clone(),
            several => {
                let patterns = several.iter().flat_map(|projects| &*projects.0);
                Self::new(patterns.map(|pattern| &**pattern))
            }
        }
    }

    /// Whether it is all of them, also those that are added later.
    pub(super) fn is_all(&self) -> bool {
        self.0.iter().any(|pattern| &**pattern == "*")
    }

    pub(super) fn contains(&self, project: &Slug) -> bool {
        let matches = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => project.as_str().starts_with(start),
            None => project.as_str() == pattern,
        };
        self.0.iter().any(|pattern| matches(pattern))
    }

    /// A number of these patterns for caches: the same on all replicas, and not 0.
    pub(super) fn number(&self) -> u64 {
        let mut hash = blake3::Hasher::new();
        for pattern in &*self.0 {
            hash.update(pattern.as_bytes());
            hash.update(b"\0");
        }
        let mut number = [0; 8];
        hash.finalize_xof().fill(&mut number);
        u64::from_le_bytes(number).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_slugs_or_beginnings_of_slugs() {
        let projects = VisibleProjects::new(["acme-*", "lamp"]);
        let contains = |slug: &str| projects.contains(&Slug::new(slug).unwrap());
        for visible in ["acme-app", "acme-", "lamp"] {
            assert!(contains(visible), "{visible}");
        }
        for hidden in ["acme", "lamp2", "la", "other"] {
            assert!(!contains(hidden), "{hidden}");
        }
        assert!(!projects.is_all() && VisibleProjects::all().is_all());
        assert!(!VisibleProjects::none().contains(&Slug::new("lamp").unwrap()));
    }

    #[test]
    fn the_order_of_patterns_does_not_matter() {
        let one = VisibleProjects::new(["a", "b"]);
        assert_eq!(one, VisibleProjects::new(["b", "a", "b"]));
        assert_eq!(one.number(), VisibleProjects::new(["b", "a"]).number());
        assert_ne!(one.number(), VisibleProjects::new(["ab"]).number());
    }
}
