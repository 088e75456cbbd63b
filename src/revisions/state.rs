//! The state of a component at a commit, as a snapshot with the ids of the tip.

use std::sync::Arc;

use super::known::rows_by_key;
use super::{CacheEntry, CacheKey, RevisionProblem, Revisions};
use crate::catalog::{ComponentSnapshot, Ids, PreviousResults};
use crate::history::{Projection, RevisionInput, state_at};
use crate::model::{CommitId, SourceId, TranslationId, UnitId};

/// Reads the state of a component at a commit, or takes it from the cache.
pub(super) fn state(
    revisions: &Revisions,
    tip: &Arc<ComponentSnapshot>,
    commit: CommitId,
) -> Result<Arc<ComponentSnapshot>, RevisionProblem> {
    if commit == tip.tip.id {
        return Ok(tip.clone());
    }
    let key = CacheKey::State(tip.component.id, commit);
    if let Some(CacheEntry::State(known)) = revisions.cache.get(&key)
        && Arc::ptr_eq(&known.component, &tip.component)
    {
        return Ok(known);
    }
    let input = RevisionInput {
        component: &tip.component,
        layouts: &tip.layouts,
        log: &tip.log,
        texts: &tip.texts,
    };
    let projection =
        revisions.with_repository(tip, |repository| Ok(state_at(input, repository, commit)?))?;
    let ids = ids_of_tip(tip, &projection);
    let state = Arc::new(ComponentSnapshot::new(
        tip.project.clone(),
        tip.component.clone(),
        projection,
        ids,
        tip.checker(),
        PreviousResults::Nothing,
    ));
    revisions
        .cache
        .put(key, CacheEntry::State(state.clone()), state.memory());
    Ok(state)
}

/// The ids that the strings of a state have at the tip, or 0.
fn ids_of_tip(tip: &ComponentSnapshot, state: &Projection) -> Ids {
    let rows = rows_by_key(tip);
    let rows: Vec<Option<usize>> = state
        .sources
        .iter()
        .map(|source| rows.get(state.texts.get(source.context)).copied())
        .collect();
    let mut ids = Ids {
        sources: rows
            .iter()
            .map(|row| {
                let source = row.and_then(|row| tip.sources.get(row));
                source.map_or(SourceId(0), |source| source.id)
            })
            .collect(),
        ..Ids::default()
    };
    for translation in &state.translations {
        let known = tip
            .translation(&translation.language.code)
            .and_then(|at| tip.translations.get(at as usize));
        ids.translations
            .push(known.map_or(TranslationId(0), |known| known.id));
        let unit = |row: &Option<usize>| {
            let unit = row.and_then(|row| known?.units.get(row));
            unit.map_or(UnitId(0), |unit| unit.id)
        };
        ids.units.push(rows.iter().map(unit).collect());
    }
    ids
}
