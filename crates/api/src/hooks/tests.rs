//! Tests of webhooks of all services.

use std::sync::Mutex;

use poem::http::HeaderName;

use super::*;
use gitglot_catalog::{ComponentSnapshot, Snapshot};
use gitglot_checks::ComponentChecks;
use gitglot_git::Repository;
use gitglot_history::{MAX_ID_BYTES, read_tip};
use gitglot_model::{
    Component, ComponentId, ComponentSettings, FileFormat, FileMask, Project, ProjectId,
    ProjectionIds, Slug, SourceId, TranslationId, UnitId,
};
use gitglot_testkit::{Repo, commit};

#[derive(Default)]
struct HookRecorder(Mutex<Vec<String>>);

impl PushListener for HookRecorder {
    fn pushed(&self, component: &str) {
        self.0.lock().unwrap().push(component.to_owned());
    }
}

/// The configured component `lamp/app`.
fn target(repo: &str, branch: Option<&str>, secret: Option<&str>) -> HookTarget {
    HookTarget {
        project: "lamp".to_owned(),
        component: "app".to_owned(),
        repo: repo.to_owned(),
        branch: branch.map(str::to_owned),
        secret: secret.map(str::to_owned),
    }
}

/// A server with the component `lamp/app`, on the branch `main` of a repository at that address.
struct Server {
    hooks: HookEndpoint,
    heard: Arc<HookRecorder>,
}

impl Server {
    fn new(repo: &str, secret: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let history = commit("one").write("en.json", r#"{"a": "b"}"#);
        let repository = Repo::with(&folder.path().join("r.git"), &history);
        let project = Arc::new(Project {
            id: ProjectId(1),
            slug: Slug::new("lamp").unwrap(),
            name: "Lamp".into(),
            web: String::new(),
            instructions: String::new(),
            source_language: "en".into(),
        });
        let component = Component {
            id: ComponentId(1),
            project: project.id,
            repo: repo.into(),
            branch: "main".into(),
            ..Component::new(ComponentSettings::new(
                Slug::new("app").unwrap(),
                FileMask::new("*.json").unwrap(),
                "en.json",
                FileFormat::Json,
            ))
        };
        let read = Repository::open(repository.dir()).unwrap();
        let projection = read_tip(
            &component,
            "en",
            &read,
            repository.tip("main"),
            MAX_ID_BYTES,
        )
        .unwrap();
        let ids = ProjectionIds {
            translations: vec![TranslationId(1)],
            units: vec![vec![UnitId(1)]],
            sources: vec![SourceId(1)],
            people: Vec::new(),
        };
        let before = gitglot_catalog::PreviousResults::Nothing;
        let component = ComponentSnapshot::new(
            project.clone(),
            Arc::new(component),
            projection,
            ids,
            &ComponentChecks::default(),
            before,
        );
        let published = Arc::new(Published::new());
        published.publish(Snapshot::after(
            None,
            vec![project],
            vec![Arc::new(component)],
            Arc::default(),
        ));
        let targets = Arc::new(HookTargets::default());
        targets.set(vec![target(repo, None, secret)]);
        let heard = Arc::new(HookRecorder::default());
        Self {
            hooks: HookEndpoint {
                published,
                targets,
                listener: heard.clone(),
                root: String::new(),
                hides_names: false,
            },
            heard,
        }
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String) {
        let mut request = Request::builder()
            .method(method.parse().unwrap())
            .uri_str(path);
        for (name, value) in headers {
            request = request.header(HeaderName::from_bytes(name.as_bytes()).unwrap(), *value);
        }
        let mut response = self.hooks.get_response(request.body(body.to_owned())).await;
        (
            response.status().as_u16(),
            response.take_body().into_string().await.unwrap(),
        )
    }

    async fn post(&self, service: &str, body: &str) -> (u16, String) {
        self.ask(
            "POST",
            &format!("/hooks/{service}/"),
            &[("content-type", "application/json")],
            body,
        )
        .await
    }

    fn heard(&self) -> Vec<String> {
        std::mem::take(&mut self.heard.0.lock().unwrap())
    }
}

const TRIGGERED: &str = r#"{"status": "success", "message": "Update triggered: lamp/app"}"#;
const NO_MATCH: &str = r#"{"status": "failure", "message": "No matching repositories found!"}"#;
const WORKING: &str = r#"{"status": "success", "message": "Hook working"}"#;

#[tokio::test]
async fn an_update_is_requested_by_name() {
    let server = Server::new("https://example.org/lamp.git", None);
    for (path, status) in [
        ("/hooks/update/lamp/", 200),
        ("/hooks/update/lamp/app/", 200),
        ("/hooks/update/lamp/other/", 404),
        ("/hooks/update/other/", 404),
        ("/hooks/update/lamp", 301),
        ("/hooks/other/", 404),
        ("/hooks/", 404),
        ("/hooks/github/", 405),
    ] {
        let (found, body) = server.ask("GET", path, &[], "").await;
        assert_eq!(found, status, "{path}");
        let heard = server.heard();
        assert_eq!(heard.len(), usize::from(status == 200), "{path}");
        if status == 200 {
            assert_eq!(
                body,
                r#"{"status": "success", "message": "Update triggered"}"#
            );
        }
    }
}

#[tokio::test]
async fn below_a_path_the_way_to_the_final_slash_keeps_it() {
    let mut hooks = Server::new("https://example.org/lamp.git", None).hooks;
    hooks.root = "/l10n".to_owned();
    let response = hooks
        .get_response(Request::builder().uri_str("/hooks/update/lamp").finish())
        .await;
    assert_eq!(response.headers()["location"], "/l10n/hooks/update/lamp/");
}

#[tokio::test]
async fn each_service_is_understood() {
    let github = r#"{"ref": "refs/heads/main", "repository": {"url": "https://github.com/some/lamp", "name": "lamp",
        "owner": {"login": "some"}, "clone_url": "https://github.com/some/lamp.git"}}"#;
    let gitlab = r#"{"ref": "refs/heads/main", "repository": {"url": "git@gitlab.com:some/lamp.git",
        "homepage": "https://gitlab.com/some/lamp"}}"#;
    let bitbucket = r#"{"push": {"changes": [{"new": {"name": "main"}}]}, "repository": {"full_name": "some/lamp",
        "links": {"html": {"href": "https://bitbucket.org/some/lamp"}}}}"#;
    let pagure = r#"{"topic": "git.receive", "msg": {"branch": "main", "project_fullname": "lamp",
        "pagure_instance": "https://pagure.io/"}}"#;
    for (service, repo, body) in [
        ("github", "https://github.com/some/lamp.git", github),
        ("github", "git@github.com:Some/Lamp.git", github),
        ("gitea", "https://github.com/some/lamp.git", github),
        ("forgejo", "https://github.com/some/lamp.git", github),
        ("gitlab", "git@gitlab.com:some/lamp.git", gitlab),
        ("gitlab", "https://gitlab.com/some/lamp.git", gitlab),
        ("bitbucket", "https://bitbucket.org/some/lamp", bitbucket),
        ("pagure", "https://pagure.io/lamp.git", pagure),
    ] {
        let server = Server::new(repo, None);
        assert_eq!(
            server.post(service, body).await,
            (200, TRIGGERED.to_owned()),
            "{service} {repo}"
        );
        assert_eq!(server.heard(), ["lamp/app"]);
        let elsewhere = body.replace("main", "other");
        assert_eq!(
            server.post(service, &elsewhere).await,
            (200, NO_MATCH.to_owned()),
            "{service} {repo}"
        );
        let other = Server::new("https://example.org/other.git", None);
        assert_eq!(
            other.post(service, body).await,
            (200, NO_MATCH.to_owned()),
            "{service}"
        );
        assert!(server.heard().is_empty() && other.heard().is_empty());
    }
}

#[tokio::test]
async fn events_other_than_pushes_have_no_effect() {
    let server = Server::new("https://example.org/lamp.git", None);
    for (service, body, status, answer) in [
        ("github", r#"{"zen": "Keep it simple."}"#, 200, WORKING),
        ("gitlab", r#"{"object_kind": "issue"}"#, 200, WORKING),
        (
            "pagure",
            r#"{"topic": "issue.new", "msg": {}}"#,
            200,
            WORKING,
        ),
        ("github", "nonsense", 400, "Could not parse JSON payload!"),
        ("github", "{}", 400, "Invalid data in json payload!"),
        ("github", "null", 400, "Invalid data in json payload!"),
        (
            "github",
            r#"{"ref": "refs/heads/main"}"#,
            400,
            "Invalid data in json payload!",
        ),
        ("bitbucket", r#"[1]"#, 400, "Invalid data in json payload!"),
    ] {
        assert_eq!(
            server.post(service, body).await,
            (status, answer.to_owned()),
            "{service} {body}"
        );
    }
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let (status, body) = server
        .ask(
            "POST",
            "/hooks/github/",
            &form,
            "payload=%7B%22zen%22%3A1%7D",
        )
        .await;
    assert_eq!((status, &*body), (200, WORKING));
    assert_eq!(
        server
            .ask("POST", "/hooks/github/", &form, "other=1")
            .await
            .0,
        400
    );
    assert_eq!(
        server.post("github", &"x".repeat(MAX_BYTES + 1)).await.0,
        413
    );
    assert!(server.heard().is_empty());
}

#[tokio::test]
async fn a_hook_with_a_secret_must_be_signed_as_its_service_signs() {
    let body = r#"{"ref": "refs/heads/main", "repository": {"url": "u", "name": "lamp", "owner": {"login": "some"}}}"#;
    let server = Server::new(
        "https://github.com/some/lamp.git",
        Some("It's a Secret to Everybody"),
    );
    // Made with another program: printf '%s' "$body" | openssl dgst -sha256 -hmac "It's a Secret to Everybody"
    let right = "1dcd1dfcc2abf080a5caa85fcfbc675cb2f0820a4a72646c8e0fbd4b7dba33bd";
    let json = ("content-type", "application/json");
    for (service, name, value, status) in [
        (
            "github",
            "x-hub-signature-256",
            format!("sha256={right}"),
            200,
        ),
        ("gitea", "x-gitea-signature", right.to_owned(), 200),
        (
            "github",
            "x-hub-signature-256",
            format!("sha256={}", right.replace('a', "b")),
            401,
        ),
        ("github", "x-hub-signature-256", "sha256=12".to_owned(), 401),
        ("github", "x-hub-signature-256", "sha256=é".to_owned(), 401),
        ("github", "x-other", right.to_owned(), 401),
    ] {
        let path = format!("/hooks/{service}/");
        let found = server
            .ask("POST", &path, &[json, (name, &value)], body)
            .await;
        assert_eq!(found.0, status, "{service} {name} {value}: {}", found.1);
        assert_eq!(server.heard().len(), usize::from(status == 200));
    }
    let gitlab =
        r#"{"ref": "refs/heads/main", "repository": {"url": "x:some/lamp.git", "homepage": "h"}}"#;
    for (token, status) in [("It's a Secret to Everybody", 200), ("other", 401)] {
        let found = server
            .ask(
                "POST",
                "/hooks/gitlab/",
                &[json, ("x-gitlab-token", token)],
                gitlab,
            )
            .await;
        assert_eq!(found.0, status, "{token}");
    }
}

#[tokio::test]
async fn an_unreadable_payload_is_not_called_too_large() {
    let server = Server::new("https://example.org/lamp.git", None);
    let broken = futures_util::stream::iter([Err::<Vec<u8>, _>(std::io::Error::other("chunk"))]);
    let large = [Ok::<_, std::io::Error>(vec![0_u8; MAX_BYTES + 1])];
    for (body, status) in [
        (poem::Body::from_bytes_stream(broken), 400),
        (
            poem::Body::from_bytes_stream(futures_util::stream::iter(large)),
            413,
        ),
    ] {
        let request = Request::builder()
            .method(Method::POST)
            .uri_str("/hooks/github/");
        let response = server.hooks.get_response(request.body(body)).await;
        assert_eq!(response.status().as_u16(), status);
    }
}

#[tokio::test]
async fn head_and_options_have_no_effect() {
    let server = Server::new("https://example.org/lamp.git", None);
    for path in ["/hooks/update/lamp/", "/hooks/update/lamp/app/"] {
        assert_eq!(server.ask("HEAD", path, &[], "").await.0, 200);
        assert_eq!(server.ask("OPTIONS", path, &[], "").await.0, 204);
    }
    for method in ["HEAD", "OPTIONS"] {
        assert_eq!(server.ask(method, "/hooks/github/", &[], "").await.0, 405);
    }
    assert!(server.heard().is_empty());
}

#[tokio::test]
async fn an_update_needs_no_signature_unless_there_is_a_secret() {
    let server = Server::new("https://example.org/lamp.git", Some("secret"));
    for path in ["/hooks/update/lamp/", "/hooks/update/lamp/app/"] {
        assert_eq!(server.ask("POST", path, &[], "").await.0, 401);
    }
    assert!(server.heard().is_empty());
}

#[tokio::test]
async fn hidden_names_are_not_revealed() {
    for secret in [None, Some("secret")] {
        let mut server = Server::new("https://example.org/some/lamp.git", secret);
        server.hooks.hides_names = true;
        let expected = (
            200,
            r#"{"status": "success", "message": "Update triggered"}"#.to_owned(),
        );
        for path in [
            "/hooks/update/lamp/",
            "/hooks/update/lamp/app/",
            "/hooks/update/lamp/x/",
            "/hooks/update/x/",
        ] {
            assert_eq!(server.ask("POST", path, &[], "").await, expected, "{path}");
        }
        for name in ["lamp", "other"] {
            let push = format!(
                r#"{{"ref": "refs/heads/main", "repository": {{"url": "x:some/{name}.git", "homepage": "h"}}}}"#
            );
            let json = ("content-type", "application/json");
            assert_eq!(
                server.ask("POST", "/hooks/gitlab/", &[json], &push).await,
                expected,
                "{name}"
            );
        }
        assert_eq!(server.heard().is_empty(), secret.is_some());
    }
}

#[tokio::test]
async fn a_long_name_matches_no_component() {
    let server = Server::new("https://example.org/Lamp", None);
    let name = "\u{130}".repeat(300_000);
    let body = format!(
        r#"{{"ref": "refs/heads/main", "repository": {{"url": "x", "clone_url": "x", "owner": {{"login": "a"}}, "name": "{name}"}}}}"#
    );
    let (status, text) = server.post("github", &body).await;
    assert_eq!(status, 200);
    assert!(text.contains("No matching repositories found!"), "{text}");
}

#[tokio::test]
async fn a_component_that_was_never_published_gets_its_hooks() {
    let repo = "https://github.com/some/lamp.git";
    let push = r#"{"ref": "refs/heads/main", "repository": {"url": "u", "name": "lamp", "owner": {"login": "some"}}}"#;
    for (branch, secret, status, polls) in [
        (None, None, 200, 3),
        (Some("main"), None, 200, 3),
        (Some("other"), None, 200, 2),
        (None, Some("secret"), 401, 0),
    ] {
        let mut server = Server::new(repo, None);
        server.hooks.published = Arc::new(Published::new());
        server.hooks.targets.set(vec![target(repo, branch, secret)]);
        for path in ["/hooks/update/lamp/", "/hooks/update/lamp/app/"] {
            assert_eq!(server.ask("POST", path, &[], "").await.0, status, "{path}");
        }
        let (found, text) = server.post("github", push).await;
        let is_other = branch == Some("other");
        assert_eq!(found, status, "{text}");
        assert_eq!(
            text.contains("No matching repositories"),
            is_other,
            "{text}"
        );
        assert_eq!(server.heard().len(), polls, "{branch:?} {secret:?}");
        for path in ["/hooks/update/lamp/x/", "/hooks/update/x/"] {
            assert_eq!(server.ask("POST", path, &[], "").await.0, 404, "{path}");
        }
    }
}

#[tokio::test]
async fn a_removed_component_gets_no_hooks() {
    let server = Server::new("https://example.org/lamp.git", None);
    server.hooks.targets.set(Vec::new());
    let (status, _) = server.ask("POST", "/hooks/update/lamp/app/", &[], "").await;
    assert_eq!((status, server.heard().len()), (404, 0));
}
