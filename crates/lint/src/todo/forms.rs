//! The plural forms to fill.

use std::sync::Arc;

use super::TodoForm;
use crate::language_file::LanguageFile;
use gitglot_model::language::{categories_of_forms, plural_categories};
use gitglot_model::{PLURAL_SEPARATOR, PluralForm};

/// Numbers up to this one are examples for a form.
const LARGEST_NUMBER: u32 = 200;

/// The most numbers of a form.
const MAX_NUMBERS: usize = 3;

/// The forms of a translation, whose source text has these categories if its file names them.
pub(super) fn forms_of(
    file: &LanguageFile,
    source: &str,
    categories: &[&'static str],
) -> Vec<TodoForm> {
    if !source.contains(PLURAL_SEPARATOR) && categories.is_empty() {
        return vec![TodoForm::default()];
    }
    let language = &file.language;
    let of_forms = categories_of_forms(language);
    let of_language = language.plural.rule();
    let numbers = |is_own: &dyn Fn(u32) -> bool| {
        let numbers = (0..=LARGEST_NUMBER).filter(|&number| is_own(number));
        numbers.take(MAX_NUMBERS).collect()
    };
    if !categories.is_empty() {
        let own = plural_categories(&language.code).unwrap_or(categories);
        let form = |&category: &&'static str| TodoForm {
            category: Some(category),
            numbers: numbers(&|number| {
                let rule = of_language.as_ref().zip(of_forms.as_ref());
                rule.is_some_and(|(rule, categories)| {
                    categories.get(rule.form(number.into())) == Some(&category)
                })
            }),
        };
        return own.iter().map(form).collect();
    }
    let own = file.content.plural_rule().map(Arc::new);
    let is_usual = own.as_ref().is_none_or(|own| {
        let usual = |number: u32| of_language.as_ref().map(|rule| rule.form(number.into()));
        (0..=LARGEST_NUMBER).all(|number| usual(number) == Some(own.form(number.into())))
    });
    let of_forms = of_forms.filter(|_| is_usual);
    let Some(rule) = own.or(of_language) else {
        return vec![TodoForm::default(); crate::file::forms(source).len()];
    };
    let form = |form| TodoForm {
        category: of_forms.as_ref().and_then(|forms| forms.get(form).copied()),
        numbers: numbers(&|number| rule.form(number.into()) == form),
    };
    (0..rule.forms()).map(form).collect()
}

/// The forms as a file with these categories has them: none for a text without plural forms.
pub(super) fn forms_in_file(
    forms: &[TodoForm],
    is_plural: bool,
    has_categories: bool,
) -> Vec<PluralForm> {
    if !is_plural {
        return Vec::new();
    }
    let form = |(index, form): (u8, &TodoForm)| {
        let category = form.category.filter(|_| has_categories);
        category
            .and_then(PluralForm::from_category)
            .unwrap_or(PluralForm::Index(index))
    };
    (0..).zip(forms).map(form).collect()
}
