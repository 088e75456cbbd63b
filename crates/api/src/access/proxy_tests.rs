//! Tests of hosts, proxies and the rate limit.

use std::sync::Arc;

use ipnet::IpNet;
use poem::http::uri::Scheme;
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Endpoint, RequestParts};

use super::*;
use crate::LinkConfig;
use crate::testing::{HOST, guarded, snapshot, two_tenants};

#[tokio::test]
async fn rate_limited_clients_get_a_retry_after() {
    let rate = Some(Arc::new(RateLimit::new(
        2.try_into().unwrap(),
        std::time::Duration::from_secs(3_600),
    )));
    let trusted = vec![IpNet::new("10.0.0.1".parse().unwrap(), 32).unwrap()];
    let links = LinkConfig {
        hosts: Hosts::new([HOST.to_owned()], trusted),
        ..LinkConfig::default()
    };
    let api = guarded(
        Some(snapshot()),
        links,
        AccessControl {
            rate,
            ..AccessControl::default()
        },
    );
    let ask = |from: &'static str, sender: &'static str| {
        let parts = [("host", HOST), ("x-forwarded-for", sender)];
        api.get_response(coming("/api/units/", from, &parts))
    };
    for _ in 0..2 {
        assert_eq!(ask("192.0.2.1:1", "").await.status(), 200);
    }
    let mut refused = ask("192.0.2.1:2", "192.0.2.77").await;
    assert_eq!(
        refused.status(),
        429,
        "another port is no other client, nor is one that it names itself"
    );
    let wait: u64 = refused.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1_700..=1_800).contains(&wait), "{wait}");
    assert!(!refused.headers().contains_key("etag"));
    let detail =
        format!("{{\"detail\":\"Request was throttled. Expected available in {wait} seconds.\"}}");
    assert_eq!(refused.take_body().into_string().await.unwrap(), detail);

    for sender in ["192.0.2.8", "192.0.2.9:4000", "192.0.2.8", "192.0.2.9"] {
        assert_eq!(
            ask("10.0.0.1:1", sender).await.status(),
            200,
            "of each client behind a proxy, two are answered"
        );
    }
    assert_eq!(
        ask("10.0.0.1:1", "192.0.2.1, 192.0.2.8").await.status(),
        429
    );
    let mut request = coming("/api/units/", "10.0.0.1:1", &[("host", HOST)]);
    let senders = HeaderValue::from_bytes(b"\xff, 192.0.2.8").unwrap();
    request.headers_mut().insert("x-forwarded-for", senders);
    assert_eq!(
        api.get_response(request).await.status(),
        429,
        "what a client sends does not hide what the proxy adds"
    );
}

/// A request from an address, with further headers.
fn coming(path: &str, from: &str, headers: &[(&str, &str)]) -> poem::Request {
    let mut head = poem::http::Request::builder().uri(path);
    for (name, value) in headers {
        head = head.header(*name, *value);
    }
    let (head, ()) = head.body(()).unwrap().into_parts();
    let remote = RemoteAddr(Addr::SocketAddr(from.parse().unwrap()));
    let parts = RequestParts::from((head, LocalAddr::default(), remote, Scheme::HTTP));
    poem::Request::from_parts(parts, poem::Body::empty())
}

/// The address in the root's first link, of a request from an address with further headers; else the status.
async fn seen(hosts: Hosts, from: &str, headers: &[(&str, &str)]) -> Result<String, u16> {
    let api = guarded(
        Some(snapshot()),
        LinkConfig {
            hosts,
            ..LinkConfig::default()
        },
        AccessControl::default(),
    );
    let mut response = api.get_response(coming("/api/", from, headers)).await;
    let body = response.take_body().into_string().await.unwrap();
    if !response.status().is_success() {
        assert!(!body.contains("evil"), "{body}");
        return Err(response.status().as_u16());
    }
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    Ok(body["projects"]
        .as_str()
        .unwrap()
        .strip_suffix("/api/projects/")
        .unwrap()
        .to_owned())
}

#[tokio::test]
async fn only_trusted_proxies_set_the_host_of_a_request() {
    let hosts = || {
        let networks = [("10.0.0.0", 8), ("::1", 128)];
        let trusted =
            networks.map(|(address, bits)| IpNet::new(address.parse().unwrap(), bits).unwrap());
        Hosts::new([".example.org".to_owned()], trusted.into())
    };
    let own = ("host", "inner.example.org");
    let legacy = [
        own,
        ("x-forwarded-host", "l10n.example.org"),
        ("x-forwarded-proto", "https"),
    ];
    assert_eq!(
        seen(hosts(), "10.0.0.1:1", &legacy).await.as_deref(),
        Ok("https://l10n.example.org")
    );
    assert_eq!(
        seen(hosts(), "192.0.2.1:1", &legacy).await.as_deref(),
        Ok("http://inner.example.org")
    );
    let standard = [
        own,
        (
            "forwarded",
            "for=192.0.2.9;host=\"l10n.example.org:8443\";proto=https",
        ),
    ];
    assert_eq!(
        seen(hosts(), "[::1]:1", &standard).await.as_deref(),
        Ok("https://l10n.example.org:8443")
    );

    // Entries of the client precede those of proxies, and do not count.
    let forged = [
        own,
        (
            "forwarded",
            "for=1.2.3.4;host=evil.example, for=192.0.2.9;host=l10n.example.org",
        ),
    ];
    assert_eq!(
        seen(hosts(), "10.0.0.1:1", &forged).await.as_deref(),
        Ok("http://l10n.example.org")
    );
    let two = [
        own,
        (
            "forwarded",
            "for=192.0.2.9;host=l10n.example.org;proto=https, for=10.0.0.2;host=inner.example.org",
        ),
    ];
    assert_eq!(
        seen(hosts(), "10.0.0.1:1", &two).await.as_deref(),
        Ok("https://l10n.example.org")
    );

    let prefixed = [own, ("x-forwarded-prefix", "/l10n/")];
    assert_eq!(
        seen(hosts(), "10.0.0.1:1", &prefixed).await.as_deref(),
        Ok("http://inner.example.org/l10n")
    );
    assert_eq!(
        seen(hosts(), "192.0.2.1:1", &prefixed).await.as_deref(),
        Ok("http://inner.example.org")
    );
    for prefix in ["l10n", "//evil.example", "/a\"b", "/a?b", "/a b"] {
        let got = seen(
            hosts(),
            "10.0.0.1:1",
            &[own, ("x-forwarded-prefix", prefix)],
        )
        .await;
        assert_eq!(got.as_deref(), Ok("http://inner.example.org"), "{prefix}");
    }

    assert_eq!(
        seen(
            hosts(),
            "10.0.0.1:1",
            &[own, ("x-forwarded-host", "evil.example")]
        )
        .await,
        Err(400)
    );
    assert_eq!(
        seen(hosts(), "10.0.0.1:1", &[("host", "evil.example")]).await,
        Err(400)
    );
    assert_eq!(
        seen(hosts(), "10.0.0.1:1", &[("host", "evil\"><x")]).await,
        Err(400)
    );
    assert_eq!(
        seen(hosts(), "10.0.0.1:1", &[("host", "127.0.0.1:80")])
            .await
            .as_deref(),
        Ok("http://127.0.0.1:80")
    );
}

#[tokio::test]
async fn people_whom_a_trusted_proxy_signed_in_see_their_projects() {
    let trusted = vec![IpNet::new("10.0.0.1".parse().unwrap(), 32).unwrap()];
    let links = LinkConfig {
        hosts: Hosts::new([HOST.to_owned()], trusted),
        ..LinkConfig::default()
    };
    let grant = |name: &str, subject, projects: &[&str]| Grant {
        name: name.to_owned(),
        subject,
        projects: VisibleProjects::new(projects.iter().copied()),
        expires: None,
    };
    let access = AccessControl {
        tokens: Some(Tokens::new([
            grant("ada", Subject::User("ada".into()), &["hello"]),
            grant("staff", Subject::Group("staff".into()), &["secret"]),
            grant("bot", Subject::token("bot"), &["secret"]),
        ])),
        sign_in: Some(SignInHeaders {
            user: "x-forwarded-user".parse().unwrap(),
            groups: Some("x-forwarded-groups".parse().unwrap()),
        }),
        ..AccessControl::default()
    };
    let api = guarded(Some(two_tenants()), links, access);
    let statuses = async |from: &str, headers: &[(&str, &str)]| {
        let headers = [&[("host", HOST)], headers].concat();
        let mut statuses = Vec::new();
        for path in ["/api/projects/hello/", "/api/projects/secret/"] {
            let response = api.get_response(coming(path, from, &headers)).await;
            statuses.push(response.status().as_u16());
        }
        statuses
    };
    let (proxy, other) = ("10.0.0.1:1", "192.0.2.1:1");
    let ada = ("x-forwarded-user", "ada");
    let staff = ("x-forwarded-groups", "guests, staff");
    assert_eq!(statuses(proxy, &[ada]).await, [200, 404]);
    assert_eq!(statuses(proxy, &[ada, staff]).await, [200, 200]);
    let eve = ("x-forwarded-user", "eve");
    assert_eq!(statuses(proxy, &[eve, staff]).await, [404, 200]);
    assert_eq!(statuses(proxy, &[eve]).await, [403, 403]);
    let browser = ("accept", "text/html");
    assert_eq!(statuses(proxy, &[eve, browser]).await, [403, 403]);
    let everybody = ("x-forwarded-user", "*");
    for forged in [
        statuses(other, &[ada, staff]).await,
        statuses(proxy, &[staff]).await,
        statuses(proxy, &[everybody]).await,
        statuses(proxy, &[ada, ("x-forwarded-user", "eve")]).await,
    ] {
        assert_eq!(forged, [401, 401]);
    }
    let bot = ("authorization", "Token bot");
    assert_eq!(statuses(proxy, &[ada, bot]).await, [404, 200]);
}
