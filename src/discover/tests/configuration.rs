//! The configuration of found components: given settings, names, errors.

use super::*;

#[test]
fn english_is_the_default_source_language() {
    for (template, language) in [
        ("en_US", "en"),
        ("en", "en"),
        ("template", "en"),
        ("source", "en"),
        ("de-DE", "de"),
        ("pt-BR", "pt_BR"),
    ] {
        let tree = Tree::default().with_all("locales/*.json", &[template, "cs", "fr"], TEXTS);
        let overrides = Overrides {
            template: Some(repo_path(&format!("locales/{template}.json"))),
            ..Overrides::default()
        };
        assert_eq!(
            tree.described(overrides).unwrap().source_language,
            language,
            "{template}"
        );
    }
}

#[test]
fn given_settings_are_not_detected() {
    let tree = Tree::default()
        .with_all("a/locales/*.json", &["en", "de"], TEXTS)
        .with_all("b/locales/*.json", &["en", "de", "fr"], TEXTS)
        .with("b/more/list.json", TEXTS);
    let given = Overrides {
        project: Some(Slug::new("own").unwrap()),
        component: Some(Slug::new("b-locales").unwrap()),
        branch: Some("next".to_owned()),
        source_language: Some("en_GB".to_owned()),
        ..Overrides::default()
    };
    let project = tree.described(given).unwrap();
    assert_eq!(
        (
            project.slug.as_str(),
            &*project.name,
            &*project.source_language
        ),
        ("own", "own", "en_GB")
    );
    let [component] = &project.components[..] else {
        panic!("{project:?}")
    };
    assert_eq!(
        (component.filemask.as_str(), component.branch.as_deref()),
        ("b/locales/*.json", Some("next"))
    );

    let given = Overrides {
        component: Some(Slug::new("more").unwrap()),
        filemask: Some("b/more/*.json".parse().unwrap()),
        template: Some(repo_path("a/locales/en.json")),
        file_format: Some(FileFormat::WebExtension),
        ..Overrides::default()
    };
    let project = tree.described(given).unwrap();
    let [component] = &project.components[..] else {
        panic!("{project:?}")
    };
    assert_eq!(
        (component.slug.as_str(), component.file_format),
        ("more", FileFormat::WebExtension)
    );
    assert_eq!(component.template, "a/locales/en.json");

    let given = Overrides {
        template: Some(repo_path("a/locales/de.json")),
        ..Overrides::default()
    };
    let project = tree.described(given).unwrap();
    assert_eq!(project.slug.as_str(), "my-project");
    assert_eq!(project.components[0].slug.as_str(), "a-locales");
    assert_eq!(
        (&*project.components[0].template, &*project.source_language),
        ("a/locales/de.json", "de")
    );
}

#[test]
fn a_template_that_does_not_parse_has_the_format_of_its_translations() {
    let tree = Tree::default()
        .with(
            "l10n.yaml",
            "arb-dir: lib/l10n\ntemplate-arb-file: app_de.arb\n",
        )
        .with("lib/l10n/app_de.arb", "{\"a\": [")
        .with("lib/l10n/app_en.arb", TEXTS);
    let given = Overrides {
        filemask: Some("lib/l10n/app_*.arb".parse().unwrap()),
        ..Overrides::default()
    };
    let project = tree.described(given).unwrap();
    let [component] = &project.components[..] else {
        panic!("{project:?}")
    };
    assert_eq!(
        (
            &*component.settings.template,
            component.settings.file_format
        ),
        ("lib/l10n/app_de.arb", FileFormat::Arb)
    );
}

#[test]
fn a_failed_detection_names_the_setting_to_use() {
    let tree = Tree::default()
        .with_all("a/locales/*.json", &["en", "de"], TEXTS)
        .with_all("b/locales/*.json", &["en", "de"], TEXTS)
        .with("c/en.json", "{")
        .with("d/x.json", r#"{"a":"1"}"#);
    let mask = |mask: &str| Some(mask.parse().unwrap());
    for (given, message) in [
        (
            Overrides {
                filemask: mask("x/*.json"),
                ..Overrides::default()
            },
            "'x/*.json' matches no file",
        ),
        (
            Overrides {
                filemask: mask("d/*.json"),
                ..Overrides::default()
            },
            "--template",
        ),
        (
            Overrides {
                template: Some(repo_path("x.json")),
                ..Overrides::default()
            },
            "template 'x.json' does not exist",
        ),
        (
            Overrides {
                template: Some(repo_path("d/x.json")),
                ..Overrides::default()
            },
            "--filemask",
        ),
        (
            Overrides {
                filemask: mask("c/*.json"),
                template: Some(repo_path("c/en.json")),
                ..Overrides::default()
            },
            "--file-format",
        ),
        (
            Overrides {
                component: Some(Slug::new("c").unwrap()),
                ..Overrides::default()
            },
            "no component 'c' was found, but a-locales, b-locales",
        ),
    ] {
        let error = tree.described(given).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn components_of_one_name_are_numbered() {
    let tree = Tree::default()
        .with_all("a_b/locales/*.json", &["en", "de"], TEXTS)
        .with_all("a b/locales/*.json", &["en", "de"], TEXTS)
        .with_all("a-b/locales/*.json", &["en", "de"], TEXTS);
    let project = tree.described(Overrides::default()).unwrap();
    let slugs: Vec<_> = project
        .components
        .iter()
        .map(|component| component.slug.as_str())
        .collect();
    assert_eq!(slugs, ["a-b-locales", "a-b-locales-2", "a_b-locales"]);
}

#[test]
fn the_printed_configuration_has_the_detected_values() {
    let tree = Tree::default().with_all("_locales/*/messages.json", &["en", "cs"], MESSAGES);
    let project = tree.described(Overrides::default()).unwrap();
    insta::assert_snapshot!(to_toml(&[project]).unwrap(), @r#"
    [[project]]
    slug = "my-project"
    name = "my-project"
    source_language = "en"

    [[project.component]]
    slug = "locales"
    name = "locales"
    repo = "https://host.example/My.Project.git"
    filemask = "_locales/*/messages.json"
    template = "_locales/en/messages.json"
    file_format = "webextension"
    "#);
}

#[test]
fn placeholders_make_a_component_of_each_name() {
    let tree = Tree::default()
        .with_all("locales/*/common.json", &["en", "cs"], TEXTS)
        .with_all("locales/*/errors.json", &["en", "cs"], TEXTS)
        .with_all("packages/admin/locales/*.json", &["en", "de"], TEXTS)
        .with_all("packages/ui/locales/*.json", &["en", "de"], TEXTS);
    let described = |mask: &str| {
        let given = Overrides {
            filemask: Some(mask.parse().unwrap()),
            ..Overrides::default()
        };
        let components = tree.described(given).unwrap().components;
        let shown = components
            .iter()
            .map(|component| format!("{} {}", component.slug.as_str(), component.template));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(
        described("locales/{language}/{name}.json"),
        [
            "locales-common locales/en/common.json",
            "locales-errors locales/en/errors.json"
        ]
    );
    assert_eq!(
        described("packages/{name}/locales/{language}.json"),
        [
            "packages-admin-locales packages/admin/locales/en.json",
            "packages-ui-locales packages/ui/locales/en.json"
        ]
    );
}

#[test]
fn an_ambiguous_mask_is_refused_with_two_files() {
    let tree = Tree::default()
        .with_all("packages/admin/locales/*.json", &["en", "de"], TEXTS)
        .with_all("packages/ui/locales/*.json", &["en", "de"], TEXTS);
    let given = Overrides {
        filemask: Some("packages/*/locales/*.json".parse().unwrap()),
        ..Overrides::default()
    };
    let error = tree.described(given).unwrap_err().to_string();
    for part in [
        "packages/admin/locales/en.json",
        "packages/admin/locales/de.json",
        "packages/{name}/locales/{language}",
    ] {
        assert!(error.contains(part), "{error}");
    }
}
