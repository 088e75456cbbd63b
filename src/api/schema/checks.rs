//! The bodies of failing checks.

use super::{Nullable, schema};

schema! {
    /// A check that fails on a unit.
    FailingCheck {
        /// Set of checks: `modern` or `legacy`.
        set: String = "modern",
        /// Id of the check.
        check: String = "i18next_interpolation",
        /// Name of the check.
        name: String = "i18next interpolation",
        /// Description of the check, in one sentence.
        description: String = "The i18next placeholders differ from the source.",
        /// `error`, or `notice` for a check of the source text.
        severity: String = "error",
        /// Description of the problem, in one sentence.
        message: String = "Missing placeholders: {{name}}.",
        /// Ranges of the texts that the message refers to.
        highlights: Vec<Highlight>,
    }

    /// A range of a text.
    Highlight {
        /// Text that contains the range: `source` or `target`.
        side: String = "source",
        /// Plural form, from 0.
        form: i64 = 0,
        /// Start of the range in Unicode code points, from 0.
        start: i64 = 6,
        /// End of the range, exclusive.
        end: i64 = 14,
        /// Text of the range.
        text: String = "{{name}}",
    }

    /// The settings and failures of the checks of a component.
    ComponentDetails {
        /// Set of checks that determines `has_failing_check` and `failing_checks`: `legacy` or `modern`.
        check_set: String = "legacy",
        /// Check flags in the configuration, if any.
        check_flags: Nullable<String>,
        /// Number of units that fail a modern check.
        modern_failing_checks: i64 = 3,
    }

    /// The checks of a translation, and its stale units by class of source change.
    TranslationDetails {
        /// Set of checks that determines `has_failing_check` and `failing_checks`: `legacy` or `modern`.
        check_set: String = "legacy",
        /// Number of units that fail a modern check.
        modern_failing_checks: i64 = 3,
        /// Number of stale units whose source changed only in case, whitespace, punctuation, quotes or HTML attributes.
        stale_cosmetic: i64 = 1,
        /// Number of stale units whose source changed in a small part of its words.
        stale_minor: i64 = 0,
        /// Number of all other stale units.
        stale_major: i64 = 2,
    }
}
