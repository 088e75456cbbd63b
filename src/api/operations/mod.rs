//! The operations: what each path answers with. The document is made from this very code.

mod changes;
mod components;
mod events;
mod log;
mod projects;
mod server;
mod strings;
mod translations;
mod units;

use poem_openapi::Tags;

/// Every operation.
pub(super) type Api = (
    server::Server,
    projects::Projects,
    components::Components,
    translations::Translations,
    strings::Strings,
    log::Log,
    events::Events,
);

/// Every operation.
pub(super) const API: Api = (
    server::Server,
    projects::Projects,
    components::Components,
    translations::Translations,
    strings::Strings,
    log::Log,
    events::Events,
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
