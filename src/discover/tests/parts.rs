//! Files with several languages.

use super::*;

fn catalog(source: &str, code: &str) -> String {
    format!(
        r#"{{"sourceLanguage": "{source}", "strings": {{"a": {{"localizations": {{"{code}": {{"stringUnit": {{"value": "x"}}}}}}}}}}}}"#
    )
}

#[test]
fn each_catalog_is_a_component_and_names_its_source_language() {
    let tree = Tree::new(&[
        ("App/Localizable.xcstrings", &catalog("de", "en")),
        ("App/InfoPlist.xcstrings", &catalog("de", "fr")),
        ("Kit/Localizable.xcstrings", &catalog("fr", "de")),
        ("New/Localizable.xcstrings", &catalog("de", "de")),
        ("Old/Localizable.xcstrings", "{"),
        ("App/de.lproj/Old.strings", "\"a\" = \"x\";"),
        ("App/en.lproj/Old.strings", "\"a\" = \"y\";"),
    ]);
    let (found, other) = detect_components(&tree.files, &mut |id| {
        tree.bytes.get(&id).map(|text| text.clone().into_bytes())
    });
    let found: Vec<_> = found
        .iter()
        .map(|component| {
            (
                component.filemask.as_str(),
                component.file_format.name(),
                component.source_language.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("App/*.lproj/Old.strings", "strings-utf8", None),
            ("App/InfoPlist.xcstrings", "xcstrings", Some("de")),
            ("App/Localizable.xcstrings", "xcstrings", Some("de")),
        ]
    );
    assert_eq!(
        other.problems(),
        [
            "Kit/Localizable.xcstrings: left out: its source language is fr, that of the others is de; give it a project of its own",
            "New/Localizable.xcstrings: left out: it has only the source language",
            "Old/Localizable.xcstrings: line 1, column 2: expected a name in double quotes or '}', found the end of the file",
        ]
    );
}

#[test]
fn texts_with_plurals_are_next_to_files_that_languages_name() {
    let dict = "<plist><dict><key>a</key><string>x</string></dict></plist>";
    let tree = Tree::new(&[
        ("locales/de.strings", "\"b\" = \"x\";"),
        ("locales/en.strings", "\"b\" = \"y\";"),
        ("locales/de.stringsdict", dict),
        ("locales/en.stringsdict", dict),
    ]);
    assert_eq!(
        tree.found(),
        ["locales/*.strings** locales/en.strings strings-utf8"]
    );
}

#[test]
fn texts_with_plurals_are_next_to_strings_files() {
    let dict = "<plist><dict><key>a</key><string>x</string></dict></plist>";
    let tree = Tree::new(&[
        ("App/de.lproj/Localizable.strings", "\"b\" = \"x\";"),
        ("App/en.lproj/Localizable.strings", "\"b\" = \"y\";"),
        ("App/de.lproj/Localizable.stringsdict", dict),
        ("App/en.lproj/Localizable.stringsdict", dict),
    ]);
    let file = "App/en.lproj/Localizable.strings strings-utf8";
    assert_eq!(
        tree.found(),
        [format!("App/*.lproj/Localizable.strings** {file}")]
    );
    let old = Tree::new(&[
        ("App/French.lproj/Localizable.strings", "\"b\" = \"x\";"),
        ("App/de.lproj/Localizable.strings", "\"b\" = \"x\";"),
        ("App/en.lproj/Localizable.strings", "\"b\" = \"y\";"),
        ("App/en.lproj/Localizable.stringsdict", dict),
    ]);
    assert_eq!(
        old.found(),
        [format!("App/*.lproj/Localizable.strings {file}")]
    );
}

#[test]
fn maps_from_keys_to_languages_are_found_by_their_content() {
    let json = r#"{"a": {"en": "x", "de": "y"}, "b": {"c": {"en": "z"}}}"#;
    let yaml = "_version: 2\na:\n  en: x\n  de: y\nb:\n  c:\n    de: z\n";
    let module =
        "export const texts = { a: { en: 'x', de: 'y' }, b: { en: 'z', de: '' } } as const;\n";
    let mixed = r#"{"a": {"en": "x", "de": "y"}, "b": {"en": "z"}, "c": "d"}"#;
    let names = r#"{"fallback": "en", "names": {"en": "English", "de": "Deutsch"}}"#;
    let tree = Tree::new(&[
        ("locales/app.yml", yaml),
        ("web/i18n/texts.json", json),
        ("web/src/translations.ts", module),
        ("web/src/data.json", json),
        ("web/i18n/mixed.json", mixed),
        (
            "web/i18n/one.json",
            r#"{"a": {"en": "x"}, "b": {"en": "z"}}"#,
        ),
        ("web/i18n/config.json", names),
        (
            "web/i18n/languages.json",
            r#"{"en": {"name": "English", "flag": "e"}, "de": {"name": "Deutsch"}, "fr": {"name": "F", "flag": "f"}}"#,
        ),
        (
            "admin/words.js",
            "systemDictionary = {a: {en: 'x', de: 'y'}, b: {en: 'z'}};",
        ),
        (
            "app/locales/texts.json",
            r#"{"en": {"a": {"b": "x"}, "c": "y"}, "de": {"a": {"b": "z"}}}"#,
        ),
    ]);
    let (found, other) = detect_components(&tree.files, &mut |id| {
        tree.bytes.get(&id).map(|text| text.clone().into_bytes())
    });
    let found: Vec<_> = found
        .iter()
        .map(|component| (component.filemask.as_str(), component.file_format.name()))
        .collect();
    assert_eq!(
        found,
        [
            ("admin/words.js", "javascript-languages"),
            ("app/locales/texts.json", "json-languages"),
            ("locales/app.yml", "yaml-languages"),
            ("web/i18n/texts.json", "json-languages"),
            ("web/src/translations.ts", "javascript-languages"),
        ]
    );
    assert_eq!(
        other.problems(),
        [
            "web/i18n/languages.json: left out: it has 3 languages and only 2 texts in each; if they are translations, set the format json-languages",
            "web/i18n/mixed.json: left out: of its 4 texts, 1 have no code of a language above them; to read the others, set the format json-languages",
            "web/i18n/one.json: left out: it has only one language",
        ]
    );
}

#[test]
fn a_map_in_two_languages_needs_a_variant_of_english() {
    let british = Tree::new(&[(
        "i18n/texts.json",
        r#"{"a": {"de": "y", "en-GB": "x"}, "b": {"en-GB": "z"}}"#,
    )]);
    assert_eq!(
        british.found(),
        ["i18n/texts.json i18n/texts.json json-languages"]
    );
    let french = Tree::new(&[(
        "i18n/texts.json",
        r#"{"a": {"de": "y", "fr": "x"}, "b": {"fr": "z"}}"#,
    )]);
    assert!(french.found().is_empty());
}

#[test]
fn tables_with_columns_of_languages_are_found_by_their_content() {
    let tree = Tree::new(&[
        ("data/client.csv", "id,description,en,fr\na,d,x,y\nb,d,z,\n"),
        ("data/people.csv", "name,id,no\nAnna,1,2\n"),
        ("data/prices.csv", "key,en,de\na,1,2,3\n"),
        ("node_modules/x/t.csv", "key,en,de\na,x,y\n"),
    ]);
    assert_eq!(
        tree.found(),
        ["data/client.csv data/client.csv csv-columns"]
    );
}
