//! The limit of the ids of strings, which all components of a repository share (docs/spec/formats.md#all-formats).

use super::component::ComponentState;
use gitglot_history::MAX_ID_BYTES;
use gitglot_model::steps;

/// The bytes of ids of a repository during a step.
pub(super) struct IdBytes(usize);

impl IdBytes {
    /// The bytes of the components of a repository.
    pub fn of(components: &[ComponentState], members: &[usize]) -> Self {
        steps::count(members.len());
        let members = members.iter().filter_map(|at| components.get(*at));
        Self(members.map(ComponentState::id_bytes).sum())
    }

    /// The bytes that a component with `used` bytes may have, given those of the others.
    pub fn allowed(&self, used: usize) -> usize {
        MAX_ID_BYTES.saturating_sub(self.0.saturating_sub(used))
    }

    /// Notes that a component has advanced.
    pub fn advanced(&mut self, before: usize, now: usize) {
        self.0 = self.0.saturating_sub(before) + now;
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
            let mut id_bytes = IdBytes::of(&[], &[]);
            let members = |at: usize| lookup.components_of(&components[at].repository);
            let work = steps::of(|| id_bytes = IdBytes::of(components, members(0)));
            assert_eq!(work, 2, "each component is added up once");
            // Two ids of five bytes, which the other component has, too.
            let [own, other] = [0, 1].map(|at: usize| components[at].id_bytes());
            let used = [own, other].map(|own| MAX_ID_BYTES - id_bytes.allowed(own));
            assert_eq!(used, [10, 10], "{mode:?}");
            let alone = IdBytes::of(components, members(2));
            assert_eq!(alone.allowed(components[2].id_bytes()), MAX_ID_BYTES);
            id_bytes.advanced(4, own);
            let used = MAX_ID_BYTES - id_bytes.allowed(other);
            assert_eq!(used, 16, "the first one has 6 bytes more");
            follow.shut_down();
        }
    }
}
