//! The exports that 3.4 has outside of its API (docs/spec/http.md#exports): statistics as JSON or CSV, and feeds of changes.

pub(super) mod rss;
pub(super) mod stats;

#[cfg(test)]
mod tests;
