//! The ids handed out so far, and how new ones are given (design 2).

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::LedgerError;
use super::record::{Assignments, ComponentIds, KeyRun, Named, TranslationIds};
use crate::catalog::{Ids, signed_hash};
use crate::history::{Projection, SourceString, TranslationState};
use crate::model::{ComponentId, ProjectId, SourceId, TranslationId, UnitId, UserId};

/// Every id ever handed out.
#[derive(Clone, Default, Debug)]
pub struct Known {
    projects: HashMap<String, u32>,
    components: HashMap<String, KnownComponent>,
    users: HashMap<String, u32>,
    next: Next,
}

#[derive(Clone, Debug)]
struct Next {
    project: u32,
    component: u32,
    translation: u32,
    unit: u32,
    source: u32,
    user: u32,
    change: u32,
}

impl Default for Next {
    fn default() -> Self {
        Self { project: 1, component: 1, translation: 1, unit: 1, source: 1, user: 1, change: 1 }
    }
}

#[derive(Clone, Default, Debug)]
struct KnownComponent {
    id: u32,
    /// Number of each key by the hash of its context.
    keys: FxHashMap<u64, u32>,
    /// Id of each source by number of key; 0 where there is none.
    sources: Vec<u32>,
    translations: Vec<KnownTranslation>,
}

#[derive(Clone, Default, Debug)]
struct KnownTranslation {
    id: u32,
    path: String,
    language: String,
    /// Id of each unit by number of key; 0 where there is none.
    units: Vec<u32>,
}

fn take(next: &mut u32) -> u32 {
    let id = *next;
    *next += 1;
    id
}

impl Known {
    /// The id of a project.
    pub fn project(&self, slug: &str) -> Option<ProjectId> {
        self.projects.get(slug).copied().map(ProjectId)
    }

    /// The id of a component.
    pub fn component(&self, name: &str) -> Option<ComponentId> {
        self.components.get(name).map(|component| ComponentId(component.id))
    }

    /// The next change id.
    pub fn next_change(&self) -> u32 {
        self.next.change
    }

    /// Counts change ids that were handed out.
    pub fn skip_changes(&mut self, count: u32) {
        self.next.change = self.next.change.saturating_add(count);
    }

    /// Takes in what a line of the file says.
    ///
    /// # Errors
    /// When the line contradicts the lines before it.
    pub fn absorb(&mut self, line: &Assignments) -> Result<(), LedgerError> {
        let wrong = |what: &str| LedgerError::Damaged(format!("batch {} of ids.jsonl: {what}", line.batch));
        for Named { name, id } in &line.projects {
            self.projects.insert(name.clone(), *id);
            self.next.project = self.next.project.max(id + 1);
        }
        for Named { name, id } in &line.users {
            self.users.insert(name.clone(), *id);
            self.next.user = self.next.user.max(id + 1);
        }
        for ids in &line.components {
            let next = &mut self.next;
            let component = self.components.entry(ids.name.clone()).or_default();
            component.id = ids.id;
            next.component = next.component.max(ids.id + 1);
            for key in &ids.keys {
                let hash = u64::from_str_radix(key, 16).map_err(|_| wrong("a key is no hexadecimal number"))?;
                let number = component.keys.len() as u32;
                component.keys.insert(hash, number);
            }
            let keys = component.keys.len();
            put_runs(&mut component.sources, &ids.sources, keys, &mut next.source).ok_or_else(|| wrong("sources"))?;
            for new in &ids.translations {
                let at = component.translations.iter().position(|known| known.id == new.id);
                let at = at.unwrap_or_else(|| {
                    component.translations.push(KnownTranslation { id: new.id, ..KnownTranslation::default() });
                    component.translations.len() - 1
                });
                let known = &mut component.translations[at];
                if let Some(path) = &new.path {
                    known.path.clone_from(path);
                }
                if let Some(language) = &new.language {
                    known.language.clone_from(language);
                }
                next.translation = next.translation.max(new.id + 1);
                put_runs(&mut known.units, &new.units, keys, &mut next.unit).ok_or_else(|| wrong("units"))?;
            }
        }
        let changes: u32 = line.changes.iter().map(|&(_, count)| count).sum();
        self.next.change = self.next.change.max(line.first_change.saturating_add(changes));
        Ok(())
    }

    /// Gives ids to projects and components that have none, in configuration order.
    pub fn introduce(&mut self, names: &[(String, String)], line: &mut Assignments) {
        for (project, component) in names {
            if !self.projects.contains_key(project) {
                let id = take(&mut self.next.project);
                self.projects.insert(project.clone(), id);
                line.projects.push(Named { name: project.clone(), id });
            }
            let name = format!("{project}/{component}");
            if !self.components.contains_key(&name) {
                let id = take(&mut self.next.component);
                self.components.insert(name.clone(), KnownComponent { id, ..KnownComponent::default() });
                line.components.push(ComponentIds { name, id, ..ComponentIds::default() });
            }
        }
    }

    /// Gives ids to everything of a projection that has none; `people` are left to [`Self::user`]. The units of a
    /// translation of which `has` says that it is as it was before are left out: they have their ids.
    pub fn assign(
        &mut self,
        name: &str,
        projection: &Projection,
        has: &dyn Fn(&Arc<TranslationState>) -> bool,
        line: &mut Assignments,
    ) -> Ids {
        let next = &mut self.next;
        let component = self
            .components
            .entry(name.to_owned())
            .or_insert_with(|| KnownComponent { id: take(&mut next.component), ..KnownComponent::default() });
        let mut new = ComponentIds { name: name.to_owned(), id: component.id, ..ComponentIds::default() };
        let numbers: Vec<u32> = projection
            .sources
            .iter()
            .map(|source| {
                let hash = key_hash(projection, source);
                let number = component.keys.len() as u32;
                *component.keys.entry(hash).or_insert_with(|| {
                    new.keys.push(format!("{hash:016x}"));
                    number
                })
            })
            .collect();
        let sources = give(&mut component.sources, &numbers, &mut next.source, &mut new.sources);
        let places = claim(&mut component.translations, projection, next, &mut new.translations);
        let mut ids = Ids { sources: sources.into_iter().map(SourceId).collect(), ..Ids::default() };
        for (translation, place) in projection.translations.iter().zip(places) {
            let known = &mut component.translations[place];
            ids.translations.push(TranslationId(known.id));
            if has(translation) {
                ids.units.push(Vec::new());
                continue;
            }
            let mut runs = Vec::new();
            let rows = &numbers[..translation.units.len().min(numbers.len())];
            let units = give(&mut known.units, rows, &mut next.unit, &mut runs);
            ids.units.push(units.into_iter().map(UnitId).collect());
            if !runs.is_empty() {
                match new.translations.iter_mut().find(|it| it.id == known.id) {
                    Some(it) => it.units = runs,
                    None => {
                        new.translations.push(TranslationIds { id: known.id, units: runs, ..TranslationIds::default() })
                    }
                }
            }
        }
        let anything = !new.keys.is_empty() || !new.sources.is_empty() || !new.translations.is_empty();
        match line.components.iter_mut().find(|known| known.name == name) {
            Some(known) => *known = new,
            None if anything => line.components.push(new),
            None => {}
        }
        ids
    }

    /// The ids of all that a projection holds, people apart; `None` when anything has none yet.
    pub fn ids_of(&self, name: &str, projection: &Projection) -> Option<Ids> {
        let component = self.components.get(name)?;
        let number = |source: &SourceString| component.keys.get(&key_hash(projection, source)).copied();
        let numbers: Vec<u32> = projection.sources.iter().map(number).collect::<Option<_>>()?;
        let given = |ids: &[u32], number: u32| ids.get(number as usize).copied().filter(|&id| id != 0);
        let sources: Option<_> = numbers.iter().map(|&at| given(&component.sources, at).map(SourceId)).collect();
        let mut ids = Ids { sources: sources?, ..Ids::default() };
        for translation in &projection.translations {
            let known = component.translations.iter().find(|known| *known.path == *translation.path)?;
            let rows = &numbers[..translation.units.len().min(numbers.len())];
            let units: Option<_> = rows.iter().map(|&at| given(&known.units, at).map(UnitId)).collect();
            ids.translations.push(TranslationId(known.id));
            ids.units.push(units?);
        }
        Some(ids)
    }

    /// The id of a person, given if there is none.
    pub fn user(&mut self, identity: &str, line: &mut Assignments) -> UserId {
        if let Some(&id) = self.users.get(identity) {
            return UserId(id);
        }
        let id = take(&mut self.next.user);
        self.users.insert(identity.to_owned(), id);
        line.users.push(Named { name: identity.to_owned(), id });
        UserId(id)
    }

    /// The id of a person who has one.
    pub fn known_user(&self, identity: &str) -> Option<UserId> {
        self.users.get(identity).copied().map(UserId)
    }
}

/// What tells the keys of a component apart: the hash of the context (`units.md` 5).
fn key_hash(projection: &Projection, source: &SourceString) -> u64 {
    (signed_hash(&[projection.texts.get(source.context)]) as u64) ^ (1 << 63)
}

/// Whether a known translation is one of a projection.
type Rule = fn(&KnownTranslation, &TranslationState) -> bool;

/// Which known translation each one of a projection is: by path, then by language, then by a path it had
/// before; each known one once. What nothing fits is new.
fn claim(
    known: &mut Vec<KnownTranslation>,
    projection: &Projection,
    next: &mut Next,
    new: &mut Vec<TranslationIds>,
) -> Vec<usize> {
    let translations = &projection.translations;
    let mut places: Vec<Option<usize>> = vec![None; translations.len()];
    let mut taken = vec![false; known.len()];
    let rules: [Rule; 3] = [
        |known, translation| *known.path == *translation.path,
        |known, translation| *known.language == *translation.language.code,
        |known, translation| translation.older_paths.iter().any(|path| **path == known.path),
    ];
    for rule in rules {
        for (place, translation) in places.iter_mut().zip(translations) {
            if place.is_none() {
                *place = (0..taken.len()).find(|&at| !taken[at] && rule(&known[at], translation));
                if let Some(at) = *place {
                    taken[at] = true;
                }
            }
        }
    }
    translations
        .iter()
        .zip(places)
        .map(|(translation, place)| {
            let place = place.unwrap_or_else(|| {
                known.push(KnownTranslation { id: take(&mut next.translation), ..KnownTranslation::default() });
                known.len() - 1
            });
            let known = &mut known[place];
            let (path, language) = (translation.path.to_string(), translation.language.code.to_string());
            if known.path != path || known.language != language {
                known.path.clone_from(&path);
                known.language.clone_from(&language);
                new.push(TranslationIds {
                    id: known.id,
                    path: Some(path),
                    language: Some(language),
                    ..TranslationIds::default()
                });
            }
            place
        })
        .collect()
}

/// The ids of keys, given where there is none; new ones are noted as runs.
fn give(ids: &mut Vec<u32>, keys: &[u32], next: &mut u32, runs: &mut Vec<KeyRun>) -> Vec<u32> {
    keys.iter()
        .map(|&key| {
            let at = key as usize;
            if ids.len() <= at {
                ids.resize(at + 1, 0);
            }
            if ids[at] == 0 {
                ids[at] = take(next);
                match runs.last_mut() {
                    Some((first, count, id)) if *first + *count == key && *id + *count == ids[at] => *count += 1,
                    _ => runs.push((key, 1, ids[at])),
                }
            }
            ids[at]
        })
        .collect()
}

fn put_runs(ids: &mut Vec<u32>, runs: &[KeyRun], keys: usize, next: &mut u32) -> Option<()> {
    for &(first, count, id) in runs {
        let end = first.checked_add(count)? as usize;
        if end > keys {
            return None;
        }
        if ids.len() < end {
            ids.resize(end, 0);
        }
        for (at, slot) in ids[first as usize..end].iter_mut().enumerate() {
            *slot = id.checked_add(at as u32)?;
        }
        *next = (*next).max(id.checked_add(count)?);
    }
    Some(())
}
