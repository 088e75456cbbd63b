//! `/about/`: version, contents and terms.

use askama::Template;

use crate::catalog::Snapshot;
use crate::model::Timestamp;
use crate::web::parts::{Time, group_thousands};
use crate::web::paths;
use crate::web::{PageLayout, PageRequest, render};

#[derive(Template)]
#[template(path = "web/pages/about.html")]
struct AboutPage<'a> {
    layout: PageLayout,
    snapshot: &'a Snapshot,
    updated: Option<Time>,
    base: &'a str,
}

pub(crate) fn page(request: &PageRequest<'_>) -> String {
    let updated = request
        .snapshot
        .time()
        .map(|seconds| Time::new(Timestamp::from_seconds(seconds)));
    render(&AboutPage {
        layout: request.layout.clone(),
        snapshot: request.snapshot,
        updated,
        base: request.base,
    })
}
