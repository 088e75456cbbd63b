//! The limit of the ids of strings, which all components of a repository share (docs/spec/formats.md#all-formats).

use super::component::ComponentState;
use super::lookup::Lookup;
use gitglot_history::MAX_ID_BYTES;

/// The bytes of ids that a component may have, given those of the other components of its repository.
pub(super) fn allowed_id_bytes(
    components: &[ComponentState],
    lookup: &Lookup,
    index: usize,
) -> usize {
    let Some(own) = components.get(index) else {
        return 0;
    };
    let others = lookup.components_of(&own.config.repo).iter();
    let others = others.filter(|other| **other != index);
    let others = others.filter_map(|other| components.get(*other));
    let used = others.map(ComponentState::id_bytes).sum();
    MAX_ID_BYTES.saturating_sub(used)
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
            let used: Vec<usize> = (0..3)
                .map(|index| MAX_ID_BYTES - allowed_id_bytes(components, lookup, index))
                .collect();
            // Two ids of five bytes, which the other component has, too.
            assert_eq!(used, [10, 10, 0], "{mode:?}");
            assert_eq!(allowed_id_bytes(components, lookup, 3), 0);
            follow.shut_down();
        }
    }
}
