//! Links to the pages above the current one, and to the other pages of a list (docs/spec/pages.md#paging).

use std::ops::Range;

use askama::Template;
use askama::filters::HtmlSafe;

use super::plain;
use crate::request::PageRequest;

/// The pages above the current one, outermost first.
#[derive(Template, Clone, Default, Debug)]
#[template(path = "parts/breadcrumbs.html")]
pub(crate) struct Breadcrumbs {
    /// Name and URL of each page.
    links: Vec<(String, String)>,
}

impl HtmlSafe for Breadcrumbs {}

impl Breadcrumbs {
    /// Appends a page.
    pub fn below(mut self, name: &str, href: String) -> Self {
        self.links.push((plain(name), href));
        self
    }
}

/// A page of a list, with links to the others; empty for a list of one page.
#[derive(Template)]
#[template(path = "parts/pager.html")]
pub(crate) struct Pager {
    first: Option<String>,
    previous: Option<String>,
    next: Option<String>,
    last: Option<String>,
    /// 0-based indexes of the entries on this page.
    pub(crate) entries: Range<usize>,
    /// Length of the whole list.
    pub(super) count: usize,
}

impl HtmlSafe for Pager {}

impl Pager {
    /// Reads the parameter `page` for a list of `count` entries with `size` entries per page. Numbers beyond the end
    /// mean the last page; anything else that is not a number means the first.
    pub(crate) fn new(request: &PageRequest<'_>, count: usize, size: usize) -> Self {
        let pages = count.div_ceil(size).max(1);
        let number = match request.value("page") {
            Some("last") => pages,
            Some(number) => number.parse::<usize>().unwrap_or(1).clamp(1, pages),
            None => 1,
        };
        let link = |number: usize| match number {
            1 => request.with("page", ""),
            _ => request.with("page", itoa::Buffer::new().format(number)),
        };
        let start = (number - 1) * size;
        Self {
            first: (number > 2).then(|| link(1)),
            previous: (number > 1).then(|| link(number - 1)),
            next: (number < pages).then(|| link(number + 1)),
            last: (number + 1 < pages).then(|| link(pages)),
            entries: start..count.min(start.saturating_add(size)),
            count,
        }
    }
}
