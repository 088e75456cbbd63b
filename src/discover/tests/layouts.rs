//! Components in usual layouts of repositories.

use super::*;

#[test]
fn the_usual_layouts_are_found() {
    for (mask, template, text, format) in [
        ("_locales/*/messages.json", "en", MESSAGES, "webextension"),
        ("locales/*.json", "en", TEXTS, "json"),
        ("lang/*.json", "en-us", TEXTS, "json"),
        ("src/i18n/strings/*.json", "en_EN", TEXTS, "json"),
        ("messages.*.json", "en", TEXTS, "json"),
        ("public/locales/*/translation.json", "en-GB", TEXTS, "json"),
        ("data/web/lang/lang.*.json", "en-gb", TEXTS, "json"),
        ("app/strings_*.json", "en_US", TEXTS, "json"),
        ("app/*-strings.json", "en", TEXTS, "json"),
        ("translations/*.json", "source", TEXTS, "json"),
        ("translations/*.json", "template", TEXTS, "json"),
        ("translations/*/app.json", "default", TEXTS, "json"),
        ("*.json", "en", TEXTS, "json"),
    ] {
        let tree = Tree::default().with_all(mask, &[template, "cs", "pt_BR", "zh-Hant"], text);
        let expected = format!("{mask} {} {format}", mask.replace('*', template));
        assert_eq!(tree.found(), [expected]);
    }
}

#[test]
fn po_files_need_no_template() {
    const PO: &str = "msgid \"Hello\"\nmsgstr \"Ahoj\"\n";
    for mask in [
        "po/*.po",
        "app/locale/*/LC_MESSAGES/django.po",
        "languages/plugin-*.po",
    ] {
        let tree = Tree::default().with_all(mask, &["cs", "de", "pt_BR"], PO);
        assert_eq!(tree.found(), [format!("{mask}  po")]);
        let project = tree.described(Overrides::default()).unwrap();
        assert_eq!(project.components[0].template, "");
    }
}

#[test]
fn files_with_their_own_source_texts_are_found() {
    const XLIFF: &str = "<xliff version=\"1.2\"><file><trans-unit id=\"a\"><source>a</source></trans-unit></file></xliff>";
    const XLIFF_2: &str = "<xliff version=\"2.0\"><file><unit id=\"a\"><segment><source>a</source></segment></unit></file></xliff>";
    const TS: &str = "<!DOCTYPE TS><TS><context><name>A</name><message><source>a</source></message></context></TS>";
    for (mask, text, format) in [
        ("src/locale/messages.*.xlf", XLIFF, "xliff"),
        ("src/locale/messages.*.xlf", XLIFF_2, "xliff2"),
        ("translations/validators.*.xliff", XLIFF, "xliff"),
        ("translations/app_*.ts", TS, "ts"),
        ("share/app/translations/app_*.ts", TS, "ts"),
    ] {
        let tree = Tree::default()
            .with_all(mask, &["cs", "de", "pt_BR"], text)
            .with("src/app.ts", "export const a = 1;");
        assert_eq!(tree.found(), [format!("{mask}  {format}")]);
    }
}

#[test]
fn code_is_no_file_of_qt() {
    let tree = Tree::default().with_all("src/locales/*.ts", &["cs", "de"], "export default {};");
    let (found, other_files) = detect_components(&tree.files, &mut |id| {
        tree.bytes.get(&id).map(|text| text.clone().into_bytes())
    });
    assert_eq!(found, []);
    assert_eq!(other_files.problems(), [] as [&str; 0]);
}

#[test]
fn a_pot_is_the_file_that_new_languages_start_from() {
    const PO: &str = "msgid \"Hello\"\nmsgstr \"Ahoj\"\n";
    for (mask, pots, expected) in [
        ("po/*.po", &["po/app.pot"][..], "po/app.pot"),
        ("po/*.po", &["po/app.pot", "po/other.pot"], ""),
        (
            "locale/*/LC_MESSAGES/django.po",
            &["locale/django.pot", "locale/djangojs.pot"],
            "locale/django.pot",
        ),
        (
            "languages/plugin-*.po",
            &["languages/plugin.pot", "languages/a.pot"],
            "languages/plugin.pot",
        ),
        ("po/*.po", &["doc/app.pot"], ""),
    ] {
        let tree = Tree::default()
            .with_all(mask, &["cs", "de"], PO)
            .with("po/LINGUAS", "cs de\n");
        let tree = pots.iter().fold(tree, |tree, pot| tree.with(pot, ""));
        let project = tree.described(Overrides::default()).unwrap();
        assert_eq!(project.components[0].new_base, expected, "{pots:?}");
    }
}

#[test]
fn several_domains_are_components_or_names() {
    const PO: &str = "msgid \"Hello\"\nmsgstr \"Ahoj\"\n";
    let tree = Tree::default()
        .with_all("locale/*/LC_MESSAGES/django.po", &["cs", "de"], PO)
        .with_all("locale/*/LC_MESSAGES/djangojs.po", &["cs", "de"], PO);
    let description = tree.description(Overrides::default()).unwrap();
    assert_eq!(description.project.components.len(), 2);
    let report = report(description, &tree.files, &mut |id| {
        tree.bytes.get(&id).map(|text| text.clone().into_bytes())
    });
    assert!(
        report.suggestions.contains(
            "#filemask = \"locale/{language}/LC_MESSAGES/{name}.po\"\n#file_format = \"po\"\n"
        ),
        "{}",
        report.suggestions
    );
}

#[test]
fn several_components_of_one_repository_are_found() {
    let tree = Tree::default()
        .with_all(
            "src/_locales/*/messages.json",
            &["en", "cs", "de"],
            MESSAGES,
        )
        .with_all(
            "platform/mv3/extension/_locales/*/messages.json",
            &["en", "cs"],
            MESSAGES,
        )
        .with_all("site/locales/*/common.json", &["en", "fr", "it"], TEXTS)
        .with_all("site/locales/*/errors.json", &["en", "fr", "it"], TEXTS);
    assert_eq!(
        tree.found(),
        [
            "platform/mv3/extension/_locales/*/messages.json platform/mv3/extension/_locales/en/messages.json webextension",
            "site/locales/*/common.json site/locales/en/common.json json",
            "site/locales/*/errors.json site/locales/en/errors.json json",
            "src/_locales/*/messages.json src/_locales/en/messages.json webextension",
        ]
    );
    let project = tree.described(Overrides::default()).unwrap();
    let slugs: Vec<_> = project
        .components
        .iter()
        .map(|component| component.slug.as_str())
        .collect();
    assert_eq!(
        slugs,
        [
            "platform-mv3-extension-locales",
            "site-locales-common",
            "site-locales-errors",
            "src-locales"
        ]
    );
}

#[test]
fn a_project_without_translations_is_found_by_its_folder() {
    assert_eq!(
        Tree::new(&[("_locales/en/messages.json", MESSAGES)]).found(),
        ["_locales/*/messages.json _locales/en/messages.json webextension"]
    );
    assert_eq!(
        Tree::new(&[("app/i18n/en.json", TEXTS)]).found(),
        ["app/i18n/*.json app/i18n/en.json json"]
    );
    assert!(Tree::new(&[("data/en.json", TEXTS)]).found().is_empty());
}

#[test]
fn other_files_among_translations_do_not_spoil_the_mask() {
    let tree = Tree::default()
        .with_all(
            "locales/*.json",
            &["en", "de-DE", "fr-FR", "kab-KAB"],
            TEXTS,
        )
        .with("locales/percentages.json", r#"{"de-DE":98,"fr-FR":100}"#)
        .with("locales/README.md", "");
    assert_eq!(tree.found(), ["locales/*.json locales/en.json json"]);
}

#[test]
fn files_that_are_no_translations_make_no_component() {
    let settings = r#"{"name":"x","version":"1"}"#;
    let tree = Tree::new(&[
        ("package.json", settings),
        ("tsconfig.json", "{}"),
        ("server/tsconfig.json", settings),
        ("server/tsconfig.no-decl.json", settings),
        (
            "resources/default_accelerators.properties",
            "open=control O",
        ),
        ("composer.json", settings),
        ("src/manifest.json", settings),
        ("config/default.json", settings),
        ("config/production.json", settings),
        ("rules/no-var.json", settings),
        ("rules/no-eval.json", settings),
        ("schemas/v1.json", settings),
        ("schemas/v2.json", settings),
        ("packages/id/index.json", settings),
        ("packages/is/index.json", settings),
    ]);
    let tree = tree
        .with_all("node_modules/x/locales/*.json", &["en", "cs", "de"], TEXTS)
        .with_all("tests/fixtures/locales/*.json", &["en", "cs", "de"], TEXTS)
        .with_all("vendor/lib/lang/*.json", &["en", "cs", "de"], TEXTS);
    assert_eq!(tree.found(), Vec::<String>::new());
    assert!(matches!(
        tree.described(Overrides::default()),
        Err(DiscoverError::NothingFound(_))
    ));
}

#[test]
fn incidental_files_count_only_without_others() {
    for mask in [
        "app/src/androidTest/assets/lang/*.json",
        "App.Tests/lang/*.json",
        "e2e-fixtures/lang/*.json",
        "src/i18n/dateTimeFormats/*.json",
        "lib/device_templates/lang/*.json",
    ] {
        let alone = || Tree::default().with_all(mask, &["en", "cs", "de"], TEXTS);
        let template = mask.replace('*', "en");
        assert_eq!(alone().found(), [format!("{mask} {template} json")]);
        let both = alone().with_all("locales/*.json", &["en", "cs"], TEXTS);
        assert_eq!(both.found(), ["locales/*.json locales/en.json json"]);
    }
    // Words that only contain such a word are different words.
    let tree = Tree::default()
        .with_all("latest/lang/*.json", &["en", "cs"], TEXTS)
        .with_all("contest/lang/*.json", &["en", "cs"], TEXTS);
    assert_eq!(tree.found().len(), 2);
}

#[test]
fn excluded_files_are_not_found() {
    let tree = Tree::default()
        .with_all("docs/lang/*.json", &["en", "cs", "de"], TEXTS)
        .with_all("locales/*.json", &["en", "cs", "qaa"], TEXTS);
    let exclude = |patterns: &[&str]| Overrides {
        exclude: Some(
            patterns
                .iter()
                .map(|pattern| pattern.parse().unwrap())
                .collect(),
        ),
        ..Overrides::default()
    };
    let project = tree.described(exclude(&["docs"])).unwrap();
    let masks: Vec<&str> = project
        .components
        .iter()
        .map(|component| component.filemask.as_str())
        .collect();
    assert_eq!(masks, ["locales/*.json"]);
    let nothing = tree.described(exclude(&["docs", "/locales"])).unwrap_err();
    assert_eq!(
        nothing.to_string(),
        "no translation files were found; set --filemask, such as 'PATH/*.json'"
    );
}

#[test]
fn build_output_counts_only_without_sources() {
    let built = || Tree::default().with_all("dist/locales/*.json", &["en", "cs", "de"], TEXTS);
    assert_eq!(
        built().found(),
        ["dist/locales/*.json dist/locales/en.json json"]
    );
    let both = built().with_all("locales/*.json", &["en", "cs"], TEXTS);
    assert_eq!(both.found(), ["locales/*.json locales/en.json json"]);
}

#[test]
fn the_template_is_the_full_file_where_several_are_english() {
    let few = r#"{"bye":"Cheers"}"#;
    let many = r#"{"hello":"Hello","bye":"Bye","more":"More"}"#;
    let tree = Tree::new(&[
        ("lang/en.json", few),
        ("lang/en-US.json", many),
        ("lang/cs.json", TEXTS),
    ]);
    assert_eq!(tree.found(), ["lang/*.json lang/en-US.json json"]);
    let tree = Tree::new(&[
        ("lang/en-GB.json", many),
        ("lang/en-US.json", many),
        ("lang/cs.json", TEXTS),
    ]);
    assert_eq!(tree.found(), ["lang/*.json lang/en-US.json json"]);
    let tree = Tree::new(&[
        ("lang/template.json", r#"{"hello":""}"#),
        ("lang/en.json", few),
        ("lang/cs.json", TEXTS),
    ]);
    assert_eq!(tree.found(), ["lang/*.json lang/en.json json"]);
}

#[test]
fn without_english_the_template_is_the_file_whose_keys_cover_the_others() {
    let some = r#"{"hello":"Ahoj"}"#;
    let tree = Tree::new(&[
        ("lang/cs.json", some),
        ("lang/de.json", TEXTS),
        ("lang/fr.json", some),
    ]);
    assert_eq!(tree.found(), ["lang/*.json lang/de.json json"]);
    assert_eq!(
        tree.described(Overrides::default())
            .unwrap()
            .source_language,
        "de"
    );
    let strangers = Tree::new(&[
        ("x/cs.json", r#"{"a":"1"}"#),
        ("x/de.json", r#"{"b":"2"}"#),
        ("x/fr.json", r#"{"c":"3"}"#),
    ]);
    assert!(strangers.found().is_empty());
    let strangers = Tree::new(&[
        ("config/locales/en.yml", "en:\n  a: x\n"),
        ("config/locales/es.yml", "es:\n  b: y\n"),
    ]);
    assert!(strangers.found().is_empty());
    assert_eq!(
        strangers.problems(),
        [
            "config/locales/*.yml: left out: no other file that was compared has a string of config/locales/en.yml; if it is the template, set --filemask"
        ]
    );
}

#[test]
fn files_of_a_component_are_not_said_to_be_left_out() {
    // By the names of the directories, they are left out before the names of the files say more.
    let later = Tree::new(&[
        ("locales/en/de.json", r#"{"a":"1"}"#),
        ("locales/en/fr.json", r#"{"a":"2"}"#),
        ("locales/cs/de.json", r#"{"b":"3"}"#),
    ]);
    // Without directories of build results, they are left out.
    let built = Tree::new(&[
        ("locales/en/a.json", r#"{"a":"1"}"#),
        ("locales/cs/a.json", r#"{"b":"2"}"#),
        ("locales/out/a.json", r#"{"a":"3"}"#),
    ]);
    let map = r#"{"a":{"en":"x","cs":"y","de":"z"},"b":{"en":"x","cs":"y","de":"z"}}"#;
    let other = map.replace("\"a\"", "\"c\"").replace("\"b\"", "\"d\"");
    let maps = Tree::new(&[("locales/en.json", map), ("locales/my.json", &other)]);
    assert_eq!(maps.found().len(), 2);
    assert_eq!(maps.problems(), [] as [&str; 0]);
    for (tree, expected) in [
        (later, "locales/en/*.json locales/en/de.json json"),
        (built, "locales/*/a.json locales/en/a.json json"),
    ] {
        assert_eq!(tree.found(), [expected]);
        assert_eq!(tree.problems(), [] as [&str; 0]);
    }
}

#[test]
fn english_in_another_folder_is_the_template_if_it_has_the_keys() {
    const OTHER: &str = r#"{"title":"Settings"}"#;
    let tree = Tree::default()
        .with_all("resources/i18n/*.json", &["cs", "de", "fr"], TEXTS)
        .with("docs/i18n/en.json", OTHER);
    let found = ["resources/i18n/*.json resources/i18n/de.json json"];
    assert_eq!(tree.found()[1..], found);
    let tree = tree.with("ui/src/i18n/en.json", TEXTS);
    let found = ["resources/i18n/*.json ui/src/i18n/en.json json"];
    assert_eq!(tree.found()[1..], found);
}

#[test]
fn a_guessed_template_has_the_plural_forms_of_english() {
    let tree = Tree::default().with_all("core/*/app.json", &["ar", "cs", "de"], TEXTS);
    assert_eq!(tree.found(), ["core/*/app.json core/de/app.json json"]);
}

#[test]
fn a_template_without_a_code_may_be_next_to_the_translations() {
    let tree = Tree::default().with("i18n/messages.json", TEXTS).with_all(
        "i18n/messages_*.json",
        &["cs", "de"],
        TEXTS,
    );
    assert_eq!(
        tree.found(),
        ["i18n/messages_*.json i18n/messages.json json"]
    );
}

#[test]
fn a_broken_translation_does_not_hide_the_others() {
    let tree = Tree::default()
        .with("locales/cs.json", "{\"hello\": <<<<<<< HEAD")
        .with_all("locales/*.json", &["en", "de"], TEXTS);
    assert_eq!(tree.found(), ["locales/*.json locales/en.json json"]);
}

#[test]
fn files_that_are_not_supported_or_do_not_parse_are_named() {
    let tree = Tree::new(&[
        ("po/cs.mo", ""),
        ("po/de.mo", ""),
        ("locales/en.json", "{\n  oops"),
        ("locales/de.json", "{\"a\": 1e}"),
    ]);
    let error = tree
        .described(Overrides::default())
        .unwrap_err()
        .to_string();
    for part in [
        "2 .mo files: format not supported",
        "locales/en.json: ",
        "2 .json",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn no_translation_replaces_a_template_that_does_not_parse() {
    let tree = Tree::new(&[
        ("a/locales/en.json", "{\"a\": 1,}}"),
        ("a/locales/cs.json", TEXTS),
        ("a/locales/de.json", TEXTS),
    ]);
    assert_eq!(tree.found(), [""; 0]);
    let error = tree
        .described(Overrides::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("a/locales/en.json: line 1, column 9"),
        "{error}"
    );
    let tree = tree.with_all("b/locales/*.json", &["en", "cs"], TEXTS);
    let description = tree.description(Overrides::default()).unwrap();
    let mut read = |id: BlobId| tree.bytes.get(&id).map(|text| text.clone().into_bytes());
    let report = report(description, &tree.files, &mut read).to_string();
    assert_eq!(
        report
            .lines()
            .map(|line| line.split(", column").next().unwrap())
            .collect::<Vec<_>>(),
        ["json: 2 files in 1 component", "a/locales/en.json: line 1"]
    );
    // Two files with the same content.
    let tree = Tree::new(&[
        ("a/locales/en.json", "{\"a\": 1,}}"),
        ("a/locales/cs.json", TEXTS),
        ("b/locales/en.json", "{\"a\": 1,}}"),
        ("b/locales/cs.json", TEXTS),
        ("b/locales/de.json", TEXTS),
    ]);
    assert_eq!(tree.found(), [""; 0]);
}

#[test]
fn a_translation_without_the_plurals_of_its_template_belongs_to_it() {
    for (template, translation, format) in [
        (
            r#"{"files_one":"a file","files_other":"files"}"#,
            r#"{"files_other":"soubory"}"#,
            "i18nextv4",
        ),
        (
            r#"{"files":{"one":"a file","other":"files"},"t":"Title"}"#,
            r#"{"files":{"one":"soubor","few":"soubory"},"t":"Titulek"}"#,
            "go-i18n-json-v2",
        ),
    ] {
        let tree = Tree::new(&[
            ("l/active.en.json", template),
            ("l/active.cs.json", translation),
        ]);
        let expected = format!("l/active.*.json l/active.en.json {format}");
        assert_eq!(tree.found(), [expected]);
    }
}

#[test]
fn the_syntax_that_a_manifest_names_is_printed_with_the_reason() {
    let tree = Tree::default()
        .with(
            "web/package.json",
            r#"{"dependencies": {"vue-i18n": "^9.2.0"}}"#,
        )
        .with_all("web/locales/*.json", &["en", "de"], r#"{"a": "Hi {name}"}"#);
    let description = tree.description(Overrides::default()).unwrap();
    let mut read = |id| tree.bytes.get(&id).map(|text| text.clone().into_bytes());
    assert_eq!(
        report(description, &tree.files, &mut read).suggestions,
        "\n# web/package.json depends on vue-i18n, so this is the syntax of the texts of web/locales/*.json:\n\
         #message_syntax = \"vue-i18n\"\n"
    );
}
