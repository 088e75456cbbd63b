//! Names of projects and components in URLs.

/// A project's or component's name in URLs: letters, digits, `-` and `_`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slug(Box<str>);

/// An invalid slug.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a slug: use letters, digits, '-' and '_' only, and at least one of them")]
pub struct SlugError(pub String);

impl Slug {
    /// Validates a slug.
    ///
    /// # Errors
    /// If it is empty or has other characters.
    pub fn new(text: &str) -> Result<Self, SlugError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if text.is_empty() || !text.chars().all(fits) {
            return Err(SlugError(text.to_owned()));
        }
        Ok(Self(text.into()))
    }

    /// Derives a slug from any text: `docs/spec/settings.md#slugs`.
    pub fn derive(text: &str) -> Option<Self> {
        let lower = text.to_lowercase();
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let slug: String = lower.replace(|c| !fits(c), "-");
        (!slug.is_empty()).then(|| Self(slug.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Slug {
    type Err = SlugError;

    fn from_str(text: &str) -> Result<Self, SlugError> {
        Self::new(text)
    }
}

impl std::fmt::Display for Slug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
