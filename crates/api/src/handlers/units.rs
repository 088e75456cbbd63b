//! Units, and lists of them, filtered or not.

use std::ops::Range;
use std::sync::Arc;

use super::changes::log_page;
use super::log_of::LogOf;
use crate::apis::{Api, Current, Legacy};
use crate::lists::{ListWriter, array, filtered_list, list};
use crate::request::context::{Reply, RequestContext};
use crate::request::filters::UnitFilter;
use crate::request::pagination::RequestUrl;
use crate::response::error::ApiError;
use crate::response::methods::CHANGE;
use crate::route::ResponseBody::{Array, Object, Page};
use crate::route::{ApiRoute, QueryParameters, routes};
use crate::views::{self, CheckFailure, Units, failing_check, failing_checks};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ComponentSnapshot, UnitView};
use gitglot_checks::CheckProfile;
use gitglot_model::UnitId;

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/units/" Resource Page(views::Unit::object) => (<P> units_page, UnitsOf::All)
        "Unit List" "All strings in all languages.", "listUnits" "All units, by id"
        .large_pages().query(QueryParameters::Units);
    "/api/units/:id/" Resource Object(views::Unit::object) => (<P> one)
        "Unit Instance" "A string in one language.", "getUnit" "A unit"
        .query(QueryParameters::Unit).writes(CHANGE);
    "/api/units/:id/checks/" Action Page(views::FailingCheck::object) => (checks)
        "Checks" "The failing checks of a string.",
        "listChecksOfUnit" "The failing checks of a unit; by default those of the modern set"
        .query(QueryParameters::UnitChecks).extension();
    "/api/units/:id/translations/" Action Page(views::Unit::object) => (translations)
        "Translations" "The same string in every language.",
        "listTranslationsOfUnit" "The units of the same source string in every language"
        .query(QueryParameters::Units).extension();
    "/api/units/:id/translations/" Action Array(views::Unit::object) => (other_languages)
        "Translations" "The same string in the other languages.",
        "listTranslationsOfSourceUnit" "The units of the other languages of a unit of the source language"
        .current_only();
    "/api/units/:id/changes/" Action Page(views::Change::object) => (changes)
        "Changes" "The change log of a string, newest first.",
        "listChangesOfUnit" "The change log of a unit, newest first"
        .query(QueryParameters::Changes).extension();
};

async fn one<P: Api>(ctx: &RequestContext) -> Reply {
    let unit = ctx.unit::<P>()?;
    ctx.with_checks_of_unit::<P>(unit).await?;
    ctx.object(|out| Units::new(&ctx.links, ctx.details).write::<P>(out, unit))
}

/// The units of the other languages of a unit of the source language.
async fn other_languages(ctx: &RequestContext) -> Reply {
    let of = ctx.unit::<Current>()?;
    if !of.of().is_source() {
        return Err(ApiError::NotASourceUnit);
    }
    ctx.with_checks_of_unit::<Current>(of).await?;
    let string = of.string();
    let component = of.component;
    let views = ctx.snapshot.current_translations_of(component).into_iter();
    let others = views.filter(|view| !view.is_source());
    let others = others.filter_map(|view| view.unit_of_string(string));
    let ids: Vec<UnitId> = others.map(|unit| unit.unit.id).collect();
    array(ctx, ids.len(), move |ctx, items, positions| {
        let ids = ids.get(positions).unwrap_or_default();
        let mut units = Units::new(&ctx.links, false);
        let views = ids.iter().filter_map(|id| ctx.snapshot.current_unit(*id));
        items.each(views, |out, unit| units.write::<Current>(out, unit));
    })
    .await
}

async fn checks(ctx: &RequestContext) -> Reply {
    let sets = requested_sets(&ctx.url)?;
    let checks = |unit| -> Vec<CheckFailure> {
        let found = sets.iter().flat_map(|&set| failing_checks(unit, set));
        found.collect()
    };
    let checks = checks(ctx.unit::<Legacy>()?);
    list(ctx, checks.len(), move |ctx, items, positions| {
        let Ok(unit) = ctx.unit::<Legacy>() else {
            return;
        };
        let checks = checks.get(positions).unwrap_or_default();
        items.each(checks, |out, check| failing_check(out, unit, check));
    })
    .await
}

async fn translations(ctx: &RequestContext) -> Reply {
    let id = ctx.unit::<Legacy>()?.unit.id;
    units_page::<Legacy>(ctx, UnitsOf::SameSource(id)).await
}

async fn changes(ctx: &RequestContext) -> Reply {
    let id = ctx.unit::<Legacy>()?.unit.id;
    log_page(ctx, LogOf::Unit(id)).await
}

/// The sets of checks that the parameter `set` names.
fn requested_sets(url: &RequestUrl) -> Result<&'static [CheckProfile], ApiError> {
    match url.value("set").as_deref().unwrap_or("modern") {
        "modern" => Ok(&[CheckProfile::Current]),
        "legacy" => Ok(&[CheckProfile::Weblate34]),
        "all" => Ok(&[CheckProfile::Current, CheckProfile::Weblate34]),
        other => Err(ApiError::BadFilter(format!(
            "set: '{other}' is unknown: write modern, legacy or all"
        ))),
    }
}

/// Which units a list is of.
pub(crate) enum UnitsOf {
    /// All, by number.
    All,
    /// Those of the translation in the path, in the order of the template.
    Translation,
    /// Those of the same source string in every language, by number.
    SameSource(UnitId),
    /// Those of a component at a revision, by path and in the order of the template.
    Revision(Arc<ComponentSnapshot>),
}

impl UnitsOf {
    fn count<P: Api>(&self, ctx: &RequestContext) -> Result<usize, ApiError> {
        Ok(match self {
            Self::All => P::unit_count(&ctx.snapshot),
            Self::Translation => ctx.translation::<P>()?.translation.unit_count(),
            Self::SameSource(id) => same_source(ctx, *id).ok_or(ApiError::NotFound)?.len(),
            Self::Revision(state) => {
                let translations = state.translations.iter();
                translations.map(|of| of.units.len()).sum()
            }
        })
    }

    /// Hands the units at some positions to `with`, each with its position.
    fn each<'a, P: Api>(
        &'a self,
        ctx: &'a RequestContext,
        positions: Range<usize>,
        mut with: impl FnMut(usize, UnitView<'a>),
    ) {
        let start = positions.start;
        let numbered = positions.clone();
        let with = |(position, unit)| with(position, unit);
        match self {
            Self::All => {
                let units = P::units_from(&ctx.snapshot, start);
                numbered.zip(units).for_each(with);
            }
            Self::Translation => {
                if let Ok(view) = ctx.translation::<P>() {
                    numbered.zip(P::units_of(view, start)).for_each(with);
                }
            }
            Self::Revision(state) => numbered.zip(state.units_at(positions)).for_each(with),
            Self::SameSource(id) => {
                let ids = same_source(ctx, *id).unwrap_or_default();
                let units = ids.iter().skip(start);
                let units = units.filter_map(|id| ctx.snapshot.unit(*id));
                numbered.zip(units).for_each(with);
            }
        }
    }
}

fn same_source(ctx: &RequestContext, id: UnitId) -> Option<Vec<UnitId>> {
    let unit = ctx.snapshot.unit(id)?;
    Some(ctx.snapshot.source(unit.source.id)?.units())
}

/// A page of units, as the request filters them.
pub(crate) async fn units_page<P: Api>(ctx: &RequestContext, of: UnitsOf) -> Reply {
    // Rows of tables cannot follow links.
    let mut ctx = ctx.clone();
    ctx.details |= ctx.representation.is_table();
    let ctx = &ctx;
    ctx.with_checks::<P>().await?;
    let count = of.count::<P>(ctx)?;
    let filter = UnitFilter::read::<P>(&ctx.url)?;
    let of = Arc::new(of);
    let written = of.clone();
    let write = move |ctx: &RequestContext, items: &mut ListWriter<'_>, positions: Range<usize>| {
        let mut units = Units::new(&ctx.links, ctx.details);
        written.each::<P>(ctx, positions, |_, unit| {
            items.each([unit], |out, unit| units.write::<P>(out, unit))
        });
    };
    let Some(filter) = filter else {
        return list(ctx, count, write).await;
    };
    let mut name = filter.name.clone();
    if let UnitsOf::Revision(state) = &*of {
        // The name of the revision may select a different commit later.
        name = format!("{} {name}", state.tip.id);
    }
    let select = move |ctx: &RequestContext, budget: &Budget| {
        let (mut found, mut is_selected) = (Vec::new(), filter.scan(ctx.snapshot.users(), budget));
        of.each::<P>(ctx, 0..count, |position, unit| {
            if is_selected(unit) {
                found.push(position as u32);
            }
        });
        drop(is_selected);
        found
    };
    filtered_list(ctx, &name, select, Arc::new(write)).await
}

#[cfg(test)]
mod tests {
    use crate::tests::api;
    use crate::tests::testing::{get, ids};

    #[tokio::test]
    async fn the_parameter_selects_the_set_of_checks() {
        let api = api();
        let sets = async |query: &str| {
            let checks = get(&api, &format!("/api/units/1/checks/?{query}")).await;
            let checks = checks.json()["results"].as_array().unwrap().clone();
            let mut sets: Vec<_> = checks
                .iter()
                .map(|check| check["set"].to_string())
                .collect();
            sets.dedup();
            (checks.len(), sets)
        };
        let (modern, legacy, all) = (
            sets("").await,
            sets("set=legacy").await,
            sets("set=all").await,
        );
        assert_eq!(modern, sets("set=modern").await);
        assert_eq!(all.0, modern.0 + legacy.0);
        assert!(modern.1.iter().all(|set| set == "\"modern\""), "{modern:?}");
        assert!(legacy.1.iter().all(|set| set == "\"legacy\""), "{legacy:?}");
        let refused = get(&api, "/api/units/1/checks/?set=new").await;
        assert_eq!(refused.status, 400);
        assert!(
            refused.body.contains("write modern, legacy or all"),
            "{}",
            refused.body
        );
    }

    #[tokio::test]
    async fn the_units_of_a_source_are_by_id() {
        let api = api();
        for id in [2, 4, 6] {
            let path = format!("/api/units/{id}/translations/");
            assert_eq!(ids(&api, &path).await, [2, 4, 6], "{path}");
        }
    }

    #[tokio::test]
    async fn only_units_of_the_source_language_have_other_languages() {
        let api = api();
        let others = get(&api, "/current/api/units/4/translations/").await;
        let others = others.json();
        let ids: Vec<_> = others
            .as_array()
            .unwrap()
            .iter()
            .map(|unit| unit["id"].as_u64())
            .collect();
        assert_eq!(ids, [Some(2), Some(6)]);
        assert_eq!(
            get(&api, "/current/api/units/2/translations/").await.status,
            400
        );
    }

    #[tokio::test]
    async fn a_translation_lists_its_own_units() {
        let api = api();
        for root in ["/api", "/current/api"] {
            let path = format!("{root}/translations/hello/app/en/units/");
            assert_eq!(ids(&api, &path).await, [3, 4], "{path}");
        }
    }
}
