//! The body of a source string.

use super::{Link, Time, schema};

schema! {
    /// A source: one string of the template.
    Source {
        /// A hash of the context.
        id_hash: i64 = -4830155381257635726,
        /// The component it belongs to.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/".into(),
        /// When it first appeared.
        timestamp: Time = "2018-05-04T09:12:00Z".into(),
        /// Always 100.
        priority: i64 = 100,
        /// Always `""`.
        check_flags: String = String::new(),
        /// This object.
        url: Link = "https://l10n.example.org/api/sources/1/".into(),
        /// The string in every language.
        units: Vec<Link> = vec!["https://l10n.example.org/api/units/1/".into()],
        /// Always empty.
        screenshots: Vec<Link> = Vec::new(),
    }
}
