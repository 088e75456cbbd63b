//! The work on a component: its time, its people and what is left (docs/spec/pages.md#work-on-a-component).

use askama::Template;
use askama::filters::HtmlSafe;

use super::{LocalizedText, Time, group_thousands, person};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{ComponentSnapshot, Count, Statistics, TranslationView};
use gitglot_model::{SeededMap, Timestamp, UserId, counted};

/// People that are named.
const MAX_PEOPLE: usize = 5;

#[derive(Template)]
#[template(path = "parts/work.html")]
pub(crate) struct ComponentWork {
    /// The number of commits in the change log, and the times of the first and the last one.
    commits: usize,
    first: Time,
    last: Time,
    /// A period and who changed most texts in it.
    people: Vec<(&'static str, Vec<Person>)>,
    contributors: String,
    /// What is left, and how much of it.
    left: Vec<(&'static str, Count)>,
}

struct Person {
    name: LocalizedText,
    href: String,
    texts: usize,
}

impl HtmlSafe for ComponentWork {}

impl ComponentWork {
    /// `None` if the change log has no commit. `sums` are those of the translations.
    pub(crate) fn of<'a>(
        request: &PageRequest<'_>,
        component: &'a ComponentSnapshot,
        views: impl Iterator<Item = TranslationView<'a>>,
        sums: &Statistics,
    ) -> Option<Self> {
        let commits = &component.log.commits;
        let times = || commits.iter().map(|commit| commit.committed.seconds);
        let (first, last) = (times().min()?, times().max()?);
        let drafts = views.flat_map(|view| {
            let rows = view.translation.stale.iter();
            rows.filter_map(move |(row, _)| view.unit(*row))
        });
        let drafts = drafts.take_while(|_| request.budget.spend(1));
        let drafts = drafts.filter(|unit| unit.is_draft());
        let drafts: Count = drafts.map(|unit| Count::one(unit.source.words)).sum();
        let left = [
            ("without a translation", sums.missing()),
            ("stale", sums.fuzzy - drafts),
            ("drafts", drafts),
        ];
        Some(Self {
            commits: component.log.commits.len(),
            first: Time::new(Timestamp::from_seconds(first)),
            last: Time::new(Timestamp::from_seconds(last)),
            people: people(request, component),
            contributors: request.link(paths::STATS, &[component.project.slug.as_str()])
                + "?show=people",
            left: left.into_iter().filter(|(_, of)| of.units > 0).collect(),
        })
    }
}

/// Who changed most texts in the year before the newest change, and in all. A text that moved with its key is no work.
fn people(
    request: &PageRequest<'_>,
    component: &ComponentSnapshot,
) -> Vec<(&'static str, Vec<Person>)> {
    let newest = component.log.len().checked_sub(1);
    let newest = newest.and_then(|at| component.log.get(at));
    let since = newest.map_or(0, |entry| entry.time.0 - 365 * Timestamp::DAY);
    let mut counts: SeededMap<UserId, [usize; 2]> = SeededMap::default();
    let log = request.snapshot.changes_of_component(component);
    for change in log.iter().take_while(|_| request.budget.spend(1)) {
        let is_work = change.entry.action.writes_text() && !change.entry.moved;
        if let Some(user) = change.user().filter(|_| is_work) {
            let [recent, all] = counts.entry(UserId(user)).or_default();
            *recent += usize::from(change.entry.time.0 >= since);
            *all += 1;
        }
    }
    let periods = ["in the last year", "in all"].into_iter().enumerate();
    let top = periods.map(|(at, period)| {
        let counts = counts.iter().map(|(user, counts)| (counts[at], *user));
        let mut of: Vec<_> = counts.filter(|(count, _)| *count > 0).collect();
        of.sort_unstable_by_key(|&(count, user)| (std::cmp::Reverse(count), user));
        let people = of.into_iter().take(MAX_PEOPLE).filter_map(|(texts, id)| {
            let (name, href) = person(request, id)?;
            Some(Person { name, href, texts })
        });
        (period, people.collect::<Vec<_>>())
    });
    top.filter(|(_, people)| !people.is_empty()).collect()
}
