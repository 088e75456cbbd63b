//! Tests of attempts to sign in: forms of other sites, and guesses.

use poem::http::uri::Scheme;
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Endpoint, Request, RequestParts};

use super::*;
use crate::LinkConfig;
use crate::testing::{Got, HOST, guarded, snapshot};

fn with_token() -> impl Endpoint<Output = Response> {
    let access = AccessControl {
        tokens: Some(Tokens::parse("first")),
        ..AccessControl::default()
    };
    guarded(Some(snapshot()), LinkConfig::default(), access)
}

/// Sends the form from an address, with further headers.
async fn sign_in(
    api: &impl Endpoint<Output = Response>,
    from: &str,
    token: &str,
    headers: &[(&str, &str)],
) -> Got {
    let mut head = poem::http::Request::builder()
        .method(Method::POST)
        .uri("/sign-in/")
        .header("host", HOST);
    for (name, value) in headers {
        head = head.header(*name, *value);
    }
    let (head, ()) = head.body(()).unwrap().into_parts();
    let remote = RemoteAddr(Addr::SocketAddr(from.parse().unwrap()));
    let parts = RequestParts::from((head, LocalAddr::default(), remote, Scheme::HTTP));
    let form = format!("token={token}&next=/");
    Got::of(
        api.get_response(Request::from_parts(parts, form.into()))
            .await,
    )
    .await
}

#[tokio::test]
async fn forms_of_other_sites_do_not_sign_in() {
    let api = with_token();
    let own = format!("http://{HOST}");
    let client = "192.0.2.1:1";
    for headers in [
        &[("origin", &*own)][..],
        &[("sec-fetch-site", "same-origin")],
    ] {
        let got = sign_in(&api, client, "first", headers).await;
        assert_eq!(
            (got.status, got.header("location")),
            (303, "/"),
            "{headers:?}"
        );
    }
    for headers in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
    ] {
        let got = sign_in(&api, client, "first", headers).await;
        assert_eq!(
            (got.status, got.header("set-cookie")),
            (403, ""),
            "{headers:?}"
        );
        assert!(
            got.body.contains("A page of a different site"),
            "{}",
            got.body
        );
    }
}

#[tokio::test]
async fn guesses_of_a_client_are_limited() {
    let api = with_token();
    for guess in 0..10 {
        let got = sign_in(&api, "192.0.2.1:1", &format!("guess{guess}"), &[]).await;
        assert_eq!(got.status, 401, "{guess}");
    }
    let got = sign_in(&api, "192.0.2.1:2", "first", &[]).await;
    assert_eq!((got.status, got.header("set-cookie")), (429, ""));
    let wait: u64 = got.header("retry-after").parse().unwrap();
    assert!((1..=6).contains(&wait), "{wait}");
    assert!(got.body.contains("Too many attempts"), "{}", got.body);
    let other = sign_in(&api, "192.0.2.2:1", "first", &[]).await;
    assert_eq!(other.status, 303, "a different client");
}
