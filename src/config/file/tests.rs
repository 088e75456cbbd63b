//! Tests of the configuration file.

use super::*;
use crate::config::{HistoryMode, HostName, LogFormat, LogLevel, to_toml};
use gitglot_model::{FileMask, KeySeparators};

const WHOLE: &str = r#"
listen = "127.0.0.1:9000"
state_dir = "state"
history = "none"
base_url = "https://l10n.example.org/"
site_url = "https://weblate.example.org"
same_words = "words.txt"
log_format = "json"
log_level = "debug"

[[project]]
slug = "ublock"
name = "uBlock Origin"
web = "https://github.com/gorhill/uBlock"
source_language = "en"

[[project.component]]
slug = "extension"
name = "Extension"
repo = "https://github.com/gorhill/uBlock.git"
branch = "master"
filemask = "src/_locales/*/messages.json"
template = "src/_locales/en/messages.json"
file_format = "webextension"
license = "GPL-3.0-or-later"
license_url = "https://spdx.org/licenses/GPL-3.0-or-later.html"
new_base = "src/_locales/en/messages.json"
git_export = "https://git.example.org/ublock"
priority = 80
previous_filemasks = ["_locales/*/messages.json"]
platforms = ["Translator Bot"]
key_separator = false
ns_separator = "::"
plural_separator = "-"

[[project.component]]
repo = "../mv3"
filemask = "_locales/*/messages.json"
template = "_locales/en/messages.json"
file_format = "webextension"
"#;

fn parsed(text: &str) -> Result<(FileSettings, Vec<ProjectConfig>), ConfigError> {
    parse(
        &[("/etc/gitglot/gitglot.toml".into(), text.to_owned())],
        false,
    )
}

#[test]
fn every_key_is_read() {
    let (file, projects) = parsed(WHOLE).unwrap();
    assert_eq!(file.listen.unwrap().as_str(), "127.0.0.1:9000");
    assert_eq!(file.state_dir.unwrap(), Path::new("state"));
    assert_eq!(file.history, Some(HistoryMode::None));
    assert_eq!(file.base_url.unwrap().as_str(), "https://l10n.example.org");
    assert_eq!(
        file.site_url.unwrap().as_str(),
        "https://weblate.example.org"
    );
    assert_eq!(file.same_words.unwrap(), Path::new("words.txt"));
    assert_eq!(
        (file.log_format, file.log_level),
        (Some(LogFormat::Json), Some(LogLevel::Debug))
    );
    let [project] = &projects[..] else { panic!() };
    assert_eq!(
        (
            project.slug.as_str(),
            &*project.name,
            &*project.source_language
        ),
        ("ublock", "uBlock Origin", "en")
    );
    let [first, second] = &project.components[..] else {
        panic!()
    };
    assert_eq!(
        (first.slug.as_str(), &*first.name, first.priority),
        ("extension", "Extension", 80)
    );
    assert_eq!(first.branch.as_deref(), Some("master"));
    assert_eq!(
        first.previous_filemasks,
        [FileMask::new("_locales/*/messages.json").unwrap()]
    );
    assert_eq!(first.platforms, ["Translator Bot"]);
    let separators = first.checks.separators.or(KeySeparators::default());
    assert_eq!((separators.key, &*separators.plural), (None, "-"));
    assert_eq!(separators.namespace.as_deref(), Some("::"));
    assert_eq!(
        (second.slug.as_str(), &*second.name, second.priority),
        ("locales", "locales", 100)
    );
    assert_eq!(second.branch, None);
}

#[test]
fn a_project_without_a_slug_is_named_after_its_repository() {
    let text = r#"
[[project]]
[[project.component]]
repo = "https://host.example/group/Project.git"
filemask = "*.json"
template = "de.json"
file_format = "json"
"#;
    let (_, projects) = parsed(text).unwrap();
    let project = &projects[0];
    assert_eq!(
        (project.slug.as_str(), &*project.name, &*project.web),
        ("project", "project", "")
    );
    assert_eq!(
        (
            project.components[0].slug.as_str(),
            &*project.source_language
        ),
        ("project", "de")
    );
}

#[test]
fn written_projects_read_the_same() {
    let (_, projects) = parsed(WHOLE).unwrap();
    assert_eq!(parsed(&to_toml(&projects).unwrap()).unwrap().1, projects);
}

#[test]
fn a_component_can_need_other_languages_for_a_release() {
    let text = WHOLE.replace("[[project]]", "[release]\nlanguages = 95\n[[project]]");
    let text = text.replace("priority = 80", "release_languages = 80.5");
    let (_, projects) = parsed(&text).unwrap();
    let needed = |projects: &[ProjectConfig]| -> Vec<u32> {
        let components = projects.iter().flat_map(|project| &project.components);
        components
            .map(|component| component.settings.needed_tenths())
            .collect()
    };
    assert_eq!(needed(&projects), [805, 950]);
    let (_, again) = parsed(&to_toml(&projects).unwrap()).unwrap();
    assert_eq!(needed(&again), [805, 950]);
    let (_, projects) = parsed(WHOLE).unwrap();
    assert_eq!(needed(&projects), [1000, 1000]);
}

#[test]
fn access_settings_are_read() {
    let keys = r#"
allowed_hosts = ["l10n.example.org", ".example.net"]
trusted_proxies = ["10.0.0.0/8", "::1"]
cors_origins = ["https://dashboard.example.org"]
tokens = "tokens.txt"
"#;
    let (file, _) = parsed(&[keys, WHOLE].concat()).unwrap();
    let hosts = file.allowed_hosts.unwrap();
    assert_eq!(
        hosts.iter().map(HostName::as_str).collect::<Vec<_>>(),
        ["l10n.example.org", ".example.net"]
    );
    assert_eq!(file.trusted_proxies.unwrap()[0].network().prefix_len(), 8);
    assert_eq!(
        file.cors_origins.unwrap()[0].as_str(),
        "https://dashboard.example.org"
    );
    assert_eq!(file.tokens.unwrap(), Path::new("tokens.txt"));
    let error = parsed(&["trusted_proxies = [\n\"10.0.0.1\",\n\"x\"]", WHOLE].concat())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(":3: trusted_proxies: 'x' is not a proxy address"),
        "{error}"
    );
}

#[test]
fn every_error_names_file_line_and_key() {
    let component = |from: &str, to: &str| {
        assert!(WHOLE.contains(from), "{from}");
        WHOLE.replacen(from, to, 1)
    };
    let cases = [
        (
            component("history =", "hystory ="),
            ":4: hystory: unknown field `hystory`: did you mean `history`?",
        ),
        (
            component("platforms =", "platform ="),
            ":31: platform: unknown field",
        ),
        (
            component("web =", "token_file ="),
            ":14: token_file: unknown field `token_file`: its place is in [[project.component]]",
        ),
        (
            component("web =", "filemsk ="),
            ":14: filemsk: unknown field `filemsk`: did you mean `filemask`, in [[project.component]]?",
        ),
        (
            component("priority =", "listen ="),
            ":29: listen: unknown field `listen`: its place is before all tables",
        ),
        (
            component("priority =", "langage ="),
            ":29: langage: unknown field `langage`: did you mean `language`, in [[check.rules]]?",
        ),
        (
            component("priority =", "message ="),
            ":29: message: unknown field `message`: did you mean `message_syntax`?",
        ),
        (
            component("history =", "[components]\nhistory ="),
            ":4: unknown field `components`: did you mean [[project.component]]?",
        ),
        (
            component("web =", "language ="),
            ":14: language: unknown field `language`: did you mean `source_language`?",
        ),
        (
            component("priority =", "release_notes ="),
            ":29: release_notes: unknown field `release_notes`, expected one of `slug`",
        ),
        (
            component("history =", "trusted_proxies = [\n[\"x\"],\n]\nhistory ="),
            ":5: trusted_proxies: ",
        ),
        (
            component("priority =", "nothing_similar ="),
            ":29: nothing_similar: unknown field `nothing_similar`, expected one of `slug`",
        ),
        (
            component("key_separator = false", "key_separator = true"),
            ":32: key_separator: true is no separator: set a text, or false for none",
        ),
        (
            component("plural_separator = \"-\"", "plural_separator = \"\""),
            ":34: plural_separator: a separator has 1 to 20 bytes",
        ),
        (
            component("history = \"none\"", "history = \"some\""),
            ":4: history: unknown variant `some`",
        ),
        (
            component("priority = 80", "priority = \"high\""),
            ":29: priority: invalid type",
        ),
        (
            component("\"127.0.0.1:9000\"", "\"9000\""),
            ":2: listen: '9000' is not an address",
        ),
        (
            component("\"https://l10n.example.org/\"", "\"l10n\""),
            ":5: base_url: 'l10n' is not a base URL",
        ),
        (
            component("src/_locales/*/messages.json", "src/messages.json"),
            ":22: filemask: the file mask 'src/messages.json' has no '*'",
        ),
        (
            component("\"_locales/*/messages.json\"]", "\"_locales\"]"),
            ":30: previous_filemasks: the file mask '_locales'",
        ),
        (
            component("template = \"src/_locales/en/messages.json\"\n", ""),
            ":17: template: the component has no template",
        ),
        (
            component(
                "template = \"src/_locales/en/messages.json\"",
                "template = \"\"",
            ),
            ":23: template: the value is empty",
        ),
        (
            component(
                "template = \"src/_locales/en/messages.json\"",
                "template = \"/proc/self/environ\"",
            ),
            ":23: template: the path '/proc/self/environ' is not relative to the root of the repository",
        ),
        (
            component(
                "template = \"src/_locales/en/messages.json\"",
                "template = \"a/.GIT/config\"",
            ),
            ":23: template: the path 'a/.GIT/config' leads into git's own directory",
        ),
        (
            component("src/_locales/*/messages.json", "GIT~1/*.json"),
            ":22: filemask: the file mask 'GIT~1/*.json' leads into git's own directory",
        ),
        (
            component(
                "new_base = \"src/_locales/en/messages.json\"",
                "new_base = \"../secret\"",
            ),
            ":17: new_base: the path '../secret' is not relative",
        ),
        (
            component("repo = \"https://github.com/gorhill/uBlock.git\"\n", ""),
            ":17: repo: the component has no repo",
        ),
        (
            component("\"webextension\"", "\"qtts\""),
            ":24: file_format: 'qtts' is not a supported file format: use one of json, json-nested, webextension,",
        ),
        (
            component("\"ublock\"", "\"u block\""),
            ":12: slug: 'u block' is not a slug",
        ),
        (
            component("\"extension\"", "\"locales\""),
            ":36: slug: two components of 'ublock' have the slug 'locales'",
        ),
        (
            format!("{WHOLE}\n[[project]]\nslug = \"x\"\n"),
            ":42: component: the project has no component",
        ),
        (WHOLE.replace("\"Extension\"", "Extension"), ":19: name: "),
        (
            "listen = \"127.0.0.1:1\"".to_owned(),
            ":1: project: the file has no project",
        ),
        (String::new(), ":1: project: the file has no project"),
        ("[[project]\n".to_owned(), ":1: "),
    ];
    for (text, expected) in cases {
        let error = parsed(&text).unwrap_err().to_string();
        let expected = format!("/etc/gitglot/gitglot.toml{expected}");
        assert!(
            error.starts_with(&expected),
            "{error}\n  should begin {expected}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn duplicate_project_slugs_are_errors() {
    let project = WHOLE.split_once("[[project]]").unwrap().1;
    let error = parsed(&format!("{WHOLE}[[project]]{project}"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(":42: slug: two projects have the slug 'ublock'"),
        "{error}"
    );
}

#[test]
fn components_of_a_repository_share_credentials() {
    let repo = "repo = \"https://github.com/gorhill/uBlock.git\"";
    let with = |keys: &str| parsed(&WHOLE.replacen(repo, &format!("{repo}\n{keys}"), 1));
    let (_, projects) = with("token_file = \"token\"\nca_file = \"/ca.pem\"").unwrap();
    let components = &projects[0].components;
    assert_eq!(
        components[0].access.token_file.as_deref(),
        Some(Path::new("/etc/gitglot/token"))
    );
    assert_eq!(
        components[0].access.ca_file.as_deref(),
        Some(Path::new("/ca.pem"))
    );
    let twice = WHOLE
        .split_once("[[project]]")
        .unwrap()
        .1
        .replacen("\"ublock\"", "\"other\"", 1);
    let twice = twice.replacen(repo, &format!("{repo}\ntoken_env = \"TOKEN\""), 1);
    let (_, shared) = parsed(&format!("{WHOLE}[[project]]{twice}")).unwrap();
    assert_eq!(
        shared[0].components[0].access,
        shared[1].components[0].access
    );
    let first = WHOLE.replacen(repo, &format!("{repo}\ntoken_file = \"token\""), 1);
    let error = parsed(&format!("{first}[[project]]{twice}"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(": repo: a component of the same repository has different credentials"),
        "{error}"
    );
    let error = with("token_file = \"a\"\ntoken_env = \"B\"")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(": token_env: token_file and token_env exclude each other"),
        "{error}"
    );
    let error = with("ssh_key = \"\"").unwrap_err().to_string();
    assert!(error.contains(": ssh_key: the value is empty"), "{error}");
}

#[test]
fn a_directory_has_one_file_per_project_and_the_settings_in_one() {
    let component = |slug: &str| {
        format!(
            "[[project]]\nslug = '{slug}'\n[[project.component]]\nrepo = '/r'\nfilemask = 'l/*.json'\n\
             template = 'l/en.json'\nfile_format = 'json'\n"
        )
    };
    let file = |name: &str, text: &str| (Path::new("/etc/l10n").join(name), text.to_owned());
    let parsed = |files: &[_]| {
        parse(files, true).map(|(settings, projects)| {
            let slugs = projects.iter().map(|project| project.slug.to_string());
            (settings.cache_size.is_some(), slugs.collect::<Vec<_>>())
        })
    };
    let acme = file("acme.toml", &component("acme"));
    let main = file("gitglot.toml", "cache_size = '1MB'\n");
    let lamp = file("lamp.toml", &component("lamp"));
    let all = parsed(&[acme.clone(), main, lamp]).unwrap();
    assert_eq!(all, (true, vec!["acme".to_owned(), "lamp".to_owned()]));
    for (files, expected) in [
        (
            vec![
                acme.clone(),
                file("b.toml", &format!("\n{}", component("acme"))),
            ],
            "/etc/l10n/b.toml:3: slug: two projects have the slug 'acme'",
        ),
        (
            vec![file(
                "b.toml",
                &format!("cache_size = '1MB'\n{}", component("b")),
            )],
            "/etc/l10n/b.toml:1: cache_size: the file of a project cannot contain settings",
        ),
        (vec![], "the directory has no configuration file"),
    ] {
        let error = parsed(&files).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_table_with_single_brackets_is_explained() {
    let error = parse(
        &[(
            "/g.toml".into(),
            "cache_size = '1MB'\n[project]\nslug = 'a'\n".to_owned(),
        )],
        false,
    );
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "/g.toml:2: there can be several: write [[project]] instead of [project]"
    );
}
