//! The texts of units: plural forms, notes, words and hashes (docs/spec/units.md).

use std::borrow::Cow;

use gitglot_model::language::{Language, categories_of_forms};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR, PluralForm, TextId, Texts, fit_forms};

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

/// A target with plural forms for gettext, as many as its rule has: those with categories at the index of the numbers of
/// their category, others as the file has them.
pub(super) fn numbered(
    texts: &Texts,
    target: TextId,
    language: &Language,
    declared: Option<usize>,
) -> String {
    let joined = texts.get(target);
    let names: Vec<_> = texts.forms(target).map(PluralForm::category).collect();
    let by_category = || {
        if names.is_empty() || names.contains(&None) {
            return None;
        }
        let own: Vec<&str> = joined.split(PLURAL_SEPARATOR).collect();
        let form = |category: &'static str| {
            let at = names.iter().position(|name| *name == Some(category))?;
            own.get(at).copied()
        };
        let forms = categories_of_forms(language)?.into_iter();
        let forms = forms.map(|category| form(category).unwrap_or_default());
        Some(forms.collect::<Vec<_>>().join(PLURAL_SEPARATOR))
    };
    let count = declared.unwrap_or(language.plural.forms.into());
    by_category().unwrap_or_else(|| fit_forms(joined, count))
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
    use gitglot_model::{TextPool, language};

    #[test]
    fn forms_are_at_the_index_of_their_category() {
        let mut pool = TextPool::default();
        let forms = |categories: &[&str]| -> Vec<PluralForm> {
            let names = categories.iter();
            let forms = names.map(|name| PluralForm::from_category(name));
            forms.collect::<Option<_>>().unwrap()
        };
        let catalan = forms(&["one", "many", "other"]);
        let catalan = pool.intern_with_forms("1\u{1e}\u{1e}M\u{1e}\u{1e}O", &catalan);
        let czech = forms(&["zero", "one", "few"]);
        let czech = pool.intern_with_forms("0\u{1e}\u{1e}1\u{1e}\u{1e}F", &czech);
        let texts = pool.freeze();
        let of = |text, code| numbered(&texts, text, &language::resolve(code), None);
        assert_eq!(of(catalan, "ca"), "1\u{1e}\u{1e}O");
        assert_eq!(of(czech, "cs"), "1\u{1e}\u{1e}F\u{1e}\u{1e}");
        assert_eq!(of(catalan, "ja"), "O");
    }

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
