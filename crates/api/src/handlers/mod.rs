//! The operations of the API: their routes and handlers. The OpenAPI document is generated from the routes.

mod changes;
mod components;
mod current;
mod current_changes;
mod events;
mod languages;
mod log_of;
mod projects;
pub(super) mod revisions;
mod root;
mod screenshots;
mod sources;
mod translations;
mod units;
mod users;
mod without_content;

use super::route::ApiRoute;

/// The routes of the API, each group with the tag of its operations in the document.
pub(super) const GROUPS: [(&str, &[ApiRoute]); 14] = [
    ("Server", root::ROUTES),
    ("Projects", projects::ROUTES),
    ("Components", components::ROUTES),
    ("Translations", translations::ROUTES),
    ("Languages", languages::ROUTES),
    ("Units", units::ROUTES),
    ("Revisions", revisions::ROUTES),
    ("Sources", sources::ROUTES),
    ("Screenshots", screenshots::ROUTES),
    ("Changes", changes::ROUTES),
    ("Changes", users::ROUTES),
    ("Changes", events::ROUTES),
    ("Server", current::ROUTES),
    ("Server", without_content::ROUTES),
];
