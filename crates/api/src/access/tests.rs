//! Tests of tokens, sign-in and CORS.

use std::io;
use std::pin::pin;
use std::sync::Arc;

use futures_util::{FutureExt, stream};
use poem::{Body, Endpoint, Request};

use super::*;
use crate::LinkConfig;
use crate::testing::{Got, HOST, ask, get, guarded, over, snapshot};
use gitglot_catalog::Published;

const ORIGIN: (&str, &str) = ("origin", "https://page.example.org");

fn open_to(origins: &[&str]) -> impl Endpoint + use<> {
    let cors = Cors::new(origins.iter().map(|origin| (*origin).to_owned()));
    guarded(
        Some(snapshot()),
        LinkConfig::default(),
        AccessControl {
            cors,
            ..AccessControl::default()
        },
    )
}

fn with_tokens() -> impl Endpoint {
    let tokens = Some(Tokens::parse("# for the dashboard\nfirst\n\n second \n"));
    guarded(
        Some(snapshot().recorded_in(Some("0123456789abcdef".into()), 7)),
        LinkConfig::default(),
        AccessControl {
            tokens,
            cors: Cors::new(["*".to_owned()]),
            ..AccessControl::default()
        },
    )
}

#[tokio::test]
async fn pages_of_other_origins_need_cors() {
    let closed = open_to(&[]);
    assert_eq!(
        ask(&closed, "GET", "/api/", &[ORIGIN])
            .await
            .header("access-control-allow-origin"),
        ""
    );
    let one = open_to(&["https://Page.example.org/"]);
    let got = ask(&one, "GET", "/api/", &[ORIGIN]).await;
    assert_eq!(
        got.header("access-control-allow-origin"),
        "https://page.example.org"
    );
    assert!(
        got.header("vary").ends_with(", Origin"),
        "{}",
        got.header("vary")
    );
    let got = ask(&one, "GET", "/api/", &[("origin", "https://evil.example")]).await;
    assert_eq!(
        (got.status, got.header("access-control-allow-origin")),
        (200, "")
    );
    assert!(
        got.header("vary").ends_with(", Origin"),
        "{}",
        got.header("vary")
    );
    let all = open_to(&["*"]);
    let got = ask(
        &all,
        "GET",
        "/api/units/0/",
        &[("origin", "https://other.example")],
    )
    .await;
    assert_eq!(
        (got.status, got.header("access-control-allow-origin")),
        (404, "*")
    );
    assert!(
        !got.header("vary").contains("Origin"),
        "{}",
        got.header("vary")
    );
}

#[tokio::test]
async fn a_preflight_response_lists_the_allowed_requests() {
    let question = [ORIGIN, ("access-control-request-method", "GET")];
    let got = ask(
        &open_to(&["https://page.example.org"]),
        "OPTIONS",
        "/api/units/",
        &question,
    )
    .await;
    assert_eq!(
        (got.status, got.header("access-control-allow-methods")),
        (200, "GET, HEAD, OPTIONS")
    );
    let allowed = got.header("access-control-allow-headers");
    assert!(allowed.contains("Authorization") && allowed.contains("Gitglot-Min-Batch"));
    assert_eq!(
        ask(&open_to(&[]), "OPTIONS", "/api/units/", &question)
            .await
            .header("access-control-allow-methods"),
        ""
    );
    assert_eq!(
        ask(&with_tokens(), "OPTIONS", "/api/units/", &question)
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_missing_token_is_a_401_like_that_of_weblate() {
    let api = with_tokens();
    for (shown, detail) in [
        (None, "Authentication credentials were not provided."),
        (
            Some("Basic eA=="),
            "Authentication credentials were not provided.",
        ),
        (
            Some("Token"),
            "Invalid token header. No credentials provided.",
        ),
        (
            Some("Bearer a b"),
            "Invalid token header. Token string should not contain spaces.",
        ),
        (Some("Token nope"), "Invalid token."),
        (
            Some("token # for the dashboard"),
            "Invalid token header. Token string should not contain spaces.",
        ),
    ] {
        let headers: Vec<_> = shown
            .map(|shown| ("authorization", shown))
            .into_iter()
            .collect();
        for path in [
            "/api/",
            "/api/units/",
            "/api/nope/",
            "/api/openapi.json",
            "/exports/rss/",
            "/",
        ] {
            let got = ask(&api, "GET", path, &headers).await;
            assert_eq!(
                (got.status, got.json()["detail"].as_str().unwrap()),
                (401, detail),
                "{path}"
            );
            assert_eq!(got.header("www-authenticate"), "Token", "{path}");
        }
    }
    for shown in ["Token first", "Bearer second", "token first"] {
        let got = ask(&api, "GET", "/api/units/", &[("authorization", shown)]).await;
        assert_eq!(got.status, 200, "{shown}");
        assert!(
            got.header("cache-control").starts_with("private"),
            "{}",
            got.header("cache-control")
        );
        assert!(
            got.header("vary").contains("Authorization"),
            "{}",
            got.header("vary")
        );
    }
}

#[tokio::test]
async fn a_response_without_a_token_tells_nothing_about_the_ledger() {
    let api = with_tokens();
    let ledger_headers =
        |got: &Got| ["gitglot-ledger", "gitglot-batch"].map(|name| got.header(name).to_owned());
    let token = [("authorization", "Token first")];
    let got = ask(&api, "GET", "/api/units/", &token).await;
    assert_eq!(ledger_headers(&got), ["0123456789abcdef", "7"]);
    for (method, path, status) in [
        ("GET", "/api/units/", 401),
        ("GET", "/api/nope/", 401),
        ("GET", "/", 401),
        ("GET", "/favicon.ico", 200),
    ] {
        for headers in [&[][..], &[("authorization", "Token wrong")]] {
            let got = ask(&api, method, path, headers).await;
            assert_eq!(got.status, status, "{path}");
            assert_eq!(ledger_headers(&got), ["", ""], "{path}");
        }
    }
}

#[tokio::test]
async fn a_browser_signs_in_with_a_form_and_out_again() {
    let api = with_tokens();
    let browser = ("accept", "text/html,*/*;q=0.8");
    let got = ask(&api, "GET", "/api/units/?page=2", &[browser]).await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (401, "text/html; charset=utf-8")
    );
    assert!(
        got.body
            .contains("name=\"next\" type=\"hidden\" value=\"/api/units/?page=2\""),
        "{}",
        got.body
    );
    assert!(
        got.header("content-security-policy")
            .contains("form-action 'self'")
    );
    let style = got
        .body
        .split("rel=\"stylesheet\" href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(get(&api, &style).await.status, 200);

    let sent = sign_in(&api, "token=first&next=/api/units/").await;
    assert_eq!((sent.status, sent.header("location")), (303, "/api/units/"));
    let cookie = sent.header("set-cookie").to_owned();
    assert!(
        cookie.contains("; HttpOnly; SameSite=Lax") && !cookie.contains("first"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(
        ask(&api, "GET", "/api/units/", &[browser, ("cookie", cookie)])
            .await
            .status,
        200
    );
    assert_eq!(
        ask(
            &api,
            "GET",
            "/api/units/",
            &[browser, ("cookie", "gitglot-token=first")]
        )
        .await
        .status,
        401
    );

    assert_eq!(sign_in(&api, "token=nope&next=/api/").await.status, 401);
    for next in [
        "//evil.example/",
        "https://evil.example/",
        "/\\evil.example",
    ] {
        assert_eq!(
            sign_in(&api, &format!("token=second&next={next}"))
                .await
                .header("location"),
            "/api/",
            "{next}"
        );
    }
    let out = ask(&api, "POST", "/sign-out/", &[]).await;
    assert!(
        out.header("set-cookie")
            .starts_with("gitglot-token=; Path=/; Max-Age=0"),
        "{}",
        out.header("set-cookie")
    );
}

async fn sign_in(api: &impl Endpoint, form: &str) -> Got {
    let request = poem::Request::builder()
        .method(Method::POST)
        .uri_str("/sign-in/")
        .header("host", HOST)
        .body(form.to_owned());
    Got::of(api.get_response(request).await).await
}

#[tokio::test]
async fn a_waiting_client_keeps_no_snapshot_in_memory() {
    let published = Arc::new(Published::new());
    published.publish(snapshot());
    let access = AccessControl {
        tokens: Some(Tokens::parse("first")),
        ..AccessControl::default()
    };
    let api = over(published.clone(), LinkConfig::default(), access);
    let request = |path: &'static str| Request::builder().uri_str(path).header("host", HOST);
    let form = request("/sign-in/")
        .method(Method::POST)
        .body(Body::from_bytes_stream(stream::pending::<
            io::Result<Vec<u8>>,
        >()));
    let batch = request("/api/")
        .header("authorization", "Token first")
        .header("gitglot-min-batch", "1")
        .finish();
    for request in [form, batch] {
        let snapshot_before = Arc::downgrade(&published.load().unwrap());
        let mut response = pin!(api.get_response(request));
        assert!(response.as_mut().now_or_never().is_none());
        published.publish(snapshot());
        assert_eq!(snapshot_before.strong_count(), 0);
    }
}

#[tokio::test]
async fn badges_can_be_public_while_the_rest_needs_a_token() {
    let access = |public_badges| AccessControl {
        public_badges,
        tokens: Some(Tokens::parse("first")),
        ..AccessControl::default()
    };
    for (public, status) in [(true, 200), (false, 401)] {
        let api = guarded(Some(snapshot()), LinkConfig::default(), access(public));
        for badge in [
            "/widgets/hello/-/svg-badge.svg",
            "/widgets/hello/cs/app/shields.json",
        ] {
            assert_eq!(get(&api, badge).await.status, status, "{badge}");
        }
        for path in [
            "/widgets/hello/",
            "/widgets/hello.svg",
            "/api/",
            "/projects/hello/",
        ] {
            assert_eq!(get(&api, path).await.status, 401, "{path}");
        }
    }
}

#[tokio::test]
async fn every_path_outside_of_hooks_refuses_methods_that_it_does_not_take() {
    let api = with_tokens();
    let token = ("authorization", "Token first");
    let routes = crate::route_table::ROUTES.iter();
    for route in routes.filter(|route| route.profile == crate::Profile::Legacy) {
        let parts = route.pattern.split('/').map(|part| match part {
            part if part.starts_with([':', '*']) => "1",
            part => part,
        });
        let path = parts.collect::<Vec<_>>().join("/");
        if path.starts_with("/hooks/")
            || path.starts_with("/healthz")
            || matches!(&*path, "/readyz" | "/metrics")
        {
            continue;
        }
        for method in ["PUT", "PATCH", "DELETE", "PROPFIND", "POST"] {
            let got = ask(&api, method, &path, &[token]).await;
            let Some(methods) = route.methods() else {
                // Objects with the name 1 do not exist.
                assert!(
                    [404, 405].contains(&got.status),
                    "{method} {path}: {}",
                    got.status
                );
                continue;
            };
            if methods.contains(method) {
                assert_ne!(got.status, 405, "{method} {path}");
            } else {
                let answer = (got.status, got.header("allow"));
                assert_eq!(answer, (405, methods), "{method} {path}");
            }
        }
    }
}
