//! All allocated ids, and the allocation of new ones. Source: `docs/spec/ids-and-ledger.md#allocation`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::error::LedgerError;
use super::record::{Assignments, ComponentIds, NamedId};
use super::registered::{
    RegisteredComponent, allocate_keys, key_hash, match_translations, put_runs, take,
};
use gitglot_history::{Person, Projection, SourceString, TranslationState};
use gitglot_model::{
    ComponentId, FirstIds, ProjectId, ProjectionIds, SeededMap, SeededSet, SourceId, TranslationId,
    UnitId, UserId,
};

/// Every id that was ever allocated.
#[derive(Clone, Default, Debug)]
pub struct IdRegistry {
    projects: HashMap<String, u32>,
    /// Shared with clones until they change: a batch that is not recorded is undone with a clone.
    components: HashMap<String, Arc<RegisteredComponent>>,
    users: Arc<HashMap<String, u32>>,
    last: LastIds,
    /// The first ids of each batch that allocated some.
    batches: Vec<BatchStart>,
}

/// A batch, and the ids that it allocates first.
#[derive(Clone, Copy, Debug)]
struct BatchStart {
    batch: u32,
    first: FirstIds,
}

/// The last allocated id of each kind; 0 before the first.
#[derive(Clone, Default, Debug)]
struct LastIds {
    project: u32,
    component: u32,
    translation: u32,
    unit: u32,
    source: u32,
    user: u32,
    change: u32,
}

/// Allocates the id of a new name.
fn allocate_name(
    ids: &mut HashMap<String, u32>,
    name: &str,
    last: &mut u32,
    new: &mut Vec<NamedId>,
) {
    let (name, id) = (name.to_owned(), take(last));
    ids.insert(name.clone(), id);
    new.push(NamedId { name, id });
}

impl IdRegistry {
    /// The id of a project.
    pub fn project_id(&self, slug: &str) -> Option<ProjectId> {
        self.projects.get(slug).copied().map(ProjectId)
    }

    /// The id of a component, `project/component`.
    pub fn component_id(&self, name: &str) -> Option<ComponentId> {
        Some(ComponentId(self.components.get(name)?.id))
    }

    /// The id of a person.
    pub fn user_id(&self, identity: &str) -> Option<UserId> {
        self.users.get(identity).copied().map(UserId)
    }

    /// The id of each of these people; 0 for those who have none.
    pub fn user_ids(&self, people: &[Person]) -> Vec<UserId> {
        let ids = people.iter().map(|person| self.user_id(&person.identity));
        ids.map(|id| id.unwrap_or(UserId(0))).collect()
    }

    /// The next change id.
    pub fn next_change(&self) -> u32 {
        self.last.change.saturating_add(1)
    }

    /// Marks change ids as allocated.
    pub fn advance_changes(&mut self, count: u32) {
        self.last.change = self.last.change.saturating_add(count);
    }

    /// The first ids of each batch that allocated some, ascending.
    pub fn first_ids(&self) -> Arc<[FirstIds]> {
        self.batches.iter().map(|start| start.first).collect()
    }

    /// Notes that the next ids belong to a batch.
    fn start_batch(&mut self, batch: u32) {
        let first = FirstIds {
            translation: self.last.translation.saturating_add(1),
            unit: self.last.unit.saturating_add(1),
        };
        match self.batches.last_mut() {
            Some(start) if start.batch == batch => {}
            // The batch before allocated nothing.
            Some(start) if start.first == first => start.batch = batch,
            _ => self.batches.push(BatchStart { batch, first }),
        }
    }

    /// Adds the ids of a line of `ids.jsonl`.
    ///
    /// # Errors
    /// When the line contradicts earlier lines.
    pub fn apply(&mut self, line: &Assignments) -> Result<(), LedgerError> {
        self.start_batch(line.batch);
        let invalid = |problem: &str| {
            LedgerError::Damaged(format!("batch {} of ids.jsonl: {problem}", line.batch))
        };
        for NamedId { name, id } in &line.projects {
            self.projects.insert(name.clone(), *id);
            self.last.project = self.last.project.max(*id);
        }
        for NamedId { name, id } in &line.users {
            Arc::make_mut(&mut self.users).insert(name.clone(), *id);
            self.last.user = self.last.user.max(*id);
        }
        for ids in &line.components {
            let last = &mut self.last;
            let component = self.components.entry(ids.name.clone()).or_default();
            let component = Arc::make_mut(component);
            component.id = ids.id;
            last.component = last.component.max(ids.id);
            for key in &ids.keys {
                let hash = u64::from_str_radix(key, 16);
                let hash = hash.map_err(|_| invalid("a key is not a hexadecimal number"))?;
                let number = component.keys.len() as u32;
                component.keys.insert(hash, number);
            }
            let keys = component.keys.len();
            put_runs(&mut component.sources, &ids.sources, keys, &mut last.source)
                .ok_or_else(|| invalid("a source has no key"))?;
            for new in &ids.translations {
                let translation = component.translation(new.id);
                if let Some(path) = &new.path {
                    translation.path.clone_from(path);
                }
                if let Some(language) = &new.language {
                    translation.language.clone_from(language);
                }
                last.translation = last.translation.max(new.id);
                put_runs(&mut translation.units, &new.units, keys, &mut last.unit)
                    .ok_or_else(|| invalid("a unit has no key"))?;
            }
        }
        let counts = line.changes.iter().map(|(_, count)| *count);
        let end = counts.fold(line.first_change, u32::saturating_add);
        let last = end.saturating_sub(1);
        self.last.change = self.last.change.max(last);
        Ok(())
    }

    /// Allocates the ids of a component and its project, if they have none. Returns the position of a new component in the
    /// line.
    pub fn allocate_component(
        &mut self,
        project: &str,
        component: &str,
        line: &mut Assignments,
    ) -> Option<usize> {
        if !self.projects.contains_key(project) {
            let last = &mut self.last.project;
            allocate_name(&mut self.projects, project, last, &mut line.projects);
        }
        let name = format!("{project}/{component}");
        if self.components.contains_key(&name) {
            return None;
        }
        let component = RegisteredComponent::new(&mut self.last.component);
        let id = component.id;
        self.components.insert(name.clone(), Arc::new(component));
        line.components.push(ComponentIds {
            name,
            id,
            ..ComponentIds::default()
        });
        Some(line.components.len() - 1)
    }

    /// Allocates the id of a person who has none.
    pub fn allocate_user(&mut self, identity: &str, line: &mut Assignments) {
        if !self.users.contains_key(identity) {
            let users = Arc::make_mut(&mut self.users);
            allocate_name(users, identity, &mut self.last.user, &mut line.users);
        }
    }

    /// Allocates the ids of everything in a projection that has none, except users. `id_hashes` are those of its strings.
    /// Skips the units of translations whose ids are `known`, if these are theirs: their units have ids. `line_index` is the position
    /// in the line that [`Self::allocate_component`] returns.
    pub fn allocate(
        &mut self,
        name: &str,
        line_index: Option<usize>,
        projection: &Projection,
        id_hashes: impl Iterator<Item = i64>,
        known: impl Iterator<Item = Option<TranslationId>>,
        line: &mut Assignments,
    ) -> ProjectionIds {
        self.start_batch(line.batch);
        let last = &mut self.last;
        let component = self.components.entry(name.to_owned());
        let new = || Arc::new(RegisteredComponent::new(&mut last.component));
        let component = Arc::make_mut(component.or_insert_with(new));
        let mut new = ComponentIds {
            name: name.to_owned(),
            id: component.id,
            ..ComponentIds::default()
        };
        let keys = component.register_keys(id_hashes, &mut new);
        let (known_ids, last_id) = (&mut component.sources, &mut last.source);
        let sources = allocate_keys(known_ids, &keys, last_id, &mut new.sources);
        let (registered, last_id) = (&mut component.translations, &mut last.translation);
        let matches = match_translations(registered, projection, last_id, &mut new.translations);
        let mut ids = ProjectionIds {
            sources: sources.into_iter().map(SourceId).collect(),
            ..ProjectionIds::default()
        };
        let with_new = new.translations.iter().zip(0..);
        let with_new: SeededMap<u32, usize> = with_new.map(|(it, at)| (it.id, at)).collect();
        let translations = projection.translations.iter().zip(matches);
        for ((translation, at), known) in translations.zip(known) {
            let registered = &mut component.translations[at];
            let id = TranslationId(registered.id);
            ids.translations.push(id);
            if known == Some(id) {
                ids.units.push(Vec::new());
                continue;
            }
            let keys = keys_of_units(translation, &keys);
            let at = with_new.get(&registered.id).copied();
            let new = &mut new.translations;
            let units = registered.allocate_units(&keys, &mut last.unit, new, at);
            ids.units.push(units);
        }
        let is_empty = new.keys.is_empty() && new.sources.is_empty() && new.translations.is_empty();
        match line_index.and_then(|at| line.components.get_mut(at)) {
            Some(known) => *known = new,
            None if is_empty => {}
            None => line.components.push(new),
        }
        ids
    }

    /// The ids of everything in a projection, given those of its translations; `None` when a string has none, or a
    /// translation has a different number or an unknown id.
    pub fn lookup(
        &self,
        name: &str,
        projection: &Projection,
        translations: &[u32],
    ) -> Option<ProjectionIds> {
        if translations.len() != projection.translations.len() {
            return None;
        }
        let component = self.components.get(name)?;
        let key = |source: &SourceString| {
            let (texts, context) = (&projection.texts, projection.texts.get(source.context));
            let (id_hash, _) = (projection.shape).hashes(context, texts.get(source.source));
            component.keys.get(&key_hash(id_hash)).copied()
        };
        let keys: Vec<u32> = projection.sources.iter().map(key).collect::<Option<_>>()?;
        let id_of = |ids: &[u32], key: u32| ids.get(key as usize).copied().filter(|&id| id != 0);
        let source = |&key| id_of(&component.sources, key).map(SourceId);
        let mut ids = ProjectionIds {
            sources: keys.iter().map(source).collect::<Option<_>>()?,
            people: self.user_ids(&projection.people),
            ..ProjectionIds::default()
        };
        let mut seen = SeededSet::default();
        for (translation, &id) in projection.translations.iter().zip(translations) {
            let registered = component.translations.get(component.position(id).ok()?)?;
            if !seen.insert(id) {
                return None;
            }
            let keys = keys_of_units(translation, &keys);
            let unit = |&key| id_of(&registered.units, key).map(UnitId);
            let units = keys.iter().map(unit).collect::<Option<_>>()?;
            ids.translations.push(TranslationId(registered.id));
            ids.units.push(units);
        }
        Some(ids)
    }
}

/// The keys of a translation's units, given those of all strings.
fn keys_of_units<'k>(translation: &TranslationState, keys: &'k [u32]) -> Cow<'k, [u32]> {
    let count = translation.units.len();
    match &translation.bilingual {
        None => Cow::Borrowed(keys.get(..count).unwrap_or(keys)),
        Some(units) => {
            let strings = units.rows.iter().map(|row| row.string as usize);
            strings.filter_map(|at| keys.get(at).copied()).collect()
        }
    }
}
