//! The exports that 3.4 has outside of its API (human_pages.md 3): statistics as JSON or CSV, and feeds of changes.

pub(super) mod rss;
pub(super) mod stats;

#[cfg(test)]
mod tests;
