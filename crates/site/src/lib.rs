//! Writes everything that can be read without a server as files: pages, badges, feeds and the API.
//!
//! [`Site::write`] starts at `/` and `/api/` and asks the endpoint of the server, in process, for everything that the
//! responses link to (`crawl`). `rules` decides which addresses become files and which need a server, `address` names
//! the files, `rewrite` makes their links relative, `strings` writes the pages of strings, which are most of a site, and
//! `folder` replaces only the files that differ, which `listing` lists. `search`, `status` and `limits` add what a site has instead of a server. Must not depend on git, sockets, `api` or the configuration: it
//! takes any endpoint. Rules: docs/spec/site.md.
//!
//! ```
//! let site = gitglot_site::Site::new(gitglot_site::SiteOptions::default());
//! assert!(site.base().starts_with("http://"));
//! ```

mod address;
mod crawl;
mod error;
mod folder;
mod limits;
mod listing;
mod options;
mod rewrite;
mod rules;
mod search;
mod site;
mod status;
mod strings;

pub use error::SiteError;
pub use options::{Changes, SiteOptions, Strings};
pub use site::{Site, SiteSummary};
