//! Tests of loading a configuration from flags, variables and file.

use clap::CommandFactory;

use super::*;
use crate::config::{HistoryMode, LogFormat, setting_groups};
use clap::Parser;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    flags: ConfigFlags,
}

/// Loads the configuration of a command line in a directory, with a home directory.
fn loaded(folder: &Path, line: &[&str]) -> Result<Config, ConfigError> {
    let words = ["gitglot"].iter().chain(line).copied();
    let flags = Line::try_parse_from(words)
        .map_err(|error| error.to_string())
        .unwrap()
        .flags;
    load(flags, folder, &|name| {
        (name == "HOME").then(|| "/home/somebody".into())
    })
}

fn folder_with(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gitglot.toml"), text).unwrap();
    folder
}

const FILE: &str = r#"
listen = "127.0.0.1:9000"
state_dir = "state"
history = "none"
[[project]]
[[project.component]]
repo = "project"
filemask = "*.json"
template = "en.json"
file_format = "json"
"#;

#[test]
fn one_repository_needs_no_configuration() {
    let config = loaded(Path::new("/base"), &["project"]).unwrap();
    let settings = &config.settings;
    assert_eq!(settings.listen.as_str(), "127.0.0.1:8000");
    assert_eq!(settings.history, HistoryMode::Full);
    assert_eq!(settings.max_connections.get(), 1000);
    assert_eq!(settings.cache_size.bytes(), 64_000_000);
    let times = [
        settings.poll_interval,
        settings.header_timeout,
        settings.idle_timeout,
    ];
    assert_eq!(times.map(|time| time.duration().as_secs()), [60, 10, 60]);
    assert_eq!(
        (&settings.base_url, &settings.site_url, &settings.same_words),
        (&None, &None, &None)
    );
    let Target::Repository(target) = config.target else {
        panic!()
    };
    assert_eq!(target.repo.for_git(), "/base/project");
    assert_eq!(target.overrides.given().next(), None);
}

#[test]
fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
    let folder = folder_with(FILE);
    let config = loaded(folder.path(), &["--config", "gitglot.toml"]).unwrap();
    assert_eq!(config.settings.listen.as_str(), "127.0.0.1:9000");
    assert_eq!(config.settings.history, HistoryMode::None);
    assert_eq!(config.settings.log_format, LogFormat::Text);
    assert_eq!(config.state_dir, folder.path().join("state"));
    let line = [
        "--config",
        "gitglot.toml",
        "--listen",
        "[::1]:0",
        "--history",
        "full",
        "--state-dir",
        "mine",
    ];
    let config = loaded(folder.path(), &line).unwrap();
    assert_eq!(config.settings.listen.as_str(), "[::1]:0");
    assert_eq!(config.settings.history, HistoryMode::Full);
    assert_eq!(config.state_dir, folder.path().join("mine"));
}

#[test]
fn paths_in_the_file_start_at_its_folder() {
    let folder = folder_with(FILE);
    let file = folder.path().join("gitglot.toml");
    let config = loaded(Path::new("/base"), &["--config", file.to_str().unwrap()]).unwrap();
    let Target::Projects(projects) = config.target else {
        panic!()
    };
    assert_eq!(
        projects[0].components[0].repo.for_git(),
        folder.path().join("project").to_str().unwrap()
    );
}

#[test]
#[cfg(target_os = "linux")]
fn each_configuration_and_each_repository_has_its_own_state_folder() {
    let (one, two) = (folder_with(FILE), folder_with(FILE));
    let files = [&one, &two].map(|folder| {
        let text = FILE.replace("state_dir = \"state\"\n", "");
        std::fs::write(folder.path().join("gitglot.toml"), text).unwrap();
        loaded(folder.path(), &["--config", "gitglot.toml"])
            .unwrap()
            .state_dir
    });
    let repositories = [
        "https://a.example/x",
        "https://u:p@a.example/x",
        "https://b.example/x",
    ]
    .map(|repo| loaded(Path::new("/base"), &[repo]).unwrap().state_dir);
    assert_ne!(files[0], files[1]);
    assert_eq!(
        repositories[0], repositories[1],
        "a password does not change the identity"
    );
    assert_ne!(repositories[0], repositories[2]);
    for (dir, start) in [(&files[0], "gitglot-"), (&repositories[0], "x-")] {
        let path = dir.to_str().unwrap();
        assert!(
            path.starts_with(&format!("/home/somebody/.local/state/gitglot/{start}")),
            "{path}"
        );
    }
}

#[test]
fn the_repository_around_the_current_directory_is_the_default() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let inside = root.join("locales/app");
    std::fs::create_dir_all(&inside).unwrap();
    std::fs::create_dir(root.join(".git")).unwrap();
    let Target::Repository(target) = loaded(&inside, &[]).unwrap().target else {
        panic!("no repository")
    };
    assert_eq!(target.repo.local_path().unwrap(), root);
    for name in ["bare/objects", "bare/refs"] {
        std::fs::create_dir_all(root.join(name)).unwrap();
    }
    std::fs::write(root.join("bare/HEAD"), "ref: refs/heads/main").unwrap();
    let Target::Repository(target) = loaded(&root.join("bare"), &[]).unwrap().target else {
        panic!("no repository")
    };
    assert_eq!(target.repo.local_path().unwrap(), root.join("bare"));
}

#[test]
fn contradictions_are_reported() {
    let folder = folder_with(FILE);
    for (line, message) in [
        (
            &["project", "--config", "gitglot.toml"][..],
            "both REPO and a configuration file",
        ),
        (&[], "nothing to read"),
        (
            &["--config", "gitglot.toml", "--branch", "main"],
            "--branch applies to a single repository",
        ),
        (&["--branch", "main"], "nothing to read"),
        (
            &["--config", "missing.toml"],
            "cannot read the configuration file",
        ),
        (
            &["project", "--tls-key", "key.pem"],
            "TLS needs both tls-cert and tls-key",
        ),
        (&[""], "the repository URL is empty"),
        (&["acme/app"], "give https://github.com/acme/app"),
    ] {
        let error = loaded(folder.path(), line).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Values as TOML, at least one of which each setting accepts that a file may contain and that has no list of values.
const VALUES: [&str; 11] = [
    "'127.0.0.1:0'",
    "'https://l10n.example.org'",
    "['l10n.example.org']",
    "['192.0.2.1']",
    "['https://l10n.example.org']",
    "'file:///var/lib/ledger'",
    "'20/s'",
    "'7s'",
    "'7MB'",
    "7",
    "false",
];

/// Settings that need others.
const COMPANIONS: [(&str, &str); 3] = [
    ("tls_cert", "tls_key = 'key.pem'"),
    ("tls_key", "tls_cert = 'cert.pem'"),
    ("follow", "ledger = 'file:///var/lib/ledger'"),
];

#[test]
fn every_setting_of_a_file_needs_a_restart_or_is_reloadable() {
    let folder = tempfile::tempdir().unwrap();
    let load = |line: &str| {
        let project = "[[project]]\n[[project.component]]\nrepo = 'garden.git'\nfilemask = '*.json'\n\
                       template = 'en.json'\nfile_format = 'json'\n";
        std::fs::write(
            folder.path().join("gitglot.toml"),
            format!("{line}\n{project}"),
        )
        .unwrap();
        loaded(folder.path(), &["--config", "gitglot.toml"])
    };
    let command = crate::cli::Cli::command();
    let serve = command.find_subcommand("serve").unwrap();
    for setting in setting_groups().iter().flat_map(|group| group.settings) {
        let key = setting.key;
        let companion = COMPANIONS.iter().find(|(other, _)| *other == key);
        let companion = companion.map_or("", |(_, line)| *line);
        let before = load(companion);
        let flag = serve.get_arguments().find(|flag| flag.get_id() == key);
        let choices = flag.unwrap().get_possible_values();
        let choices = choices
            .iter()
            .map(|choice| format!("'{}'", choice.get_name()));
        let mut changed = choices
            .chain(VALUES.map(str::to_owned))
            .filter_map(|value| load(&format!("{key} = {value}\n{companion}")).ok())
            .filter(|after| before.as_ref().ok() != Some(after));
        let Some(after) = changed.next() else {
            let error = load(&format!("{key} = 'x'")).unwrap_err().to_string();
            // `project` is a table in the file.
            let unknown = error.contains("unknown field") || error.contains("duplicate key");
            assert!(
                unknown,
                "{key} is allowed in a file: add a value of its type to VALUES; {error}"
            );
            continue;
        };
        let required = load("").unwrap().restart_required(&after);
        assert_eq!(
            required.contains(&setting.flag().trim_start_matches('-').to_owned()),
            !RELOADABLE.contains(&key),
            "{key}"
        );
    }
}
