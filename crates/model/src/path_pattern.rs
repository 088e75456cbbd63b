//! Patterns of paths that are left out (`docs/spec/settings.md#excluded-files`).

use super::repo_path::is_name;

/// The most bytes of a pattern.
const MAX_BYTES: usize = 512;

/// A pattern of files and directories, as in `.gitignore`: one without a slash names files and directories at any
/// level, any other one a path from the root of the repository. `*` and `?` match within a name, `**` any directories.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PathPattern {
    text: String,
}

/// The text is not a pattern of paths.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is not a path pattern: use a name such as fixtures, or a path from the root of the repository such as \
     docs/**/*.json"
)]
pub struct PathPatternError(String);

impl PathPattern {
    /// The pattern as it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a path, or one of the directories that it is in, fits.
    pub fn matches(&self, path: &str) -> bool {
        let pattern = self.text.trim_end_matches('/');
        if !pattern.contains('/') {
            return path.split('/').any(|name| name_matches(pattern, name));
        }
        let pattern: Vec<&str> = pattern.trim_start_matches('/').split('/').collect();
        let names: Vec<&str> = path.split('/').collect();
        // The rest of a path below a directory that fits is `**`.
        sequence_matches(
            &[&pattern[..], &["**"]].concat(),
            &names,
            |part| *part == "**",
            |part, name| name_matches(part, name),
        )
    }
}

fn name_matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let is_star = |char: &char| *char == '*';
    sequence_matches(&pattern, &name, is_star, |a, b| *a == '?' || a == b)
}

/// Whether the parts of a pattern match all items, where a wildcard matches any number of them. Only the last wildcard
/// is tried again, so that the time is at most the product of both lengths.
fn sequence_matches<P, T>(
    pattern: &[P],
    items: &[T],
    is_wildcard: impl Fn(&P) -> bool,
    fits: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut item) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while let Some(next) = items.get(item) {
        match pattern.get(at) {
            Some(part) if is_wildcard(part) => {
                retry = Some((at, item));
                at += 1;
            }
            Some(part) if fits(part, next) => {
                at += 1;
                item += 1;
            }
            _ => match &mut retry {
                Some((wildcard, start)) => {
                    *start += 1;
                    (at, item) = (*wildcard + 1, *start);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(is_wildcard)
}

impl std::str::FromStr for PathPattern {
    type Err = PathPatternError;

    fn from_str(text: &str) -> Result<Self, PathPatternError> {
        let path = text.trim_start_matches('/').trim_end_matches('/');
        let is_valid = text.len() <= MAX_BYTES && path.split('/').all(is_name);
        if is_valid {
            Ok(Self {
                text: text.to_owned(),
            })
        } else {
            Err(PathPatternError(text.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_at_any_level_and_paths_from_the_root() {
        for (pattern, path, fits) in [
            ("fixtures", "a/fixtures/en.json", true),
            ("fixtures", "fixtures/en.json", true),
            ("fixtures/", "a/fixtures/b/en.json", true),
            ("fixtures", "a/my-fixtures/en.json", false),
            ("*.snap.json", "a/en.snap.json", true),
            ("a/b", "a/b/en.json", true),
            ("/a", "a/en.json", true),
            ("/a", "b/a/en.json", false),
            ("a/b", "x/a/b/en.json", false),
            ("**/b/*.json", "x/y/b/en.json", true),
            ("**/b/*.json", "b/en.json", true),
            ("a/**/en.json", "a/en.json", true),
            ("a/**/en.json", "a/b/c/en.json", true),
            ("a/*/en.json", "a/b/c/en.json", false),
            ("locales/q??.json", "locales/qaa.json", true),
            ("locales/q??.json", "locales/qa.json", false),
        ] {
            let pattern: PathPattern = pattern.parse().unwrap();
            assert_eq!(pattern.matches(path), fits, "{} {path}", pattern.as_str());
        }
    }

    #[test]
    fn a_pattern_names_something_in_the_repository() {
        for wrong in ["", "/", "../a", "a//b", "./a", &"a".repeat(513)] {
            assert!(wrong.parse::<PathPattern>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn many_wildcards_take_no_longer_than_the_product_of_the_lengths() {
        let pattern: PathPattern = format!("a/{}b", "*a".repeat(200)).parse().unwrap();
        assert!(!pattern.matches(&format!("a/{}", "a".repeat(100_000))));
    }
}
