//! The options of a site.

/// The pages of lists of changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes {
    /// All pages.
    All,
    /// Those with the newest changes.
    Recent,
}

/// What is written once for each string and language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strings {
    /// The page and the API object of every string and of every change.
    All,
    /// The pages of all strings, many in a file, which a script on the page of their translation shows.
    Packed,
    /// Those of strings that are stale, missing or failing a check.
    Attention,
    /// None; lists contain all strings.
    None,
}

/// What a site contains.
#[derive(Clone, Default, Debug)]
pub struct SiteOptions {
    /// The URL of the site with a final slash, if it is known.
    pub base_url: Option<String>,
    /// What is written for each string; by default, all of at most 200,000 units, otherwise those that need attention.
    pub strings: Option<Strings>,
    /// The pages of lists of changes; by default, all of at most 100,000 changes, otherwise recent ones.
    pub changes: Option<Changes>,
    /// Whether files of translations and tables of statistics are part of it.
    pub exports: bool,
}
