//! The table of settings: what each is called, what it is unless set, and what it does.
//!
//! Flags take their help from here, and the README's table is compared with it.

use super::Config;

/// A setting: flag `--NAME`, variable `GITGLOT_NAME` (capitals, `_`), key `NAME` (with `_`) of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The name as a flag, without `--`.
    pub name: &'static str,
    /// The value unless set, in words where it is no fixed text; `""` for none.
    pub default: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
}

const fn setting(name: &'static str, default: &'static str, help: &'static str) -> Setting {
    Setting { name, default, help }
}

/// Every setting, in the order of the README.
const SETTINGS: &[Setting] = &[
    setting("config", "", "File with projects and components, instead of REPO"),
    setting("listen", super::ListenAddress::DEFAULT, "Address to listen at; port 0 is any free one"),
    setting(
        "state-dir",
        "a folder of its own in the user's state folder",
        "Folder for mirrors, ids and the checkpoint; one running gitglot each",
    ),
    setting("project", "last part of the repository's path", "Slug of the project"),
    setting("component", "made from the mask's folders", "Slug of the component; with several found, the one to take"),
    setting("branch", "the one that the remote's HEAD names", "Branch to follow"),
    setting("filemask", "found out", "Path of the translation files, with '*' in place of the language code"),
    setting("template", "found out", "Path of the file with the source texts"),
    setting("file-format", "found out", "How the files are written"),
    setting(
        "source-language",
        "en, unless the template's name says another",
        "Code of the language that the template is written in",
    ),
    setting("token-file", "", "File with the token for https, or with user:password"),
    setting("token-env", "", "Environment variable with the token, instead of a file"),
    setting("username", "the one in the address, or any", "User name that goes with the token"),
    setting("credential-helper", "none", "Credential helper, written as in git's credential.helper"),
    setting("ssh-key", "the agent and ssh's own keys", "File with the private key for ssh"),
    setting("known-hosts", "ssh's own", "File with the host keys that ssh trusts"),
    setting("ca-file", "the system's", "File with the certificates (PEM) of the authorities that https trusts"),
    setting("history", "full", "How much of the history is read: every commit, or none but the tip"),
    setting("poll-interval", Config::POLL_INTERVAL, "Time between two looks at a repository, a tenth more or less"),
    setting("base-url", "the request's scheme and host", "Start of all API links"),
    setting("site-url", "the base of the API links", "Start of the links to pages for people"),
    setting(
        "allowed-hosts",
        "loopback, the listen address, IP addresses, the machine's name and the host of base-url",
        "More host names that requests may name; '.NAME' with all below it, '*' for all",
    ),
    setting(
        "trusted-proxies",
        "none",
        "Addresses or networks of proxies whose Forwarded and X-Forwarded-* headers count",
    ),
    setting("cors-origins", "none", "Origins of pages that may read answers; '*' for all"),
    setting("tokens", "", "File with read tokens, one a line; when set, every request needs one"),
    setting(
        "rate-limit",
        "none",
        "Requests that one client may make in a time, as 20/s or 600/m; more are answered with 429",
    ),
    setting(
        "max-connections",
        Config::MAX_CONNECTIONS,
        "Connections that are served at the same time; who finds no place for a second is answered with 503",
    ),
    setting("header-timeout", Config::HEADER_TIMEOUT, "Time in which the head of a request must have come"),
    setting("idle-timeout", Config::IDLE_TIMEOUT, "Time after which a connection without a request is closed"),
    setting(
        "same-words",
        "a built-in list",
        "File that replaces the words that may stay untranslated: a JSON array, an object with `words`, or a word a line",
    ),
    setting("cache-size", Config::CACHE_SIZE, "Memory for answers that are kept to be given again; 0 keeps none"),
    setting("log-format", "text", "How log lines are written to standard error"),
    setting("log-level", "info", "Which log lines are written"),
];

/// Every setting, in the order of the README.
pub fn settings() -> &'static [Setting] {
    SETTINGS
}

/// The help of the flag of that name: what it does and its default.
pub(super) fn help(name: &str) -> String {
    let found = SETTINGS.iter().find(|setting| setting.name == name);
    match found {
        Some(Setting { default: "", help, .. }) => (*help).to_owned(),
        Some(Setting { default, help, .. }) => format!("{help} [default: {default}]"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_setting_is_a_flag_and_a_variable_and_every_flag_a_setting() {
        let command = crate::cli::Cli::command();
        let serve = command.find_subcommand("serve").unwrap();
        let mut flags: Vec<_> = serve
            .get_arguments()
            .filter_map(|flag| Some((flag.get_long()?, flag.get_env(), flag.get_help()?.to_string())))
            .filter(|(name, ..)| *name != "help")
            .collect();
        flags.sort();
        let mut wanted: Vec<_> = settings().iter().collect();
        wanted.sort_by_key(|setting| setting.name);
        assert_eq!(flags.len(), wanted.len());
        for ((name, variable, help), setting) in flags.iter().zip(wanted) {
            assert_eq!(*name, setting.name);
            let expected = format!("GITGLOT_{}", name.to_uppercase().replace('-', "_"));
            assert_eq!(variable.unwrap().to_str(), Some(&*expected));
            assert!(help.contains(setting.help) && help.contains(setting.default), "{name}");
        }
    }
}
