//! The separators of nested keys, namespaces and plural forms (`docs/spec/formats.md#configuration-of-i18next`).

use crate::plural::PluralForm;

/// The separators of the keys of a component. The default is that of i18next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeySeparators {
    /// The one between nested names in source code; `None` if names are not nested.
    pub key: Option<String>,
    /// The one after a namespace in source code; `None` without namespaces.
    pub namespace: Option<String>,
    /// The one before a plural category, such as `_` in `files_one`.
    pub plural: String,
}

/// The separators that a component sets. What it leaves out is that of the tool that reads the files.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct SeparatorSettings {
    /// `key_separator`.
    pub key: Option<Separator>,
    /// `ns_separator`.
    pub namespace: Option<Separator>,
    /// `plural_separator`.
    pub plural: Option<String>,
}

/// A separator that there may not be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Separator {
    /// This text.
    Text(String),
    /// Names are not divided.
    None,
}

impl SeparatorSettings {
    /// The settings, in place of those of the tool.
    pub fn or(&self, tool: KeySeparators) -> KeySeparators {
        let chosen = |separator: &Option<Separator>, tool| match separator {
            Some(Separator::Text(text)) => Some(text.clone()),
            Some(Separator::None) => None,
            None => tool,
        };
        KeySeparators {
            key: chosen(&self.key, tool.key),
            namespace: chosen(&self.namespace, tool.namespace),
            plural: self.plural.clone().unwrap_or(tool.plural),
        }
    }
}

impl Default for KeySeparators {
    fn default() -> Self {
        Self {
            key: Some(".".to_owned()),
            namespace: Some(":".to_owned()),
            plural: "_".to_owned(),
        }
    }
}

impl KeySeparators {
    /// The key without its plural category.
    pub fn plural_stem<'k>(&self, key: &'k str) -> Option<&'k str> {
        Some(self.plural_parts(key)?.0)
    }

    /// The key without its plural category, and the category.
    pub fn plural_parts<'k>(&self, key: &'k str) -> Option<(&'k str, &'static str)> {
        let parts = |category: &'static str| {
            let stem = key.strip_suffix(category)?.strip_suffix(&*self.plural);
            Some((stem?, category))
        };
        PluralForm::categories().into_iter().find_map(parts)
    }

    /// The keys of the plural forms of a text.
    pub fn plural_keys(&self, stem: &str) -> impl Iterator<Item = String> {
        let keys = PluralForm::categories().map(|category| self.plural_key(stem, category));
        keys.into_iter()
    }

    /// The key of a plural form.
    pub fn plural_key(&self, stem: &str, category: &str) -> String {
        [stem, &*self.plural, category].concat()
    }

    /// Whether the key belongs to a plural text of which another form or the text of all is there: `files_few` next to
    /// `files_one`.
    pub fn has_plural_sibling(&self, key: &str, has: impl Fn(&str) -> bool) -> bool {
        self.plural_stem(key).is_some_and(|stem| {
            self.plural_keys(stem).any(|key| has(&key)) || has(&self.plural_key(stem, "plural"))
        })
    }

    /// The path of a key, and its last name.
    pub fn split<'k>(&self, key: &'k str) -> (&'k str, &'k str) {
        match &self.key {
            Some(separator) => {
                let last = key.rfind(&**separator).map(|at| at + separator.len());
                let usual = key.rfind(['.', '/', ':', '>']).map(|at| at + 1);
                key.split_at(last.max(usual).unwrap_or_default())
            }
            None => ("", key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plural_forms_and_names_are_split_at_the_separators() {
        let usual = KeySeparators::default();
        assert_eq!(usual.plural_stem("files_few"), Some("files"));
        assert_eq!(usual.plural_stem("files-few"), None);
        assert_eq!(usual.split(".menu.title"), (".menu.", "title"));
        let own = KeySeparators {
            key: None,
            plural: "-".to_owned(),
            ..usual
        };
        assert_eq!(own.plural_stem("files-few"), Some("files"));
        assert_eq!(own.plural_key("files", "one"), "files-one");
        assert_eq!(own.split("Wait. Really?"), ("", "Wait. Really?"));
    }
}
