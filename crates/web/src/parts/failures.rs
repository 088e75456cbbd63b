//! Notices about components that cannot be updated.

use askama::Template;
use askama::filters::HtmlSafe;

use super::LocalizedText;
use crate::paths;
use crate::request::PageRequest;

/// Notices about components that cannot be served or may lack newer commits.
#[derive(Template)]
#[template(path = "parts/failures.html")]
pub(crate) struct Failures {
    notices: Vec<FailureNotice>,
}

struct FailureNotice {
    /// Link and slug of the project, if it is in no list.
    project: Option<(String, String)>,
    name: LocalizedText,
    /// Whether an older state of the component is available.
    is_available: bool,
    reason: LocalizedText,
}

impl HtmlSafe for Failures {}

impl Failures {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.notices.is_empty()
    }

    /// Collects the failures of the components that `filter` accepts by project and component slug.
    pub(crate) fn of(request: &PageRequest<'_>, filter: impl Fn(&str, &str) -> bool) -> Self {
        let failures = request.snapshot.failures().iter();
        let failures = failures.filter_map(|(path, reason)| Some((path.split_once('/')?, reason)));
        let notice = |((project, component), reason): ((&str, &str), &String)| {
            let available = request.snapshot.component(project, component);
            let name = available.map_or(component, |of| &of.component.name);
            let is_known = request.snapshot.project(project).is_some();
            FailureNotice {
                // A project of which nothing could be read is in no list.
                project: (!is_known).then(|| {
                    let link = request.link(paths::PROJECT, &[project]);
                    (link, project.to_owned())
                }),
                name: LocalizedText::name(name),
                is_available: available.is_some(),
                reason: LocalizedText::name(reason),
            }
        };
        Self {
            notices: failures
                .filter(|((project, component), _)| filter(project, component))
                .map(notice)
                .collect(),
        }
    }
}
