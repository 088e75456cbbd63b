//! Keys and texts that try to be something else, and many findings.

use serde_json::{Value, json};

use super::Run;
use super::common::{TestSite, commit};

const KEYS: [&str; 8] = [
    "a\nb::error::owned",
    "::set-output name=x::y",
    "100%0A::error::owned",
    "\u{1b}]0;title\u{7}\u{1b}[31mred",
    "\u{202e}reversed\u{2066}",
    "<script>alert(1)</script> ]]> \"quoted\" 'single'",
    "| a | `code` @someone [link](https://example.org) **bold** |",
    "\u{0}\u{85}\u{2028}",
];

fn hostile() -> TestSite {
    let source: Value = KEYS
        .iter()
        .map(|key| ((*key).to_owned(), json!(format!("Text {{name}} {key}"))))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let target: Value = KEYS
        .iter()
        .map(|key| ((*key).to_owned(), json!(format!("Tekst {key}"))))
        .collect::<serde_json::Map<_, _>>()
        .into();
    TestSite::new(
        &commit("one")
            .write("locales/en.json", source.to_string())
            .write("locales/nl.json", target.to_string()),
    )
}

fn has_active(text: &str) -> bool {
    text.chars().any(|c| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}')
    })
}

#[test]
fn nothing_is_injected_into_any_format() {
    let site = hostile();
    for format in [
        "text",
        "json",
        "github",
        "gitlab",
        "sarif",
        "junit",
        "markdown",
        "checkstyle",
    ] {
        let run = Run::new(site.repository.dir(), &["--format", format]);
        assert_eq!(run.code, 1, "{format}: {}", run.err);
        assert!(!has_active(&run.out), "{format}: {:?}", run.out);
        assert!(!has_active(&run.err), "{format}: {:?}", run.err);
        match format {
            "json" | "gitlab" | "sarif" => {
                serde_json::from_str::<Value>(&run.out).unwrap();
            }
            "github" => {
                for line in run.out.lines() {
                    let rest = line
                        .strip_prefix("::error file=locales/nl.json,line=1,col=")
                        .unwrap_or_else(|| panic!("{line}"));
                    assert!(!rest.contains("%0A") || rest.contains("%250A"), "{line}");
                }
            }
            "junit" | "checkstyle" | "markdown" => {
                assert!(!run.out.contains("<script>"), "{format}: {}", run.out)
            }
            _ => {}
        }
    }
    let run = Run::new(site.repository.dir(), &["--format", "json"]);
    let keys: Vec<String> = run.json()["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["key"].as_str().unwrap().to_owned())
        .collect();
    for key in KEYS {
        assert!(
            keys.iter().any(|found| found.ends_with(key)),
            "JSON keeps {key:?}: {keys:?}"
        );
    }
}

#[test]
fn markdown_items_stay_items() {
    let run = Run::new(hostile().repository.dir(), &["--format", "markdown"]);
    let (list, _) = run.out.split_once("<details><summary><code>").unwrap();
    let items: Vec<_> = list
        .lines()
        .filter(|line| line.starts_with("- `"))
        .collect();
    assert!(!items.is_empty());
    for item in items {
        assert_eq!(item.matches('`').count(), 2, "{item}");
        let (open, close) = (item.matches("<code>"), item.matches("</code>"));
        assert_eq!(open.count(), close.count(), "{item}");
    }
    // Each line is an item, a heading, a row of the table of languages or empty.
    for line in list.lines().skip(1).filter(|line| !line.is_empty()) {
        let starts = ["- ", "**", "| ", "|-", "<details>", "</details>"];
        assert!(starts.iter().any(|it| line.starts_with(it)), "{line}");
    }
}

#[test]
fn no_line_begins_like_a_command_of_a_runner() {
    let site = TestSite::new(
        &commit("one")
            .write("en/s.json", json!({"a": "Hi {name}"}).to_string())
            .write("::debug::x/s.json", json!({"a": "Hej"}).to_string()),
    );
    for format in ["text", "markdown", "json", "sarif", "junit", "checkstyle"] {
        let mut flags = vec!["--filemask", "*/s.json", "--template", "en/s.json"];
        flags.extend(["--format", format, "--all"]);
        let run = Run::new(site.repository.dir(), &flags);
        assert_eq!(run.code, 1, "{}", run.err);
        let mut lines = run.out.lines().chain(run.err.lines());
        let command = lines.find(|line| line.trim_start().starts_with("::"));
        assert_eq!(command, None, "{format}");
    }
}

#[test]
fn ten_thousand_findings_are_all_written_except_to_comments() {
    let texts = |text: &str| -> Value {
        (0..10_000)
            .map(|at| (format!("key{at:05}"), json!(format!("{text} {at}"))))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let site = TestSite::new(
        &commit("one")
            .write("locales/en.json", texts("Value {name}").to_string())
            .write("locales/nl.json", texts("Waarde").to_string()),
    );
    let formats = [
        ("github", "::error file="),
        ("gitlab", "\"check_name\""),
        ("sarif", "\"ruleIndex\""),
        ("junit", "<failure "),
        ("checkstyle", "<error "),
    ];
    let files = formats.map(|(format, _)| format!("{format}:{}", site.path(format).display()));
    let flags: Vec<&str> = files.iter().flat_map(|file| ["--write", file]).collect();
    let run = Run::new(
        site.repository.dir(),
        &[&flags[..], &["--format", "json"]].concat(),
    );
    assert_eq!(
        (run.code, run.json()["findings"].as_array().unwrap().len()),
        (1, 10_000),
        "{}",
        run.err
    );
    for (format, mark) in formats {
        let text = std::fs::read_to_string(site.path(format)).unwrap();
        assert_eq!(text.matches(mark).count(), 10_000, "{format}");
    }
    // A comment has a limit of length.
    let run = Run::new(site.repository.dir(), &["--format", "markdown"]);
    assert_eq!(run.out.matches("\n- `").count(), 30);
    assert!(run.out.contains("and 9970 more findings"), "{}", run.out);
}
