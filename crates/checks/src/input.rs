//! The texts of a unit, and the source form that each target form is compared with.

use crate::MAX_CHECKED;
use gitglot_model::language::Coverage;
use gitglot_model::language::PluralRule;

/// The texts to check: one source and one target text, or one per plural form.
#[derive(Clone, Copy, Debug)]
pub struct CheckInput<'a> {
    /// The source forms: one, or singular and plural.
    pub source: &'a [&'a str],
    /// The target forms, in the order of the language's plural rule.
    pub target: &'a [&'a str],
    /// The CLDR plural category of each target form, if the file names them; else empty.
    pub categories: &'a [&'a str],
    /// The flags that a bilingual file gives to the unit, separated by commas; else empty.
    pub flags: &'a str,
    /// The comments of source and target.
    pub comment: &'a str,
}

/// A target form and the source form to compare it with.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormPair<'a> {
    pub(super) source: &'a str,
    pub(super) target: &'a str,
    /// The index of the source form.
    pub(super) source_form: usize,
    /// The index of the target form.
    pub(super) target_form: usize,
}

/// The bytes that a plural form counts as, in addition to its text.
const FORM_LENGTH: usize = 64;

impl<'a> CheckInput<'a> {
    /// A unit whose file does not name plural categories.
    pub const fn new(source: &'a [&'a str], target: &'a [&'a str]) -> Self {
        Self {
            source,
            target,
            categories: &[],
            flags: "",
            comment: "",
        }
    }

    /// Whether the texts are too long to be checked (`docs/spec/checks.md#long-texts`). A source form counts once for
    /// each target form that it is compared with.
    pub fn is_too_long(&self) -> bool {
        let lengths = |texts: &[&str]| texts.iter().map(|text| text.len()).sum::<usize>();
        let all = lengths(self.source).saturating_add(lengths(self.target));
        if all > MAX_CHECKED {
            return true;
        }
        let compared = |pair: FormPair<'_>| pair.source.len() + pair.target.len() + FORM_LENGTH;
        self.pairs().map(compared).sum::<usize>() > MAX_CHECKED
    }

    /// Whether the unit is one form of a text whose other forms are units of their own.
    fn is_one_category(&self) -> bool {
        self.source.len() == 1 && self.target.len() == 1 && self.categories.len() == 1
    }

    /// The first source form; empty without any.
    pub(super) fn singular(&self) -> &'a str {
        self.source.first().copied().unwrap_or_default()
    }

    /// Pairs every target form with its source form: the first with the first, all others with the second. If the file
    /// names categories, only `one` belongs to the first. With one source form, only the first target form counts.
    pub(super) fn pairs(&self) -> impl Iterator<Item = FormPair<'a>> + use<'a> {
        let (source, categories) = (self.source, self.categories);
        let compared = if source.len() > 1 {
            self.target.len()
        } else {
            1
        };
        self.target
            .iter()
            .take(compared)
            .enumerate()
            .filter_map(move |(target_form, &target)| {
                let is_singular = match categories.get(target_form) {
                    Some(category) => *category == "one" || source.len() < 2,
                    None => target_form == 0,
                };
                let source_form = usize::from(!is_singular);
                Some(FormPair {
                    source: source.get(source_form)?,
                    target,
                    source_form,
                    target_form,
                })
            })
    }

    /// As [`CheckInput::pairs`], but a language with a single plural form uses the plural source form.
    pub(super) fn counted_pairs(
        &self,
        plural_forms: usize,
    ) -> impl Iterator<Item = FormPair<'a>> + use<'a> {
        let plural_source = self.source.get(1).filter(|_| plural_forms == 1).copied();
        self.pairs().map(move |pair| match plural_source {
            Some(source) => FormPair {
                source,
                source_form: 1,
                ..pair
            },
            None => pair,
        })
    }
}

/// Whether a target form covers a single number below 100, such as 1 and 101 in Slovenian.
pub(super) fn has_one_number_below_100(
    plural: Option<&PluralRule>,
    unit: &CheckInput,
    form: usize,
) -> bool {
    plural.is_some_and(|rule| {
        let form = match unit.categories.get(form) {
            Some(&"one") => rule.form(1),
            Some(&"two") => rule.form(2),
            Some(_) => return false,
            None => form,
        };
        unit.source.len() > 1 && (0..100).filter(|&number| rule.form(number) == form).count() == 1
    })
}

/// Returns the numbers that a target form covers.
pub(super) fn coverage(plural: Option<&PluralRule>, unit: &CheckInput, form: usize) -> Coverage {
    match plural {
        Some(rule) if unit.source.len() > 1 || unit.is_one_category() => {
            match unit.categories.get(form) {
                Some(category) => rule.coverage_of_category(category),
                None => rule.coverage(form),
            }
        }
        _ => Coverage::Many,
    }
}
