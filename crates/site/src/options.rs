//! The options of a site.

/// The pages of lists of changes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Changes {
    /// All pages.
    All,
    /// Those with the newest changes.
    #[default]
    Recent,
}

/// What is written once for each string and language.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Strings {
    /// The page and the API object of every string and of every change.
    All,
    /// The pages of all strings, many in a file, which a script on the page of their translation shows.
    Packed,
    /// Those of strings that are stale, missing or failing a check.
    #[default]
    Attention,
    /// None; lists contain all strings.
    None,
}

/// What a site contains.
#[derive(Clone, Default, Debug)]
pub struct SiteOptions {
    /// The URL of the site with a final slash, if it is known.
    pub base_url: Option<String>,
    /// What is written for each string.
    pub strings: Strings,
    /// The pages of lists of changes.
    pub changes: Changes,
    /// Whether the responses of the API are part of it.
    pub api: bool,
    /// Whether files of translations and tables of statistics are part of it.
    pub exports: bool,
}
