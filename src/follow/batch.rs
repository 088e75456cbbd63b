//! Commits a batch: numbers the new log entries, allocates ids, records both in the ledger, and builds the component
//! snapshots. Source: `docs/spec/ids-and-ledger.md#batches`.

use std::sync::Arc;

use super::component::{Advance, ComponentState};
use super::replica_objects::ReplicaObjects;
use crate::catalog::{ComponentSnapshot, Ids, PreviousResults};
use crate::checks::Checker;
use crate::config::{HistoryMode, ProjectConfig};
use crate::history::Projection;
use crate::ledger::{
    Appended, Assignments, Batch, BatchDetails, IdRegistry, Ledger, LedgerError, Move, RULES,
};
use crate::model::{ChangeId, ComponentIndex, Project, Timestamp};

/// A batch that is being committed. Call the methods in the order of their definition.
pub(super) struct BatchCommit<'a> {
    ledger: &'a mut Ledger,
    components: &'a mut [ComponentState],
    projects: &'a [ProjectConfig],
    checker: &'a Checker,
    assignments: Assignments,
    /// The new log entries in the order of their change ids.
    entries: Vec<NewEntry>,
    projected: Vec<Projected>,
}

/// A new entry in the log of a component.
struct NewEntry {
    component: ComponentIndex,
    entry: usize,
}

/// A component's new state.
struct Projected {
    component: ComponentIndex,
    projection: Projection,
    ids: Ids,
}

/// The project of a configuration, with its id; `None` before an id is allocated.
pub(super) fn project_of(ids: &IdRegistry, config: &ProjectConfig) -> Option<Arc<Project>> {
    Some(Arc::new(Project {
        id: ids.project_id(config.slug.as_str())?,
        slug: config.slug.clone(),
        name: config.name.clone(),
        web: config.web.clone(),
        source_language: config.source_language.clone(),
    }))
}

impl<'a> BatchCommit<'a> {
    pub fn new(
        ledger: &'a mut Ledger,
        components: &'a mut [ComponentState],
        projects: &'a [ProjectConfig],
        checker: &'a Checker,
    ) -> Self {
        let (batch, first_change) = (ledger.next_batch(), ledger.ids.next_change());
        let assignments = Assignments {
            batch,
            first_change,
            ..Assignments::default()
        };
        Self {
            ledger,
            components,
            projects,
            checker,
            assignments,
            entries: Vec::new(),
            projected: Vec::new(),
        }
    }

    /// Allocates change ids to the new entries: by time, then component, then position in its log.
    pub fn number_entries(&mut self, advances: &[Advance]) {
        let new: Vec<&Advance> = advances
            .iter()
            .filter(|advance| !advance.replayed)
            .collect();
        let mut order: Vec<(Timestamp, u32, usize)> = Vec::new();
        for (nth, advance) in (0..).zip(&new) {
            if let Some(history) = &self.components[advance.component.0].history {
                let times = history.times_from(advance.first_entry);
                order.extend(
                    times
                        .zip(advance.first_entry..)
                        .map(|(time, entry)| (time, nth, entry)),
                );
            }
        }
        order.sort_unstable();
        let mut ids: Vec<Vec<ChangeId>> = vec![Vec::new(); new.len()];
        for (&(_, nth, entry), id) in order.iter().zip(self.assignments.first_change..) {
            ids[nth as usize].push(ChangeId(id));
            self.entries.push(NewEntry {
                component: new[nth as usize].component,
                entry,
            });
            match self.assignments.changes.last_mut() {
                Some((last, count)) if *last == nth => *count += 1,
                _ => self.assignments.changes.push((nth, 1)),
            }
        }
        for (advance, ids) in new.iter().zip(ids) {
            if let Some(history) = &mut self.components[advance.component.0].history {
                history.set_change_ids(advance.first_entry, ids);
            }
        }
        self.ledger.ids.advance_changes(order.len() as u32);
    }

    /// Projects the state of each component at its new tip. Returns the components whose mirrors are corrupt.
    pub fn project(&mut self, advances: &[Advance]) -> Vec<ComponentIndex> {
        let mut damaged = Vec::new();
        for &Advance {
            component: index, ..
        } in advances
        {
            let component = &mut self.components[index.0];
            match component.project() {
                Ok(projection) => {
                    component.log_problems(&projection);
                    self.projected.push(Projected {
                        component: index,
                        projection,
                        ids: Ids::default(),
                    });
                }
                Err(error) => {
                    damaged.extend(error.is_damage().then_some(index));
                    component.fail(error.to_string());
                }
            }
        }
        damaged
    }

    /// Allocates the ids of everything that has none: projects and components, then the contents of each component,
    /// then users by first appearance in the new entries.
    pub fn allocate_ids(&mut self) {
        let (ids, assignments) = (&mut self.ledger.ids, &mut self.assignments);
        for Projected { component, .. } in &self.projected {
            let component = &self.components[component.0];
            ids.allocate_component(&component.project_slug, &component.slug, assignments);
        }
        for projected in &mut self.projected {
            let component = &self.components[projected.component.0];
            let unchanged = |state: &_| {
                component
                    .snapshot
                    .as_ref()
                    .is_some_and(|snapshot| snapshot.has(&projected.projection, state))
            };
            projected.ids = ids.allocate(
                &component.name,
                &projected.projection,
                &unchanged,
                assignments,
            );
        }
        for new in &self.entries {
            let projected = self
                .projected
                .iter()
                .find(|projected| projected.component == new.component);
            let Some(projection) = projected.map(|projected| &projected.projection) else {
                continue;
            };
            let Some(entry) = projection
                .log
                .get(new.entry)
                .filter(|entry| entry.action.names_user())
            else {
                continue;
            };
            let Some(commit) = projection.log.commits.get(entry.commit as usize) else {
                continue;
            };
            if let Some(person) = projection.people.get(commit.author.0 as usize) {
                ids.allocate_user(&person.identity, assignments);
            }
        }
        for projected in &mut self.projected {
            projected.ids.people = ids.user_ids(&projected.projection.people);
        }
    }

    /// Stores the objects that the batch needs for other replicas. Returns the names of the packs.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn store_packs(
        &mut self,
        advances: &[Advance],
        objects: &mut ReplicaObjects,
    ) -> Result<Vec<String>, LedgerError> {
        match self.ledger.shared() {
            Some(shared) => objects.store_packs(self.components, advances, shared),
            None => Ok(Vec::new()),
        }
    }

    /// Writes the batch to the ledger.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn record(
        &mut self,
        advances: &[Advance],
        mode: HistoryMode,
        observed_at: Timestamp,
        mut details: BatchDetails,
    ) -> Result<Appended, LedgerError> {
        let new = advances
            .iter()
            .filter(|advance| !advance.replayed)
            .map(|advance| {
                let component = &self.components[advance.component.0];
                Move {
                    component: component.name.clone(),
                    fingerprint: component.fingerprint.clone(),
                    history: mode_name(mode).to_owned(),
                    from: advance.from.map(|from| from.to_string()),
                    to: advance.to.to_string(),
                }
            });
        let moves: Vec<Move> = new.collect();
        let assignments = std::mem::take(&mut self.assignments);
        if moves.is_empty() && !assignments.allocates_ids() {
            return Ok(Appended::Recorded);
        }
        let number = assignments.batch;
        let batch = Batch {
            batch: number,
            seen: observed_at.0,
            rules: RULES,
            moves,
        };
        for advance in advances.iter().filter(|advance| !advance.replayed) {
            let component = &self.components[advance.component.0];
            let branch = component.config.branch.clone();
            details.branches.insert(component.name.clone(), branch);
        }
        let appended = self.ledger.append(batch, assignments, details)?;
        if appended == Appended::Recorded {
            for advance in advances.iter().filter(|advance| !advance.replayed) {
                self.components[advance.component.0].recorded_in(number);
            }
        }
        Ok(appended)
    }

    /// Builds the snapshots of the components.
    pub fn build_snapshots(self) {
        for Projected {
            component,
            projection,
            ids,
        } in self.projected
        {
            let component = &mut self.components[component.0];
            let config = self
                .projects
                .iter()
                .find(|project| project.slug.as_str() == component.project_slug);
            let Some(project) = config.and_then(|config| project_of(&self.ledger.ids, config))
            else {
                continue;
            };
            component.people = projection.people.clone();
            if let Some(id) = self.ledger.ids.component_id(&component.name) {
                component.config.id = id;
            }
            component.config.project = project.id;
            let config = Arc::new(component.config.clone());
            let before = component
                .snapshot
                .as_deref()
                .map_or(PreviousResults::Nothing, PreviousResults::Snapshot);
            let checker = component.checker(self.checker);
            let snapshot =
                ComponentSnapshot::new(project, config, projection, ids, &checker, before);
            component.snapshot = Some(Arc::new(snapshot));
            component.previous = None;
            component.shown = component.tip;
        }
    }
}

/// The history mode as the ledger records it.
pub(super) fn mode_name(mode: HistoryMode) -> &'static str {
    match mode {
        HistoryMode::Full => "full",
        HistoryMode::None => "none",
    }
}
