//! Media types of bodies.

pub(crate) const JSON: &str = "application/json";

pub(crate) const HTML: &str = "text/html; charset=utf-8";
/// Whole lists, one JSON object per line.
pub(crate) const NDJSON: &str = "application/x-ndjson";
pub(crate) const CSV: &str = "text/csv; charset=utf-8";
/// Tables in columns.
pub(crate) const PARQUET: &str = "application/vnd.apache.parquet";
/// Files of any type. The second one is the standard type, which generators of clients know.
pub(crate) const BINARY: &[&str] = &["application/binary", "application/octet-stream"];
/// Translation files, as they are ([`gitglot_model::FileFormat::media_type`]) and converted.
pub(crate) const CONVERTED: &[&str] = &[
    JSON,
    "text/x-gettext-catalog",
    "application/x-xliff",
    "application/x-linguist",
    "application/xml",
    "text/microsoft-resx",
    "text/yaml",
    "text/plain",
    "text/javascript",
    "application/toml",
    "application/x-httpd-php",
    "text/x-po",
    "application/x-xliff+xml",
    "text/csv",
];
/// Further files that the current API converts to.
pub(crate) const CURRENT_CONVERSIONS: &[&str] = &[
    "application/x-tbx",
    "application/x-tmx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
];
/// Archives of translation files.
pub(crate) const ARCHIVE: &[&str] = &["application/zip"];
pub(crate) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
pub(crate) const EVENTS: &str = "text/event-stream";

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Representation {
    #[default]
    Json,
    /// JSON on a page, the browsable API.
    Html,
    /// A whole list, one JSON object per line.
    NdJson,
    /// A whole list as a table.
    Csv,
    /// A whole list as a table with typed columns.
    Parquet,
    /// A page or an object of the current API as a table.
    CurrentCsv,
    /// The entries of a page of the current API, in an array.
    JsonFlat,
    /// Metrics for monitoring systems.
    OpenMetrics,
}

impl Representation {
    /// The name, the label and the content type.
    const fn texts(self) -> [&'static str; 3] {
        match self {
            Self::Json => ["json", "JSON", JSON],
            Self::Html => ["api", "Page", HTML],
            Self::NdJson => ["ndjson", "Whole list as JSON lines", NDJSON],
            Self::Csv => ["csv", "Whole list as CSV", CSV],
            Self::CurrentCsv => ["csv", "CSV", CSV],
            Self::JsonFlat => ["json-flat", "JSON array", JSON],
            Self::OpenMetrics => ["openmetrics", "OpenMetrics", OPEN_METRICS],
            Self::Parquet => ["parquet", "Whole list as Parquet", PARQUET],
        }
    }

    /// Its name as `format` and suffix.
    pub(crate) fn name(self) -> &'static str {
        self.texts()[0]
    }

    /// Its name on pages.
    pub(crate) fn label(self) -> &'static str {
        self.texts()[1]
    }

    pub(crate) fn content_type(self) -> &'static str {
        self.texts()[2]
    }

    /// Type and subtype, without parameters.
    pub(crate) fn media_type(self) -> &'static str {
        self.content_type().split(';').next().unwrap_or_default()
    }

    /// Whether it contains the whole list, not a page of it.
    pub(crate) fn is_whole_list(self) -> bool {
        self == Self::NdJson || self.is_table()
    }

    /// Whether entries are rows of a table.
    pub(crate) fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_model::FileFormat;

    #[test]
    fn the_types_of_all_formats_are_documented() {
        for format in FileFormat::ALL {
            let media = format.media_type().unwrap_or(JSON);
            assert!(CONVERTED.contains(&media), "{}", format.name());
        }
    }
}
