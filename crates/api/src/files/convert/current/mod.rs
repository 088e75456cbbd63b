//! The exporters of current Weblate (docs/spec/current-api.md#downloads), by the names of `format`.

mod aresource;
mod csv;
mod exchange;
mod json;
mod markup;
mod mo;
mod strings;
mod xliff;
mod xlsx;

use super::current_unit::CurrentUnit;
use super::{Selected, output_formats, po, put};
use gitglot_catalog::{TranslationView, UnitView};
use gitglot_model::FileFormat;

const JSON: &str = "application/json; charset=utf-8";
const XLIFF: &str = "application/x-xliff+xml; charset=utf-8";
const XLSX: &str =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet; charset=utf-8";

output_formats! {
    /// An exporter of current Weblate.
    CurrentConverter {
        Csv ["csv", "text/csv; charset=utf-8", "csv"];
        Xlsx ["xlsx", XLSX, "xlsx"];
        Json ["json", JSON, "json"];
        JsonNested ["json-nested", JSON, "json"];
        Strings ["strings", "text/plain; charset=utf-8", "strings"];
        Aresource ["aresource", "application/xml; charset=utf-8", "xml"];
        Tbx ["tbx", "application/x-tbx; charset=utf-8", "tbx"];
        Tmx ["tmx", "application/x-tmx; charset=utf-8", "tmx"];
        /// XLIFF with groups of plural forms.
        Xliff ["xliff", XLIFF, "xlf"];
        /// XLIFF with one unit per string.
        Xliff11 ["xliff11", XLIFF, "xlf"];
        Po ["po", "text/x-po; charset=utf-8", "po"];
        /// A compiled gettext catalogue.
        Mo ["mo", "application/x-gettext-catalog; charset=utf-8", "mo"];
    }
}

impl CurrentConverter {
    /// Whether it can write files of a component: formats with keys need a component with keys, and compiled catalogues one
    /// with catalogues.
    pub(crate) fn fits(self, of: FileFormat) -> bool {
        match self {
            Self::Json | Self::JsonNested | Self::Strings | Self::Aresource => {
                of.shape().has_template()
            }
            Self::Mo => of.is_gettext() && !of.shape().has_template(),
            _ => true,
        }
    }

    /// See [`OutputFormat::file`](super::OutputFormat::file).
    fn content<'a>(
        self,
        of: TranslationView<'_>,
        units: impl Iterator<Item = UnitView<'a>>,
        page: &str,
        _: bool,
    ) -> Vec<u8> {
        let units: Vec<_> = units.map(CurrentUnit::of).collect();
        let code = &*of.translation.current_language().code;
        let source = &*of.component.source_code();
        let text = match self {
            Self::Csv => csv::csv(of, &units),
            Self::Xlsx => return xlsx::xlsx(of, &units),
            Self::Json => json::flat(&units),
            Self::JsonNested => json::nested(&units),
            Self::Strings => strings::strings(&units),
            Self::Aresource => aresource::aresource(&units, code),
            Self::Tbx => exchange::tbx(&units, source, code),
            Self::Tmx => exchange::tmx(&units, source, code),
            Self::Xliff => xliff::grouped(&units, source, code),
            Self::Xliff11 => xliff::plain(&units, source, code),
            Self::Po => po::current(of, &units, page),
            Self::Mo => return mo::mo(&units, po::current_header(of, page)),
        };
        text.into_bytes()
    }
}
