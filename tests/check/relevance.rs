//! What reviewers see first: the order of findings, annotations, languages and the table of a change.

use super::Run;
use super::common::{History, TestSite, commit};

/// German with a fault, and twelve languages without one.
const OTHERS: [&str; 12] = [
    "bg", "ca", "cs", "da", "el", "es", "et", "fi", "fr", "ga", "gl", "hr",
];

const EN: &str = "{\n  \"hello\": \"Hello {name}\",\n  \"bye\": \"Good bye now\"\n}\n";
const DE: &str = "{\n  \"hello\": \"Hallo {name}\",\n  \"bye\": \"Auf Wiedersehen\"\n}\n";

fn base() -> History {
    let mut history = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", DE);
    for language in OTHERS {
        history = history.write(&format!("locales/{language}.json"), DE);
    }
    history.commit("two")
}

/// The report of the last commit in a format.
fn report(history: &History, format: &str, flags: &[&str]) -> Run {
    let site = TestSite::new(history);
    let common = ["--base", "HEAD~1", "--new-only", "--format", format];
    Run::new(site.repository.dir(), &[&common[..], flags].concat())
}

#[test]
fn a_new_string_is_one_annotation_at_its_source() {
    let en = EN.replace("now\"\n", "now\",\n  \"fresh\": \"A new text\"\n");
    let history = base().write("locales/en.json", en);
    let text = report(&history, "github", &[]).out;
    assert_eq!(
        text,
        "::warning file=locales/en.json,line=4,title=missing (13 languages)::fresh: new string, untranslated in 13 \
         languages: bg, ca, cs, da, de, el, es, et, fi, fr and 3 more.\n"
    );
}

#[test]
fn faults_that_a_source_causes_are_annotated_there() {
    let en = EN.replace("Good bye now", "Good bye {name}");
    let history = base().write("locales/en.json", en);
    let text = report(&history, "github", &[]).out;
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with(
            "::error file=locales/en.json,line=3,title=brace_format (13 languages)::bye: "
        ),
        "{text}"
    );
    assert!(
        text.lines().count() == 2
            && text.contains("::warning file=locales/en.json,line=3,title=stale")
    );
}

#[test]
fn a_source_causes_faults_also_next_to_other_edits_of_a_language() {
    let history = base()
        .write(
            "locales/en.json",
            EN.replace("Good bye now", "Good bye {name}"),
        )
        .write("locales/de.json", DE.replace("Hallo", "Moin"));
    let text = report(&history, "github", &[]).out;
    assert!(
        text.starts_with(
            "::error file=locales/en.json,line=3,title=brace_format (13 languages)::bye: "
        ),
        "{text}"
    );
    assert!(!text.contains("file=locales/de.json"), "{text}");
}

#[test]
fn the_first_notice_counts_what_github_does_not_show() {
    let texts = |text: &str| {
        let texts: Vec<String> = (0..15)
            .map(|key| format!("\"key{key:02}\": \"{text}\""))
            .collect();
        format!("{{{}}}", texts.join(",\n"))
    };
    let history = commit("one")
        .write("locales/en.json", texts("Hello {name} there"))
        .write("locales/de.json", texts("Hallo {name} da"))
        .commit("two")
        .write("locales/de.json", texts("Hallo da"));
    let text = report(&history, "github", &[]).out;
    assert_eq!(text.matches("::error file=locales/de.json").count(), 15);
    assert!(
        text.ends_with("::notice title=gitglot::Not shown as annotations: 5 errors. The log of this step and the other reports list them.\n"),
        "{text}"
    );
}

#[test]
fn all_reports_have_files_of_the_change_first() {
    // The new source text makes Danish fail; the change itself breaks Swedish.
    let en = "{\n  \"a\": \"One\",\n  \"b\": \"Hi {name}\"\n}\n";
    let full = "{\n  \"a\": \"x\",\n  \"b\": \"y {name}\"\n}\n";
    let history = commit("one")
        .write("locales/en.json", en)
        .write("locales/da.json", full)
        .write("locales/sv.json", full)
        .commit("two")
        .write("locales/en.json", en.replace("One", "One {count}"))
        .write("locales/sv.json", full.replace(" {name}", ""));
    let run = report(&history, "json", &[]);
    let document = run.json();
    let findings = document["findings"].as_array().unwrap();
    let order: Vec<String> = findings
        .iter()
        .map(|it| {
            let text = |name: &str| it[name].as_str().unwrap().to_owned();
            [text("language"), text("key"), text("check")].join(" ")
        })
        .collect();
    assert_eq!(
        order,
        [
            "sv a brace_format",
            "da a brace_format",
            "sv b brace_format",
            "sv a stale",
            "da a stale",
        ]
    );
    let at = |format: &str, text: &str| {
        let out = report(&history, format, &[]).out;
        out.find(text).unwrap_or_else(|| panic!("{format}: {out}"))
    };
    for format in ["text", "sarif", "gitlab", "markdown", "junit", "checkstyle"] {
        assert!(at(format, "sv.json") < at(format, "da.json"), "{format}");
    }
}

#[test]
fn a_row_keeps_the_language_of_each_kind() {
    let history = base()
        .write("locales/de.json", DE.replace(" {name}", ""))
        .write("locales/fr.json", "{\n  \"bye\": \"Au revoir\"\n}\n");
    let text = report(&history, "markdown", &[]).out;
    let row = text.lines().find(|it| it.starts_with("- `brace_format`"));
    let row = row.unwrap_or_else(|| panic!("{text}"));
    for part in [
        "<code>hello</code> in German: <code>Missing placeholders: {name}.</code>",
        "<code>removed</code> in French: ",
        "<code>missing</code> in French: ",
    ] {
        assert!(row.contains(part), "{part}: {row}");
    }
}

#[test]
fn a_removed_string_leads_with_the_source_file() {
    let history = base().write("locales/en.json", "{\n  \"hello\": \"Hello {name}\"\n}\n");
    let run = report(&history, "json", &[]);
    assert_eq!(run.json()["findings"][0]["file"], "locales/en.json");
    assert_eq!(run.json()["findings"][0]["check"], "removed");
    let text = report(&history, "markdown", &[]).out;
    let row = text.lines().find(|it| it.starts_with("- `removed`"));
    assert!(
        row.is_some_and(|it| it.contains("in English") && it.contains("in 13 languages")),
        "{text}"
    );
}

#[test]
fn the_table_is_small_and_a_line_says_what_makes_it_pass() {
    let en = EN.replace("now\"\n", "now\",\n  \"fresh\": \"A new text\"\n");
    let history = base()
        .write("locales/en.json", en)
        .write("locales/de.json", DE.replace(" {name}", ""));
    let run = report(&history, "markdown", &["--fail-under", "90"]);
    let start: Vec<&str> = run.out.lines().collect();
    let table = start
        .iter()
        .position(|it| *it == "| Language | Change | Errors |");
    let table = &start[table.unwrap_or_else(|| panic!("{}", run.out))..];
    assert_eq!(
        table[2..6],
        [
            "| German | 1 added, 1 translated, 1 missing, 1 failing | 1 |",
            "| English (source) | 1 added | 0 |",
            "| Bulgarian, Catalan, Czech and 9 more | 1 added, 1 missing | 0 |",
            "",
        ]
    );
    let wanted = "- To pass: <code>repair 1 error; translate 1 more string for bg in ";
    assert!(run.out.contains(wanted), "{}", run.out);
    let text = report(&history, "text", &[]).out;
    assert!(text.ends_with("to pass: repair 1 error\n"), "{text}");
}
