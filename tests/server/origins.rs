//! Who wrote the texts of a repository (docs/spec/origins.md).

use serde_json::Value;

use crate::common::{ANNA, History, Person, Server, TestSite, commit, component, project};

const fn account(name: &'static str, email: &'static str) -> Person {
    Person {
        name,
        email,
        offset: 0,
    }
}

const CROWDIN: Person = account("Crowdin Bot", "support+bot@crowdin.com");
const LINGO: Person = account("Lingo.dev", "support@lingo.dev");
const WORKFLOW: Person = account("github-actions[bot]", "1+github-actions[bot]@example.org");
const OWN_SCRIPT: Person = account("Text Service", "texts@example.org");

/// Texts of people, of a platform, of machines and of a workflow; then people edit, acknowledge, move and reformat some.
fn history() -> History {
    commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .texts("en", "a=A;b=B;c=C;d=D;e=E;f=F;g=G;h=H")
        .texts("cs", "a=person")
        .commit("platform")
        .by_at(CROWDIN, "2020-01-02 10:00")
        .texts("cs", "a=person;b=platform;c=platform 2")
        .commit("machine")
        .by_at(LINGO, "2020-01-03 10:00")
        .texts("cs", "a=person;b=platform;c=platform 2;d=machine;e=machine 2;f=machine 3")
        .commit("workflow")
        .by_at(WORKFLOW, "2020-01-04 10:00")
        .texts(
            "cs",
            "a=person;b=platform;c=platform 2;d=machine;e=machine 2;f=machine 3;g=workflow",
        )
        .commit("assistant")
        .message("Add a text\n\nCo-authored-by: Claude <noreply@anthropic.com>\n")
        .by_at(ANNA, "2020-01-05 10:00")
        .texts(
            "cs",
            "a=person;b=platform;c=platform 2;d=machine;e=machine 2;f=machine 3;g=workflow;h=assistant",
        )
        .commit("source")
        .by_at(ANNA, "2020-01-06 10:00")
        .texts("en", "a=A;b=B;c=C;d=D;e=E other;f=F;g=G;h=H")
}

fn edited() -> History {
    history()
        .commit("edit")
        .by_at(ANNA, "2020-01-07 10:00")
        .texts(
            "cs",
            "a=person;b=platform;c=edited;d=machine ;e=machine 2;f=machine 3;g=workflow;h=assistant",
        )
        .commit("acknowledgement")
        .message("Right as it is\n\nTranslation-Reviewed: cs e\n")
        .by_at(ANNA, "2020-01-08 10:00")
        .commit("rename")
        .by_at(ANNA, "2020-01-09 10:00")
        .texts("en", "a=A;b=B;c=C;d=D;e=E other;renamed=F;g=G;h=H")
        .texts(
            "cs",
            "a=person;b=platform;c=edited;d=machine ;e=machine 2;renamed=machine 3;g=workflow;h=assistant",
        )
}

fn serve(history: &History, settings: &str, arguments: &[&str]) -> (TestSite, Server) {
    let site = TestSite::new(history);
    let (repo, file) = (site.path("garden.git"), site.path("gitglot.toml"));
    let app = component("app", repo.to_str().unwrap(), "locales", settings);
    std::fs::write(&file, project("garden", &[app])).unwrap();
    let first = ["serve", "--config", file.to_str().unwrap()];
    let server = Server::start(&[&first[..], arguments].concat(), &site.path("state"));
    (site, server)
}

/// The keys of the texts with an origin, by the API at a root.
fn keys(server: &Server, root: &str, origin: &str) -> Vec<String> {
    let path = format!("{root}/units/?q=language:cs+origin:{origin}&format=json");
    let list = server.json(&path)["results"].clone();
    let units = list.as_array().unwrap().iter();
    let key = |unit: &Value| {
        unit["context"]
            .as_str()
            .unwrap()
            .trim_start_matches('.')
            .to_owned()
    };
    let mut keys: Vec<String> = units.map(key).collect();
    keys.sort();
    keys
}

#[test]
fn queries_of_both_apis_select_by_who_wrote_a_text() {
    let (_site, server) = serve(&history(), "", &[]);
    for root in ["/api", "/current/api"] {
        assert_eq!(keys(&server, root, "human"), ["a"]);
        assert_eq!(keys(&server, root, "platform"), ["b", "c"]);
        assert_eq!(keys(&server, root, "machine"), ["d", "e", "f", "h"]);
        assert_eq!(keys(&server, root, "unknown"), ["g"]);
    }
    let (status, body) = server.get("/api/units/?q=origin:nobody&format=json");
    assert_eq!(status, 400);
    assert!(
        body.contains("use human, platform, machine or unknown"),
        "{body}"
    );
}

#[test]
fn a_person_turns_a_text_by_an_edit_or_an_acknowledgement() {
    let (_site, server) = serve(&edited(), "", &[]);
    assert_eq!(keys(&server, "/api", "human"), ["a", "c", "e"]);
    assert_eq!(keys(&server, "/api", "platform"), ["b"]);
    // White space and a new key are no new text.
    assert_eq!(keys(&server, "/api", "machine"), ["d", "h", "renamed"]);
}

#[test]
fn an_ignored_commit_turns_no_text() {
    let history = history()
        .commit("typo")
        .message("Correct a word\n\n[i18n ignore]\n")
        .by_at(ANNA, "2020-01-07 10:00")
        .texts("en", "a=A;b=B;c=C;d=D corrected;e=E other;f=F;g=G;h=H");
    let settings = "ignored_commits = [\"[i18n ignore]\"]";
    let (_site, server) = serve(&history, settings, &[]);
    assert_eq!(keys(&server, "/api", "machine"), ["d", "e", "f", "h"]);
    let stale = server.json("/api/units/?q=state:stale");
    assert_eq!(stale["count"], 1, "only the text of e");
}

#[test]
fn pages_count_texts_that_no_person_has_touched() {
    let (_site, server) = serve(&history(), "", &[]);
    let sentence = "No person has touched 6 of 8 texts (7 of 9 words), as far as commits show.";
    for page in [
        "/projects/garden/",
        "/projects/garden/app/",
        "/projects/garden/app/cs/",
        "/languages/cs/",
        "/languages/cs/garden/",
    ] {
        let (_, html) = server.get(page);
        assert!(html.contains(sentence), "{page}: {html}");
    }
    let data = server.json("/exports/progress/garden/");
    let czech = &data["languages"][0]["origins"];
    assert_eq!(
        czech["machine"],
        serde_json::json!({"strings": 4, "words": 5})
    );
    assert_eq!(czech["unknown"]["strings"], 1);
    let (_, html) = server.get("/projects/garden/app/cs/");
    assert!(html.contains("/translate/garden/app/cs/?q=origin:machine"));
    let (_, list) = server.get("/translate/garden/app/cs/?q=origin:platform");
    assert!(list.contains("platform 2") && !list.contains("machine 2"));
    let (_, string) = server.get("/translate/garden/app/cs/?q=origin:platform&offset=0");
    assert!(
        string.contains("<span class=\"quiet\">(platform)</span>"),
        "{string}"
    );
}

#[test]
fn contributors_see_the_platform_that_commits_name() {
    let history = commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .texts("en", "a=A;b=B")
        .commit("download")
        .message("Update the Czech locale from Transifex")
        .by_at(ANNA, "2020-01-02 10:00")
        .texts("cs", "a=text")
        .commit("edit")
        .by_at(ANNA, "2020-01-03 10:00")
        .texts("cs", "a=text;b=text");
    let (_site, server) = serve(&history, "", &[]);
    let (_, page) = server.get("/engage/garden/cs/");
    assert!(
        page.contains("Translations come through Transifex, last on <time datetime=\"2020-01-02"),
        "{page}"
    );
}

#[test]
fn settings_say_who_an_account_is() {
    let history = commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .texts("en", "a=A;b=B")
        .commit("script")
        .by_at(OWN_SCRIPT, "2020-01-02 10:00")
        .texts("cs", "a=text")
        .commit("person")
        .by_at(LINGO, "2020-01-03 10:00")
        .texts("cs", "a=text;b=text");
    let (_site, server) = serve(&history, "", &[]);
    assert_eq!(keys(&server, "/api", "human"), ["a"]);
    assert_eq!(keys(&server, "/api", "machine"), ["b"]);
    let settings = "machines = [\"texts@example.org\"]\nhumans = [\"lingo.dev\"]\n";
    let (_site, server) = serve(&history, settings, &[]);
    assert_eq!(keys(&server, "/api", "human"), ["b"]);
    assert_eq!(keys(&server, "/api", "machine"), ["a"]);
}

#[test]
fn a_log_without_history_shows_nothing() {
    let (_site, server) = serve(&history(), "", &["--history", "none"]);
    assert_eq!(keys(&server, "/api", "unknown").len(), 8);
    let (_, html) = server.get("/projects/garden/app/cs/");
    assert!(!html.contains("Who wrote the texts"));
}
