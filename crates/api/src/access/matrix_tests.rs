//! The access matrix: every route of the table, with values that a reader may see and values that it may not, by every
//! kind of reader. A restricted reader gets exactly the responses of a server that has only its projects.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use poem::{Endpoint, Response};

use super::*;
use crate::LinkConfig;
use crate::route::{PreDispatchTarget, Route, RouteTarget};
use crate::route_table::ROUTES;
use crate::testing::{Got, ask, guarded, over, two_tenants};
use gitglot_catalog::{Published, Snapshot};

/// Texts that only the hidden project has.
const MARKERS: [&str; 5] = ["secret", "vault", "attic", "Hidden", "ja"];
/// Values of path parameters that exist for the restricted reader, that do not, and that are mixed.
const VALUES: [&[(&str, &str)]; 4] = [
    &[
        ("project", "hello"),
        ("component", "app"),
        ("language", "cs"),
        ("id", "1"),
        ("user", "ada-example"),
        ("file", "hello.svg"),
    ],
    &[
        ("project", "secret"),
        ("component", "vault"),
        ("language", "ja"),
        ("id", "301"),
        ("user", "mallory"),
        ("file", "secret.svg"),
    ],
    &[
        ("project", "hello"),
        ("component", "vault"),
        ("language", "ja"),
        ("id", "103"),
        ("file", "hello-ja.svg"),
    ],
    &[
        ("project", "secret"),
        ("component", "app"),
        ("language", "cs"),
        ("id", "3"),
        ("file", "secret-ja.svg"),
    ],
];
const QUERIES: [&str; 4] = ["", "?format=csv", "?q=Hidden&format=json", "?page=last"];

fn grant(token: &str, projects: &[&str], expires: Option<i64>) -> Grant {
    Grant {
        name: token.to_owned(),
        subject: Subject::token(token),
        projects: VisibleProjects::new(projects.iter().copied()),
        expires,
    }
}

fn tokens() -> Tokens {
    Tokens::new([
        grant("own", &["hello", "empty"], None),
        grant("other", &["secr*"], None),
        grant("all", &["*"], None),
        grant("nothing", &["unknown"], None),
        grant("expired", &["*"], Some(1)),
    ])
}

fn access() -> AccessControl {
    AccessControl {
        tokens: Some(tokens()),
        cors: Cors::new(["*".to_owned()]),
        ..AccessControl::default()
    }
}

/// A snapshot that only ever contained these projects.
fn only(projects: &[&str]) -> Snapshot {
    let all = two_tenants();
    let is_own = |slug: &str| projects.contains(&slug);
    let components = all.components().iter();
    let components: Vec<_> = components
        .filter(|of| is_own(of.project.slug.as_str()))
        .cloned()
        .collect();
    let users: BTreeSet<_> = components.iter().flat_map(|of| of.users.clone()).collect();
    let own_projects = all.projects().filter(|of| is_own(of.slug.as_str()));
    let own_users = all.users().iter().filter(|user| users.contains(&user.id));
    let (own_projects, own_users) = (
        own_projects.cloned().collect(),
        own_users.cloned().collect(),
    );
    Snapshot::after(None, own_projects, components, own_users)
        .numbered_to(gitglot_model::ChangeId(1_000))
}

/// The path of a route with values for its parameters.
fn path(route: &Route, values: &[(&str, &str)]) -> String {
    let value = |name: &str| match values.iter().find(|(own, _)| *own == name) {
        Some((_, value)) => *value,
        None => match name {
            "badge" => "svg-badge.svg",
            "range" => "HEAD...HEAD",
            "revision" => "HEAD",
            "check" => "same",
            "view" => "stale",
            _ => "1",
        },
    };
    let segments = route
        .pattern
        .split('/')
        .map(|segment| match segment.strip_prefix(':') {
            Some(name) => value(name),
            None if segment == "*" => "style.css",
            None => segment,
        });
    let path = segments.collect::<Vec<_>>().join("/");
    match (route.profile, path.strip_prefix("/api")) {
        (crate::Profile::Current, Some(rest)) => ["/current/api", rest].concat(),
        _ => path,
    }
}

/// Whether a route serves nothing of repositories, or has other rules, which other tests cover.
fn is_exempt(route: &Route) -> bool {
    use PreDispatchTarget::{Asset, Document, Health, Hooks, Metrics, SignIn, SignOut};
    match route.service {
        RouteTarget::PreDispatch(target) => match target {
            Asset | Document | Health | Hooks | Metrics | SignIn | SignOut => true,
        },
        // It never ends.
        _ => route.pattern == "/api/events/",
    }
}

async fn ask_as(
    api: &impl Endpoint<Output = Response>,
    method: &str,
    path: &str,
    token: &str,
) -> Got {
    let token = format!("Token {token}");
    ask(api, method, path, &[("authorization", &token)]).await
}

fn essence(got: &Got) -> (u16, &str, &str) {
    (got.status, got.header("content-type"), &got.body)
}

#[tokio::test]
async fn a_reader_sees_what_a_server_with_its_projects_only_would_show() {
    let api = guarded(Some(two_tenants()), LinkConfig::default(), access());
    let open = |snapshot| {
        guarded(
            Some(snapshot),
            LinkConfig::default(),
            AccessControl::default(),
        )
    };
    let servers = [
        ("own", open(only(&["hello", "empty"]))),
        ("other", open(only(&["secret"]))),
        ("all", open(two_tenants())),
        ("nothing", open(only(&[]))),
    ];
    let mut requests = 0;
    for route in ROUTES.iter().filter(|route| !is_exempt(route)) {
        let paths: BTreeSet<_> = VALUES.iter().map(|values| path(route, values)).collect();
        let queries = QUERIES.iter().copied();
        for path in queries.flat_map(|query| paths.iter().map(move |path| [path, query].concat())) {
            for (token, server) in &servers {
                let got = ask_as(&api, "GET", &path, token).await;
                let expected = ask(server, "GET", &path, &[]).await;
                assert_eq!(essence(&got), essence(&expected), "{token} {path}");
                requests += 1;
            }
        }
    }
    assert!(requests > 5_000, "{requests}");
}

#[tokio::test]
async fn no_response_names_anything_of_a_hidden_project() {
    let api = guarded(Some(two_tenants()), LinkConfig::default(), access());
    for route in ROUTES.iter().filter(|route| !is_exempt(route)) {
        let path = path(route, VALUES[0]);
        for method in ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] {
            // The other reader's response is cached first.
            ask_as(&api, method, &path, "all").await;
            let got = ask_as(&api, method, &path, "own").await;
            let headers = format!("{:?}", got.headers);
            for marker in MARKERS {
                let word = |text: &str| {
                    let mut words = text.split(|c: char| !c.is_alphanumeric());
                    words.any(|word| word == marker)
                };
                assert!(
                    !word(&got.body) && !word(&headers),
                    "{method} {path}: {marker}"
                );
            }
        }
    }
}

#[tokio::test]
async fn no_method_reveals_whether_a_hidden_object_exists() {
    let api = guarded(Some(two_tenants()), LinkConfig::default(), access());
    let own = guarded(
        Some(only(&["hello", "empty"])),
        LinkConfig::default(),
        AccessControl::default(),
    );
    for route in ROUTES.iter().filter(|route| !is_exempt(route)) {
        let path = path(route, VALUES[1]);
        for method in ["HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] {
            let got = ask_as(&api, method, &path, "own").await;
            let expected = ask(&own, method, &path, &[]).await;
            assert_eq!(essence(&got), essence(&expected), "{method} {path}");
        }
        // A preflight request has no token.
        let preflight = [
            ("origin", "https://page.example.org"),
            ("access-control-request-method", "GET"),
        ];
        let got = ask(&api, "OPTIONS", &path, &preflight).await;
        let unknown = path.replace("secret", "unknown").replace("301", "9999");
        let expected = ask(&api, "OPTIONS", &unknown, &preflight).await;
        assert_eq!(got.status, expected.status, "OPTIONS {path}");
    }
}

#[tokio::test]
async fn every_route_refuses_readers_without_a_valid_token() {
    let api = guarded(Some(two_tenants()), LinkConfig::default(), access());
    for route in ROUTES.iter().filter(|route| !is_exempt(route)) {
        for path in VALUES.iter().map(|values| path(route, values)) {
            for (headers, detail) in [
                (&[][..], "Authentication credentials were not provided."),
                (&[("authorization", "Token wrong")], "Invalid token."),
                (
                    &[("authorization", "Token expired")],
                    "The token has expired.",
                ),
                (
                    &[("x-forwarded-user", "ada")],
                    "Authentication credentials were not provided.",
                ),
            ] {
                let got = ask(&api, "GET", &path, headers).await;
                assert_eq!(got.status, 401, "{path}");
                assert!(got.body.contains(detail), "{path}: {}", got.body);
            }
        }
    }
}

#[tokio::test]
async fn metrics_need_access_to_all_projects() {
    let published = Arc::new(Published::new());
    published.publish(two_tenants());
    let metrics = crate::MetricsText {
        media: "text/plain",
        text: Box::new(|| "gitglot_component_units{project=\"secret\"} 1\n".to_owned()),
    };
    let api = crate::endpoint(crate::ApiState {
        access: access(),
        metrics: Some(Arc::new(metrics)),
        ..crate::ApiState::new(published)
    });
    for (token, status) in [("all", 200), ("own", 403), ("other", 403), ("wrong", 401)] {
        let got = ask_as(&api, "GET", "/metrics", token).await;
        assert_eq!(got.status, status, "{token}");
        assert_eq!(got.body.contains("secret"), status == 200, "{token}");
    }
}

#[tokio::test]
async fn a_replaced_grant_changes_what_its_reader_sees_at_once() {
    let tokens = tokens();
    let access = AccessControl {
        tokens: Some(tokens.clone()),
        ..AccessControl::default()
    };
    let api = guarded(Some(two_tenants()), LinkConfig::default(), access);
    let project = async |token| {
        ask_as(&api, "GET", "/api/projects/secret/", token)
            .await
            .status
    };
    assert_eq!(project("own").await, 404);
    assert_eq!(project("all").await, 200);
    tokens.replace(Tokens::new([
        grant("own", &["secret"], None),
        grant("all", &["hello"], None),
    ]));
    assert_eq!(project("own").await, 200);
    assert_eq!(project("all").await, 404);
    assert_eq!(project("other").await, 401);
    let used: Vec<bool> = tokens.uses().iter().map(|(_, _, used)| *used > 0).collect();
    assert_eq!(used, [true, true], "the last use outlives a reload");
}

#[tokio::test]
async fn event_streams_show_visible_changes_and_end_with_the_grant() {
    use futures_util::StreamExt;
    let published = Arc::new(Published::new());
    published.publish(two_tenants());
    let tokens = tokens();
    let access = AccessControl {
        tokens: Some(tokens.clone()),
        ..AccessControl::default()
    };
    let api = over(published.clone(), LinkConfig::default(), access);
    let request = poem::Request::builder()
        .uri_str("/api/events/?last_event_id=1")
        .header("host", crate::testing::HOST)
        .header("authorization", "Token own");
    let response = api.get_response(request.finish()).await;
    assert_eq!(response.status(), 200);
    let mut stream = response.into_body().into_bytes_stream();
    let mut text = String::new();
    while !text.contains("id: 9") {
        let chunk = tokio::time::timeout(Duration::from_secs(5), stream.next()).await;
        text += &String::from_utf8_lossy(&chunk.unwrap().unwrap().unwrap());
    }
    for hidden in ["103", "104", "vault", "secret"] {
        assert!(!text.contains(&format!("id: {hidden}")), "{text}");
        assert!(!text.contains(&format!("/{hidden}/")), "{text}");
    }
    tokens.replace(Tokens::new([grant("all", &["*"], None)]));
    published.publish(two_tenants());
    let end = tokio::time::timeout(Duration::from_secs(5), stream.next()).await;
    assert!(end.unwrap().is_none());
}
