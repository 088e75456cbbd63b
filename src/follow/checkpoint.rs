//! Going on from a checkpoint: the log and the rows of a component as they were, without reading its history.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::component::{Followed, Restored};
use super::{Follower, Found};
use crate::catalog::{Before, ComponentSnapshot};
use crate::config::HistoryMode;
use crate::history::History;
use crate::ledger::{Ledger, RULES};
use crate::model::binary_codec::Reader;

/// A checkpoint is written again after this many moves of its component…
const MOVES: usize = 32;
/// … or this many new entries.
const ENTRIES: usize = 2_000;
/// What is put off is done when no batch has come for so long…
const QUIET: Duration = Duration::from_millis(200);
/// … or so long after it was put off first.
const PATIENCE: Duration = Duration::from_secs(10);

impl Followed {
    /// What a checkpoint after a batch depends on, hashed: program, configuration, rules, words of the checks, and
    /// all that the ledger says of the component's log up to there. `None` when the log does not begin before.
    fn checkpoint_key(&self, ledger: &Ledger, batch: u32, checks: &str) -> Option<String> {
        let (moves, begin) = self.moves(ledger)?;
        let last = moves.iter().rposition(|(known, _, _)| known.batch == batch)?;
        let covered = moves.get(begin..=last)?;
        let mut hasher = blake3::Hasher::new();
        let head = (env!("CARGO_PKG_VERSION"), RULES, &self.name, &self.fingerprint, checks);
        hasher.update(serde_json::to_string(&head).ok()?.as_bytes());
        for (batch, ids, nth) in covered {
            let line = (batch.batch, batch.seen, &batch.moves[*nth], ids.first_change, &ids.changes, nth);
            hasher.update(serde_json::to_string(&line).ok()?.as_bytes());
        }
        Some(hasher.finalize().to_string())
    }
}

impl Follower {
    /// Puts a component where its checkpoint says it was, if it has one that can be trusted.
    pub(super) fn restore(&mut self, at: usize, found: &Found) {
        let component = &self.components[at];
        let wanted = component.mode == HistoryMode::Full && component.history.is_none() && !component.looked_back;
        if !wanted || component.last_move(&self.ledger).is_none() {
            return;
        }
        self.components[at].looked_back = true;
        let kept = match self.checkpoints.read(&self.components[at].name) {
            Ok(Some(kept)) => kept,
            Ok(None) => return,
            Err(why) => return self.distrust(at, &why.to_string()),
        };
        match self.restored(at, found, &mut Reader::new(kept.state())) {
            Ok((restored, history, snapshot)) => {
                let component = &mut self.components[at];
                (component.tip, component.history) = (history.tip(), Some(history));
                component.config = (*snapshot.component).clone();
                component.snapshot = Some(Arc::new(snapshot));
                component.shown = component.tip;
                component.restored = Some(restored);
                component.saved = Some((0, restored.entries));
            }
            Err(why) => self.distrust(at, why),
        }
    }

    fn distrust(&self, at: usize, why: &str) {
        let name = &self.components[at].name;
        tracing::warn!(component = name, "the checkpoint of {name} is not used: {why}; its history is read again");
    }

    fn restored(
        &self,
        at: usize,
        found: &Found,
        from: &mut Reader<'_>,
    ) -> Result<(Restored, History, ComponentSnapshot), &'static str> {
        let component = &self.components[at];
        let (batch, key) = from.u32().zip(from.text().map(str::to_owned)).ok_or("it is damaged")?;
        if component.checkpoint_key(&self.ledger, batch, &self.checks) != Some(key) {
            return Err("ledger, configuration or program are no longer those that it was made with");
        }
        let mut config = component.config.clone();
        config.branch.clone_from(&found.branch);
        let known = &self.ledger.known;
        config.id = known.component(&component.name).ok_or("the ledger does not know the component")?;
        config.project = known.project(&component.project_slug).ok_or("the ledger does not know the project")?;
        let config = Arc::new(config);
        let nonsense = "it makes no sense";
        let mut history = History::load(config.clone(), &component.source_language, from).ok_or(nonsense)?;
        let failing = from.list(8, |from| Some(from.u32s()?.collect())).ok_or(nonsense)?;
        if !from.is_at_end() {
            return Err(nonsense);
        }
        let projection =
            history.project(&found.repository).map_err(|_| "the repository has not the commit it was made at")?;
        let mut ids = known.ids_of(&component.name, &projection).ok_or("the ledger lacks an id that it needs")?;
        ids.people = self.people_of(&projection);
        let project = self.project_named(&component.project_slug).ok_or("its project is not configured")?;
        let restored = Restored { batch, entries: history.log_len() };
        let before = Before::Failing(&failing);
        let snapshot = ComponentSnapshot::new(project, config, projection, ids, &self.checker, before);
        Ok((restored, history, snapshot))
    }

    /// When it is time to catch up, so that a push seldom waits for it; `None` when nothing is put off.
    pub(super) fn catch_up_at(&self) -> Option<Instant> {
        self.put_off.map(|(since, last)| (last + QUIET).min(since + PATIENCE))
    }

    /// Does what was put off: writes the checkpoints of components that have moved far enough since the last one, and
    /// lets logs that come from one find their texts again.
    pub fn catch_up(&mut self) {
        self.put_off = None;
        for at in 0..self.components.len() {
            self.save_if(at, |moves, entries| moves >= MOVES || entries >= ENTRIES);
            if let Some(history) = &mut self.components[at].history {
                history.name_texts();
            }
        }
    }

    /// Writes the checkpoints that the next start would have to go on from, until there is no more time.
    pub(super) fn write_checkpoints(&mut self, until: Instant) {
        for at in 0..self.components.len() {
            self.save_if(at, |moves, _| moves > 0 && Instant::now() < until);
        }
    }

    /// Writes the checkpoint of a component that is well, by how many moves and entries came since the last one.
    fn save_if(&mut self, at: usize, due: impl FnOnce(usize, usize) -> bool) {
        let component = &mut self.components[at];
        let Some(history) = &component.history else { return };
        let entries = history.log_len();
        let (moves, new) =
            component.saved.map_or((usize::MAX, entries), |(moves, saved)| (moves, entries.saturating_sub(saved)));
        if component.snapshot.is_some() && component.failure.is_none() && due(moves, new) {
            component.saved = Some((0, entries));
            self.save_checkpoint(at);
        }
    }

    fn save_checkpoint(&mut self, at: usize) {
        let component = &self.components[at];
        let Some((batch, _)) = component.last_move(&self.ledger) else { return };
        let batch = batch.batch;
        let Some(key) = component.checkpoint_key(&self.ledger, batch, &self.checks) else { return };
        let component = &mut self.components[at];
        let (Some(history), Some(snapshot)) = (&mut component.history, &component.snapshot) else { return };
        let written = self.checkpoints.write(&component.name, |out| {
            out.u32(batch);
            out.text(&key);
            history.save(out);
            out.list(snapshot.translations.iter(), |out, translation| {
                out.u32s(translation.failing_rows().collect::<Vec<_>>().into_iter());
            });
        });
        if let Err(error) = written {
            let name = &component.name;
            tracing::warn!(component = name, "the checkpoint of {name} cannot be written: {error}");
        }
    }
}
