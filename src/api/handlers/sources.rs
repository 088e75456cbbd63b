//! Sources.

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::Tag;
use crate::api::openapi::params::{Format, PageNumber, PageSize};
use crate::api::request::context::{RequestContext, number};
use crate::api::response::payload::Reply;
use crate::api::schema::{self, Page};
use crate::api::views::source;
use crate::model::SourceId;

/// The operations of this file.
pub(in crate::api) struct Sources;

#[expect(unused_variables, reason = "query parameters are read before an operation runs; here they are documented")]
#[OpenApi]
impl Sources {
    /// All sources, by number
    #[oai(path = "/api/sources", method = "get", operation_id = "listSources", tag = "Tag::Sources")]
    async fn sources(
        &self,
        ctx: Data<&RequestContext>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Source>> {
        ctx.list(ctx.snapshot.source_count(), |ctx, items, places| {
            let views = ctx.snapshot.sources_from(places.start).take(places.len());
            items.each(views, |out, view| source(out, &ctx.links, view));
        })
    }

    /// One source
    #[oai(path = "/api/sources/:id", method = "get", operation_id = "getSource", tag = "Tag::Sources")]
    async fn source(&self, ctx: Data<&RequestContext>, id: Path<String>, format: Format) -> Reply<schema::Source> {
        let view = number(&id).and_then(|id| ctx.snapshot.source(SourceId(id)));
        ctx.found(view, |out, view| self::source(out, &ctx.links, view))
    }
}
