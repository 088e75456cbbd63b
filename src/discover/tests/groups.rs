//! Directories of languages whose files are one string each.

use super::*;

#[test]
fn texts_of_app_stores_are_found_in_each_flavour() {
    let tree = Tree::new(&[
        ("fastlane/metadata/android/en-US/title.txt", "App"),
        ("fastlane/metadata/android/en-US/changelogs/1.txt", "First"),
        (
            "fastlane/metadata/android/de-DE/full_description.txt",
            "Text",
        ),
        ("fastlane/metadata/en-US/description.txt", "Text"),
        ("fastlane/metadata/fr-FR/description.txt", "Texte"),
        ("fastlane/metadata/review_information/notes.txt", "x"),
        ("app/src/free/metadata/de/title.txt", "App"),
        ("other/metadata/en-US/title.txt", "App"),
        ("docs/en/notes.txt", "x"),
        ("docs/de/notes.txt", "x"),
    ]);
    let (found, other) = detect_components(&tree.files, &mut |id| {
        tree.bytes.get(&id).map(|text| text.clone().into_bytes())
    });
    let found: Vec<_> = found
        .iter()
        .map(|it| (it.filemask.as_str(), &*it.template, it.file_format.name()))
        .collect();
    let (android, ios) = ("fastlane/metadata/android", "fastlane/metadata");
    assert_eq!(
        found,
        [
            (
                &*format!("{ios}/*/**"),
                &*format!("{ios}/en-US"),
                "appstore"
            ),
            (
                &*format!("{android}/*/**"),
                &*format!("{android}/en-US"),
                "appstore"
            ),
        ]
    );
    assert_eq!(
        other.problems(),
        [
            "app/src/free/metadata/*/**: left out: it has no directory with English texts, such as en-US; set the template",
            "other/metadata/*/**: left out: it has only the source language",
        ]
    );
}
