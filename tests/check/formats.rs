//! The output formats.

use serde_json::Value;

use super::common::{TestSite, commit};
use super::{Run, history, site};

fn written(format: &str) -> String {
    let site = site();
    let flags = ["--revision", "change", "--base", "main", "--format", format];
    let run = Run::new(site.repository.dir(), &flags);
    assert_eq!(run.code, 1);
    // The path of the repository differs from run to run.
    run.out
        .replace(&site.repository.dir().display().to_string(), "/garden.git")
}

#[test]
fn text_is_grouped_by_file() {
    insta::assert_snapshot!(written("text"));
}

#[test]
fn github_gets_a_command_per_string_and_check() {
    let text = written("github");
    assert!(
        text.lines()
            .all(|line| line.starts_with("::error file=") || line.starts_with("::warning file=")),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

#[test]
fn gitlab_gets_issues_with_unique_fingerprints() {
    let text = written("gitlab");
    let issues: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut prints: Vec<&str> = issues
        .iter()
        .map(|issue| issue["fingerprint"].as_str().unwrap())
        .collect();
    let all = prints.len();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), all);
    insta::assert_snapshot!(text);
}

#[test]
fn sarif_names_every_rule() {
    let text = written("sarif");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let location = &result["locations"][0]["physicalLocation"];
        assert!(location["region"]["startLine"].as_u64() > Some(0));
        assert!(
            location["artifactLocation"]["uri"]
                .as_str()
                .unwrap()
                .starts_with("locales/")
        );
    }
    insta::assert_snapshot!(text);
}

/// Checks that a text is well-formed XML, and returns the names of its elements with their number.
fn elements(text: &str) -> std::collections::BTreeMap<String, usize> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut found = std::collections::BTreeMap::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(start) | quick_xml::events::Event::Empty(start) => {
                for attribute in start.attributes() {
                    attribute
                        .unwrap()
                        .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                        .unwrap();
                }
                *found.entry(start.name().as_ref().to_owned()).or_insert(0) += 1;
            }
            quick_xml::events::Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn junit_has_a_case_per_finding() {
    let text = written("junit");
    let found = elements(&text);
    let attribute = |name: &str| -> usize {
        let rest = text.split_once(&format!(" {name}=\"")).unwrap().1;
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    assert_eq!(found["testcase"], attribute("tests"));
    assert_eq!(found["failure"], attribute("failures"));
    assert_eq!(found["skipped"], attribute("skipped"));
    insta::assert_snapshot!(text);
}

#[test]
fn checkstyle_has_an_error_per_finding() {
    let text = written("checkstyle");
    assert_eq!(elements(&text)["file"], 2);
    insta::assert_snapshot!(text);
}

#[test]
fn markdown_is_a_list() {
    insta::assert_snapshot!(written("markdown"));
}

#[test]
fn places_in_markdown_are_links_to_the_lines() {
    let site = site();
    let url = "https://example.org/blob/x/{path}#L{line}";
    let flags = ["--revision", "change", "--format", "markdown", "--file-url"];
    let run = Run::new(site.repository.dir(), &[&flags[..], &[url]].concat());
    let link = "<a href=\"https://example.org/blob/x/locales/de.json#L2\"><code>locales/de.json:2</code></a>";
    assert!(run.out.contains(link), "{}", run.out);
}

#[test]
fn places_are_links_to_the_host_of_the_remote() {
    let site = site();
    let folder = site.repository.dir();
    let remote = ["remote", "add", "origin", "git@github.com:some/app.git"];
    let status = std::process::Command::new("git")
        .current_dir(folder)
        .args(remote)
        .status();
    assert!(status.unwrap().success());
    let page = site.path("comparison.html");
    let flags = ["--revision", "change", "--base", "main", "--format", "json"];
    let markdown = site.path("report.md");
    let write = format!("markdown:{}", markdown.display());
    let files = ["--page", page.to_str().unwrap(), "--write", &write];
    let run = Run::new(folder, &[&flags[..], &files].concat());
    let commit = run.json()["commit"].as_str().unwrap().to_owned();
    let link = format!("https://github.com/some/app/blob/{commit}/locales/de.json#L2\"");
    for path in [page, markdown] {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(&link), "{link}: {text}");
    }
}

#[test]
fn a_comparison_is_a_page_that_loads_nothing() {
    let history = history().commit("three").write(
        "locales/fr.json",
        r#"{"title": "<img src=x onerror=alert(1)>"}"#,
    );
    let site = TestSite::new(&history);
    let path = site.path("comparison.html");
    let run = Run::new(
        site.repository.dir(),
        &[
            "--revision",
            "change",
            "--base",
            "main",
            "--page",
            path.to_str().unwrap(),
        ],
    );
    assert_eq!(run.code, 1, "{}", run.err);
    let page = std::fs::read_to_string(path).unwrap();
    for part in [
        "Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"",
        "new findings</caption>",
        "changed texts</caption>",
        "Choose your <del>colour</del>",
        "Choose your <ins>color</ins>",
        "locales/fr.json",
        "&#60;img src=x onerror=alert(1)&#62;",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for part in ["<script", "<img", " href=\"", " src=\""] {
        assert!(!page.contains(part), "{part}: {page}");
    }
    let run = Run::new(site.repository.dir(), &["--page", "x.html"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--base"), "{}", run.err);
}

#[test]
fn several_formats_and_badges_are_written_to_files() {
    let site = site();
    let path = |name: &str| site.path(name).display().to_string();
    let formats = [
        format!("json:{}", path("r.json")),
        format!("sarif:{}", path("r.sarif")),
    ];
    let (svg, endpoint) = (path("badge.svg"), path("badge.json"));
    let flags = [
        "--write",
        &formats[0],
        "--write",
        &formats[1],
        "--badge",
        &svg,
        "--badge-json",
        &endpoint,
    ];
    let run = Run::new(site.repository.dir(), &flags);
    assert_eq!(run.code, 0, "{}", run.err);
    for name in ["r.json", "r.sarif", "badge.json"] {
        serde_json::from_str::<Value>(&std::fs::read_to_string(site.path(name)).unwrap()).unwrap();
    }
    let badge = std::fs::read_to_string(site.path("badge.svg")).unwrap();
    assert!(elements(&badge).contains_key("svg") && badge.contains("100%"));
    insta::assert_snapshot!(std::fs::read_to_string(site.path("badge.json")).unwrap(), @r#"{"schemaVersion":1,"label":"translated","message":"100%","color":"brightgreen"}"#);
    let run = Run::new(site.repository.dir(), &["--write", "nope:x"]);
    assert_eq!(run.code, 2);
}

#[test]
fn the_plurals_of_rails_are_one_string() {
    let en = "en:\n  files:\n    one: one file\n    other: \"%{count} files\"\n";
    let history = commit("one").write("config/locales/en.yml", en);
    let findings = |language: &str, forms: &str| {
        let text = format!("{language}:\n  files:\n{forms}");
        let path = format!("config/locales/{language}.yml");
        let site = TestSite::new(&history.clone().write(&path, text));
        Run::new(site.repository.dir(), &["--format", "json"]).findings()
    };
    let few = "    one: soubor\n    few: \"%{count} soubory\"\n    other: \"%{count} souborů\"\n";
    assert!(findings("cs", few).is_empty());
    let lost = "    one: soubor\n    other: \"%{count} souborů\"\n";
    assert_eq!(
        findings("cs", lost),
        ["config/locales/cs.yml files plurals"]
    );
    assert_eq!(
        findings("de", few),
        ["config/locales/de.yml files left-over"]
    );
}

#[test]
fn a_category_that_the_language_does_not_have_is_left_over() {
    let plurals = |items: &[(&str, &str)]| {
        let item = |(category, text): &(&str, &str)| {
            format!("<item quantity=\"{category}\">{text}</item>")
        };
        let items: String = items.iter().map(item).collect();
        format!("<resources><plurals name=\"files\">{items}</plurals></resources>")
    };
    let en = plurals(&[("one", "%d file"), ("other", "%d files")]);
    let de = plurals(&[
        ("one", "%d Datei"),
        ("few", "%d Dateien"),
        ("other", "%d Dateien"),
    ]);
    let history = commit("one")
        .write("app/src/main/res/values/strings.xml", en)
        .write("app/src/main/res/values-de/strings.xml", de);
    let site = TestSite::new(&history);
    let run = Run::new(site.repository.dir(), &["--format", "json"]);
    assert_eq!(
        run.findings(),
        ["app/src/main/res/values-de/strings.xml files left-over"]
    );
    assert_eq!(run.code, 0);
}

#[test]
fn a_singular_may_lack_its_number_but_not_a_brace() {
    let en = r#"{"n": "{{count}} file", "n_plural": "{{count}} files"}"#;
    let of = |language: &str, text: &str| {
        let history = commit("one").write("locales/en.json", en);
        let site = TestSite::new(&history.write(&format!("locales/{language}.json"), text));
        Run::new(site.repository.dir(), &["--format", "json"]).findings()
    };
    let plural = r#""n_plural": "{{count}} Dateien""#;
    assert!(of("de", &format!(r#"{{"n": "eine Datei", {plural}}}"#)).is_empty());
    let open = of("de", &format!(r#"{{"n": "{{{{count Datei", {plural}}}"#));
    assert_eq!(open, ["locales/de.json n i18next_interpolation"]);
    // The only text is for all numbers.
    let only = of("ja", r#"{"n": "ファイル"}"#);
    assert!(
        only.contains(&"locales/ja.json n i18next_interpolation".to_owned()),
        "{only:?}"
    );
}

#[test]
fn a_text_of_i18next_is_not_compared_with_forms_next_to_it() {
    let en = r#"{"n_zero": "None", "n_one": "1 file", "n": "{{count}} files", "m_one": "1", "m_other": "2"}"#;
    let of = |de: &str| {
        let history = commit("one").write("locales/en.json", en);
        let site = TestSite::new(&history.write("locales/de.json", de));
        Run::new(site.repository.dir(), &["--format", "json"]).findings()
    };
    let de = r#"{"n_zero": "Keine", "n_one": "1 Datei", "n": "{{count}} Dateien", "m_one": "1", "m_other": "2"}"#;
    assert_eq!(of(de), Vec::<String>::new());
}
