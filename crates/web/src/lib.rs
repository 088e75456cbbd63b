//! HTML pages, badges and the files that pages load.
//!
//! [`PAGES`] (`router`) lists the path of each page in `pages` and `stats` and of each badge, with its handler. Every
//! page has its template next to it, fills the blocks of `layout.html` and has a field `layout`; building blocks that
//! pages share are in `parts`. `project_history` reads the change log of a project for `stats`. All data is from the
//! snapshot. Must not depend on git, the disk, HTTP headers or `api`. Rules: docs/spec/pages.md.
//!
//! ```
//! let layout = gitglot_web::PageLayout::below("https://example.org/l10n");
//! assert_eq!(layout.url("/changes/"), "/l10n/changes/");
//! ```

mod aggregates;
mod assets;
mod badges;
mod csv_table;
mod faults;
mod layout;
mod page_cache;
mod pages;
mod parts;
#[expect(missing_docs, reason = "the names say which page has the path")]
pub mod paths;
mod project_history;
mod request;
mod router;
mod stats;

pub use aggregates::group_by_language;
pub use assets::{Asset, CONTENT_SECURITY_POLICY, asset};
pub use faults::{failing, has_fault};
pub use layout::{Hosting, PageLayout, framed, loading, not_found, render};
pub use page_cache::PageCache;
pub use pages::compare::{ComparePage, DIFFERENCES, FILE_ROWS, compare, comparison_file};
pub use pages::credits::{Credits, credits, credits_data, credits_json};
pub use pages::documents::document_states;
pub use pages::health::{KeysInCode, health};
pub use pages::revision::{RevisionState, no_revision, revision};
pub use pages::string_pages::StringPages;
pub use pages::strings::row_of;
pub use parts::activity::summary;
pub use request::{PageRequest, PageResponse};
pub use router::{PAGES, PageHandler, PageRoute};
