//! Markup: XML, HTML, Markdown, reStructuredText, BBcode and URLs (`docs/spec/checks.md#markup-checks`).

mod dom;
pub(super) mod html;
pub(super) mod markdown;
pub(super) mod rst;
pub(super) mod url;
pub(super) mod xml;
