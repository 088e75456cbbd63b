//! Screenshots, of which gitglot has none.

use crate::schema::{Link, schema};

schema! {
    /// A screenshot. gitglot has none.
    Screenshot {
        /// Name of the screenshot.
        name: String = "Menu",
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/",
        /// URL of the image.
        file_url: Link = "https://l10n.example.org/api/screenshots/1/file/",
        /// URLs of the sources in the image.
        sources: Vec<Link> = ["https://l10n.example.org/api/sources/1/"],
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/screenshots/1/",
    }
}
