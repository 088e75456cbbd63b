//! Layouts of files with their own source texts.

use super::*;

const PO: &str = "msgid \"Hello\"\nmsgstr \"Ahoj\"\n";
const XLIFF: &str = "<xliff version=\"1.2\"><file><trans-unit id=\"a\"><source>a</source></trans-unit></file></xliff>";
const TS: &str =
    "<!DOCTYPE TS><TS><context><name>A</name><message><source>a</source></message></context></TS>";

/// Masks and files that new languages start from.
fn found(tree: &Tree) -> Vec<(String, String)> {
    let (found, _) = detect_components(&tree.files, &mut |id| {
        tree.bytes.get(&id).map(|text| text.clone().into_bytes())
    });
    found
        .into_iter()
        .map(|component| (component.filemask.as_str().to_owned(), component.new_base))
        .collect()
}

#[test]
fn usual_layouts_of_gettext_are_found() {
    for (project, mask, pot) in [
        ("GNOME", "po/*.po", "po/app.pot"),
        ("Django", "app/locale/*/LC_MESSAGES/django.po", ""),
        (
            "Flask",
            "app/translations/*/LC_MESSAGES/messages.po",
            "messages.pot",
        ),
        ("WordPress", "languages/plugin-*.po", "languages/plugin.pot"),
        ("WordPress of one language", "lang/*.po", "lang/theme.pot"),
        ("Godot", "locale/*.po", "locale/messages.pot"),
        (
            "OpenWrt",
            "apps/acme/po/*/acme.po",
            "apps/acme/po/templates/acme.pot",
        ),
        ("R", "po/R-*.po", "po/R-pkg.pot"),
        ("KDE", "po/*/app.po", ""),
        ("Python", "src/pkg/*/LC_MESSAGES/pkg.po", "src/pkg/pkg.pot"),
    ] {
        for codes in [&["cs", "de", "pt_BR"][..], &["cs"]] {
            let tree = Tree::default().with_all(mask, codes, PO).with(pot, "");
            assert_eq!(
                found(&tree),
                [(mask.to_owned(), pot.to_owned())],
                "{project}"
            );
        }
    }
}

#[test]
fn usual_layouts_of_xliff_and_qt_are_found() {
    for (project, mask, text, source) in [
        (
            "Angular",
            "src/locale/messages.*.xlf",
            XLIFF,
            "src/locale/messages.xlf",
        ),
        ("Symfony", "translations/messages.*.xliff", XLIFF, ""),
        (
            "TYPO3",
            "Resources/Private/Language/*.locallang.xlf",
            XLIFF,
            "Resources/Private/Language/locallang.xlf",
        ),
        ("Qt", "translations/app_*.ts", TS, "translations/app.ts"),
        ("Qt below tr", "tr/app_*.ts", TS, ""),
        ("Qt below lang", "src/lang/*.ts", TS, ""),
        ("Qt among the sources", "src/gui/app_*.ts", TS, ""),
    ] {
        for codes in [&["cs", "de", "pt_BR"][..], &["cs", "sk"]] {
            let tree = Tree::default()
                .with_all(mask, codes, text)
                .with(source, text)
                .with("src/main_is.ts", "export const a = 1;");
            assert_eq!(
                found(&tree),
                [(mask.to_owned(), source.to_owned())],
                "{project}"
            );
        }
    }
}

#[test]
fn a_directory_of_qt_is_no_turkish() {
    let tree = Tree::default().with("tr/app_de.ts", TS);
    assert_eq!(found(&tree), [("tr/app_*.ts".to_owned(), String::new())]);
}

#[test]
fn the_texts_of_r_and_c_code_are_two_components() {
    let tree = Tree::default()
        .with_all("po/R-*.po", &["cs", "de"], PO)
        .with_all("po/*.po", &["cs", "de"], PO)
        .with("po/R-pkg.pot", "")
        .with("po/pkg.pot", "");
    let expected = [("po/*.po", "po/pkg.pot"), ("po/R-*.po", "po/R-pkg.pot")];
    let expected = expected.map(|(mask, pot)| (mask.to_owned(), pot.to_owned()));
    assert_eq!(found(&tree), expected);
    let project = tree.described(Overrides::default()).unwrap();
    let slugs = project
        .components
        .iter()
        .map(|component| component.slug.to_string());
    assert_eq!(slugs.collect::<Vec<_>>(), ["po", "po-r"]);
}

#[test]
fn the_file_of_new_languages_can_be_elsewhere() {
    for (mask, text, source) in [
        ("src/locale/messages.*.xlf", XLIFF, "src/messages.xlf"),
        ("web/src/locale/messages.*.xlf", XLIFF, "web/messages.xlf"),
        ("app/translations/app_*.ts", TS, "app/app.ts"),
        ("installer/po/*.po", PO, "installer/installer.pot"),
        (
            "app/translations/*/LC_MESSAGES/admin.po",
            PO,
            "babel/admin.pot",
        ),
    ] {
        let tree = Tree::default().with_all(mask, &["cs", "de"], text);
        // One that does not belong to them.
        let tree = tree
            .with("other/messages.xlf", XLIFF)
            .with("other/x.pot", PO);
        let tree = tree.with(source, text);
        assert_eq!(found(&tree), [(mask.to_owned(), source.to_owned())]);
    }
}

#[test]
fn a_language_can_be_in_both_folder_and_name() {
    for (mask, text, source) in [
        ("help/*/*.po", PO, "help/manual.pot"),
        ("i18n/*/messages.*.xlf", XLIFF, "i18n/messages.xlf"),
    ] {
        let files = ["cs", "de"].iter().fold(Tree::default(), |tree, code| {
            tree.with(&mask.replace('*', code), text)
        });
        let files = files.with(source, text);
        assert_eq!(found(&files), [(mask.to_owned(), source.to_owned())]);
    }
}

#[test]
fn languages_are_those_of_linguas() {
    let tree = Tree::default().with_all("po/*.po", &["quenya", "sindarin", "dovahzul"], PO);
    assert_eq!(found(&tree), []);
    let tree = tree.with("po/LINGUAS", "# All\nquenya sindarin\ndovahzul\n");
    assert_eq!(found(&tree), [("po/*.po".to_owned(), String::new())]);
}

#[test]
fn a_mask_with_flags_has_its_pot() {
    let tree = Tree::default()
        .with_all("po/*.po", &["cs"], PO)
        .with("po/app.pot", "");
    let overrides = Overrides {
        filemask: Some("po/*.po".parse().unwrap()),
        ..Overrides::default()
    };
    let project = tree.described(overrides).unwrap();
    assert_eq!(project.components[0].new_base, "po/app.pot");
}

#[test]
fn domains_are_one_mask_with_names() {
    let domains = |mask: &str, names: &[&str], text: &str| {
        names.iter().fold(Tree::default(), |tree, name| {
            tree.with_all(&mask.replace("{name}", name), &["cs", "de", "fr"], text)
        })
    };
    for (mask, names, pot) in [
        (
            "app/locale/*/LC_MESSAGES/{name}.po",
            &["django", "djangojs"][..],
            "",
        ),
        (
            "locale/*/LC_MESSAGES/{name}.po",
            &["main", "admin", "mail"],
            "locale/{name}.pot",
        ),
        (
            "apps/{name}/po/*.po",
            &["editor", "viewer"],
            "apps/{name}/po/{name}.pot",
        ),
    ] {
        let tree = names
            .iter()
            .fold(domains(mask, names, PO), |tree, name| match pot {
                "" => tree,
                pot => tree.with(&pot.replace("{name}", name), PO),
            });
        let project = tree.described(Overrides::default()).unwrap();
        let mut found: Vec<(String, String)> = Vec::new();
        for component in &project.components {
            found.push((
                component.filemask.as_str().to_owned(),
                component.new_base.clone(),
            ));
        }
        found.sort();
        let expected = names
            .iter()
            .map(|name| [mask, pot].map(|pattern| pattern.replace("{name}", name)));
        let mut expected: Vec<(String, String)> = expected.map(|[mask, pot]| (mask, pot)).collect();
        expected.sort();
        assert_eq!(found, expected, "{mask}");
    }
}

#[test]
fn mixtures_of_formats_are_separate_components() {
    let json = "{\"hello\": \"Ahoj\"}";
    let tree = Tree::default()
        // A plugin of WordPress with compiled files and the texts of its scripts.
        .with_all("languages/acme-*.po", &["cs_CZ", "de_DE", "fr_FR"], PO)
        .with_all("languages/acme-*.mo", &["cs_CZ", "de_DE", "fr_FR"], "")
        .with_all(
            "languages/acme-*-1fdf421c05c1140f6d71444ea2b27638.json",
            &["cs_CZ", "de_DE"],
            json,
        )
        .with("languages/acme.pot", PO)
        // Two programs of Qt, with scripts of TypeScript.
        .with_all("gui/translations/app_*.ts", &["cs", "de", "fr"], TS)
        .with_all("gui/translations/lib_*.ts", &["cs", "de", "fr"], TS)
        .with("gui/translations/index_de.ts", "export default {};")
        // Angular with ICU and sources.
        .with_all("web/src/locale/messages.*.xlf", &["cs", "de", "fr"], XLIFF)
        .with("web/src/locale/messages.xlf", XLIFF)
        .with_all(
            "web/src/app/locale-*.ts",
            &["cs", "de"],
            "export const a = 1;",
        )
        // GNOME with a manual.
        .with_all("desktop/po/*.po", &["cs", "de", "fr"], PO)
        .with("desktop/po/LINGUAS", "cs\nde\nfr\n")
        .with("desktop/po/POTFILES.in", "src/main.c\n")
        .with("desktop/po/desktop.pot", PO)
        .with("desktop/help/cs/cs.po", PO)
        .with("desktop/help/de/de.po", PO);
    let mut masks = found(&tree);
    masks.sort();
    let expected = [
        ("desktop/help/*/*.po", ""),
        ("desktop/po/*.po", "desktop/po/desktop.pot"),
        ("gui/translations/app_*.ts", ""),
        ("gui/translations/lib_*.ts", ""),
        ("languages/acme-*.po", "languages/acme.pot"),
        (
            "web/src/locale/messages.*.xlf",
            "web/src/locale/messages.xlf",
        ),
    ];
    assert_eq!(
        masks,
        expected.map(|(mask, pot)| (mask.to_owned(), pot.to_owned()))
    );
}
