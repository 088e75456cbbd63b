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

use super::{Conversion, OutputFormat, format, po, put};
use gitglot_model::FileFormat;

const JSON: &str = "application/json; charset=utf-8";
const MO: &str = "application/x-gettext-catalog; charset=utf-8";
const XLIFF: &str = "application/x-xliff+xml; charset=utf-8";
const XLSX: &str =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet; charset=utf-8";

/// The exporters of current Weblate.
pub(super) const CURRENT: &[OutputFormat] = &[
    format("csv", "text/csv; charset=utf-8", "csv", csv::csv),
    format("xlsx", XLSX, "xlsx", xlsx::xlsx),
    keyed(format("json", JSON, "json", json::flat)),
    keyed(format("json-nested", JSON, "json", json::nested)),
    keyed(format(
        "strings",
        "text/plain; charset=utf-8",
        "strings",
        strings::strings,
    )),
    keyed(format(
        "aresource",
        "application/xml; charset=utf-8",
        "xml",
        aresource::aresource,
    )),
    format(
        "tbx",
        "application/x-tbx; charset=utf-8",
        "tbx",
        exchange::tbx,
    ),
    format(
        "tmx",
        "application/x-tmx; charset=utf-8",
        "tmx",
        exchange::tmx,
    ),
    // With groups of plural forms.
    format("xliff", XLIFF, "xlf", xliff::grouped),
    // With one unit per string.
    format("xliff11", XLIFF, "xlf", xliff::plain),
    format("po", "text/x-po; charset=utf-8", "po", po::current),
    // Only catalogues of gettext are compiled.
    OutputFormat {
        fits: |of| of.is_gettext() && !of.shape().has_template(),
        ..format("mo", MO, "mo", mo::file)
    },
];

/// A format with keys, which needs a component with keys.
const fn keyed(format: OutputFormat) -> OutputFormat {
    OutputFormat {
        fits: |of: FileFormat| of.shape().has_template(),
        ..format
    }
}
