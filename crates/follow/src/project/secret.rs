//! Secret values.

use std::str::FromStr;

/// A secret whose `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl FromStr for Secret {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            Err("the secret is empty: set it or remove the key")
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

gitglot_model::deserialize_text!(Secret);

impl Secret {
    /// The secret in clear text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}
