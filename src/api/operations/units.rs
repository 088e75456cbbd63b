//! Lists of units, filtered or not.

use std::ops::Range;
use std::sync::Arc;

use crate::api::bodies::Units;
use crate::api::call::Call;
use crate::api::errors::Failure;
use crate::api::filter::UnitFilter;
use crate::api::reply::Reply;
use crate::api::schema::{self, Page};
use crate::catalog::UnitView;
use crate::model::UnitId;

/// Which units a list is of.
pub(super) enum UnitsOf {
    /// All, by number.
    All,
    /// Those of a translation (project, component, language), in the order of the template.
    Translation(String, String, String),
    /// Those of the same source string in every language, by number.
    SameSource(UnitId),
}

impl UnitsOf {
    /// How many there are; `None` when there is no such translation or unit.
    fn count(&self, call: &Call) -> Option<usize> {
        match self {
            Self::All => Some(call.snapshot.unit_count()),
            Self::Translation(project, component, language) => {
                call.translation(project, component, language).map(|view| view.translation.units.len())
            }
            Self::SameSource(id) => same_source(call, *id).map(|ids| ids.len()),
        }
    }

    /// Hands the units at some places to `with`, each with its place.
    fn each(&self, call: &Call, places: Range<usize>, mut with: impl FnMut(usize, UnitView<'_>)) {
        let numbered = places.clone();
        match self {
            Self::All => {
                numbered.zip(call.snapshot.units_from(places.start)).for_each(|(place, unit)| with(place, unit));
            }
            Self::Translation(project, component, language) => {
                if let Some(view) = call.translation(project, component, language) {
                    numbered.zip(view.units_from(places.start)).for_each(|(place, unit)| with(place, unit));
                }
            }
            Self::SameSource(id) => {
                let ids = same_source(call, *id).unwrap_or_default();
                let units = ids.iter().skip(places.start).filter_map(|id| call.snapshot.unit(*id));
                numbered.zip(units).for_each(|(place, unit)| with(place, unit));
            }
        }
    }
}

fn same_source(call: &Call, id: UnitId) -> Option<Vec<UnitId>> {
    let unit = call.snapshot.unit(id)?;
    Some(call.snapshot.source(unit.source.id)?.units())
}

/// A page of units, as the request filters them.
pub(super) async fn units_page(call: &Call, of: UnitsOf) -> Reply<Page<schema::Unit>> {
    let Some(count) = of.count(call) else { return call.failed(&Failure::NotFound) };
    let filter = match UnitFilter::read(&call.asked) {
        Ok(filter) => filter,
        Err(failure) => return call.failed(&failure),
    };
    let of = Arc::new(of);
    let written = of.clone();
    let write = move |call: &Call, items: &mut crate::api::rows::Items<'_>, places: Range<usize>| {
        let mut units = Units::new(&call.links);
        written.each(call, places, |_, unit| items.each([unit], |out, unit| units.write(out, unit)));
    };
    let Some(filter) = filter else { return call.list(count, write) };
    let name = filter.name().to_owned();
    let choose = move |call: &Call, places: Range<usize>, found: &mut Vec<u32>| {
        of.each(call, places, |place, unit| {
            if filter.wants(unit) {
                found.push(place as u32);
            }
        });
    };
    call.chosen(0..count, &name, Arc::new(choose), Arc::new(write)).await
}
