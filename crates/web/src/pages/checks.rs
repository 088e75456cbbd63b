//! `/checks/`: all quality checks; `/checks/CHECK/`: the translations where one of them fails.

use askama::Template;

use crate::aggregates::breadcrumbs_to_projects;
use crate::layout::{PageLayout, render};
use crate::parts::{Breadcrumbs, LocalizedText};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::TranslationView;
use gitglot_catalog::scan::Budget;
use gitglot_checks::CheckId;

#[derive(Template)]
#[template(path = "pages/checks.html")]
struct ChecksPage {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    title: &'static str,
    about: &'static str,
    /// What the check finds and passes.
    paragraphs: Vec<String>,
    caption: &'static str,
    /// The heading of the first column.
    heading: &'static str,
    /// Whether the table has a column of descriptions.
    has_descriptions: bool,
    rows: Vec<CheckRow>,
}

struct CheckRow {
    severity: &'static str,
    name: LocalizedText,
    href: String,
    count: usize,
    description: &'static str,
}

/// Counts the strings of a translation that fail each modern check, in the order of [`CheckId::ALL`].
pub(super) fn failure_counts(view: TranslationView<'_>, budget: &Budget) -> Vec<usize> {
    let mut counts = vec![0; CheckId::ALL.len()];
    let rows = view.check_results(budget).rows().iter();
    for (_, failing) in rows.take_while(|_| budget.spend(1)) {
        for check in failing.iter() {
            counts[check as usize] += 1;
        }
    }
    counts
}

/// The checks that strings fail, errors first, then by number; `counts` are in the order of [`CheckId::ALL`].
pub(super) fn worst_first(counts: Vec<usize>) -> Vec<(CheckId, usize)> {
    let all = CheckId::ALL.iter().copied().zip(counts);
    let mut failing: Vec<_> = all.filter(|(_, count)| *count > 0).collect();
    failing.sort_by_key(|(check, count)| std::cmp::Reverse((check.severity(), *count)));
    failing
}

/// Renders the page of all checks.
pub(crate) fn all(request: &PageRequest<'_>) -> String {
    let mut totals = vec![0; CheckId::ALL.len()];
    for view in request.translations() {
        let counts = failure_counts(view, request.budget);
        for (sum, count) in totals.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let rows = worst_first(totals)
        .into_iter()
        .map(|(check, count)| CheckRow {
            severity: check.severity().name(),
            name: LocalizedText::name(check.name()),
            href: request.link(paths::CHECK, &[check.id()]),
            count,
            description: check.description(),
        });
    render(&ChecksPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_projects(request),
        title: "Checks",
        about: "Checks compare every translation with its source. A failing check points to a possible problem; \
the translation may still be right. Pages use the modern checks, those of current Weblate. The fields \
has_failing_check and failing_checks of the API count the checks of Weblate 3.4 unless the component has the setting \
checks = \"modern\".",
        paragraphs: Vec::new(),
        caption: "Checks and the number of strings that fail them",
        heading: "Check",
        has_descriptions: true,
        rows: rows.collect(),
    })
}

/// Renders the page of a check, for all projects or one; `None` for an unknown check or project.
pub(crate) fn one(request: &PageRequest<'_>, values: &[&str]) -> Option<String> {
    let (id, project) = values.split_first()?;
    let (check, project) = (CheckId::from_id(id)?, project.first().copied());
    if let Some(slug) = project {
        request.snapshot.project(slug)?;
    }
    let views = request.translations();
    let views = views
        .filter(|view| project.is_none_or(|slug| view.component.project.slug.as_str() == slug));
    let rows = views.map(|view| {
        let (project, component) = (&view.component.project, &view.component.component);
        let language = view.translation.language.display_name();
        let name = [&*project.name, &component.name, &language].join(" / ");
        CheckRow {
            severity: check.severity().name(),
            name: LocalizedText::name(name),
            href: request.strings(view) + "?type=check:" + check.id(),
            count: failure_counts(view, request.budget)[check as usize],
            description: "",
        }
    });
    let mut rows: Vec<CheckRow> = rows.filter(|row| row.count > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    let documentation = check.documentation().replace('`', "");
    let paragraphs = documentation.split("\n\n");
    Some(render(&ChecksPage {
        layout: request.layout.clone(),
        breadcrumbs: Breadcrumbs::default().below("Checks", request.link(paths::CHECKS, &[])),
        title: check.name(),
        about: check.description(),
        paragraphs: paragraphs.map(str::to_owned).collect(),
        caption: "Translations and the number of strings that fail this check",
        heading: "Translation",
        has_descriptions: false,
        rows,
    }))
}
