//! Patterns that select references of a repository.

use std::fmt;
use std::str::FromStr;

/// A pattern of branches or other references, such as `release/*` or `refs/pull/*/head`. One `*` matches any text.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RefPattern {
    /// The full name of the references, from `refs/` on.
    full: String,
}

/// The text is not a pattern of references.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is not a reference pattern: use a branch such as main, release/* or refs/pull/*/head, with at most one \
     *"
)]
pub struct RefPatternError(String);

impl RefPattern {
    /// All tags.
    pub fn tags() -> Self {
        Self {
            full: "refs/tags/*".to_owned(),
        }
    }

    /// All branches.
    pub fn branches() -> Self {
        Self {
            full: "refs/heads/*".to_owned(),
        }
    }

    /// The full name, from `refs/` on.
    pub fn full(&self) -> &str {
        &self.full
    }

    /// Whether a full name fits.
    pub fn matches(&self, name: &str) -> bool {
        match self.full.split_once('*') {
            None => self.full == name,
            Some((before, after)) => name
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after))
                .is_some_and(|text| !text.is_empty()),
        }
    }
}

impl FromStr for RefPattern {
    type Err = RefPatternError;

    fn from_str(text: &str) -> Result<Self, RefPatternError> {
        let full = if text.starts_with("refs/") {
            text.to_owned()
        } else {
            format!("refs/heads/{text}")
        };
        let is_valid = is_ref_name(&full.replacen('*', "x", 1))
            && !text.starts_with('-')
            && text != "HEAD"
            && !full.starts_with("refs/gitglot/");
        if is_valid {
            Ok(Self { full })
        } else {
            Err(RefPatternError(text.to_owned()))
        }
    }
}

/// Whether a text is a valid name of a reference, by the rules of git.
pub fn is_ref_name(name: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    name.len() <= 512
        && name.split('/').all(is_part)
        && !name.contains("..")
        && !name.contains("@{")
        && !name.ends_with('.')
        && !name.contains(|c: char| {
            c.is_ascii_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\')
        })
}

impl fmt::Display for RefPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.full.strip_prefix("refs/heads/").unwrap_or(&self.full))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_selects_branches_or_other_references() {
        for (pattern, name, selects) in [
            ("main", "refs/heads/main", true),
            ("main", "refs/heads/main2", false),
            ("release/*", "refs/heads/release/1.x", true),
            ("release/*", "refs/heads/release/a/b", true),
            ("release/*", "refs/heads/release/", false),
            ("refs/pull/*/head", "refs/pull/12/head", true),
            ("refs/pull/*/head", "refs/pull/12/merge", false),
            ("refs/heads/dev", "refs/heads/dev", true),
            ("*", "refs/heads/any", true),
            ("*", "refs/tags/any", false),
        ] {
            let found = pattern.parse::<RefPattern>().unwrap();
            assert_eq!(found.matches(name), selects, "{pattern} {name}");
        }
    }

    #[test]
    fn a_text_that_git_refuses_is_no_pattern() {
        for text in [
            "",
            "a b",
            "a..b",
            "*/*",
            "-x",
            "a:b",
            "x.lock",
            "a/",
            "HEAD",
            "^main",
            "a//b",
            "@{1}",
            "refs/gitglot/kept/*",
            "a\u{7f}",
        ] {
            assert!(text.parse::<RefPattern>().is_err(), "{text}");
        }
    }
}
