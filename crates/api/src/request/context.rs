//! A request as handlers see it.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use super::pagination::{Pagination, RequestUrl, last};
use super::python_int;
use crate::access::Identity;
use crate::apis::Api;
use crate::encode::csv::CsvText;
use crate::links::Links;
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use crate::response::media_type::Representation;
use crate::schema::ObjectSchema;
use crate::state::ApiState;
use gitglot_catalog::scan::{Budget, FilterCache, LongBudget, ScanRefused, Share};
use gitglot_catalog::{
    ComponentSnapshot, Snapshot, TranslationView, UnitView, exact_results, has_exact_results,
};
use gitglot_model::{Project, UnitId};

/// Initial capacity of a body that describes one object, in bytes.
const OBJECT_CAPACITY: usize = 4 << 10;

pub(crate) type Reply = Result<ApiResponse, ApiError>;

/// A parsed request, with the data that handlers need.
#[derive(Clone)]
pub(crate) struct RequestContext {
    /// The data and settings of the server.
    pub(crate) state: Arc<ApiState>,
    /// The sender.
    pub(crate) identity: Identity,
    /// The snapshot that the response is made from: the part that the sender may see.
    pub(crate) snapshot: Arc<Snapshot>,
    /// Where links point.
    pub(crate) links: Arc<Links>,
    /// The schema of the entries, if the response is a list.
    pub(crate) entry: Option<fn() -> ObjectSchema>,
    /// The parameters in the path, by name.
    pub(crate) params: Vec<(&'static str, String)>,
    pub(crate) pagination: Pagination,
    /// The URL, for links to other pages.
    pub(crate) url: RequestUrl,
    /// The results of filters.
    pub(crate) filter_cache: Arc<FilterCache>,
    pub(crate) representation: Representation,
    /// Spaces per level of a JSON body; 0 for compact JSON.
    pub(crate) indent: usize,
    /// Whether the entries of a list include their details.
    pub(crate) details: bool,
    /// How texts are written in CSV.
    pub(crate) csv_text: CsvText,
    /// The requested `format`, from the suffix or the parameter.
    pub(crate) format: Option<String>,
    /// The client, as its shares of limits count it.
    pub(crate) client: Option<IpAddr>,
    pub(crate) last_event_id: Option<String>,
}

/// Whether the parameter `expand` asks for details (docs/spec/http.md#details-in-lists); the last value counts. Routes
/// that do not support it ignore it.
///
/// # Errors
/// [`ApiError::BadFilter`] for an unknown value.
pub(crate) fn wants_details(
    pairs: &[(Cow<'_, str>, Cow<'_, str>)],
    is_supported: bool,
) -> Result<bool, ApiError> {
    match last(pairs, "expand").filter(|_| is_supported) {
        None | Some("") => Ok(false),
        Some("details") => Ok(true),
        Some(other) => Err(ApiError::BadFilter(format!(
            "expand: '{other}' is unknown: write details"
        ))),
    }
}

impl RequestContext {
    /// A response with an object that `write` writes.
    pub(crate) fn object(&self, write: impl FnOnce(&mut Vec<u8>)) -> Reply {
        let mut out = Vec::with_capacity(OBJECT_CAPACITY);
        write(&mut out);
        Ok(ApiResponse::json(out, self.indent))
    }

    /// The error of work without a result.
    pub(crate) fn refused(&self, refused: ScanRefused) -> ApiError {
        ApiError::refused(refused, &self.state.scans)
    }

    /// Whose share of the scans the request uses.
    pub(crate) fn share(&self) -> Share {
        Share {
            client: self.client,
            project: self.param("project").to_owned(),
        }
    }

    /// Runs work whose cost grows with the data.
    pub(crate) async fn scan<T: Send + 'static>(
        &self,
        scan: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let result = self.state.scans.run(self.share(), scan).await;
        result.map_err(|refused| self.refused(refused))
    }

    /// Calls a handler; with a budget, as a scan, if the request wants details.
    pub(crate) async fn with_details(&self, handle: fn(&Self, Option<&Budget>) -> Reply) -> Reply {
        if !self.details {
            return handle(self, None);
        }
        let own = self.clone();
        self.scan(move |budget| handle(&own, Some(budget))).await?
    }

    /// Runs work that reads the disk outside the async threads.
    pub(crate) async fn run_long<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LongBudget) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let result = self.state.scans.run_long(self.share(), work).await;
        result.map_err(|refused| self.refused(refused))?
    }

    /// Waits until the results of the current checks are known that a response of the current API counts: those of the
    /// component or project in the path, or all.
    ///
    /// # Errors
    /// When running them exceeds the limits of a request.
    pub(crate) async fn with_checks<P: Api>(&self) -> Result<(), ApiError> {
        let names = ["project", "component"].map(|name| self.param(name).to_owned());
        self.with_checks_of::<P>(names).await
    }

    /// As [`Self::with_checks`], for the component of a unit.
    pub(crate) async fn with_checks_of_unit<P: Api>(
        &self,
        unit: UnitView<'_>,
    ) -> Result<(), ApiError> {
        let of = unit.component;
        let names = [&of.project.slug, &of.component.slug];
        self.with_checks_of::<P>(names.map(|name| name.as_str().to_owned()))
            .await
    }

    /// Runs the checks of a project and a component, given by their slugs; `""` is all.
    async fn with_checks_of<P: Api>(&self, wanted: [String; 2]) -> Result<(), ApiError> {
        if !P::COUNTS_CURRENT_CHECKS {
            return Ok(());
        }
        let is_wanted = move |view: &TranslationView<'_>| {
            let of = view.component;
            let names = [&of.project.slug, &of.component.slug];
            let mut pairs = names.into_iter().zip(&wanted);
            pairs.all(|(own, name)| name.is_empty() || own.as_str() == name)
        };
        self.state.published.want_exact_checks();
        let views = self.snapshot.current_translations_from(0);
        let mut views = views.filter(&is_wanted);
        if views.all(has_exact_results) {
            return Ok(());
        }
        let own = self.clone();
        let run = move |budget: &Budget| {
            for view in own.snapshot.current_translations_from(0).filter(is_wanted) {
                exact_results(view, budget);
            }
        };
        self.scan(run).await
    }

    pub(crate) fn param(&self, name: &str) -> &str {
        let found = self.params.iter().find(|(own, _)| *own == name);
        found.map_or("", |(_, value)| value)
    }

    /// The object with the number in the path.
    pub(crate) fn numbered<T>(&self, find: impl FnOnce(u32) -> Option<T>) -> Result<T, ApiError> {
        let found = python_int::number(self.param("id")).and_then(find);
        found.ok_or(ApiError::NotFound)
    }

    /// The unit in the path.
    pub(crate) fn unit<P: Api>(&self) -> Result<UnitView<'_>, ApiError> {
        self.numbered(|id| P::unit(&self.snapshot, UnitId(id)))
    }

    /// The project in the path.
    pub(crate) fn project(&self) -> Result<&Arc<Project>, ApiError> {
        let found = self.snapshot.project(self.param("project"));
        found.ok_or(ApiError::NotFound)
    }

    /// The component in the path.
    pub(crate) fn component(&self) -> Result<&Arc<ComponentSnapshot>, ApiError> {
        let [project, component] = ["project", "component"].map(|name| self.param(name));
        let found = self.snapshot.component(project, component);
        found.ok_or(ApiError::NotFound)
    }

    /// The translation in the path.
    pub(crate) fn translation<P: Api>(&self) -> Result<TranslationView<'_>, ApiError> {
        P::translation(self.component()?, self.param("language")).ok_or(ApiError::NotFound)
    }
}
