//! `/changes/`: the change log, newest first, with filters by project, component, language, user and action
//! (docs/spec/pages.md#changes).

use askama::Template;
use chrono::{NaiveDate, NaiveTime};

use crate::aggregates::breadcrumbs_to_projects;
use crate::layout::{PageLayout, render_list};
use crate::parts::activity::{is_about_file, summary};
use crate::parts::{
    Breadcrumbs, EntryScope, EntryView, EntryViews, LocalizedText, Pager, SHORT_ID, Time, name_of,
    origin_label, plain,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ChangeView, LogView, Snapshot, User};
use gitglot_model::address::commit_page;
use gitglot_model::privacy::{name, without_addresses};
use gitglot_model::{Action, CommitId, Origin, Timestamp, UserId};

/// Entries of a page that has no groups.
const PAGE_SIZE: usize = 30;
/// Commits of a page.
const GROUPS: usize = 12;
/// Entries of a commit that are shown with it.
const SHOWN: usize = 3;

#[derive(Template)]
#[template(path = "pages/changes.html")]
struct ChangesPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    path: String,
    projects: Vec<SelectOption>,
    components: Vec<SelectOption>,
    languages: Vec<SelectOption>,
    actions: Vec<SelectOption>,
    origins: Vec<SelectOption>,
    /// The value of the user filter, and the user if there is one.
    username: &'a str,
    user: Option<&'a User>,
    count: usize,
    is_filtered: bool,
    /// The filter by time and by commit.
    from: &'a str,
    to: &'a str,
    days: Vec<Day>,
    pager: Pager,
}

/// The commits of a day, newest first.
struct Day {
    day: String,
    groups: Vec<Group>,
}

/// The entries of a commit that match.
struct Group {
    summary: String,
    author: Option<LocalizedText>,
    /// The address of the commit at the host of its repository.
    href: Option<String>,
    id: String,
    subject: LocalizedText,
    entries: Vec<EntryView>,
    /// Entries that are not shown, and their list.
    more: usize,
    list: Option<String>,
}

/// An option of a `<select>` element.
pub(super) struct SelectOption {
    pub(super) value: String,
    pub(super) name: String,
    pub(super) chosen: bool,
}

impl SelectOption {
    fn new(value: &str, name: &str, selected: Option<&str>) -> Self {
        Self {
            value: value.to_owned(),
            name: plain(name),
            chosen: selected == Some(value),
        }
    }

    pub(super) fn projects(request: &PageRequest<'_>, selected: Option<&str>) -> Vec<Self> {
        let projects = request.snapshot.projects();
        projects
            .map(|project| Self::new(project.slug.as_str(), &project.name, selected))
            .collect()
    }

    pub(super) fn languages(request: &PageRequest<'_>, selected: Option<&str>) -> Vec<Self> {
        let languages = request.snapshot.languages().iter();
        languages
            .map(|language| Self::new(&language.code, &language.display_name(), selected))
            .collect()
    }

    fn actions(selected: Option<&str>) -> Vec<Self> {
        let option =
            |action: Action| Self::new(&action.code().to_string(), action.label(), selected);
        Action::ALL.into_iter().map(option).collect()
    }

    fn origins(selected: Option<&str>) -> Vec<Self> {
        let option = |origin: Origin| Self::new(origin.name(), origin_label(origin), selected);
        Origin::ALL.into_iter().map(option).collect()
    }
}

/// The filters of a request. Unknown values match nothing.
struct LogFilter<'a> {
    project: Option<&'a str>,
    component: Option<&'a str>,
    language: Option<&'a str>,
    action: Option<&'a str>,
    /// Who wrote a text.
    origin: Option<&'a str>,
    /// The id of a commit.
    commit: Option<&'a str>,
    /// The first and the last day.
    from: Option<&'a str>,
    to: Option<&'a str>,
    /// `Some(None)` for an unknown user.
    user: Option<Option<UserId>>,
}

pub(crate) fn page(request: &PageRequest<'_>) -> String {
    let snapshot = request.snapshot;
    let username = request.value("user");
    let mut users = snapshot.users().iter();
    let user = username.and_then(|wanted| users.find(|user| *user.username == *wanted));
    let filter = LogFilter::new(request, username.map(|_| user.map(|user| user.id)));
    let log = filter.log(request);
    let matches = log.filter(|log| filter.is_selective(*log)).map(|log| {
        let find = || filter.matches(snapshot, log, request.budget);
        request.selected(&filter.name(), find)
    });
    let all = log.map_or(0, |log| log.len());
    let count = matches.as_ref().map_or(all, |matches| matches.len());
    let position = |index: usize| match &matches {
        Some(matches) => matches.get(index).map(|at| *at as usize),
        None => Some(index),
    };
    let change = |index: usize| log?.get(position(index)?);
    let groups = filter.has_groups(log).then(|| {
        let read = || starts(count, change, request.budget);
        request.selected(&(filter.name() + " commits"), read)
    });
    let pager = match &groups {
        Some(starts) => Pager::new(request, starts.len(), GROUPS),
        None => Pager::new(request, count, PAGE_SIZE),
    };
    let ranges = pager.entries.clone().filter_map(|rank| match &groups {
        Some(starts) => {
            let at = starts.len().checked_sub(rank + 1)?;
            let end = starts.get(at + 1).map_or(count, |end| *end as usize);
            Some(*starts.get(at)? as usize..end)
        }
        None => count.checked_sub(rank + 1).map(|at| at..at + 1),
    });
    let mut days: Vec<Day> = Vec::new();
    for range in ranges {
        let changes = range.rev().filter_map(change);
        let changes: Vec<ChangeView<'_>> =
            changes.take_while(|_| request.budget.spend(1)).collect();
        let Some(first) = changes.first() else {
            continue;
        };
        let day = Time::new(first.entry.time).day().to_owned();
        let is_whole = filter.commit.is_some() || groups.is_none();
        let group = Group::new(request, &changes, is_whole);
        match days.last_mut().filter(|last| last.day == day) {
            Some(last) => last.groups.push(group),
            None => days.push(Day {
                day,
                groups: vec![group],
            }),
        }
    }
    // Only the first page of a whole log announces new changes.
    let scope = [filter.project, filter.component, filter.language];
    let scope: Vec<&str> = scope.into_iter().map_while(|name| name).collect();
    let is_live = filter.is_whole() && pager.entries.start == 0;
    // Without a server there is no form.
    let has_form = request.layout.has_server();
    let options = |list: &dyn Fn() -> Vec<SelectOption>| if has_form { list() } else { Vec::new() };
    render_list(&ChangesPage {
        layout: if is_live {
            request.subscribed_layout(&scope)
        } else {
            request.layout.clone()
        },
        breadcrumbs: breadcrumbs_to_projects(request),
        path: request.link(paths::CHANGES, &[]),
        projects: options(&|| SelectOption::projects(request, filter.project)),
        components: options(&|| filter.components(request)),
        languages: options(&|| SelectOption::languages(request, filter.language)),
        actions: options(&|| SelectOption::actions(filter.action)),
        origins: options(&|| SelectOption::origins(filter.origin)),
        username: username.unwrap_or_default(),
        user,
        count,
        is_filtered: (request.query.iter())
            .any(|(name, value)| name != "page" && !value.is_empty()),
        from: filter.from.unwrap_or_default(),
        to: filter.to.unwrap_or_default(),
        days,
        pager,
    })
}

/// The indexes at which a commit begins.
fn starts<'a>(
    count: usize,
    change: impl Fn(usize) -> Option<ChangeView<'a>>,
    budget: &Budget,
) -> Vec<u32> {
    let mut last = None;
    let begins = |at: &usize| {
        let commit = change(*at).and_then(|view| Some(view.commit()?.id));
        last.replace(commit) != Some(commit)
    };
    let indexes = (0..count).take_while(|_| budget.spend(1));
    indexes.filter(begins).map(|at| at as u32).collect()
}

impl Group {
    /// The entries of a commit, newest first; `is_whole` if all are shown.
    fn new(request: &PageRequest<'_>, changes: &[ChangeView<'_>], is_whole: bool) -> Self {
        let first = changes.first();
        let commit = first.and_then(ChangeView::commit);
        let user = changes.iter().find_map(ChangeView::user);
        let user = user.and_then(|id| request.snapshot.user(UserId(id)));
        // The commit itself says what these say, unless they changed states.
        let says_more = |view: &&ChangeView<'_>| {
            !is_about_file(view.entry.action) || view.state_changes().next().is_some()
        };
        let telling: Vec<ChangeView<'_>> = changes.iter().filter(says_more).copied().collect();
        let most = if is_whole { telling.len() } else { SHOWN };
        let shown = telling.iter().take(most).copied();
        let mut entries = EntryViews::new(request, EntryScope::All).of(shown);
        entries.iter_mut().for_each(EntryView::in_group);
        let more = telling.len() - entries.len();
        let id = commit.map_or_else(String::new, |row| row.id.to_string());
        let href = first
            .zip(commit)
            .and_then(|(view, row)| commit_page(&view.component.component.repo, row.id));
        // Files have no lists of single commits: there, the host of the repository has the rest.
        let list = if request.layout.has_server() {
            Some(request.with("commit", &id))
        } else {
            href.clone()
        };
        let list = list.filter(|_| more > 0);
        let texts = first.map(|view| &view.component.texts);
        let subject = texts.zip(commit).map(|(texts, row)| texts.get(row.subject));
        Self {
            summary: summary(changes.iter().copied()),
            author: user.map(name_of),
            href,
            id: id.chars().take(SHORT_ID).collect(),
            subject: LocalizedText::name(without_addresses(subject.unwrap_or_default())),
            entries,
            more,
            list,
        }
    }
}

/// The longest log whose texts that moved are left out of the list of everything, which has to work for any log.
const MAX_SEARCHED: usize = 1_000_000;

impl<'f> LogFilter<'f> {
    fn new(request: &'f PageRequest<'_>, user: Option<Option<UserId>>) -> Self {
        let is_day = |day: &&str| start_of_day(day).is_some();
        let day = |name| request.value(name).filter(is_day);
        Self {
            project: request.value("project"),
            component: request.value("component"),
            language: request.value("lang"),
            action: request.value("action"),
            origin: request.value("origin"),
            commit: request.value("commit"),
            from: day("from"),
            to: day("to"),
            user,
        }
    }

    /// The components of the project.
    fn components(&self, request: &PageRequest<'_>) -> Vec<SelectOption> {
        let project = self.project.into_iter();
        let components = project.flat_map(|project| request.snapshot.components_of(project));
        components
            .map(|of| {
                let slug = of.component.slug.as_str();
                SelectOption::new(slug, &of.component.name, self.component)
            })
            .collect()
    }

    /// The smallest log that contains all matches.
    fn log<'a>(&self, request: &PageRequest<'a>) -> Option<LogView<'a>> {
        let snapshot = request.snapshot;
        match (self.project, self.component, self.language) {
            (None, _, _) => Some(snapshot.changes()),
            (Some(project), None, _) => snapshot.changes_of_project(project),
            (Some(project), Some(component), Some(language)) => {
                let view = snapshot.translation(project, component, language)?;
                Some(snapshot.changes_of_translation(view))
            }
            (Some(project), Some(component), None) => {
                Some(snapshot.changes_of_component(snapshot.component(project, component)?))
            }
        }
    }

    /// Whether the log has no other entries than those that match.
    fn is_whole(&self) -> bool {
        let is_translation_log = self.project.is_some() && self.component.is_some();
        let has_language = self.language.is_some() && !is_translation_log;
        let has_component = self.component.is_some() && self.project.is_none();
        let kinds = [self.action, self.origin, self.commit];
        let has_kind = self.user.is_some() || kinds.iter().any(Option::is_some);
        !has_language && !has_component && !has_kind && !self.has_period()
    }

    fn has_period(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    /// Whether the entries of a log are grouped by commit. A log that is too long to be searched is not, nor are the entries
    /// of one commit.
    fn has_groups(&self, log: Option<LogView<'_>>) -> bool {
        self.commit.is_none() && log.is_some_and(|log| log.len() <= MAX_SEARCHED)
    }

    fn has_place(&self) -> bool {
        self.project.is_some() || self.component.is_some()
    }

    /// Identifies the filter and its log.
    fn name(&self) -> String {
        let place = (self.project, self.component, self.language);
        let what = (self.action, self.user, self.commit, self.from, self.to);
        format!("/changes/{:?}", (place, what, self.origin))
    }

    /// Whether entries of a log with texts that moved are left out: those of renames represent them. They are listed if
    /// the log is too long to be searched.
    fn leaves_out_moved(log: LogView<'_>) -> bool {
        log.len() <= MAX_SEARCHED && log.has_renames()
    }

    /// Whether some entries of a log may not match.
    fn is_selective(&self, log: LogView<'_>) -> bool {
        !self.is_whole() || Self::leaves_out_moved(log)
    }

    /// The indexes of the matching entries in a log, ascending.
    fn matches(&self, snapshot: &Snapshot, log: LogView<'_>, budget: &Budget) -> Vec<u32> {
        let is_translation_log = self.project.is_some() && self.component.is_some();
        let language = self.language.filter(|_| !is_translation_log);
        let component = self.component.filter(|_| self.project.is_none());
        let has_moved = Self::leaves_out_moved(log);
        let of_user = self
            .user
            .filter(|_| language.is_none() && self.action.is_none() && !self.has_place())
            .filter(|_| self.commit.is_none() && !self.has_period() && self.origin.is_none());
        if let Some(user) = of_user {
            let positions = user.map(|user| snapshot.changes_of_user(user));
            let is_shown = |&at: &u32| log.get(at as usize).is_some_and(|view| !view.entry.moved);
            let positions = positions.unwrap_or_default().iter().copied();
            return positions.filter(|at| !has_moved || is_shown(at)).collect();
        }
        let action = self
            .action
            .map(|code| code.parse().ok().and_then(Action::from_code));
        let origin = self.origin.map(Origin::from_name);
        let origin_of = |view: &ChangeView<'_>| {
            let commit = view.commit().filter(|_| view.entry.action.is_about_text());
            commit.map(|row| row.origin)
        };
        let from = self.from.and_then(start_of_day);
        let end = self.to.and_then(start_of_day);
        let end = end.map(|start| Timestamp(start.0 + Timestamp::DAY));
        let commit = self.commit.map(|id| id.parse::<CommitId>().ok());
        let matches = |view: &ChangeView<'_>| {
            !view.entry.moved
                && from.is_none_or(|from| view.entry.time >= from)
                && end.is_none_or(|end| view.entry.time < end)
                && commit.is_none_or(|id| id.is_some() && view.commit().map(|row| row.id) == id)
                && action.is_none_or(|action| action == Some(view.entry.action))
                && origin.is_none_or(|origin| origin.is_some() && origin_of(view) == origin)
                && self
                    .user
                    .is_none_or(|user| user.is_some() && view.user() == user.map(|user| user.0))
                && component.is_none_or(|slug| view.component.component.slug.as_str() == slug)
                && language.is_none_or(|code| translation_language(view) == Some(code))
        };
        let indexes = (0..log.len())
            .take_while(|_| budget.spend(1))
            .filter(|&at| log.get(at).is_some_and(|view| matches(&view)));
        indexes.map(|at| at as u32).collect()
    }
}

/// The first instant of a day such as `2025-01-31`.
fn start_of_day(day: &str) -> Option<Timestamp> {
    let start = day.parse::<NaiveDate>().ok()?.and_time(NaiveTime::MIN);
    Some(Timestamp(start.and_utc().timestamp_micros()))
}

/// The language of the translation that an entry belongs to, while it exists.
fn translation_language<'a>(view: &ChangeView<'a>) -> Option<&'a str> {
    Some(&view.translation()?.translation.language.code)
}
