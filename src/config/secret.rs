//! A text that must not be shown.

/// A secret out of the configuration. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes any text but the empty one.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            Err("the secret is empty: write one or leave the key out")
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}
