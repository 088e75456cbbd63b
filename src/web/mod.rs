//! Pages for people, at the addresses that the API's `web_url` and its like name, and what all pages share: layout and
//! style sheet.
//!
//! A request is a [`Visit`]; [`find`] says what stands at its path (`pages`). Each kind of page is a file with the
//! template beside it; what several show stands in `parts`. A page fills the blocks of `layout.html` and has a field
//! `look`. Nothing in a page is inline, and no page needs the one script there is, which comes from here as the style sheet
//! does: [`POLICY`] allows nothing else. Everything comes from the snapshot: this room knows neither git nor the disk, and
//! nothing of headers.

mod about;
mod badge_words;
mod badges;
mod changes;
mod checks;
mod component;
mod engage;
mod languages;
mod map;
mod pages;
mod parts;
mod past;
mod plates;
mod project;
mod search;
mod sitemap;
mod start;
mod stats;
mod sums;
mod translate;
mod translation;
mod unit;
mod visit;
mod wanted;

use std::sync::LazyLock;

use askama::Template;

use crate::model::ChangeId;
pub use pages::{Found, find, lacks_slash};
pub use translate::row_of;
pub use visit::Visit;

/// What a page may load: style sheet, script and pictures of this server; and whom it may ask: this server.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The style sheet of every page.
const STYLE: &str = include_str!("style.css");
/// Where the style sheet stands, below the root.
const STYLE_PATH: &str = "/static/style.css";
/// The script of every page.
const SCRIPT: &str = include_str!("script.js");
/// Where it stands, below the root.
const SCRIPT_PATH: &str = "/static/script.js";
/// The picture that browsers show beside the title.
const ICON: &str = include_str!("icon.svg");
/// Where it stands, below the root.
const ICON_PATH: &str = "/static/icon.svg";

/// Tells versions of these files apart, so that each may be kept for ever.
static VERSION: LazyLock<String> =
    LazyLock::new(|| blake3::hash([STYLE, SCRIPT, ICON].concat().as_bytes()).to_hex().chars().take(12).collect());

/// What the layout needs to know.
#[derive(Clone, Debug)]
pub struct Look {
    /// What stands before every path of this server in a browser, without a final slash; mostly `""`.
    root: String,
    /// Where the browser is told of new changes; on pages that show changes.
    live: Option<String>,
}

impl Look {
    /// The layout below a base: of `https://example.org/l10n` only the path counts, so that pages also look right
    /// when the server is reached under another name.
    pub fn below(base: &str) -> Self {
        let after_scheme = base.split_once("://").map_or(base, |(_, rest)| rest);
        let root = after_scheme.find('/').and_then(|at| after_scheme.get(at..)).unwrap_or_default();
        Self { root: root.trim_end_matches('/').to_owned(), live: None }
    }

    /// What stands before every path, without a final slash.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The same for a page that shows what happened up to the change `newest`: the browser listens for those after it.
    /// `scope` is empty, or a project, perhaps with a component, perhaps with a language.
    fn listening(mut self, newest: ChangeId, scope: &[&str]) -> Self {
        let newest = newest.to_string();
        let scope = ["project", "component", "language"].into_iter().zip(scope.iter().copied());
        let query = visit::query([("last_event_id", &*newest)].into_iter().chain(scope));
        self.live = Some([&self.root, "/api/events/", &query].concat());
        self
    }

    /// Where the browser is told of new changes; on pages that show changes.
    pub fn live(&self) -> Option<&str> {
        self.live.as_deref()
    }

    /// The address of the style sheet.
    pub fn style(&self) -> String {
        [&self.root, STYLE_PATH, "?v=", &VERSION].concat()
    }

    /// The address of the script.
    pub fn script(&self) -> String {
        [&self.root, SCRIPT_PATH, "?v=", &VERSION].concat()
    }

    /// The address of the picture beside the title.
    pub fn icon(&self) -> String {
        [&self.root, ICON_PATH, "?v=", &VERSION].concat()
    }
}

/// A file that pages load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asset {
    /// Its bytes.
    pub bytes: &'static [u8],
    /// Its content type.
    pub media: &'static str,
    /// How long it may be kept.
    pub cache: &'static str,
}

/// The file at a path, asked for with that query.
pub fn asset(path: &str, query: &str) -> Option<Asset> {
    let of_version = query.strip_prefix("v=") == Some(&VERSION);
    let cache = if of_version { "public, max-age=31536000, immutable" } else { "public, max-age=300" };
    match path {
        STYLE_PATH => Some(Asset { bytes: STYLE.as_bytes(), media: "text/css; charset=utf-8", cache }),
        SCRIPT_PATH => Some(Asset { bytes: SCRIPT.as_bytes(), media: "text/javascript; charset=utf-8", cache }),
        // Browsers ask for the latter beside pictures, which name no icon.
        ICON_PATH | "/favicon.ico" => {
            Some(Asset { bytes: ICON.as_bytes(), media: "image/svg+xml; charset=utf-8", cache })
        }
        _ => None,
    }
}

#[derive(Template)]
#[template(path = "web/nowhere.html")]
struct Nowhere {
    look: Look,
}

/// The page for a path that leads nowhere.
pub fn nowhere(look: Look) -> String {
    html(&Nowhere { look })
}

#[derive(Template)]
#[template(path = "web/reading.html")]
struct Reading {
    look: Look,
}

/// The page of a server that has not read anything yet.
pub fn not_ready(look: Look) -> String {
    html(&Reading { look })
}

/// A filled template. Writing into a string cannot fail, so there is nothing to report.
pub fn html(page: &impl Template) -> String {
    page.render().unwrap_or_default()
}

#[cfg(test)]
mod page_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_find_their_style_sheet_below_the_base() {
        for (base, root) in [
            ("http://localhost:8000", ""),
            ("https://example.org/", ""),
            ("https://example.org/l10n", "/l10n"),
            ("https://example.org/a/b/", "/a/b"),
        ] {
            let look = Look::below(base);
            assert_eq!(look.root(), root, "{base}");
            assert!(nowhere(look.clone()).contains(&look.style()), "{base}");
        }
    }

    #[test]
    fn a_file_asked_for_by_version_is_kept_for_ever() {
        let look = Look::below("http://h");
        for file in [look.style(), look.script(), look.icon()] {
            let (path, query) = file.split_once('?').unwrap();
            assert!(asset(path, query).unwrap().cache.contains("immutable"), "{file}");
        }
        assert!(!asset(STYLE_PATH, "").unwrap().cache.contains("immutable"));
        assert!(asset(ICON_PATH, "").unwrap().media.starts_with("image/svg+xml"));
        assert_eq!(asset("/static/other.css", ""), None);
    }

    #[test]
    fn a_page_has_nothing_inline() {
        let page = nowhere(Look::below("http://h"));
        assert_eq!(page.matches("<script").count(), page.matches("<script src=\"/static/script.js?v=").count());
        assert!(!page.contains("<style") && !page.contains("style=\""));
    }
}
