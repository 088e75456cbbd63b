//! Commits a batch: numbers the new log entries, allocates ids, records both in the ledger, and builds the component
//! snapshots. All states of a batch are projected before, so that no id is allocated that is not shown.
//! Source: `docs/spec/ids-and-ledger.md#batches`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::component::{Advance, ComponentState, FollowedChecks, Served};
use super::lookup::Lookup;
use super::moved_strings::MovedStrings;
use super::replica_objects::{ReplicaObjects, StoredPacks};
use gitglot_catalog::PreparedRows;
use gitglot_history::Projection;
use gitglot_ledger::{
    Appended, Assignments, Batch, BatchDetails, Ledger, LedgerError, Move, RULES,
};
use gitglot_model::{ChangeId, ComponentIndex, ProjectionIds, Timestamp, steps};

/// A batch that is being committed.
pub(super) struct BatchCommit<'a> {
    ledger: &'a mut Ledger,
    components: &'a mut [ComponentState],
    advances: &'a [Advance],
    assignments: Assignments,
    /// The component of each new log entry and its position in the log, in the order of their change ids.
    entries: Vec<(ComponentIndex, usize)>,
    projected: Vec<Projected>,
}

/// A component's new state.
struct Projected {
    component: ComponentIndex,
    projection: Projection,
    rows: PreparedRows,
    ids: ProjectionIds,
}

impl<'a> BatchCommit<'a> {
    /// A batch of advances and the states that they lead to, with the rows that steps have prepared.
    pub fn new(
        ledger: &'a mut Ledger,
        components: &'a mut [ComponentState],
        advances: &'a [Advance],
        projections: Vec<Projection>,
        mut rows: HashMap<ComponentIndex, PreparedRows>,
        checks: &FollowedChecks,
    ) -> Self {
        let (batch, first_change) = (ledger.next_batch(), ledger.ids.next_change());
        let assignments = Assignments {
            batch,
            first_change,
            ..Assignments::default()
        };
        let projected = advances.iter().zip(projections);
        let projected = projected.map(|(&Advance { component, .. }, projection)| {
            let prepared = rows
                .remove(&component)
                .filter(|prepared| prepared.is_of(&projection));
            let state = &components[component.get()];
            let rows = prepared.unwrap_or_else(|| state.prepare_rows(&projection, checks));
            Projected {
                component,
                projection,
                rows,
                ids: ProjectionIds::default(),
            }
        });
        let projected = projected.collect();
        Self {
            ledger,
            components,
            advances,
            assignments,
            entries: Vec::new(),
            projected,
        }
    }

    /// Records the batch and builds the component snapshots, unless another replica was faster.
    ///
    /// # Errors
    /// When the ledger or the store cannot be written.
    pub fn run(
        mut self,
        observed_at: Timestamp,
        mut objects: Option<&mut ReplicaObjects>,
        lookup: &Lookup,
        moved: &MovedStrings,
    ) -> Result<Appended, LedgerError> {
        self.number_entries();
        self.allocate_ids();
        let mut packs = StoredPacks::default();
        match (&mut objects, self.ledger.shared()) {
            (Some(objects), Some(shared)) => {
                packs = objects.store_packs(self.components, self.advances, shared)?;
            }
            _ => packs.failed.extend(self.new_advances().map(|advance| {
                let component = &self.components[advance.component.get()];
                component.name.clone()
            })),
        }
        let appended = self.record(observed_at, packs)?;
        if appended == Appended::Recorded {
            self.build_snapshots(lookup, moved);
            if let Some(objects) = objects {
                objects.confirm_packs();
            }
        }
        Ok(appended)
    }

    /// The advances that the ledger does not record yet.
    fn new_advances(&self) -> impl Iterator<Item = &'a Advance> + use<'a> {
        self.advances.iter().filter(|advance| !advance.replayed)
    }

    /// Allocates change ids to the new entries: by time, then component, then position in its log.
    fn number_entries(&mut self) {
        let new: Vec<&Advance> = self.new_advances().collect();
        let mut order: Vec<(Timestamp, u32, usize)> = Vec::new();
        for (nth, advance) in (0..).zip(&new) {
            let component = &self.components[advance.component.get()];
            if let Some(history) = component.phase.history() {
                let times = history.log().times_from(advance.first_entry);
                let times = times.zip(advance.first_entry..);
                order.extend(times.map(|(time, entry)| (time, nth, entry)));
            }
        }
        order.sort_unstable();
        steps::count(order.len());
        let mut ids: Vec<Vec<ChangeId>> = vec![Vec::new(); new.len()];
        for (&(_, nth, entry), id) in order.iter().zip(self.assignments.first_change..) {
            ids[nth as usize].push(ChangeId(id));
            self.entries.push((new[nth as usize].component, entry));
            match self.assignments.changes.last_mut() {
                Some((last, count)) if *last == nth => *count += 1,
                _ => self.assignments.changes.push((nth, 1)),
            }
        }
        let all = self.advances.iter().zip(&mut self.projected);
        let new = all.filter(|(advance, _)| !advance.replayed);
        for ((advance, Projected { projection, .. }), ids) in new.zip(ids) {
            let component = &mut self.components[advance.component.get()];
            if let Some(history) = component.phase.history_mut() {
                // Entries that the projection shares would be copied.
                projection.log = Arc::default();
                history.set_change_ids(advance.first_entry, ids);
                projection.log = history.log().clone();
            }
        }
        self.ledger.ids.advance_changes(order.len() as u32);
    }

    /// Allocates the ids of everything that has none: projects and components, then the contents of each component,
    /// then users by first appearance in the new entries.
    fn allocate_ids(&mut self) {
        let may_record = self.ledger.read_only().is_none();
        let (ids, assignments) = (&mut self.ledger.ids, &mut self.assignments);
        let line_indexes = self.projected.iter().map(|Projected { component, .. }| {
            let component = &self.components[component.get()];
            let slug = component.config.slug.as_str();
            ids.allocate_component(&component.project_slug, slug, assignments)
        });
        let line_indexes: Vec<Option<usize>> = line_indexes.collect();
        for (projected, line_index) in self.projected.iter_mut().zip(line_indexes) {
            let rows = &projected.rows;
            projected.ids = ids.allocate(
                &self.components[projected.component.get()].name,
                line_index,
                &projected.projection,
                rows.id_hashes(),
                rows.with_ids(),
                assignments,
            );
        }
        let by_component = self
            .projected
            .iter()
            .map(|projected| (projected.component, projected));
        let by_component: HashMap<ComponentIndex, &Projected> = by_component.collect();
        for &(component, entry) in &self.entries {
            let projected = by_component.get(&component);
            let author = projected.and_then(|Projected { projection, .. }| {
                let entry = projection.log.get(entry);
                let entry = entry.filter(|entry| entry.action.names_user())?;
                let commit = projection.log.commits.get(entry.commit as usize)?;
                projection.people.get(commit.author.0 as usize)
            });
            if let Some(person) = author {
                ids.allocate_user(&person.identity, assignments);
            }
        }
        for projected in &mut self.projected {
            // An older version recorded entries without the ids of their authors if it could not show them.
            let known = projected.projection.people.iter().filter(|_| may_record);
            known.for_each(|person| ids.allocate_user(&person.identity, assignments));
            projected.ids.people = ids.user_ids(&projected.projection.people);
        }
    }

    /// Writes the batch to the ledger.
    fn record(
        &mut self,
        observed_at: Timestamp,
        StoredPacks { packs, failed }: StoredPacks,
    ) -> Result<Appended, LedgerError> {
        let (mut moves, mut branches) = (Vec::new(), BTreeMap::new());
        for advance in self.new_advances() {
            let component = &self.components[advance.component.get()];
            if !failed.contains(&component.name) {
                branches.insert(component.name.clone(), component.config.branch.clone());
            }
            moves.push(Move {
                component: component.name.clone(),
                fingerprint: component.fingerprint.clone(),
                history: component.mode_name().to_owned(),
                from: advance.from.map(|from| from.to_string()),
                to: advance.to.to_string(),
            });
        }
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
        let details = BatchDetails { branches, packs };
        let appended = self.ledger.append(batch, assignments, details)?;
        if appended == Appended::Recorded {
            for advance in self.new_advances() {
                self.components[advance.component.get()].recorded_in(number);
            }
        }
        Ok(appended)
    }

    /// Builds the snapshots of the components.
    fn build_snapshots(self, lookup: &Lookup, moved: &MovedStrings) {
        for Projected {
            component: index,
            projection,
            rows,
            ids,
        } in self.projected
        {
            let arrivals = moved.arrivals(index, self.components, &self.ledger.ids);
            let component = &mut self.components[index.get()];
            let Some(project) = lookup.project(&self.ledger.ids, &component.project_slug) else {
                continue;
            };
            component.log_problems(&projection);
            component.people = projection.people.clone();
            if let Some(id) = self.ledger.ids.component_id(&component.name) {
                component.config.id = id;
            }
            component.config.project = project.id;
            let config = Arc::new(component.config.clone());
            let snapshot = rows.into_component(project, config, projection, ids);
            let snapshot = Arc::new(snapshot.with_arrivals(arrivals));
            let applied = component.phase.log().map_or(0, |log| log.applied);
            component.served = Served::Current(snapshot, applied);
        }
    }
}
