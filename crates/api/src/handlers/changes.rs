//! The change log, and lists of its entries, filtered or not.

use std::ops::Range;
use std::sync::Arc;

use super::current_changes;
use super::log_of::LogOf;
use crate::apis::Legacy;
use crate::lists::{ListWriter, filtered_list, list};
use crate::request::context::{Reply, RequestContext};
use crate::request::filters::ChangeFilter;
use crate::route::ResponseBody::{Object, Page};
use crate::route::{ApiRoute, QueryParameters, routes};
use crate::views::{self, DetailedChanges, StringRename};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ChangeView, ComponentSnapshot, LogView, OnRequest};
use gitglot_model::{ChangeId, UnitId};

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/changes/" Resource Page(views::Change::object)
        => (log_page | current_changes::page, LogOf::All)
        "Change List" "The change log, oldest first.", "listChanges"
        .query(QueryParameters::Changes);
    "/api/changes/:id/" Resource Object(views::Change::object) => (one | current_changes::one)
        "Change Instance" "An entry of the change log.", "getChange";
    "/api/changes/:id/details/" Action Object(views::ChangeDetails::object) => (details)
        "Details" "The details of an entry of the change log.", "getChangeDetails"
        .legacy_only().description(ABOUT_DETAILS);
    "/api/renames/" Resource Page(views::Rename::object) => (renames)
        "Rename List" "The renamed keys of all components, oldest first.",
        "listRenames" "Renamed keys of all components" .legacy_only().extension();
};

const ABOUT_DETAILS: &str = "The changed string and file, the commit, and the text before and after the change. \
Available even if the string\nor file no longer exists. Not in Weblate 3.4.";

async fn one(ctx: &RequestContext) -> Reply {
    let entry = ctx.numbered(|id| ctx.snapshot.change(ChangeId(id)))?;
    ctx.object(|out| views::change::<Legacy>(out, &ctx.links, entry, None))
}

async fn details(ctx: &RequestContext) -> Reply {
    let entry = ctx.numbered(|id| ctx.snapshot.change(ChangeId(id)))?;
    ctx.object(|out| views::details(out, &ctx.links, entry))
}

async fn renames(ctx: &RequestContext) -> Reply {
    let components = ctx.snapshot.components().iter();
    let count_of = |of: &Arc<ComponentSnapshot>| of.log.renames().count() + of.arrivals().len();
    let count = components.map(count_of).sum();
    list(ctx, count, |ctx, items, positions| {
        let found = ctx.snapshot.components().iter().flat_map(|component| {
            let renames = component.log.renames().map(StringRename::Here);
            let arrivals = component.arrivals().iter().map(StringRename::FromComponent);
            let mut all: Vec<_> = renames.chain(arrivals).collect();
            all.sort_by_key(|of| of.rename().entry);
            let all = all.into_iter();
            all.filter_map(|of| Some((ChangeView::of(component, of.rename().entry)?, of)))
        });
        let page = found.skip(positions.start).take(positions.len());
        items.each(page, |out, (view, of)| {
            views::rename(out, &ctx.links, view, of);
        });
    })
    .await
}

/// A range of a log in display order.
struct LogRows {
    log: LogOf,
    newest_first: bool,
    /// The entries to consider, oldest first.
    entries: Range<usize>,
    /// The records on request, which follow their entries: positions among the rows, oldest first, and those of
    /// [`LogView::on_request`] with their indexes.
    records: Vec<(u32, u32, u32)>,
    on_request: OnRequest,
}

impl LogRows {
    /// Calls `with` for the entries at some positions.
    fn each(
        &self,
        ctx: &RequestContext,
        positions: Range<usize>,
        mut with: impl FnMut(usize, ChangeView<'_>),
    ) {
        let Ok(changes) = self.log.changes(ctx) else {
            return;
        };
        for position in positions {
            let at = if self.newest_first {
                self.count() - 1 - position
            } else {
                position
            };
            if let Some(entry) = self.at(changes, at) {
                with(position, entry);
            }
        }
    }

    /// Number of entries, including records on request.
    fn count(&self) -> usize {
        self.entries.len() + self.records.len()
    }

    /// The entry at a position, oldest first.
    fn at<'a>(&self, changes: LogView<'a>, at: usize) -> Option<ChangeView<'a>> {
        match self
            .records
            .binary_search_by_key(&at, |(row, ..)| *row as usize)
        {
            Ok(found) => {
                let (_, position, index) = *self.records.get(found)?;
                (changes.get(position as usize)?).on_request(self.on_request, index)
            }
            Err(records_before) => changes.get(self.entries.start + at - records_before),
        }
    }
}

/// The log of a single unit where the filter asks for one, else the whole log; `None` if nothing can match.
fn narrowed(ctx: &RequestContext, log: LogOf, filter: &mut ChangeFilter) -> Option<LogOf> {
    if let LogOf::Unit(id) = log {
        if filter.unit.is_some_and(|other| other != id) {
            return None;
        }
        filter.unit = Some(id);
        return Some(of_string(ctx, id, filter));
    }
    let Some(id) = filter.unit else {
        return Some(log);
    };
    // The log of its translation contains all entries of a unit.
    log.covers(ctx, id).then(|| of_string(ctx, id, filter))
}

/// The log with the entries of a unit that a filter asks for.
fn of_string(ctx: &RequestContext, id: UnitId, filter: &mut ChangeFilter) -> LogOf {
    if filter.follow(&ctx.snapshot, id) {
        LogOf::String(id)
    } else {
        LogOf::Unit(id)
    }
}

/// A page of a log, as the request filters it. The log of everything begins with the oldest entry, all others with the
/// newest.
pub(crate) async fn log_page(ctx: &RequestContext, log: LogOf) -> Reply {
    let newest_first = !matches!(log, LogOf::All);
    log.changes(ctx)?;
    let mut filter = ChangeFilter::read(&ctx.url, &ctx.snapshot)?;
    let Some(log) = narrowed(ctx, log, &mut filter) else {
        return list(ctx, 0, |_, _, _| {}).await;
    };
    let changes = log.changes(ctx)?;
    let (entries, needs_check) = (filter.range(changes), filter.needs_check(changes));
    let records = changes
        .on_request(filter.on_request)
        .into_iter()
        .filter(|(position, _)| entries.contains(&(*position as usize)))
        .zip(1..)
        .map(|((position, index), up_to)| {
            (position - entries.start as u32 + up_to, position, index)
        })
        .collect();
    let shown = Arc::new(LogRows {
        log,
        newest_first,
        entries,
        records,
        on_request: filter.on_request,
    });
    let count = shown.count();
    let written = shown.clone();
    let write = move |ctx: &RequestContext, items: &mut ListWriter<'_>, positions: Range<usize>| {
        let mut detailed = DetailedChanges::new(&ctx.links);
        written.each(ctx, positions, |_, entry| {
            items.each([entry], |out, entry| {
                if ctx.details {
                    detailed.write(out, entry)
                } else {
                    views::change::<Legacy>(out, &ctx.links, entry, None)
                }
            });
        });
    };
    if !needs_check {
        return list(ctx, count, write).await;
    }
    let name = filter.name.clone();
    let select = move |ctx: &RequestContext, budget: &Budget| {
        let mut found = Vec::new();
        shown.each(ctx, 0..count, |position, entry| {
            if budget.spend(1) && filter.matches(entry) {
                found.push(position as u32);
            }
        });
        found
    };
    filtered_list(ctx, &name, select, Arc::new(write)).await
}

#[cfg(test)]
mod tests {
    use crate::tests::api;
    use crate::tests::testing::{get, ids};

    #[tokio::test]
    async fn only_the_log_of_everything_begins_with_the_oldest_entry() {
        let api = api();
        let oldest_first: Vec<u64> = (1..=9).collect();
        assert_eq!(ids(&api, "/api/changes/").await, oldest_first);
        let newest_first: Vec<u64> = (1..=9).rev().collect();
        for path in ["projects/hello", "components/hello/app"] {
            let path = format!("/api/{path}/changes/");
            assert_eq!(ids(&api, &path).await, newest_first, "{path}");
        }
        let of_translation = ids(&api, "/api/translations/hello/app/cs/changes/").await;
        assert_eq!(of_translation, [6, 5, 3, 2]);
    }

    #[tokio::test]
    async fn a_unit_has_changes_only_in_logs_that_contain_it() {
        let api = api();
        for (path, wanted) in [
            ("changes", &[2][..]),
            ("projects/hello/changes", &[2]),
            ("projects/empty/changes", &[]),
            ("components/hello/app/changes", &[2]),
            ("components/hello/web/changes", &[]),
            ("translations/hello/app/cs/changes", &[2]),
            ("translations/hello/app/en/changes", &[]),
            ("units/1/changes", &[2]),
            ("units/2/changes", &[]),
        ] {
            assert_eq!(
                ids(&api, &format!("/api/{path}/?unit=1")).await,
                wanted,
                "{path}"
            );
        }
    }

    #[tokio::test]
    async fn an_unknown_object_has_no_log() {
        let api = api();
        for path in [
            "projects/nothing",
            "components/hello/nothing",
            "translations/hello/app/ja",
            "units/999",
        ] {
            let path = format!("/api/{path}/changes/");
            assert_eq!(get(&api, &path).await.status, 404, "{path}");
        }
    }

    #[tokio::test]
    async fn a_rename_has_both_keys() {
        let renames = get(&api(), "/api/renames/").await.json();
        assert_eq!(renames["count"], 1);
        let rename = &renames["results"][0];
        assert_eq!(
            (&rename["old_key"], &rename["new_key"]),
            (&"odd".into(), &"gone".into())
        );
    }
}
