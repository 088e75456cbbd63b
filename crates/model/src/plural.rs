//! Texts with plural forms.

/// Separates the plural forms of a text, as Weblate joins them.
pub const PLURAL_SEPARATOR: &str = "\u{1E}\u{1E}";

/// Whether a text has only empty plural forms.
pub fn is_blank(text: &str) -> bool {
    text.split(PLURAL_SEPARATOR).all(str::is_empty)
}

/// The numbers that a plural form is for, as written in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PluralForm {
    /// The CLDR category `zero`.
    Zero,
    /// The CLDR category `one`.
    One,
    /// The CLDR category `two`.
    Two,
    /// The CLDR category `few`.
    Few,
    /// The CLDR category `many`.
    Many,
    /// The CLDR category `other`.
    Other,
    /// A 0-based index into the language's plural rule.
    Index(u8),
    /// A CLDR category of ordinal numbers, as its index from `zero` (0) to `other` (5). A language has different
    /// categories for ordinal numbers and for quantities.
    Ordinal(u8),
}

/// The forms of the CLDR categories in their order, with the names of the categories.
const CATEGORIES: [(PluralForm, &str); 6] = [
    (PluralForm::Zero, "zero"),
    (PluralForm::One, "one"),
    (PluralForm::Two, "two"),
    (PluralForm::Few, "few"),
    (PluralForm::Many, "many"),
    (PluralForm::Other, "other"),
];

impl PluralForm {
    /// The names of the CLDR categories in their order.
    pub(super) fn categories() -> [&'static str; 6] {
        CATEGORIES.map(|(_, name)| name)
    }

    /// The index of the category of quantities in [`CATEGORIES`], if the file names one.
    fn index(self) -> Option<u8> {
        let mut forms = (0..).zip(CATEGORIES);
        Some(forms.find(|(_, (form, _))| *form == self)?.0)
    }

    /// The CLDR category of quantities, if the file names one.
    pub fn category(self) -> Option<&'static str> {
        let &(_, name) = CATEGORIES.iter().find(|&&(form, _)| form == self)?;
        Some(name)
    }

    /// The CLDR category of ordinal numbers, if the file names one.
    pub fn ordinal_category(self) -> Option<&'static str> {
        match self {
            Self::Ordinal(index) => CATEGORIES.get(usize::from(index)).map(|&(_, name)| name),
            _ => None,
        }
    }

    /// The form for ordinal numbers of the same category.
    pub fn to_ordinal(self) -> Self {
        self.index().map_or(self, Self::Ordinal)
    }

    /// The character that encodes the form in a [`super::TextPool`].
    pub fn code(self) -> char {
        match self {
            Self::Index(index) => char::from(b' ' + index.min(63)),
            Self::Ordinal(index) => char::from(b'g' + index.min(5)),
            Self::Zero | Self::One | Self::Two | Self::Few | Self::Many | Self::Other => {
                let index = self.index().expect("each category has an index");
                char::from(b'a' + index)
            }
        }
    }

    /// The form of a character from [`Self::code`].
    pub fn from_code(code: u8) -> Option<Self> {
        match code {
            b'a'..=b'f' => Some(CATEGORIES[usize::from(code - b'a')].0),
            b' '..=b'_' => Some(Self::Index(code - b' ')),
            b'g'..=b'l' => Some(Self::Ordinal(code - b'g')),
            _ => None,
        }
    }

    /// The form of a CLDR category.
    pub fn from_category(name: &str) -> Option<Self> {
        let category = CATEGORIES.iter().find(|&&(_, other)| other == name);
        category.map(|&(form, _)| form)
    }
}

/// Adds empty forms to a joined text, or cuts forms off, until it has `forms` forms
/// (docs/spec/units.md#plural-forms).
pub fn fit_forms(joined: &str, forms: usize) -> String {
    let mut parts = joined.split(PLURAL_SEPARATOR);
    let fitted: Vec<&str> = (0..forms.max(1))
        .map(|_| parts.next().unwrap_or(""))
        .collect();
    fitted.join(PLURAL_SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_padded_and_cut() {
        assert_eq!(fit_forms("a\u{1e}\u{1e}b", 3), "a\u{1e}\u{1e}b\u{1e}\u{1e}");
        assert_eq!(fit_forms("a\u{1e}\u{1e}b", 1), "a");
        assert_eq!(fit_forms("", 2), "\u{1e}\u{1e}");
    }

    #[test]
    fn every_form_has_its_own_code() {
        for (form, name) in CATEGORIES {
            assert_eq!(PluralForm::from_category(name), Some(form));
            assert_eq!(PluralForm::from_code(form.code() as u8), Some(form));
            let ordinal = form.to_ordinal();
            assert_eq!(PluralForm::from_code(ordinal.code() as u8), Some(ordinal));
            assert_eq!(
                (ordinal.ordinal_category(), ordinal.category()),
                (Some(name), None)
            );
        }
        for index in 0..64 {
            assert_eq!(
                PluralForm::from_code(PluralForm::Index(index).code() as u8),
                Some(PluralForm::Index(index))
            );
        }
    }
}
