//! Signing in and out with a browser: a token becomes a cookie (docs/spec/http.md#tokens).

use askama::Template;
use poem::http::header::{ACCEPT, CACHE_CONTROL, LOCATION, SET_COOKIE};
use poem::http::{Method, StatusCode};
use poem::{Request, Response};

use super::tokens::{COOKIE_NAME, Tokens};
use crate::api::response::StageOutcome;
use crate::api::response::api_response::ApiResponse;
use crate::api::response::error::ApiError;
use crate::web::{PageLayout, render};

/// Path of the sign-in page, below the root.
const SIGN_IN: &str = "/sign-in/";
/// Size of the largest form that is read, in bytes.
const MAX_FORM: usize = 8 << 10;
/// How long a browser keeps the cookie, in seconds: 30 days.
const COOKIE_LIFETIME: u32 = 30 * 86_400;

#[derive(Template)]
#[template(path = "api/access/sign_in.html")]
struct SignInPage<'a> {
    layout: PageLayout,
    /// Redirect target after sign-in.
    next: &'a str,
    wrong: bool,
}

fn page(status: StatusCode, base: &str, next: &str, wrong: bool) -> ApiResponse {
    let page = SignInPage {
        layout: PageLayout::below(base),
        next: local(next),
        wrong,
    };
    ApiResponse::page(status, render(&page))
}

/// The response to a request without a valid token: the sign-in page for browsers, the error for others.
pub(crate) fn refused(error: &ApiError, request: &Request, base: &str) -> ApiResponse {
    let accept = request.headers().get(ACCEPT);
    let accept = accept.and_then(|value| value.to_str().ok());
    if accept.is_some_and(|accept| accept.contains("text/html")) {
        let next = request.uri().path_and_query();
        let next = next.map_or("/api/", |next| next.as_str());
        return page(StatusCode::UNAUTHORIZED, base, next, false);
    }
    ApiResponse::error(error, 0)
}

/// Serves the form, and takes it when it is sent: a valid token becomes a cookie.
pub(crate) async fn sign_in(tokens: &Tokens, request: &mut Request, base: &str) -> StageOutcome {
    if *request.method() != Method::POST {
        return page(StatusCode::OK, base, "/api/", false).into();
    }
    let form = request
        .take_body()
        .into_bytes_limit(MAX_FORM)
        .await
        .unwrap_or_default();
    let field = |wanted: &str| {
        let pair = form_urlencoded::parse(&form).find(|(name, _)| name == wanted);
        pair.map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    let (token, next) = (field("token"), field("next"));
    match tokens.session(token.trim()) {
        Some(session) => see_other(base, local(&next), &cookie(base, &session, COOKIE_LIFETIME)),
        None => page(StatusCode::UNAUTHORIZED, base, &next, true).into(),
    }
}

/// Removes the cookie.
pub(crate) fn sign_out(base: &str) -> StageOutcome {
    see_other(base, SIGN_IN, &cookie(base, "", 0))
}

/// The cookie for the path that browsers see.
fn cookie(base: &str, value: &str, seconds: u32) -> String {
    let secure = if base.starts_with("https://") {
        "; Secure"
    } else {
        ""
    };
    let layout = PageLayout::below(base);
    let path = layout.root;
    format!(
        "{COOKIE_NAME}={value}; Path={path}/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
    )
}

/// A redirect that sets a cookie.
fn see_other(base: &str, path: &str, cookie: &str) -> StageOutcome {
    let location = [&PageLayout::below(base).root, path].concat();
    let response = Response::builder()
        .status(StatusCode::SEE_OTHER)
        .header(LOCATION, location);
    StageOutcome::Complete(
        response
            .header(SET_COOKIE, cookie)
            .header(CACHE_CONTROL, "no-store")
            .finish(),
    )
}

/// A path of this server; anything else becomes the root of the API, which prevents open redirects.
fn local(path: &str) -> &str {
    // Browsers remove tabs and line ends, so that `/\t/host` would lead to a different host.
    let is_local = path.starts_with('/') && !path.starts_with("//");
    let fits = is_local && !path.contains(|c: char| c == '\\' || c.is_control());
    if fits { path } else { "/api/" }
}

#[cfg(test)]
mod tests {
    use super::local;

    #[test]
    fn sign_in_leads_to_paths_of_this_server_only() {
        for path in ["/", "/api/units/?q=a%09b", "/projects/é/"] {
            assert_eq!(local(path), path);
        }
        let others = [
            "",
            "api",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
        ];
        let controls = [
            "/\t/evil.example",
            "/\r\n/evil.example",
            "/\u{0}/x",
            "/\u{7f}/x",
            "/\u{85}/x",
        ];
        for path in others.into_iter().chain(controls) {
            assert_eq!(local(path), "/api/", "{path:?}");
        }
    }
}
