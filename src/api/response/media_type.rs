//! Media types of bodies.

/// Bodies of the API.
pub(crate) const JSON: &str = "application/json";
/// Pages.
pub(crate) const HTML: &str = "text/html; charset=utf-8";
/// Whole lists, one JSON object per line.
pub(crate) const NDJSON: &str = "application/x-ndjson";
/// Tables.
pub(crate) const CSV: &str = "text/csv; charset=utf-8";
/// Tables in columns.
pub(crate) const PARQUET: &str = "application/vnd.apache.parquet";
/// Files of any type. The second one is the standard type, which generators of clients know.
pub(crate) const BINARY: &[&str] = &["application/binary", "application/octet-stream"];
/// Server-sent events.
pub(crate) const EVENTS: &str = "text/event-stream";

/// A representation of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Representation {
    /// JSON.
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
}

impl Representation {
    /// Its name as `format` and suffix.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Html => "api",
            Self::NdJson => "ndjson",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// Its name on pages.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Html => "Page",
            Self::NdJson => "Whole list as JSON lines",
            Self::Csv => "Whole list as CSV",
            Self::Parquet => "Whole list as Parquet",
        }
    }

    /// The `Content-Type` header.
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Html => HTML,
            Self::NdJson => NDJSON,
            Self::Csv => CSV,
            Self::Parquet => PARQUET,
        }
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
