//! Every link leads to a file, without a server and below any prefix.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::Value;

use super::{Examples, Files, TestSite, commit, write_garden};

/// The path that a relative link leads to; panics if that is outside of the site.
fn resolved(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split(['?', '#']).next().unwrap().split('/') {
        match part {
            ".." => assert!(parts.pop().is_some(), "{from}: {link} leaves the site"),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The strings of JSON that are links to files.
fn json_links(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| json_links(value, found)),
        Value::Object(fields) => {
            // The name of a file is that in its repository.
            let file = fields.get("file_url").and_then(Value::as_str);
            found.extend(file.map(str::to_owned));
            fields.values().for_each(|value| json_links(value, found));
        }
        Value::String(text) if text.ends_with("/index.json") || text.ends_with("/index.html") => {
            found.push(text.clone());
        }
        _ => {}
    }
}

/// Follows every link, script, image and form of a site. Returns the files that are reached.
fn follow_all(files: &Files) -> BTreeSet<String> {
    let attribute =
        Regex::new(r#"\s(?:(?:xlink:)?href|src|action|data-events)="([^"]*)""#).unwrap();
    let mut reached = BTreeSet::new();
    let pages = files.with(".html");
    for path in pages.chain(files.with(".svg")) {
        for link in attribute.captures_iter(files.text(path)) {
            let link = &link[1];
            if link.starts_with("https://") || link.starts_with("http://") || link.starts_with('#')
            {
                continue;
            }
            assert!(
                !link.starts_with('/'),
                "{path}: {link} needs the root of a server"
            );
            let to = resolved(path, link);
            assert!(files.has(&to), "{path}: {link} leads to no file");
            reached.insert(to);
        }
    }
    // Files of the repository can be anything.
    for path in files.with("/index.json") {
        let mut links = Vec::new();
        json_links(&files.json(path), &mut links);
        for link in links {
            let to = resolved(path, &link);
            assert!(files.has(&to), "{path}: {link} leads to no file");
            reached.insert(to);
        }
    }
    reached
}

#[test]
fn every_link_of_the_examples_leads_to_a_file() {
    let examples = Examples::new();
    let files = examples.write("all", &["--exports"]);
    let reached = follow_all(&files);
    let is_extra = |path: &&str| {
        let ends = [".js", "status.json", ".nojekyll", "gitglot-site.txt"];
        ends.iter().any(|end| path.ends_with(end))
    };
    let lost: Vec<&str> = files.0.keys().map(String::as_str).collect();
    let lost: Vec<&str> = lost
        .into_iter()
        .filter(|path| !is_extra(path) && !reached.contains(*path))
        .collect();
    assert_eq!(lost, Vec::<&str>::new(), "files to which nothing links");
    assert!(files.has("download/seedbook/app/de/de.json"));
    assert!(files.has("exports/stats/seedbook/app/format=csv/index.csv"));

    let fewer = examples.write("attention", &["--strings", "attention"]);
    follow_all(&fewer);
    assert!(fewer.0.len() < files.0.len() / 2, "{}", fewer.0.len());
    let recent = examples.write("recent", &["--changes", "recent", "--strings", "none"]);
    follow_all(&recent);
    assert!(recent.has("changes/page=5/index.html") && !recent.has("changes/page=6/index.html"));
}

#[test]
fn exported_files_that_browsers_would_run_are_plain_text() {
    let strings = |text: &str| format!("<resources><string name=\"a\">{text}</string></resources>");
    let history = commit("one")
        .write("res/values/strings.xml", strings("Seed"))
        .write("res/values-cs/strings.xml", strings("Semeno"));
    let site = TestSite::new(&history);
    let path = site.path("gitglot.toml");
    let repo = site.repository.dir().to_str().unwrap();
    let component = format!(
        "[[project.component]]\nslug = 'app'\nrepo = '{repo}'\nfilemask = 'res/values-*/strings.xml'\n\
         template = 'res/values/strings.xml'\nfile_format = 'aresource'\n"
    );
    std::fs::write(&path, super::project("garden", &[component])).unwrap();
    let (state, public) = (tempfile::tempdir().unwrap(), site.path("public"));
    let (config, state) = (path.to_str().unwrap(), state.path().to_str().unwrap());
    let options = ["--config", config, "--state-dir", state, "--exports"];
    super::success(&super::run(&public, &options));
    let files = Files::read(&public);
    let cs = files.text("download/garden/app/cs/strings.xml.txt");
    assert!(cs.contains("Semeno"));
    assert_eq!(files.with(".xml").next(), None);
    follow_all(&files);
}

#[test]
fn texts_and_names_of_a_hostile_repository_are_not_links_or_paths() {
    let texts =
        r#"{"http://g.invalid/": "<a href=\"/x\">", "/g/": "..", "": "http://g.invalid/g/x"}"#;
    let mut history = commit("one").write("l/en.json", texts);
    for name in [
        "page=2",
        "x&amp;y",
        "index.html",
        "..%2f",
        "a\"><img src=x>",
        "con",
        "ěš",
        ".git",
        "-",
    ] {
        history = history.write(&format!("l/{name}.json"), texts);
    }
    let site = TestSite::new(&history);
    let files = write_garden(&site, &["--exports"]);
    follow_all(&files);
    let page = files.json("api/units/index.json");
    let sources: Vec<&str> = page["results"]
        .as_array()
        .unwrap()
        .iter()
        .take(3)
        .map(|unit| unit["source"].as_str().unwrap())
        .collect();
    assert_eq!(sources, ["<a href=\"/x\">", "..", "http://g.invalid/g/x"]);
    for path in files.0.keys() {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.@+,=~/".contains(c);
        assert!(path.chars().all(fits) && !path.contains(".."), "{path}");
    }
    for path in files.with(".html") {
        assert!(!files.text(path).contains("<img src=x"), "{path}");
    }
}

#[test]
fn absolute_links_begin_with_the_base_url() {
    const BASE: &str = "https://user.example.org/repo/";
    let examples = Examples::new();
    let files = examples.write("based", &["--base-url", BASE, "--strings", "none"]);
    follow_all(&files);
    let absolute = Regex::new(r#"https://user\.example\.org/repo([^"<)\s`]*)"#).unwrap();
    let mut count = 0;
    for path in files.0.keys().filter(|path| !path.ends_with(".png")) {
        for link in absolute.captures_iter(&String::from_utf8_lossy(&files.0[path])) {
            let at = link[1].strip_prefix('/').unwrap_or(&link[1]);
            let page = [at, "index.html"].concat();
            assert!(files.has(at) || files.has(&page), "{path}: {}", &link[0]);
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
    let project = files.text("projects/seedbook/index.html");
    for part in [
        "<link rel=\"canonical\" href=\"https://user.example.org/repo/projects/seedbook/\">",
        "<meta property=\"og:title\" content=\"Seedbook · gitglot\">",
        "og:image\" content=\"https://user.example.org/repo/widgets/seedbook/-/287x66-grey.png\">",
        "[![Translated](https://user.example.org/repo/widgets/seedbook/-/svg-badge.svg)]",
    ] {
        assert!(project.contains(part), "{part}: {project}");
    }
    assert!(
        files
            .text("sitemap.xml")
            .contains("<loc>https://user.example.org/repo/projects/seedbook/app/de/</loc>")
    );
    assert!(
        files
            .text("exports/rss/index.xml")
            .contains("<link>https://user.example.org/repo/</link>")
    );

    let without = examples.write("unknown", &["--strings", "none"]);
    assert!(!without.has("sitemap.xml") && !without.has("exports/rss/index.xml"));
    let project = without.text("projects/seedbook/index.html");
    assert!(
        !project.contains("[![") && !project.contains("canonical") && !project.contains("Feed")
    );
}
