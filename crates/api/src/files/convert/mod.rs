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

pub(crate) use current::CurrentConverter;
pub(crate) use current_unit::format_flags;

use gitglot_catalog::query::{Filter, Selection};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{TranslationView, UnitView, User};

/// The strings of a converted file that a query selects.
#[derive(Clone, Copy)]
pub(crate) struct Selected<'f> {
    pub(crate) filter: &'f Filter,
    pub(crate) users: &'f [User],
}

impl<'f> Selected<'f> {
    /// The units of a translation that are selected, or all, within the budget.
    fn units<'a>(
        selected: Option<Self>,
        of: TranslationView<'a>,
        budget: &'f Budget,
    ) -> impl Iterator<Item = UnitView<'a>> + use<'f, 'a>
    where
        'a: 'f,
    {
        let mut selection =
            selected.map(|selected| Selection::new(selected.filter, selected.users, budget));
        of.units_from(0)
            .take_while(|unit| {
                let text = unit.component.texts.get(unit.unit.target);
                budget.spend(1) && budget.spend_text(text.len())
            })
            .filter(move |unit| {
                selection
                    .as_mut()
                    .is_none_or(|selection| selection.selects(*unit))
            })
    }
}

/// The formats that an API converts files to.
pub(crate) trait OutputFormat: Copy + Send + 'static {
    const ALL: &'static [Self];

    /// The value of `format` and of the suffix, the content type, and the file name extension.
    fn texts(self) -> [&'static str; 3];

    fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|known| known.name() == name)
    }

    /// The value of `format` and of the suffix.
    fn name(self) -> &'static str {
        self.texts()[0]
    }

    /// Content type of its files.
    fn media(self) -> &'static str {
        self.texts()[1]
    }

    /// The file name extension, without the dot.
    fn extension(self) -> &'static str {
        self.texts()[2]
    }

    /// The file with all or the `selected` strings; `page` is the URL of the translation's HTML page. Incomplete if it
    /// exceeds the budget.
    fn file(
        self,
        of: TranslationView<'_>,
        page: &str,
        selected: Option<Selected<'_>>,
        budget: &Budget,
    ) -> Vec<u8>;
}

/// Defines the formats of an API, each with its [`OutputFormat::texts`].
macro_rules! output_formats {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $format:ident $texts:expr;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum $name {
            $($(#[$about])* $format,)*
        }

        impl $crate::files::convert::OutputFormat for $name {
            const ALL: &'static [Self] = &[$(Self::$format),*];

            fn texts(self) -> [&'static str; 3] {
                match self {
                    $(Self::$format => $texts,)*
                }
            }

            fn file(
                self,
                of: TranslationView<'_>,
                page: &str,
                selected: Option<Selected<'_>>,
                budget: &gitglot_catalog::scan::Budget,
            ) -> Vec<u8> {
                let units = Selected::units(selected, of, budget);
                self.content(of, units, page, selected.is_some())
            }
        }
    };
}
use output_formats;

output_formats! {
    /// A format that a translation can be converted to.
    Converter {
        Po ["po", "text/x-po; charset=utf-8", "po"];
        Xliff ["xliff", "application/x-xliff+xml; charset=utf-8", "xlf"];
        Csv ["csv", "text/csv; charset=utf-8", "csv"];
    }
}

impl Converter {
    /// See [`OutputFormat::file`]. A file of selected strings is for work on them: it also has earlier sources and
    /// locations.
    fn content<'a>(
        self,
        of: TranslationView<'_>,
        units: impl Iterator<Item = UnitView<'a>>,
        page: &str,
        is_for_work: bool,
    ) -> Vec<u8> {
        let text = match self {
            Self::Po => po::file(of, units, page, is_for_work),
            Self::Xliff => xliff::file(of, units, is_for_work),
            Self::Csv => csv::file(units, is_for_work),
        };
        text.into_bytes()
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
