//! Prints the settings in force as TOML, with the origin of each value.

use super::{Config, ConfigError, ConfigFlags, load};

/// The settings of `config` as TOML, which `flags` produced. A comment names the origin of each value; settings without
/// a value are comments.
///
/// # Errors
/// If the configuration file changed in between and is now invalid.
pub fn explain(flags: &ConfigFlags, config: &Config) -> Result<String, ConfigError> {
    let file = load::file_settings(flags)?;
    let keys_of_file: Vec<&str> = file.given().collect();
    let ConfigFlags {
        http, data, log, ..
    } = flags;
    let keys_of_flags: Vec<&str> = http
        .given()
        .chain(data.given())
        .chain(log.given())
        .collect();
    let mut settings = config.settings.clone();
    settings.state_dir = Some(config.state_dir.clone());
    let line = |(key, value, default): (&str, Option<toml::Value>, &str)| {
        let Some(value) = value else {
            let default = match default {
                "" => "none",
                default => default,
            };
            return format!("# {key} is not set; default: {default}\n");
        };
        let origin = if keys_of_flags.contains(&key) {
            let (flag, variable) = (key.replace('_', "-"), key.to_uppercase());
            format!("flag --{flag} or variable GITGLOT_{variable}")
        } else if keys_of_file.contains(&key) {
            "file".to_owned()
        } else {
            "default".to_owned()
        };
        format!("{key} = {value}  # {origin}\n")
    };
    Ok(settings.effective().into_iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn the_explained_settings_are_a_valid_configuration() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gitglot.toml");
        let projects = "[[project]]\n[[project.component]]\nrepo = '/r'\nfilemask = 'l/*.json'\n\
                        template = 'l/en.json'\nfile_format = 'json'\n";
        let given = "listen = '0.0.0.0:80'\nrate_limit = '20/m'\nidle_timeout = '90s'\nheader_timeout = '500ms'\n\
                     trusted_proxies = ['10.0.0.0/8']\ncache_size = '1kib'\nlog_level = 'warn'\n";
        std::fs::write(&path, format!("{given}{projects}")).unwrap();
        let mut flags = ConfigFlags::default();
        flags.target.source.config = Some(path.clone());
        flags.data.state_dir = Some("/state".into());
        flags.http.max_connections = NonZeroU32::new(7);
        let config = Config::load(flags.clone()).unwrap();
        let text = explain(&flags, &config).unwrap();
        for line in [
            "listen = \"0.0.0.0:80\"  # file\n",
            "max_connections = 7  # flag --max-connections or variable GITGLOT_MAX_CONNECTIONS\n",
            "poll_interval = \"60s\"  # default\n",
            "# base_url is not set; default: scheme and host of the request\n",
            "cache_size = \"1024B\"  # file\n",
        ] {
            assert!(text.contains(line), "{line}{text}");
        }
        std::fs::write(&path, format!("{text}{projects}")).unwrap();
        let mut again = ConfigFlags::default();
        again.target.source.config = Some(path);
        assert_eq!(Config::load(again).unwrap().settings, config.settings);
    }
}
