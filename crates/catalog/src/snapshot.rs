//! The snapshot of all data that requests read.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::component::ComponentSnapshot;
use super::current_log::RowsOfCommit;
use super::ids::{IdRun, IdRuns};
use super::merged::{Logs, MergeOrder, PreviousOrder, merged};
use super::views::{SourceView, TranslationView, UnitView};
use gitglot_history::FileProblem;
use gitglot_model::language::{Language, resolve};
use gitglot_model::{
    ChangeId, ComponentId, FirstIds, Log, PersistentVec, Project, ProjectId, SeededMap, SourceId,
    TranslationId, UnitId, UserId, steps,
};

/// All projects and components at one point in time. Immutable.
#[derive(Clone, Default, Debug)]
pub struct Snapshot {
    projects: Vec<ProjectEntry>,
    /// By component id.
    pub(super) components: Vec<Arc<ComponentSnapshot>>,
    /// Languages of translations: built-in ones in their order, then generated ones by translation id.
    languages: Vec<Language>,
    /// Component and translation indexes, by translation id.
    translations: Vec<(u32, u32)>,
    units: IdRuns,
    /// Component and translation of each list in `units`.
    unit_lists: Vec<(u32, u32)>,
    sources: IdRuns,
    /// Component and entry indexes by change id, if there are several components.
    pub(super) changes: PersistentVec<(u32, u32)>,
    users: Arc<[User]>,
    pub(super) time: Option<i64>,
    /// When responses changed last, in Unix seconds.
    pub(super) modified: Option<i64>,
    /// The same for pages, which also show [`Self::failures`].
    pub(super) page_modified: Option<i64>,
    pub(super) last_change: u32,
    /// The log of everything ends before this change.
    pub(super) held_back_from: Option<ChangeId>,
    pub(super) ledger: Option<Arc<str>>,
    pub(super) batch: u32,
    pub(super) generation: u64,
    /// The part of the generation that it is; 0 for all of it.
    pub(super) restriction: u64,
    /// [`digest`](super::digest()), once it was asked for.
    pub(super) digest: OnceLock<u64>,
    pub(super) failures: UpdateFailures,
    pub(super) failures_revision: u64,
    /// The entries of each user in the whole log, once they were asked for.
    pub(super) by_user: Arc<OnceLock<HashMap<u32, Vec<u32>>>>,
    /// The first ids of each batch, ascending.
    pub(super) first_ids: Arc<[FirstIds]>,
    /// The order of current Weblate, once it was asked for.
    pub(super) current_order: Arc<OnceLock<CurrentOrder>>,
    /// The rows of the whole log of current Weblate, once they were asked for.
    pub(super) current_rows: Arc<OnceLock<Arc<[RowsOfCommit]>>>,
    /// The component that was configured first with the same repository and branch, of each component, once it was
    /// asked for.
    pub(super) owners: Arc<OnceLock<Vec<u32>>>,
    /// The problems that are derived from all components, once they were asked for.
    pub(super) derived_problems: OnceLock<ProblemsById>,
}

/// The objects in the order of the ids that current Weblate gives: batch by batch, in each the source language first
/// and then the other languages by code.
#[derive(Default, Debug)]
pub(super) struct CurrentOrder {
    /// Component and translation indexes.
    pub(super) translations: Vec<(u32, u32)>,
    pub(super) units: IdRuns,
    /// Component and translation indexes of the languages' first translations, by code.
    pub(super) languages: Vec<(u32, u32)>,
}

/// Problems by the component that shows them.
pub(super) type ProblemsById = Arc<SeededMap<ComponentId, Vec<FileProblem>>>;

/// When responses changed last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModifiedDate {
    /// In Unix seconds.
    pub seconds: i64,
    /// Whether it is the time of a batch, which all replicas have. Other dates are those of this process.
    pub is_recorded: bool,
}

/// Why components cannot be served or may lack newer commits, by `project/component`.
pub type UpdateFailures = Arc<BTreeMap<String, String>>;

#[derive(Clone, Debug)]
pub(super) struct ProjectEntry {
    project: Arc<Project>,
    /// Indexes of its components, by priority, name and id.
    pub(super) components: Vec<u32>,
    /// Component and entry indexes by time, if it has several components.
    pub(super) changes: PersistentVec<(u32, u32)>,
}

/// A person in the change log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    /// The id in `user` and `author`.
    pub id: UserId,
    /// A name without whitespace, derived from the full name.
    pub username: Arc<str>,
    /// The name in the newest commit.
    pub full_name: Arc<str>,
}

/// The indexes of the components of each project.
fn indexes_by_project(components: &[Arc<ComponentSnapshot>]) -> HashMap<ProjectId, Vec<u32>> {
    let mut indexes: HashMap<ProjectId, Vec<u32>> = HashMap::new();
    for (at, component) in (0..).zip(components) {
        indexes.entry(component.project.id).or_default().push(at);
    }
    indexes
}

impl Snapshot {
    /// Builds a snapshot, which shares unchanged data with the previous one. `projects` are all configured projects, by
    /// id, including those without a readable component. `users` are sorted by id.
    pub fn after(
        before: Option<&Self>,
        projects: Vec<Arc<Project>>,
        mut components: Vec<Arc<ComponentSnapshot>>,
        users: Arc<[User]>,
    ) -> Self {
        components.sort_by_key(|component| component.component.id);
        let mut unit_lists = Vec::new();
        let (mut unit_runs, mut source_runs) = (Vec::new(), Vec::new());
        let mut translations = Vec::new();
        for (at, component) in components.iter().enumerate() {
            let list = at as u32;
            let blocks = component.source_order.blocks().iter();
            source_runs.extend(blocks.map(|&run| IdRun { list, ..run }));
            for (index, translation) in component.translations.iter().enumerate() {
                let list = unit_lists.len() as u32;
                unit_lists.push((at as u32, index as u32));
                let blocks = translation.id_order.blocks().iter();
                unit_runs.extend(blocks.map(|&run| IdRun { list, ..run }));
                translations.push((translation.id, (at as u32, index as u32)));
            }
        }
        steps::count(source_runs.len() + unit_runs.len() + translations.len());
        translations.sort_unstable();
        let known = before.map_or_else(Vec::new, |before| logs_of(&before.components));
        let logs = logs_of(&components);
        let mut members = indexes_by_project(&components);
        let older_entries = before.iter().flat_map(|before| &before.projects);
        let older_entries = older_entries.map(|entry| (entry.project.id, entry));
        let older_entries: HashMap<ProjectId, &ProjectEntry> = older_entries.collect();
        let entries = projects.into_iter().map(|project| {
            let older = older_entries.get(&project.id).map(|entry| PreviousOrder {
                logs: &known,
                indexes: &entry.components,
                order: &entry.changes,
            });
            let indexes = members.remove(&project.id).unwrap_or_default();
            ProjectEntry::new(project, indexes, &components, &logs, older)
        });
        let indexes = |logs: &Logs<'_>| (0..logs.len() as u32).collect::<Vec<_>>();
        let known_components = indexes(&known);
        let older = before.map(|before| PreviousOrder {
            logs: &known,
            indexes: &known_components,
            order: &before.changes,
        });
        Self {
            projects: entries.collect(),
            changes: merged(&logs, &indexes(&logs), MergeOrder::Id, older),
            languages: languages_of(&components),
            components,
            translations: translations.into_iter().map(|(_, index)| index).collect(),
            units: IdRuns::new(unit_runs),
            unit_lists,
            sources: IdRuns::new(source_runs),
            users,
            ..Self::default()
        }
    }

    /// Sets the largest change id ever assigned, even if its entry no longer exists.
    pub fn numbered_to(self, last: ChangeId) -> Self {
        Self {
            last_change: last.0,
            ..self
        }
    }

    /// Ends the log of everything before a change, which is assigned but cannot be shown yet: clients that continue after
    /// a greater id would never get it (docs/spec/ids-and-ledger.md#change-ids).
    pub fn held_back_from(self, first: Option<ChangeId>) -> Self {
        let last = first.map_or(self.last_change, |first| first.0.saturating_sub(1));
        Self {
            last_change: self.last_change.min(last),
            held_back_from: first,
            ..self
        }
    }

    /// Sets the id of the ledger that records the snapshot, and the newest batch that the snapshot contains.
    pub fn recorded_in(self, ledger: Option<String>, batch: u32) -> Self {
        Self {
            ledger: ledger.map(Arc::from),
            batch,
            ..self
        }
    }

    /// The newest batch of the ledger that the snapshot contains. Snapshots with the same ledger, batch and
    /// configuration are equal.
    pub fn batch(&self) -> u32 {
        self.batch
    }

    /// The id of the ledger that records the snapshot. Change ids of different ledgers are unrelated.
    pub fn ledger(&self) -> Option<&str> {
        self.ledger.as_deref()
    }

    /// Sets the time at which the newest batch was observed, in Unix seconds.
    pub fn at(self, time: i64) -> Self {
        Self {
            time: Some(time),
            ..self
        }
    }

    /// The number of the snapshot: each one that is published has a greater one. Snapshots of the same generation
    /// differ only in [`Self::failures`], so caches compare this number.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Increases with each change of [`Self::failures`], which does not change the generation.
    pub fn failures_revision(&self) -> u64 {
        self.failures_revision
    }

    /// Why components cannot be served or may lack newer commits.
    pub fn failures(&self) -> &UpdateFailures {
        &self.failures
    }

    /// The time at which the newest batch was observed, in Unix seconds, if set.
    pub fn time(&self) -> Option<i64> {
        self.time
    }

    /// When responses that show the snapshot changed last, in Unix seconds, if known: by a batch or a new configuration.
    /// A published snapshot has a greater time than the previous one (docs/spec/http.md#caching).
    pub fn modified(&self) -> Option<ModifiedDate> {
        self.date(self.modified)
    }

    /// As [`Self::modified`], for pages, which [`Self::failures`] change, too.
    pub fn page_modified(&self) -> Option<ModifiedDate> {
        self.date(self.modified.max(self.page_modified))
    }

    fn date(&self, own: Option<i64>) -> Option<ModifiedDate> {
        Some(ModifiedDate {
            seconds: own.max(self.time)?,
            is_recorded: self.time >= own,
        })
    }

    /// All projects, by id.
    pub fn projects(&self) -> impl ExactSizeIterator<Item = &Arc<Project>> {
        self.projects.iter().map(|entry| &entry.project)
    }

    /// Finds a project by slug.
    pub fn project(&self, slug: &str) -> Option<&Arc<Project>> {
        self.entry(slug).map(|entry| &entry.project)
    }

    pub(super) fn entry(&self, slug: &str) -> Option<&ProjectEntry> {
        let mut projects = self.projects.iter();
        projects.find(|entry| entry.project.slug.as_str() == slug)
    }

    /// All components, by id.
    pub fn components(&self) -> &[Arc<ComponentSnapshot>] {
        &self.components
    }

    /// The components of a project by priority, name and id; empty for an unknown project.
    pub fn components_of(
        &self,
        project: &str,
    ) -> impl ExactSizeIterator<Item = &Arc<ComponentSnapshot>> {
        let entry = self.entry(project);
        let indexes = entry.map_or(&[][..], |entry| &entry.components).iter();
        indexes.map(|&at| &self.components[at as usize])
    }

    /// Finds a component by slugs.
    pub fn component(&self, project: &str, slug: &str) -> Option<&Arc<ComponentSnapshot>> {
        let mut components = self.components_of(project);
        components.find(|component| component.component.slug.as_str() == slug)
    }

    pub(super) fn component_at(&self, at: u32) -> Option<&ComponentSnapshot> {
        self.components.get(at as usize).map(Arc::as_ref)
    }

    /// The languages of translations, in the order of `/api/languages/`.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Finds a language of translations by code.
    pub fn language(&self, code: &str) -> Option<&Language> {
        let mut languages = self.languages.iter();
        languages.find(|language| &*language.code == code)
    }

    /// Finds a language of translations or of the source texts of a project by code. Weblate 3.4 serves only the
    /// former; without the latter, links to source languages would be broken.
    pub fn language_or_source(&self, code: &str) -> Option<Language> {
        let sources = self.projects();
        let mut sources = sources.map(|project| resolve(&project.source_language));
        let source = || sources.find(|language| &*language.code == code);
        self.language(code).cloned().or_else(source)
    }

    /// Number of translations.
    pub fn translation_count(&self) -> usize {
        self.translations.len()
    }

    /// All translations by id, from a 0-based rank on.
    pub fn translations_from(&self, rank: usize) -> impl Iterator<Item = TranslationView<'_>> {
        let from_rank = self.translations.get(rank..).unwrap_or_default().iter();
        from_rank.map(|&(component, index)| self.translation_at(component, index))
    }

    /// Finds a translation by slugs and language code.
    pub fn translation(
        &self,
        project: &str,
        component: &str,
        language: &str,
    ) -> Option<TranslationView<'_>> {
        self.component(project, component)?.translation_in(language)
    }

    pub(super) fn translation_at(&self, component: u32, translation: u32) -> TranslationView<'_> {
        let component = &*self.components[component as usize];
        component.view_of(&component.translations[translation as usize])
    }

    /// Number of units.
    pub fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// All units by id, from a 0-based rank on.
    pub fn units_from(&self, rank: usize) -> impl Iterator<Item = UnitView<'_>> {
        let units = self.units.from_rank(rank);
        units.filter_map(|(list, rank)| self.unit_at(list, rank))
    }

    /// Finds a unit by id.
    pub fn unit(&self, id: UnitId) -> Option<UnitView<'_>> {
        let (list, rank) = self.units.find(id.0)?;
        self.unit_at(list, rank)
    }

    fn unit_at(&self, list: u32, rank: u32) -> Option<UnitView<'_>> {
        let &(component, translation) = self.unit_lists.get(list as usize)?;
        let view = self.translation_at(component, translation);
        view.unit(view.translation.id_order.row(rank))
    }

    /// Number of sources.
    pub fn source_count(&self) -> usize {
        self.sources.len()
    }

    /// All sources by id, from a 0-based rank on.
    pub fn sources_from(&self, rank: usize) -> impl Iterator<Item = SourceView<'_>> {
        let sources = self.sources.from_rank(rank);
        sources.filter_map(|(component, rank)| self.source_at(component, rank))
    }

    /// Finds a source by id.
    pub fn source(&self, id: SourceId) -> Option<SourceView<'_>> {
        let (component, rank) = self.sources.find(id.0)?;
        self.source_at(component, rank)
    }

    fn source_at(&self, component: u32, rank: u32) -> Option<SourceView<'_>> {
        let component = self.component_at(component)?;
        let row = component.source_order.row(rank);
        Some(SourceView {
            component,
            row,
            source: component.sources.get(row as usize)?,
        })
    }

    /// All users, by id.
    pub fn users(&self) -> &[User] {
        &self.users
    }

    /// Finds a user by id.
    pub fn user(&self, id: UserId) -> Option<&User> {
        let at = self.users.binary_search_by_key(&id, |user| user.id).ok()?;
        Some(&self.users[at])
    }

    /// The number of the part of a generation that the snapshot is; 0 for all of it.
    pub fn restriction(&self) -> u64 {
        self.restriction
    }

    pub(super) fn component_of_id(&self, id: ComponentId) -> Option<&ComponentSnapshot> {
        self.component_at(self.index_of_id(id)?)
    }

    pub(super) fn index_of(&self, component: &ComponentSnapshot) -> Option<u32> {
        self.index_of_id(component.component.id)
    }

    fn index_of_id(&self, id: ComponentId) -> Option<u32> {
        let components = &self.components;
        let at = components.binary_search_by_key(&id, |component| component.component.id);
        Some(at.ok()? as u32)
    }
}

impl ProjectEntry {
    /// The project with the components at `indexes` of `all`.
    fn new(
        project: Arc<Project>,
        mut indexes: Vec<u32>,
        all: &[Arc<ComponentSnapshot>],
        logs: &Logs<'_>,
        older: Option<PreviousOrder<'_>>,
    ) -> Self {
        indexes.sort_by_key(|&at| {
            let component = &all[at as usize].component;
            (component.priority, component.name.clone(), component.id)
        });
        let changes = merged(logs, &indexes, MergeOrder::Time, older);
        Self {
            project,
            components: indexes,
            changes,
        }
    }
}

/// The languages of translations: built-in ones in their order, then generated ones by translation id.
fn languages_of(components: &[Arc<ComponentSnapshot>]) -> Vec<Language> {
    let translations = components
        .iter()
        .flat_map(|component| &component.translations);
    let languages = translations.map(|translation| (translation.id, &translation.language));
    let mut languages: Vec<(TranslationId, &Language)> = languages.collect();
    languages.sort_by_key(|(id, language)| (language.rank.is_none(), language.rank, *id));
    let mut seen = HashSet::new();
    languages.retain(|(_, language)| seen.insert(language.code.clone()));
    languages
        .into_iter()
        .map(|language| language.1.clone())
        .collect()
}

fn logs_of(components: &[Arc<ComponentSnapshot>]) -> Vec<(ComponentId, &Log)> {
    let components = components.iter();
    components
        .map(|component| (component.component.id, &*component.log))
        .collect()
}
