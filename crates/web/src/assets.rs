//! Static files that pages load: style sheet, script and icon.

use std::sync::LazyLock;

/// The `Content-Security-Policy` of pages: only files, images and requests of this server
/// (docs/spec/pages.md#security).
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The style sheet.
pub(crate) const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/script.js");
const ICON: &str = include_str!("assets/icon.svg");

/// Hash of all assets. URLs carry it, so that browsers can cache each version forever.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    blake3::hash([STYLE, SCRIPT, ICON].concat().as_bytes())
        .to_hex()
        .chars()
        .take(12)
        .collect()
});

/// A static file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asset {
    /// The content.
    pub bytes: &'static [u8],
    /// The `Content-Type`.
    pub media: &'static str,
    /// The `Cache-Control`.
    pub cache: &'static str,
}

/// The URL of the current version of the file at `path`.
pub(crate) fn versioned(root: &str, path: &str) -> String {
    [root, path, "?v=", &VERSION].concat()
}

/// Returns the file at a path. A request for the current version gets a response that never expires.
pub fn asset(path: &str, query: &str) -> Option<Asset> {
    let is_versioned = query.strip_prefix("v=") == Some(&VERSION);
    let cache = if is_versioned {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=300"
    };
    let (text, media) = match path {
        "/static/style.css" => (STYLE, "text/css; charset=utf-8"),
        "/static/script.js" => (SCRIPT, "text/javascript; charset=utf-8"),
        // Browsers request `/favicon.ico` for responses that name no icon, such as images.
        "/static/icon.svg" | "/favicon.ico" => (ICON, "image/svg+xml; charset=utf-8"),
        _ => return None,
    };
    Some(Asset {
        bytes: text.as_bytes(),
        media,
        cache,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versioned_files_can_be_cached_forever() {
        for file in ["/static/style.css", "/static/script.js", "/static/icon.svg"] {
            let url = versioned("", file);
            let (path, query) = url.split_once('?').unwrap();
            assert!(
                asset(path, query).unwrap().cache.contains("immutable"),
                "{file}"
            );
        }
        assert!(
            !asset("/static/style.css", "")
                .unwrap()
                .cache
                .contains("immutable")
        );
        assert!(
            asset("/static/icon.svg", "")
                .unwrap()
                .media
                .starts_with("image/svg+xml")
        );
        assert_eq!(asset("/static/other.css", ""), None);
    }
}
