//! Translation files in other formats than the repository's, made from the units that are served (docs/spec/http.md#files).
//!
//! Implements three exporters of 3.4: `po`, `xliff` and `csv`. Texts are in the order of the template.

mod csv;
mod current;
mod current_unit;
mod exported_unit;
mod po;
mod wrap;
mod xliff;

pub(crate) use current_unit::format_flags;

use self::current::CURRENT;
use self::current_unit::CurrentUnit;
use crate::profile::Profile;
use gitglot_catalog::query::{Filter, Selection};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{TranslationView, UnitView, User};
use gitglot_model::FileFormat;

/// The strings of a converted file that a query selects.
#[derive(Clone, Copy)]
pub(crate) struct Selected<'f> {
    pub(crate) filter: &'f Filter,
    pub(crate) users: &'f [User],
}

/// A format that files are converted to.
pub(crate) struct OutputFormat {
    /// The value of `format` and of the suffix.
    pub(crate) name: &'static str,
    /// Content type of its files.
    pub(crate) media: &'static str,
    /// The file name extension, without the dot.
    pub(crate) extension: &'static str,
    /// Whether it can write the strings of a component with this file format.
    pub(crate) fits: fn(FileFormat) -> bool,
    write: fn(&Conversion<'_>) -> Vec<u8>,
}

/// What a converted file is made of.
struct Conversion<'a> {
    view: TranslationView<'a>,
    /// The URL of the translation's HTML page.
    page: &'a str,
    /// Only these strings, for work on them: the file also has earlier sources and locations.
    selected: Option<Selected<'a>>,
    budget: &'a Budget,
}

/// The formats of the APIs, in the order of [`Profile::ALL`].
pub(crate) const FORMATS: [&[OutputFormat]; 2] = [LEGACY, CURRENT];

/// The exporters of 3.4.
const LEGACY: &[OutputFormat] = &[
    format("po", "text/x-po; charset=utf-8", "po", po::file),
    format(
        "xliff",
        "application/x-xliff+xml; charset=utf-8",
        "xlf",
        xliff::file,
    ),
    format("csv", "text/csv; charset=utf-8", "csv", csv::file),
];

/// A format for the strings of all files.
const fn format(
    name: &'static str,
    media: &'static str,
    extension: &'static str,
    write: fn(&Conversion<'_>) -> Vec<u8>,
) -> OutputFormat {
    OutputFormat {
        name,
        media,
        extension,
        fits: |_| true,
        write,
    }
}

impl OutputFormat {
    pub(crate) fn named(profile: Profile, name: &str) -> Option<&'static Self> {
        let mut formats = FORMATS[profile as usize].iter();
        formats.find(|known| known.name == name)
    }

    /// The file with all or the `selected` strings; `page` is the URL of the translation's HTML page. Incomplete if it
    /// exceeds the budget.
    pub(crate) fn file(
        &self,
        view: TranslationView<'_>,
        page: &str,
        selected: Option<Selected<'_>>,
        budget: &Budget,
    ) -> Vec<u8> {
        (self.write)(&Conversion {
            view,
            page,
            selected,
            budget,
        })
    }
}

impl<'a> Conversion<'a> {
    /// The strings of the file, as far as the budget lasts. Each is read when it is needed, so the time between counts.
    fn units(&self) -> impl Iterator<Item = UnitView<'a>> {
        let Self { view, budget, .. } = *self;
        let selected = self.selected;
        let mut selection = selected.map(|of| Selection::new(of.filter, of.users, budget));
        let units = view.units_from(0).take_while(|unit| {
            let text = unit.component.texts.get(unit.unit.target);
            budget.spend(1) && budget.spend_text(text.len())
        });
        units.filter(move |unit| {
            let selection = selection.as_mut();
            selection.is_none_or(|selection| selection.selects(*unit))
        })
    }

    /// The strings as exporters of current Weblate write them.
    fn strings(&self) -> Vec<CurrentUnit<'a>> {
        self.units().map(CurrentUnit::of).collect()
    }

    /// Whether it is a file of selected strings.
    fn is_for_work(&self) -> bool {
        self.selected.is_some()
    }

    /// The code of the language in current Weblate.
    fn code(&self) -> &'a str {
        &self.view.translation.current_language().code
    }
}

/// Appends formatted text; a string takes everything.
macro_rules! put {
    ($out:expr, $($arguments:tt)*) => {{
        use std::fmt::Write;
        let _ = write!($out, $($arguments)*);
    }};
}
use put;

#[cfg(test)]
mod tests;
