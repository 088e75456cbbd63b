//! Signing in and out with a browser: a token becomes a cookie (docs/spec/http.md#tokens).

use std::net::{IpAddr, Ipv4Addr};

use askama::Template;
use poem::http::header::{ACCEPT, CACHE_CONTROL, HOST, LOCATION, ORIGIN, SET_COOKIE};
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode};
use poem::{Request, Response};

use super::identity::{COOKIE_NAME, Identity, session_of_token};
use super::tokens::Tokens;
use crate::response::StageOutcome;
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use gitglot_web::{PageLayout, framed};

/// Path of the sign-in page, below the root.
const SIGN_IN: &str = "/sign-in/";
/// Size of the largest form that is read, in bytes.
const MAX_FORM: usize = 8 << 10;
/// How long a browser keeps the cookie, in seconds: 30 days.
const COOKIE_LIFETIME: u32 = 30 * 86_400;
/// Says where a request comes from (<https://www.w3.org/TR/fetch-metadata/>).
const SEC_FETCH_SITE: &str = "sec-fetch-site";

#[derive(Template)]
#[template(path = "access/sign_in.html")]
struct SignInPage<'a> {
    /// URL that receives the form.
    action: String,
    /// Redirect target after sign-in.
    next: &'a str,
    /// Why signing in failed.
    problem: Option<&'static str>,
}

fn page(status: StatusCode, base: &str, next: &str, problem: Option<&'static str>) -> ApiResponse {
    let layout = PageLayout::below(base);
    let page = SignInPage {
        action: layout.url(SIGN_IN),
        next: local(next),
        problem,
    };
    ApiResponse::page(status, framed(layout, "Sign in", &page))
}

/// The response to a request without a valid token, or of somebody who may not read it: the sign-in page for browsers,
/// the error for others.
pub(crate) fn refused(error: &ApiError, request: &Request, base: &str) -> ApiResponse {
    let accept = request.headers().get(ACCEPT);
    let accept = accept.and_then(|value| value.to_str().ok());
    if accept.is_some_and(|accept| accept.contains("text/html")) {
        let next = request.uri().path_and_query();
        let next = next.map_or("/api/", |next| next.as_str());
        let problem = (*error == ApiError::Forbidden).then_some(
            "You may not read this. Ask the operator of this server, or sign in with a token.",
        );
        return page(error.status(), base, next, problem);
    }
    ApiResponse::error(error, 0)
}

/// Serves the form, and takes it when it is sent: a valid token becomes a cookie. `client` is the sender, if known.
pub(crate) async fn sign_in(
    tokens: &Tokens,
    request: &mut Request,
    base: &str,
    client: Option<IpAddr>,
) -> StageOutcome {
    if *request.method() != Method::POST {
        return page(StatusCode::OK, base, "/api/", None).into();
    }
    if is_cross_site(request.headers(), base) {
        let problem = "A page of a different site sent this form. Sign in here.";
        return page(StatusCode::FORBIDDEN, base, "/api/", Some(problem)).into();
    }
    let client = client.unwrap_or(Ipv4Addr::UNSPECIFIED.into());
    if let Err(seconds) = tokens.count_sign_in(client) {
        let problem = "Too many attempts to sign in. Try again in a minute.";
        let page = page(StatusCode::TOO_MANY_REQUESTS, base, "/api/", Some(problem));
        return page.with(|head| head.retry_after = Some(seconds)).into();
    }
    let form = request
        .take_body()
        .into_bytes_limit(MAX_FORM)
        .await
        .unwrap_or_default();
    let field = |wanted: &str| {
        let pair = form_urlencoded::parse(&form).find(|(name, _)| name == wanted);
        pair.map_or(String::new(), |(_, value)| value.into_owned())
    };
    let (token, next) = (field("token"), field("next"));
    let token = token.trim();
    if tokens.projects(&Identity::token(token.as_bytes())).is_err() {
        let problem = "This token is not valid.";
        return page(StatusCode::UNAUTHORIZED, base, &next, Some(problem)).into();
    }
    let cookie = cookie(base, &session_of_token(token), COOKIE_LIFETIME);
    see_other(base, local(&next), &cookie)
}

/// Whether a page of a different origin sent a form. Only the host of an origin counts, because a proxy may end TLS.
/// Programs send neither header.
fn is_cross_site(headers: &HeaderMap, base: &str) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return !matches!(site.as_bytes(), b"same-origin" | b"none");
    }
    let Some(origin) = headers.get(ORIGIN) else {
        return false;
    };
    let text = |value: Option<&HeaderValue>| value?.to_str().ok().map(str::to_ascii_lowercase);
    let Some(origin) = text(Some(origin)) else {
        return true;
    };
    let host = text(headers.get(HOST)).unwrap_or_default();
    authority(&origin).is_none_or(|origin| {
        let is_origin = |host: &str| without_port(host) == without_port(origin);
        !authority(&base.to_ascii_lowercase()).is_some_and(is_origin) && !is_origin(&host)
    })
}

fn authority(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    rest.split('/').next()
}

/// An authority without a default port, which browsers leave out.
fn without_port(authority: &str) -> &str {
    let port = [":80", ":443"]
        .iter()
        .find_map(|port| authority.strip_suffix(port));
    port.unwrap_or(authority)
}

pub(crate) fn sign_out(base: &str) -> StageOutcome {
    see_other(base, SIGN_IN, &cookie(base, "", 0))
}

/// The cookie for the path that browsers see.
fn cookie(base: &str, value: &str, seconds: u32) -> String {
    let is_secure = base.starts_with("https://");
    let secure = if is_secure { "; Secure" } else { "" };
    let path = PageLayout::below(base).root;
    format!(
        "{COOKIE_NAME}={value}; Path={path}/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
    )
}

/// A redirect that sets a cookie.
fn see_other(base: &str, path: &str, cookie: &str) -> StageOutcome {
    let location = [&PageLayout::below(base).root, path].concat();
    let response = Response::builder().status(StatusCode::SEE_OTHER);
    let response = response
        .header(LOCATION, location)
        .header(SET_COOKIE, cookie);
    StageOutcome::Complete(response.header(CACHE_CONTROL, "no-store").finish())
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
    use poem::http::{HeaderMap, HeaderName, HeaderValue};

    use super::{is_cross_site, local};

    #[test]
    fn forms_of_other_origins_are_recognized() {
        let base = "https://l10n.example.org/sub";
        let is_cross_site = |given: &[(&'static str, &'static str)]| {
            let headers = given.iter().map(|&(name, value)| {
                let name = HeaderName::from_static(name);
                (name, HeaderValue::from_static(value))
            });
            is_cross_site(&HeaderMap::from_iter(headers), base)
        };
        let host = ("host", "Backend.example:8080");
        for own in [
            &[host][..],
            &[host, ("sec-fetch-site", "same-origin")],
            &[host, ("sec-fetch-site", "none")],
            &[host, ("origin", "https://L10n.example.org")],
            &[host, ("origin", "http://l10n.example.org")],
            &[host, ("origin", "http://backend.example:8080")],
            &[
                ("host", "backend.example:443"),
                ("origin", "https://backend.example"),
            ],
        ] {
            assert!(!is_cross_site(own), "{own:?}");
        }
        for other in [
            &[host, ("sec-fetch-site", "cross-site")][..],
            &[
                host,
                ("sec-fetch-site", "same-site"),
                ("origin", "https://l10n.example.org"),
            ],
            &[host, ("origin", "https://evil.example")],
            &[host, ("origin", "https://l10n.example.org.evil.example")],
            &[host, ("origin", "http://backend.example:8081")],
            &[host, ("origin", "null")],
            &[("origin", "https://evil.example")],
        ] {
            assert!(is_cross_site(other), "{other:?}");
        }
    }

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
