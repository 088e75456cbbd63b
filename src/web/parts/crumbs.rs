//! The way to a page.

use askama::Template;
use askama::filters::HtmlSafe;

use super::plain;

/// The pages above the one shown, the widest first.
#[derive(Template, Clone, Default, Debug)]
#[template(path = "web/parts/crumbs.html")]
pub(in crate::web) struct Crumbs {
    /// Name and address of each.
    all: Vec<(String, String)>,
}

impl HtmlSafe for Crumbs {}

impl Crumbs {
    /// The same below one more page.
    pub(in crate::web) fn below(mut self, name: &str, href: String) -> Self {
        self.all.push((plain(name), href));
        self
    }
}
