//! Closing a batch: entries get their numbers, everything new its id, the ledger its lines.

use std::sync::Arc;

use super::component::Step;
use super::{FollowError, Follower};
use crate::catalog::{Before, ComponentSnapshot};
use crate::config::HistoryMode;
use crate::history::Projection;
use crate::ledger::{Assignments, Batch, Move, RULES};
use crate::model::{ChangeId, Timestamp};

impl Follower {
    /// Numbers, records and builds what the steps have brought. Gives the components whose repositories turned out to
    /// be damaged.
    pub(super) fn close_batch(
        &mut self,
        steps: Vec<(usize, Step)>,
        seen: Timestamp,
    ) -> Result<Vec<usize>, FollowError> {
        let mut damaged = Vec::new();
        let mut line = Assignments { batch: self.ledger.next_batch(), ..Assignments::default() };
        line.first_change = self.ledger.known.next_change();
        let new: Vec<(usize, Step)> = steps.iter().copied().filter(|(_, step)| !step.replayed).collect();
        let order = self.number_entries(&new, &mut line);

        let mut projected: Vec<(usize, Projection)> = Vec::new();
        for &(at, _) in &steps {
            match self.components[at].project() {
                Ok(projection) => {
                    self.components[at].tell_problems(&projection);
                    projected.push((at, projection));
                }
                Err(error) => {
                    damaged.extend(error.is_damage().then_some(at));
                    self.components[at].fail(error.to_string());
                }
            }
        }
        let names: Vec<_> = projected
            .iter()
            .map(|&(at, _)| (self.components[at].project_slug.clone(), self.components[at].slug.clone()))
            .collect();
        self.ledger.known.introduce(&names, &mut line);
        let mut ids: Vec<_> = projected
            .iter()
            .map(|(at, projection)| {
                let component = &self.components[*at];
                let has = |state: &_| component.snapshot.as_ref().is_some_and(|known| known.has(projection, state));
                self.ledger.known.assign(&component.name, projection, &has, &mut line)
            })
            .collect();
        self.name_users(&order, &projected, &mut line);

        let moves: Vec<Move> = new
            .iter()
            .map(|&(at, step)| Move {
                component: self.components[at].name.clone(),
                fingerprint: self.components[at].fingerprint.clone(),
                history: match self.mode {
                    HistoryMode::Full => "full".into(),
                    HistoryMode::None => "none".into(),
                },
                from: step.from.map(|from| from.to_string()),
                to: step.to.to_string(),
            })
            .collect();
        if !moves.is_empty() || line.hands_out() {
            let batch = Batch { batch: line.batch, seen: seen.0, rules: RULES, moves };
            self.ledger.append(batch, line)?;
        }

        for ((at, projection), mut ids) in projected.into_iter().zip(ids.drain(..)) {
            ids.people = self.people_of(&projection);
            let Some(project) = self.project_named(&self.components[at].project_slug) else { continue };
            let known = &self.ledger.known;
            let component = &mut self.components[at];
            component.people = projection.people.clone();
            if let Some(id) = known.component(&component.name) {
                component.config.id = id;
            }
            component.config.project = project.id;
            let config = Arc::new(component.config.clone());
            let before = component.snapshot.as_deref().map_or(Before::Nothing, Before::Snapshot);
            let snapshot = ComponentSnapshot::new(project, config, projection, ids, &self.checker, before);
            component.snapshot = Some(Arc::new(snapshot));
            component.older = None;
            component.shown = component.tip;
        }
        Ok(damaged)
    }

    /// Gives change ids to the new entries: by time, then component, then place in its log (design 2).
    /// Gives back components and places of entries in that order.
    fn number_entries(&mut self, steps: &[(usize, Step)], line: &mut Assignments) -> Vec<(usize, usize)> {
        let mut order: Vec<(Timestamp, u32, usize)> = Vec::new();
        for (nth, &(at, step)) in steps.iter().enumerate() {
            if let Some(history) = &self.components[at].history {
                let times = history.times_from(step.entries.0);
                order.extend(times.zip(step.entries.0..).map(|(time, entry)| (time, nth as u32, entry)));
            }
        }
        order.sort_unstable();
        let mut ids: Vec<Vec<ChangeId>> = vec![Vec::new(); steps.len()];
        for (&(_, nth, _), id) in order.iter().zip(line.first_change..) {
            ids[nth as usize].push(ChangeId(id));
            match line.changes.last_mut() {
                Some((last, count)) if *last == nth => *count += 1,
                _ => line.changes.push((nth, 1)),
            }
        }
        for (&(at, step), ids) in steps.iter().zip(ids) {
            if let Some(history) = &mut self.components[at].history {
                history.set_change_ids(step.entries.0, ids);
            }
        }
        self.ledger.known.skip_changes(order.len() as u32);
        order.into_iter().map(|(_, nth, entry)| (steps[nth as usize].0, entry)).collect()
    }

    /// Numbers the people that new entries name, by first appearance.
    fn name_users(&mut self, order: &[(usize, usize)], projected: &[(usize, Projection)], line: &mut Assignments) {
        for &(at, entry) in order {
            let Some((_, projection)) = projected.iter().find(|(projected, _)| *projected == at) else { continue };
            let Some(entry) = projection.log.get(entry).filter(|entry| entry.action.names_user()) else { continue };
            let Some(commit) = projection.log.commits.get(entry.commit as usize) else { continue };
            if let Some(person) = projection.people.get(commit.author.0 as usize) {
                self.ledger.known.user(&person.identity, line);
            }
        }
    }
}
