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
        .map(|it| {
            (
                it.filemask.as_str(),
                it.file_format.name(),
                it.source_language.as_deref(),
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
fn texts_with_plurals_are_next_to_strings_files() {
    let dict = "<plist><dict><key>a</key><string>x</string></dict></plist>";
    let tree = Tree::new(&[
        ("App/de.lproj/Localizable.strings", "\"b\" = \"x\";"),
        ("App/en.lproj/Localizable.strings", "\"b\" = \"y\";"),
        ("App/de.lproj/Localizable.stringsdict", dict),
        ("App/en.lproj/Localizable.stringsdict", dict),
    ]);
    let mask = |ending: &str| {
        format!("App/*.lproj/Localizable.{ending} App/en.lproj/Localizable.{ending}")
    };
    let expected = [
        mask("strings") + " strings-utf8",
        mask("stringsdict") + " stringsdict",
    ];
    assert_eq!(tree.found(), expected);
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
