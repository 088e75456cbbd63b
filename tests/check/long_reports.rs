//! Reports with many findings: a summary, one row per string.

use std::fmt::Write as _;

use super::Run;
use super::common::{History, TestSite, commit};

const LANGUAGES: [&str; 30] = [
    "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "ga", "gl", "hr", "hu", "is", "it",
    "lt", "lv", "mk", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "uk",
];

/// A commit that breaks two strings in 30 languages.
fn broken() -> TestSite {
    let texts = |greeting: &str| {
        let mut text = String::from("{\n");
        for key in ["first", "second"] {
            writeln!(text, "  \"{key}\": \"{greeting}\",").unwrap();
        }
        text + "  \"last\": \"-\"\n}\n"
    };
    let mut first = commit("one").write("locales/en.json", texts("Hello {name} there"));
    for language in LANGUAGES {
        first = first.write(&format!("locales/{language}.json"), texts("{name} xyz"));
    }
    let mut second = first.commit("two");
    for language in LANGUAGES {
        second = second.write(&format!("locales/{language}.json"), texts("xyz"));
    }
    let history: History = second;
    TestSite::new(&history)
}

#[test]
fn many_findings_are_a_summary_with_a_line_per_string() {
    let site = broken();
    let folder = site.repository.dir();
    let file = site.path("all.txt");
    let write = format!("text:{}", file.display());
    let run = Run::new(folder, &["--base", "HEAD~1", "--write", &write]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines.len() <= 30, "{}", run.out);
    let first = lines[0];
    assert!(
        first.contains("brace_format") && first.contains("and 29 more"),
        "{first}"
    );
    assert!(lines.last().unwrap().contains("60 errors"), "{}", run.out);
    // The list is in the file, and behind a flag.
    let all = std::fs::read_to_string(file).unwrap();
    assert_eq!(all.matches("  brace_format  ").count(), 60);
    let run = Run::new(folder, &["--base", "HEAD~1", "--all"]);
    assert_eq!(run.out.matches("  brace_format  ").count(), 60);
}

#[test]
fn markdown_fits_into_a_comment() {
    let texts = |greeting: &str| {
        let text = |key: usize| {
            format!(
                "\"a.long.key_{key}\": \"{greeting} {}\"",
                "word ".repeat(30)
            )
        };
        let texts: Vec<String> = (0..40).map(text).collect();
        format!("{{{}}}", texts.join(",\n"))
    };
    let mut history = commit("one").write("locales/en.json", texts("Hello {name}"));
    for language in LANGUAGES {
        history = history.write(&format!("locales/{language}.json"), texts("xyz"));
    }
    let site = TestSite::new(&history);
    let url = format!("https://example.org/{}/{{path}}#L{{line}}", "x".repeat(80));
    let flags = ["--format", "markdown", "--file-url", &url];
    let text = Run::new(site.repository.dir(), &flags).out;
    assert!(text.len() < 65_536, "{}", text.len());
    assert!(text.contains(" more findings of ") && text.ends_with("</sub>\n"));
    let count = |tag: &str| text.matches(tag).count();
    assert_eq!(count("<details>"), count("</details>"));
}

#[test]
fn the_page_of_a_comparison_has_a_row_per_string() {
    let site = broken();
    let path = site.path("comparison.html");
    let flags = ["--base", "HEAD~1", "--page", path.to_str().unwrap()];
    let run = Run::new(site.repository.dir(), &flags);
    assert_eq!(run.code, 1, "{}", run.err);
    let page = std::fs::read_to_string(path).unwrap();
    assert_eq!(page.matches("in 30 languages").count(), 2, "{page}");
    assert_eq!(page.matches("29 more languages</summary>").count(), 2);
    assert!(page.contains("locales/uk.json:2") && page.contains("60 new findings</caption>"));
}

#[test]
fn the_findings_of_a_string_are_one_row_errors_first() {
    let history = commit("one")
        .write(
            "locales/en.json",
            r#"{"a": "Open now", "b": "Hi {name} <b>there</b>", "c": "Close", "d": "Wait"}"#,
        )
        .write(
            "locales/de.json",
            r#"{"a": "Öffnen", "b": "Hallo {name}, <b>du</b>", "c": "Zu", "d": "Warte"}"#,
        )
        .commit("two")
        .write(
            "locales/en.json",
            r#"{"a": "Open later", "b": "Hi {name} <b>there</b>", "c": "Close", "d": "Wait"}"#,
        )
        .write(
            "locales/de.json",
            r#"{"a": "Öffnen", "b": "Hallo, <b>du", "c": "Zu", "d": "Warte"}"#,
        );
    let site = TestSite::new(&history);
    let path = site.path("comparison.html");
    let flags = ["--base", "HEAD~1", "--page", path.to_str().unwrap()];
    let flags = [&flags[..], &["--format", "markdown"]].concat();
    let run = Run::new(site.repository.dir(), &flags);
    let items: Vec<&str> = run.out.lines().filter(|it| it.starts_with("- `")).collect();
    assert_eq!(items.len(), 2, "{}", run.out);
    assert!(items[0].starts_with("- `brace_format` <code>b</code>"));
    assert!(items[0].contains("<br>**error** <code>xml-invalid</code>"));
    assert!(items[1].starts_with("- `stale` <code>a</code>"));
    let page = std::fs::read_to_string(path).unwrap();
    let (page, _) = page.split_once("id=\"languages\"").unwrap();
    assert_eq!(page.matches("<th scope=\"row\">").count(), 2, "{page}");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
    assert!(at("</strong> xml-invalid") < at("</strong> stale"));
}
