//! The languages of a project by how ready they are for a release (docs/spec/pages.md#readiness).

use askama::Template;
use askama::filters::HtmlSafe;

use crate::aggregates::{group_by_language, last_time, progress_of};
use crate::parts::{
    LocalizedText, Pager, SortColumn, SortLink, Sorting, Time, group_thousands, percent_text,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{ComponentSnapshot, Statistics, TranslationView};
use gitglot_model::address::encoded;
use gitglot_model::language::Language;
use gitglot_model::{Action, Timestamp, counted};

/// Languages of a page.
const PAGE_SIZE: usize = 200;
/// A language without a change for so long before the newest one of the project is inactive.
const INACTIVE: i64 = 365 * Timestamp::DAY;
/// Newest texts of a language whose waiting time counts.
const RECENT: usize = 200;

/// The table of languages, in groups.
#[derive(Template)]
#[template(path = "pages/readiness.html")]
pub(crate) struct Readiness {
    /// Languages of all groups, and those that are ready.
    pub(crate) count: usize,
    ready: usize,
    /// What a language needs, if all components need the same.
    threshold: Option<String>,
    filter: Option<Filter>,
    groups: Vec<Group>,
    pager: Pager,
}

impl HtmlSafe for Readiness {}

/// The form that selects languages by name, and the links that sort them, for pages of a server.
struct Filter {
    /// The URL that redirects to a revision.
    revisions: String,
    name: String,
    sorting: Sorting,
    columns: Vec<SortLink>,
}

struct Group {
    name: &'static str,
    rows: Vec<Row>,
}

struct Row {
    name: LocalizedText,
    href: String,
    is_source: bool,
    progress: Statistics,
    /// The lists of strings to do and of strings that fail a check, of a project with one component.
    strings: Option<String>,
    last: Option<Time>,
    /// How long texts took lately, in days.
    wait: Option<i64>,
}

/// A language with what sorts it.
struct Candidate<'a> {
    language: &'a Language,
    views: Vec<TranslationView<'a>>,
    progress: Statistics,
    state: State,
    last: Option<Timestamp>,
    wait: Option<i64>,
}

/// The group of a language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum State {
    Ready,
    Nearly,
    InWork,
    Inactive,
    Source,
}

impl State {
    const ALL: [Self; 5] = [
        Self::Ready,
        Self::Nearly,
        Self::InWork,
        Self::Inactive,
        Self::Source,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Ready => "Ready",
            Self::Nearly => "Nearly: at most a tenth of the words is left",
            Self::InWork => "In work",
            Self::Inactive => "Inactive: no change for a year",
            Self::Source => "Source language",
        }
    }
}

const COLUMNS: [SortColumn; 9] = [
    ("Language", "name", false),
    ("Translated", "translated", true),
    ("Words left", "words", false),
    ("Stale", "stale", true),
    ("Missing", "missing", true),
    ("Failing", "failing", true),
    ("Strings", "strings", true),
    ("Usual wait", "wait", false),
    ("Last change", "changed", true),
];

impl Readiness {
    /// The languages of some components of a project.
    pub(crate) fn of<'a>(
        request: &PageRequest<'_>,
        slug: &str,
        views: impl Iterator<Item = TranslationView<'a>>,
    ) -> Self {
        let views: Vec<_> = views.collect();
        let newest = last_time(views.iter().copied());
        let languages = group_by_language(views.into_iter()).into_iter();
        let mut all: Vec<Candidate<'_>> = languages
            .map(|(language, views)| Candidate::new(request, language, views, newest))
            .collect();
        let in_state = |state| {
            all.iter()
                .filter(|candidate| candidate.state == state)
                .count()
        };
        let (count, ready) = (all.len() - in_state(State::Source), in_state(State::Ready));
        let mut thresholds = request.snapshot.components_of(slug);
        let first = thresholds.next().map(|of| of.component.needed_tenths());
        let is_common = thresholds.all(|of| Some(of.component.needed_tenths()) == first);
        let has_server = request.layout.has_server();
        let filter = has_server.then(|| Filter::of(request, slug));
        if let Some(filter) = &filter {
            filter.apply(&mut all);
        }
        all.sort_by_key(|candidate| candidate.state);
        let pager = Pager::new(request, all.len(), PAGE_SIZE);
        let is_single = request.snapshot.components_of(slug).len() == 1;
        let mut groups: Vec<Group> = Vec::new();
        let shown = all.get(pager.entries.clone()).unwrap_or_default();
        for state in State::ALL {
            let own = shown.iter().filter(|candidate| candidate.state == state);
            let rows: Vec<Row> = own
                .map(|candidate| Row::new(request, candidate, slug, is_single))
                .collect();
            if !rows.is_empty() {
                let name = state.name();
                groups.push(Group { name, rows });
            }
        }
        Self {
            count,
            ready,
            threshold: first.filter(|_| is_common).map(|tenths| match tenths {
                1000 => "all strings".to_owned(),
                _ => percent_text(tenths),
            }),
            filter,
            groups,
            pager,
        }
    }
}

impl<'a> Candidate<'a> {
    fn new(
        request: &PageRequest<'_>,
        language: &'a Language,
        views: Vec<TranslationView<'a>>,
        newest: Option<Timestamp>,
    ) -> Self {
        let progress = progress_of(request, views.iter().copied());
        let last = last_time(views.iter().copied());
        let left = progress.words_left();
        let state = match () {
            () if views.iter().all(|view| view.is_source()) => State::Source,
            () if is_ready(&views) => State::Ready,
            () if is_inactive(last, newest) => State::Inactive,
            () if left * 10 <= progress.all.words => State::Nearly,
            () => State::InWork,
        };
        let wait = match state {
            State::Source => None,
            _ => usual_wait(request, &views),
        };
        Self {
            language,
            wait,
            views,
            progress,
            state,
            last,
        }
    }
}

/// Whether each component is translated as far as its setting says.
pub(crate) fn is_ready(views: &[TranslationView<'_>]) -> bool {
    views.iter().all(|view| {
        let (counts, needed) = (view.totals(), view.component.component.needed_tenths());
        counts.translated.units * 1000 >= counts.all.units * u64::from(needed)
    })
}

/// Whether the last change is long before the newest one of the project.
pub(crate) fn is_inactive(last: Option<Timestamp>, newest: Option<Timestamp>) -> bool {
    let last = last.map_or(i64::MIN, |last| last.0);
    newest.is_some_and(|newest| last < newest.0 - INACTIVE)
}

/// How long a new string usually waited for its text, in days: the median of the newest texts whose strings are newer than
/// the language.
fn usual_wait(request: &PageRequest<'_>, views: &[TranslationView<'_>]) -> Option<i64> {
    let each = (RECENT / views.len().max(1)).max(1);
    let mut waits: Vec<i64> = Vec::new();
    for view in views {
        let log = request.snapshot.changes_of_translation(*view);
        let Some(start) = log.get(0).map(|first| first.entry.time) else {
            continue;
        };
        let entries = (log.len().saturating_sub(each)..log.len()).filter_map(|at| log.get(at));
        for entry in entries.take_while(|_| request.budget.spend(1)) {
            if entry.entry.action != Action::NewTranslation || entry.entry.moved {
                continue;
            }
            let string = entry.string();
            let source = string.and_then(|row| entry.component.sources.get(row as usize));
            let since = source.map(|source| source.since);
            if let Some(since) = since.filter(|since| *since > start) {
                waits.push((entry.entry.time.0 - since.0).max(0) / Timestamp::DAY);
            }
        }
    }
    let middle = waits.len() / 2;
    (!waits.is_empty()).then(|| *waits.select_nth_unstable(middle).1)
}

impl Row {
    fn new(request: &PageRequest<'_>, of: &Candidate<'_>, slug: &str, is_single: bool) -> Self {
        let only = of.views.first().filter(|_| is_single);
        let href = match only {
            Some(view) => request.translation(*view),
            None => request.language_in(of.language, slug),
        };
        Self {
            name: LocalizedText::name(of.language.display_name()),
            href,
            is_source: of.state == State::Source,
            progress: of.progress,
            strings: only.map(|view| request.strings(*view)),
            last: of.last.map(Time::new),
            wait: of.wait,
        }
    }

    /// How long texts took lately.
    fn waited(&self) -> String {
        match self.wait {
            None => "–".to_owned(),
            Some(0) => "same day".to_owned(),
            Some(days) if days < 730 => counted(days as usize, "day"),
            Some(days) => format!("{} years", days / 365),
        }
    }
}

impl Filter {
    fn of(request: &PageRequest<'_>, slug: &str) -> Self {
        let sorting = Sorting::of(request, &COLUMNS);
        Self {
            revisions: request.link(paths::REVISIONS, &[slug]),
            name: request.value("name").unwrap_or_default().to_owned(),
            columns: sorting.links(request),
            sorting,
        }
    }

    /// Selects the languages whose name or code contains the text, and sorts them.
    fn apply(&self, all: &mut Vec<Candidate<'_>>) {
        let name = self.name.to_lowercase();
        if !name.is_empty() {
            let contains = |text: &str| text.to_lowercase().contains(&name);
            all.retain(|candidate| {
                contains(&candidate.language.display_name()) || contains(&candidate.language.code)
            });
        }
        self.sorting.apply(all, |key, language| {
            let number = |number: u64| Some(number as i64);
            match key {
                "translated" => number(u64::from(language.progress.tenths())),
                "words" => number(language.progress.words_left()),
                "stale" => number(language.progress.fuzzy.units),
                "missing" => number(language.progress.missing().units),
                "failing" => number(language.progress.failing.units),
                "strings" => number(language.progress.all.units),
                "wait" => language.wait,
                "changed" => language.last.map(|last| last.0),
                _ => None,
            }
        });
    }
}

/// The languages that are ready in all of some components, by code with their names.
pub(crate) fn ready_languages<'a>(
    components: impl Iterator<Item = &'a ComponentSnapshot>,
) -> Vec<(&'a str, String)> {
    let views = components.flat_map(ComponentSnapshot::views);
    let languages = group_by_language(views.filter(|view| !view.is_source())).into_iter();
    let ready = languages.filter(|(_, views)| is_ready(views));
    ready
        .map(|(language, _)| (&*language.code, language.display_name()))
        .collect()
}

/// The path of the readiness of a project at a revision, which a form names; of the project without one.
pub(crate) fn at_revision(request: &PageRequest<'_>, slug: &str) -> Option<String> {
    let Some(revision) = request.value("at").filter(|at| !at.is_empty()) else {
        return Some(paths::link(paths::PROJECT, &[slug]));
    };
    let revision = encoded(revision).replace('/', "%2F");
    Some(paths::link(paths::REVISION, &[slug, &revision]))
}
