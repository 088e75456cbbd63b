//! Prints the settings in force as TOML, with the origin of each value.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::ValueEnum;
use toml::Value;

use super::values::{
    BadgeAccess, BaseUrl, ByteSize, HistoryMode, HostName, ListenAddress, LogFormat, LogLevel, Origin, Period,
    ProxyAddress, Rate,
};
use super::{Config, ConfigError, Flags, load};

/// A setting with its value.
pub(super) struct EffectiveSetting {
    pub key: &'static str,
    /// `None` if the setting has no value.
    pub value: Option<Value>,
    pub default: &'static str,
    pub origin: SettingOrigin,
}

/// The source of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SettingOrigin {
    FlagOrVariable,
    File,
    Default,
}

/// The settings of `config` as TOML, which `flags` produced. A comment names the origin of each value; settings without
/// a value are comments.
///
/// # Errors
/// If the configuration file changed in between and is now invalid.
pub fn explain(flags: &Flags, config: &Config) -> Result<String, ConfigError> {
    let file = load::file_settings(flags)?;
    let mut settings = config.settings.effective(&flags.http, &flags.data, &flags.log, &file);
    for setting in &mut settings {
        if setting.key == "state_dir" {
            setting.value = config.state_dir.to_toml();
        }
    }
    Ok(settings.iter().map(EffectiveSetting::line).collect())
}

impl EffectiveSetting {
    fn line(&self) -> String {
        let Some(value) = &self.value else {
            let default = if self.default.is_empty() { "none" } else { self.default };
            return format!("# {} is not set; default: {default}\n", self.key);
        };
        let origin = match self.origin {
            SettingOrigin::FlagOrVariable => {
                format!("flag --{} or variable GITGLOT_{}", self.key.replace('_', "-"), self.key.to_uppercase())
            }
            SettingOrigin::File => "file".to_owned(),
            SettingOrigin::Default => "default".to_owned(),
        };
        format!("{} = {value}  # {origin}\n", self.key)
    }
}

/// Converts a value to the TOML that a configuration file may contain.
pub(super) trait ToToml {
    fn to_toml(&self) -> Option<Value>;
}

impl<T: ToToml> ToToml for Option<T> {
    fn to_toml(&self) -> Option<Value> {
        self.as_ref()?.to_toml()
    }
}

impl<T: ToToml> ToToml for Vec<T> {
    fn to_toml(&self) -> Option<Value> {
        Some(Value::Array(self.iter().filter_map(T::to_toml).collect()))
    }
}

macro_rules! to_toml {
    ($($type:ty: $value:expr;)*) => {$(
        impl ToToml for $type {
            fn to_toml(&self) -> Option<Value> {
                let value: fn(&Self) -> Value = $value;
                Some(value(self))
            }
        }
    )*};
}

to_toml! {
    BaseUrl: |it| it.as_str().into();
    HostName: |it| it.as_str().into();
    ListenAddress: |it| it.as_str().into();
    Origin: |it| it.as_str().into();
    PathBuf: |it| it.to_string_lossy().into_owned().into();
    ProxyAddress: |it| it.network().to_string().into();
    NonZeroU32: |it| i64::from(it.get()).into();
    ByteSize: |it| format!("{}B", it.bytes()).into();
    Period: |it| period(it.duration().as_millis()).into();
    Rate: |it| format!("{}/{}", it.requests, rate_unit(it.time.as_secs())).into();
    BadgeAccess: choice;
    HistoryMode: choice;
    LogFormat: choice;
    LogLevel: choice;
}

fn choice<T: ValueEnum>(value: &T) -> Value {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned()).into()
}

fn period(milliseconds: u128) -> String {
    if milliseconds.is_multiple_of(1000) { format!("{}s", milliseconds / 1000) } else { format!("{milliseconds}ms") }
}

fn rate_unit(seconds: u64) -> &'static str {
    match seconds {
        1 => "s",
        60 => "m",
        3_600 => "h",
        _ => "d",
    }
}

#[cfg(test)]
mod tests {
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
        let mut flags = Flags::default();
        flags.target.config = Some(path.clone());
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
        let mut again = Flags::default();
        again.target.config = Some(path);
        assert_eq!(Config::load(again).unwrap().settings, config.settings);
    }
}
