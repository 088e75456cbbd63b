//! The body of a screenshot.

use super::{Link, schema};

schema! {
    /// A screenshot. gitglot has none.
    Screenshot {
        /// Name of the screenshot.
        name: String = "Menu".into(),
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/".into(),
        /// URL of the image.
        file_url: Link = "https://l10n.example.org/api/screenshots/1/file/".into(),
        /// URLs of the sources in the image.
        sources: Vec<Link> = vec!["https://l10n.example.org/api/sources/1/".into()],
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/screenshots/1/".into(),
    }
}
