//! `/about/`: version, contents and terms.

use askama::Template;

use crate::layout::{PageLayout, render};
use crate::parts::{Time, group_thousands};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::Snapshot;
use gitglot_model::Timestamp;

#[derive(Template)]
#[template(path = "pages/about.html")]
struct AboutPage<'a> {
    layout: PageLayout,
    snapshot: &'a Snapshot,
    updated: Option<Time>,
    base: &'a str,
}

pub(crate) fn page(request: &PageRequest<'_>) -> String {
    // Files do not depend on when they were written.
    let updated = (request.snapshot.time()).filter(|_| request.layout.has_server());
    let updated = updated.map(|seconds| Time::new(Timestamp::from_seconds(seconds)));
    render(&AboutPage {
        layout: request.layout.clone(),
        snapshot: request.snapshot,
        updated,
        base: request.base,
    })
}
