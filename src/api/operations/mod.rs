//! The operations: what each path answers with. The document is made from this very code.

mod components;
mod log;
mod projects;
mod server;
mod strings;
mod translations;

use poem_openapi::Tags;

use super::bodies::change;
use super::call::Call;
use super::errors::Failure;
use super::json::list;
use super::reply::Reply;
use super::schema::{self, Page};
use crate::catalog::Changes;

/// Every operation.
pub(super) type Api = (
    server::Server,
    projects::Projects,
    components::Components,
    translations::Translations,
    strings::Strings,
    log::Log,
);

/// Every operation.
pub(super) const API: Api = (
    server::Server,
    projects::Projects,
    components::Components,
    translations::Translations,
    strings::Strings,
    log::Log,
);

/// How the document groups operations.
#[derive(Tags)]
enum Tag {
    /// Names over components.
    Projects,
    /// The files of one mask in one branch of one repository.
    Components,
    /// One component in one language.
    Translations,
    /// Strings, in every language.
    Units,
    /// Strings of the templates.
    Sources,
    /// Who changed what, and when.
    Changes,
    /// The languages that are translated to.
    Languages,
    /// Kept so that clients find them; there are none.
    Screenshots,
    /// Everything else.
    Server,
}

/// A page of a log, newest entry first.
fn newest_first(call: &Call, changes: Option<Changes<'_>>) -> Reply<Page<schema::Change>> {
    let Some(changes) = changes else { return call.failed(&Failure::NotFound) };
    let count = changes.len();
    call.page(count, |out, places| {
        let entries = places.filter_map(|place| changes.get(count.checked_sub(place + 1)?));
        list(out, entries, |out, entry| change(out, &call.links, entry));
    })
}
