//! A request as handlers see it.

use std::borrow::Cow;
use std::sync::Arc;

use super::pagination::{Pagination, RequestUrl, last};
use super::python_int;
use crate::api::ApiState;
use crate::api::encode::csv::CsvText;
use crate::api::response::api_response::ApiResponse;
use crate::api::response::error::ApiError;
use crate::api::response::filter_cache::FilterCache;
use crate::api::response::links::Links;
use crate::api::response::media_type::Representation;
use crate::api::response::payload::Reply;
use crate::catalog::{ComponentSnapshot, Snapshot, TranslationView};
use crate::model::Project;

/// Initial capacity of a body that describes one object, in bytes.
const OBJECT_CAPACITY: usize = 4 << 10;

/// A request, read.
#[derive(Clone)]
pub(crate) struct RequestContext {
    /// The data and settings of the server.
    pub(crate) state: Arc<ApiState>,
    /// The snapshot that the response is made from.
    pub(crate) snapshot: Arc<Snapshot>,
    /// Where links point.
    pub(crate) links: Links,
    /// The parameters in the path, by name.
    pub(crate) params: Vec<(&'static str, String)>,
    /// The requested page of a list.
    pub(crate) pagination: Pagination,
    /// The URL, for links to other pages.
    pub(crate) url: RequestUrl,
    /// The results of filters.
    pub(crate) filter_cache: Arc<FilterCache>,
    /// The representation of the response.
    pub(crate) representation: Representation,
    /// Spaces per level of a JSON body; 0 for compact JSON.
    pub(crate) indent: usize,
    /// Whether the entries of a list include their details.
    pub(crate) details: bool,
    /// How texts are written in CSV.
    pub(crate) csv_text: CsvText,
    /// The requested `format`, from the suffix or the parameter.
    pub(crate) format: Option<String>,
}

/// The value of the parameter `expand` (docs/spec/http.md#details-in-lists).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expansion {
    /// Entries of lists are those of 3.4.
    Nothing,
    /// Entries of lists have a field `details`.
    Details,
}

impl Expansion {
    /// Reads the parameter; the last value counts. Routes that do not support it ignore it.
    ///
    /// # Errors
    /// [`ApiError::BadFilter`] for an unknown value.
    pub(crate) fn read(
        pairs: &[(Cow<'_, str>, Cow<'_, str>)],
        is_supported: bool,
    ) -> Result<Self, ApiError> {
        match last(pairs, "expand").filter(|_| is_supported) {
            None | Some("") => Ok(Self::Nothing),
            Some("details") => Ok(Self::Details),
            Some(other) => Err(ApiError::BadFilter(format!(
                "expand: '{other}' is unknown: write details"
            ))),
        }
    }
}

impl RequestContext {
    /// A response with an object that `write` writes, or status 404 without one.
    pub(crate) fn found<T, D>(
        &self,
        object: Option<D>,
        write: impl FnOnce(&mut Vec<u8>, D),
    ) -> Reply<T> {
        let Some(object) = object else {
            return self.failed(&ApiError::NotFound);
        };
        let mut out = Vec::with_capacity(OBJECT_CAPACITY);
        write(&mut out, object);
        self.json(out)
    }

    /// A response with this JSON.
    pub(crate) fn json<T>(&self, body: Vec<u8>) -> Reply<T> {
        Reply::new(ApiResponse::json(body, self.indent))
    }

    /// An error response.
    pub(crate) fn failed<T>(&self, error: &ApiError) -> Reply<T> {
        Reply::new(ApiResponse::error(error, self.indent))
    }

    /// The project with this slug.
    pub(crate) fn project(&self, project: &str) -> Option<&Arc<Project>> {
        self.snapshot.project(project)
    }

    /// The component with these slugs.
    pub(crate) fn component(&self, project: &str, component: &str) -> Option<&ComponentSnapshot> {
        self.snapshot
            .component(project, component)
            .map(|component| &**component)
    }

    /// The translation with these slugs and this language code.
    pub(crate) fn translation(
        &self,
        project: &str,
        component: &str,
        language: &str,
    ) -> Option<TranslationView<'_>> {
        self.snapshot.translation(project, component, language)
    }
}

/// The number in a path parameter.
pub(crate) fn number(segment: &str) -> Option<u32> {
    python_int::int(segment).and_then(|id| id.try_into().ok())
}
