//! The texts of a unit, and the source form that each target form is compared with.

use crate::limit::MAX_CHECKED;
use gitglot_model::language::Coverage;
use gitglot_model::language::PluralRule;

/// The texts to check: one source and one target text, or one per plural form.
#[derive(Clone, Copy, Debug)]
pub struct CheckInput<'a> {
    /// The source forms: one, or one per plural form.
    pub source: &'a [&'a str],
    /// The CLDR plural category of each source form; empty if the file does not name them. `None`: forms are compared by
    /// their index, as Weblate does.
    pub source_categories: Option<&'a [&'a str]>,
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

impl FormPair<'_> {
    /// Returns the first characters of both texts; `None` if one text is empty.
    pub(super) fn first(&self) -> Option<(char, char)> {
        let first = |text: &str| text.chars().next();
        first(self.source).zip(first(self.target))
    }

    /// Returns the last characters of both texts; `None` if one text is empty.
    pub(super) fn last(&self) -> Option<(char, char)> {
        let last = |text: &str| text.chars().next_back();
        last(self.source).zip(last(self.target))
    }
}

/// The bytes that a plural form counts as, in addition to its text.
const FORM_LENGTH: usize = 64;

impl<'a> CheckInput<'a> {
    /// A unit whose file does not name plural categories.
    pub const fn new(source: &'a [&'a str], target: &'a [&'a str]) -> Self {
        Self {
            source,
            source_categories: Some(&[]),
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

    /// Runs a check on changed texts of the unit.
    pub(super) fn with_texts<T>(
        &self,
        change: impl Fn(&str) -> String,
        check: impl FnOnce(&CheckInput) -> T,
    ) -> T {
        let changed =
            |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| change(text)).collect() };
        let (source, target) = (changed(self.source), changed(self.target));
        let source: Vec<&str> = source.iter().map(String::as_str).collect();
        let target: Vec<&str> = target.iter().map(String::as_str).collect();
        check(&CheckInput {
            source: &source,
            target: &target,
            ..*self
        })
    }

    /// Whether the unit is one form of a text whose other forms are units of their own.
    fn is_one_category(&self) -> bool {
        self.source.len() == 1 && self.target.len() == 1 && self.categories.len() == 1
    }

    /// The first source form; empty without any.
    pub(super) fn singular(&self) -> &'a str {
        self.source.first().copied().unwrap_or_default()
    }

    /// The source form that a target form is compared with: that of its category, else `other`. Without categories, the
    /// form of the same index, else the last. Weblate compares all forms but the first, or `one`, with the second.
    pub(super) fn source_form(&self, target_form: usize) -> usize {
        if self.source.len() < 2 {
            return 0;
        }
        let category = self.categories.get(target_form);
        match (self.source_categories, category) {
            (Some(of_source @ [_, ..]), Some(category)) => {
                let position = of_source.iter().position(|name| name == category);
                position.unwrap_or_else(|| self.many_form())
            }
            (_, Some(category)) => usize::from(*category != "one"),
            (Some(_), None) => target_form.min(self.source.len() - 1),
            (None, None) => target_form.min(1),
        }
    }

    /// The source form for many numbers: `other`, else the last.
    pub(super) fn many_form(&self) -> usize {
        let last = self.source.len().saturating_sub(1);
        let other = |of_source: &[&str]| of_source.iter().position(|name| *name == "other");
        match self.source_categories {
            Some(of_source) => other(of_source).unwrap_or(last),
            None => last.min(1),
        }
    }

    /// Whether each source form is for certain numbers, so that the translation has the same choices: those of vue-i18n.
    fn has_choices(&self) -> bool {
        self.source_categories == Some(&[]) && self.source.len() > 2 && self.target.len() > 1
    }

    /// Whether a target form may be for fewer numbers than its source form: the program then has the values of the form
    /// for many.
    pub(super) fn is_for_few(&self, pair: &FormPair) -> bool {
        let has_two = self.source.len() == 2;
        let has_more = self.source.len() > 2 && self.source_categories.is_some();
        (has_two || has_more) && pair.source_form != self.many_form() && !self.has_choices()
    }

    /// Pairs every target form with its source form. With one source form, only the first target form counts.
    pub(super) fn pairs(&self) -> impl Iterator<Item = FormPair<'a>> + use<'a> {
        let unit = *self;
        let compared = match unit.source {
            [_, _, ..] => unit.target.len(),
            _ => 1,
        };
        let targets = unit.target.iter().take(compared).enumerate();
        targets.filter_map(move |(target_form, &target)| {
            unit.pair(unit.source_form(target_form), target, target_form)
        })
    }

    fn pair(
        &self,
        source_form: usize,
        target: &'a str,
        target_form: usize,
    ) -> Option<FormPair<'a>> {
        Some(FormPair {
            source: self.source.get(source_form)?,
            target,
            source_form,
            target_form,
        })
    }

    /// A pair with the source form for many numbers.
    pub(super) fn with_many(&self, pair: FormPair<'a>) -> FormPair<'a> {
        let many = self.pair(self.many_form(), pair.target, pair.target_form);
        many.unwrap_or(pair)
    }

    /// As [`CheckInput::pairs`], but a language with a single plural form uses the source form for many numbers.
    pub(super) fn counted_pairs(
        &self,
        plural_forms: usize,
    ) -> impl Iterator<Item = FormPair<'a>> + use<'a> {
        let unit = *self;
        let is_single = plural_forms == 1 && unit.source.len() > 1 && !unit.has_choices();
        self.pairs().map(move |pair| {
            if is_single {
                unit.with_many(pair)
            } else {
                pair
            }
        })
    }
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
