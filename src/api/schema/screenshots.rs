use poem_openapi::Object;
use poem_openapi::types::Example;

use super::Link;

/// A screenshot. There are none.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Screenshot {
    /// Its name.
    name: String,
    /// The component it belongs to.
    component: Link,
    /// The picture.
    file_url: Link,
    /// The strings it shows.
    sources: Vec<Link>,
    /// This object.
    url: Link,
}

impl Example for Screenshot {
    fn example() -> Self {
        Self {
            name: "Menu".into(),
            component: "https://l10n.example.org/api/components/ublock/extension/".into(),
            file_url: "https://l10n.example.org/api/screenshots/1/file/".into(),
            sources: vec!["https://l10n.example.org/api/sources/1/".into()],
            url: "https://l10n.example.org/api/screenshots/1/".into(),
        }
    }
}
