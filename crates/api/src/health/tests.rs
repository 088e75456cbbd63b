//! Readiness and the health endpoints.

use super::*;

async fn get(readiness: &Arc<Readiness>, path: &'static str) -> (StatusCode, String) {
    let request = Request::builder().uri(path.parse().unwrap()).finish();
    let response = HealthEndpoints(readiness.clone())
        .get_response(request)
        .await;
    (
        response.status(),
        response.into_body().into_string().await.unwrap(),
    )
}

#[tokio::test]
async fn healthz_succeeds_before_components_are_ready() {
    let readiness = Arc::new(Readiness::default());
    assert_eq!(
        get(&readiness, "/healthz").await,
        (StatusCode::OK, r#"{"status":"ok"}"#.to_owned())
    );
    assert_eq!(
        get(&readiness, "/healthz/").await,
        (StatusCode::OK, "ok".to_owned())
    );
    assert_eq!(
        get(&readiness, "/readyz").await.0,
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert_eq!(get(&readiness, "/api/").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn readyz_lists_missing_failed_and_behind_components() {
    let readiness = Arc::new(Readiness::default());
    readiness.expect(["app/web", "app/extension"]);
    readiness.published("app/web");
    let missing = r#"{"status":"starting","published":1,"missing":["app/extension"],"failed":[],"behind":[]}"#;
    assert_eq!(
        get(&readiness, "/readyz").await,
        (StatusCode::SERVICE_UNAVAILABLE, missing.to_owned())
    );

    readiness.failed("app/extension", "The repository has no branch \"main\".");
    let (status, body) = get(&readiness, "/readyz").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        body,
        r#"{"status":"ready","published":1,"missing":[],"failed":[{"component":"app/extension","reason":"The repository has no branch \"main\"."}],"behind":[]}"#
    );

    readiness.behind("app/web", Some("not reachable"));
    readiness.behind("app/extension", Some("not reachable"));
    let (status, body) = get(&readiness, "/readyz").await;
    assert_eq!(
        status,
        StatusCode::OK,
        "the last good state stays published"
    );
    assert!(
        body.ends_with(r#""behind":[{"component":"app/web","reason":"not reachable"}]}"#),
        "{body}"
    );
    readiness.behind("app/web", None);
    assert!(
        get(&readiness, "/readyz")
            .await
            .1
            .ends_with(r#""behind":[]}"#)
    );
}

#[test]
fn a_published_component_stays_published_and_a_failed_one_can_recover() {
    let readiness = Readiness::default();
    readiness.expect(["a", "b"]);
    readiness.published("a");
    readiness.failed("a", "not reachable");
    readiness.failed("b", "not reachable");
    readiness.published("b");
    readiness.expect(["a"]);
    assert_eq!(readiness.report().published, 2);
    assert!(readiness.is_ready());
}

#[test]
fn components_that_a_reload_adds_do_not_revoke_readiness() {
    let readiness = Readiness::default();
    readiness.expect(["a", "b"]);
    readiness.published("a");
    readiness.failed("b", "not reachable");
    readiness.behind("a", Some("not reachable"));
    readiness.replace(["b", "c"]);
    let report = readiness.report();
    assert_eq!(
        (report.status, report.missing),
        ("ready", vec!["c".to_owned()])
    );
    assert_eq!(
        (report.published, report.failed.len(), report.behind.len()),
        (0, 1, 0)
    );
}

#[tokio::test]
async fn a_replica_with_a_damaged_ledger_is_not_ready_and_says_why() {
    let readiness = Arc::new(Readiness::default());
    readiness.published("a");
    let outage = Some("no response".to_owned());
    readiness.ledger_problem("unavailable", false, outage.clone());
    let (status, body) = get(&readiness, "/readyz").await;
    assert_eq!(status, StatusCode::OK, "it serves the last state: {body}");
    assert!(body.ends_with(r#","ledger":"no response"}"#), "{body}");

    readiness.ledger_problem("damaged", true, Some("batch 2 is missing".to_owned()));
    let (status, body) = get(&readiness, "/readyz").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        body.starts_with(r#"{"status":"unready","published":1,"#),
        "{body}"
    );
    let end = r#","ledger":"batch 2 is missing","reason":"batch 2 is missing"}"#;
    assert!(body.ends_with(end), "{body}");
    assert_eq!(
        readiness.report().ledger_problems,
        ["unavailable", "damaged"]
    );

    readiness.ledger_problem("damaged", true, None);
    readiness.ledger_problem("unavailable", false, None);
    let (status, body) = get(&readiness, "/readyz").await;
    assert!(
        status == StatusCode::OK && !body.contains("ledger"),
        "{body}"
    );
}

#[test]
fn a_replica_that_serves_nothing_is_not_ready() {
    let readiness = Readiness::default();
    readiness.expect(["a", "b"]);
    readiness.failed("a", "not reachable");
    readiness.failed("b", "not reachable");
    assert!(readiness.is_ready(), "there is no other server");
    readiness.require_published();
    let report = readiness.report();
    assert_eq!(
        (report.status, report.reason.as_deref()),
        ("unready", Some("no component is published"))
    );
    readiness.published("b");
    assert_eq!(readiness.report().status, "ready");
}

#[tokio::test]
async fn readyz_reports_a_rejected_configuration_until_it_is_fixed() {
    let readiness = Arc::new(Readiness::default());
    readiness.configuration_error(Some("gitglot.toml:3: slug: two".to_owned()));
    assert!(
        get(&readiness, "/readyz")
            .await
            .1
            .ends_with(r#","configuration":"gitglot.toml:3: slug: two"}"#)
    );
    readiness.configuration_error(None);
    assert!(!get(&readiness, "/readyz").await.1.contains("configuration"));
}

#[tokio::test]
async fn readyz_reports_an_outage_of_the_ledger_and_stays_ready() {
    let readiness = Arc::new(Readiness::default());
    readiness.expect(["a"]);
    readiness.published("a");
    readiness.ledger_problem("unavailable", false, Some("no answer".to_owned()));
    let (status, body) = get(&readiness, "/readyz").await;
    assert_eq!(status, StatusCode::OK);
    assert!(body.ends_with(r#","ledger":"no answer"}"#), "{body}");
    readiness.ledger_problem("unavailable", false, None);
    assert!(!get(&readiness, "/readyz").await.1.contains("ledger"));
}

#[tokio::test]
async fn readyz_names_a_repository_that_cannot_be_read() {
    let readiness = Arc::new(Readiness::default());
    let (repository, reason) = (
        "https://git.example/a".to_owned(),
        "it cannot be reached".to_owned(),
    );
    readiness.repository_error(Some(UnreadRepository { repository, reason }));
    let (status, body) = get(&readiness, "/readyz").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    let expected =
        r#","repository":{"repository":"https://git.example/a","reason":"it cannot be reached"}}"#;
    assert!(body.ends_with(expected), "{body}");
    readiness.repository_error(None);
    assert!(!get(&readiness, "/readyz").await.1.contains("repository"));
}

#[test]
fn an_empty_configuration_is_ready_and_an_unknown_one_is_not() {
    let readiness = Readiness::default();
    assert!(!readiness.is_ready());
    readiness.expect(Vec::<String>::new());
    assert!(readiness.is_ready());
    assert_eq!(readiness.report().status, "ready");
}

#[tokio::test]
async fn health_endpoints_reject_other_methods() {
    let request = Request::builder()
        .method(Method::POST)
        .uri("/readyz".parse().unwrap())
        .finish();
    let response = HealthEndpoints(Arc::new(Readiness::default()))
        .get_response(request)
        .await;
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(response.header("allow"), Some("GET, HEAD"));
}
