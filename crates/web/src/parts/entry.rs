//! Entries of the change log on pages.

use std::rc::Rc;
use std::sync::Arc;

use askama::Template;
use askama::filters::HtmlSafe;

use super::{LONG, LangAttrs, LocalizedText, SHORT, Time, difference, person};
use crate::layout::render;
use crate::request::PageRequest;
use gitglot_catalog::{ChangeView, ComponentSnapshot, LogView, UnitView};
use gitglot_model::address::commit_page;
use gitglot_model::privacy::without_addresses;
use gitglot_model::{Action, CommitRow, ComponentId, LineageId, Origin, Timestamp, UserId};

/// Digits of a commit id shown.
pub(crate) const SHORT_ID: usize = 7;
/// Newest entries of a log that are read for a short list.
const MAX_READ: usize = 10_000;

/// The subject of a page. Entries on it do not repeat the names of the subject.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EntryScope {
    All,
    Project,
    Component,
    Translation,
    Unit,
}

/// An entry of the change log.
#[derive(Template)]
#[template(path = "parts/entry.html")]
pub(crate) struct EntryView {
    time: Rc<str>,
    action: &'static str,
    /// What the entry says of states.
    states: Option<String>,
    /// The older key of an entry that renames its string.
    renamed_from: Option<LocalizedText>,
    /// The component that had the string, if it is a different one.
    moved_from: Option<LocalizedText>,
    /// Where the change happened, outermost first, with links.
    location: Rc<Location>,
    /// The string, with a link if it still exists.
    string: Option<Step>,
    author: Option<Rc<str>>,
    /// The source of a translation, in lists.
    source: Option<LocalizedText>,
    /// How the text changed.
    text: Option<Arc<str>>,
    commit: Option<Rc<str>>,
}

impl HtmlSafe for EntryView {}

impl EntryView {
    /// The bytes of what [`Self::shorten`] leaves out.
    pub(crate) fn details_len(&self) -> usize {
        let parts = [self.author.as_deref(), self.text.as_deref()];
        let parts = parts.into_iter().chain([self.commit.as_deref()]);
        parts.flatten().map(str::len).sum::<usize>() + self.location.steps.len()
    }

    /// Leaves out what the commit of a group says.
    pub(crate) fn in_group(&mut self) {
        self.time = "".into();
        (self.author, self.commit) = (None, None);
    }

    /// Leaves only the time and the action.
    pub(crate) fn shorten(&mut self) {
        self.location = Rc::new(Location {
            steps: String::new(),
            attrs: LangAttrs::UNKNOWN,
        });
        (self.author, self.text, self.commit) = (None, None, None);
    }
}

#[derive(Template)]
#[template(
    ext = "html",
    source = " <span class=\"quiet\">by</span> <a href=\"{{ href }}\">{{ name }}</a>{% if let Some(origin) = origin %} <span class=\"quiet\">({{ origin }})</span>{% endif %}"
)]
struct EntryAuthor {
    name: LocalizedText,
    href: String,
    /// Who wrote the text, if it is not a person.
    origin: Option<&'static str>,
}

#[derive(Template)]
#[template(
    ext = "html",
    source = "<p class=\"commit\">{% if let Some(href) = href %}<a href=\"{{ href }}\" rel=\"nofollow\"><code>{{ short_id }}</code></a>{% else %}<code>{{ short_id }}</code>{% endif %} {{ subject }}</p>"
)]
struct EntryCommit {
    short_id: String,
    href: Option<String>,
    subject: LocalizedText,
}

/// A part of the location of a change.
#[derive(Template)]
#[template(
    ext = "html",
    source = " <span class=\"quiet\">{{ sign }}</span> {% if let Some(href) = href %}<a href=\"{{ href }}\">{{ name }}</a>{% else %}{{ name }}{% endif %}"
)]
struct Step {
    sign: &'static str,
    name: LocalizedText,
    href: Option<String>,
}

impl HtmlSafe for Step {}

/// The location of changes without their strings, and the language of the texts.
struct Location {
    steps: String,
    attrs: LangAttrs,
}

/// The newest entries of a log, newest first: ten on the page of a translation, five on others.
pub(crate) fn entries(
    request: &PageRequest<'_>,
    log: LogView<'_>,
    scope: EntryScope,
) -> Vec<EntryView> {
    let most = match scope {
        EntryScope::Translation => 10,
        _ => 5,
    };
    // Moved texts are not listed, so that more entries than those listed are read.
    let from = log.len().saturating_sub(MAX_READ);
    let shown = (from..log.len())
        .rev()
        .filter_map(|at| log.get(at).filter(|view| !view.entry.moved));
    EntryViews::new(request, scope).of(shown.take(most))
}

/// Builds entries for a page of a scope. Consecutive entries often have the same commit, author and translation, which are
/// rendered once.
pub(crate) struct EntryViews<'r, 'a> {
    request: &'r PageRequest<'a>,
    scope: EntryScope,
    time: Last<Timestamp, Rc<str>>,
    location: Last<(ComponentId, Option<LineageId>), Rc<Location>>,
    author: Last<(u32, Option<Origin>), Option<Rc<str>>>,
    commit: Last<(ComponentId, u32), Option<Rc<str>>>,
}

/// The last value that was made, and what it was made of.
struct Last<K, V>(Option<(K, V)>);

impl<K: PartialEq, V: Clone> Last<K, V> {
    fn get(&mut self, of: K, make: impl FnOnce() -> V) -> V {
        match &self.0 {
            Some((known, value)) if *known == of => value.clone(),
            _ => {
                let value = make();
                self.0 = Some((of, value.clone()));
                value
            }
        }
    }
}

impl<'r, 'a> EntryViews<'r, 'a> {
    /// For a page of this scope.
    pub(crate) fn new(request: &'r PageRequest<'a>, scope: EntryScope) -> Self {
        Self {
            request,
            scope,
            time: Last(None),
            location: Last(None),
            author: Last(None),
            commit: Last(None),
        }
    }

    /// The entries of some changes.
    pub(crate) fn of<'c>(
        mut self,
        changes: impl IntoIterator<Item = ChangeView<'c>>,
    ) -> Vec<EntryView> {
        let changes = changes.into_iter();
        changes.map(|change| self.entry(change)).collect()
    }

    fn entry(&mut self, view: ChangeView<'_>) -> EntryView {
        let (request, scope) = (self.request, self.scope);
        let (component, entry) = (view.component, &view.entry);
        let of = component.component.id;
        let texts = &component.texts;
        let (old, new) = (texts.get(entry.previous), texts.get(entry.target));
        let location = self.location.get((of, entry.lineage), || {
            Rc::new(location(request, view, scope))
        });
        let attrs = &location.attrs;
        let is_list = scope < EntryScope::Unit;
        let is_short = old.len() <= SHORT && new.len() <= SHORT;
        let most = if is_list { SHORT } else { LONG };
        let compare = || difference(attrs, old, new, most).into();
        // Short texts look the same on all pages. The changes of states of an entry have its index.
        let is_shared = (is_list || is_short) && entry.action != Action::ChangedState;
        let text = || {
            if is_shared {
                request.difference(&view, compare)
            } else {
                compare()
            }
        };
        // Such a text has no history of its own: the entry represents those that moved with it.
        let renamed_from = view.renamed_from().filter(|_| !entry.moved);
        let moved_from = view.moved_from().filter(|_| !entry.moved);
        let is_path = entry.action == Action::ParseError;
        let has_text = renamed_from.is_none() && !is_path && !(old.is_empty() && new.is_empty());
        let origin = view.commit().map(|row| row.origin);
        let origin = origin.filter(|_| entry.action.is_about_text());
        let author = view.user().and_then(|id| {
            self.author
                .get((id, origin), || author(request, id, origin))
        });
        let commit = self.commit.get((of, entry.commit), || {
            view.commit().map(|row| commit(component, row))
        });
        EntryView {
            time: (self.time).get(entry.time, || render(&Time::new(entry.time)).into()),
            action: match entry.action {
                Action::ChangedState if entry.fuzzy => "Now fuzzy",
                Action::ChangedState => "No longer fuzzy",
                action => action.label(),
            },
            states: states(view),
            renamed_from: renamed_from
                .map(|old| LocalizedText::name(old.chars().take(LONG).collect::<String>())),
            moved_from: moved_from.map(LocalizedText::name),
            author,
            string: is_list.then(|| string(request, view, &location)).flatten(),
            source: (is_list && has_text).then(|| source(view)).flatten(),
            text: has_text.then(text),
            location,
            commit,
        }
    }
}

/// The source text of a translation.
fn source(view: ChangeView<'_>) -> Option<LocalizedText> {
    let text = view.source_text().filter(|text| !text.is_empty())?;
    let attrs = LangAttrs::of_code(&view.component.project.source_language);
    let is_text = view.entry.action.is_about_text();
    is_text.then(|| LocalizedText::short(&attrs, text))
}

/// The author of entries, rendered.
fn author(request: &PageRequest<'_>, id: u32, origin: Option<Origin>) -> Option<Rc<str>> {
    let (name, href) = person(request, UserId(id))?;
    let author = EntryAuthor {
        name,
        href,
        origin: match origin {
            Some(origin @ (Origin::Platform | Origin::Machine)) => Some(origin.name()),
            _ => None,
        },
    };
    Some(render(&author).into())
}

/// The commit of entries, rendered.
fn commit(component: &ComponentSnapshot, row: &CommitRow) -> Rc<str> {
    let mut short_id = row.id.to_string();
    short_id.truncate(SHORT_ID);
    let commit = EntryCommit {
        short_id,
        href: commit_page(&component.component.repo, row.id),
        subject: LocalizedText::name(without_addresses(component.texts.get(row.subject))),
    };
    render(&commit).into()
}

/// How many states a resource update changed, and whether a new text is fuzzy.
fn states(view: ChangeView<'_>) -> Option<String> {
    let entry = &view.entry;
    if entry.action != Action::ChangedState && entry.fuzzy {
        return Some("fuzzy".to_owned());
    }
    let (now, no_longer): (Vec<_>, Vec<_>) = match entry.action {
        Action::ResourceUpdate | Action::CommittedChanges => view.state_changes(),
        _ => return None,
    }
    .partition(|change| change.entry.fuzzy);
    let counts = [
        (now.len(), "now fuzzy"),
        (no_longer.len(), "no longer fuzzy"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts = counts.map(|(count, what)| format!("{count} {what}"));
    let counts: Vec<String> = counts.collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

/// Where a change happened: the parts that the page does not have as its subject.
fn location(request: &PageRequest<'_>, view: ChangeView<'_>, scope: EntryScope) -> Location {
    let component = view.component;
    let mut steps = String::new();
    let mut add = |name, href| {
        let sign = sign(&steps);
        steps.push_str(&render(&Step { sign, name, href }));
    };
    if scope < EntryScope::Project {
        let href = request.project(&component.project);
        add(LocalizedText::name(&component.project.name), Some(href));
    }
    if scope < EntryScope::Component {
        let href = request.component(component);
        add(LocalizedText::name(&component.component.name), Some(href));
    }
    if scope < EntryScope::Translation || scope == EntryScope::Unit {
        match (view.translation(), view.language()) {
            (Some(of), _) => {
                let name = of.translation.language.display_name();
                add(LocalizedText::name(name), Some(request.translation(of)));
            }
            (None, Some(code)) => add(LocalizedText::name(code), None),
            (None, None) => {}
        }
    }
    let attrs = view.language();
    Location {
        steps,
        attrs: attrs.map_or(LangAttrs::UNKNOWN, LangAttrs::of_code),
    }
}

/// The sign between a part of a location and those before it.
fn sign(before: &str) -> &'static str {
    match before {
        "" => "in",
        _ => "›",
    }
}

/// The string of a change.
fn string(request: &PageRequest<'_>, view: ChangeView<'_>, location: &Location) -> Option<Step> {
    view.entry.key?;
    let unit = view.unit().and_then(UnitView::revised);
    let unit = unit.filter(|_| request.layout.has_string_pages());
    Some(Step {
        sign: sign(&location.steps),
        name: LocalizedText::name(view.string_name().unwrap_or_default()),
        href: unit.map(|of| request.unit(of)),
    })
}
