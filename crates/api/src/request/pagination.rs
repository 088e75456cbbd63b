//! Pagination: the requested page and the links between pages (docs/spec/http.md#pagination).

use std::borrow::Cow;
use std::ops::Range;

use crate::apis::PageSizes;
use crate::encode::json::{int, object, optional, text};
use crate::request::python_int;
use crate::response::error::ApiError;
use gitglot_model::address::{encoded_path, query_string};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pagination {
    wanted: RequestedPage,
    size: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RequestedPage {
    /// A number from 1; `None` for an unreadable one.
    Number(Option<usize>),
    Last,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListPage {
    /// The number, from 1.
    number: usize,
    /// Whether a page follows.
    more: bool,
    /// The 0-based positions of its entries.
    pub(crate) entries: Range<usize>,
}

impl Pagination {
    /// Reads `page` and `page_size`; the last value of each counts.
    pub fn new(query: &[(Cow<'_, str>, Cow<'_, str>)], sizes: PageSizes) -> Self {
        let mut pagination = Self {
            wanted: RequestedPage::Number(Some(1)),
            size: sizes.default,
        };
        for (name, value) in query {
            match (&**name, &**value) {
                ("page", "") if sizes.has_empty_page => {}
                ("page", "last") => pagination.wanted = RequestedPage::Last,
                ("page", number) => {
                    pagination.wanted = RequestedPage::Number(python_int::number(number));
                }
                ("page_size", number) => {
                    let size = python_int::number(number).filter(|&size| size > 0);
                    pagination.size = size.unwrap_or(sizes.default).min(sizes.most);
                }
                _ => {}
            }
        }
        pagination
    }

    /// The page of a list, or the nearest one that exists.
    pub(crate) fn nearest(self, count: usize) -> ListPage {
        let pages = count.div_ceil(self.size).max(1);
        let number = match self.wanted {
            RequestedPage::Last => pages,
            RequestedPage::Number(number) => number.unwrap_or(1).clamp(1, pages),
        };
        let from = (number - 1) * self.size;
        ListPage {
            number,
            more: number < pages,
            entries: from..count.min(from + self.size),
        }
    }

    /// The page of a list of `count` entries.
    ///
    /// # Errors
    /// [`ApiError::InvalidPage`]. Page 1 of an empty list exists.
    pub(crate) fn page(self, count: usize) -> Result<ListPage, ApiError> {
        let page = self.nearest(count);
        match self.wanted {
            RequestedPage::Number(number) if number != Some(page.number) => {
                Err(ApiError::InvalidPage)
            }
            _ => Ok(page),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RequestUrl {
    /// The base URL of links: scheme, host and optional path.
    pub(crate) base: String,
    /// The decoded path.
    pub(crate) path: String,
    /// The query as it was sent, without `?`; `""` without one.
    pub(crate) query: String,
}

pub(crate) fn last<'a>(pairs: &'a [(Cow<'_, str>, Cow<'_, str>)], name: &str) -> Option<&'a str> {
    let found = pairs.iter().rev().find(|(own, _)| own == name);
    found.map(|(_, value)| &**value)
}

impl RequestUrl {
    /// The names and values of the query in order.
    pub(crate) fn pairs(&self) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
        form_urlencoded::parse(self.query.as_bytes()).collect()
    }

    /// The last value of a parameter, unless it is empty.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        let pairs = self.pairs();
        let value = last(&pairs, name).filter(|value| !value.is_empty());
        value.map(str::to_owned)
    }

    /// The same URL with a different `page`, or without one. The query is sorted by name.
    fn with_page(&self, number: Option<usize>) -> String {
        let mut pairs = self.pairs();
        pairs.retain(|(name, _)| name != "page");
        if let Some(number) = number {
            pairs.push(("page".into(), number.to_string().into()));
        }
        pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
        let query = query_string(pairs.iter().map(|(name, value)| (&**name, &**value)));
        [&self.base, &*encoded_path(&self.path), &query].concat()
    }
}

/// Writes the envelope of a page; `rest` writes the fields after the count and the links to the neighbours, with the brace.
pub(crate) fn envelope(
    out: &mut Vec<u8>,
    url: &RequestUrl,
    count: usize,
    page: &ListPage,
    rest: impl FnOnce(&mut Vec<u8>),
) {
    let next = page.more.then(|| url.with_page(Some(page.number + 1)));
    let previous = match page.number {
        1 => None,
        2 => Some(url.with_page(None)),
        number => Some(url.with_page(Some(number - 1))),
    };
    object!(out;
        "count" => int(count),
        "next" => optional(next.as_deref(), text),
        "previous" => optional(previous.as_deref(), text),
    );
    out.pop();
    out.push(b',');
    rest(out);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(query: &str, count: usize) -> Result<ListPage, ApiError> {
        let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
        Pagination::new(&pairs, PageSizes::LEGACY).page(count)
    }

    #[test]
    fn pages_are_found_in_every_spelling() {
        for (query, entries) in [
            ("", 0..20),
            ("page=1", 0..20),
            ("page=+2", 20..40),
            ("page=%202", 20..40),
            ("page=02", 20..40),
            ("page=%D9%A2", 20..40),
            ("page=last", 40..45),
            ("page=2&page=1", 0..20),
            ("page_size=30&page=2", 30..45),
            ("page_size=0", 0..20),
            ("page_size=abc", 0..20),
            ("page_size=999999", 0..45),
        ] {
            assert_eq!(
                page(query, 45).map(|page| page.entries),
                Ok(entries),
                "{query}"
            );
        }
        for query in [
            "page=0",
            "page=-1",
            "page=4",
            "page=abc",
            "page=2.0",
            "page=",
            "page=99999999999999999999",
        ] {
            assert_eq!(page(query, 45), Err(ApiError::InvalidPage), "{query}");
        }
        assert_eq!(page("", 0).map(|page| page.entries), Ok(0..0));
    }

    #[test]
    fn page_links_repeat_the_request_sorted() {
        let cases = [
            ("page=2", "?page=3", ""),
            ("page=2&format=json", "?format=json&page=3", "?format=json"),
            (
                "foo=bar&page=2&foo=baz",
                "?foo=bar&foo=baz&page=3",
                "?foo=bar&foo=baz",
            ),
            ("page=2&q=%C3%A9%20x", "?page=3&q=%C3%A9+x", "?q=%C3%A9+x"),
            (
                "q=a+b&empty=&page=2",
                "?empty=&page=3&q=a+b",
                "?empty=&q=a+b",
            ),
            ("page=2&a", "?a=&page=3", "?a="),
        ];
        for (query, next, previous) in cases {
            let url = RequestUrl {
                base: "http://h".into(),
                path: "/api/units/".into(),
                query: query.into(),
            };
            let mut out = Vec::new();
            let page = page(query, 100).unwrap();
            envelope(&mut out, &url, 100, &page, |out| {
                out.extend_from_slice(b"\"results\":[]}")
            });
            let body: serde_json::Value = serde_json::from_slice(&out).unwrap();
            assert_eq!(
                body["next"],
                format!("http://h/api/units/{next}"),
                "{query}"
            );
            assert_eq!(
                body["previous"],
                format!("http://h/api/units/{previous}"),
                "{query}"
            );
        }
    }
}
