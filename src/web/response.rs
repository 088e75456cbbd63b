//! The result of routing a page request.

/// The response to a page request.
#[derive(Debug)]
pub enum PageResponse {
    /// An HTML page.
    Html(String),
    /// Any other file, with its content type.
    File(Vec<u8>, &'static str),
    /// A permanent redirect to this percent-encoded path below the root.
    Redirect(String),
}
