//! The rows of a component at its tip (docs/spec/units.md#units-of-a-translation).

use crate::testing::{ReadHistory, read, read_as};
use crate::{Projection, TranslationState};
use gitglot_model::{Component, ComponentSettings, FileFormat, FileMask, Slug};
use gitglot_testkit::commit;

fn translation<'r>(read: &'r ReadHistory, language: &str) -> &'r TranslationState {
    let mut all = read.state.translations.iter();
    all.find(|it| *it.file_code == *language).unwrap()
}

/// The texts of a language in the order of the strings; `-` for one that is not translated.
fn texts(read: &ReadHistory, language: &str) -> Vec<String> {
    let units = translation(read, language).units.iter();
    let text = |unit: &crate::UnitState| {
        if unit.translated() {
            read.state.texts.get(unit.target()).to_owned()
        } else {
            "-".to_owned()
        }
    };
    units.map(text).collect()
}

#[test]
fn a_translation_has_the_strings_of_the_template_in_its_order() {
    let commits = commit("start")
        .texts("en", "b=Two;a=One;c=Three")
        .texts("cs", "a=Jedna;z=Navíc;b=Dvě");
    let read = read(&commits);
    assert_eq!(texts(&read, "en"), ["Two", "One", "Three"]);
    assert_eq!(texts(&read, "cs"), ["Dvě", "Jedna", "-"]);
}

#[test]
fn a_string_is_as_old_as_its_first_appearance_in_the_log() {
    let commits = commit("start")
        .texts("en", "a=One")
        .commit("more")
        .texts("en", "b=Two;a=Won");
    let sources = read(&commits).state.sources;
    assert!(sources[1].since < sources[0].since);
}

#[test]
fn a_broken_file_has_the_texts_of_its_last_readable_version_and_is_a_problem() {
    let commits = commit("start")
        .texts("en", "a=One")
        .texts("cs", "a=Jedna")
        .commit("broken")
        .write("locales/cs.json", "{");
    let read = read(&commits);
    assert_eq!(texts(&read, "cs"), ["Jedna"]);
    let problems = &read.state.problems;
    assert_eq!(
        (&*problems[0].path, problems[0].broken),
        ("locales/cs.json", true)
    );
}

#[test]
fn the_documentation_of_messages_gives_their_notes() {
    let (slug, mask) = (Slug::new("app"), FileMask::new("i18n/*.json"));
    let format = FileFormat::Banana;
    let settings = ComponentSettings::new(slug.unwrap(), mask.unwrap(), "i18n/en.json", format);
    let commits = commit("start")
        .write(
            "i18n/en.json",
            r#"{"@metadata": {}, "a": "One", "b": "Two"}"#,
        )
        .write("i18n/de.json", r#"{"a": "Eins"}"#)
        .commit("notes")
        .write(
            "i18n/qqq.json",
            r#"{"@metadata": {}, "a": "A number", "c": "Other"}"#,
        )
        .commit("changed")
        .write("i18n/qqq.json", r#"{"b": "Another"}"#);
    let notes = |state: &Projection| -> Vec<String> {
        let sources = state.sources.iter();
        sources
            .map(|it| state.texts.get(it.note).to_owned())
            .collect()
    };
    let mut history = read_as(settings.clone(), &commits, &["start", "notes"]);
    assert_eq!(notes(&history.state), ["A number", ""]);
    assert_eq!(history.state.translations.len(), 2);
    history = read_as(settings.clone(), &commits, &["start", "notes", "changed"]);
    assert_eq!(notes(&history.state), ["", "Another"]);
    let component = Component::new(settings);
    let tip = history.repo.tip("main");
    let tip = crate::read_tip(
        &component,
        "en",
        &history.repository,
        tip,
        crate::MAX_ID_BYTES,
    )
    .unwrap();
    assert_eq!(notes(&tip), ["", "Another"]);
}

#[test]
fn values_that_are_no_data_are_a_problem_of_a_file_that_is_read() {
    let (slug, mask) = (Slug::new("app"), FileMask::new("locales/*.ts"));
    let settings = ComponentSettings::new(
        slug.unwrap(),
        mask.unwrap(),
        "locales/en.ts",
        FileFormat::JavaScript,
    );
    let commits = commit("start")
        .write("locales/en.ts", "export default { a: 'One', b: 'Two' }")
        .write(
            "locales/cs.ts",
            "export default {\n  a: 'Jedna',\n  b: (n) => n,\n  c: x(),\n}",
        );
    let read = read_as(settings, &commits, &[]);
    assert_eq!(texts(&read, "cs"), ["Jedna", "-"]);
    let problems = read.state.problems.iter();
    let problems = problems.map(|it| (&*it.path, &*it.reason, it.broken));
    let reason = "line 3: a function is not read, as well as 1 other value: write a literal text";
    assert_eq!(
        problems.collect::<Vec<_>>(),
        [("locales/cs.ts", reason, false)]
    );
}

#[test]
fn a_file_that_was_never_readable_has_no_units() {
    let commits = commit("start")
        .texts("en", "a=One")
        .write("locales/cs.json", "{");
    let read = read(&commits);
    let cs = translation(&read, "cs");
    assert_eq!((cs.units.len(), cs.blob), (0, None));
}

#[test]
fn a_second_file_of_a_language_is_a_problem_and_no_translation() {
    let commits = commit("start")
        .texts("en", "a=One")
        .texts("cs", "a=Jedna")
        .texts("cs_CZ", "a=Jeden");
    let read = read(&commits);
    assert_eq!(read.state.translations.len(), 2);
    assert_eq!(&*read.state.problems[0].path, "locales/cs_CZ.json");
}

#[test]
fn the_newest_entry_of_a_text_is_the_last_change_of_its_translation() {
    let commits = commit("start")
        .texts("en", "a=One")
        .texts("cs", "a=Jedna")
        .commit("layout")
        .write("locales/cs.json", "{ \"a\": \"Jedna\" }");
    let read = read(&commits);
    let written = read
        .state
        .log
        .iter()
        .find(|it| read.entry(it).contains("Jedna"));
    let last = translation(&read, "cs").last_change.map(|(time, _)| time);
    assert_eq!(last, written.map(|it| it.time));
}

#[test]
fn a_renamed_file_keeps_its_texts_and_its_older_path() {
    let commits = commit("start")
        .texts("en", "a=One;b=Two")
        .texts("pt", "a=Um;b=Dois")
        .commit("renamed")
        .rename("locales/pt.json", "locales/pt-PT.json");
    let read = read(&commits);
    let pt = translation(&read, "pt-PT");
    assert_eq!(pt.older_paths, ["locales/pt.json".into()]);
    assert_eq!(read.entries_of("renamed"), [""; 0]);
}
