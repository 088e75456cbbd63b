//! Renamed templates and directories.

use super::*;

/// The language, action and target of each entry.
fn written(log: &[Line]) -> Vec<(&str, u8, &str)> {
    let written = log.iter().map(|line| {
        let language = line.language.as_deref().unwrap_or_default();
        (language, line.action, line.target.as_str())
    });
    written.collect()
}

/// The path of each translation, and whether it is the template.
fn paths(projection: &Projection) -> Vec<(String, bool)> {
    let paths = projection.translations.iter();
    paths
        .map(|it| (it.path.to_string(), it.is_template))
        .collect()
}

#[test]
fn an_untranslated_copy_of_the_template_is_not_its_older_path() {
    let english = r#"{"a": "one", "b": "two"}"#;
    let history = commit("start")
        .write("old/en.json", r#"{"a": "one!", "b": "two"}"#)
        .commit("changed")
        .write("old/en.json", english)
        .commit("copied")
        .write("old/cs.json", english)
        .commit("moved")
        .rename("old", "locales");
    let projection = followed(&history, &["moved"]);
    let log = lines(&projection);
    assert_eq!(count(&log, 40), 0, "{:?}", written(&log));
    assert_eq!(
        paths(&projection),
        [
            ("locales/cs.json".to_owned(), false),
            ("locales/en.json".to_owned(), true)
        ]
    );
    let texts: Vec<_> = written(&log)
        .into_iter()
        .filter(|(_, action, _)| matches!(action, 5 | 30))
        .collect();
    assert_eq!(
        texts,
        [("en", 30, "one"), ("cs", 5, "one"), ("cs", 5, "two")]
    );
}

#[test]
fn a_template_that_changes_while_it_moves_is_found_by_its_language() {
    let history = commit("start")
        .write("old/en.json", r#"{"a": "one", "b": "two"}"#)
        .write("old/cs.json", r#"{"a": "one"}"#)
        .commit("moved")
        .rename("old", "locales")
        .texts("en", "a=one");
    // A push of the older commit has the template of the older directory.
    for tips in [&["moved"][..], &["moved", "start"]] {
        let projection = followed(&history, tips);
        assert_eq!(count(&lines(&projection), 40), 0);
        let templates: Vec<bool> = paths(&projection).iter().map(|path| path.1).collect();
        assert_eq!(templates, [false, true], "{tips:?}");
    }
}

#[test]
fn a_template_without_a_language_in_its_path_is_found_by_its_content() {
    let history = commit("start")
        .write("old/base.json", r#"{"a": "one", "b": "two"}"#)
        .write("old/en.json", r#"{"a": "one", "b": "other"}"#)
        .commit("moved")
        .rename("old", "locales");
    let dir = tempfile::tempdir().expect("a folder");
    let repo = Repo::with(&dir.path().join("r.git"), &history);
    let repository = Repository::open(repo.dir()).expect("a repository");
    let mask = component("locales/en-*.json", "locales/base.json", FileFormat::Json);
    let mut pair = Pair::new(mask, "en");
    pair.step(&repository, repo.id("moved"), 1_700_000_000_000_000)
        .expect("both logs agree");
    let projection = pair.projection.expect("a template");
    let older: Vec<&str> = projection.translations[0]
        .older_paths
        .iter()
        .map(|path| &**path)
        .collect();
    assert_eq!(older, ["old/base.json"]);
}
