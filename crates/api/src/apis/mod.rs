//! What differs between the two APIs where the same code serves both: one interface, and one file per API that implements
//! it. Which fields an object has is declared in `views`, which routes an API has in `handlers`. The full list for readers is
//! docs/spec/api-differences.md.
//!
//! Must not depend on handlers, views or the OpenAPI document, except for the test of that list.

mod current;
#[cfg(test)]
mod differences_tests;
mod legacy;

use std::borrow::Cow;

use gitglot_catalog::query::{Dialect, QueryError};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{
    ChangeView, ComponentSnapshot, Snapshot, Statistics, TranslationSnapshot, TranslationView,
    UnitView,
};
use gitglot_model::language::{CurrentLanguage, Language};
use gitglot_model::{PersonId, Timestamp, UnitId};

use crate::profile::Profile;
use crate::response::error::ApiError;
use crate::response::media_type::Representation;
use crate::schema::ObjectSchema;
pub(crate) use current::Current;
pub(crate) use legacy::Legacy;

/// An API, as a type: code that writes entries is generic over it, so that nothing is decided per entry.
pub(crate) trait Api: Copy + Send + Sync + std::fmt::Debug + 'static {
    const PROFILE: Profile;
    /// The dialect of `q`.
    const DIALECT: Dialect;
    /// Whether counts include the results of the current checks, which may have to run first.
    const COUNTS_CURRENT_CHECKS: bool;

    /// The error of an invalid `q`.
    fn query_error(error: &QueryError) -> ApiError;

    // What a snapshot contains.

    fn unit(snapshot: &Snapshot, id: UnitId) -> Option<UnitView<'_>>;
    fn unit_count(snapshot: &Snapshot) -> usize;
    /// All units in the order of their list, from a 0-based rank on.
    fn units_from(snapshot: &Snapshot, rank: usize) -> impl Iterator<Item = UnitView<'_>>;
    /// The units of a translation in the order of their list, from a 0-based rank on.
    fn units_of(view: TranslationView<'_>, rank: usize) -> impl Iterator<Item = UnitView<'_>>;
    fn translation<'a>(of: &'a ComponentSnapshot, language: &str) -> Option<TranslationView<'a>>;
    fn translation_count(snapshot: &Snapshot) -> usize;
    /// All translations in the order of their list, from a 0-based rank on.
    fn translations_from(
        snapshot: &Snapshot,
        rank: usize,
    ) -> impl Iterator<Item = TranslationView<'_>>;
    /// The translations of a component in the order of their list.
    fn translations_of<'a>(
        snapshot: &'a Snapshot,
        component: &'a ComponentSnapshot,
    ) -> impl Iterator<Item = TranslationView<'a>>;
    /// The components of a project in the order of their list.
    fn components_of<'a>(snapshot: &'a Snapshot, project: &str) -> Vec<&'a ComponentSnapshot>;
    /// Whether a component is shown as locked.
    fn is_locked(component: &ComponentSnapshot) -> bool;
    /// All languages in the order of their list.
    fn languages(snapshot: &Snapshot) -> impl Iterator<Item = ShownLanguage<'_>>;
    /// Calls `with` for the language with a code.
    fn with_language<T>(
        snapshot: &Snapshot,
        code: &str,
        with: impl FnOnce(ShownLanguage<'_>) -> T,
    ) -> Option<T>;

    // Values of fields that both have.

    /// A percentage in tenths, and `of_nothing` if the whole is 0.
    fn percent(part: u64, whole: u64, of_nothing: u32) -> u32;
    fn language_of(translation: &TranslationSnapshot) -> ShownLanguage<'_>;
    /// Calls `with` for the language of source texts with a code.
    fn with_source_language(snapshot: &Snapshot, code: &str, with: impl FnOnce(ShownLanguage<'_>));
    /// The counts of a translation.
    fn counts(view: TranslationView<'_>) -> Statistics;
    /// When a translation last changed, and by whom.
    fn last_change(view: TranslationView<'_>) -> Option<(Timestamp, PersonId)>;
    fn unit_values<'a>(view: UnitView<'a>, budget: &Budget) -> UnitValues<'a>;
    fn write_checksum(out: &mut Vec<u8>, id_hash: i64);
    /// The unit that an entry of the change log links to.
    fn unit_of<'a>(view: ChangeView<'a>) -> Option<UnitView<'a>>;
}

/// How an API answers, whatever the request is about.
pub(crate) struct Envelope {
    /// Whether a path without its final slash redirects to the one with it; otherwise it does not exist.
    pub(crate) adds_slashes: bool,
    /// Whether paths can end with a suffix such as `.json`.
    pub(crate) has_suffixes: bool,
    /// Whether clients that ask for JSON get it for unknown paths, too.
    pub(crate) describes_unknown_paths: bool,
    /// Whether links to files repeat `format=csv`.
    pub(crate) repeats_csv: bool,
    /// Whether it refuses what its Weblate refuses visitors without an account, and names the methods of its Weblate.
    pub(crate) has_accounts: bool,
    /// Whether a header names the ledger, and one the parameters without effect.
    pub(crate) has_own_headers: bool,
    /// Whether lists of units have the filters `translated`, `fuzzy` and `stale`, which `openapi::params` describes.
    pub(crate) has_state_filters: bool,
    /// The numbers of entries on the pages of lists, and of long lists.
    pub(crate) pages: [PageSizes; 2],
    pub(crate) representations: Representations,
    /// The paths of the OpenAPI document below `/api/`, with their formats. The API reference links to the first one.
    pub(crate) documents: &'static [(&'static str, DocumentFormat)],
    /// The formats that the body of `OPTIONS` names.
    pub(crate) renders: &'static [u8],
    /// The body of errors, if it is not an object with `detail`.
    pub(crate) error_body: Option<fn(&ApiError) -> Vec<u8>>,
    pub(crate) error_schema: fn() -> ObjectSchema,
    /// The media types of converted files that only this API has.
    pub(crate) more_conversions: &'static [&'static str],
}

/// The representations of routes, in order of preference.
pub(crate) struct Representations {
    pub(crate) objects: &'static [Representation],
    pub(crate) lists: &'static [Representation],
    /// Those of lists that the current API also sends as one array.
    pub(crate) flat_lists: &'static [Representation],
    pub(crate) metrics: &'static [Representation],
}

/// The format of the OpenAPI document at a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DocumentFormat {
    Json,
    Yaml,
    /// JSON for clients that ask for it, else YAML, with the media types of OpenAPI.
    Negotiated,
}

/// The numbers of entries on the pages of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PageSizes {
    /// Without `page_size`.
    pub(crate) default: usize,
    pub(crate) most: usize,
    /// The description of `page_size`.
    pub(crate) about: &'static str,
    /// Whether an empty `page` is the first one.
    pub(crate) has_empty_page: bool,
}

impl PageSizes {
    /// Those of 3.4.
    pub(crate) const LEGACY: Self = Self {
        default: 20,
        most: 1000,
        about: "Number of entries per page, from 1 to 1000. Larger values are treated as 1000, values below 1 as 20.",
        has_empty_page: false,
    };
    /// Those of current Weblate.
    pub(crate) const CURRENT: Self = Self {
        default: 50,
        most: 1000,
        about: "Number of entries per page, from 1 to 1000. Larger values are treated as 1000.",
        has_empty_page: true,
    };
    /// Those of long lists of current Weblate.
    pub(crate) const LARGE: Self = Self {
        default: 200,
        most: 10_000,
        about: "Number of entries per page, from 1 to 10000. Larger values are treated as 10000.",
        has_empty_page: true,
    };
}

impl Profile {
    pub(crate) fn envelope(self) -> &'static Envelope {
        match self {
            Self::Legacy => &legacy::ENVELOPE,
            Self::Current => &current::ENVELOPE,
        }
    }
}

/// A language as both APIs show it.
#[derive(Clone, Copy)]
pub(crate) struct ShownLanguage<'a> {
    pub(crate) code: &'a str,
    pub(crate) name: &'a str,
    pub(crate) rtl: bool,
    /// The other fields of the current API.
    pub(crate) current: Option<&'a CurrentLanguage>,
}

impl<'a> From<&'a Language> for ShownLanguage<'a> {
    fn from(language: &'a Language) -> Self {
        Self {
            code: &language.code,
            name: &language.name,
            rtl: language.rtl,
            current: None,
        }
    }
}

impl<'a> From<&'a CurrentLanguage> for ShownLanguage<'a> {
    fn from(language: &'a CurrentLanguage) -> Self {
        Self {
            code: &language.code,
            name: &language.name,
            rtl: language.rtl,
            current: Some(language),
        }
    }
}

/// The values of fields of a unit that both APIs have.
pub(crate) struct UnitValues<'a> {
    pub(crate) id_hash: i64,
    pub(crate) content_hash: i64,
    pub(crate) context: &'a str,
    pub(crate) fuzzy: bool,
    pub(crate) translated: bool,
    pub(crate) fails: bool,
    pub(crate) words: u32,
    /// The plural forms of the source; only the current API has them.
    pub(crate) source_forms: Cow<'a, [&'a str]>,
}
