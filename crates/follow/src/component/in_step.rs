//! A component while a step of its repository, or the thread that writes checkpoints, has its state. The rest is a placeholder, which shows
//! what the component showed, and can neither advance nor be saved.

use super::overtaken::Overtaken;
use super::phase::Phase;
use super::state::{Behind, ComponentState, Served, Source};

/// A step of a repository, or a checkpoint that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StepId(pub u64);

impl ComponentState {
    /// Takes the state for a step, and leaves a placeholder.
    pub fn take_for(&mut self, step: StepId) -> Self {
        let placeholder = Self {
            name: self.name.clone(),
            project_slug: self.project_slug.clone(),
            source_language: self.source_language.clone(),
            repository: self.repository.clone(),
            config: self.config.clone(),
            refused: self.refused.clone(),
            checks: self.checks.clone(),
            mode: self.mode,
            fingerprint: self.fingerprint.clone(),
            source: Source::Unknown,
            phase: Phase::Unread {
                checkpoint_tried: true,
            },
            undo: None,
            served: self.served.clone(),
            people: self.people.clone(),
            failure: self.failure.clone(),
            recovering: self.recovering,
            behind: self.behind.clone(),
            languages: self.languages,
            since: self.since,
            overtaken: Overtaken::default(),
            moved_at: self.moved_at,
            step: Some(step),
            max_id_bytes: self.max_id_bytes,
            projected_id_bytes: self.id_bytes(),
        };
        std::mem::replace(self, placeholder)
    }

    /// Replaces the placeholder by the state that the step returns. Returns whether it is one of this step.
    pub fn put_back(&mut self, step: StepId, mut state: Self) -> bool {
        if !self.is_in_step_of(step) {
            return false;
        }
        state.served = std::mem::replace(&mut self.served, Served::Nothing);
        state.moved_at = self.moved_at;
        *self = state;
        true
    }

    /// Whether a step has the state.
    pub fn is_in_step(&self) -> bool {
        self.step.is_some()
    }

    /// Whether this step has the state.
    pub fn is_in_step_of(&self, step: StepId) -> bool {
        self.step == Some(step)
    }

    /// Notes that the step of a placeholder takes long.
    pub fn mark_late(&mut self) {
        self.behind = Some(Behind::Late);
    }
}
