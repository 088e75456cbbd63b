//! The separators of keys: a text, or `false` if names are not divided.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use gitglot_model::{MAX_MARK, Separator};

/// A separator that has to be a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::config) struct SeparatorText(pub String);

impl FromStr for SeparatorText {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.len() {
            1..=MAX_MARK => Ok(Self(text.to_owned())),
            _ => Err("a separator has 1 to 20 bytes: set such a text or remove the key"),
        }
    }
}

/// A separator that there may not be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "SeparatorToml", into = "SeparatorToml")]
pub(in crate::config) struct SeparatorValue(pub Separator);

/// A value as it is written.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SeparatorToml {
    Switch(bool),
    Text(String),
}

impl TryFrom<SeparatorToml> for SeparatorValue {
    type Error = &'static str;

    fn try_from(value: SeparatorToml) -> Result<Self, Self::Error> {
        match value {
            SeparatorToml::Switch(false) => Ok(Self(Separator::None)),
            SeparatorToml::Switch(true) => {
                Err("true is no separator: set a text, or false for none")
            }
            SeparatorToml::Text(text) => {
                let SeparatorText(text) = text.parse()?;
                Ok(Self(Separator::Text(text)))
            }
        }
    }
}

impl From<SeparatorValue> for SeparatorToml {
    fn from(value: SeparatorValue) -> Self {
        match value.0 {
            Separator::Text(text) => Self::Text(text),
            Separator::None => Self::Switch(false),
        }
    }
}
