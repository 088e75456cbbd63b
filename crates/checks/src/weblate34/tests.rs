//! Tests of the profile of Weblate 3.4.

use crate::{
    CheckId, CheckIds, CheckInput, CheckProfile, CheckSettings, Checker, ComponentChecks, Words,
};

/// One JSON array per line: source, translation, language and the checks that fail in Weblate 3.4.
const VECTORS: &str = include_str!("../../tests/data/check_vectors.jsonl");

/// The words in the vectors that Weblate ignores.
const IGNORED_WORDS: &str = "email\nenglish\ngerman\ngermany\ndownloads\nplugin\nversion\nabc\nfiles\ncopyright\nmail\nitems\nbar";

fn failing_forms(language: &str, sources: &[&str], targets: &[&str]) -> CheckIds {
    let checker = Checker::weblate34(Words::default()).for_translation(language, "en");
    checker.failing(&CheckInput::new(sources, targets))
}

/// The checks that fail if no word is ignored.
fn failing(language: &str, source_language: &str, source: &str, target: &str) -> CheckIds {
    let checker = Checker::weblate34(Words::parse("").unwrap());
    let checker = checker.for_translation(language, source_language);
    checker.failing(&CheckInput::new(&[source], &[target]))
}

fn with_settings(profile: CheckProfile, flags: Option<&str>) -> ComponentChecks {
    let settings = CheckSettings {
        profile,
        flags: flags.map(str::to_owned),
        ..CheckSettings::default()
    };
    ComponentChecks::new(&settings, "json", &Words::default())
}

#[test]
fn every_vector_fails_the_checks_that_fail_in_weblate() {
    let checker = Checker::weblate34(Words::parse(IGNORED_WORDS).unwrap());
    let mut seen = 0;
    for line in VECTORS.lines() {
        let (source, target, language, failing): (String, String, String, Vec<String>) =
            serde_json::from_str(line).unwrap();
        let wanted: CheckIds = failing
            .iter()
            .map(|id| CheckId::from_id(id).unwrap())
            .collect();
        let found = checker
            .for_translation(&language, "en")
            .failing(&CheckInput::new(&[&source], &[&target]));
        assert_eq!(found, wanted, "{line}");
        seen += 1;
    }
    assert_eq!(seen, 175);
}

#[test]
fn plural_forms_are_compared_with_the_matching_source_form() {
    let check = |sources: &[&str], targets: &[&str]| failing_forms("cs", sources, targets);
    let sources = ["1 file.", "%d files"];
    assert!(check(&sources, &["1 soubor.", "%d soubory", "%d souborů"]).is_empty());
    assert_eq!(
        check(&sources, &["1 soubor", "a", "b"]),
        CheckIds::from_iter([CheckId::EndStop])
    );
    assert_eq!(
        check(&sources, &["1 soubor.", "a", "b."]),
        CheckIds::from_iter([CheckId::EndStop])
    );
    assert_eq!(
        check(&sources, &["x.", "a", "a"]),
        CheckIds::from_iter([CheckId::SamePlurals])
    );
    assert_eq!(
        check(&sources, &["x.", "a", ""]),
        CheckIds::from_iter([CheckId::Plurals])
    );
    assert!(
        check(&["x"], &["a", "", ""]).is_empty(),
        "the source has no plural"
    );
}

#[test]
fn flags_turn_off_the_checks_of_plural_forms() {
    let fails = |flags: &str, targets: &[&str]| {
        let checks = with_settings(CheckProfile::Weblate34, Some(flags));
        let checker = checks.deciding().for_translation("cs", "en");
        !checker
            .failing(&CheckInput::new(&["x", "y"], targets))
            .is_empty()
    };
    assert!(!fails("ignore-plurals", &["a", "b", ""]));
    assert!(!fails("ignore-same-plurals", &["a", "b", "b"]));
    assert!(fails("ignore-same-plurals", &["a", "b", ""]));
    assert!(fails("ignore-plurals", &["a", "b", "b"]));
}

#[test]
fn equal_texts_fail_no_check_that_compares_them() {
    let check = |language, text| failing(language, "en", text, text);
    assert!(check("en_GB", " x: \n<b>[b]\\n\u{200b}\n").is_empty());
    assert_eq!(
        check("fr_CA", "Hello?"),
        CheckIds::from_iter([CheckId::Same, CheckId::EndQuestion])
    );
    assert_eq!(check("de", "Hello?"), CheckIds::from_iter([CheckId::Same]));
}

#[test]
fn an_empty_text_fails_only_checks_of_spaces_and_tags() {
    let check = |source, target| failing("cs", "en", source, target);
    assert!(check("Hello <b>x</b>.\n", "").contains(CheckId::XmlTags));
    assert!(check("", "Ahoj.\n\\n").is_empty());
    assert_eq!(check("", " Ahoj"), CheckIds::of(CheckId::BeginSpace));
}

#[test]
fn the_source_language_decides_where_same_runs() {
    let same = |language, source_language| failing(language, source_language, "Hallo", "Hallo");
    assert!(
        same("de_AT", "de").is_empty()
            && same("en", "en_US").is_empty()
            && same("ia", "en").is_empty()
    );
    assert!(!same("en", "de").is_empty() && !same("ia", "de").is_empty());
}

#[test]
fn settings_of_a_component_add_ignore_and_replace_checks() {
    let (legacy, current) = (CheckProfile::Weblate34, CheckProfile::Current);
    let fails = |profile, flags: Option<&str>, source: &str, target: &str| {
        let checks = with_settings(profile, flags);
        let checker = checks.deciding().for_translation("cs", "en");
        !checker
            .failing(&CheckInput::new(&[source], &[target]))
            .is_empty()
    };
    assert!(
        !fails(legacy, None, "Hello %s", "Ahoj")
            && fails(legacy, Some("c-format"), "Hello %s", "Ahoj")
    );
    assert!(
        fails(legacy, None, "Hello.", "Ahoj")
            && !fails(legacy, Some("ignore-end-stop"), "Hello.", "Ahoj")
    );
    assert!(
        fails(current, None, "Hello {{name}}", "Ahoj")
            && !fails(current, Some(""), "Hello {{name}}", "Ahoj")
    );
    assert!(fails(
        current,
        Some("i18next-interpolation"),
        "Hello {{name}}",
        "Ahoj"
    ));
    let invalid = CheckSettings {
        profile: current,
        flags: Some("max-length:x".to_owned()),
        ..CheckSettings::default()
    };
    assert!(invalid.validate("json").is_err() && CheckSettings::default().fingerprint().is_empty());
}

#[test]
fn a_comment_excuses_an_unchanged_text() {
    let checker = Checker::weblate34(Words::default()).for_translation("cs", "en");
    let fails = |comment| {
        let unit = CheckInput {
            comment,
            ..CheckInput::new(&["Hello"], &["Hello"])
        };
        checker.failing(&unit).contains(CheckId::Same)
    };
    assert!(fails("") && !fails("Tag: screen"));
}

#[test]
fn flags_of_a_unit_add_to_those_of_the_component() {
    let checks = with_settings(CheckProfile::Weblate34, Some("c-format,ignore-end-stop"));
    let checker = checks.deciding().for_translation("cs", "en");
    let ids = |flags| {
        let unit = CheckInput {
            flags,
            ..CheckInput::new(&["Hello %s %(a)s."], &["Hi"])
        };
        let findings = checker.check(&unit);
        findings.iter().map(|it| it.check.id()).collect::<Vec<_>>()
    };
    assert_eq!(ids(""), ["c_format"]);
    assert_eq!(ids("fuzzy, python-format"), ["python_format", "c_format"]);
    assert_eq!(ids("ignore-c-format, no-c-format"), Vec::<&str>::new());
    assert_eq!(ids("max-length"), ["c_format"], "an invalid flag");
}
