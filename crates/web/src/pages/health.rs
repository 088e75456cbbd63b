//! `/health/PROJECT/`: what to do in a project, worst first (docs/spec/pages.md#health).

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;

use super::health_lists::{KeyRow, MAX_ROWS, RestoredRow};
use super::readiness::{is_inactive, is_ready};
use crate::aggregates::{
    breadcrumbs_to_project, group_by_language, last_change, last_time, translations_of_project,
    without_sources,
};
use crate::layout::{PageLayout, render};
use crate::parts::{Breadcrumbs, LocalizedText, name_of, plain};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{
    ComponentSnapshot, RecordedSource, RecordedValue, RestoredText, TranslationView, UnitView,
    problems_of, restored_texts,
};
use gitglot_checks::{CheckId, Severity};
use gitglot_model::{ComponentId, FileFormat, Project, SeededMap, Timestamp, UserId, counted};
use gitglot_revisions::UsedKey;

/// Newest entries of a translation in which the author of a text is looked for.
const MAX_READ: usize = 10_000;
/// A string that fails a check in at least this number of languages, and in half of all, probably has a fault in its source.
const COMMON: usize = 3;

#[derive(Template)]
#[template(path = "pages/health.html")]
struct HealthPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    project: &'a Project,
    errors: usize,
    tasks: Vec<Task>,
    /// The first keys that code uses, and the number of the others.
    keys: (Vec<KeyRow>, usize),
    /// Why the code could not be searched.
    unread: Option<&'a str>,
    /// The newest restored texts, and the number of the others.
    restored: (Vec<RestoredRow>, usize),
}

/// The keys that source code uses and templates lack, which only the repositories show.
#[derive(Default, Debug)]
pub struct KeysInCode {
    /// By component.
    pub found: Vec<(Arc<ComponentSnapshot>, Arc<[UsedKey]>)>,
    /// Why some code could not be searched.
    pub unread: Option<String>,
}

/// Something to do.
struct Task {
    severity: Severity,
    what: String,
    count: usize,
    /// The list of all cases.
    list: String,
    /// A case and its page.
    example: LocalizedText,
    href: String,
    /// Who changed the example last.
    owner: Option<LocalizedText>,
}

/// The cases of a task, of which one is the example.
#[derive(Default)]
struct Cases<'a> {
    count: usize,
    first: Option<UnitView<'a>>,
}

impl<'a> Cases<'a> {
    fn add(&mut self, unit: impl FnOnce() -> Option<UnitView<'a>>) {
        self.count += 1;
        if self.first.is_none() {
            self.first = unit();
        }
    }
}

/// Renders the page; `None` for an unknown project.
pub fn health(request: &PageRequest<'_>, slug: &str, keys: &KeysInCode) -> Option<String> {
    let project = request.snapshot.project(slug)?;
    let views: Vec<_> = without_sources(translations_of_project(request, slug)).collect();
    let mut tasks = files(request, slug);
    let used = keys.found.iter();
    let used = used.flat_map(|(of, keys)| keys.iter().map(move |key| (of, key)));
    let (used, more_used) = first(used.collect());
    let used = used.into_iter();
    let used: Vec<_> = used.map(|(of, key)| KeyRow::of(request, of, key)).collect();
    tasks.extend(used_keys(&used, more_used));
    let restored = restored(request, slug, &views);
    tasks.extend(checks(request, slug, &views));
    tasks.extend(restored_task(request, &restored));
    tasks.extend(sources(request, &views));
    tasks.extend(stale(request, slug, &views));
    tasks.extend(dates(request, &views));
    tasks.extend(documents(request, slug));
    tasks.extend(inactive(request, slug, &views));
    tasks.sort_by_key(|task| std::cmp::Reverse((task.severity, task.count)));
    let errors = tasks.iter().filter(|task| task.severity == Severity::Error);
    Some(render(&HealthPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_project(request, project),
        project,
        errors: errors.count(),
        tasks,
        keys: (used, more_used),
        unread: keys.unread.as_deref(),
        restored: {
            let (shown, more) = first(restored);
            let rows = shown.iter().map(|text| RestoredRow::of(request, text));
            (rows.collect(), more)
        },
    }))
}

/// The first rows of a list, and the number of the others.
fn first<T>(mut all: Vec<T>) -> (Vec<T>, usize) {
    let more = all.len().saturating_sub(MAX_ROWS);
    all.truncate(MAX_ROWS);
    (all, more)
}

/// Keys that code uses and the template lacks.
fn used_keys(keys: &[KeyRow], more: usize) -> Option<Task> {
    let example = keys.first()?;
    Some(Task {
        severity: Severity::Error,
        what: "Keys that source code uses and the template lacks".to_owned(),
        count: keys.len() + more,
        list: "#used-keys".to_owned(),
        example: example.key.clone(),
        href: (example.href.clone()).unwrap_or_else(|| "#used-keys".to_owned()),
        owner: example.removed.as_ref().map(|commit| commit.name.clone()),
    })
}

/// The texts that were set back within a year before the newest change.
fn restored<'a>(
    request: &PageRequest<'a>,
    slug: &str,
    views: &[TranslationView<'_>],
) -> Vec<RestoredText<'a>> {
    let newest = last_time(views.iter().copied()).unwrap_or_default();
    let since = Timestamp(newest.0.saturating_sub(365 * Timestamp::DAY));
    let components = request.snapshot.components_of(slug);
    let found = components.flat_map(|of| {
        let all = restored_texts(request.snapshot, of, since, request.budget);
        // Sources have no translation to lose.
        all.into_iter()
            .filter(|text| *text.unit.translation.language.code != *of.project.source_language)
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|text| std::cmp::Reverse(text.restored.entry.time));
    found
}

fn restored_task(request: &PageRequest<'_>, texts: &[RestoredText<'_>]) -> Option<Task> {
    let cases = Cases {
        count: texts.len(),
        first: texts.first().map(|text| text.unit),
    };
    let what = "Texts of others that a commit set back to older ones";
    let list = "#restored".to_owned();
    task(request, Severity::Warning, what, cases, list)
}

/// Components that are not up to date or lack files, and files that are not read or not completely.
fn files(request: &PageRequest<'_>, slug: &str) -> Vec<Task> {
    let mut tasks = Vec::new();
    let failures = request.snapshot.failures().iter();
    let failures = failures.filter_map(|(path, reason)| Some((path.split_once('/')?, reason)));
    let failed: Vec<_> = failures.filter(|((of, _), _)| *of == slug).collect();
    if let Some(((_, component), reason)) = failed.first() {
        tasks.push(Task {
            severity: Severity::Error,
            what: "Components that are not up to date, or lack files".to_owned(),
            count: failed.len(),
            list: request.link(paths::PROJECT, &[slug]),
            example: LocalizedText::name(format!("{component}: {reason}")),
            href: request.link(paths::PROJECT, &[slug]),
            owner: None,
        });
    }
    let others = "Files that are gone or not read completely, unknown names in acknowledgements";
    for (is_broken, severity, what) in [
        (true, Severity::Error, "Files that do not parse"),
        (false, Severity::Warning, others),
    ] {
        let problems = request.snapshot.components_of(slug).flat_map(|of| {
            let problems = problems_of(request.snapshot, of);
            let problems = problems.filter(move |problem| problem.broken == is_broken);
            problems.map(move |problem| (of, problem))
        });
        let problems: Vec<_> = problems.collect();
        if let Some((component, problem)) = problems.first() {
            let page = request.component(component);
            let views = component.views();
            let own = views.filter(|view| *view.translation.path == *problem.path);
            tasks.push(Task {
                severity,
                what: what.to_owned(),
                count: problems.len(),
                list: page.clone() + "#problems",
                example: LocalizedText::name(format!("{}: {}", problem.path, problem.reason)),
                href: page,
                owner: last_change(request, own).and_then(|last| last.author),
            });
        }
    }
    tasks
}

/// Texts that fail a check, by check.
fn checks(request: &PageRequest<'_>, slug: &str, views: &[TranslationView<'_>]) -> Vec<Task> {
    let mut by_check: BTreeMap<CheckId, Cases<'_>> = BTreeMap::new();
    for view in views {
        let rows = view.check_results(request.budget).rows().iter();
        for (row, failing) in rows.take_while(|_| request.budget.spend(1)) {
            for check in failing.iter() {
                let cases = by_check.entry(check).or_default();
                cases.add(|| view.unit(*row));
            }
        }
    }
    let tasks = by_check.into_iter().filter_map(|(check, cases)| {
        let list = [&*request.link(paths::CHECK, &[check.id()]), slug, "/"].concat();
        task(request, check.severity(), check.name(), cases, list)
    });
    tasks.collect()
}

/// Strings that fail a check in many languages: their source probably has a fault.
fn sources(request: &PageRequest<'_>, views: &[TranslationView<'_>]) -> Option<Task> {
    let mut languages: SeededMap<ComponentId, usize> = SeededMap::default();
    let mut failing: SeededMap<(ComponentId, u32), Cases<'_>> = SeededMap::default();
    for view in views {
        let of = view.component.component.id;
        *languages.entry(of).or_default() += 1;
        let rows = view.check_results(request.budget).rows().iter();
        for (row, _) in rows.take_while(|_| request.budget.spend(1)) {
            let string = view.translation.string_of(*row);
            let cases = failing.entry((of, string)).or_default();
            cases.add(|| view.unit(*row));
        }
    }
    let is_wrong = |((of, _), cases): &((ComponentId, u32), Cases<'_>)| {
        let all = languages.get(of).copied().unwrap_or_default();
        cases.count >= COMMON.max(all.div_ceil(2))
    };
    let mut wrong: Vec<_> = failing.into_iter().filter(is_wrong).collect();
    wrong.sort_by_key(|(string, cases)| (std::cmp::Reverse(cases.count), *string));
    let count = wrong.len();
    let unit = wrong.first()?.1.first?;
    let list = request.component(unit.component);
    let cases = Cases {
        count,
        first: Some(unit),
    };
    let what = "Sources whose translations mostly fail a check";
    task(request, Severity::Warning, what, cases, list)
}

/// Stale texts by the time for which they are stale. Drafts are not stale.
fn stale(request: &PageRequest<'_>, slug: &str, views: &[TranslationView<'_>]) -> Vec<Task> {
    let newest = last_time(views.iter().copied()).unwrap_or_default();
    let mut by_age = [Cases::default(), Cases::default(), Cases::default()];
    for view in views {
        let rows = view.translation.stale.iter();
        let units = rows.filter_map(|(row, _)| view.unit(*row));
        for unit in units.filter(|unit| !unit.is_draft()) {
            let since = unit.state_since(request.budget);
            let days = since.map_or(0, |since| (newest.0 - since.0) / Timestamp::DAY);
            let age = match days {
                365.. => 0,
                31.. => 1,
                _ => 2,
            };
            if let Some(cases) = by_age.get_mut(age) {
                cases.add(|| Some(unit));
            }
        }
    }
    let list = if request.layout.has_server() {
        request.link(paths::SEARCH, &[]) + "?q=state:stale&project=" + slug
    } else {
        request.link(paths::PROJECT, &[slug])
    };
    let recent = "Stale for less than a month, or of unknown age";
    let kinds = [
        (Severity::Warning, "Stale for more than a year"),
        (Severity::Note, "Stale for more than a month"),
        (Severity::Note, recent),
    ];
    let tasks = kinds.into_iter().zip(by_age);
    tasks
        .filter_map(|((severity, what), cases)| task(request, severity, what, cases, list.clone()))
        .collect()
}

fn is_document(view: &TranslationView<'_>) -> bool {
    view.component.component.file_format == FileFormat::Document
}

/// Documents that record a date of their source which has no effect.
fn dates(request: &PageRequest<'_>, views: &[TranslationView<'_>]) -> Option<Task> {
    let mut cases = Cases::default();
    let documents = views.iter().filter(|view| is_document(view));
    for unit in documents.flat_map(|view| view.units_from(0)) {
        // Only front matter is read.
        if !request.budget.spend(4) {
            break;
        }
        if let Some(recorded) = RecordedSource::of(unit, request.budget)
            && let RecordedValue::Date(_, Some(_)) = recorded.value
        {
            cases.add(|| Some(unit));
        }
    }
    let list = request.component(cases.first?.component);
    let what = "Documents whose recorded date of the source has no effect";
    task(request, Severity::Warning, what, cases, list)
}

/// Documents with faults, a task for each component and severity.
fn documents(request: &PageRequest<'_>, slug: &str) -> Vec<Task> {
    let mut tasks: BTreeMap<(String, Severity), Cases<'_>> = BTreeMap::new();
    let all = translations_of_project(request, slug);
    for view in all.filter(is_document) {
        let names = [slug, view.component.component.slug.as_str()];
        let list = request.link(paths::DOCUMENTS, &names);
        for unit in view.units_from(0).take_while(|_| request.budget.spend(1)) {
            if let Some(fault) = request.worst_fault(unit) {
                let cases = tasks.entry((list.clone(), fault)).or_default();
                cases.add(|| Some(unit));
            }
        }
    }
    let tasks = tasks.into_iter().filter_map(|((list, severity), cases)| {
        let what = match severity {
            Severity::Error => "Documents with an error",
            _ => "Documents with a warning",
        };
        let has_server = request.layout.has_server();
        let query = if has_server { "?state=faulty" } else { "" };
        task(request, severity, what, cases, list + query)
    });
    tasks.collect()
}

/// Languages that are not ready for a release and have no change for a time.
fn inactive(request: &PageRequest<'_>, slug: &str, views: &[TranslationView<'_>]) -> Option<Task> {
    let newest = last_time(views.iter().copied());
    let languages = group_by_language(views.iter().copied()).into_iter();
    let mut quiet = languages.filter(|(_, views)| {
        !is_ready(views) && is_inactive(last_time(views.iter().copied()), newest)
    });
    let (language, own) = quiet.next()?;
    let last = last_change(request, own);
    let day = last.as_ref().map(|last| last.time.day());
    let since = day.map(|day| format!(", last change on {day}"));
    Some(Task {
        severity: Severity::Note,
        what: "Languages without a change for a year".to_owned(),
        count: 1 + quiet.count(),
        list: request.link(paths::PROJECT, &[slug]) + "#languages",
        example: LocalizedText::name(language.display_name() + &since.unwrap_or_default()),
        href: request.language_in(language, slug),
        owner: last.and_then(|last| last.author),
    })
}

/// A task about strings; `None` without cases.
fn task(
    request: &PageRequest<'_>,
    severity: Severity,
    what: &str,
    cases: Cases<'_>,
    list: String,
) -> Option<Task> {
    let unit = cases.first?;
    let language = unit.translation.language.display_name();
    Some(Task {
        severity,
        what: what.to_owned(),
        count: cases.count,
        list,
        example: LocalizedText::name(format!("{} in {language}", unit.name())),
        href: request.unit_or_list(unit),
        owner: author(request, unit),
    })
}

/// Who wrote the text of a unit, if that is among the newest changes of its translation.
fn author(request: &PageRequest<'_>, unit: UnitView<'_>) -> Option<LocalizedText> {
    let log = request.snapshot.changes_of_translation(unit.of());
    let newest = (log.len().saturating_sub(MAX_READ)..log.len()).rev();
    let newest = newest.take_while(|_| request.budget.spend(1));
    let own = newest.filter_map(|at| log.get(at)).find(|view| {
        view.entry.action.is_about_text()
            && !view.entry.moved
            && view.string() == Some(unit.string())
    })?;
    request.snapshot.user(UserId(own.user()?)).map(name_of)
}
