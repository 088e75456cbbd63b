//! The browsable API: the JSON of a response on a page, with links (docs/spec/http.md#content-negotiation).

use askama::Template;
use percent_encoding::{CONTROLS, utf8_percent_encode};

use crate::encode::json;
use crate::openapi::options;
use crate::profile::Roots;
use crate::request::pagination::RequestUrl;
use crate::response::api_response::{ApiResponse, VARY_ACCEPT};
use crate::response::media_type::{JSON, Representation};
use crate::response::methods::METHODS;
use crate::route::ApiRoute;
use crate::router::find;
use crate::table::HAS_PARQUET;
use gitglot_model::address::{encoded_path, is_web, query_string};
use gitglot_model::escape_json;
use gitglot_web::{PageLayout, framed};

const INDENT: usize = 4;

#[derive(Template)]
#[template(path = "html/page.html")]
struct BrowsePage<'a> {
    title: &'static str,
    about: &'static str,
    /// Name and URL of each page.
    breadcrumbs: Vec<(&'static str, String)>,
    /// Path and query of the request.
    target: &'a str,
    status: String,
    good: bool,
    headers: Vec<(&'static str, &'a str)>,
    body: Vec<HighlightedToken>,
    options: Vec<HighlightedToken>,
    next: Option<String>,
    previous: Option<String>,
    forms: Vec<(&'static str, String)>,
}

#[derive(PartialEq, Eq, Debug)]
struct HighlightedToken {
    /// CSS class: `k` for a name, `s` for a string, `n` for a number or literal, `""` for punctuation.
    kind: &'static str,
    text: String,
    /// The link of a string that is a URL.
    href: Option<String>,
}

/// Shows a JSON response as a page. Other responses are unchanged.
pub(super) fn page(
    route: &'static ApiRoute,
    url: &RequestUrl,
    roots: Roots,
    response: ApiResponse,
) -> ApiResponse {
    let Some(body) = response.json_body() else {
        return response;
    };
    let status = response.head.status;
    let mark = if url.query.is_empty() { "" } else { "?" };
    let path = encoded_path(&url.path);
    let representations = route
        .representations(roots.split(&url.path).0)
        .iter()
        .filter(|known| **known != Representation::Html)
        .filter(|known| HAS_PARQUET || **known != Representation::Parquet);
    let ignored = response.ignored_parameters();
    let ignored = ignored.map(|names| ("Gitglot-Ignored-Parameters", names));
    let headers = [
        ("Allow", METHODS),
        ("Content-Type", JSON),
        ("Vary", VARY_ACCEPT),
    ];
    let page = BrowsePage {
        title: route.options[0],
        about: route.options[1],
        breadcrumbs: breadcrumbs(roots, &url.path, &url.base),
        target: &ascii(&[&*path, mark, &*url.query].concat()),
        status: status.to_string(),
        good: status.is_success(),
        headers: headers.into_iter().chain(ignored).collect(),
        next: link_at(body, "next"),
        previous: link_at(body, "previous"),
        body: visible_tokens(body),
        options: visible_tokens(&options::body(route, roots.split(&url.path).0)),
        forms: representations
            .map(|other| (other.label(), link_to(url, *other)))
            .collect(),
    };
    let html = framed(PageLayout::below(&url.base), page.title, &page);
    response.on_page(html)
}

/// The breadcrumbs of a path, root first.
fn breadcrumbs(roots: Roots, path: &str, base: &str) -> Vec<(&'static str, String)> {
    let root = PageLayout::below(base).root;
    let start = [roots.root(roots.split(path).0), "/api/"].concat();
    let Some(below) = path.strip_prefix(&start) else {
        return Vec::new();
    };
    let ends = below.match_indices('/').map(|(at, _)| at + 1);
    let ends = ends.chain((!path.ends_with('/')).then_some(below.len()));
    let paths = [0].into_iter().chain(ends);
    let paths = paths.filter_map(|end| path.get(..start.len() + end));
    paths
        .filter_map(|path| {
            let found = find(roots, path).filter(|found| !found.missing_slash)?;
            let name = found.route().api()?.options[0];
            Some((name, [&root, &*encoded_path(path)].concat()))
        })
        .collect()
}

/// The link to a different representation of the same request.
fn link_to(url: &RequestUrl, representation: Representation) -> String {
    let root = PageLayout::below(&url.base).root;
    // The suffix selects a representation, too: without it only the parameter does.
    let path = match url.path.strip_suffix(".api") {
        Some(stem) => [stem, "/"].concat().replace("//", "/"),
        None => url.path.clone(),
    };
    let whole = representation.is_whole_list();
    let counts =
        |name: &str| name != "format" && !(whole && (name == "page" || name == "page_size"));
    let pairs = url.pairs();
    let others = pairs.iter().filter(|(name, _)| counts(name));
    let others = others.map(|(name, value)| (&**name, &**value));
    let format = [("format", representation.name())];
    let query = query_string(format.into_iter().chain(others));
    [&root, &*encoded_path(&path), &query].concat()
}

/// The URL in a field before `results`.
fn link_at(body: &[u8], field: &str) -> Option<String> {
    let head = body.get(..body.len().min(4096))?;
    let head = String::from_utf8_lossy(head);
    let head = head.split_once("\"results\":").map(|(head, _)| head)?;
    let (_, value) = head.split_once(&format!("\"{field}\":\""))?;
    let (value, _) = value.split_once('"')?;
    serde_json::from_str(&["\"", value, "\""].concat()).ok()
}

/// The tokens of a body, in which characters that change the direction of the text around them are escapes
/// (docs/spec/http.md#content-negotiation).
fn visible_tokens(body: &[u8]) -> Vec<HighlightedToken> {
    let json = json::indented(body, INDENT);
    tokens(&escape_json(&String::from_utf8_lossy(&json)))
}

/// A URL without other characters than those of ASCII.
fn ascii(url: &str) -> String {
    utf8_percent_encode(url, CONTROLS).to_string()
}

/// Splits JSON into tokens. Strings that are web URLs become links.
fn tokens(json: &str) -> Vec<HighlightedToken> {
    let mut tokens: Vec<HighlightedToken> = Vec::new();
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let (kind, end) = match first {
            '"' => text_end(rest),
            '-' | '0'..='9' | 'a'..='z' => {
                let end = rest.find([',', '\n', ']', '}', ' ']);
                ("n", end.unwrap_or(rest.len()))
            }
            _ => {
                let begins_value = |c: char| matches!(c, '"' | '-') || c.is_ascii_alphanumeric();
                ("", rest.find(begins_value).unwrap_or(rest.len()))
            }
        };
        let (text, after) = rest.split_at(end.max(1).min(rest.len()));
        let href = if kind == "s" { address(text) } else { None };
        let text = text.to_owned();
        tokens.push(HighlightedToken { kind, text, href });
        rest = after;
    }
    tokens
}

/// Parses a string at the start of JSON; returns it and its end.
fn text_end(json: &str) -> (&'static str, usize) {
    let mut escaped = false;
    let close = json.bytes().skip(1).position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    let end = close.map_or(json.len(), |at| at + 2);
    let is_name = json.get(end..).is_some_and(|after| after.starts_with(':'));
    (if is_name { "k" } else { "s" }, end)
}

fn address(text: &str) -> Option<String> {
    let is_address = text.get(1..).is_some_and(is_web);
    let address: Option<String> = is_address.then(|| serde_json::from_str(text).ok())?;
    address.map(|address| ascii(&address))
}

#[cfg(test)]
mod tests;
