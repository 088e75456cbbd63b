//! Exports of 3.4 outside its API (docs/spec/http.md#exports): statistics as JSON or CSV, and feeds of changes.

pub(super) mod rss;
pub(super) mod stats;

#[cfg(test)]
mod tests;
