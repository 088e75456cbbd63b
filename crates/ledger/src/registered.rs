//! The registered ids of one component: its keys, and the ids of its sources, translations and units.
//! Source: `docs/spec/ids-and-ledger.md#allocation`.

use std::sync::Arc;

use super::record::{ComponentIds, KeyRun, TranslationIds};
use gitglot_history::{Projection, TranslationState};
use gitglot_model::{SeededMap, UnitId, steps};

#[derive(Clone, Default, Debug)]
pub(super) struct RegisteredComponent {
    pub id: u32,
    /// The number of each key, by the hash of its context.
    pub keys: SeededMap<u64, u32>,
    /// The id of each source by key number; 0 where there is none.
    pub sources: Vec<u32>,
    /// By id.
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
    /// A component with the next id.
    pub fn new(last: &mut u32) -> Self {
        Self {
            id: take(last),
            ..Self::default()
        }
    }

    /// The translation with an id; registers it if there is none.
    pub fn translation(&mut self, id: u32) -> &mut RegisteredTranslation {
        let at = self.position(id).unwrap_or_else(|at| {
            let new = RegisteredTranslation {
                id,
                ..Default::default()
            };
            self.translations.insert(at, new);
            at
        });
        &mut self.translations[at]
    }

    /// The position of the translation with an id, or where it would be.
    pub fn position(&self, id: u32) -> Result<usize, usize> {
        (self.translations).binary_search_by_key(&id, |known| known.id)
    }

    /// The number of the key of each string, given the hashes of their contexts. Registers new keys.
    pub fn register_keys(
        &mut self,
        id_hashes: impl Iterator<Item = i64>,
        new: &mut ComponentIds,
    ) -> Vec<u32> {
        let register = |id_hash| {
            let hash = key_hash(id_hash);
            let number = self.keys.len() as u32;
            *self.keys.entry(hash).or_insert_with(|| {
                new.keys.push(format!("{hash:016x}"));
                number
            })
        };
        let keys: Vec<u32> = id_hashes.map(register).collect();
        steps::count(keys.len());
        keys
    }
}

impl RegisteredTranslation {
    /// The ids of its units with some keys, allocated where there is none. New ones are added to `new`, which has the
    /// translation at `new_index` if it has a new path or language.
    pub fn allocate_units(
        &mut self,
        keys: &[u32],
        last: &mut u32,
        new: &mut Vec<TranslationIds>,
        new_index: Option<usize>,
    ) -> Vec<UnitId> {
        let mut runs = Vec::new();
        let units = allocate_keys(&mut self.units, keys, last, &mut runs);
        if !runs.is_empty() {
            match new_index.and_then(|at| new.get_mut(at)) {
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

/// The hash that identifies a key in a component, given that of its context (docs/spec/units.md#hashes).
pub(super) fn key_hash(id_hash: i64) -> u64 {
    (id_hash as u64) ^ (1 << 63)
}

/// Registered translations by something that a translation of a projection has.
struct Candidates<'a>(SeededMap<&'a str, Vec<usize>>);

impl<'a> Candidates<'a> {
    fn by(
        registered: &'a [RegisteredTranslation],
        key: fn(&RegisteredTranslation) -> &str,
    ) -> Self {
        let mut by_key: SeededMap<&str, Vec<usize>> = SeededMap::default();
        // The first is at the end of its list.
        for (at, known) in registered.iter().enumerate().rev() {
            by_key.entry(key(known)).or_default().push(at);
        }
        Self(by_key)
    }

    /// The first one with one of these keys that is not taken.
    fn first<'k>(&mut self, keys: impl Iterator<Item = &'k str>, taken: &[bool]) -> Option<usize> {
        let first = |key: &str| {
            steps::count(1);
            let known = self.0.get_mut(key)?;
            while known.pop_if(|at| taken.get(*at) == Some(&true)).is_some() {
                steps::count(1);
            }
            known.last().copied()
        };
        keys.filter_map(first).min()
    }
}

/// Finds the registered translation of each translation of a projection: by path, then by language, then by a previous path. A
/// rule is applied to all translations before the next one, and each registered translation is used once. Registers those
/// without a match.
pub(super) fn match_translations(
    registered: &mut Vec<RegisteredTranslation>,
    projection: &Projection,
    last: &mut u32,
    new: &mut Vec<TranslationIds>,
) -> Vec<usize> {
    let translations = &projection.translations;
    let mut matches: Vec<Option<usize>> = vec![None; translations.len()];
    let mut taken = vec![false; registered.len()];
    let mut by_path = Candidates::by(registered, |known| &known.path);
    let mut by_language = Candidates::by(registered, |known| &known.language);
    for rule in 0..3 {
        let all = matches.iter_mut().zip(translations);
        for (found, translation) in all.filter(|(found, _)| found.is_none()) {
            let older = translation.older_paths.iter().map(|path| &**path);
            *found = match rule {
                0 => by_path.first(std::iter::once(&*translation.own_path), &taken),
                1 => by_language.first(std::iter::once(&*translation.language.code), &taken),
                _ => by_path.first(older, &taken),
            };
            if let Some(taken) = found.and_then(|at| taken.get_mut(at)) {
                *taken = true;
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
    let translations = translations.iter().zip(matches);
    translations.map(&mut register).collect()
}

/// The ids of keys, allocated where there is none. New ones are added to `runs`.
pub(super) fn allocate_keys(
    ids: &mut Vec<u32>,
    keys: &[u32],
    last: &mut u32,
    runs: &mut Vec<KeyRun>,
) -> Vec<u32> {
    steps::count(keys.len());
    keys.iter()
        .map(|&key| {
            let at = key as usize;
            if ids.len() <= at {
                ids.resize(at + 1, 0);
            }
            if ids[at] == 0 {
                ids[at] = take(last);
                let next = (key, ids[at]);
                match runs.last_mut() {
                    Some((first, count, id)) if (*first + *count, *id + *count) == next => {
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
