//! Entries of the change log on pages.

use askama::Template;
use askama::filters::HtmlSafe;

use super::{LONG, LangAttrs, LocalizedText, SHORT, Time, difference};
use crate::PageRequest;
use crate::paths;
use gitglot_catalog::{ChangeView, LogView};
use gitglot_model::address::{commit_page, encoded_value};
use gitglot_model::privacy::{name, without_addresses};
use gitglot_model::{Action, UserId};

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
    time: Time,
    action: &'static str,
    /// What the entry says of states.
    states: Option<String>,
    /// The older key of an entry that renames its string.
    renamed_from: Option<LocalizedText>,
    /// The component that had the string, if it is a different one.
    moved_from: Option<LocalizedText>,
    author: Option<EntryAuthor>,
    /// Where the change happened, outermost first, with links.
    location: Vec<(LocalizedText, Option<String>)>,
    /// How the text changed.
    text: Option<LocalizedText>,
    commit: Option<EntryCommit>,
}

impl HtmlSafe for EntryView {}

struct EntryAuthor {
    name: LocalizedText,
    href: String,
}

struct EntryCommit {
    short_id: String,
    href: Option<String>,
    subject: LocalizedText,
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
    (from..log.len())
        .rev()
        .filter_map(|at| log.get(at).filter(|view| !view.entry.moved))
        .take(most)
        .map(|view| EntryView::new(request, view, scope))
        .collect()
}

impl EntryView {
    /// Builds an entry for a page of this scope.
    pub(crate) fn new(request: &PageRequest<'_>, view: ChangeView<'_>, scope: EntryScope) -> Self {
        let (component, entry) = (view.component, &view.entry);
        let texts = &component.texts;
        let (old, new) = (texts.get(entry.previous), texts.get(entry.target));
        let attrs = view
            .language()
            .map_or(LangAttrs::UNKNOWN, LangAttrs::of_code);
        let most = if scope < EntryScope::Unit {
            SHORT
        } else {
            LONG
        };
        // Such a text has no history of its own: the entry represents those that moved with it.
        let renamed_from = view.renamed_from().filter(|_| !entry.moved);
        let is_path = entry.action == Action::ParseError;
        let has_text = renamed_from.is_none() && !is_path && !(old.is_empty() && new.is_empty());
        let user = view.user().and_then(|id| request.snapshot.user(UserId(id)));
        let commit = view.commit().map(|row| {
            let mut short_id = row.id.to_string();
            short_id.truncate(SHORT_ID);
            EntryCommit {
                short_id,
                href: commit_page(&component.component.repo, row.id),
                subject: LocalizedText::name(without_addresses(texts.get(row.subject))),
            }
        });
        Self {
            time: Time::new(entry.time),
            action: match entry.action {
                Action::ChangedState if entry.fuzzy => "Now fuzzy",
                Action::ChangedState => "No longer fuzzy",
                action => action.label(),
            },
            states: states(view),
            renamed_from: renamed_from
                .map(|old| LocalizedText::name(old.chars().take(LONG).collect::<String>())),
            moved_from: view
                .moved_from()
                .filter(|_| !entry.moved)
                .map(LocalizedText::name),
            author: user.map(|user| EntryAuthor {
                name: LocalizedText::name(name(&user.full_name)),
                href: request.link(paths::CHANGES, &[]) + "?user=" + &encoded_value(&user.username),
            }),
            location: location(request, view, scope),
            text: has_text.then(|| difference(&attrs, old, new, most)),
            commit,
        }
    }
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
    let counts: Vec<String> = counts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

fn location(
    request: &PageRequest<'_>,
    view: ChangeView<'_>,
    scope: EntryScope,
) -> Vec<(LocalizedText, Option<String>)> {
    let (component, entry) = (view.component, &view.entry);
    let mut location = Vec::new();
    if scope < EntryScope::Project {
        location.push((
            LocalizedText::name(&component.project.name),
            Some(request.project(&component.project)),
        ));
    }
    if scope < EntryScope::Component {
        location.push((
            LocalizedText::name(&component.component.name),
            Some(request.component(component)),
        ));
    }
    let translation = view.translation().map(|view| view.translation);
    if scope < EntryScope::Translation || scope == EntryScope::Unit {
        match (translation, view.language()) {
            (Some(of), _) => {
                location.push((
                    LocalizedText::name(of.language.display_name()),
                    Some(request.translation(component, of)),
                ));
            }
            (None, Some(code)) => location.push((LocalizedText::name(code), None)),
            (None, None) => {}
        }
    }
    if entry.key.is_some() && scope < EntryScope::Unit {
        let unit = view.unit();
        let href = unit.map(|of| request.unit(component, of.translation, of.source.id_hash));
        location.push((
            LocalizedText::name(view.string_name().unwrap_or_default()),
            href,
        ));
    }
    location
}
