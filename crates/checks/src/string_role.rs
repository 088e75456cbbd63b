//! What the key of a string and its siblings say about its text: a name, or the form for one of several numbers
//! (`docs/spec/checks.md#differences-of-inferred-checks`).

use gitglot_model::{FileFormat, KeySeparators};

/// What a key says in all languages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StringRole {
    /// Whether it is a name that programs define, such as `-brand-name` in Fluent.
    is_term: bool,
    /// The plural category in all languages.
    category: Option<&'static str>,
    /// The row of the form for all other numbers, where the files decide whether there is one.
    plural: Option<u32>,
}

/// What a key says in a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TextRole {
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
    /// The role of a string of a template, whose rows `row` finds by their keys. Bilingual files have none, because their keys
    /// are source texts.
    pub fn of(
        key: &str,
        row: impl Fn(&str) -> Option<u32>,
        format: FileFormat,
        separators: &KeySeparators,
    ) -> Self {
        let has = |key: &str| row(key).is_some();
        Self {
            is_term: format == FileFormat::Fluent && key.starts_with('-'),
            category: category(key, separators, has),
            plural: row(&separators.plural_key(key, "plural")),
        }
    }

    /// The role in a file. `has_plural` is whether the row of a form for all other numbers counts: in a language without a
    /// singular only if the file has its text.
    pub fn in_file(self, has_plural: impl FnOnce(u32) -> bool) -> TextRole {
        // The singular of i18next before version 4.
        let is_one = || self.plural.is_some_and(has_plural);
        TextRole {
            is_term: self.is_term,
            category: self.category.or_else(|| is_one().then_some("one")),
        }
    }
}

/// The category that a key names next to one of `other`: `days.one` or `days[one]` next to `days.other`. `has` is whether the
/// template has a key.
fn category(
    key: &str,
    separators: &KeySeparators,
    has: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let (inside, end) = match key.strip_suffix(']') {
        Some(inside) => (inside, "]"),
        None => (key, ""),
    };
    ["zero", "one", "two"].into_iter().find(|category| {
        let stem = inside.strip_suffix(category);
        stem.is_some_and(|stem| {
            (stem.ends_with(['.', '>', '_', '[']) || stem.ends_with(&*separators.plural))
                && has(&[stem, "other", end].concat())
        })
    })
}
