//! Every URL that stands in a body (api.md 3).

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode, utf8_percent_encode};
use poem::Request;

use crate::api::access::Hosts;
use crate::api::encode::json;
use crate::api::response::error::ApiError;
use crate::model::address::without;

pub(in crate::api) use crate::model::address::{encoded, encoded_value};

/// What stays as it is in the path of a page link or a redirection.
const IN_PAGE_LINK: &AsciiSet = &without(NON_ALPHANUMERIC, b"/:@&+$,-_.!~*'()");
/// What stays as it is in a query that is handed on as it came.
const AS_IT_CAME: &AsciiSet = &without(NON_ALPHANUMERIC, b"/#%[]=:;$&()+,!?*@'~-._");

/// A request's path as it stands in page links and redirections.
pub(in crate::api) fn encoded_path(path: &str) -> Cow<'_, str> {
    utf8_percent_encode(path, IN_PAGE_LINK).into()
}

/// A query that is handed on as it came.
pub(in crate::api) fn query_as_it_came(query: &str) -> Cow<'_, str> {
    percent_encode(query.as_bytes(), AS_IT_CAME).into()
}

/// Where links point.
#[derive(Clone, Debug, Default)]
pub struct LinkConfig {
    /// Scheme, host and perhaps a path before every API link, without a final slash; the request's own when not set.
    pub base_url: Option<String>,
    /// The same for the links to pages for people; the base when not set.
    pub site_url: Option<String>,
    /// Which hosts requests may name; all unless said.
    pub hosts: Hosts,
}

impl LinkConfig {
    /// What stands before `/api/` in the links of an answer to this request.
    ///
    /// # Errors
    /// As [`Hosts::of`], also where the links do not show the request's host.
    pub(in crate::api) fn base(&self, request: &Request) -> Result<String, ApiError> {
        let (scheme, host) = self.hosts.of(request)?;
        Ok(match &self.base_url {
            Some(base) => base.trim_end_matches('/').to_owned(),
            None => [&scheme, "://", &*host].concat(),
        })
    }
}

/// The three pieces that the links of one answer are put together from. All are fit for a JSON text.
#[derive(Clone, Debug)]
pub(in crate::api) struct Links {
    /// Up to and with `/api/`.
    api: String,
    /// What ends every API link: a slash or the request's suffix, and the request's `format`.
    tail: String,
    /// Up to and with the slash before the path of a page for people.
    site: String,
}

impl Links {
    /// `suffix` is that of the request where it is handed on, `format` the query parameter of that name.
    pub(in crate::api) fn new(base: &str, site: Option<&str>, suffix: Option<&str>, format: Option<&str>) -> Self {
        let mut tail = match suffix {
            Some(suffix) => [".", suffix].concat(),
            None => "/".to_owned(),
        };
        if let Some(format) = format {
            tail.push_str("?format=");
            tail.push_str(&encoded_value(format));
        }
        let site = site.map_or(base, |site| site.trim_end_matches('/'));
        Self { api: fit(base, "/api/"), tail, site: fit(site, "/") }
    }
}

/// A base as it stands inside a JSON text, with what follows.
fn fit(base: &str, rest: &str) -> String {
    let mut out = Vec::with_capacity(base.len() + rest.len());
    json::escaped(&mut out, base);
    out.extend_from_slice(rest.as_bytes());
    String::from_utf8(out).unwrap_or_default()
}

/// Writes the link to an API resource, with quotes. `path` follows `/api/` and has no final slash; its parts are
/// encoded already.
pub(in crate::api) fn link(out: &mut Vec<u8>, links: &Links, path: &[&str]) {
    out.push(b'"');
    out.extend_from_slice(links.api.as_bytes());
    path.iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
    out.extend_from_slice(links.tail.as_bytes());
    out.push(b'"');
}

/// Writes the link to a numbered API resource, with quotes.
pub(in crate::api) fn numbered(out: &mut Vec<u8>, links: &Links, kind: &str, id: u32) {
    link(out, links, &[kind, itoa::Buffer::new().format(id)]);
}

/// Writes the link to a page for people, with quotes. `path` has no slash in front; its parts are encoded already.
pub(in crate::api) fn page(out: &mut Vec<u8>, links: &Links, path: &[&str]) {
    out.push(b'"');
    out.extend_from_slice(links.site.as_bytes());
    path.iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
    out.push(b'"');
}

/// The address of a page for people; `path` as for [`page`], in one piece.
pub(in crate::api) fn site(links: &Links, path: &str) -> String {
    let mut out = Vec::new();
    page(&mut out, links, &[path]);
    serde_json::from_slice(&out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_encoded_as_weblate_encodes_them() {
        assert_eq!(encoded("ěš"), "%C4%9B%C5%A1");
        assert_eq!(encoded("be@tarask"), "be@tarask");
        assert_eq!(encoded("a=b;c\"d e"), "a=b;c%22d%20e");
        assert_eq!(encoded_path("/api/a=b;c/"), "/api/a%3Db%3Bc/");
        assert_eq!(encoded_value("/:@,!$'()*; é~"), "%2F%3A%40%2C%21%24%27%28%29%2A%3B+%C3%A9~");
    }

    #[test]
    fn links_end_as_the_request_did() {
        let written = |suffix, format| {
            let mut out = Vec::new();
            link(&mut out, &Links::new("http://h", None, suffix, format), &["units/", "1"]);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(None, None), "\"http://h/api/units/1/\"");
        assert_eq!(written(None, Some("json")), "\"http://h/api/units/1/?format=json\"");
        assert_eq!(written(Some("json"), None), "\"http://h/api/units/1.json\"");
        assert_eq!(written(Some("json"), Some("api")), "\"http://h/api/units/1.json?format=api\"");
    }
}
