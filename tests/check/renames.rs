//! Renamed keys: one finding for all languages, and the list of renames.

use super::Run;
use super::common::{TestSite, commit};

fn file(lines: &[(&str, &str)]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|(key, text)| format!("  \"{key}\": \"{text}\""))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// A change that renames `save` in the template, and in German but not in Czech and French.
fn site() -> TestSite {
    let both = |text: &str| file(&[("save", text), ("title", "T")]);
    TestSite::new(
        &commit("one")
            .write("locales/en.json", both("Save"))
            .write("locales/cs.json", both("Uložit"))
            .write("locales/de.json", both("Speichern"))
            .write("locales/fr.json", both("Enregistrer"))
            .branch_at("change", "one")
            .commit("two")
            .write("locales/en.json", file(&[("keep", "Save"), ("title", "T")]))
            .write(
                "locales/de.json",
                file(&[("keep", "Speichern"), ("title", "T")]),
            ),
    )
}

#[test]
fn a_rename_is_one_finding_with_all_languages_that_use_the_old_key() {
    let site = site();
    let flags = ["--revision", "change", "--base", "main", "--new-only"];
    let run = Run::new(
        site.repository.dir(),
        &[&flags[..], &["--format", "json"]].concat(),
    );
    assert_eq!(
        run.findings(),
        ["locales/en.json .keep renamed"],
        "{}",
        run.err
    );
    let report = run.json();
    let message = report["findings"][0]["message"].as_str().unwrap();
    assert_eq!(
        message,
        "'.save' was renamed to '.keep'; 2 languages still use the old key (locales/cs.json:2, locales/fr.json:2): \
         rename it there, too."
    );
    let rename = &report["components"][0]["renames"][0];
    assert_eq!(rename["old_key"], ".save");
    assert_eq!(rename["new_key"], ".keep");
    assert_eq!(rename["evidence"], "source-and-translations");
    assert_eq!(rename["languages"], 1);
    assert_eq!(rename["remaining"][1]["file"], "locales/fr.json");
    assert_eq!(rename["remaining"].as_array().unwrap().len(), 2);
    let changes = &report["components"][0]["languages"][0]["changes"];
    assert_eq!(changes["removed"], 0, "{changes}");
}
