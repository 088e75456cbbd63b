//! `/about/`: what this server is, what it serves, and the words that pages use.

use askama::Template;

use super::parts::Time;
use super::visit::Visit;
use super::{Look, html};
use crate::model::Timestamp;

#[derive(Template)]
#[template(path = "web/about.html")]
struct Page<'a> {
    look: Look,
    version: &'static str,
    projects: usize,
    components: usize,
    languages: usize,
    strings: usize,
    changes: usize,
    time: Option<Time>,
    base: &'a str,
}

/// The page.
pub(super) fn page(visit: &Visit<'_>) -> String {
    let snapshot = visit.snapshot;
    html(&Page {
        look: visit.look().clone(),
        version: env!("CARGO_PKG_VERSION"),
        projects: snapshot.projects().len(),
        components: snapshot.components().len(),
        languages: snapshot.languages().len(),
        strings: snapshot.unit_count(),
        changes: snapshot.changes().len(),
        time: snapshot.time().map(|seconds| Time::new(Timestamp::from_seconds(seconds))),
        base: visit.base,
    })
}
