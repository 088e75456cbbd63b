//! Units, sources, languages and screenshots.

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::Tag;
use crate::api::bodies::{Units, language, language_of_code, source};
use crate::api::call::{Call, number};
use crate::api::download;
use crate::api::errors::Failure;
use crate::api::json::list;
use crate::api::params::{Format, PageNumber, PageSize};
use crate::api::reply::{AnyFile, Download, Reply};
use crate::api::schema::{self, Page};
use crate::model::{SourceId, UnitId};

/// The operations of this file.
pub(in crate::api) struct Strings;

#[expect(unused_variables, reason = "query parameters are read before an operation runs; here they are documented")]
#[OpenApi]
impl Strings {
    /// The languages that are translated to: known ones first
    #[oai(path = "/api/languages", method = "get", operation_id = "listLanguages", tag = "Tag::Languages")]
    async fn languages(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Language>> {
        let languages = call.snapshot.languages();
        call.page(languages.len(), |out, places| {
            list(out, languages.get(places).unwrap_or_default(), |out, of| language(out, &call.links, of));
        })
    }

    /// One language
    #[oai(path = "/api/languages/:language", method = "get", operation_id = "getLanguage", tag = "Tag::Languages")]
    async fn language(&self, call: Data<&Call>, language: Path<String>, format: Format) -> Reply<schema::Language> {
        call.found(language_of_code(&call.snapshot, &language), |out, of| self::language(out, &call.links, &of))
    }

    /// All units, by number
    #[oai(path = "/api/units", method = "get", operation_id = "listUnits", tag = "Tag::Units")]
    async fn units(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Unit>> {
        let snapshot = &call.snapshot;
        call.page(snapshot.unit_count(), |out, places| {
            let mut units = Units::new(&call.links);
            list(out, snapshot.units_from(places.start).take(places.len()), |out, unit| units.write(out, unit));
        })
    }

    /// One unit
    #[oai(path = "/api/units/:id", method = "get", operation_id = "getUnit", tag = "Tag::Units")]
    async fn unit(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Unit> {
        let unit = number(&id).and_then(|id| call.snapshot.unit(UnitId(id)));
        call.found(unit, |out, unit| Units::new(&call.links).write(out, unit))
    }

    /// All sources, by number
    #[oai(path = "/api/sources", method = "get", operation_id = "listSources", tag = "Tag::Sources")]
    async fn sources(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Source>> {
        let snapshot = &call.snapshot;
        call.page(snapshot.source_count(), |out, places| {
            let views = snapshot.sources_from(places.start).take(places.len());
            list(out, views, |out, view| source(out, &call.links, view));
        })
    }

    /// One source
    #[oai(path = "/api/sources/:id", method = "get", operation_id = "getSource", tag = "Tag::Sources")]
    async fn source(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Source> {
        let view = number(&id).and_then(|id| call.snapshot.source(SourceId(id)));
        call.found(view, |out, view| self::source(out, &call.links, view))
    }

    /// All screenshots: none
    #[oai(path = "/api/screenshots", method = "get", operation_id = "listScreenshots", tag = "Tag::Screenshots")]
    async fn screenshots(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Screenshot>> {
        call.page(0, |out, _| out.extend_from_slice(b"[]"))
    }

    /// One screenshot: there is none
    #[oai(path = "/api/screenshots/:id", method = "get", operation_id = "getScreenshot", tag = "Tag::Screenshots")]
    async fn screenshot(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Screenshot> {
        call.failed(&Failure::NotFound)
    }

    /// The picture of a screenshot: there is none
    #[oai(
        path = "/api/screenshots/:id/file",
        method = "get",
        operation_id = "getScreenshotFile",
        tag = "Tag::Screenshots"
    )]
    async fn screenshot_file(&self, call: Data<&Call>, id: Path<String>) -> Download<AnyFile> {
        download::none(&call)
    }
}
