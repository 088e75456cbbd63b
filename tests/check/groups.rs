//! Components with a directory for each language.

use super::Run;
use super::common::{TestSite, commit};

#[test]
fn a_format_for_all_files_is_none_of_documents() {
    let site = TestSite::new(
        &commit("one")
            .texts("en", "a=A")
            .texts("de", "a=A")
            .write("README.md", "# Title")
            .write("README.zh.md", "# Titel"),
    );
    let flags = ["--file-format", "vue-i18n", "--format", "json"];
    let report = Run::new(site.repository.dir(), &flags).json();
    let components = report["components"].as_array().unwrap();
    assert_eq!(components.len(), 1, "{report:#}");
    assert_eq!(report["findings"], serde_json::json!([]));
}

#[test]
fn ignored_directories_are_no_sources_of_documents() {
    let site = TestSite::new(
        &commit("one")
            .write("docs/a.md", "# A")
            .write("docs/guide/b.md", "# B")
            .write("docs/de/a.md", "# A")
            .write("docs/de/guide/b.md", "# B"),
    );
    let folder = super::clone(&site, "main", &[]);
    let package = folder.join("docs/node_modules/x");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(package.join("README.md"), "# X").unwrap();
    std::fs::create_dir_all(folder.join("docs/fr")).unwrap();
    std::fs::write(folder.join("docs/fr/a.md"), "# A").unwrap();
    let report = Run::new(&folder, &["--worktree", "--format", "json"]).json();
    let languages = report["components"][0]["languages"].as_array().unwrap();
    let codes: Vec<_> = languages.iter().map(|it| &it["language"]).collect();
    assert_eq!(codes, ["en", "de", "fr"], "{report:#}");
    assert!(!report.to_string().contains("node_modules"), "{report:#}");
}

#[test]
fn a_plural_of_a_strings_file_is_reported_in_its_own_file() {
    let plural = |other: &str| {
        format!(
            "<plist>\n<dict>\n<key>files</key>\n<dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string>\n<key>n</key><dict>\
             <key>one</key><string>%d x</string><key>other</key><string>{other}</string></dict></dict>\n</dict></plist>\n"
        )
    };
    let file = |language: &str, ending: &str| format!("App/{language}.lproj/L.{ending}");
    let site = TestSite::new(
        &commit("one")
            .write(&file("en", "strings"), "\"a\" = \"One %@\";\n")
            .write(&file("en", "stringsdict"), plural("%d files"))
            .write(&file("de", "strings"), "\n\"a\" = \"Eins %@\";\n")
            .write(&file("de", "stringsdict"), plural("%d Dateien"))
            .commit("two")
            .write(&file("de", "stringsdict"), plural("%@ Dateien")),
    );
    let [one, two] = ["one", "two"].map(|name| site.repository.id(name).to_string());
    let new = |report: &serde_json::Value| -> Vec<String> {
        let findings = report["findings"].as_array().unwrap().iter();
        let new = findings.filter(|it| it["new"] == true);
        let text = |it: &serde_json::Value| {
            let [check, file, line] = ["check", "file", "line"].map(|name| it[name].to_string());
            [check, file, line].join(" ").replace('"', "")
        };
        new.map(text).collect()
    };
    let run = |folder: &std::path::Path, flags: &[&str]| Run::new(folder, flags).json();
    let flags = ["--base", &one, "--revision", &two, "--format", "json"];
    let report = run(site.repository.dir(), &flags);
    let place = format!("objc_format {} 3", file("de", "stringsdict"));
    assert_eq!(new(&report), [place], "{report:#}");
    assert_eq!(report["components"].as_array().unwrap().len(), 1);

    let folder = super::clone(&site, "main", &[]);
    std::fs::write(folder.join(file("de", "strings")), "\n\"a\" = \"Eins\";\n").unwrap();
    std::fs::write(folder.join(file("de", "stringsdict")), plural("%d Dateien")).unwrap();
    let report = run(
        &folder,
        &["--worktree", "--base", "HEAD", "--format", "json"],
    );
    let place = format!("objc_format {} 2", file("de", "strings"));
    assert_eq!(new(&report), [place], "{report:#}");
    std::fs::write(
        folder.join(file("de", "stringsdict")),
        "<plist>\n<dict>\n<key>",
    )
    .unwrap();
    let report = run(
        &folder,
        &["--worktree", "--base", "HEAD", "--format", "json"],
    );
    let place = format!("parse-error {} ", file("de", "stringsdict"));
    assert!(
        new(&report).iter().any(|it| it.starts_with(&place)),
        "{report:#}"
    );
}

#[test]
fn a_text_of_a_store_is_reported_in_its_own_file() {
    let folder = "fastlane/metadata/android";
    let site = TestSite::new(
        &commit("one")
            .write(&format!("{folder}/en-US/title.txt"), "App\n")
            .write(&format!("{folder}/en-US/short_description.txt"), "Reads.\n")
            .write(&format!("{folder}/de-DE/short_description.txt"), "Liest.\n")
            .commit("long")
            .write(&format!("{folder}/de-DE/title.txt"), "x".repeat(31))
            .commit("source")
            .write(
                &format!("{folder}/en-US/short_description.txt"),
                "Writes.\n",
            ),
    );
    let run = |flags: &[&str]| Run::new(site.repository.dir(), flags).json();
    let [one, long] = ["one", "long"].map(|name| site.repository.id(name).to_string());
    let report = run(&["--base", &one, "--revision", &long, "--format", "json"]);
    let findings = report["findings"].as_array().unwrap().iter();
    let new: Vec<_> = findings
        .filter(|it| it["new"] == true)
        .map(|it| (it["check"].clone(), it["file"].clone(), it["key"].clone()))
        .collect();
    let title = format!("{folder}/de-DE/title.txt");
    assert_eq!(
        new,
        [("max-length".into(), title.into(), "title.txt".into())]
    );
    let report = run(&["--history", "full", "--format", "json"]);
    let findings = report["findings"].as_array().unwrap().iter();
    let stale: Vec<_> = findings.filter(|it| it["check"] == "stale").collect();
    assert_eq!(stale.len(), 1, "{report:#}");
    let text = format!("{folder}/de-DE/short_description.txt");
    assert_eq!(stale[0]["file"], text);
}
