//! The renamed keys of a change as one JSON document, for scripts (docs/spec/renames.md#checks).

use serde::Serialize;

use super::escape;
use crate::renames::RenamedKey;
use crate::report::Report;

/// The version of the structure.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct FixList<'a> {
    version: u32,
    renames: Vec<ComponentRename<'a>>,
}

#[derive(Serialize)]
struct ComponentRename<'a> {
    component: &'a str,
    #[serde(flatten)]
    rename: &'a RenamedKey,
}

/// Writes the list.
pub fn fix_list(report: &Report) -> String {
    let renames = report.components.iter().flat_map(|component| {
        let renames = component.renames.iter();
        renames.map(|rename| ComponentRename {
            component: &component.name,
            rename,
        })
    });
    escape::indented_json(&FixList {
        version: VERSION,
        renames: renames.collect(),
    })
}
