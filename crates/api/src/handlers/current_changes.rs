//! The change log of the current API: all, or that of the project, component or translation in the path
//! (docs/spec/current-api.md#changes).

use std::ops::Range;
use std::sync::Arc;

use super::log_of::LogOf;
use crate::apis::Current;
use crate::lists::{ListWriter, filtered_list, list};
use crate::request::context::{Reply, RequestContext};
use crate::request::filters::ChangeFilter;
use crate::request::python_int;
use crate::response::error::ApiError;
use crate::views;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{
    ComponentSnapshot, CurrentChange, CurrentRows, component_of_current_change, has_current_log,
    read_current_log,
};

pub(super) async fn one(ctx: &RequestContext) -> Reply {
    let id = python_int::int(ctx.param("id")).and_then(|id| u64::try_from(id).ok());
    let id = id.ok_or(ApiError::NotFound)?;
    let component = component_of_current_change(&ctx.snapshot, id);
    if component.is_some_and(|component| !has_current_log(component)) {
        let own = ctx.clone();
        let read = move |budget: &Budget| {
            let component = component_of_current_change(&own.snapshot, id);
            component.is_some_and(|component| read_current_log(component, budget))
        };
        ctx.scan(read).await?;
    }
    let row = CurrentChange::find(&ctx.snapshot, id).ok_or(ApiError::NotFound)?;
    ctx.object(|out| views::change::<Current>(out, &ctx.links, row.view, Some(&row)))
}

/// A page of the log of what the path names, newest entry first.
pub(super) async fn page(ctx: &RequestContext, log: LogOf) -> Reply {
    match log {
        LogOf::Project => drop(ctx.project()?),
        LogOf::Component => drop(ctx.component()?),
        LogOf::Translation => drop(ctx.translation::<Current>()?),
        _ => {}
    }
    let filter = ChangeFilter::read_current(&ctx.url)?;
    let own = ctx.clone();
    let rows = Arc::new(ctx.scan(move |budget| rows(&own, budget)).await?);
    let written = rows.clone();
    let write = move |ctx: &RequestContext, items: &mut ListWriter<'_>, positions: Range<usize>| {
        written.each(&ctx.snapshot, positions, |_, row| {
            items.each([row], |out, row| {
                views::change::<Current>(out, &ctx.links, row.view, Some(&row));
            });
            true
        });
    };
    if !filter.selects_rows() {
        return list(ctx, rows.len(), write).await;
    }
    let name = filter.name.clone();
    let select = move |ctx: &RequestContext, budget: &Budget| {
        let mut found = Vec::new();
        rows.each(&ctx.snapshot, 0..rows.len(), |position, row| {
            if filter.matches_row(&row) {
                found.push(position as u32);
            }
            budget.spend(1)
        });
        found
    };
    filtered_list(ctx, &name, select, Arc::new(write)).await
}

/// The rows of the log that the path names. An exhausted budget gives an incomplete list.
fn rows(ctx: &RequestContext, budget: &Budget) -> CurrentRows {
    if let Ok(view) = ctx.translation::<Current>() {
        read_current_log(view.component, budget);
        return CurrentRows::of_translation(&ctx.snapshot, view, budget);
    }
    let [project, component] = ["project", "component"].map(|name| ctx.param(name));
    let is_wanted = |of: &&ComponentSnapshot| {
        let names = [(&of.project.slug, project), (&of.component.slug, component)];
        let mut names = names.into_iter();
        names.all(|(own, wanted)| wanted.is_empty() || own.as_str() == wanted)
    };
    let components = ctx.snapshot.components().iter().map(Arc::as_ref);
    let components: Vec<_> = components.filter(is_wanted).collect();
    let is_complete = components
        .iter()
        .all(|component| read_current_log(component, budget));
    match is_complete {
        // Commits are sorted once for all pages.
        true if project.is_empty() => CurrentRows::all(&ctx.snapshot),
        true => CurrentRows::of_components(&ctx.snapshot, components.into_iter()),
        false => CurrentRows::default(),
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::api;
    use crate::tests::testing::{get, ids};

    #[tokio::test]
    async fn a_log_has_the_rows_of_what_the_path_names() {
        let api = api();
        let all = ids(&api, "/current/api/changes/").await;
        assert!(!all.is_empty());
        for path in ["projects/hello", "components/hello/app"] {
            let path = format!("/current/api/{path}/changes/");
            assert_eq!(ids(&api, &path).await, all, "{path}");
        }
        for path in ["projects/empty", "components/hello/web"] {
            let path = format!("/current/api/{path}/changes/");
            assert!(ids(&api, &path).await.is_empty(), "{path}");
        }
        let of_translation = ids(&api, "/current/api/translations/hello/app/cs/changes/").await;
        assert!(of_translation.iter().all(|id| all.contains(id)));
        assert!(of_translation.len() < all.len());
    }

    #[tokio::test]
    async fn every_row_of_a_list_is_found_by_its_id() {
        let api = api();
        for id in ids(&api, "/current/api/changes/").await {
            let row = get(&api, &format!("/current/api/changes/{id}/")).await;
            assert_eq!(row.json()["id"].as_u64(), Some(id));
        }
        assert_eq!(get(&api, "/current/api/changes/x/").await.status, 404);
    }
}
