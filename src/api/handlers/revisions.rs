//! Components at any revision, and the comparison of two (docs/spec/revisions.md).

use std::ops::Range;

use poem_openapi::OpenApi;

use super::lists::list;
use super::units::{UnitsOf, units_page};
use super::{ApiTag, Ctx};
use crate::api::files::download;
use crate::api::request::context::RequestContext;
use crate::api::request::path_param::PathParam;
use crate::api::response::payload::{AnyFile, Download, Reply};
use crate::api::revision::{self, Compared, StateAt};
use crate::api::schema::{self, Page};
use crate::api::views::{comparison, revision as write_revision, revision_translation};

/// The operations of this file.
pub(crate) struct RevisionHandlers;

#[OpenApi]
impl RevisionHandlers {
    /// A component at a revision: a commit, tag, branch or time
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/components/:project/:component/revisions/:revision",
        method = "get",
        operation_id = "getRevision",
        tag = "ApiTag::Revisions"
    )]
    async fn revision(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        revision: PathParam,
    ) -> Reply<schema::RevisionInfo> {
        match revision::state(&ctx, &project, &component, &revision).await {
            Ok(StateAt { revision, state }) => {
                let mut out = Vec::new();
                write_revision(&mut out, &ctx.links, &revision, &state);
                ctx.json(out).volatile()
            }
            Err(error) => ctx.failed(&error),
        }
    }

    /// The translations of a component at a revision, by path
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/components/:project/:component/revisions/:revision/translations",
        method = "get",
        operation_id = "listTranslationsOfRevision",
        tag = "ApiTag::Revisions"
    )]
    async fn translations_of_revision(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        revision: PathParam,
    ) -> Reply<Page<schema::RevisionTranslation>> {
        let StateAt { revision, state } =
            match revision::state(&ctx, &project, &component, &revision).await {
                Ok(found) => found,
                Err(error) => return ctx.failed(&error),
            };
        let count = state.translations.len();
        let write = move |ctx: &RequestContext,
                          items: &mut crate::api::response::list_writer::ListWriter<'_>,
                          positions: Range<usize>| {
            let translations = state.translations.get(positions).unwrap_or_default();
            items.each(translations, |out, translation| {
                revision_translation(out, &ctx.links, &revision.name, &state, translation);
            });
        };
        list(&ctx, count, write).await.volatile()
    }

    /// The units of a component at a revision, by path and in the order of the template
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/components/:project/:component/revisions/:revision/units",
        method = "get",
        operation_id = "listUnitsOfRevision",
        tag = "ApiTag::Revisions"
    )]
    async fn units_of_revision(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        revision: PathParam,
    ) -> Reply<Page<schema::RevisionUnit>> {
        match revision::state(&ctx, &project, &component, &revision).await {
            Ok(found) => units_page(&ctx, UnitsOf::Revision(found.state))
                .await
                .volatile(),
            Err(error) => ctx.failed(&error),
        }
    }

    /// The file of a language at a revision; the template if no language is given
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/components/:project/:component/revisions/:revision/file",
        method = "get",
        operation_id = "getFileOfRevision",
        tag = "ApiTag::Revisions"
    )]
    async fn file_of_revision(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        revision: PathParam,
    ) -> Download<AnyFile> {
        match revision::state(&ctx, &project, &component, &revision).await {
            Ok(found) => download::of_revision(&ctx, &found.state).await,
            Err(error) => download::failed(&ctx, &error),
        }
    }

    /// The comparison of two revisions: the findings of `gitglot check`
    ///
    /// `range` is `BASE...HEAD`. The head is compared with the common ancestor of base and head. Not in Weblate 3.4.
    #[oai(
        path = "/api/components/:project/:component/compare/:range",
        method = "get",
        operation_id = "compareRevisions",
        tag = "ApiTag::Revisions"
    )]
    async fn compare(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        range: PathParam,
    ) -> Reply<schema::ComparisonReport> {
        let filter = match revision::finding_filter(&ctx.url) {
            Ok(filter) => filter,
            Err(error) => return ctx.failed(&error),
        };
        let pagination = ctx.pagination;
        let page = move |count| pagination.page(count);
        let compared = revision::compare(&ctx, &project, &component, &range, filter, page).await;
        let Compared {
            component,
            base,
            head,
            comparison,
            filter,
            page,
            findings,
        } = match compared {
            Ok(compared) => compared,
            Err(error) => return ctx.failed(&error),
        };
        let read = comparison.read_state(&component, &base, &head);
        let mut out = Vec::new();
        self::comparison(
            &mut out,
            &ctx.url,
            &comparison,
            (&filter, &page),
            read,
            findings,
        );
        let reply = ctx.json(out);
        if base.is_fixed && head.is_fixed {
            reply.immutable()
        } else {
            reply.volatile()
        }
    }
}
