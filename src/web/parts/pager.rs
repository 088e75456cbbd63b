//! Lists in pages: which entries are shown, and the links to the others.

use std::ops::Range;

use askama::Template;
use askama::filters::HtmlSafe;

use crate::web::visit::Visit;

/// The page of a list that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::web) struct Stretch {
    /// From 1 on.
    number: usize,
    pages: usize,
    /// Entries of the whole list.
    count: usize,
    /// 0-based places of the entries that are shown.
    pub(in crate::web) entries: Range<usize>,
}

impl Stretch {
    /// The page that `page` asks for of a list of `count` entries, `size` on a page. Beyond the end it is the last
    /// one, and what is no number is the first.
    pub(in crate::web) fn new(visit: &Visit<'_>, count: usize, size: usize) -> Self {
        let pages = count.div_ceil(size).max(1);
        let number = match visit.value("page") {
            Some("last") => pages,
            Some(number) => number.parse::<usize>().unwrap_or(1).clamp(1, pages),
            None => 1,
        };
        let from = (number - 1) * size;
        Self { number, pages, count, entries: from..count.min(from + size) }
    }
}

/// The links to the other pages of a list.
#[derive(Template, Clone, Debug)]
#[template(path = "web/parts/pager.html")]
pub(in crate::web) struct Pager {
    first: Option<String>,
    previous: Option<String>,
    next: Option<String>,
    last: Option<String>,
    from: usize,
    to: usize,
    count: usize,
}

impl HtmlSafe for Pager {}

impl Pager {
    /// The links around a page.
    pub(in crate::web) fn new(visit: &Visit<'_>, stretch: &Stretch) -> Self {
        let to = |number: usize| match number {
            1 => visit.with("page", ""),
            _ => visit.with("page", itoa::Buffer::new().format(number)),
        };
        let Stretch { number, pages, count, ref entries } = *stretch;
        Self {
            first: (number > 2).then(|| to(1)),
            previous: (number > 1).then(|| to(number - 1)),
            next: (number < pages).then(|| to(number + 1)),
            last: (number + 1 < pages).then(|| to(pages)),
            from: entries.start + 1,
            to: entries.end,
            count,
        }
    }
}
