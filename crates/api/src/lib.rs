//! The HTTP interface: the read API of Weblate 3.4 over the published snapshot, its OpenAPI document, and everything
//! that is served next to it.
//!
//! A request passes the stages of `pipeline`; `reader` skips most of them for programs that store responses. `router`
//! finds the service of a path in `route_table`, and `dispatch` calls it. Handlers of the API (`handlers`) write JSON in the field order of 3.4 straight into bytes. `views` declares
//! the fields of each body, with the macro of `schema`; from them and the routes, `openapi` makes the document.
//! `request` reads the parameters of handlers, `lists` and `links` write pages and the links in them, `response` writes headers and stores responses, `access` refuses requests.
//! `html` shows JSON on a page, `files` sends and converts files of the repository, `legacy` serves the exports that 3.4
//! has outside of its API.
//!
//! Depends on neither gix nor the disk: a [`FileSource`] reads files.
//!
//! ```
//! assert!(gitglot_api::document(gitglot_api::Profile::Current).contains("\"openapi\""));
//! ```

pub mod health;
pub mod hooks;

mod access;
mod apis;
mod dispatch;
mod encode;
mod events;
mod file_source;
mod files;
mod handlers;
mod html;
mod incoming;
mod legacy;
mod links;
mod lists;
mod openapi;
mod pipeline;
mod profile;
mod reader;
mod request;
mod response;
mod route;
mod route_table;
mod router;
mod schema;
mod state;
mod streams;
mod table;
mod views;

use std::sync::Arc;

use poem::{Endpoint, Response};

pub use access::{
    AccessControl, Cors, Grant, Hosts, LinkConfig, RateLimit, SignInHeaders, Subject, Tokens,
    VisibleProjects,
};
pub use file_source::{FileError, FileSource, NoFiles};
pub use openapi::document::{document, document_yaml};
pub use profile::{Profile, Roots};
pub use response::cache::CacheCounters;
pub use router::route_labels;
pub use state::{ApiState, MetricsText};
pub use streams::Streams;
pub use table::{EXPORTS, Export, schema_page};

/// Serves all requests. Paths must be complete: nothing may be stripped from them.
pub fn endpoint(state: ApiState) -> impl Endpoint<Output = Response> {
    pipeline::Pipeline::new(Arc::new(state))
}

/// Makes the responses of one snapshot for a program that stores them: without limits, access rules and headers. The
/// base of links is the `base_url` of the state.
pub fn reader(
    state: ApiState,
    snapshot: Arc<gitglot_catalog::Snapshot>,
) -> impl Endpoint<Output = Response> {
    reader::Reader::new(state, snapshot)
}

#[cfg(test)]
mod pages_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub use tests::testing;
