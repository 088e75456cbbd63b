//! Units, and lists of them, filtered or not.

use std::ops::Range;
use std::sync::Arc;

use poem_openapi::OpenApi;

use super::changes::{ListOrder, LogOf, log_page};
use super::lists::{filtered_list, list};
use super::{ApiTag, Ctx};
use crate::api::request::context::{RequestContext, number};
use crate::api::request::filters::UnitFilter;
use crate::api::request::pagination::RequestUrl;
use crate::api::request::path_param::PathParam;
use crate::api::response::error::ApiError;
use crate::api::response::list_writer::ListWriter;
use crate::api::response::payload::Reply;
use crate::api::schema::{self, ObjectSchema, Page};
use crate::api::views::{CheckSet, FailingCheck, Units, failing_check, failing_checks};
use crate::catalog::{ComponentSnapshot, UnitView};
use crate::model::UnitId;
use crate::scan::Budget;

/// The operations of this file.
pub(crate) struct UnitHandlers;

#[OpenApi]
impl UnitHandlers {
    /// All units, by id
    #[oai(
        path = "/api/units",
        method = "get",
        operation_id = "listUnits",
        tag = "ApiTag::Units"
    )]
    async fn units(&self, ctx: Ctx<'_>) -> Reply<Page<schema::Unit>> {
        units_page(&ctx, UnitsOf::All).await
    }

    /// A unit
    #[oai(
        path = "/api/units/:id",
        method = "get",
        operation_id = "getUnit",
        tag = "ApiTag::Units"
    )]
    async fn unit(&self, ctx: Ctx<'_>, id: PathParam) -> Reply<schema::Unit> {
        let unit = number(&id).and_then(|id| ctx.snapshot.unit(UnitId(id)));
        ctx.found(unit, |out, unit| {
            Units::new(&ctx.links)
                .with_details(ctx.details)
                .write(out, unit);
        })
    }

    /// The failing checks of a unit; by default those of the modern set
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/units/:id/checks",
        method = "get",
        operation_id = "listChecksOfUnit",
        tag = "ApiTag::Units"
    )]
    async fn checks_of_unit(
        &self,
        ctx: Ctx<'_>,
        id: PathParam,
    ) -> Reply<Page<schema::FailingCheck>> {
        let sets = match requested_sets(&ctx.url) {
            Ok(sets) => sets,
            Err(error) => return ctx.failed(&error),
        };
        let Some(id) = number(&id).filter(|&id| ctx.snapshot.unit(UnitId(id)).is_some()) else {
            return ctx.failed(&ApiError::NotFound);
        };
        let checks = move |ctx: &RequestContext| -> Vec<FailingCheck> {
            let unit = ctx.snapshot.unit(UnitId(id)).into_iter();
            unit.flat_map(|unit| sets.iter().flat_map(move |&set| failing_checks(unit, set)))
                .collect()
        };
        list(&ctx, checks(&ctx).len(), move |ctx, items, positions| {
            let Some(unit) = ctx.snapshot.unit(UnitId(id)) else {
                return;
            };
            let checks = checks(ctx);
            items.each(checks.get(positions).unwrap_or_default(), |out, check| {
                failing_check(out, unit, check);
            });
        })
        .await
    }

    /// The units of the same source string in every language
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/units/:id/translations",
        method = "get",
        operation_id = "listTranslationsOfUnit",
        tag = "ApiTag::Units"
    )]
    async fn translations_of_unit(&self, ctx: Ctx<'_>, id: PathParam) -> Reply<Page<schema::Unit>> {
        match number(&id) {
            Some(id) => units_page(&ctx, UnitsOf::SameSource(UnitId(id))).await,
            None => ctx.failed(&ApiError::NotFound),
        }
    }

    /// The change log of a unit, newest first
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/units/:id/changes",
        method = "get",
        operation_id = "listChangesOfUnit",
        tag = "ApiTag::Units"
    )]
    async fn changes_of_unit(&self, ctx: Ctx<'_>, id: PathParam) -> Reply<Page<schema::Change>> {
        match number(&id) {
            Some(id) => log_page(&ctx, LogOf::Unit(UnitId(id)), ListOrder::NewestFirst).await,
            None => ctx.failed(&ApiError::NotFound),
        }
    }
}

/// The sets of checks that the parameter `set` names.
fn requested_sets(url: &RequestUrl) -> Result<&'static [CheckSet], ApiError> {
    match url.value("set").as_deref().unwrap_or("modern") {
        "" | "modern" => Ok(&[CheckSet::Modern]),
        "legacy" => Ok(&[CheckSet::Legacy]),
        "all" => Ok(&[CheckSet::Modern, CheckSet::Legacy]),
        other => Err(ApiError::BadFilter(format!(
            "set: unknown value '{other}'; use modern, legacy or all"
        ))),
    }
}

/// The scope of a list of units.
pub(crate) enum UnitsOf {
    /// All, by id.
    All,
    /// Those of a translation (project, component, language), in the order of the template.
    Translation(String, String, String),
    /// Those of the same source string in every language, by id.
    SameSource(UnitId),
    /// Those of a component at a revision, by path and in the order of the template.
    Revision(Arc<ComponentSnapshot>),
}

impl UnitsOf {
    /// Number of units; `None` if there is no such translation or unit.
    fn count(&self, ctx: &RequestContext) -> Option<usize> {
        match self {
            Self::All => Some(ctx.snapshot.unit_count()),
            Self::Translation(project, component, language) => ctx
                .translation(project, component, language)
                .map(|view| view.translation.units.len()),
            Self::SameSource(id) => same_source(ctx, *id).map(|ids| ids.len()),
            Self::Revision(state) => Some(
                state
                    .translations
                    .iter()
                    .map(|translation| translation.units.len())
                    .sum(),
            ),
        }
    }

    /// Hands the units at some positions to `with`, each with its position.
    fn each<'a>(
        &'a self,
        ctx: &'a RequestContext,
        positions: Range<usize>,
        mut with: impl FnMut(usize, UnitView<'a>),
    ) {
        let numbered = positions.clone();
        match self {
            Self::All => {
                numbered
                    .zip(ctx.snapshot.units_from(positions.start))
                    .for_each(|(position, unit)| with(position, unit));
            }
            Self::Translation(project, component, language) => {
                if let Some(view) = ctx.translation(project, component, language) {
                    numbered
                        .zip(view.units_from(positions.start))
                        .for_each(|(position, unit)| with(position, unit));
                }
            }
            Self::Revision(state) => state
                .units_at(positions)
                .zip(numbered)
                .for_each(|(unit, position)| with(position, unit)),
            Self::SameSource(id) => {
                let ids = same_source(ctx, *id).unwrap_or_default();
                let units = ids
                    .iter()
                    .skip(positions.start)
                    .filter_map(|id| ctx.snapshot.unit(*id));
                numbered
                    .zip(units)
                    .for_each(|(position, unit)| with(position, unit));
            }
        }
    }
}

fn same_source(ctx: &RequestContext, id: UnitId) -> Option<Vec<UnitId>> {
    let unit = ctx.snapshot.unit(id)?;
    Some(ctx.snapshot.source(unit.source.id)?.units())
}

/// A page of units, as the request filters them.
pub(crate) async fn units_page<T: ObjectSchema>(
    ctx: &RequestContext,
    of: UnitsOf,
) -> Reply<Page<T>> {
    // Rows of tables cannot follow links.
    let mut ctx = ctx.clone();
    ctx.details |= ctx.representation.is_table();
    let ctx = &ctx;
    let Some(count) = of.count(ctx) else {
        return ctx.failed(&ApiError::NotFound);
    };
    let filter = match UnitFilter::read(&ctx.url) {
        Ok(filter) => filter,
        Err(failure) => return ctx.failed(&failure),
    };
    let of = Arc::new(of);
    let written = of.clone();
    let write = move |ctx: &RequestContext, items: &mut ListWriter<'_>, positions: Range<usize>| {
        let mut units = Units::new(&ctx.links).with_details(ctx.details);
        written.each(ctx, positions, |_, unit| {
            items.each([unit], |out, unit| units.write(out, unit))
        });
    };
    let Some(filter) = filter else {
        return list(ctx, count, write).await;
    };
    let mut name = filter.name().to_owned();
    if let UnitsOf::Revision(state) = &*of {
        // The name of the revision may select a different commit later.
        name = format!("{} {name}", state.tip.id);
    }
    let select = move |ctx: &RequestContext, budget: &Budget| {
        let (mut found, mut is_selected) = (Vec::new(), filter.scan(budget));
        of.each(ctx, 0..count, |position, unit| {
            if is_selected(unit) {
                found.push(position as u32);
            }
        });
        drop(is_selected);
        found
    };
    filtered_list(ctx, &name, select, Arc::new(write)).await
}
