//! The operations of the API. The OpenAPI document is generated from this code.

mod changes;
mod components;
mod events;
mod languages;
mod lists;
mod projects;
mod revisions;
mod root;
mod screenshots;
mod sources;
mod translations;
mod units;
mod users;

use poem::web::Data;
use poem_openapi::Tags;

use super::request::context::RequestContext;

/// The request of a handler.
type Ctx<'a> = Data<&'a RequestContext>;

/// Every operation.
pub(super) type Api = (
    root::RootHandlers,
    projects::ProjectHandlers,
    components::ComponentHandlers,
    translations::TranslationHandlers,
    languages::LanguageHandlers,
    units::UnitHandlers,
    revisions::RevisionHandlers,
    sources::SourceHandlers,
    screenshots::ScreenshotHandlers,
    changes::ChangeHandlers,
    users::UserHandlers,
    events::EventHandlers,
);

/// Every operation.
pub(super) const API: Api = (
    root::RootHandlers,
    projects::ProjectHandlers,
    components::ComponentHandlers,
    translations::TranslationHandlers,
    languages::LanguageHandlers,
    units::UnitHandlers,
    revisions::RevisionHandlers,
    sources::SourceHandlers,
    screenshots::ScreenshotHandlers,
    changes::ChangeHandlers,
    users::UserHandlers,
    events::EventHandlers,
);

/// How the document groups operations.
#[derive(Tags)]
enum ApiTag {
    /// Groups of components.
    Projects,
    /// The files that match one file mask on one branch of a repository.
    Components,
    /// One component in one language.
    Translations,
    /// Strings in one language.
    Units,
    /// Components at any revision, and comparisons.
    Revisions,
    /// Strings of the templates.
    Sources,
    /// The change log.
    Changes,
    /// Languages with a translation.
    Languages,
    /// For compatibility with Weblate; always empty.
    Screenshots,
    /// Everything else.
    Server,
}
