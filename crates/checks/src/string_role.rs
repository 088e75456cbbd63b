//! What the key of a string and its siblings say about its text: a note for translators, or the form for one of several
//! numbers (`docs/spec/checks.md#differences-of-inferred-checks`).

use gitglot_model::{FileFormat, KeySeparators};

/// The strings of a template by their keys.
pub trait TemplateTexts {
    /// The row of a key.
    fn row(&self, key: &str) -> Option<u32>;
    /// The source text of a row.
    fn source(&self, row: u32) -> &str;
}

/// What a key says in all languages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StringRole {
    /// Whether it is a note for translators.
    is_note: bool,
    /// Whether it is a name that programs define, such as `-brand-name` in Fluent.
    is_term: bool,
    /// The plural category in all languages.
    category: Option<&'static str>,
    /// Whether it is the form for one in languages that have such a form.
    is_singular: bool,
    /// The row of the form for all other numbers, where the files decide whether there is one.
    plural: Option<u32>,
}

/// What a key says in a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TextRole {
    /// Whether it is a note for translators, which is not checked.
    pub is_note: bool,
    /// Whether it is a name that programs define.
    pub(super) is_term: bool,
    /// The plural category of the only form.
    pub(super) category: Option<&'static str>,
}

/// What the results of a translation depend on besides its texts.
#[derive(Clone, Copy, Default, Debug)]
pub struct TextContext<'a> {
    /// The flags of the string.
    pub flags: &'a str,
    /// What its key says.
    pub role: TextRole,
    /// What people read in place of the source of a bilingual file.
    pub wording: Option<&'a str>,
}

impl StringRole {
    /// The role of a string of a template. Bilingual files have none, because their keys are source texts.
    pub fn of(
        key: &str,
        template: &impl TemplateTexts,
        format: FileFormat,
        separators: &KeySeparators,
    ) -> Self {
        let keys = Keys {
            template,
            separators,
        };
        let is_for_one = || keys.is_for_one(key) || keys.is_first_form(key);
        Self {
            is_note: keys.is_description(key),
            is_term: format == FileFormat::Fluent && key.starts_with('-'),
            category: keys.category(key).or_else(|| is_for_one().then_some("one")),
            is_singular: keys.is_singular(key),
            plural: template.row(&separators.plural_key(key, "plural")),
        }
    }

    /// The role in a file whose language has `plural_forms` forms. `has_plural` is whether the row of a form for all other
    /// numbers counts: in a language without a singular only if the file has its text.
    pub fn in_file(self, plural_forms: u8, has_plural: impl FnOnce(u32) -> bool) -> TextRole {
        // Languages without a form for one show it as any other text.
        let is_singular = self.is_singular && plural_forms > 1;
        // The singular of i18next before version 4.
        let is_one = || is_singular || self.plural.is_some_and(has_plural);
        TextRole {
            is_note: self.is_note,
            is_term: self.is_term,
            category: self.category.or_else(|| is_one().then_some("one")),
        }
    }
}

struct Keys<'a, T> {
    template: &'a T,
    separators: &'a KeySeparators,
}

impl<T: TemplateTexts> Keys<'_, T> {
    fn has(&self, key: &str) -> bool {
        self.template.row(key).is_some()
    }

    fn source(&self, key: &str) -> Option<&str> {
        Some(self.template.source(self.template.row(key)?))
    }

    /// The category that a key names next to one of `other`: `days.one` or `days[one]` next to `days.other`.
    fn category(&self, key: &str) -> Option<&'static str> {
        let (inside, end) = match key.strip_suffix(']') {
            Some(inside) => (inside, "]"),
            None => (key, ""),
        };
        ["zero", "one", "two"].into_iter().find(|category| {
            let stem = inside.strip_suffix(category);
            stem.is_some_and(|stem| {
                (stem.ends_with(['.', '>', '_', '[']) || stem.ends_with(&*self.separators.plural))
                    && self.has(&[stem, "other", end].concat())
            })
        })
    }

    /// Whether a text is a note for translators next to a message: `name->description` next to `name->message`.
    fn is_description(&self, key: &str) -> bool {
        // Both are members of one object: two keys of a flat file are two texts.
        let stem = key
            .strip_suffix("description")
            .filter(|stem| stem.ends_with("->"));
        stem.is_some_and(|stem| self.has(&[stem, "message"].concat()))
    }

    /// Whether a key is a singular by its name: `files.singular` next to `files.plural` or `files`.
    fn is_singular(&self, key: &str) -> bool {
        let stem = key.strip_suffix("singular").unwrap_or_default();
        let base = stem.trim_end_matches(['.', '_', '-', '>']);
        base.len() < stem.len() && (self.has(&[stem, "plural"].concat()) || self.has(base))
    }

    /// Whether a text is for one by a part of its key, next to one for any number: `mods.1` next to `mods.n`, `itemsSingle`
    /// next to `itemsMultiple`. Both have the same values.
    fn is_for_one(&self, key: &str) -> bool {
        let has_same_values = |many: String| {
            let texts = self.source(key).zip(self.source(&many));
            texts.is_some_and(|(one, many)| {
                one.len().max(many.len()) <= MAX_TEXT && marks(one) == marks(many)
            })
        };
        // Most keys have no such part, so it is searched in one pass, by the last characters of all of them.
        let ends = key.char_indices().filter(|(at, last)| {
            matches!(last, '1' | 'e') && !key[at + 1..].starts_with(char::is_alphanumeric)
        });
        let places = ends.flat_map(|(at, _)| {
            let (part, after) = key.split_at(at + 1);
            let befores = FOR_ONE.iter().map(move |(one, many)| {
                let before = part.strip_suffix(one)?;
                let is_start =
                    one.starts_with(char::is_uppercase) || !before.ends_with(char::is_alphanumeric);
                (!before.is_empty() && is_start).then_some((before, *many, after))
            });
            befores.flatten()
        });
        let mut others = places.take(MAX_PLACES).flat_map(|(before, many, after)| {
            many.iter().map(move |many| [before, many, after].concat())
        });
        others.any(has_same_values)
    }

    /// Whether a key is the first of a list of plural forms: `["%d minute", "%d minutes"]`.
    fn is_first_form(&self, key: &str) -> bool {
        let Some(stem) = key.strip_suffix("[0]") else {
            return false;
        };
        let texts = self.source(key).zip(self.source(&[stem, "[1]"].concat()));
        let Some((first, second)) = texts else {
            return false;
        };
        let marks = |text: &str| text.matches(['%', '{']).count();
        let mut pairs = first.chars().zip(second.chars());
        let common = pairs
            .by_ref()
            .take_while(|(one, other)| one == other)
            .count();
        marks(first) > 0 && marks(first) == marks(second) && common * 3 >= first.chars().count()
    }
}

/// The most places of a key that are compared with other keys.
const MAX_PLACES: usize = 8;

/// Parts of keys of texts for one, which end in `1` or `e`, and those of texts for any number.
const FOR_ONE: &[(&str, &[&str])] = &[
    ("1", &["n", "other", "many", "plural", "multiple"]),
    ("one", &["many", "multiple", "n", "more"]),
    ("One", &["Other", "Many", "Multiple", "More"]),
    ("single", &["multiple", "many", "plural"]),
    ("Single", &["Multiple", "Many", "Plural"]),
];

/// The longest texts whose placeholders are compared, in bytes. Longer ones are documents.
const MAX_TEXT: usize = 8 << 10;

/// The bytes of a placeholder that are compared.
const MAX_MARK: usize = 64;

/// The sorted placeholders of a text, roughly: `{…}` and what follows `%`.
fn marks(text: &str) -> Vec<&[u8]> {
    let bytes = text.as_bytes();
    let mut marks: Vec<&[u8]> = text
        .match_indices(['{', '%'])
        .filter_map(|(at, _)| {
            let end = bytes.len().min(at + MAX_MARK);
            let mark = bytes.get(at..end)?;
            mark.split(|byte| b" }),".contains(byte)).next()
        })
        .collect();
    marks.sort_unstable();
    marks
}
