//! Which paths a mask names, and the language code in each (`units.md` 1).

/// A shell-like path pattern with `*` where the language code stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FileMask(Box<str>);

/// The text is no file mask.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileMaskError {
    /// No `*` in it.
    #[error("the file mask '{0}' has no '*' for the language code")]
    NoStar(String),
}

impl FileMask {
    /// Takes a mask.
    ///
    /// # Errors
    /// When no `*` stands in it.
    pub fn new(mask: &str) -> Result<Self, FileMaskError> {
        if !mask.contains('*') {
            return Err(FileMaskError::NoStar(mask.to_owned()));
        }
        Ok(Self(mask.into()))
    }

    /// The mask as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
