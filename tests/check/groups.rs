//! Components with a directory for each language.

use super::Run;
use super::common::{TestSite, commit};

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
