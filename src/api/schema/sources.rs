//! The body of a source string.

use super::{Link, Time, schema};

schema! {
    /// A source: a string of the template.
    Source {
        /// Hash of the context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        id_hash: i64 = -4830155381257635726_i64,
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/",
        /// Time when the source first appeared.
        timestamp: Time = "2018-05-04T09:12:00Z",
        /// Always 100.
        priority: i64 = 100,
        /// Always `""`.
        check_flags: String = "",
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/sources/1/",
        /// URLs of its units in all languages.
        units: Vec<Link> = ["https://l10n.example.org/api/units/1/"],
        /// Always empty.
        screenshots: Vec<Link>,
    }
}
