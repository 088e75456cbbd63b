//! The shape of a component: where its source texts come from, and what identifies a string.

use std::borrow::Cow;

use crate::hash::signed_hash;
use crate::plural::PLURAL_SEPARATOR;

/// Where the source texts of a component come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Shape {
    /// One file, the template, has the source texts. A string is identified by its context.
    #[default]
    Template,
    /// Each file has the source texts next to the translations. A string is identified by context and source, and a
    /// translation has the strings of its file only.
    Bilingual,
}

/// Separates context and source in the key of a string of a bilingual file, as in the files that `msgfmt` writes.
const KEY_SEPARATOR: char = '\u{4}';

impl Shape {
    /// Whether one file has the strings and source texts of all. Otherwise each file has its own.
    pub fn has_template(self) -> bool {
        match self {
            Self::Template => true,
            Self::Bilingual => false,
        }
    }

    /// The key of a string of a bilingual file.
    pub fn bilingual_key(context: &str, source: &str) -> String {
        [context, source].join(KEY_SEPARATOR.encode_utf8(&mut [0; 4]))
    }

    /// The key of a string, which identifies it in the log.
    pub fn key<'c>(self, context: &'c str, source: &str) -> Cow<'c, str> {
        match self {
            Self::Template => context.into(),
            Self::Bilingual => Self::bilingual_key(context, source).into(),
        }
    }

    /// The `id_hash` and the `content_hash` of a string; the first one identifies it in its component
    /// (docs/spec/units.md#hashes).
    pub fn hashes(self, context: &str, source: &str) -> (i64, i64) {
        let content_hash = signed_hash(&[source, context]);
        match self {
            Self::Template => (signed_hash(&[context]), content_hash),
            Self::Bilingual => (content_hash, content_hash),
        }
    }

    /// The context in a key.
    pub fn context(self, key: &str) -> &str {
        match self {
            Self::Template => key,
            Self::Bilingual => key
                .split_once(KEY_SEPARATOR)
                .map_or("", |(context, _)| context),
        }
    }

    /// The source in a key; `None` if a template contains it.
    pub fn source(self, key: &str) -> Option<&str> {
        match self {
            Self::Template => None,
            Self::Bilingual => Some(
                key.split_once(KEY_SEPARATOR)
                    .map_or(key, |(_, source)| source),
            ),
        }
    }

    /// The context in a key; of a bilingual file without a context, the source.
    pub fn context_or_source(self, key: &str) -> &str {
        match (self.context(key), self.source(key)) {
            ("", Some(source)) => source,
            (context, _) => context,
        }
    }

    /// The name of a string for people: its context, and in bilingual files, where many strings can have the same context
    /// or none, the first form of its source.
    pub fn name<'t>(self, context: &'t str, source: &'t str) -> Cow<'t, str> {
        let first = source.split(PLURAL_SEPARATOR).next().unwrap_or_default();
        match context {
            context if self.has_template() => context.into(),
            "" => first.into(),
            context => [context, ": ", first].concat().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bilingual_key_has_context_and_source() {
        let key = Shape::bilingual_key("menu", "Open");
        assert_eq!(Shape::Bilingual.context(&key), "menu");
        assert_eq!(Shape::Bilingual.source(&key), Some("Open"));
        let key = Shape::bilingual_key("", "Open");
        assert_eq!(
            (
                Shape::Bilingual.context(&key),
                Shape::Bilingual.source(&key)
            ),
            ("", Some("Open"))
        );
        assert_eq!(
            (
                Shape::Template.context("Open"),
                Shape::Template.source("Open")
            ),
            ("Open", None)
        );
        let names = [("menu", "Open\u{1e}\u{1e}Open all"), ("", "Open")];
        let names = names.map(|(context, source)| Shape::Bilingual.name(context, source));
        assert_eq!(names, ["menu: Open", "Open"]);
        assert_eq!(Shape::Template.name("menu", "Open"), "menu");
    }

    #[test]
    fn a_template_identifies_strings_by_their_contexts() {
        assert_eq!(Shape::Template.key("menu", "Open"), "menu");
        assert_eq!(Shape::Bilingual.key("menu", "Open"), "menu\u{4}Open");
        let (id, content) = Shape::Template.hashes("menu", "Open");
        assert_eq!(id, Shape::Template.hashes("menu", "Close").0);
        assert_eq!((content, content), Shape::Bilingual.hashes("menu", "Open"));
    }
}
