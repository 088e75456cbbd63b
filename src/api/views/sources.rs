//! Writes source strings.

use crate::api::encode::json::{int, list, moment, object, raw};
use crate::api::response::links::{Links, link, numbered};
use crate::catalog::SourceView;
use crate::model::UnitId;

/// Writes a source (docs/spec/http.md#resources).
pub(crate) fn source(out: &mut Vec<u8>, links: &Links, view: SourceView<'_>) {
    let path = view.component.path();
    object!(out;
        "id_hash" => int(view.source.id_hash),
        "component" => link(links, &["components/", &path]),
        "timestamp" => moment(view.source.since),
        "priority" => raw(b"100"),
        "check_flags" => raw(b"\"\""),
        "url" => numbered(links, "sources/", view.source.id.0),
        "units" => units(links, view.units()),
        "screenshots" => raw(b"[]"),
    );
}

fn units(out: &mut Vec<u8>, links: &Links, units: Vec<UnitId>) {
    list(out, units, |out, unit| {
        numbered(out, links, "units/", unit.0)
    });
}
