//! The change log, and lists of its entries, filtered or not.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use poem_openapi::OpenApi;

use super::lists::{filtered_list, list};
use super::{ApiTag, Ctx};
use crate::api::request::context::{RequestContext, number};
use crate::api::request::filters::ChangeFilter;
use crate::api::request::path_param::PathParam;
use crate::api::response::error::ApiError;
use crate::api::response::list_writer::ListWriter;
use crate::api::response::payload::Reply;
use crate::api::schema::{self, Page};
use crate::api::views::{DetailedChanges, change, details};
use crate::catalog::{ChangeView, LogView};
use crate::model::{ChangeId, UnitId};
use crate::scan::Budget;

/// The operations of this file.
pub(crate) struct ChangeHandlers;

#[OpenApi]
impl ChangeHandlers {
    /// The change log, oldest first
    #[oai(
        path = "/api/changes",
        method = "get",
        operation_id = "listChanges",
        tag = "ApiTag::Changes"
    )]
    async fn changes(&self, ctx: Ctx<'_>) -> Reply<Page<schema::Change>> {
        log_page(&ctx, LogOf::All, ListOrder::OldestFirst).await
    }

    /// An entry of the change log
    #[oai(
        path = "/api/changes/:id",
        method = "get",
        operation_id = "getChange",
        tag = "ApiTag::Changes"
    )]
    async fn change(&self, ctx: Ctx<'_>, id: PathParam) -> Reply<schema::Change> {
        let entry = number(&id).and_then(|id| ctx.snapshot.change(ChangeId(id)));
        ctx.found(entry, |out, entry| self::change(out, &ctx.links, entry))
    }

    /// The details of an entry of the change log
    ///
    /// The changed string and file, the commit, and the text before and after the change. Available even if the string
    /// or file no longer exists. Not in Weblate 3.4.
    #[oai(
        path = "/api/changes/:id/details",
        method = "get",
        operation_id = "getChangeDetails",
        tag = "ApiTag::Changes"
    )]
    async fn details(&self, ctx: Ctx<'_>, id: PathParam) -> Reply<schema::ChangeDetails> {
        let entry = number(&id).and_then(|id| ctx.snapshot.change(ChangeId(id)));
        ctx.found(entry, |out, entry| details(out, &ctx.links, entry))
    }
}

/// The scope of a list of changes.
pub(crate) enum LogOf {
    /// All changes.
    All,
    /// The changes of a project.
    Project(String),
    /// The changes of a component (project, component).
    Component(String, String),
    /// The changes of a translation (project, component, language).
    Translation(String, String, String),
    /// The changes of a unit.
    Unit(UnitId),
}

/// The order of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListOrder {
    OldestFirst,
    NewestFirst,
}

impl LogOf {
    /// The log, oldest entry first; the log of its translation contains that of a unit.
    fn changes<'a>(&self, ctx: &'a RequestContext) -> Option<LogView<'a>> {
        let snapshot = &ctx.snapshot;
        match self {
            Self::All => Some(snapshot.changes()),
            Self::Project(project) => snapshot.changes_of_project(project),
            Self::Component(project, component) => ctx
                .component(project, component)
                .map(|of| snapshot.changes_of_component(of)),
            Self::Translation(project, component, language) => ctx
                .translation(project, component, language)
                .map(|view| snapshot.changes_of_translation(view)),
            Self::Unit(id) => snapshot
                .unit(*id)
                .map(|unit| snapshot.changes_of_translation(unit.of())),
        }
    }

    /// Whether this log contains the changes of a unit.
    fn covers(&self, ctx: &RequestContext, id: UnitId) -> bool {
        let Some(unit) = ctx.snapshot.unit(id) else {
            return false;
        };
        let (of, language) = (unit.component, &unit.translation.language);
        let in_project = |project: &str| of.project.slug.as_str() == project;
        let in_component = |component: &str| of.component.slug.as_str() == component;
        match self {
            Self::All => true,
            Self::Project(project) => in_project(project),
            Self::Component(project, component) => in_project(project) && in_component(component),
            Self::Translation(project, component, code) => {
                in_project(project) && in_component(component) && *language.code == **code
            }
            Self::Unit(own) => *own == id,
        }
    }
}

/// A range of a log in display order.
struct LogRows {
    log: LogOf,
    order: ListOrder,
    /// The entries to consider, oldest first.
    entries: Range<usize>,
    /// The removed strings that are shown after their entries: positions and indexes of [`LogView::removals`].
    removals: Vec<(u32, u32)>,
}

impl LogRows {
    /// Calls `with` for the entries at some positions.
    fn each(
        &self,
        ctx: &RequestContext,
        positions: Range<usize>,
        mut with: impl FnMut(usize, ChangeView<'_>),
    ) {
        let Some(changes) = self.log.changes(ctx) else {
            return;
        };
        for position in positions {
            let at = match self.order {
                ListOrder::OldestFirst => position,
                ListOrder::NewestFirst => self.count() - 1 - position,
            };
            if let Some(entry) = self.at(changes, at) {
                with(position, entry);
            }
        }
    }

    /// Number of entries, including removed strings.
    fn count(&self) -> usize {
        self.entries.len() + self.removals.len()
    }

    /// The entry at a position, oldest first. The removed string at index `n` is at its entry's position plus `n + 1`.
    fn at<'a>(&self, changes: LogView<'a>, at: usize) -> Option<ChangeView<'a>> {
        let (mut low, mut high) = (0, self.removals.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let (position, index) = *self.removals.get(middle)?;
            let own = position as usize - self.entries.start + middle + 1;
            match own.cmp(&at) {
                Ordering::Equal => return changes.get(position as usize)?.removal(index as usize),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        changes.get(self.entries.start + at - low)
    }
}

/// The log of a single unit where the filter asks for one, else the whole log; `None` if nothing can match.
fn narrowed(ctx: &RequestContext, log: LogOf, filter: &mut ChangeFilter) -> Option<LogOf> {
    if let LogOf::Unit(id) = log {
        if filter.unit().is_some_and(|other| other != id) {
            return None;
        }
        filter.only_of(id);
        return Some(log);
    }
    let Some(id) = filter.unit() else {
        return Some(log);
    };
    // The log of its translation contains all entries of a unit.
    log.covers(ctx, id).then_some(LogOf::Unit(id))
}

/// A page of a log, as the request filters it.
pub(crate) async fn log_page(
    ctx: &RequestContext,
    log: LogOf,
    order: ListOrder,
) -> Reply<Page<schema::Change>> {
    if log.changes(ctx).is_none() {
        return ctx.failed(&ApiError::NotFound);
    }
    let mut filter = match ChangeFilter::read(&ctx.url, &ctx.snapshot) {
        Ok(filter) => filter,
        Err(failure) => return ctx.failed(&failure),
    };
    let Some(log) = narrowed(ctx, log, &mut filter) else {
        return list(ctx, 0, |_, _, _| {}).await;
    };
    let Some(changes) = log.changes(ctx) else {
        return ctx.failed(&ApiError::NotFound);
    };
    let (entries, needs_check) = (filter.range(changes), filter.needs_check(changes));
    let mut removals = if filter.includes_removed() {
        changes.removals()
    } else {
        Vec::new()
    };
    removals.retain(|(position, _)| entries.contains(&(*position as usize)));
    let shown = Arc::new(LogRows {
        log,
        order,
        entries,
        removals,
    });
    let count = shown.count();
    let written = shown.clone();
    let write = move |ctx: &RequestContext, items: &mut ListWriter<'_>, positions: Range<usize>| {
        let mut detailed = DetailedChanges::new(&ctx.links);
        written.each(ctx, positions, |_, entry| {
            items.each([entry], |out, entry| match ctx.details {
                true => detailed.write(out, entry),
                false => change(out, &ctx.links, entry),
            });
        });
    };
    if !needs_check {
        return list(ctx, count, write).await;
    }
    let name = filter.name().to_owned();
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
