//! Media types of bodies.

/// Bodies of the API.
pub(in crate::api) const JSON: &str = "application/json";
/// Pages.
pub(in crate::api) const HTML: &str = "text/html; charset=utf-8";
/// Whole lists, one JSON object per line.
pub(in crate::api) const NDJSON: &str = "application/x-ndjson";
/// Tables.
pub(in crate::api) const CSV: &str = "text/csv; charset=utf-8";
/// Server-sent events.
pub(in crate::api) const EVENTS: &str = "text/event-stream";

/// A representation of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::api) enum Representation {
    /// JSON.
    #[default]
    Json,
    /// JSON on a page, the browsable API.
    Html,
    /// A whole list, one JSON object per line.
    NdJson,
    /// A whole list as a table.
    Csv,
}

impl Representation {
    /// Its name as `format` and suffix.
    pub(in crate::api) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Html => "api",
            Self::NdJson => "ndjson",
            Self::Csv => "csv",
        }
    }

    /// Its name on pages.
    pub(in crate::api) fn label(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Html => "Page",
            Self::NdJson => "Whole list as JSON lines",
            Self::Csv => "Whole list as CSV",
        }
    }

    /// The `Content-Type` header.
    pub(in crate::api) fn content_type(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Html => HTML,
            Self::NdJson => NDJSON,
            Self::Csv => CSV,
        }
    }

    /// Type and subtype, without parameters.
    pub(in crate::api) fn media_type(self) -> &'static str {
        self.content_type().split(';').next().unwrap_or_default()
    }

    /// Whether it holds the whole list, not a page of it.
    pub(in crate::api) fn is_whole_list(self) -> bool {
        matches!(self, Self::NdJson | Self::Csv)
    }
}
