//! The files have what a server responds.

use serde_json::Value;

use std::fs;

use super::common::{History, Server, TestSite, commit, project};
use super::{Examples, Files, errors, garden, garden_config, run, write_garden};

/// The path and query of the server for a file of the API.
fn address(file: &str) -> String {
    let (mut path, mut query) = (String::new(), Vec::new());
    for part in file.trim_end_matches("index.json").split('/') {
        match part.contains('=') {
            true => query.push(part),
            false if !part.is_empty() => path.extend(["/", part]),
            false => {}
        }
    }
    let mark = if query.is_empty() { "" } else { "?" };
    [&*path, "/", mark, &*query.join("&")].concat()
}

/// Compares two bodies; links of the server are relative or null in files.
fn compare(file: &str, server: &Value, site: &Value, base: &str) {
    match (server, site) {
        (Value::Object(a), Value::Object(b)) => {
            assert!(a.keys().eq(b.keys()), "{file}");
            a.values()
                .zip(b.values())
                .for_each(|(a, b)| compare(file, a, b, base));
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{file}");
            a.iter().zip(b).for_each(|(a, b)| compare(file, a, b, base));
        }
        (Value::String(a), b) if a.starts_with(base) => {
            let is_file = b
                .as_str()
                .is_some_and(|b| b.ends_with(".json") || b.ends_with(".html"));
            assert!(is_file || b.is_null(), "{file}: {a} {b}");
        }
        (a, b) => assert_eq!(a, b, "{file}"),
    }
}

#[test]
fn json_files_equal_the_responses_of_the_server_except_for_links() {
    let examples = Examples::new();
    let files = examples.write("site", &["--strings", "none"]);
    let state = examples.path("state");
    let server = Server::start(&["serve", "--config", &examples.config()], &state);
    let mut count = 0;
    for file in files.with("index.json") {
        compare(
            file,
            &server.json(&address(file)),
            &files.json(file),
            &server.base,
        );
        count += 1;
    }
    assert!(count > 500, "{count}");
    let badge = "widgets/seedbook/de/svg-badge.svg";
    assert_eq!(server.get(&["/", badge].concat()).1, files.text(badge));
}

#[test]
fn a_site_is_small_unless_options_ask_for_more() {
    let site = garden();
    let config = garden_config(&site);
    let mut command = super::gitglot();
    command.args(["site", "--config", &config]);
    let output = command.arg(site.path("public")).output().unwrap();
    let summary = errors(&output);
    assert!(summary.contains(" MB ("), "{summary}");
    let files = Files::read(&site.path("public"));
    assert!(!files.0.keys().any(|path| path.starts_with("api/")));
    // The German rose equals the source, which is a failing check; nothing is wrong with the seed.
    let of_strings = |code: &str| {
        let folder = format!("translate/garden/app/{code}/checksum=");
        let pages = files.0.keys().filter(|path| path.starts_with(&folder));
        pages.count()
    };
    assert_eq!((of_strings("de"), of_strings("en")), (1, 0));
}

#[test]
fn the_status_of_a_project_has_all_figures() {
    let files = write_garden(&garden(), &[]);
    let status = files.json("projects/garden/status.json");
    assert_eq!(status["total"]["total"], 6);
    let names = [
        "code",
        "total",
        "translated",
        "translated_percent",
        "stale",
        "missing",
    ];
    let german = &status["languages"][2];
    let figures: Vec<String> = names.iter().map(|name| german[*name].to_string()).collect();
    assert_eq!(figures.join(" "), "\"de\" 2 2 100.0 0 0");
    assert_eq!(
        status["components"][0]["translations"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn the_search_index_has_every_string() {
    let files = write_garden(&garden(), &["--strings", "attention"]);
    let keys = files.text("search/garden/app/keys.js");
    assert!(
        keys.starts_with("gitglotIndex(\"garden/app/keys.js\",{"),
        "{keys}"
    );
    assert!(
        keys.contains(r#""sources":["Seed","A red rose"]"#),
        "{keys}"
    );
    let texts = files.text("search/garden/app/texts/de.js");
    // The German rose equals the source, which is a failing check.
    assert!(
        texts.contains(r#""pages":[1],"targets":["Samen","A red rose"]"#),
        "{texts}"
    );
    let page = files.text("search/index.html");
    assert!(
        page.contains("<noscript>") && page.contains("<script src=\"search.js\">"),
        "{page}"
    );
    let list = files.text("translate/garden/app/de/index.html");
    assert!(
        list.contains("action=\"../../../../search/index.html\""),
        "{list}"
    );
    assert!(
        list.contains("<input type=\"hidden\" name=\"lang\" value=\"de\">"),
        "{list}"
    );
}

#[test]
fn packed_strings_are_in_shards_that_their_page_loads() {
    let files = write_garden(&garden(), &["--strings", "packed"]);
    let all = files.text("translate/garden/app/~others/all.js");
    let checksum = all.split('"').nth(1).unwrap();
    let list = files.text("translate/garden/app/de/index.html");
    let link = format!("href=\"string/index.html#{checksum}\"");
    assert!(list.contains(&link), "{list}");
    let page = files.text("translate/garden/app/de/string/index.html");
    assert!(page.contains("<noscript>") && page.contains("href=\"../index.html\""));
    let shard = files.text("translate/garden/app/de/string/0.js");
    assert!(shard.starts_with("gitglotStrings(0,[\""), "{shard}");
    assert!(shard.contains("Samen") && shard.contains("<!--others-->"));
    let others = files.text("translate/garden/app/~others/0.js");
    let sibling = format!("../../cs/string/index.html#{checksum}");
    assert!(
        others.contains(&sibling) && others.contains("Semeno"),
        "{others}"
    );
    assert!(!files.0.keys().any(|path| path.contains("checksum=")));
    let unit = &files.json("api/units/index.json")["results"][0];
    assert!(
        unit["url"].is_null()
            && unit["web_url"]
                .as_str()
                .unwrap()
                .contains("/string/index.html#")
    );
}

#[test]
fn pages_of_strings_equal_those_of_the_server_except_for_links() {
    let examples = Examples::new();
    let files = examples.write("site", &["--strings", "all", "--base-url", "http://h/x/"]);
    let state = examples.path("state");
    let server = Server::start(&["serve", "--config", &examples.config()], &state);
    // The site adds what describes a page where it is shared, and lacks what needs a server.
    let links =
        regex::Regex::new("(?s) (href|action)=\"[^\"]*\"| · <a[^>]*>go to line</a>").unwrap();
    let plain = |page: &str| {
        let head = page.find("<main").unwrap();
        let foot = page.find("<footer").unwrap();
        links.replace_all(&page[head..foot], "").into_owned()
    };
    let mut count = 0;
    for file in files
        .with("/index.html")
        .filter(|file| file.contains("checksum="))
    {
        let page = server
            .get(&address(&file.replace("index.html", "index.json")))
            .1;
        assert_eq!(plain(files.text(file)), plain(&page), "{file}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}

#[test]
fn a_shallow_clone_is_an_error_that_names_the_option() {
    let site = garden();
    let tip = site.repository.tip("main");
    std::fs::write(site.repository.dir().join("shallow"), format!("{tip}\n")).unwrap();
    let output = run(&site.path("public"), &["--config", &garden_config(&site)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors(&output).contains("fetch-depth: 0"),
        "{}",
        errors(&output)
    );
    assert!(!site.path("public").exists());
}

/// Runs the script of the action in the repository, with the built program.
#[cfg(unix)]
fn run_action(
    site: &super::TestSite,
    variables: &[(&str, &std::ffi::OsStr)],
) -> std::process::Output {
    let programs = std::path::Path::new(env!("CARGO_BIN_EXE_gitglot"))
        .parent()
        .unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path)),
    );
    std::process::Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/ci/github-site.sh"))
        .current_dir(site.repository.dir())
        .env("PATH", path.unwrap())
        .env_remove("GITGLOT_CONFIG")
        .env_remove("GITHUB_EVENT_NAME")
        .env_remove("GITHUB_EVENT_PATH")
        .env_remove("GITHUB_OUTPUT")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

#[test]
#[cfg(unix)]
fn the_action_writes_a_site_and_names_its_directory() {
    let site = garden();
    let (output, public) = (site.path("output"), site.path("public"));
    let status = run_action(
        &site,
        &[
            ("GITHUB_OUTPUT", output.as_os_str()),
            ("INPUT_SITE_DIRECTORY", public.as_os_str()),
            ("INPUT_BASE_URL", "https://user.example.org/repo".as_ref()),
            ("INPUT_STRINGS", "none".as_ref()),
            ("INPUT_CHANGES", "recent".as_ref()),
            ("INPUT_EXPORTS", "true".as_ref()),
        ],
    );
    super::success(&status);
    let named = std::fs::read_to_string(output).unwrap();
    assert_eq!(named.trim(), format!("site={}", public.display()));
    let files = super::Files::read(&public);
    let map = files.text("sitemap.xml");
    assert!(
        map.contains("<loc>https://user.example.org/repo/projects/"),
        "{map}"
    );
    assert!(
        files
            .with(".csv")
            .any(|path| path.starts_with("exports/stats/"))
    );
}

#[test]
#[cfg(unix)]
fn the_action_needs_no_project_in_the_settings_of_the_check() {
    let site = garden();
    let settings = site.repository.dir().join("gitglot.toml");
    std::fs::write(settings, "[check.severity]\nsame = \"off\"\n").unwrap();
    let public = site.path("public");
    let output = run_action(&site, &[("INPUT_SITE_DIRECTORY", public.as_os_str())]);
    super::success(&output);
    assert!(public.join("index.html").exists());
}

#[test]
#[cfg(unix)]
fn the_action_writes_no_site_for_a_pull_request() {
    let site = garden();
    let public = site.path("public");
    for event in ["pull_request", "pull_request_target"] {
        let output = run_action(
            &site,
            &[
                ("GITHUB_EVENT_NAME", event.as_ref()),
                ("INPUT_SITE_DIRECTORY", public.as_os_str()),
            ],
        );
        assert_eq!(output.status.code(), Some(1));
        assert!(errors(&output).contains("Run this job on push"));
        assert!(!public.exists());
    }
    // A workflow that runs after another one gets the head of a pull request from it.
    let payload = site.path("event.json");
    for (event, is_written) in [("pull_request", false), ("push", true)] {
        let text = format!("{{\"workflow_run\": {{\"event\": \"{event}\", \"id\": 1}}}}");
        std::fs::write(&payload, text).unwrap();
        let variables: [(&str, &std::ffi::OsStr); 3] = [
            ("GITHUB_EVENT_NAME", "workflow_run".as_ref()),
            ("GITHUB_EVENT_PATH", payload.as_os_str()),
            ("INPUT_SITE_DIRECTORY", public.as_os_str()),
        ];
        let output = run_action(&site, &variables);
        assert_eq!(output.status.success(), is_written, "{}", errors(&output));
        assert_eq!(public.exists(), is_written);
    }
}

#[test]
fn the_search_index_of_bilingual_files_has_the_texts_of_each_string() {
    let entry = |source: &str, text: &str| format!("msgid \"{source}\"\nmsgstr \"{text}\"\n\n");
    // Each file has its own strings in its own order.
    let cs = [entry("Seed", "Semeno"), entry("Rose", "Růže")].concat();
    let de = [entry("Rose", ""), entry("Leaf", "Blatt")].concat();
    let site = TestSite::new(&commit("one").write("po/cs.po", cs).write("po/de.po", de));
    let written = |strings: &str| {
        let path = site.path("gitglot.toml");
        let repo = site.repository.dir().to_str().unwrap();
        let component = format!(
            "[[project.component]]\nslug = 'app'\nrepo = '{repo}'\nfilemask = 'po/*.po'\nfile_format = 'po'\n"
        );
        fs::write(&path, project("garden", &[component])).unwrap();
        let (state, public) = (tempfile::tempdir().unwrap(), site.path(strings));
        let state = state.path().to_str().unwrap();
        let options = [
            "--config",
            path.to_str().unwrap(),
            "--state-dir",
            state,
            "--strings",
            strings,
        ];
        super::success(&run(&public, &options));
        Files::read(&public)
    };
    let files = written("all");
    let keys = files.text("search/garden/app/keys.js");
    assert!(
        keys.contains(r#""sources":["Seed","Rose","Leaf"]"#),
        "{keys}"
    );
    let texts = |files: &Files, code: &str| {
        let name = format!("search/garden/app/texts/{code}.js");
        files.text(&name).split_once(',').unwrap().1.to_owned()
    };
    assert_eq!(
        [texts(&files, "cs"), texts(&files, "de")],
        [
            "{\"pages\":[0,1],\"targets\":[\"Semeno\",\"Růže\",\"\"]});\n",
            "{\"pages\":[1,2],\"targets\":[\"\",\"\",\"Blatt\"]});\n"
        ]
    );
    let files = written("attention");
    let german = texts(&files, "de");
    assert!(german.starts_with("{\"pages\":[1],"), "{german}");
}

/// The bytes of a page and of all that it loads, without the index of the search.
fn weight(files: &Files, page: &str) -> usize {
    let loaded = regex::Regex::new(r#"(?:src|rel="stylesheet" href)="([^"?]*)"#).unwrap();
    let text = files.text(page);
    let links = loaded.captures_iter(text).map(|link| {
        let name = link[1].rsplit('/').next().unwrap().to_owned();
        ["static/", &*name].concat()
    });
    let links: std::collections::BTreeSet<String> = links.collect();
    let sizes = links.iter().filter_map(|path| files.0.get(path));
    text.len() + sizes.map(Vec::len).sum::<usize>()
}

#[test]
fn pages_of_many_languages_and_long_histories_stay_light() {
    let codes = ('a'..='e').flat_map(|first| ('a'..='u').map(move |second| [first, second]));
    let codes: Vec<String> = codes.map(String::from_iter).collect();
    let text = |code: &str, round: usize| {
        let sentence = format!("Текст на языке {code}, версия {round}. ").repeat(8);
        format!(r#"{{"title": "Title {code}", "long": "{sentence}"}}"#)
    };
    let mut history = commit("one").write("l/en.json", text("en", 0));
    for code in &codes {
        history = history.write(&format!("l/{code}.json"), text(code, 0));
    }
    let mut site = TestSite::new(&history);
    for round in 1..=30 {
        let name = format!("round {round}");
        site.repository
            .push(&commit(&name).write("l/cs.json", text("cs", round)));
    }
    let files = write_garden(
        &site,
        &["--base-url", "https://user.example.org/repository/"],
    );
    let pages = files.with(".html");
    let pages = pages.filter(|path| !path.starts_with("search/") && !path.starts_with("api/"));
    let weights = pages.map(|path| (weight(&files, path), path));
    let (most, page) = weights.max().unwrap();
    assert!(most <= 60_000, "{page}: {most} bytes");

    // The longest history: texts of the newest entries, and all entries.
    let of_string = |path: &&str| path.starts_with("translate/garden/app/cs/checksum=");
    let page = files
        .with(".html")
        .filter(of_string)
        .map(|it| files.text(it));
    let page = page.max_by_key(|page| page.len()).unwrap();
    assert_eq!(page.matches("class=\"entry\"").count(), 32);
    assert!(page.contains("версия 30") && !page.contains("версия 9"));
    let older = "href=\"../../../../../changes/component=app/lang=cs/project=garden/index.html\"";
    assert!(page.contains(older), "{page}");
    // All languages but the page's own and `dk`, which is `da`; their texts are cut.
    let rows = page.matches("<tr><th scope=\"row\">").count();
    assert_eq!(rows, codes.len() - 2);
    assert!(page.contains("…</bdi></td>"));
}

#[test]
fn documents_by_language_are_light_and_link_their_pages() {
    let codes = [
        "ar", "bn", "cs", "de", "es", "fr", "it", "ja", "ko", "pl", "pt", "ru", "uk", "zh",
    ];
    let names: Vec<String> = (0..60)
        .map(|at| format!("reference/configuration/of-the-program/page-{at:02}.md"))
        .collect();
    let write = |history: History, code: &str, text: &str| {
        names.iter().fold(history, |history, name| {
            history.write(&format!("docs/{code}/{name}"), format!("{text} {name}"))
        })
    };
    let history = codes
        .iter()
        .fold(commit("one"), |history, code| write(history, code, code));
    let history = write(history, "en", "Text");
    let history = history.write(
        &format!("docs/de/{}", names[0]),
        "<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> b\n",
    );
    let site = TestSite::new(&write(history.commit("two"), "en", "Another"));
    let path = site.path("gitglot.toml");
    let repo = site.repository.dir().to_str().unwrap();
    let component = format!(
        "[[project.component]]\nslug = 'documents'\nrepo = '{repo}'\nfilemask = 'docs/*/**'\ntemplate = 'docs/en'\nfile_format = 'document'\n"
    );
    fs::write(&path, project("garden", &[component])).unwrap();
    let state = tempfile::tempdir().unwrap();
    let (public, state) = (site.path("public"), state.path().to_str().unwrap());
    let config = ["--config", path.to_str().unwrap(), "--state-dir", state];
    let options = ["--strings", "attention", "--changes", "recent", "--exports"];
    super::success(&run(&public, &[&config[..], &options].concat()));
    let files = Files::read(&public);
    let pages = files
        .with(".html")
        .filter(|it| it.starts_with("documents/"));
    let pages: Vec<&str> = pages.collect();
    assert_eq!(pages.len(), 4 + 14 * 3, "{pages:?}");
    let heaviest = pages.iter().map(|path| (weight(&files, path), path));
    let (most, page) = heaviest.max().unwrap();
    assert!(most <= 60_000, "{page}: {most} bytes");
    let first = files.text("documents/garden/documents/index.html");
    let cell = regex::Regex::new(
        r#"<td class="k-stale"><a href="\.\./\.\./\.\./(translate/garden/documents/ar/checksum=[0-9a-f]+/index\.html)#stale">minor, 0 days</a>"#,
    );
    let cell = cell.unwrap().captures(first).expect("no stale cell");
    assert!(files.text(&cell[1]).contains("id=\"stale\""));
    assert!(
        first.contains("lang=zh_Hans/index.html\" title=\"Chinese") && !first.contains("<form")
    );
    let data = files.text("exports/documents/garden/documents/format=csv/index.csv");
    assert_eq!(data.lines().count(), 1 + 60 * 14);
    let status = files.json("projects/garden/status.json");
    let languages = status["languages"].as_array().unwrap().iter();
    let failing: Vec<_> = languages
        .filter(|it| it["failing"] != 0)
        .map(|it| (&it["code"], &it["failing"]))
        .collect();
    assert_eq!(failing, [(&"de".into(), &1.into())], "{status}");
}

#[test]
fn a_site_without_strings_has_the_lists_that_need_attention() {
    let site = garden();
    let files = write_garden(&site, &["--strings", "none", "--changes", "recent"]);
    let list = |kind: &str| files.has(&format!("translate/garden/app/de/{kind}index.html"));
    assert!(list("") && list("type=allchecks/") && list("type=check~3Asame/"));
    assert!(!list("type=translated/"));
    let page = files.text("translate/garden/app/de/index.html");
    assert!(
        page.contains("<th scope=\"row\"><bdi>seed</bdi></th>"),
        "{page}"
    );
    let page = files.text("projects/garden/app/de/index.html");
    assert!(
        page.contains("<th scope=\"row\"><a>Translated</a></th>"),
        "{page}"
    );
}
