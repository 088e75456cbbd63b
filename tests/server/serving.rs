//! Requests to the program over a real socket, with real repositories.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use crate::common::{History, Repo, Server, commit, gitglot};

fn repository(folder: &Path, history: &History) -> String {
    let path = folder.join("repository.git");
    Repo::with(&path, history);
    path.to_str().expect("UTF-8").to_owned()
}

fn small() -> History {
    commit("one")
        .write("locales/en.json", r#"{"title": "Seeds", "save": "Save"}"#)
        .write("locales/cs.json", r#"{"title": "Semena"}"#)
}

#[test]
fn the_demo_serves_both_examples_and_every_link_works() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(&["demo"], state.path());
    assert_eq!(server.json("/api/projects/")["count"], 2);
    assert!(server.json("/api/units/")["count"].as_u64() > Some(1000));
    let start = format!("{}/api/", server.base);
    let (mut seen, mut next) = (HashSet::from([start.clone()]), vec![start]);
    while let Some(url) = next.pop() {
        let (status, body) = server.get(&url);
        assert_eq!(status, 200, "{url}");
        // Units link to each other through thousands of pages: the lists and one page of each are enough here.
        for link in body
            .split('"')
            .filter(|text| text.starts_with(&format!("{}/api/", server.base)))
        {
            let paged = link.contains("page=");
            if !paged && seen.len() < 700 && seen.insert(link.to_owned()) {
                next.push(link.to_owned());
            }
        }
    }
}

#[test]
fn components_are_found_without_a_mask_and_units_keep_their_ids_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let path = repository(folder.path(), &small());
    let state = folder.path().join("state");
    let server = Server::start(&["serve", &path], &state);
    let before = server.json("/api/units/");
    assert_eq!(before["count"], 4);
    assert_eq!(
        server.json("/api/components/repository/locales/")["template"],
        "locales/en.json"
    );
    let changes = server.json("/api/changes/");
    let base = server.base.clone();
    server.kill();
    let server = Server::start(&["serve", &path], &state);
    let here = |value: &serde_json::Value| value.to_string().replace(&base, &server.base);
    assert_eq!(server.json("/api/units/").to_string(), here(&before));
    assert_eq!(server.json("/api/changes/").to_string(), here(&changes));
}

#[test]
fn a_push_between_two_runs_is_appended_to_the_log_and_keeps_every_id() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("repository.git");
    let mut repository = Repo::with(&path, &small());
    let (state, path) = (
        folder.path().join("state"),
        path.to_str().unwrap().to_owned(),
    );
    let server = Server::start(&["serve", &path], &state);
    let count = server.json("/api/changes/")["count"].as_u64().unwrap();
    let unit = server.json("/api/translations/repository/locales/cs/units/")["results"][1].clone();
    assert_eq!(
        (unit["context"].as_str(), unit["target"].as_str()),
        (Some(".save"), Some(""))
    );
    server.kill();
    repository.push(&commit("two").write(
        "locales/cs.json",
        r#"{"title": "Semena", "save": "Uložit"}"#,
    ));
    let server = Server::start(&["serve", &path], &state);
    let now = server.json(&format!("/api/units/{}/", unit["id"]));
    assert_eq!(
        (now["context"].as_str(), now["target"].as_str()),
        (Some(".save"), Some("Uložit"))
    );
    let changes = server.json("/api/changes/?page=last");
    assert!(changes["count"].as_u64().unwrap() > count);
    let last = changes["results"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .find(|it| it["action"] == 5)
        .unwrap();
    assert_eq!(last["target"], "Uložit");
    assert!(last["id"].as_u64().unwrap() > count);
}

#[test]
fn without_history_the_log_has_no_entries_or_people() {
    let folder = tempfile::tempdir().unwrap();
    let path = repository(folder.path(), &small());
    let server = Server::start(
        &["serve", &path, "--history", "none"],
        &folder.path().join("state"),
    );
    assert_eq!(server.json("/api/changes/")["count"], 0);
    let translation = server.json("/api/translations/repository/locales/cs/");
    assert_eq!(
        (&translation["last_change"], &translation["last_author"]),
        (&().into(), &().into())
    );
    assert_eq!(translation["translated_percent"], 50.0);
}

#[test]
fn one_broken_file_does_not_affect_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = repository(
        folder.path(),
        &small().write("locales/de.json", r#"{"title": "Samen",}"#),
    );
    let server = Server::start(
        &["serve", &path, "--history", "none"],
        &folder.path().join("state"),
    );
    let broken = server.json("/api/translations/repository/locales/de/");
    assert_eq!(
        (broken["total"].as_u64(), broken["revision"].as_str()),
        (Some(0), Some(""))
    );
    assert_eq!(
        server.json("/api/translations/repository/locales/cs/")["total"],
        2
    );
    let check = gitglot().args(["check", &path]).output().unwrap();
    assert_eq!(check.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&check.stdout).contains("locales/de.json"));
}

#[test]
fn a_second_file_of_a_language_is_reported_with_and_without_history() {
    let folder = tempfile::tempdir().unwrap();
    let history = commit("one")
        .write("l/en.json", r#"{"title": "Seeds"}"#)
        .write("l/DE.json", r#"{"title": "A"}"#)
        .write("l/de.json", r#"{"title": "B"}"#)
        .write("l/de-DE.json", r#"{"title": "C"}"#)
        .commit("two")
        .write("l/de.json", r#"{"title": "D"}"#);
    let path = repository(folder.path(), &history);
    for mode in ["full", "none"] {
        let arguments = [
            "serve",
            &path,
            "--filemask",
            "l/*.json",
            "--template",
            "l/en.json",
            "--history",
            mode,
        ];
        let server = Server::start(&arguments, &folder.path().join(mode));
        let slug = &server.json("/api/components/")["results"][0]["slug"];
        let problems = server.json(&format!(
            "/api/components/repository/{}/problems/",
            slug.as_str().unwrap()
        ));
        let mut found: Vec<(&str, &str)> = problems["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|problem| {
                (
                    problem["path"].as_str().unwrap(),
                    problem["reason"].as_str().unwrap(),
                )
            })
            .collect();
        found.sort_unstable();
        let reason = "excluded: l/DE.json is already the file of the language de";
        assert_eq!(
            found,
            [("l/de-DE.json", reason), ("l/de.json", reason)],
            "{mode}"
        );
    }
}

#[test]
fn check_compares_each_language_with_the_given_percentage() {
    let folder = tempfile::tempdir().unwrap();
    let path = repository(folder.path(), &small());
    for (percent, code) in [("50", 0), ("51", 1)] {
        let check = gitglot()
            .args(["check", &path, "--fail-under", percent])
            .output()
            .unwrap();
        assert_eq!(
            check.status.code(),
            Some(code),
            "{}",
            String::from_utf8_lossy(&check.stderr)
        );
    }
}

#[test]
fn discover_prints_a_configuration_that_serves_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = repository(folder.path(), &small());
    let found = gitglot().args(["discover", &path]).output().unwrap();
    assert!(
        found.status.success(),
        "{}",
        String::from_utf8_lossy(&found.stderr)
    );
    let file = folder.path().join("gitglot.toml");
    std::fs::write(&file, &found.stdout).unwrap();
    let server = Server::start(
        &["serve", "--config", file.to_str().unwrap()],
        &folder.path().join("state"),
    );
    assert_eq!(
        server.json("/api/components/")["results"][0]["filemask"],
        "locales/*.json"
    );
}

#[test]
fn permanent_errors_end_the_program_with_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let path = repository(folder.path(), &small());
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let state = folder.path().join("state");
    let cases: [(&[&str], &str); 6] = [
        (&["serve", "no/such/folder"], "no such directory"),
        (&["serve", empty.to_str().unwrap()], "no git repository"),
        (
            &["serve", &path, "--branch", "nope"],
            "there is no branch 'nope'",
        ),
        (
            &["serve", &path, "--filemask", "po/*.json"],
            "matches no file",
        ),
        (
            &[
                "serve",
                &path,
                "--filemask",
                "locales/*.json",
                "--template",
                "x.json",
            ],
            "x.json",
        ),
        (&["serve", &path, "--filemask", "locales/en.json"], "no '*'"),
    ];
    for (arguments, sentence) in cases {
        let mut command = gitglot();
        command
            .args(arguments)
            .args([
                "--listen",
                "127.0.0.1:0",
                "--log-level",
                "off",
                "--state-dir",
            ])
            .arg(&state);
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(error.contains(sentence), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}

#[test]
fn a_state_directory_serves_one_program_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = repository(folder.path(), &small());
    let state = folder.path().join("state");
    let _server = Server::start(&["serve", &path], &state);
    let mut second = gitglot();
    second
        .args(["serve", &path, "--listen", "127.0.0.1:0", "--state-dir"])
        .arg(&state);
    let output = second.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("another gitglot uses the state directory")
    );
}

#[test]
fn a_port_in_use_is_reported_at_once() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = gitglot()
        .args(["demo", "--listen", &address])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("already in use"));
}

#[test]
fn a_configuration_is_checked_while_a_server_uses_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = repository(folder.path(), &small());
    let found = gitglot().args(["discover", &path]).output().unwrap().stdout;
    let file = folder.path().join("gitglot.toml");
    std::fs::write(&file, &found).unwrap();
    let state = folder.path().join("state");
    let _server = Server::start(&["serve", "--config", file.to_str().unwrap()], &state);
    let check = |arguments: &[&str]| {
        let mut command = gitglot();
        command
            .args(["config", "check"])
            .arg(&file)
            .args(arguments)
            .arg("--state-dir")
            .arg(&state);
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (status, text, _) = check(&[]);
    assert_eq!(status, Some(0));
    assert!(
        text.ends_with("is valid: 1 project, 1 component\n"),
        "{text}"
    );
    let (_, explained, _) = check(&["--explain", "--listen", "127.0.0.1:9"]);
    assert!(
        explained.contains("listen = \"127.0.0.1:9\"  # flag"),
        "{explained}"
    );
    assert!(explained.contains("[[project.component]]"), "{explained}");
    std::fs::write(&file, [&b"listn = 'x'\n"[..], &found].concat()).unwrap();
    let (status, _, error) = check(&[]);
    assert_eq!(status, Some(1));
    assert!(
        error.starts_with("error: ") && error.contains("gitglot.toml:1: listn"),
        "{error}"
    );
    std::fs::write(&file, [&b"tokens = 'missing'\n"[..], &found].concat()).unwrap();
    assert!(check(&[]).2.contains("cannot read the token file"));
}

#[test]
fn completions_and_manual_pages_cover_all_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = gitglot()
            .args(["completions", shell])
            .output()
            .unwrap()
            .stdout;
        assert!(
            String::from_utf8(script).unwrap().contains("poll-interval"),
            "{shell}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert!(gitglot().arg("man").arg(&pages).status().unwrap().success());
    for page in ["gitglot", "gitglot-serve", "gitglot-config-check"] {
        let text = std::fs::read_to_string(pages.join(format!("{page}.1"))).unwrap();
        assert!(
            text.contains(".SH NAME") && text.contains(".SH OPTIONS"),
            "{page}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_request_to_stop_ends_the_program_with_success() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(&["demo"], state.path());
    let kill = Command::new("kill")
        .args(["-TERM", &server.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn the_openapi_document_is_printed_without_a_server() {
    let output = gitglot().arg("openapi").output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["paths"].get("/api/units/{id}/").is_some());
}

#[test]
fn a_repository_that_cannot_be_served_ends_without_an_address() {
    let folder = tempfile::tempdir().unwrap();
    for (path, reason) in [("nothing", "no such directory"), (".", "no git repository")] {
        let path = folder.path().join(path);
        let state = folder.path().join("state");
        let mut command = gitglot();
        command.args(["serve", path.to_str().unwrap(), "--listen", "127.0.0.1:0"]);
        let output = command.arg("--state-dir").arg(state).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(reason), "{error}");
        assert!(output.stdout.is_empty());
    }
}
