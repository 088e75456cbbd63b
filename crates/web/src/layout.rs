//! The layout that all pages share, and the two pages that consist of nothing else.

use askama::Template;

use crate::assets;
use crate::paths;

/// Where a page is published.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Hosting {
    /// By a server, which answers searches, filters and any revision.
    #[default]
    Server,
    /// As a file, which needs no server.
    Files {
        /// Whether the address of the files is known, for URLs to be copied.
        has_address: bool,
        /// Whether strings have pages of their own.
        has_strings: bool,
    },
    /// As a file without any others.
    Alone,
}

/// The values that `layout.html` needs.
#[derive(Clone, Debug)]
pub struct PageLayout {
    /// The path prefix of this server in a browser, without a final slash; usually `""`.
    pub root: String,
    /// The URL of the event stream, on pages that show recent changes.
    pub(crate) events: Option<String>,
    /// Where the page is published.
    pub(crate) hosting: Hosting,
}

impl PageLayout {
    /// Builds the layout for a base URL. Only its path counts, so that pages also work when a browser reaches the
    /// server under a different host name.
    pub fn below(base: &str) -> Self {
        let after_scheme = base.split_once("://").map_or(base, |(_, rest)| rest);
        let path = after_scheme.find('/');
        let root = path.map_or("", |at| &after_scheme[at..]);
        Self {
            root: root.trim_end_matches('/').to_owned(),
            events: None,
            hosting: Hosting::Server,
        }
    }

    /// The same for a page that is published elsewhere.
    #[must_use]
    pub fn hosted(self, hosting: Hosting) -> Self {
        Self { hosting, ..self }
    }

    /// Whether a server can answer requests of the page.
    pub(crate) fn has_server(&self) -> bool {
        self.hosting == Hosting::Server
    }

    /// Whether the page can show its own full URL.
    pub(crate) fn has_address(&self) -> bool {
        match self.hosting {
            Hosting::Files { has_address, .. } => has_address,
            Hosting::Server | Hosting::Alone => true,
        }
    }

    /// Whether strings have pages that others can link to.
    pub(crate) fn has_string_pages(&self) -> bool {
        match self.hosting {
            Hosting::Files { has_strings, .. } => has_strings,
            Hosting::Server | Hosting::Alone => true,
        }
    }

    /// The style sheet of a page that cannot load it; such a page has no links to others.
    pub(crate) fn own_style(&self) -> Option<&'static str> {
        (self.hosting == Hosting::Alone).then_some(assets::STYLE)
    }

    /// The URL of a page without scheme and host; see [`paths::link`].
    pub fn link<V: AsRef<str>>(&self, pattern: &'static str, values: &[V]) -> String {
        let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
        self.url(&paths::link(pattern, &values))
    }

    /// The URL of a percent-encoded path of this server, without scheme and host.
    pub fn url(&self, path: &str) -> String {
        [&self.root, path].concat()
    }

    /// Name and URL of the pages that every page links to.
    pub fn navigation(&self) -> [(&'static str, String); 5] {
        let pages = [
            ("Projects", paths::START),
            ("Languages", paths::LANGUAGES),
            ("Changes", paths::CHANGES),
            ("Checks", paths::CHECKS),
            ("Search", paths::SEARCH),
        ];
        pages.map(|(name, path)| (name, self.url(path)))
    }

    /// The URL of the current version of a static file.
    pub fn asset(&self, path: &str) -> String {
        assets::versioned(&self.root, path)
    }
}

#[derive(Template)]
#[template(path = "pages/not_found.html")]
struct NotFoundPage {
    layout: PageLayout,
}

/// Renders the 404 page.
pub fn not_found(layout: PageLayout) -> String {
    render(&NotFoundPage { layout })
}

#[derive(Template)]
#[template(path = "pages/loading.html")]
struct LoadingPage {
    layout: PageLayout,
}

/// Renders the page that is shown until the first full read completes.
pub fn loading(layout: PageLayout) -> String {
    render(&LoadingPage { layout })
}

#[derive(Template)]
#[template(path = "pages/frame.html")]
struct FramedPage<'a> {
    layout: PageLayout,
    title: &'a str,
    main: &'a str,
}

/// Renders a page whose main part is a template of a different crate.
pub fn framed(layout: PageLayout, title: &str, main: &impl Template) -> String {
    let main = &*render(main);
    render(&FramedPage {
        layout,
        title,
        main,
    })
}

/// Initial capacity of a page with a list, in bytes. Texts that grow are copied.
pub(crate) const PAGE_CAPACITY: usize = 16 << 10;

pub(crate) fn render_list(page: &impl Template) -> String {
    let mut html = String::with_capacity(PAGE_CAPACITY);
    // Writing into a string cannot fail.
    let _ = page.render_into(&mut html);
    html
}

/// Renders a template. Writing into a string cannot fail.
pub fn render(page: &impl Template) -> String {
    page.render().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_load_their_style_sheet_below_the_base_path() {
        for (base, root) in [
            ("http://localhost:8000", ""),
            ("https://example.org/", ""),
            ("https://example.org/l10n", "/l10n"),
            ("https://example.org/a/b/", "/a/b"),
        ] {
            let layout = PageLayout::below(base);
            assert_eq!(layout.root, root, "{base}");
            assert!(
                not_found(layout.clone()).contains(&layout.asset("/static/style.css")),
                "{base}"
            );
        }
    }

    #[test]
    fn the_layout_has_no_inline_script_or_style() {
        let page = not_found(PageLayout::below("http://h"));
        assert_eq!(
            page.matches("<script").count(),
            page.matches("<script src=\"/static/script.js?v=").count()
        );
        assert!(!page.contains("<style") && !page.contains("style=\""));
    }
}
