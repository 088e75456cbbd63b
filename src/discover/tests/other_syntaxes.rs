//! Files that are no JSON but have its values (TOML, YAML, PHP and modules of JavaScript), and dialects of JSON with own shapes.

use super::*;

#[test]
fn toml_of_hugo_and_go_i18n_is_found_and_settings_are_not() {
    let messages = "[a]\nother = 'x'\n[b]\none = 'y'\nother = 'z'\n";
    let tree = Tree::default()
        .with_all("i18n/*.toml", &["en", "de"], messages)
        .with_all(
            "config/_default/languages.*.toml",
            &["en", "de"],
            "weight = 1\n",
        )
        .with("config.toml", "title = 'x'\n");
    assert_eq!(tree.found(), ["i18n/*.toml i18n/en.toml go-i18n-toml"]);
    let nested = "[a]\nb = 'x'\n[a.c]\none = 'y'\nother = 'z'\n";
    let tree = Tree::default().with_all("i18n/*.toml", &["en", "de"], nested);
    assert_eq!(tree.found(), ["i18n/*.toml i18n/en.toml go-i18n-toml"]);
    for texts in ["a = 'x'\n[b]\nc = 'y'\n", "[b]\nc = 'y'\nother = 'z'\n"] {
        let tree = Tree::default().with_all("locales/*.toml", &["en", "de"], texts);
        assert_eq!(tree.found(), ["locales/*.toml locales/en.toml toml"]);
    }
}

#[test]
fn yaml_of_go_i18n_has_messages_of_forms_only() {
    let found = |text: &str| {
        Tree::default()
            .with_all("i18n/*.yaml", &["en", "de"], text)
            .found()
    };
    for messages in [
        "- id: a\n  translation: x\n- id: b\n  translation: {one: y, other: z}\n",
        "a:\n  other: x\nb: y\n",
    ] {
        assert_eq!(found(messages), ["i18n/*.yaml i18n/en.yaml go-i18n-yaml"]);
    }
    for texts in ["a: x\n", "a:\n  other: x\n  more: y\n"] {
        assert_eq!(found(texts), ["i18n/*.yaml i18n/en.yaml yaml"]);
    }
}

#[test]
fn modules_with_texts_are_found_and_other_code_is_not() {
    let texts =
        "import type { T } from './types'\nexport default { a: 'x', f: () => 'y' } satisfies T\n";
    for ending in ["ts", "js", "mjs"] {
        let tree = Tree::default()
            .with_all(
                &format!("src/i18n/locales/*.{ending}"),
                &["en", "de"],
                texts,
            )
            .with("src/i18n/locales/index.ts", "export * from './en'\n")
            .with(
                "src/i18n/locales/types.ts",
                "export interface T { a: string }\n",
            )
            .with("src/i18n/index.ts", "export const i18n = createI18n(en)\n");
        let expected =
            format!("src/i18n/locales/*.{ending} src/i18n/locales/en.{ending} javascript");
        assert_eq!(tree.found(), [expected]);
    }
}

#[test]
fn files_of_a_language_in_php_are_a_component_each() {
    let tree = Tree::default()
        .with_all(
            "lang/*/auth.php",
            &["en", "cs", "pt_BR"],
            "<?php return ['failed' => 'x'];",
        )
        .with_all(
            "lang/*/validation.php",
            &["en", "cs"],
            "<?php return ['a' => ['b' => 'y']];",
        )
        .with("config/app.php", "<?php return ['locale' => 'en'];");
    assert_eq!(
        tree.found(),
        [
            "lang/*/auth.php lang/en/auth.php laravel",
            "lang/*/validation.php lang/en/validation.php laravel"
        ]
    );
    let tree = Tree::default().with_all(
        "translations/messages.*.php",
        &["en", "de"],
        "<?php return ['a' => 'x'];",
    );
    assert_eq!(
        tree.found(),
        ["translations/messages.*.php translations/messages.en.php php"]
    );
}

#[test]
fn files_in_directories_of_a_language_are_found_at_any_depth() {
    let php = "<?php return ['a' => 'x'];";
    for (folder, ending, text, format) in [
        ("resources/lang", "php", php, "laravel"),
        (
            "src/locales",
            "ts",
            "export default { a: 'x' }\n",
            "javascript",
        ),
    ] {
        let masks =
            ["pages/auth/b", "pages/c", "top"].map(|name| format!("{folder}/*/{name}.{ending}"));
        let tree = masks.iter().fold(Tree::default(), |tree, mask| {
            tree.with_all(mask, &["en", "de"], text)
        });
        let expected = masks.map(|mask| format!("{mask} {} {format}", mask.replace('*', "en")));
        assert_eq!(tree.found(), expected);
    }
    // Without a directory of translations, `de` can be anything.
    let tree = Tree::default().with_all("src/*/pages/a.php", &["en", "de"], php);
    assert_eq!(tree.found(), [""; 0]);
}

#[test]
fn keys_that_are_sources_need_no_template() {
    let texts = r#"{"Log in": "x", "The :name field is required.": "y", "Name": "z"}"#;
    let tree = || Tree::default().with_all("lang/*.json", &["de", "fr"], texts);
    assert_eq!(tree().found(), ["lang/*.json  laravel-json"]);
    // The file of the source language is the template.
    let english = tree().with("lang/en.json", r#"{"Log in": "Log in", "Name": "Name"}"#);
    assert_eq!(english.found(), ["lang/*.json lang/en.json json"]);
    let jed = r#"{"domain": "m", "locale_data": {"m": {"": {"lang": "de"}, "Open": ["x"]}}}"#;
    let tree = Tree::default().with_all("locale/*/app.json", &["de", "fr"], jed);
    assert_eq!(tree.found(), ["locale/*/app.json  jed"]);
}

#[test]
fn keys_of_yaml_and_php_can_be_sources() {
    let yaml = "Log in: x\nThe %name% field is required.: y\nName: z\n";
    let tree = || Tree::default().with_all("translations/messages.*.yaml", &["de", "fr"], yaml);
    assert_eq!(
        tree().found(),
        ["translations/messages.*.yaml  yaml-sources"]
    );
    let english = tree().with("translations/messages.en.yaml", yaml);
    let expected = ["translations/messages.*.yaml translations/messages.en.yaml yaml"];
    assert_eq!(english.found(), expected);
    let php = "<?php return ['Log in' => 'x', 'Sign up now' => 'y', 'Name' => ''];";
    let tree = Tree::default().with_all("messages/*/app.php", &["de", "fr"], php);
    assert_eq!(tree.found(), ["messages/*/app.php  php-sources"]);
    let nested = "<?php return ['Log in' => ['a' => 'x'], 'Sign up now' => 'y'];";
    let tree = Tree::default().with_all("messages/*/app.php", &["de", "fr"], nested);
    assert_eq!(tree.found(), ["messages/*/app.php messages/de/app.php php"]);
}

#[test]
fn modules_with_forms_of_plurals_are_those_of_i18next() {
    let texts = "export default { a: { b_one: '{{count}} x', b_other: '{{count}} y' } }\n";
    let tree = Tree::default().with_all("src/locales/*.ts", &["en", "de"], texts);
    assert_eq!(
        tree.found(),
        ["src/locales/*.ts src/locales/en.ts i18nextv4-javascript"]
    );
    let piped = "export default { a: '{n} car | {n} cars', b: 'a | b' }\n";
    let tree = Tree::default().with_all("src/locales/*.ts", &["en", "de"], piped);
    assert_eq!(
        tree.found(),
        ["src/locales/*.ts src/locales/en.ts javascript"]
    );
    let description = tree.description(Overrides::default()).unwrap();
    let mut read = |id: BlobId| tree.bytes.get(&id).map(|text| text.clone().into_bytes());
    let suggestions = report(description, &tree.files, &mut read).suggestions;
    assert!(
        suggestions.contains("#file_format = \"vue-i18n-javascript\""),
        "{suggestions}"
    );
}

#[test]
fn settings_of_inlang_name_template_and_files() {
    let plain = r#"{"a": "x", "b": "y"}"#;
    let found = |settings: &str, mask: &str, languages: &[&str]| {
        Tree::default()
            .with("app/project.inlang/settings.json", settings)
            .with_all(mask, languages, plain)
            .found()
    };
    let settings = r#"{"baseLocale": "de", "locales": ["de", "en"],
        "plugin.inlang.messageFormat": {"pathPattern": "./messages/{locale}.json"}}"#;
    assert_eq!(
        found(settings, "app/messages/*.json", &["de", "en"]),
        ["app/messages/*.json app/messages/de.json inlang"]
    );
    // Other files are not those of the project.
    assert_eq!(
        found(settings, "messages/*.json", &["de", "en"]),
        ["messages/*.json messages/en.json json"]
    );
    let older = r#"{"sourceLanguageTag": "fr",
        "plugin.inlang.i18next": {"pathPattern": {"a": "./x/{languageTag}/a.json"}}}"#;
    assert_eq!(
        found(older, "app/x/*/a.json", &["fr"]),
        ["app/x/*/a.json app/x/fr/a.json json"]
    );
    assert_eq!(found("{", "app/x/*/a.json", &["fr"]), [""; 0]);
}

#[test]
fn the_documentation_of_messages_is_no_language() {
    let texts = r#"{"@metadata": {"authors": ["A"]}, "a": "x"}"#;
    let tree = Tree::default().with_all("i18n/*.json", &["en", "de", "qqq"], texts);
    assert_eq!(tree.found(), ["i18n/*.json i18n/en.json banana"]);
    let without_metadata = tree.with("i18n/en.json", r#"{"a": "x"}"#);
    assert_eq!(
        without_metadata.found(),
        ["i18n/*.json i18n/en.json banana"]
    );
    assert_eq!(
        gitglot_model::FileMask::new("i18n/*.json")
            .unwrap()
            .matches("i18n/qqq.json"),
        None
    );
}
