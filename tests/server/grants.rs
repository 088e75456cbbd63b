//! Grants over a real socket: readers of some projects, people whom a proxy signed in, and directories of projects.

use std::path::Path;

use crate::common::{Repo, Server, commit, component, gitglot, project, until};

/// A repository with two languages and a text of its own.
fn repository(folder: &Path, name: &str) -> String {
    let path = folder.join(format!("{name}.git"));
    let texts = [("en", "Seeds of"), ("cs", "Semena")].map(|(code, text)| {
        let path = format!("locales/{code}.json");
        (path, format!(r#"{{"title": "{text} {name}"}}"#))
    });
    let history = texts.iter().fold(commit("one"), |history, (path, text)| {
        history.write(path, text)
    });
    Repo::with(&path, &history);
    path.to_str().expect("UTF-8").to_owned()
}

fn project_of(folder: &Path, name: &str) -> String {
    project(
        name,
        &[component("app", &repository(folder, name), "locales", "")],
    )
}

/// Status and body of a request with headers.
fn ask(server: &Server, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    let mut request = agent.get([&server.base, path].concat());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = request.call().expect("a response");
    let body = response.body_mut().read_to_string().expect("a text");
    (response.status().as_u16(), body)
}

#[test]
fn a_grant_shows_its_projects_to_a_token_and_to_a_person() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("gitglot.toml");
    let projects = ["acme", "lamp"].map(|name| project_of(folder.path(), name));
    std::fs::write(&config, projects.concat()).unwrap();
    let grants = folder.path().join("grants.toml");
    // The hash of `secret`.
    let hash = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
    let text = format!(
        "[[grant]]\nname = 'acme'\ntoken_sha256 = '{hash}'\nprojects = ['acme']\n\
         [[grant]]\nname = 'translators'\ngroup = 'l10n'\nprojects = ['lamp']\n"
    );
    std::fs::write(&grants, &text).unwrap();
    let arguments = [
        "serve",
        "--config",
        config.to_str().unwrap(),
        "--tokens",
        grants.to_str().unwrap(),
        "--trusted-proxies",
        "127.0.0.1",
        "--user-header",
        "X-Forwarded-User",
        "--groups-header",
        "X-Forwarded-Groups",
    ];
    let server = Server::start(&arguments, &folder.path().join("state"));
    let token = [("authorization", "Token secret")];
    let person = [("x-forwarded-user", "ada"), ("x-forwarded-groups", "l10n")];
    let stranger = [("x-forwarded-user", "eve")];
    for path in [
        "/api/units/",
        "/",
        "/changes/",
        "/languages/cs/",
        "/sitemap.xml",
    ] {
        let (status, body) = ask(&server, path, &token);
        assert!(status == 200 && !body.contains("lamp"), "{path}: {body}");
        let (status, body) = ask(&server, path, &person);
        assert!(status == 200 && !body.contains("acme"), "{path}: {body}");
        assert_eq!(ask(&server, path, &stranger).0, 403, "{path}");
    }
    assert_eq!(ask(&server, "/api/projects/lamp/", &token).0, 404);
    assert_eq!(ask(&server, "/metrics", &token).0, 403);
    let (_, ready) = ask(&server, "/readyz", &token);
    assert!(!ready.contains("missing"), "{ready}");

    std::fs::write(&grants, text.replace("['acme']", "['*']")).unwrap();
    until("the new grant", || {
        (ask(&server, "/api/projects/lamp/", &token).0 == 200).then_some(())
    });
    let (_, metrics) = ask(&server, "/metrics", &token);
    assert!(
        metrics.contains("gitglot_grant_last_used_timestamp_seconds{grant=\"acme\"} 1"),
        "{metrics}"
    );
}

#[test]
fn a_directory_of_files_is_served_and_follows_new_files() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("projects");
    std::fs::create_dir(&directory).unwrap();
    std::fs::write(directory.join("gitglot.toml"), "cache_size = '1MB'\n").unwrap();
    std::fs::write(
        directory.join("acme.toml"),
        project_of(folder.path(), "acme"),
    )
    .unwrap();
    let arguments = ["serve", "--config", directory.to_str().unwrap()];
    let server = Server::start(&arguments, &folder.path().join("state"));
    assert_eq!(server.get("/api/projects/acme/").0, 200);
    // It is not read until it has its final name.
    let new = directory.join(".lamp.toml.new");
    std::fs::write(&new, project_of(folder.path(), "lamp")).unwrap();
    std::fs::rename(&new, directory.join("lamp.toml")).unwrap();
    until("the new project", || {
        (server.get("/api/projects/lamp/").0 == 200).then_some(())
    });
    std::fs::remove_file(directory.join("acme.toml")).unwrap();
    until("the removed project is gone", || {
        (server.get("/api/projects/acme/").0 == 404).then_some(())
    });
}

#[test]
fn a_configuration_is_tried_component_by_component() {
    let folder = tempfile::tempdir().unwrap();
    let repo = repository(folder.path(), "acme");
    let missing = folder.path().join("missing.git");
    let components = [
        component("app", &repo, "locales", ""),
        component("web", &repo, "web", ""),
        component("old", missing.to_str().unwrap(), "locales", ""),
    ];
    let config = folder.path().join("gitglot.toml");
    std::fs::write(&config, project("acme", &components)).unwrap();
    let mut command = gitglot();
    command.args(["config", "check", "--connect"]).arg(&config);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[0], "acme/app: ok, branch main, 2 files");
    assert!(
        lines[1].starts_with("acme/web: error: the branch main has no file web/en.json"),
        "{text}"
    );
    assert!(lines[2].starts_with("acme/old: error: "), "{text}");
}
