//! The body of a screenshot.

use super::{Link, schema};

schema! {
    /// A screenshot. There are none.
    Screenshot {
        /// Its name.
        name: String = "Menu".into(),
        /// The component it belongs to.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/".into(),
        /// The picture.
        file_url: Link = "https://l10n.example.org/api/screenshots/1/file/".into(),
        /// The strings it shows.
        sources: Vec<Link> = vec!["https://l10n.example.org/api/sources/1/".into()],
        /// This object.
        url: Link = "https://l10n.example.org/api/screenshots/1/".into(),
    }
}
