//! The texts of units: plural forms, notes, words and hashes (docs/spec/units.md).

use std::borrow::Cow;

use gitglot_model::language::Language;
use gitglot_model::{FileFormat, PLURAL_SEPARATOR, fit_forms};

/// A target with plural forms as the API shows it (docs/spec/units.md#plural-forms).
/// `declared` is the number of forms in the file's header.
pub(super) fn fitted<'t>(
    target: &'t str,
    format: FileFormat,
    language: &Language,
    declared: Option<usize>,
) -> Cow<'t, str> {
    if format.fits_forms() {
        fit_forms(target, declared.unwrap_or(language.plural.forms.into())).into()
    } else {
        target.into()
    }
}

/// The plural forms of a joined text.
pub(super) fn split_forms(joined: &str) -> Vec<&str> {
    joined.split(PLURAL_SEPARATOR).collect()
}

/// Appends the comment of a unit: the notes of template and translation (docs/spec/units.md#comment).
pub fn push_comment(out: &mut String, template: &str, translation: &str) {
    if template != translation {
        out.push_str(template);
        out.push(' ');
    }
    out.push_str(translation);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_joined_like_in_weblate() {
        let cases = [
            ("Greeting", "", "Greeting "),
            ("", "Has own desc", " Has own desc"),
            ("d", "x", "d x"),
            ("Name", "Name", "Name"),
            ("", "", ""),
        ];
        for (template, translation, comment) in cases {
            let mut out = String::new();
            push_comment(&mut out, template, translation);
            assert_eq!(out, comment);
        }
    }
}
