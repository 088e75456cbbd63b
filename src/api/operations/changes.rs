//! Lists of log entries, filtered or not.

use std::ops::Range;
use std::sync::Arc;

use crate::api::bodies::change;
use crate::api::call::Call;
use crate::api::errors::Failure;
use crate::api::filter::ChangeFilter;
use crate::api::reply::Reply;
use crate::api::rows::Items;
use crate::api::schema::{self, Page};
use crate::catalog::{ChangeView, Changes};
use crate::model::UnitId;

/// Whose log a list shows.
pub(super) enum LogOf {
    /// That of everything.
    All,
    /// That of a project.
    Project(String),
    /// That of a component (project, component).
    Component(String, String),
    /// That of a translation (project, component, language).
    Translation(String, String, String),
    /// That of a unit.
    Unit(UnitId),
}

/// Which entry of a list comes first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    OldestFirst,
    NewestFirst,
}

impl LogOf {
    /// The log, oldest entry first; that of a unit stands in the log of its translation.
    fn changes<'a>(&self, call: &'a Call) -> Option<Changes<'a>> {
        let snapshot = &call.snapshot;
        match self {
            Self::All => Some(snapshot.changes()),
            Self::Project(project) => snapshot.changes_of_project(project),
            Self::Component(project, component) => {
                call.component(project, component).map(|of| snapshot.changes_of_component(of))
            }
            Self::Translation(project, component, language) => {
                call.translation(project, component, language).map(|view| snapshot.changes_of_translation(view))
            }
            Self::Unit(id) => snapshot.unit(*id).map(|unit| snapshot.changes_of_translation(unit.of())),
        }
    }

    /// Whether what happened to a unit stands in this log.
    fn covers(&self, call: &Call, id: UnitId) -> bool {
        let Some(unit) = call.snapshot.unit(id) else { return false };
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

/// A stretch of a log in the order in which it is shown.
struct Shown {
    log: LogOf,
    order: Order,
    /// The entries that are looked at, oldest first.
    entries: Range<usize>,
}

impl Shown {
    /// Hands the entries at some places to `with`, each with its place.
    fn each(&self, call: &Call, places: Range<usize>, mut with: impl FnMut(usize, ChangeView<'_>)) {
        let Some(changes) = self.log.changes(call) else { return };
        for place in places {
            let at = match self.order {
                Order::OldestFirst => self.entries.start + place,
                Order::NewestFirst => self.entries.end - 1 - place,
            };
            if let Some(entry) = changes.get(at) {
                with(place, entry);
            }
        }
    }
}

/// A page of a log, as the request filters it.
pub(super) async fn log_page(call: &Call, log: LogOf, order: Order) -> Reply<Page<schema::Change>> {
    if log.changes(call).is_none() {
        return call.failed(&Failure::NotFound);
    }
    let mut filter = match ChangeFilter::read(&call.asked, &call.snapshot) {
        Ok(filter) => filter,
        Err(failure) => return call.failed(&failure),
    };
    let mut log = log;
    if let LogOf::Unit(id) = log {
        if filter.unit().is_some_and(|other| other != id) {
            return call.list(0, |_, _, _| {});
        }
        filter.only_of(id);
    } else if let Some(id) = filter.unit() {
        // The entries of one unit stand in the log of its translation: there is no need to look elsewhere.
        if !log.covers(call, id) {
            return call.list(0, |_, _, _| {});
        }
        log = LogOf::Unit(id);
    }
    let Some(changes) = log.changes(call) else { return call.failed(&Failure::NotFound) };
    let (entries, looks) = (filter.stretch(changes), filter.looks(changes));
    let count = entries.len();
    let shown = Arc::new(Shown { log, order, entries });
    let written = shown.clone();
    let write = move |call: &Call, items: &mut Items<'_>, places: Range<usize>| {
        written.each(call, places, |_, entry| items.each([entry], |out, entry| change(out, &call.links, entry)));
    };
    if !looks {
        return call.list(count, write);
    }
    let name = filter.name().to_owned();
    let choose = move |call: &Call, places: Range<usize>, found: &mut Vec<u32>| {
        shown.each(call, places, |place, entry| {
            if filter.wants(entry) {
                found.push(place as u32);
            }
        });
    };
    call.chosen(0..count, &name, Arc::new(choose), Arc::new(write)).await
}
