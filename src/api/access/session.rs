use askama::Template;
use poem::http::StatusCode;
use poem::http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use poem::http::{HeaderValue, Method};
use poem::{IntoResponse, Request, Response};

use super::Access;
use super::tokens::COOKIE_NAME;
use crate::api::response::api_response::ApiResponse;
use crate::web::{Layout, render};

/// Where one signs in.
pub(in crate::api) const SIGN_IN: &str = "/sign-in/";
/// Where one signs out.
pub(in crate::api) const SIGN_OUT: &str = "/sign-out/";
/// Size of the largest form that is read, in bytes.
const LARGEST_FORM: usize = 8 << 10;
/// How long a browser keeps the cookie, in seconds: 30 days.
const KEPT: u32 = 30 * 86_400;

#[derive(Template)]
#[template(path = "api/access/sign_in.html")]
struct Page<'a> {
    layout: Layout,
    /// Where to go on.
    next: &'a str,
    wrong: bool,
}

/// The page that asks for a token; `next` is the path to go on to.
pub(in crate::api) fn page(base: &str, next: &str, wrong: bool) -> ApiResponse {
    let page = Page { layout: Layout::below(base), next: local(next), wrong };
    ApiResponse::page(StatusCode::UNAUTHORIZED, render(&page).into_bytes())
}

/// Takes the form: a known token becomes a cookie.
pub(in crate::api) async fn sign_in(access: &Access, request: &mut Request, base: &str) -> Response {
    if *request.method() != Method::POST {
        let mut response = page(base, "/api/", false).into_response();
        response.set_status(StatusCode::OK);
        return response;
    }
    let secure = base.starts_with("https://");
    let form = request.take_body().into_bytes_limit(LARGEST_FORM).await.unwrap_or_default();
    let field = |wanted: &str| {
        let pair = form_urlencoded::parse(&form).find(|(name, _)| name == wanted);
        pair.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let (token, next) = (field("token"), field("next"));
    match access.tokens.as_ref().and_then(|tokens| tokens.session(token.trim())) {
        Some(session) => go(base, local(&next), &cookie(&session, KEPT, secure)),
        None => page(base, &next, true).into_response(),
    }
}

/// Takes the cookie back.
pub(in crate::api) fn sign_out(base: &str) -> Response {
    go(base, SIGN_IN, &cookie("", 0, base.starts_with("https://")))
}

fn cookie(value: &str, seconds: u32, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{COOKIE_NAME}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

fn go(base: &str, path: &str, cookie: &str) -> Response {
    let mut response = Response::builder().status(StatusCode::SEE_OTHER).finish();
    let location = [Layout::below(base).root(), path].concat();
    for (name, value) in [(LOCATION, &*location), (SET_COOKIE, cookie), (CACHE_CONTROL, "no-store")] {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// A path of this server; anything else becomes the root of the API, so that nobody is sent elsewhere.
fn local(path: &str) -> &str {
    let fits = path.starts_with('/') && !path.starts_with("//") && !path.contains(['\\', '\r', '\n']);
    if fits { path } else { "/api/" }
}
