//! The bodies of failing checks.

use super::{Nullable, schema};

schema! {
    /// A check that fails on a unit.
    FailingCheck {
        /// The set of checks: `modern` or `legacy`.
        set: String = "modern".into(),
        /// The id of the check.
        check: String = "i18next_interpolation".into(),
        /// The name of the check.
        name: String = "i18next interpolation".into(),
        /// The meaning of the check, in one sentence.
        description: String = "The i18next placeholders differ from the source.".into(),
        /// `error`, or `notice` for a check of the source.
        severity: String = "error".into(),
        /// The fault, in one sentence.
        message: String = "Missing placeholders: {{name}}.".into(),
        /// The parts of the texts that the message is about.
        highlights: Vec<Highlight> = vec![Highlight],
    }
}

schema! {
    /// A part of a text.
    Highlight {
        /// `source` or `target`.
        side: String = "source".into(),
        /// The plural form of the text, from 0.
        form: i64 = 0,
        /// The first character, from 0. Offsets count Unicode code points.
        start: i64 = 6,
        /// The end, exclusive.
        end: i64 = 14,
        /// The part.
        text: String = "{{name}}".into(),
    }
}

schema! {
    /// The checks of a component.
    ComponentDetails {
        /// The set that decides `has_failing_check` and `failing_checks`: `legacy` or `modern`.
        check_set: String = "legacy".into(),
        /// The flags in the configuration, if there are any.
        check_flags: Nullable<String> = Nullable(None),
        /// How many units fail a modern check.
        modern_failing_checks: i64 = 3,
    }
}

schema! {
    /// The checks of a translation, and its stale units by how much their source has changed.
    TranslationDetails {
        /// The set that decides `has_failing_check` and `failing_checks`: `legacy` or `modern`.
        check_set: String = "legacy".into(),
        /// How many units fail a modern check.
        modern_failing_checks: i64 = 3,
        /// Only case, whitespace, punctuation, quotes or HTML attributes have changed.
        stale_cosmetic: i64 = 1,
        /// A small part of the words has changed.
        stale_minor: i64 = 0,
        /// Everything else.
        stale_major: i64 = 2,
    }
}
