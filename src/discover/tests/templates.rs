//! Which file is the template (docs/spec/settings.md#templates).

use super::*;

/// Texts of a file with an ending.
fn texts(path: &str, keys: &[&str]) -> String {
    let of = |line: &dyn Fn(&str) -> String| keys.iter().map(|key| line(key)).collect::<String>();
    match path.rsplit('.').next().unwrap() {
        "xml" => {
            let lines = of(&|key| format!("<string name=\"{key}\">{key}</string>"));
            format!("<resources>{lines}</resources>")
        }
        "resx" | "resw" => {
            let lines = of(&|key| format!("<data name=\"{key}\"><value>{key}</value></data>"));
            format!("<root>{lines}</root>")
        }
        "properties" => of(&|key| format!("{key}={key}\n")),
        _ => {
            let lines: Vec<String> = keys
                .iter()
                .map(|key| format!("\"{key}\":\"{key}\""))
                .collect();
            format!("{{{}}}", lines.join(","))
        }
    }
}

/// The template of files of which each has these keys.
fn template(files: &[(&str, &[&str])]) -> String {
    let tree = files.iter().fold(Tree::default(), |tree, (path, keys)| {
        tree.with(path, &texts(path, keys))
    });
    let found = tree.found();
    let words: Vec<&str> = found.iter().flat_map(|text| text.split(' ')).collect();
    words
        .get(1)
        .map_or_else(String::new, |word| (*word).to_owned())
}

const ALL: &[&str] = &["open", "close", "save"];

#[test]
fn a_base_file_is_the_template_whatever_english_files_have() {
    for (base, english, german) in [
        (
            "res/values/strings.xml",
            "res/values-en/strings.xml",
            "res/values-de/strings.xml",
        ),
        (
            "i/msg.properties",
            "i/msg_en.properties",
            "i/msg_de.properties",
        ),
        ("P/Strings.resx", "P/Strings.en.resx", "P/Strings.de.resx"),
        (
            "P/Strings.resw",
            "P/Strings.en-US.resw",
            "P/Strings.de-DE.resw",
        ),
    ] {
        for few in [&ALL[..1], ALL] {
            assert_eq!(
                template(&[(base, ALL), (english, few), (german, ALL)]),
                base
            );
            assert_eq!(
                template(&[(base, few), (english, ALL), (german, ALL)]),
                base
            );
        }
        assert_eq!(
            template(&[(base, &[]), (english, ALL), (german, ALL)]),
            english
        );
        assert_eq!(template(&[(english, ALL), (german, ALL)]), english);
    }
}

#[test]
fn a_base_file_that_does_not_parse_is_not_replaced() {
    let (english, german) = ("res/values-en/strings.xml", "res/values-de/strings.xml");
    let tree = Tree::default()
        .with("res/values/strings.xml", "<resources><string")
        .with(english, &texts(english, ALL))
        .with(german, &texts(german, ALL));
    assert_eq!(tree.found(), [""; 0]);
    let (_, rest) = tree.detected();
    let broken = rest.broken.iter().map(|broken| &*broken.template);
    assert_eq!(broken.collect::<Vec<_>>(), ["res/values/strings.xml"]);
}

#[test]
fn a_file_that_does_not_parse_is_a_template_by_its_name_and_the_others() {
    const BROKEN: &str = "{\"a\": [";
    for (files, expected) in [
        (
            &[("l/en.json", BROKEN), ("l/de.json", TEXTS)][..],
            &["l/*.json json"][..],
        ),
        // Settings name it.
        (
            &[
                (
                    "l10n.yaml",
                    "arb-dir: lib/l10n\ntemplate-arb-file: app_de.arb\n",
                ),
                ("lib/l10n/app_de.arb", BROKEN),
                ("lib/l10n/app_en.arb", TEXTS),
            ],
            &["lib/l10n/app_*.arb arb"],
        ),
        // The names of directories say what the files are.
        (
            &[("locales/en.json", BROKEN), ("locales/de.json", BROKEN)],
            &["locales/*.json json"],
        ),
        (&[("x/en.json", BROKEN), ("x/de.json", BROKEN)], &[]),
        (&[("x/en.json", BROKEN), ("x/schema.json", "{}")], &[]),
        (&[("locales/fr.xlf", "<xliff")], &["locales/*.xlf xliff"]),
        (
            &[("po/en_GB.po", "msgid \"a"), ("po/fr.po", "msgid \"a")],
            &["po/*.po po"],
        ),
        (
            &[
                ("lib/generators/app/templates/po/de.po", "<% a %>"),
                ("lib/generators/app/templates/po/fr.po", "<% a %>"),
            ],
            &[],
        ),
        (
            &[("App/Localizable.xcstrings", BROKEN)],
            &["App/Localizable.xcstrings xcstrings"],
        ),
        (
            &[("fixtures/en.json", BROKEN), ("fixtures/de.json", TEXTS)],
            &[],
        ),
    ] {
        let (found, rest) = Tree::new(files).detected();
        assert_eq!(found, []);
        let broken = rest.broken.iter();
        let broken = broken.map(|it| format!("{} {}", it.filemask.as_str(), it.file_format.name()));
        assert_eq!(broken.collect::<Vec<_>>(), expected, "{files:?}");
    }
}

#[test]
fn a_variant_of_english_is_a_translation_of_english() {
    for variant in ["en_AU", "en_GB", "en-001"] {
        let path = format!("l/{variant}.json");
        let found = template(&[("l/en.json", &ALL[..1]), (&path, ALL), ("l/de.json", ALL)]);
        assert_eq!(found, "l/en.json");
        let path = format!("l/app-{variant}.json");
        let files: [(&str, &[&str]); 3] = [
            ("l/app.json", &ALL[..1]),
            (&path, ALL),
            ("l/app-de.json", ALL),
        ];
        assert_eq!(template(&files), "l/app.json");
    }
    assert_eq!(
        template(&[("l/en_GB.json", ALL), ("l/de.json", ALL)]),
        "l/en_GB.json"
    );
    for name in ["templates", "base", "default"] {
        let path = format!("l/{name}/a.json");
        let files: [(&str, &[&str]); 3] =
            [(&path, ALL), ("l/en-GB/a.json", ALL), ("l/de/a.json", ALL)];
        assert_eq!(template(&files), path);
    }
    let tree = Tree::default()
        .with("l/en.json", "{")
        .with_all("l/*.json", &["en_GB", "de"], TEXTS);
    assert_eq!(tree.found(), [""; 0]);
}

#[test]
fn english_with_few_texts_of_another_english_file_is_a_variant() {
    let all = ["a", "b", "c", "d", "e", "f"];
    let template = |english: &[&str], american: &[&str], german: &[&str]| {
        template(&[
            ("l/en.json", english),
            ("l/en_US.json", american),
            ("l/de.json", german),
        ])
    };
    assert_eq!(template(&all[..2], &all, &all), "l/en_US.json");
    // Texts that English lost and others still have.
    assert_eq!(template(&all[..4], &all, &all), "l/en.json");
    // Texts that only American has are none that others could translate.
    assert_eq!(template(&all[..2], &all, &all[..2]), "l/en.json");
    // English has a text of its own.
    assert_eq!(template(&all[..2], &all[1..], &all), "l/en.json");
    assert_eq!(template(&all, &all[..2], &all), "l/en.json");
}

#[test]
fn american_english_with_few_texts_of_british_is_a_variant() {
    let all = ["a", "b", "c", "d", "e"];
    let template = |american: &[&str]| {
        template(&[
            ("l/en-US.json", american),
            ("l/en-GB.json", &all),
            ("l/de.json", &all),
        ])
    };
    assert_eq!(template(&all[..1]), "l/en-GB.json");
    // Texts that the others still have.
    assert_eq!(template(&all[..2]), "l/en-US.json");
    assert_eq!(template(&all), "l/en-US.json");
    let tree =
        Tree::default()
            .with("l/en_GB.json", "{")
            .with_all("l/*.json", &["en_AU", "de"], TEXTS);
    assert_eq!(tree.found(), ["l/*.json l/en_AU.json json"]);
}

#[test]
fn files_with_the_language_of_the_template_are_named() {
    let tree = ["values", "values-en", "values-de"]
        .iter()
        .fold(Tree::default(), |tree, folder| {
            tree.with(&format!("res/{folder}/strings.xml"), &texts(".xml", ALL))
        });
    let description = tree.description(Overrides::default()).unwrap();
    let mut read = |id: BlobId| tree.bytes.get(&id).map(|text| text.clone().into_bytes());
    assert_eq!(
        report(description, &tree.files, &mut read).suggestions,
        "\n# res/values-en/strings.xml has the language of the template res/values/strings.xml, so it is a variant: a server \
         uses only the template.\n"
    );
}

#[test]
fn the_manifest_of_an_extension_names_the_template() {
    let tree = |name: &str, manifest: &str| {
        Tree::default()
            .with(&format!("src/{name}"), manifest)
            .with_all(
                "src/_locales/*/messages.json",
                &["de", "en", "fr"],
                MESSAGES,
            )
            .found()
    };
    let german = ["src/_locales/*/messages.json src/_locales/de/messages.json webextension"];
    assert_eq!(
        tree("manifest.json", "{\"default_locale\": \"de\", // x\n}"),
        german
    );
    assert_eq!(tree("manifest.yml", "default_locale: de\n"), german);
    let english = ["src/_locales/*/messages.json src/_locales/en/messages.json webextension"];
    assert_eq!(
        tree("manifest.json", "{\"default_locale\": \"it\"}"),
        english
    );
    assert_eq!(tree("manifest.json", "["), english);
}

#[test]
fn descriptions_of_an_extension_in_yaml_are_notes() {
    let text = "a:\n  description: d\n  message: x\nb:\n  message: ''\n";
    let tree = Tree::default().with_all("src/_locales/*/messages.yml", &["en", "fr"], text);
    assert_eq!(
        tree.found(),
        ["src/_locales/*/messages.yml src/_locales/en/messages.yml webextension-yaml"]
    );
}

#[test]
fn images_of_apple_are_no_translations() {
    let tree = Tree::default()
        .with_all("App/Assets.xcassets/*/Contents.json", &["en", "de"], TEXTS)
        .with_all(
            "App/*.lproj/Localizable.strings",
            &["en", "de"],
            "\"a\" = \"b\";",
        );
    assert_eq!(
        tree.found(),
        ["App/*.lproj/Localizable.strings App/en.lproj/Localizable.strings strings-utf8"]
    );
}

#[test]
fn a_guessed_template_is_named() {
    let tree = Tree::default().with_all("l/*.json", &["de", "fr"], TEXTS);
    let suggestions = |tree: &Tree| {
        let description = tree.description(Overrides::default()).unwrap();
        let mut read = |id: BlobId| tree.bytes.get(&id).map(|text| text.clone().into_bytes());
        report(description, &tree.files, &mut read).suggestions
    };
    let tree = tree.with("l/es.json", TEXTS);
    assert_eq!(
        suggestions(&tree),
        "\n# No file of l/*.json is named like a template, so the source texts are taken from l/de.json: set the template \
         if they are elsewhere.\n"
    );
    // The manifest names it.
    let tree = Tree::default()
        .with("manifest.json", "{\"default_locale\": \"de\"}")
        .with_all("_locales/*/messages.json", &["de", "fr"], MESSAGES);
    assert_eq!(suggestions(&tree), "");
}

#[test]
fn files_without_a_source_among_those_that_have_one_are_left_out() {
    let without = |tree: Tree| tree.with_all("l/*/old.json", &["af", "de", "fr"], TEXTS);
    let alone = without(Tree::default());
    assert_eq!(alone.found(), ["l/*/old.json l/af/old.json json"]);
    let tree = without(Tree::default().with_all("l/*/a.json", &["templates", "de"], TEXTS));
    assert_eq!(tree.found(), ["l/*/a.json l/templates/a.json json"]);
    assert_eq!(
        tree.problems(),
        [
            "l/*/old.json: left out: l/templates/old.json has no texts, and other files have their source texts there; if \
             l/af/old.json has them, set the file mask and the template"
        ]
    );
    // Another directory says nothing.
    let tree = without(Tree::default().with_all("m/*/a.json", &["en", "de"], TEXTS));
    assert_eq!(tree.found().len(), 2);
}
