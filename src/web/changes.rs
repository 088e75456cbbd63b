//! `/changes/`: the log, newest entry first, with filters by project, component, language, user and action.

use askama::Template;

use super::parts::{Crumbs, Entry, Pager, Scope, Stretch, Text, plain};
use super::visit::Visit;
use super::{Look, html};
use crate::catalog::{ChangeView, Changes};
use crate::model::privacy::name;
use crate::model::{Action, UserId};

/// Entries on a page.
const SIZE: usize = 30;

#[derive(Template)]
#[template(path = "web/changes.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    own: String,
    projects: Vec<Choice>,
    components: Vec<Choice>,
    languages: Vec<Choice>,
    actions: Vec<Choice>,
    user: String,
    /// The name of the user asked for.
    who: Option<Text>,
    count: usize,
    is_filtered: bool,
    changes: Vec<Entry>,
    pager: Pager,
}

/// What a filter may be set to.
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) name: String,
    pub(super) chosen: bool,
}

impl Choice {
    fn new(value: &str, name: &str, wanted: Option<&str>) -> Self {
        Self { value: value.to_owned(), name: plain(name), chosen: wanted == Some(value) }
    }

    /// All projects.
    pub(super) fn projects(visit: &Visit<'_>, wanted: Option<&str>) -> Vec<Self> {
        visit.snapshot.projects().map(|it| Self::new(it.slug.as_str(), &it.name, wanted)).collect()
    }

    /// All languages.
    pub(super) fn languages(visit: &Visit<'_>, wanted: Option<&str>) -> Vec<Self> {
        let languages = visit.snapshot.languages().iter();
        languages.map(|it| Self::new(&it.code, &it.display_name(), wanted)).collect()
    }
}

/// Which entries are wanted. What names nothing that is there finds nothing.
struct Filter<'v> {
    project: Option<&'v str>,
    component: Option<&'v str>,
    language: Option<&'v str>,
    action: Option<&'v str>,
    /// The user's number; `None` for one whom nobody knows.
    user: Option<Option<UserId>>,
}

/// The page.
pub(super) fn page(visit: &Visit<'_>) -> String {
    let snapshot = visit.snapshot;
    let user = visit.value("user").map(|wanted| {
        let user = snapshot.users().iter().find(|user| *user.username == *wanted);
        user.map(|user| user.id)
    });
    let filter = Filter {
        project: visit.value("project"),
        component: visit.value("component"),
        language: visit.value("lang"),
        action: visit.value("action"),
        user,
    };
    let log = filter.log(visit);
    let places = log.and_then(|log| filter.places(log));
    let count = places.as_ref().map_or(log.map_or(0, |log| log.len()), Vec::len);
    // The newest comes first.
    let place = |at: usize| {
        let at = count.checked_sub(at + 1)?;
        log?.get(places.as_ref().map_or(Some(at), |places| places.get(at).map(|place| *place as usize))?)
    };
    let stretch = Stretch::new(visit, count, SIZE);
    let changes = stretch.entries.clone().filter_map(|at| Some(Entry::new(visit, place(at)?, Scope::All)));
    let components = filter.project.map(|project| snapshot.components_of(project)).into_iter().flatten();
    // Who looks at something else than the newest entries of a place is not told of new ones.
    let scope: Vec<&str> = [filter.project, filter.component, filter.language].into_iter().map_while(|it| it).collect();
    let narrow = places.is_some();
    let who = user.flatten().and_then(|user| snapshot.user(user));
    html(&Page {
        look: if narrow || stretch.entries.start > 0 { visit.look().clone() } else { visit.live_look(&scope) },
        crumbs: Crumbs::default().below("Projects", visit.path(&["/"])),
        own: visit.path(&["/changes/"]),
        projects: Choice::projects(visit, filter.project),
        components: components
            .map(|of| Choice::new(of.component.slug.as_str(), &of.component.name, filter.component))
            .collect(),
        languages: Choice::languages(visit, filter.language),
        actions: Action::ALL
            .into_iter()
            .map(|action| Choice::new(&action.code().to_string(), action.label(), filter.action))
            .collect(),
        user: visit.value("user").unwrap_or_default().to_owned(),
        who: who.map(|user| Text::name(&name(&user.full_name))),
        count,
        is_filtered: visit.query.iter().any(|(name, value)| name != "page" && !value.is_empty()),
        changes: changes.collect(),
        pager: Pager::new(visit, &stretch),
    })
}

impl Filter<'_> {
    /// The smallest log that holds all that is wanted.
    fn log<'a>(&self, visit: &Visit<'a>) -> Option<Changes<'a>> {
        let snapshot = visit.snapshot;
        match (self.project, self.component, self.language) {
            (None, _, _) => Some(snapshot.changes()),
            (Some(project), None, _) => snapshot.changes_of_project(project),
            (Some(project), Some(component), Some(language)) => {
                snapshot.translation(project, component, language).map(|view| snapshot.changes_of_translation(view))
            }
            (Some(project), Some(component), None) => {
                snapshot.component(project, component).map(|of| snapshot.changes_of_component(of))
            }
        }
    }

    /// The places of the wanted entries in a log, oldest first; `None` when all are.
    fn places(&self, log: Changes<'_>) -> Option<Vec<u32>> {
        let in_log = self.project.is_some() && self.component.is_some();
        let by_language = self.language.is_some() && !in_log;
        let by_component = self.component.is_some() && self.project.is_none();
        if !by_language && !by_component && self.action.is_none() && self.user.is_none() {
            return None;
        }
        let action = self.action.map(|code| code.parse().ok().and_then(Action::from_code));
        let language = self.language.filter(|_| by_language);
        let component = self.component.filter(|_| by_component);
        let wanted = |view: &ChangeView<'_>| {
            action.is_none_or(|action| action == Some(view.entry.action))
                && self.user.is_none_or(|user| user.is_some() && view.user() == user.map(|user| user.0))
                && component.is_none_or(|slug| view.component.component.slug.as_str() == slug)
                && language.is_none_or(|code| code_of(view) == Some(code))
        };
        let places = (0..log.len()).filter(|&at| log.get(at).is_some_and(|view| wanted(&view)));
        Some(places.map(|at| at as u32).collect())
    }
}

/// The language of an entry, as far as it is still there.
fn code_of<'a>(view: &ChangeView<'a>) -> Option<&'a str> {
    let translation = view.component.translations.get(view.translation()? as usize)?;
    Some(&translation.language.code)
}
