//! The query language of `q=` over real repositories (docs/spec/query.md).

use serde_json::Value;

use crate::common::{ANNA, History, Person, Server, TestSite, commit, component, project};

const TRANSLATOR: Person = Person {
    name: "Example Translator",
    email: "translator@example.org",
    offset: 0,
};

const CZECH: &str = r##"msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\n"

# Of the translator
#. Of the developer
#: src/letter.c:12 src/list.c:40
#, c-format
msgid "%d letter"
msgid_plural "%d letters"
msgstr[0] "%d dopis"
msgstr[1] "%d dopisy"
msgstr[2] "%d dopisů"

#: src/letter.c:20
msgctxt "verb"
msgid "Post"
msgstr "Odeslat"

#, fuzzy
#| msgid "Open letter"
msgid "Open the letter"
msgstr "Otevřít dopis"

msgid "Close"
msgstr ""
"##;

fn history() -> History {
    commit("one")
        .message("One\n")
        .by_at(ANNA, "2019-03-04 10:00")
        .write("po/cs.po", CZECH)
        .write(
            "locales/en.json",
            r#"{"open": "Open the file", "stop": "Stop"}"#,
        )
        .write(
            "locales/cs.json",
            r#"{"open": "Otevřít soubor", "stop": ""}"#,
        )
        .commit("two")
        .message("Two\n")
        .by_at(TRANSLATOR, "2020-05-06 10:00")
        .write(
            "locales/cs.json",
            r#"{"open": "Otevři soubor", "stop": ""}"#,
        )
        .commit("three")
        .message("Three\n")
        .by_at(ANNA, "2021-07-08 10:00")
        .write(
            "locales/en.json",
            r#"{"open": "Open the file", "stop": "Stop now"}"#,
        )
}

fn start() -> (TestSite, Server) {
    let site = TestSite::new(&history());
    let config = site.path("gitglot.toml");
    let repo = site.path("garden.git").display().to_string();
    let desktop = format!(
        "[[project.component]]\nslug = 'desktop'\nrepo = '{repo}'\nbranch = 'main'\nfile_format = 'po'\n\
         filemask = 'po/*.po'\n"
    );
    let app = component("app", &repo, "locales", "name = 'The App'");
    std::fs::write(&config, project("shop", &[app, desktop])).unwrap();
    let config = config.to_str().unwrap();
    let server = Server::start(&["serve", "--config", config], &site.path("state"));
    (site, server)
}

/// The sources of the Czech units that a query selects.
fn found(server: &Server, query: &str) -> Vec<String> {
    let encoded = form_urlencoded::byte_serialize(query.as_bytes()).collect::<String>();
    let list = server.json(&format!("/api/units/?q=path:shop/-/cs+({encoded})"));
    let results = list["results"].as_array().unwrap();
    let source = |unit: &Value| {
        let text = unit["source"].as_str().unwrap();
        text.split('\u{1e}').next().unwrap_or_default().to_owned()
    };
    results.iter().map(source).collect()
}

#[test]
fn units_of_bilingual_files_are_found_by_location_flag_and_note() {
    let (_site, server) = start();
    for (query, wanted) in [
        ("location:list.c", &["%d letter"][..]),
        ("location:r\"letter\\.c:\\d+\"", &["%d letter", "Post"]),
        ("has:location", &["%d letter", "Post"]),
        ("flag:c-format", &["%d letter"]),
        ("flags:=c-format", &["%d letter"]),
        ("has:flags", &["%d letter"]),
        ("note:\"of the developer\"", &["%d letter"]),
        ("note:translator", &["%d letter"]),
        ("has:plural", &["%d letter"]),
        ("component:desktop has:context", &["Post"]),
        ("component:desktop key:verb", &["Post"]),
        ("state:10", &["Open the letter"]),
        ("component:desktop is:needs-editing", &["Open the letter"]),
        ("component:desktop state:empty", &["Close"]),
        (
            "component:desktop position:[2 to 3]",
            &["Post", "Open the letter"],
        ),
        (
            "component:desktop source_state:read-only AND position:<2",
            &["%d letter"],
        ),
    ] {
        assert_eq!(found(&server, query), wanted, "{query}");
    }
}

#[test]
fn units_are_found_by_their_changes() {
    let (_site, server) = start();
    for (query, wanted) in [
        ("component:app changed:2020", &["Open the file"][..]),
        (
            "component:app changed:[2020-05-01 to 2020-06-01]",
            &["Open the file"],
        ),
        ("component:app changed:>2020-06", &[]),
        (
            "component:app changed_by:example-translator",
            &["Open the file"],
        ),
        // Both are true of a change each, but of no single one.
        (
            "component:app changed_by:example-translator changed:2019",
            &[],
        ),
        (
            "component:app change_action:new-translation change_time:2019-03-04",
            &["Open the file"],
        ),
        ("component:app change_action:\"Label added\"", &[]),
        ("component:app added:2019", &["Open the file", "Stop now"]),
        ("component:app source_changed:2021", &["Stop now"]),
        ("component:app last_changed:<2020", &["Open the file"]),
        (
            "component:app last_changed:>=2021-07-08T08:00:00Z",
            &["Stop now"],
        ),
        (
            "component:app NOT changed:today",
            &["Open the file", "Stop now"],
        ),
        (
            "label:x OR suggestion:y OR has:comment OR pending:true",
            &[],
        ),
    ] {
        assert_eq!(found(&server, query), wanted, "{query}");
    }
}

#[test]
fn queries_that_cannot_be_read_get_400() {
    let (_site, server) = start();
    for (query, reason) in [
        ("sauce:x", "at character 1: 'sauce' is not a field"),
        (
            "state:nonsense",
            "at character 7: 'nonsense' is not a state",
        ),
        ("position:x", "at character 10: 'x' is not a number"),
        ("added:nonsense", "at character 7: 'nonsense' is not a time"),
        (
            "source:r%22(%22",
            "at character 8: '(' is not a regular expression",
        ),
        (
            "source:(a+OR+b)",
            "at character 8: parentheses can only group whole terms",
        ),
    ] {
        let (status, body) = server.get(&format!("/api/units/?q={query}"));
        assert_eq!(status, 400, "{query}");
        assert!(body.contains(reason), "{query}: {body}");
    }
}

/// The names of the Czech units that a query selects below the root of the current API, sorted.
fn found_in_current(server: &Server, query: &str) -> String {
    const NAMES: [(&str, char); 6] = [
        ("Open the file", 'f'),
        ("Stop now", 's'),
        ("%d letter", 'd'),
        ("Post", 'p'),
        ("Open the letter", 'l'),
        ("Close", 'c'),
    ];
    let encoded = form_urlencoded::byte_serialize(query.as_bytes()).collect::<String>();
    let list = server.json(&format!(
        "/current/api/units/?q=path:shop/-/cs+AND+({encoded})"
    ));
    let results = list["results"].as_array().unwrap();
    let name = |unit: &Value| {
        let source = unit["source"][0].as_str().unwrap();
        NAMES.iter().find(|(own, _)| *own == source).unwrap().1
    };
    let mut names: Vec<char> = results.iter().map(name).collect();
    names.sort_unstable();
    names.into_iter().collect()
}

#[test]
fn every_field_of_the_current_api_finds_its_units() {
    let (_site, server) = start();
    for (query, wanted) in [
        // Texts.
        ("FILE", "f"),
        ("source:open", "fl"),
        ("source:=Post", "p"),
        ("source:=post", ""),
        ("source:r\"^(Stop|Close)\"", "cs"),
        ("target:otevř", "fl"),
        ("target:=Odeslat", "p"),
        ("key:verb", "p"),
        ("context:=verb", "p"),
        ("key:r\"^open$\"", "f"),
        ("note:\"of the developer\"", "d"),
        ("location:letter.c", "dp"),
        ("location:r\"list\"", "d"),
        ("explanation:x", ""),
        ("explanation:\"\"", "cdflps"),
        // Numbers.
        ("position:1 component:app", "f"),
        ("position:[1 to 2] AND component:app", "fs"),
        ("position:>1 component:app", "s"),
        ("position:>=1 component:app", "fs"),
        ("position:<2 component:app", "f"),
        ("position:<=1 component:app", "f"),
        ("id:0", ""),
        ("id:>0", "cdflps"),
        ("priority:100", "cdflps"),
        ("priority:>100", ""),
        ("labels_count:0", "cdflps"),
        ("labels_count:>0", ""),
        // States.
        ("state:empty", "cs"),
        ("state:untranslated", "cs"),
        ("state:needs-editing", "l"),
        ("state:fuzzy", "l"),
        ("state:needs-rewriting", ""),
        ("state:needs-checking", ""),
        ("state:translated", "dfp"),
        ("state:<translated", "cls"),
        ("state:<=needs-editing", "cls"),
        ("state:>empty", "dflp"),
        ("state:>=20", "dfp"),
        ("state:approved", ""),
        ("state:readonly", ""),
        ("source_state:translated", "fs"),
        ("source_state:read-only", "cdlp"),
        ("is:translated", "dfp"),
        ("is:untranslated", "cls"),
        ("is:needs-editing", "l"),
        ("is:fuzzy", "l"),
        (
            "is:approved OR is:read-only OR is:pending OR is:automatically-translated",
            "",
        ),
        // Properties.
        ("has:plural", "d"),
        ("has:translation", "dfp"),
        ("has:context", "fps"),
        ("has:note", "d"),
        ("has:location", "dp"),
        ("has:check", ""),
        ("has:flags OR has:glossary OR has:explanation", ""),
        ("has:suggestion OR has:comment OR has:label", ""),
        ("has:resolved-comment OR has:source_comment", ""),
        ("has:resolved-source-comment OR has:screenshot", ""),
        ("has:dismissed-check OR has:ignored-check", ""),
        ("has:variant OR has:shaping", ""),
        // Places.
        ("language:CS", "cdflps"),
        ("language:=CS OR language:de", ""),
        ("project:SHOP", "cdflps"),
        ("project:sho", ""),
        ("component:\"the app\"", "fs"),
        ("component:=desktop", "cdlp"),
        ("component:desk", "cdlp"),
        ("component:=desk", ""),
        ("path:shop/app", "fs"),
        ("path:-/-/cs", "cdflps"),
        ("path:nowhere", ""),
        // Checks, and what a server without accounts lacks.
        ("check:c_for", ""),
        ("dismissed_check:same", ""),
        ("label:x OR screenshot:x OR suggestion:x OR comment:x", ""),
        (
            "resolved_comment:x OR source_comment:x OR resolved_source_comment:x",
            "",
        ),
        (
            "suggestion_author:x OR comment_author:x OR source_comment_author:x",
            "",
        ),
        ("pending:yes OR pending:TRUE OR pending:on OR pending:1", ""),
        ("pending:no AND pending:false AND pending:0", "cdflps"),
        // Times and changes.
        ("added:2019", "cdflps"),
        ("added:[2019-03-04 to 2019-03-05]", "cdflps"),
        ("added:>2019", "cdflps"),
        ("added:<2019-03-04", "cdflps"),
        ("added:<2019-03-03", ""),
        ("last_changed:>2021", "s"),
        ("source_changed:>=2021-07", "s"),
        ("change_time:2020-05-06", "f"),
        ("change_action:\"String updated in the repository\"", "fs"),
        ("change_action:string-added-in-the-repository", "cdflps"),
        ("change_action:source-string-changed", "l"),
        (
            "change_action:\"Source string changed\" OR changed:2021",
            "l",
        ),
        ("changed_by:weblate:update", ""),
        // Weblate names nobody for the first commit.
        ("changed_by:\"\"", "l"),
        (
            "change_time:2021 change_action:string-added-in-the-repository",
            "",
        ),
        // Operators between terms.
        ("open letter", "l"),
        ("open OR post letter", "fl"),
        ("NOT open", "cdps"),
        ("open AND NOT (file OR x)", "l"),
        ("open -letter", ""),
        ("\"open the\"", "fl"),
        ("'open the' letter", "l"),
    ] {
        assert_eq!(found_in_current(&server, query), wanted, "{query}");
    }
}

#[test]
fn errors_of_queries_have_the_body_of_the_current_api() {
    let (_site, server) = start();
    let syntax = "Failed to parse the query string: Expected end of text, found '('  (at char 0), (line:1, col:1)";
    for (query, reason) in [
        ("nonsense:x", "Unknown search field: nonsense"),
        ("state:nonsense", "Unsupported state: nonsense"),
        ("is:nonsense", "Unsupported lookup for is: nonsense"),
        ("has:nonsense", "Unsupported lookup for has: nonsense"),
        ("position:x", "Could not parse numeric value: x"),
        ("pending:maybe", "Could not parse boolean value: maybe"),
        ("added:nonsense", "Could not parse timestamp: nonsense"),
        ("change_action:nonsense", "Unknown change action: nonsense"),
        ("(", syntax),
    ] {
        // A query is read before the page is looked up.
        for list in ["units/", "translations/shop/app/cs/units/"] {
            let path = format!("/current/api/{list}?page=99&q={query}");
            let (status, body) = server.get(&path);
            let body: Value = serde_json::from_str(&body).unwrap();
            let detail = format!("Could not parse query string: {reason}");
            let error = serde_json::json!({"code": "invalid", "detail": detail, "attr": "q"});
            let expected = serde_json::json!({"type": "validation_error", "errors": [error]});
            assert_eq!((status, body), (400, expected), "{path}");
        }
    }
}

#[test]
fn texts_of_the_current_api_are_searched_as_it_shows_them() {
    let history = commit("one")
        .by_at(ANNA, "2019-03-04 10:00")
        .write(
            "web/en/messages.json",
            r#"{"open": {"message": "Open", "description": "a command"}}"#,
        )
        .write(
            "web/cs/messages.json",
            r#"{"open": {"message": "Otevřít", "description": "of the menu"}}"#,
        )
        .write(
            "app/en.json",
            r#"{"beds_one": "Bed", "beds_other": "Beds"}"#,
        )
        .write("app/cs.json", "{}");
    let site = TestSite::new(&history);
    let repo = site.path("garden.git");
    let [web, app] = ["web", "app"].map(|it| component(it, repo.to_str().unwrap(), it, ""));
    let web = web.replace(".json'", "/messages.json'");
    let web = web.replace("_format = 'json", "_format = 'webextension");
    let app = app.replace("_format = 'json", "_format = 'i18nextv4");
    let config = site.path("gitglot.toml");
    std::fs::write(&config, project("garden", &[web, app])).unwrap();
    let arguments = ["serve", "--config", config.to_str().unwrap()];
    let server = Server::start(&arguments, &site.path("state"));
    for (query, current, older) in [
        // The notes of template and translation are one text.
        ("note:=\"a command\nof the menu\"", 1, 0),
        ("note:=\"a command\"", 0, 1),
        ("note:r\"command$\"", 0, 1),
        ("note:command note:menu", 1, 1),
        // A missing plural has the empty forms of its language.
        ("target:=\"\"", 0, 1),
        ("target:=\"\u{1e}\u{1e}\u{1e}\u{1e}\"", 1, 0),
    ] {
        let query = form_urlencoded::byte_serialize(query.as_bytes()).collect::<String>();
        let count = |root: &str| {
            server.json(&format!("{root}/units/?q=path:garden/-/cs+AND+{query}"))["count"].as_u64()
        };
        let found = (count("/current/api"), count("/api"));
        assert_eq!(found, (Some(current), Some(older)), "{query}");
    }
}
