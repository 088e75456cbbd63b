//! `/checks/`: what the quality checks find, and `/checks/CHECK/`: where one of them fails.

use askama::Template;

use super::parts::{Crumbs, Text};
use super::visit::Visit;
use super::{Look, html};
use crate::catalog::TranslationView;
use crate::checks::CheckId;

#[derive(Template)]
#[template(path = "web/checks.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    title: &'static str,
    about: &'static str,
    caption: &'static str,
    first: &'static str,
    /// Whether the table has no column of words.
    narrow: bool,
    rows: Vec<Row>,
}

struct Row {
    name: Text,
    href: Option<String>,
    count: usize,
    says: &'static str,
}

/// How many strings of a translation fail each check, in the order of [`CheckId::ALL`].
pub(super) fn counts(view: TranslationView<'_>) -> [usize; CheckId::ALL.len()] {
    let mut counts = [0; CheckId::ALL.len()];
    for unit in view.translation.failing_rows().filter_map(|row| view.unit(row)) {
        for check in unit.failing_checks().iter() {
            counts[check as usize] += 1;
        }
    }
    counts
}

/// The page of all checks.
pub(super) fn all(visit: &Visit<'_>) -> String {
    let mut sums = [0; CheckId::ALL.len()];
    for view in visit.snapshot.translations_from(0) {
        sums.iter_mut().zip(counts(view)).for_each(|(sum, count)| *sum += count);
    }
    let rows = CheckId::ALL.into_iter().zip(sums).map(|(check, count)| Row {
        name: Text::name(check.name()),
        href: (count > 0).then(|| visit.path(&["/checks/", check.id(), "/"])),
        count,
        says: check.description(),
    });
    html(&Page {
        look: visit.look().clone(),
        crumbs: Crumbs::default().below("Projects", visit.path(&["/"])),
        title: "Checks",
        about: "Every translation is compared with its source. What a check finds is worth a look; it need not be wrong.",
        caption: "Checks and how many strings fail them",
        first: "Check",
        narrow: false,
        rows: rows.collect(),
    })
}

/// The page of a check, in all projects or in one; `None` for an unknown check or project.
pub(super) fn one(visit: &Visit<'_>, id: &str, project: Option<&str>) -> Option<String> {
    let check = CheckId::from_id(id)?;
    if let Some(slug) = project {
        visit.snapshot.project(slug)?;
    }
    let views = visit.snapshot.translations_from(0);
    let views = views.filter(|view| project.is_none_or(|slug| view.component.project.slug.as_str() == slug));
    let rows = views.map(|view| {
        let TranslationView { component, translation } = view;
        let name = [&*component.project.name, " / ", &component.component.name, " / "].concat();
        Row {
            name: Text::name(&[&*name, &translation.language.display_name()].concat()),
            href: Some([&*visit.strings(component, translation), "?type=check:", check.id()].concat()),
            count: counts(view)[check as usize],
            says: "",
        }
    });
    let mut rows: Vec<Row> = rows.filter(|row| row.count > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    Some(html(&Page {
        look: visit.look().clone(),
        crumbs: Crumbs::default().below("Checks", visit.path(&["/checks/"])),
        title: check.name(),
        about: check.description(),
        caption: "Translations and how many of their strings fail",
        first: "Translation",
        narrow: true,
        rows,
    }))
}
