//! What of a new configuration can be in force only after a restart.

use super::Config;

impl Config {
    /// The names of the settings that another configuration sets differently and that hold for as long as the program
    /// runs.
    pub fn differs_for_good(&self, other: &Self) -> Vec<&'static str> {
        // All fields by name, so that a new one has to be thought of here.
        let Self {
            listen,
            state_dir,
            history,
            base_url,
            site_url,
            allowed_hosts,
            trusted_proxies,
            cors_origins,
            tokens,
            rate_limit,
            max_connections,
            header_timeout,
            idle_timeout,
            same_words,
            cache_size,
            log_format,
            log_level,
            poll_interval: _,
            target: _,
        } = self;
        let differs = [
            ("listen", *listen != other.listen),
            ("state-dir", *state_dir != other.state_dir),
            ("history", *history != other.history),
            ("base-url", *base_url != other.base_url),
            ("site-url", *site_url != other.site_url),
            ("allowed-hosts", *allowed_hosts != other.allowed_hosts),
            ("trusted-proxies", *trusted_proxies != other.trusted_proxies),
            ("cors-origins", *cors_origins != other.cors_origins),
            ("tokens", *tokens != other.tokens),
            ("rate-limit", *rate_limit != other.rate_limit),
            ("max-connections", *max_connections != other.max_connections),
            ("header-timeout", *header_timeout != other.header_timeout),
            ("idle-timeout", *idle_timeout != other.idle_timeout),
            ("same-words", *same_words != other.same_words),
            ("cache-size", *cache_size != other.cache_size),
            ("log-format", *log_format != other.log_format),
            ("log-level", *log_level != other.log_level),
        ];
        differs.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::config::load::tests::loaded;
    use crate::config::settings;

    /// Another value than the default for each setting that a file may have, as TOML.
    const OTHERS: &[(&str, &str)] = &[
        ("listen", "'127.0.0.1:0'"),
        ("state-dir", "'elsewhere'"),
        ("history", "'none'"),
        ("poll-interval", "'7m'"),
        ("base-url", "'https://l10n.example.org'"),
        ("site-url", "'https://www.example.org'"),
        ("allowed-hosts", "['l10n.example.org']"),
        ("trusted-proxies", "['192.0.2.1']"),
        ("cors-origins", "['https://page.example.org']"),
        ("tokens", "'tokens'"),
        ("rate-limit", "'20/s'"),
        ("max-connections", "7"),
        ("header-timeout", "'7s'"),
        ("idle-timeout", "'7s'"),
        ("same-words", "'words.json'"),
        ("cache-size", "'1MB'"),
        ("log-format", "'json'"),
        ("log-level", "'debug'"),
    ];

    /// What follows another configuration without a restart, beside the projects.
    const AT_ONCE: [&str; 1] = ["poll-interval"];

    #[test]
    fn every_setting_of_a_file_wants_a_restart_or_follows_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let load = |line: &str| {
            let project = "[[project]]\n[[project.component]]\nrepo = 'garden.git'\nfilemask = '*.json'\n\
                           template = 'en.json'\nfile_format = 'json'\n";
            std::fs::write(folder.path().join("gitglot.toml"), format!("{line}\n{project}")).unwrap();
            loaded(folder.path(), &["--config", "gitglot.toml"])
        };
        let before = load("").unwrap();
        for setting in settings() {
            let key = setting.name.replace('-', "_");
            let Some((_, value)) = OTHERS.iter().find(|(name, _)| *name == setting.name) else {
                let error = load(&format!("{key} = 'x'")).unwrap_err().to_string();
                // `project` stands there as a table.
                let none = error.contains("unknown field") || error.contains("duplicate key");
                assert!(none, "{key} may stand in a file: say another value of it here; {error}");
                continue;
            };
            let after = load(&format!("{key} = {value}")).unwrap();
            assert_ne!(before, after, "{key}");
            let wanted = if AT_ONCE.contains(&setting.name) { &[][..] } else { &[setting.name] };
            assert_eq!(before.differs_for_good(&after), wanted, "{key}");
        }
    }
}
