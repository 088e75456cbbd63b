//! Entries of the change log as people read them.

use askama::Template;
use askama::filters::HtmlSafe;

use super::{Text, Time, Tongue, difference, short_difference};
use crate::catalog::{ChangeView, Changes};
use crate::model::UserId;
use crate::model::address::{commit_page, encoded_value};
use crate::model::privacy::{name, without_addresses};
use crate::web::visit::Visit;

/// Digits of a commit's name that are shown.
const SHORT: usize = 7;

/// How much of the place an entry need not say, because the page says it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::web) enum Scope {
    All,
    Project,
    Component,
    Translation,
    Unit,
}

/// An entry of the log.
#[derive(Template)]
#[template(path = "web/parts/entry.html")]
pub(in crate::web) struct Entry {
    time: Time,
    action: &'static str,
    who: Option<Person>,
    /// Where it happened, the widest first, each with its page.
    places: Vec<(Text, Option<String>)>,
    /// What the text became, where there is one.
    text: Option<Text>,
    commit: Option<Commit>,
}

impl HtmlSafe for Entry {}

struct Person {
    name: Text,
    href: String,
}

struct Commit {
    short: String,
    href: Option<String>,
    subject: Text,
}

/// The entries at the end of a log, newest first.
pub(in crate::web) fn entries(visit: &Visit<'_>, log: Changes<'_>, most: usize, scope: Scope) -> Vec<Entry> {
    let from = log.len().saturating_sub(most);
    (from..log.len()).rev().filter_map(|at| Some(Entry::new(visit, log.get(at)?, scope))).collect()
}

impl Entry {
    /// An entry, on a page that shows the log of something.
    pub(in crate::web) fn new(visit: &Visit<'_>, view: ChangeView<'_>, scope: Scope) -> Self {
        let (component, entry) = (view.component, &view.entry);
        let (log, texts) = (&component.log, &component.texts);
        let translation = view.translation().and_then(|at| component.translations.get(at as usize));
        let lineage = entry.lineage.and_then(|lineage| log.lineages.get(usize::from(lineage.0)));
        let code = translation
            .map(|translation| &*translation.language.code)
            .or_else(|| lineage.map(|lineage| texts.get(lineage.language)));
        let mut places = Vec::new();
        if scope < Scope::Project {
            places.push((Text::name(&component.project.name), Some(visit.project(&component.project))));
        }
        if scope < Scope::Component {
            places.push((Text::name(&component.component.name), Some(visit.component(component))));
        }
        if scope < Scope::Translation || (scope == Scope::Unit && code.is_some()) {
            match (translation, code) {
                (Some(of), _) => {
                    places.push((Text::name(&of.language.display_name()), Some(visit.translation(component, of))));
                }
                (None, Some(code)) => places.push((Text::name(code), None)),
                (None, None) => {}
            }
        }
        if let Some(key) = entry.key.filter(|_| scope < Scope::Unit) {
            let row = component.row_of_key.get(key.0 as usize).and_then(|&row| component.sources.get(row as usize));
            let context = row.map(|row| row.context).or_else(|| log.keys.get(key.0 as usize).copied());
            let href = translation.zip(row).filter(|_| view.unit().is_some());
            let href = href.map(|(of, source)| visit.unit(component, of, source.id_hash));
            places.push((Text::name(context.map_or("", |context| texts.get(context))), href));
        }
        let (old, new) = (texts.get(entry.previous), texts.get(entry.target));
        let tongue = code.map_or_else(Tongue::unknown, Tongue::of_code);
        let shown = if scope < Scope::Unit { short_difference } else { difference };
        let text = (!old.is_empty() || !new.is_empty()).then(|| shown(tongue, old, new));
        let user = view.user().and_then(|id| visit.snapshot.user(UserId(id)));
        let who = user.map(|user| Person {
            name: Text::name(&name(&user.full_name)),
            href: visit.path(&["/changes/?user=", &encoded_value(&user.username)]),
        });
        let commit = view.commit().map(|row| {
            let id = row.id.to_string();
            Commit {
                short: id.chars().take(SHORT).collect(),
                href: commit_page(&component.component.repo, row.id),
                subject: Text::name(&without_addresses(texts.get(row.subject))),
            }
        });
        Self { time: Time::new(entry.time), action: entry.action.label(), who, places, text, commit }
    }
}
