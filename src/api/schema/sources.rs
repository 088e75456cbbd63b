use poem_openapi::Object;
use poem_openapi::types::Example;

use super::{Link, Time};

/// A source: one string of the template.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Source {
    /// A hash of the context.
    id_hash: i64,
    /// The component it belongs to.
    component: Link,
    /// When it first appeared.
    timestamp: Time,
    /// Always 100.
    priority: i64,
    /// Always `""`.
    check_flags: String,
    /// This object.
    url: Link,
    /// The string in every language.
    units: Vec<Link>,
    /// Always empty.
    screenshots: Vec<Link>,
}

impl Example for Source {
    fn example() -> Self {
        Self {
            id_hash: -4830155381257635726,
            component: "https://l10n.example.org/api/components/ublock/extension/".into(),
            timestamp: "2018-05-04T09:12:00Z".into(),
            priority: 100,
            check_flags: String::new(),
            url: "https://l10n.example.org/api/sources/1/".into(),
            units: vec!["https://l10n.example.org/api/units/1/".into()],
            screenshots: Vec::new(),
        }
    }
}
