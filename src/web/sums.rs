//! What pages say of several translations together.

use super::parts::{Crumbs, Figures, Last, Row, Text, Time};
use super::visit::Visit;
use crate::catalog::{ComponentSnapshot, Statistics, TranslationView};
use crate::language::Language;
use crate::model::privacy::name;
use crate::model::{Project, Timestamp, UserId};

/// The newest change of some translations, and who did it.
pub(super) fn last<'a>(visit: &Visit<'_>, translations: impl Iterator<Item = TranslationView<'a>>) -> Option<Last> {
    let changes = translations.filter_map(|view| {
        let (time, person) = view.translation.last_change?;
        Some((time, view.component.users.get(person.0 as usize).copied()))
    });
    let (time, user): (Timestamp, Option<UserId>) = changes.max_by_key(|(time, _)| *time)?;
    let who = user.and_then(|user| visit.snapshot.user(user)).map(|user| Text::name(&name(&user.full_name)));
    Some(Last { time: Time::new(time), who })
}

/// A row of a translation, under the name of its language or of its component.
pub(super) fn row(visit: &Visit<'_>, view: TranslationView<'_>, named: Named) -> Row {
    let (component, translation) = (view.component, view.translation);
    let (name, more) = match named {
        Named::Language => (translation.language.display_name(), translation.is_template.then_some("source")),
        Named::Component => (component.component.name.clone(), None),
        Named::Both => ([&component.project.name, " / ", &component.component.name].concat(), None),
    };
    Row {
        name: Text::name(&name),
        more: more.unwrap_or_default().to_owned(),
        href: visit.translation(component, translation),
        strings: Some(visit.strings(component, translation)),
        figures: translation.statistics.into(),
        last: last(visit, std::iter::once(view)),
    }
}

/// Under which name a row of a translation stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    Language,
    Component,
    /// Project and component.
    Both,
}

/// Translations by language, in the order of names; each language with what its translations add up to.
pub(super) fn by_language<'a>(
    translations: impl Iterator<Item = TranslationView<'a>>,
) -> Vec<(&'a Language, Vec<TranslationView<'a>>)> {
    let mut found: Vec<(&Language, Vec<TranslationView<'a>>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for view in translations {
        let language = &view.translation.language;
        let place = *places.entry(&*language.code).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, views)) => views.push(view),
            None => found.push((language, vec![view])),
        }
    }
    found.sort_by_key(|(language, _)| (language.name.clone(), language.code.clone()));
    found
}

/// What translations add up to.
pub(super) fn figures<'a>(translations: impl IntoIterator<Item = TranslationView<'a>>) -> Figures {
    translations.into_iter().map(|view| view.translation.statistics).sum::<Statistics>().into()
}

/// All translations of a project.
pub(super) fn of_project<'a>(visit: &Visit<'a>, project: &str) -> impl Iterator<Item = TranslationView<'a>> {
    visit.snapshot.components_of(project).flat_map(|component| {
        component.translations.iter().map(move |translation| TranslationView { component, translation })
    })
}

/// The way to the page of a component.
pub(super) fn way_to_component(visit: &Visit<'_>, component: &ComponentSnapshot) -> Crumbs {
    way_to_project(visit, &component.project).below(&component.component.name, visit.component(component))
}

/// The way to the page of a project.
pub(super) fn way_to_project(visit: &Visit<'_>, project: &Project) -> Crumbs {
    Crumbs::default().below("Projects", visit.path(&["/"])).below(&project.name, visit.project(project))
}
