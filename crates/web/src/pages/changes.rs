//! `/changes/`: the change log, newest first, with filters by project, component, language, user and action
//! (docs/spec/pages.md#changes).

use askama::Template;

use crate::aggregates::breadcrumbs_to_projects;
use crate::parts::{Breadcrumbs, EntryScope, EntryView, EntryViews, LocalizedText, Pager, plain};
use crate::paths;
use crate::{PageLayout, PageRequest, render_list};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ChangeView, LogView, Snapshot, User};
use gitglot_model::privacy::name;
use gitglot_model::{Action, UserId};

const PAGE_SIZE: usize = 30;

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
    /// The value of the user filter, and the user if there is one.
    username: &'a str,
    user: Option<&'a User>,
    count: usize,
    is_filtered: bool,
    changes: Vec<EntryView>,
    pager: Pager,
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
        request
            .snapshot
            .projects()
            .map(|it| Self::new(it.slug.as_str(), &it.name, selected))
            .collect()
    }

    pub(super) fn languages(request: &PageRequest<'_>, selected: Option<&str>) -> Vec<Self> {
        let languages = request.snapshot.languages().iter();
        languages
            .map(|it| Self::new(&it.code, &it.display_name(), selected))
            .collect()
    }

    fn actions(selected: Option<&str>) -> Vec<Self> {
        let option =
            |action: Action| Self::new(&action.code().to_string(), action.label(), selected);
        Action::ALL.into_iter().map(option).collect()
    }
}

/// The filters of a request. Unknown values match nothing.
struct LogFilter<'a> {
    project: Option<&'a str>,
    component: Option<&'a str>,
    language: Option<&'a str>,
    action: Option<&'a str>,
    /// `Some(None)` for an unknown user.
    user: Option<Option<UserId>>,
}

pub(crate) fn page(request: &PageRequest<'_>) -> String {
    let snapshot = request.snapshot;
    let username = request.value("user");
    let user = username.and_then(|wanted| {
        snapshot
            .users()
            .iter()
            .find(|user| *user.username == *wanted)
    });
    let filter = LogFilter::new(request, username.map(|_| user.map(|user| user.id)));
    let log = filter.log(request);
    let matches = log.filter(|log| filter.is_selective(*log)).map(|log| {
        request.selected(&filter.name(), || {
            filter.matches(snapshot, log, request.budget)
        })
    });
    let count = matches
        .as_ref()
        .map_or(log.map_or(0, |log| log.len()), |matches| matches.len());
    let newest = |rank: usize| {
        let index = count.checked_sub(rank + 1)?;
        log?.get(matches.as_ref().map_or(Some(index), |matches| {
            matches.get(index).map(|at| *at as usize)
        })?)
    };
    let pager = Pager::new(request, count, PAGE_SIZE);
    let shown = pager.entries.clone().filter_map(newest);
    let changes = EntryViews::new(request, EntryScope::All).of(shown);
    // Only the first page of a whole log announces new changes.
    let scope: Vec<&str> = [filter.project, filter.component, filter.language]
        .into_iter()
        .map_while(|it| it)
        .collect();
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
        username: username.unwrap_or_default(),
        user,
        count,
        is_filtered: request
            .query
            .iter()
            .any(|(name, value)| name != "page" && !value.is_empty()),
        changes,
        pager,
    })
}

/// The longest log whose texts that moved are left out of the list of everything, which has to work for any log.
const MAX_SEARCHED: usize = 1_000_000;

impl<'f> LogFilter<'f> {
    fn new(request: &'f PageRequest<'_>, user: Option<Option<UserId>>) -> Self {
        Self {
            project: request.value("project"),
            component: request.value("component"),
            language: request.value("lang"),
            action: request.value("action"),
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
            (Some(project), Some(component), Some(language)) => snapshot
                .translation(project, component, language)
                .map(|view| snapshot.changes_of_translation(view)),
            (Some(project), Some(component), None) => snapshot
                .component(project, component)
                .map(|of| snapshot.changes_of_component(of)),
        }
    }

    /// Whether the log has no other entries than those that match.
    fn is_whole(&self) -> bool {
        let is_translation_log = self.project.is_some() && self.component.is_some();
        let has_language = self.language.is_some() && !is_translation_log;
        let has_component = self.component.is_some() && self.project.is_none();
        !has_language && !has_component && self.action.is_none() && self.user.is_none()
    }

    fn has_place(&self) -> bool {
        self.project.is_some() || self.component.is_some()
    }

    /// Identifies the filter and its log.
    fn name(&self) -> String {
        let place = (self.project, self.component, self.language);
        format!("/changes/{:?}", (place, self.action, self.user))
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
            .filter(|_| language.is_none() && self.action.is_none() && !self.has_place());
        if let Some(user) = of_user {
            let positions = user.map(|user| snapshot.changes_of_user(user));
            let is_shown = |&at: &u32| log.get(at as usize).is_some_and(|view| !view.entry.moved);
            let positions = positions.unwrap_or_default().iter().copied();
            return positions.filter(|at| !has_moved || is_shown(at)).collect();
        }
        let action = self
            .action
            .map(|code| code.parse().ok().and_then(Action::from_code));
        let matches = |view: &ChangeView<'_>| {
            !view.entry.moved
                && action.is_none_or(|action| action == Some(view.entry.action))
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

/// The language of the translation that an entry belongs to, while it exists.
fn translation_language<'a>(view: &ChangeView<'a>) -> Option<&'a str> {
    Some(&view.translation()?.translation.language.code)
}
