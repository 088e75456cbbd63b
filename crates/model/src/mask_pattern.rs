//! File masks with placeholders, which expand to several masks.

use std::collections::BTreeSet;
use std::str::FromStr;

use super::android::{has_values_folder, is_android_locale};
use super::filemask::{LANGUAGE, NAME};
use crate::filemask::{FileMask, FileMaskError};

/// A file mask, or a pattern with `{language}` and `{name}` that expands to a mask for each name
/// (docs/spec/settings.md#masks-with-placeholders).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MaskPattern {
    text: String,
    /// The pattern with `*` for every placeholder.
    mask: FileMask,
}

impl FromStr for MaskPattern {
    type Err = FileMaskError;

    fn from_str(text: &str) -> Result<Self, FileMaskError> {
        let has_placeholders = text.contains(LANGUAGE) || text.contains(NAME);
        let is_valid = text.matches(LANGUAGE).count() == 1 && !text.contains(['*', '?', '[']);
        if has_placeholders && !is_valid {
            return Err(FileMaskError::BadPlaceholders(text.to_owned()));
        }
        let mask = FileMask::new(&text.replace(LANGUAGE, "*").replace(NAME, "*"))?;
        Ok(Self {
            text: text.to_owned(),
            mask,
        })
    }
}

impl From<FileMask> for MaskPattern {
    fn from(mask: FileMask) -> Self {
        Self {
            text: mask.as_str().to_owned(),
            mask,
        }
    }
}

impl MaskPattern {
    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The mask, with `*` for every placeholder.
    pub fn mask(&self) -> &FileMask {
        &self.mask
    }

    /// Whether the pattern has a mask for each name.
    pub fn has_name(&self) -> bool {
        self.text.contains(NAME)
    }

    /// The mask without its names: `*` for `{language}`, and `{name}` literally.
    pub fn without_names(&self) -> FileMask {
        FileMask::unchecked(&self.text.replace(LANGUAGE, "*"))
    }

    /// The masks for a list of paths, each with its name, ordered by name. A mask without placeholders is itself, with
    /// the name `""`.
    ///
    /// # Errors
    /// If there are more than [`MAX_NAMES`] names.
    pub fn expand<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
    ) -> Result<Vec<(String, FileMask)>, TooManyNames> {
        if !self.has_name() {
            return Ok(vec![(String::new(), self.mask.clone())]);
        }
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for name in paths.filter_map(|path| self.name_in(path)) {
            names.insert(name);
            if names.len() > MAX_NAMES {
                return Err(TooManyNames(self.text.clone()));
            }
        }
        let mask =
            |name: &str| FileMask::new(&self.text.replace(NAME, name).replace(LANGUAGE, "*")).ok();
        let named = |name: &str| Some((name.to_owned(), mask(name)?));
        Ok(names.into_iter().filter_map(named).collect())
    }

    /// The text in place of `{name}`, if the path matches and every `{name}` is the same.
    fn name_in<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut names = self.mask.captures(path)?;
        let (before, _) = self.text.split_once(LANGUAGE)?;
        let before = before.matches(NAME).count();
        names.get(before)?;
        let language = names.remove(before);
        if has_values_folder(&self.text, LANGUAGE) && !is_android_locale(language) {
            return None;
        }
        let name = *names.first()?;
        // Wildcards in a name would become wildcards of the mask.
        let is_literal = !name.is_empty() && !name.contains(['*', '?', '[', '{']);
        (is_literal && names.iter().all(|other| *other == name)).then_some(name)
    }
}

/// The most names of a mask. Each is a component.
pub const MAX_NAMES: usize = 1_000;

/// A mask matches files of too many names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the file mask '{0}' matches files of more than {MAX_NAMES} names: write a narrower mask, or one for each folder"
)]
pub struct TooManyNames(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_has_a_limited_number_of_names() {
        let pattern: MaskPattern = "l/{language}/{name}.json".parse().unwrap();
        let expand = |count: usize| {
            let paths: Vec<String> = (0..count).map(|n| format!("l/en/{n}.json")).collect();
            pattern.expand(paths.iter().map(String::as_str))
        };
        assert_eq!(expand(MAX_NAMES).unwrap().len(), MAX_NAMES);
        let error = expand(MAX_NAMES + 1).unwrap_err().to_string();
        assert!(error.contains("'l/{language}/{name}.json'") && error.contains("1000 names"));
    }

    fn expanded(pattern: &str, paths: &[&str]) -> Vec<String> {
        let pattern: MaskPattern = pattern.parse().unwrap();
        let masks = pattern.expand(paths.iter().copied()).unwrap();
        masks
            .iter()
            .map(|(name, mask)| format!("{name}: {}", mask.as_str()))
            .collect()
    }

    #[test]
    fn a_pattern_has_a_mask_for_each_name() {
        let paths = [
            "locales/en/common.json",
            "locales/cs/common.json",
            "locales/en/errors.json",
            "locales/en.json",
        ];
        assert_eq!(
            expanded("locales/{language}/{name}.json", &paths),
            [
                "common: locales/*/common.json",
                "errors: locales/*/errors.json"
            ]
        );
        let paths = [
            "packages/ui/locales/en.json",
            "packages/admin/locales/de.json",
            "packages/ui/x.json",
        ];
        assert_eq!(
            expanded("packages/{name}/locales/{language}.json", &paths),
            [
                "admin: packages/admin/locales/*.json",
                "ui: packages/ui/locales/*.json"
            ]
        );
        assert_eq!(
            expanded(
                "{name}/{name}.{language}.json",
                &["a/a.en.json", "a/b.en.json"]
            ),
            ["a: a/a.*.json"]
        );
        assert_eq!(
            expanded(
                "{name}/values-{language}/strings.xml",
                &["a/values-cs/strings.xml", "b/values-night/strings.xml"]
            ),
            ["a: a/values-*/strings.xml"]
        );
        assert_eq!(expanded("locales/*.json", &paths), [": locales/*.json"]);
        assert_eq!(
            expanded("locales/{language}.json", &paths),
            [": locales/*.json"]
        );
    }

    #[test]
    fn patterns_need_one_language() {
        for pattern in [
            "{name}.json",
            "{language}/{language}.json",
            "*/{language}.json",
        ] {
            assert!(pattern.parse::<MaskPattern>().is_err(), "{pattern}");
        }
    }
}
