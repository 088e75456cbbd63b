//! Settings with their values as TOML. Knows the types of values, not where they come from.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::ValueEnum;
use toml::Value;

use super::values::{
    BadgeAccess, BaseUrl, ByteSize, HistoryMode, HostName, LedgerAddress, ListenAddress, LogFormat,
    LogLevel, MetricsDetail, Origin, Period, ProxyAddress, Rate,
};

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

impl EffectiveSetting {
    /// The line of a configuration file that sets it.
    pub fn line(&self) -> String {
        let Some(value) = &self.value else {
            let default = if self.default.is_empty() {
                "none"
            } else {
                self.default
            };
            return format!("# {} is not set; default: {default}\n", self.key);
        };
        let origin = match self.origin {
            SettingOrigin::FlagOrVariable => {
                format!(
                    "flag --{} or variable GITGLOT_{}",
                    self.key.replace('_', "-"),
                    self.key.to_uppercase()
                )
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
    LedgerAddress: |it| it.as_str().into();
    ListenAddress: |it| it.as_str().into();
    bool: |it| (*it).into();
    Origin: |it| it.as_str().into();
    PathBuf: |it| it.to_string_lossy().into_owned().into();
    ProxyAddress: |it| it.network().to_string().into();
    NonZeroU32: |it| i64::from(it.get()).into();
    ByteSize: |it| format!("{}B", it.bytes()).into();
    Period: |it| period(it.duration().as_millis()).into();
    Rate: |it| format!("{}/{}", it.requests, rate_unit(it.time.as_secs())).into();
    BadgeAccess: choice;
    MetricsDetail: choice;
    HistoryMode: choice;
    LogFormat: choice;
    LogLevel: choice;
}

fn choice<T: ValueEnum>(value: &T) -> Value {
    value
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned())
        .into()
}

fn period(milliseconds: u128) -> String {
    if milliseconds.is_multiple_of(1000) {
        format!("{}s", milliseconds / 1000)
    } else {
        format!("{milliseconds}ms")
    }
}

fn rate_unit(seconds: u64) -> &'static str {
    match seconds {
        1 => "s",
        60 => "m",
        3_600 => "h",
        _ => "d",
    }
}
