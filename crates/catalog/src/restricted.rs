//! The part of a snapshot that some readers may see.
//!
//! A restricted snapshot is a snapshot of its own: lists, counts, languages, users, searches and failures contain
//! nothing of other projects, so no handler has to know who reads. It shares all components with the whole snapshot.

use std::collections::HashSet;
use std::sync::Arc;

use super::problems::derived_problems;
use super::snapshot::Snapshot;
use gitglot_model::{Slug, UserId};

/// The projects whose slugs `is_visible` accepts, and nothing that only other projects have. `restriction` tells
/// caches which part of a generation it is, so different parts need different numbers, and not 0. Work is shared
/// with `before`, an older snapshot of the same part. Ids, batch and dates are those of the whole snapshot.
pub fn restricted(
    snapshot: &Snapshot,
    restriction: u64,
    is_visible: impl Fn(&Slug) -> bool,
    before: Option<&Snapshot>,
) -> Snapshot {
    let projects = snapshot
        .projects()
        .filter(|project| is_visible(&project.slug));
    let projects: Vec<_> = projects.cloned().collect();
    let visible: HashSet<_> = projects.iter().map(|project| project.id).collect();
    let components = snapshot.components().iter();
    let components = components.filter(|component| visible.contains(&component.project.id));
    let components: Vec<_> = components.cloned().collect();
    let people = components
        .iter()
        .flat_map(|component| component.users.iter().copied());
    let people: HashSet<UserId> = people.collect();
    let users = snapshot.users().iter();
    let users = users.filter(|user| people.contains(&user.id)).cloned();
    let failures = snapshot.failures().iter().filter(|(name, _)| {
        let slug = name
            .split_once('/')
            .map_or(name.as_str(), |(project, _)| project);
        Slug::new(slug).is_ok_and(|slug| is_visible(&slug))
    });
    let mut own = Snapshot::after(before, projects, components, users.collect());
    own.restriction = restriction;
    let failures = failures.map(|(name, reason)| (name.clone(), reason.clone()));
    own.failures = Arc::new(failures.collect());
    own.failures_revision = snapshot.failures_revision;
    own.generation = snapshot.generation;
    own.batch = snapshot.batch;
    own.ledger = snapshot.ledger.clone();
    own.time = snapshot.time;
    own.modified = snapshot.modified;
    own.page_modified = snapshot.page_modified;
    own.last_change = snapshot.last_change;
    own.held_back_from = snapshot.held_back_from;
    own.first_ids = snapshot.first_ids.clone();
    // Hidden components of the same repository can have the names.
    own.derived_problems = derived_problems(snapshot).clone().into();
    own
}

#[cfg(test)]
mod tests {
    use super::restricted;
    use crate::test_snapshot::two_tenants;
    use gitglot_model::{ChangeId, UnitId};

    #[test]
    fn a_restricted_snapshot_knows_nothing_of_other_projects() {
        let all = two_tenants();
        let own = restricted(&all, 1, |slug| slug.as_str() == "hello", None);
        let slugs: Vec<_> = own
            .projects()
            .map(|project| project.slug.as_str())
            .collect();
        assert_eq!(slugs, ["hello"]);
        assert!(own.component("secret", "vault").is_none());
        let hidden = all.component("secret", "vault").unwrap();
        let hidden_unit = hidden.translations[0].rows.ids[0].0;
        assert!(all.unit(UnitId(hidden_unit)).is_some());
        assert!(own.unit(UnitId(hidden_unit)).is_none());
        assert!(all.language("ja").is_some() && own.language("ja").is_none());
        let names = |users: &[crate::User]| -> Vec<String> {
            users.iter().map(|user| user.username.to_string()).collect()
        };
        assert!(names(all.users()).contains(&"mallory".to_owned()));
        assert!(!names(own.users()).contains(&"mallory".to_owned()));
        assert!(own.changes().len() < all.changes().len());
        assert!(all.change(ChangeId(103)).is_some() && own.change(ChangeId(103)).is_none());
        assert_eq!(own.generation(), all.generation());
        assert_ne!(own.restriction(), all.restriction());
    }

    #[test]
    fn work_is_shared_with_the_previous_restricted_snapshot() {
        let all = two_tenants();
        let is_visible = |slug: &gitglot_model::Slug| slug.as_str() == "secret";
        let first = restricted(&all, 1, is_visible, None);
        let second = restricted(&all, 1, is_visible, Some(&first));
        let ids = |of: &crate::Snapshot| -> Vec<_> {
            (0..of.changes().len())
                .filter_map(|at| Some(of.changes().get(at)?.entry.id))
                .collect()
        };
        assert_eq!(ids(&first), ids(&second));
        assert!(!ids(&first).is_empty());
    }
}
