//! The rows that fail a check, found before a state has ids. Checks take most of the time that a snapshot needs, and one
//! thread gives ids to all components.

use std::cell::{Cell, OnceCell};
use std::sync::{Arc, OnceLock};

use super::ComponentSnapshot;
use super::translation_builder::TranslationBuilder;
use gitglot_checks::ComponentChecks;
use gitglot_history::{Projection, SourceString, TranslationState};
use gitglot_model::Component;

/// The rows of the translations of a projection that fail a check.
#[derive(Clone, Debug)]
pub struct FailingRows {
    checks: ComponentChecks,
    strings: Arc<[SourceString]>,
    translations: Vec<FoundRows>,
}

/// The rows of a translation that fail a check.
#[derive(Clone, Debug)]
struct FoundRows {
    state: Arc<TranslationState>,
    /// Ascending; `None` if the older snapshot has the same translation.
    rows: Option<Box<[u32]>>,
}

impl FailingRows {
    /// Runs the checks on what an older snapshot does not have.
    pub fn find(
        component: &Component,
        source_language: &str,
        projection: &Projection,
        checks: &ComponentChecks,
        before: Option<&ComponentSnapshot>,
    ) -> Self {
        let continues =
            |it: &&ComponentSnapshot| it.checks() == checks && projection.log.continues(&it.log);
        let older = before.filter(continues);
        let strings = &projection.sources;
        let builder = TranslationBuilder {
            source_language,
            strings,
            sources: &[],
            texts: &projection.texts,
            checks,
            template_checks: &OnceLock::new(),
            has_same_checks: false,
            difference: OnceCell::new(),
            wording: None,
            format: component.file_format,
            proceed: &|_| true,
            older,
            failing: None,
            found: None,
            left: Cell::new(0),
        };
        let is_known = |state: &Arc<TranslationState>| {
            older.is_some_and(|older| {
                Arc::ptr_eq(&older.strings, strings) && older.has(projection, state)
            })
        };
        let translations = projection.translations.iter().map(|state| FoundRows {
            rows: (!is_known(state)).then(|| builder.failing_rows(state)),
            state: state.clone(),
        });
        Self {
            translations: translations.collect(),
            checks: checks.clone(),
            strings: strings.clone(),
        }
    }

    /// The checks that ran.
    pub fn checks(&self) -> &ComponentChecks {
        &self.checks
    }

    /// The rows of the translation at an index, if it has this state and these strings.
    pub(super) fn of(
        &self,
        index: usize,
        state: &Arc<TranslationState>,
        strings: &[SourceString],
    ) -> Option<&[u32]> {
        let found = self.translations.get(index)?;
        let is_same = Arc::ptr_eq(&found.state, state) && std::ptr::eq(&*self.strings, strings);
        found.rows.as_deref().filter(|_| is_same)
    }
}
