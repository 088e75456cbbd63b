//! Static files that pages load: style sheet, script and icon.

use std::sync::LazyLock;

/// The `Content-Security-Policy` of pages: only files, images and requests of this server
/// (docs/spec/pages.md#security).
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The style sheet of all pages.
pub(crate) const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/script.js");
const EVENTS: &str = include_str!("assets/events.js");
const ICON: &str = include_str!("assets/icon.svg");
// Only for some pages, so that the others load less.
const STATS_STYLE: &str = include_str!("assets/stats.css");
const STATS_SCRIPT: &str = include_str!("assets/stats.js");

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml; charset=utf-8";

/// Path, content and type of each file.
const FILES: [(&str, &str, &str); 6] = [
    ("/static/style.css", STYLE, CSS),
    ("/static/script.js", SCRIPT, JAVASCRIPT),
    ("/static/stats.css", STATS_STYLE, CSS),
    ("/static/stats.js", STATS_SCRIPT, JAVASCRIPT),
    ("/static/events.js", EVENTS, JAVASCRIPT),
    ("/static/icon.svg", ICON, SVG),
];

/// Hash of all assets. URLs carry it, so that browsers can cache each version forever.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let hash = blake3::hash(FILES.map(|(_, text, _)| text).concat().as_bytes());
    hash.to_hex()[..12].to_owned()
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
    // Browsers request `/favicon.ico` for responses that name no icon, such as images.
    let path = match path {
        "/favicon.ico" => "/static/icon.svg",
        _ => path,
    };
    let (_, text, media) = FILES.into_iter().find(|(known, ..)| *known == path)?;
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
        for (file, ..) in FILES {
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
