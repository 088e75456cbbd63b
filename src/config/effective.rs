//! Settings with their values as TOML.

use toml::Value;

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
            let default = match self.default {
                "" => "none",
                default => default,
            };
            return format!("# {} is not set; default: {default}\n", self.key);
        };
        let origin = match self.origin {
            SettingOrigin::FlagOrVariable => {
                let (flag, variable) = (self.key.replace('_', "-"), self.key.to_uppercase());
                format!("flag --{flag} or variable GITGLOT_{variable}")
            }
            SettingOrigin::File => "file".to_owned(),
            SettingOrigin::Default => "default".to_owned(),
        };
        format!("{} = {value}  # {origin}\n", self.key)
    }
}
