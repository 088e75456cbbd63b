//! The layouts of well-known repositories, by file names only; the contents are invented.

use std::collections::HashMap;

use super::*;
use gitglot_model::BlobId;

/// The repository, the format, the template, and the paths of the translations with their codes in braces.
const LAYOUTS: [(&str, &str, &str, &str); 63] = [
    (
        "ublock",
        "webextension",
        "src/_locales/en/messages.json",
        "src/_locales/{cs,de,pt_BR,zh_CN}/messages.json",
    ),
    (
        "bitwarden clients",
        "webextension",
        "apps/browser/src/_locales/en/messages.json",
        "apps/browser/src/_locales/{cs,de,pt_BR}/messages.json",
    ),
    (
        "thunderbird-android",
        "aresource",
        "feature/account/src/main/res/values/strings.xml",
        "feature/account/src/main/res/values-{cs,de,en-rGB}/strings.xml",
    ),
    (
        "blueocean-plugin",
        "properties",
        "dashboard/src/main/resources/dashboard/Messages.properties",
        "dashboard/src/main/resources/dashboard/Messages_{de,en_au,ko}.properties",
    ),
    (
        "excalidraw",
        "json",
        "packages/excalidraw/locales/en.json",
        "packages/excalidraw/locales/{cs-CZ,de-DE,kab-KAB}.json",
    ),
    (
        "jellyfin-web",
        "json",
        "src/strings/en-us.json",
        "src/strings/{cs,de,pt-br}.json",
    ),
    (
        "element-web",
        "json",
        "src/i18n/strings/en_EN.json",
        "src/i18n/strings/{cs,de_DE,pt_BR}.json",
    ),
    (
        "mastodon",
        "json",
        "app/javascript/mastodon/locales/en.json",
        "app/javascript/mastodon/locales/{cs,de,pt-BR}.json",
    ),
    (
        "mastodon server",
        "ruby-yaml-plurals",
        "config/locales/en.yml",
        "config/locales/{cs,de,pt-BR}.yml",
    ),
    (
        "gitlab-free rails app",
        "ruby-yaml-plurals",
        "config/locales/devise.en.yml",
        "config/locales/devise.{cs,de}.yml",
    ),
    (
        "discourse",
        "ruby-yaml-plurals",
        "config/locales/client.en.yml",
        "config/locales/client.{cs,de,pt_BR}.yml",
    ),
    (
        "redmine",
        "ruby-yaml-plurals",
        "config/locales/en.yml",
        "config/locales/{cs,de,ja,sr-YU}.yml",
    ),
    (
        "activeadmin",
        "ruby-yaml-plurals",
        "config/locales/en.yml",
        "config/locales/{cs,de-CH,pt-BR}.yml",
    ),
    (
        "openproject",
        "ruby-yaml-plurals",
        "config/locales/crowdin/js-en.yml",
        "config/locales/crowdin/js-{cs,de}.yml",
    ),
    (
        "spree",
        "ruby-yaml-plurals",
        "core/config/locales/en.yml",
        "core/config/locales/{cs,de}.yml",
    ),
    (
        "forem",
        "ruby-yaml-plurals",
        "config/locales/views/en.yml",
        "config/locales/views/{fr,pt}.yml",
    ),
    (
        "catima",
        "aresource",
        "app/src/main/res/values/strings.xml",
        "app/src/main/res/values-{cs,de,pt-rBR}/strings.xml",
    ),
    (
        "newpipe",
        "aresource",
        "app/src/main/res/values/strings.xml",
        "app/src/main/res/values-{cs,de,zh-rTW}/strings.xml",
    ),
    (
        "signal android",
        "aresource",
        "app/src/main/res/values/strings.xml",
        "app/src/main/res/values-{cs,de,pt-rBR}/strings.xml",
    ),
    (
        "k-9 mail",
        "aresource",
        "legacy/ui/legacy/src/main/res/values/strings.xml",
        "legacy/ui/legacy/src/main/res/values-{cs,de,fr}/strings.xml",
    ),
    (
        "antennapod",
        "aresource",
        "ui/i18n/src/main/res/values/strings.xml",
        "ui/i18n/src/main/res/values-{cs,de,fr}/strings.xml",
    ),
    (
        "f-droid client",
        "aresource",
        "app/src/main/res/values/strings.xml",
        "app/src/main/res/values-{cs,de,fr}/strings.xml",
    ),
    (
        "mihon",
        "aresource",
        "i18n/src/commonMain/moko-resources/base/strings.xml",
        "i18n/src/commonMain/moko-resources/{cs,de,ka-rGE,zh-rCN}/strings.xml",
    ),
    (
        "nextcloud android",
        "aresource",
        "app/src/main/res/values/strings.xml",
        "app/src/main/res/values-{cs,b+sr+Latn,pt-rBR,b+en+001}/strings.xml",
    ),
    (
        "osmand",
        "aresource",
        "OsmAnd/res/values/strings.xml",
        "OsmAnd/res/values-{cs,de,fr}/strings.xml",
    ),
    (
        "signal ios",
        "strings-utf8",
        "Signal/translations/en.lproj/Localizable.strings",
        "Signal/translations/{cs,de,pt_BR}.lproj/Localizable.strings",
    ),
    (
        "wikipedia ios",
        "strings-utf8",
        "Wikipedia/iOS Native Localizations/en.lproj/Localizable.strings",
        "Wikipedia/iOS Native Localizations/{cs,de,fr}.lproj/Localizable.strings",
    ),
    (
        "iina",
        "strings-utf8",
        "iina/en.lproj/Localizable.strings",
        "iina/{cs,de,zh-Hans}.lproj/Localizable.strings",
    ),
    (
        "vlc-ios",
        "strings-utf8",
        "Resources/en.lproj/Localizable.strings",
        "Resources/{cs,de,fr}.lproj/Localizable.strings",
    ),
    (
        "base template",
        "strings-utf8",
        "App/Base.lproj/Localizable.strings",
        "App/{cs,de,fr}.lproj/Localizable.strings",
    ),
    (
        "jenkins",
        "properties",
        "core/src/main/resources/hudson/Messages.properties",
        "core/src/main/resources/hudson/Messages_{cs,de,pt_BR}.properties",
    ),
    (
        "jabref",
        "properties",
        "src/main/resources/l10n/JabRef_en.properties",
        "src/main/resources/l10n/JabRef_{cs,de,pt_BR}.properties",
    ),
    (
        "freeplane",
        "properties",
        "src/viewer/translations/Resources_en.properties",
        "src/editor/translations/Resources_{cs,de}.properties",
    ),
    (
        "keycloak",
        "properties",
        "themes/base/login/messages/messages_en.properties",
        "themes/base/login/messages/messages_{cs,de,pt_BR}.properties",
    ),
    (
        "josm plugin",
        "properties",
        "src/main/resources/messages.properties",
        "src/main/resources/messages_{cs,de}.properties",
    ),
    (
        "openrefine",
        "json",
        "main/webapp/modules/core/langs/translation-en.json",
        "main/webapp/modules/core/langs/translation-{cs,de,fr}.json",
    ),
    (
        "flutter gallery",
        "arb",
        "lib/l10n/intl_en.arb",
        "lib/l10n/intl_{cs,de,pt_BR}.arb",
    ),
    (
        "flutter app",
        "arb",
        "lib/l10n/app_en.arb",
        "lib/l10n/app_{cs,de}.arb",
    ),
    (
        "localsend",
        "json",
        "app/assets/i18n/en.json",
        "app/assets/i18n/{cs,de,pt-BR}.json",
    ),
    ("immich", "json", "i18n/en.json", "i18n/{cs,de,pt_BR}.json"),
    (
        "home assistant frontend",
        "json",
        "src/translations/en.json",
        "src/translations/{cs,de}.json",
    ),
    (
        "grafana",
        "i18nextv4",
        "public/locales/en-US/grafana.json",
        "public/locales/{cs-CZ,de-DE}/grafana.json",
    ),
    (
        "outline",
        "i18nextv4",
        "shared/i18n/locales/en_US/translation.json",
        "shared/i18n/locales/{cs_CZ,de_DE}/translation.json",
    ),
    (
        "freecodecamp",
        "json",
        "client/i18n/locales/english/translations.json",
        "client/i18n/locales/{german,italian}/translations.json",
    ),
    (
        "cal.com",
        "json",
        "apps/web/public/static/locales/en/common.json",
        "apps/web/public/static/locales/{cs,de}/common.json",
    ),
    (
        "n8n",
        "json",
        "packages/editor-ui/src/i18n/locales/en.json",
        "packages/editor-ui/src/i18n/locales/{cs,de}.json",
    ),
    (
        "vue-i18n app",
        "json",
        "src/locales/en.json",
        "src/locales/{cs,de}.json",
    ),
    (
        "mattermost webapp",
        "json",
        "webapp/channels/src/i18n/en.json",
        "webapp/channels/src/i18n/{cs,de}.json",
    ),
    (
        "mattermost server",
        "go-i18n-json",
        "server/i18n/en.json",
        "server/i18n/{cs,de}.json",
    ),
    (
        "lichess mobile",
        "arb",
        "lib/l10n/app_en.arb",
        "lib/l10n/app_{cs,de,pt_BR}.arb",
    ),
    (
        "firefox fluent",
        "fluent",
        "browser/locales/en-US/browser/browser.ftl",
        "browser/locales/{cs,de}/browser/browser.ftl",
    ),
    (
        "fluent addon",
        "fluent",
        "locales/en-US/app.ftl",
        "locales/{cs,de}/app.ftl",
    ),
    (
        "ruffle",
        "fluent",
        "desktop/assets/texts/en-US/main_menu.ftl",
        "desktop/assets/texts/{cs-CZ,de-DE}/main_menu.ftl",
    ),
    (
        "powershell module",
        "resx",
        "src/Resources/Strings.resx",
        "src/Resources/Strings.{cs,de,pt-BR}.resx",
    ),
    (
        "sharex",
        "resx",
        "ShareX/Properties/Resources.resx",
        "ShareX/Properties/Resources.{cs,de,pt-BR}.resx",
    ),
    (
        "greenshot-like",
        "resx",
        "App/Localization/Language.en.resx",
        "App/Localization/Language.{cs,de}.resx",
    ),
    (
        "formatjs app",
        "formatjs",
        "src/lang/en.json",
        "src/lang/{cs,de}.json",
    ),
    (
        "gotext app",
        "gotext",
        "internal/translations/locales/en/messages.gotext.json",
        "internal/translations/locales/{cs,de}/messages.gotext.json",
    ),
    (
        "go-i18n v2 app",
        "go-i18n-json-v2",
        "i18n/active.en.json",
        "i18n/active.{cs,de}.json",
    ),
    (
        "windows app",
        "resjson",
        "strings/en/resources.resjson",
        "strings/{cs,de}/resources.resjson",
    ),
    (
        "commented json",
        "jsonc",
        "locales/en.json",
        "locales/{cs,de}.json",
    ),
    (
        "symfony-like yaml",
        "yaml",
        "translations/messages.en.yaml",
        "translations/messages.{cs,de}.yaml",
    ),
    (
        "nodebb",
        "json",
        "public/language/en-GB/global.json",
        "public/language/{cs,de}/global.json",
    ),
];

/// A text in a format; `code` is the language of the file.
fn content(format: &str, code: &str) -> String {
    let text = match format {
        "webextension" => r#"{"a":{"message":"x"},"b":{"message":"y"}}"#,
        "json" => r#"{"a":"x","b":{"c":"y"}}"#,
        "i18nextv4" => r#"{"a_one":"x","a_other":"y"}"#,
        "formatjs" => r#"{"a":{"defaultMessage":"x","description":"d"}}"#,
        "go-i18n-json" => r#"[{"id":"a","translation":"x"}]"#,
        "go-i18n-json-v2" => r#"{"a":{"one":"x","other":"y"}}"#,
        "gotext" => r#"{"language":"en","messages":[{"id":"a","translation":"x"}]}"#,
        "resjson" => r#"{"a":"x"}"#,
        "arb" => r#"{"@@locale":"en","a":"x","@a":{"description":"d"}}"#,
        "jsonc" => "{\n  // note\n  \"a\": \"x\",\n}",
        "aresource" => r#"<resources><string name="a">x</string></resources>"#,
        "strings-utf8" => r#""a" = "x";"#,
        "properties" => "a=x\n",
        "ruby-yaml-plurals" => return format!("{code}:\n  a: x\n"),
        "yaml" => "a: x\n",
        "resx" => r#"<root><data name="a"><value>x</value></data></root>"#,
        "fluent" => "a = x\n",
        other => panic!("no text for {other}"),
    };
    text.to_owned()
}

fn paths(others: &str) -> Vec<(String, String)> {
    let (before, rest) = others.split_once('{').unwrap();
    let (codes, after) = rest.split_once('}').unwrap();
    codes
        .split(',')
        .map(|code| (format!("{before}{code}{after}"), code.to_owned()))
        .collect()
}

#[test]
fn layouts_of_well_known_repositories_are_found() {
    assert!(LAYOUTS.len() >= 50);
    for (repository, format, template, others) in LAYOUTS {
        let mut files = vec![(template.to_owned(), "en".to_owned())];
        files.extend(paths(others));
        files.push(("README.md".to_owned(), String::new()));
        let mut bytes: HashMap<BlobId, Vec<u8>> = HashMap::new();
        let mut listed = Vec::new();
        for (number, (path, code)) in (0_u8..).zip(files) {
            let blob = BlobId([number; 20]);
            bytes.insert(blob, content(format, &code).into_bytes());
            listed.push(TreeFile { path, blob });
        }
        let (found, _) = detect_components(&listed, &mut |blob| bytes.get(&blob).cloned());
        let shown: Vec<_> = found
            .iter()
            .map(|component| {
                (
                    component.filemask.as_str(),
                    &*component.template,
                    component.file_format.name(),
                )
            })
            .collect();
        assert_eq!(found.len(), 1, "{repository}: {shown:?}");
        assert_eq!(
            (&*found[0].template, found[0].file_format.name()),
            (template, format),
            "{repository}: {shown:?}"
        );
        for (path, code) in paths(others) {
            assert_eq!(
                found[0].filemask.matches(&path),
                Some(&*code),
                "{repository}: {path}: {shown:?}"
            );
        }
    }
}

#[test]
fn strings_of_an_interface_file_have_no_template() {
    let paths = [
        "af.lproj/Main.strings",
        "de.lproj/Main.strings",
        "fr.lproj/Main.strings",
        "Base.lproj/Main.xib",
    ];
    let mut listed = Vec::new();
    for (number, path) in (0_u8..).zip(paths) {
        let path = format!("App/{path}");
        listed.push(TreeFile {
            path,
            blob: BlobId([number; 20]),
        });
    }
    let text = content("strings-utf8", "").into_bytes();
    let (found, others) = detect_components(&listed, &mut |_| Some(text.clone()));
    assert_eq!(found, []);
    let reason = "App/*.lproj/Main.strings: left out: its source texts are in App/Base.lproj/Main.xib, a format that is not supported";
    assert_eq!(others.problems(), [reason]);
    listed.pop();
    assert_eq!(
        detect_components(&listed, &mut |_| Some(text.clone()))
            .0
            .len(),
        1
    );
}

#[test]
fn folders_of_android_variants_are_no_translations() {
    let res = "app/src/main/res/values";
    let mut listed = Vec::new();
    for (number, code) in (0_u8..).zip(["", "-cs", "-night", "-land", "-v21"]) {
        listed.push(TreeFile {
            path: format!("{res}{code}/strings.xml"),
            blob: BlobId([number; 20]),
        });
    }
    let text = content("aresource", "").into_bytes();
    let (found, _) = detect_components(&listed, &mut |_| Some(text.clone()));
    let found: Vec<_> = found
        .iter()
        .map(|component| (component.filemask.as_str(), &*component.template))
        .collect();
    let mask = "app/src/main/res/values-*/strings.xml";
    assert_eq!(found, [(mask, "app/src/main/res/values/strings.xml")]);
}
