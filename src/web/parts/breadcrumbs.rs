//! Links to the pages above the current one.

use askama::Template;
use askama::filters::HtmlSafe;

use super::plain;

/// The pages above the current one, outermost first.
#[derive(Template, Clone, Default, Debug)]
#[template(path = "web/parts/breadcrumbs.html")]
pub(crate) struct Breadcrumbs {
    /// Name and URL of each page.
    links: Vec<(String, String)>,
}

impl HtmlSafe for Breadcrumbs {}

impl Breadcrumbs {
    /// Appends a page.
    pub(crate) fn below(mut self, name: &str, href: String) -> Self {
        self.links.push((plain(name), href));
        self
    }
}
