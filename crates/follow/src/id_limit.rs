//! The limit of the ids of strings, which all components of a repository share (docs/spec/formats.md#all-formats).

use std::collections::HashMap;

use super::component::ComponentState;
use super::lookup::Lookup;
use gitglot_history::MAX_ID_BYTES;
use gitglot_model::steps;

/// The bytes of ids of the repositories of a batch. Each repository is added up once.
#[derive(Default)]
pub(super) struct IdBytes(HashMap<String, usize>);

impl IdBytes {
    /// The bytes of ids that a component may have, given those of the other components of its repository.
    pub fn allowed(
        &mut self,
        components: &[ComponentState],
        lookup: &Lookup,
        index: usize,
    ) -> usize {
        let Some(own) = components.get(index) else {
            return 0;
        };
        let repository = &own.config.repo;
        let sum = || {
            let members = lookup.components_of(repository);
            steps::count(members.len());
            let members = members.iter().filter_map(|at| components.get(*at));
            members.map(ComponentState::id_bytes).sum()
        };
        let used = *self.0.entry(repository.clone()).or_insert_with(sum);
        MAX_ID_BYTES.saturating_sub(used.saturating_sub(own.id_bytes()))
    }

    /// Notes that a component that had these bytes has advanced.
    pub fn advanced(&mut self, component: &ComponentState, before: usize) {
        if let Some(used) = self.0.get_mut(&*component.config.repo) {
            *used = used.saturating_sub(before) + component.id_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::HistoryMode;
    use crate::tests::{Ignore, Site};
    use crate::{FollowedComponents, PollLoop};
    use gitglot_catalog::Published;
    use gitglot_checks::Words;
    use gitglot_ledger::Ledger;
    use gitglot_model::Slug;

    #[test]
    fn the_components_of_a_repository_share_the_limit() {
        let (mut shared, mut other) = (Site::new("shared"), Site::new("other"));
        let mut second = shared.project.components[0].clone();
        second.settings.slug = Slug::new("second").unwrap();
        shared.project.components.push(second);
        shared.push(2);
        other.push(3);
        for mode in [HistoryMode::Full, HistoryMode::None] {
            let state = tempfile::tempdir().unwrap();
            let followed = FollowedComponents::new(
                Ledger::open(state.path()).unwrap(),
                vec![shared.project.clone(), other.project.clone()],
                mode,
                Words::default(),
                Arc::new(Published::new()),
            );
            let interval = Duration::from_secs(3600);
            let mirrors = state.path();
            let mut follow = PollLoop::new(followed, mirrors, interval, Arc::new(|_| Box::new(())));
            follow.first_batch(&Ignore).unwrap();
            let components = &follow.followed.components;
            let lookup = &follow.followed.lookup;
            let mut id_bytes = IdBytes::default();
            let mut used = |index| MAX_ID_BYTES - id_bytes.allowed(components, lookup, index);
            let work = steps::of(|| {
                // Two ids of five bytes, which the other component has, too.
                assert_eq!([used(0), used(1), used(2)], [10, 10, 0], "{mode:?}");
                assert_eq!(used(3), MAX_ID_BYTES);
            });
            assert_eq!(work, 3, "each component is added up once");
            id_bytes.advanced(&components[0], 4);
            let allowed = id_bytes.allowed(components, lookup, 1);
            assert_eq!(MAX_ID_BYTES - allowed, 16, "the first one has 6 bytes more");
            follow.shut_down();
        }
    }
}
