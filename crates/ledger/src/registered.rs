//! The registered ids of one component: its keys, and the ids of its sources, translations and units.
//! Source: `docs/spec/ids-and-ledger.md#allocation`.

use std::sync::Arc;

use super::record::{ComponentIds, KeyRun, TranslationIds};
use gitglot_history::{Projection, SourceString, TranslationState};
use gitglot_model::{SeededMap, UnitId};

#[derive(Clone, Default, Debug)]
pub(super) struct RegisteredComponent {
    pub id: u32,
    /// The number of each key, by the hash of its context.
    pub keys: SeededMap<u64, u32>,
    /// The id of each source by key number; 0 where there is none.
    pub sources: Vec<u32>,
    pub translations: Vec<RegisteredTranslation>,
}

#[derive(Clone, Default, Debug)]
pub(super) struct RegisteredTranslation {
    pub id: u32,
    pub path: String,
    pub language: String,
    /// The id of each unit by key number; 0 where there is none.
    pub units: Vec<u32>,
}

impl RegisteredComponent {
    /// The translation with an id; registers it if there is none.
    pub fn translation(&mut self, id: u32) -> &mut RegisteredTranslation {
        let known = self.translations.iter().position(|known| known.id == id);
        let at = known.unwrap_or(self.translations.len());
        if known.is_none() {
            self.translations.push(RegisteredTranslation {
                id,
                ..Default::default()
            });
        }
        &mut self.translations[at]
    }

    /// The number of each key of a projection. Registers new keys.
    pub fn register_keys(&mut self, projection: &Projection, new: &mut ComponentIds) -> Vec<u32> {
        let mut register = |source: &SourceString| {
            let hash = key_hash(projection, source);
            let number = self.keys.len() as u32;
            *self.keys.entry(hash).or_insert_with(|| {
                new.keys.push(format!("{hash:016x}"));
                number
            })
        };
        projection.sources.iter().map(&mut register).collect()
    }
}

impl RegisteredTranslation {
    /// The ids of its units with some keys, allocated where there is none. New ones are added to `new`.
    pub fn allocate_units(
        &mut self,
        keys: &[u32],
        last: &mut u32,
        new: &mut Vec<TranslationIds>,
    ) -> Vec<UnitId> {
        let mut runs = Vec::new();
        let units = allocate_keys(&mut self.units, keys, last, &mut runs);
        if !runs.is_empty() {
            match new.iter_mut().find(|it| it.id == self.id) {
                Some(it) => it.units = runs,
                None => new.push(TranslationIds {
                    id: self.id,
                    units: runs,
                    ..TranslationIds::default()
                }),
            }
        }
        units.into_iter().map(UnitId).collect()
    }
}

/// The next id.
pub(super) fn take(last: &mut u32) -> u32 {
    *last += 1;
    *last
}

/// The hash that identifies a key in a component.
pub(super) fn key_hash(projection: &Projection, source: &SourceString) -> u64 {
    let (texts, context) = (&projection.texts, projection.texts.get(source.context));
    let (id_hash, _) = (projection.shape).hashes(context, texts.get(source.source));
    (id_hash as u64) ^ (1 << 63)
}

/// Whether a registered translation is one of a projection.
type MatchRule = fn(&RegisteredTranslation, &TranslationState) -> bool;

/// By path, then by language, then by a previous path.
const MATCH_RULES: [MatchRule; 3] = [
    |known, translation| *known.path == *translation.own_path,
    |known, translation| *known.language == *translation.language.code,
    |known, translation| {
        translation
            .older_paths
            .iter()
            .any(|path| **path == known.path)
    },
];

/// Finds the registered translation of each translation of a projection. A rule is applied to all translations before
/// the next one, and each registered translation is used once. Registers those without a match.
pub(super) fn match_translations(
    registered: &mut Vec<RegisteredTranslation>,
    projection: &Projection,
    last: &mut u32,
    new: &mut Vec<TranslationIds>,
) -> Vec<usize> {
    let translations = &projection.translations;
    let mut matches: Vec<Option<usize>> = vec![None; translations.len()];
    let mut taken = vec![false; registered.len()];
    for rule in MATCH_RULES {
        for (found, translation) in matches
            .iter_mut()
            .zip(translations)
            .filter(|(found, _)| found.is_none())
        {
            *found = (0..taken.len()).find(|&at| !taken[at] && rule(&registered[at], translation));
            if let Some(at) = *found {
                taken[at] = true;
            }
        }
    }
    let mut register = |(translation, found): (&Arc<TranslationState>, Option<usize>)| {
        let at = found.unwrap_or_else(|| {
            registered.push(RegisteredTranslation {
                id: take(last),
                ..Default::default()
            });
            registered.len() - 1
        });
        let known = &mut registered[at];
        if known.path != *translation.own_path || known.language != *translation.language.code {
            known.path = translation.own_path.to_string();
            known.language = translation.language.code.to_string();
            let (path, language) = (Some(known.path.clone()), Some(known.language.clone()));
            new.push(TranslationIds {
                id: known.id,
                path,
                language,
                units: Vec::new(),
            });
        }
        at
    };
    translations
        .iter()
        .zip(matches)
        .map(&mut register)
        .collect()
}

/// The ids of keys, allocated where there is none. New ones are added to `runs`.
pub(super) fn allocate_keys(
    ids: &mut Vec<u32>,
    keys: &[u32],
    last: &mut u32,
    runs: &mut Vec<KeyRun>,
) -> Vec<u32> {
    keys.iter()
        .map(|&key| {
            let at = key as usize;
            if ids.len() <= at {
                ids.resize(at + 1, 0);
            }
            if ids[at] == 0 {
                ids[at] = take(last);
                match runs.last_mut() {
                    Some((first, count, id))
                        if *first + *count == key && *id + *count == ids[at] =>
                    {
                        *count += 1
                    }
                    _ => runs.push((key, 1, ids[at])),
                }
            }
            ids[at]
        })
        .collect()
}

/// Adds recorded ids; `None` when a run exceeds the number of keys.
pub(super) fn put_runs(
    ids: &mut Vec<u32>,
    runs: &[KeyRun],
    keys: usize,
    last: &mut u32,
) -> Option<()> {
    for &(first, count, id) in runs {
        let end = first.checked_add(count)? as usize;
        if end > keys {
            return None;
        }
        if ids.len() < end {
            ids.resize(end, 0);
        }
        for (offset, slot) in ids[first as usize..end].iter_mut().enumerate() {
            *slot = id.checked_add(offset as u32)?;
        }
        *last = (*last).max(id.checked_add(count)?.saturating_sub(1));
    }
    Some(())
}
