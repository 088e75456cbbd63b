//! The browsable form of an answer: its JSON on a page, every address in it a link (api.md 5).

use std::borrow::Cow;

use askama::Template;
use poem::Response;
use poem::http::header::{ALLOW, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};

use crate::api::encode::json;
use crate::api::openapi::options;
use crate::api::request::negotiate::Representation;
use crate::api::request::pagination::RequestUrl;
use crate::api::response::api_response::ApiResponse;
use crate::api::response::links::{encoded_path, encoded_value};
use crate::api::router::{ROUTES, Route, RouteMatch, find};
use crate::web::{Layout, render};

/// Blanks for each level of the body.
const INDENT: usize = 4;

#[derive(Template)]
#[template(path = "api/html/page.html")]
struct Page<'a> {
    layout: Layout,
    title: &'static str,
    about: &'static str,
    crumbs: Vec<Crumb>,
    /// The request's path and query.
    asked: &'a str,
    status: String,
    good: bool,
    headers: Vec<(&'static str, String)>,
    body: Vec<Token>,
    options: Vec<Token>,
    next: Option<String>,
    previous: Option<String>,
    forms: Vec<(&'static str, String)>,
}

/// A page above the one shown, or that one itself.
struct Crumb {
    name: &'static str,
    href: String,
}

/// A piece of JSON.
#[derive(PartialEq, Eq, Debug)]
struct Token {
    /// `k` for a name, `s` for a text, `n` for a number or word, `""` for what stands between them.
    kind: &'static str,
    text: String,
    /// Where it leads, for a text that is an address.
    href: Option<String>,
}

/// The page of an answer whose body is JSON. A file and an answer with another body are left as they are.
pub(super) async fn page(route: &'static Route, asked: &RequestUrl, mut response: Response) -> Response {
    if response.content_type() != Some(crate::api::response::api_response::JSON)
        || response.headers().contains_key(CONTENT_DISPOSITION)
    {
        return response;
    }
    let Ok(body) = response.take_body().into_vec().await else { return response };
    let shown =
        |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let mut headers = vec![("Allow", shown(&ALLOW)), ("Content-Type", shown(&CONTENT_TYPE)), ("Vary", shown(&VARY))];
    headers.retain(|(_, value)| !value.is_empty());
    let status = response.status();
    let mark = if asked.query.is_empty() { "" } else { "?" };
    let path = encoded_path(&asked.path);
    let page = Page {
        layout: Layout::below(&asked.base),
        title: route.name,
        about: route.about,
        crumbs: crumbs(&asked.path, &asked.base),
        asked: &[&*path, mark, &*asked.query].concat(),
        status: status.to_string(),
        good: status.is_success(),
        headers,
        next: link_at(&body, "next"),
        previous: link_at(&body, "previous"),
        body: tokens(&json::indented(&body, INDENT)),
        options: tokens(&json::indented(&options::body(route), INDENT)),
        forms: route
            .forms()
            .iter()
            .filter(|form| **form != Representation::Html)
            .map(|form| (form.label(), in_form(asked, *form)))
            .collect(),
    };
    let answer = ApiResponse::browsable(status, render(&page).into_bytes());
    poem::IntoResponse::into_response(answer)
}

/// The routes that lead to a path, the root first.
fn crumbs(path: &str, base: &str) -> Vec<Crumb> {
    let root = Layout::below(base).root().to_owned();
    let crumb =
        |route: &'static Route, path: &str| Crumb { name: route.name, href: [&root, &*encoded_path(path)].concat() };
    let Some(rest) = path.strip_prefix("/api/") else { return Vec::new() };
    let mut found = vec![crumb(&ROUTES[0], "/api/")];
    for end in rest.match_indices('/').map(|(at, _)| at + 1).chain((!rest.ends_with('/')).then_some(rest.len())) {
        if let Some(part) = rest.get(..end)
            && let RouteMatch::Route { route, .. } = find(part)
            && !route.path.is_empty()
        {
            found.push(crumb(route, &["/api/", part].concat()));
        }
    }
    found
}

/// The same request in another form.
fn in_form(asked: &RequestUrl, form: Representation) -> String {
    let root = Layout::below(&asked.base).root().to_owned();
    // A suffix says the form, too: without it only the parameter does.
    let path =
        asked.path.strip_suffix(".api").map_or(asked.path.clone(), |stem| [stem, "/"].concat().replace("//", "/"));
    let mut href = [&root, &*encoded_path(&path), "?format=", form.name()].concat();
    let whole = matches!(form, Representation::NdJson | Representation::Csv);
    let counts = |name: &str| name != "format" && !(whole && (name == "page" || name == "page_size"));
    for (name, value) in asked.pairs().iter().filter(|(name, _)| counts(name)) {
        href.extend(["&", &encoded_value(name), "=", &encoded_value(value)]);
    }
    href
}

/// The address that a field before `results` holds.
fn link_at(body: &[u8], field: &str) -> Option<String> {
    let head = body.get(..body.len().min(4096))?;
    let head = String::from_utf8_lossy(head);
    let head = head.split_once("\"results\":").map(|(head, _)| head)?;
    let (_, value) = head.split_once(&format!("\"{field}\":\""))?;
    let (value, _) = value.split_once('"')?;
    serde_json::from_str(&["\"", value, "\""].concat()).ok()
}

/// Takes JSON apart for showing. Texts that are web addresses become links.
fn tokens(json: &[u8]) -> Vec<Token> {
    let json = String::from_utf8_lossy(json);
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest: &str = &json;
    while let Some(first) = rest.chars().next() {
        let (kind, end) = match first {
            '"' => text_end(rest),
            '-' | '0'..='9' | 'a'..='z' => ("n", rest.find([',', '\n', ']', '}', ' ']).unwrap_or(rest.len())),
            _ => ("", rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_alphanumeric()).unwrap_or(rest.len())),
        };
        let (text, after) = rest.split_at(end.max(1).min(rest.len()));
        let href = if kind == "s" { address(text) } else { None };
        tokens.push(Token { kind, text: text.to_owned(), href });
        rest = after;
    }
    tokens
}

/// What a text at the start of some JSON is, and where it ends.
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
    let inner: Cow<'_, str> = text.trim_start_matches('"').into();
    if !inner.starts_with("http://") && !inner.starts_with("https://") {
        return None;
    }
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests;
