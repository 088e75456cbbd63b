//! Units, sources, languages and screenshots.

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::Tag;
use super::changes::{LogOf, Order, log_page};
use super::units::{UnitsOf, units_page};
use crate::api::bodies::{Units, language, language_of_code, source};
use crate::api::call::{Call, number};
use crate::api::download;
use crate::api::errors::Failure;
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
        call.list(call.snapshot.languages().len(), |call, items, places| {
            let languages = call.snapshot.languages().get(places).unwrap_or_default();
            items.each(languages, |out, of| language(out, &call.links, of));
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
        units_page(&call, UnitsOf::All).await
    }

    /// One unit
    #[oai(path = "/api/units/:id", method = "get", operation_id = "getUnit", tag = "Tag::Units")]
    async fn unit(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Unit> {
        let unit = number(&id).and_then(|id| call.snapshot.unit(UnitId(id)));
        call.found(unit, |out, unit| Units::new(&call.links).write(out, unit))
    }

    /// The units of the same source string in every language
    ///
    /// More than Weblate 3.4 has.
    #[oai(
        path = "/api/units/:id/translations",
        method = "get",
        operation_id = "listTranslationsOfUnit",
        tag = "Tag::Units"
    )]
    async fn translations_of_unit(
        &self,
        call: Data<&Call>,
        id: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Unit>> {
        match number(&id) {
            Some(id) => units_page(&call, UnitsOf::SameSource(UnitId(id))).await,
            None => call.failed(&Failure::NotFound),
        }
    }

    /// The change log of a unit, newest first
    ///
    /// More than Weblate 3.4 has.
    #[oai(path = "/api/units/:id/changes", method = "get", operation_id = "listChangesOfUnit", tag = "Tag::Units")]
    async fn changes_of_unit(
        &self,
        call: Data<&Call>,
        id: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Change>> {
        match number(&id) {
            Some(id) => log_page(&call, LogOf::Unit(UnitId(id)), Order::NewestFirst).await,
            None => call.failed(&Failure::NotFound),
        }
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
        call.list(call.snapshot.source_count(), |call, items, places| {
            let views = call.snapshot.sources_from(places.start).take(places.len());
            items.each(views, |out, view| source(out, &call.links, view));
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
        call.list(0, |_, _, _| {})
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
