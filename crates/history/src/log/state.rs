//! The sum of all entries: the last value written for every unit, the source that it was written for, the keys and
//! the people. A commit writes only differences from it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::authors::PeopleTable;
use crate::files::layout::Layouts;
use crate::reviews::Reviewed;
use crate::versions::parsed::Vocabulary;
use crate::versions::values::TextValue;
use gitglot_model::{
    BlobId, CommitId, KeyId, LineageId, LineageRow, Log, MainlineRow, PLURAL_SEPARATOR, PersonId,
    SeededMap, SeededSet, SourceReassignment, TextId, TextPool, Timestamp, file_of_part,
};

/// The state of a component's log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LogState {
    pub vocabulary: Vocabulary,
    pub layouts: Layouts,
    /// The tip that the log has reached.
    pub tip: Option<CommitId>,
    /// The tip's ancestors and the tip itself.
    pub ancestors: SeededSet<CommitId>,
    /// Every translation that ever existed, by [`LineageId`].
    pub lineages: Vec<Lineage>,
    /// Every key, by [`KeyId`].
    pub keys: Vec<KeyState>,
    /// Number of keys in the template.
    pub present_keys: u32,
    /// The sources that the log has shown for each key.
    pub shown_sources: SeededSet<(KeyId, TextId)>,
    /// The older key of each renamed key whose texts the older key still has (docs/spec/renames.md#moved-texts).
    pub predecessors: SeededMap<KeyId, KeyId>,
    pub log: Arc<Log>,
    pub people: PeopleTable,
    /// Row of each commit in the log's table of commits.
    #[serde(skip)]
    pub commit_rows: SeededMap<CommitId, u32>,
    pub reported: AlreadyReported,
    pub reviewed: Reviewed,
    /// What a text begins with that counts as written for no source.
    #[serde(skip)]
    pub review_marks: Arc<[String]>,
    /// Time of the newest entry, in microseconds.
    pub last_time: i64,
}

/// Problems that the log has reported and does not report again.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct AlreadyReported {
    /// Path and blob of broken versions.
    pub broken: SeededSet<(TextId, BlobId)>,
    /// Targets of "Found duplicated language".
    pub languages: SeededSet<TextId>,
    /// Keys of "Found duplicated string".
    pub keys: SeededSet<KeyId>,
}

/// A key of the template.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub struct KeyState {
    /// Whether the template contains it.
    pub present: bool,
    /// Its newest source; absent for a key that never was in the template.
    pub source: TextValue,
    /// When it first appeared, if it did.
    pub since: Option<Timestamp>,
}

/// A translation through all its renames.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Lineage {
    /// Code of its language.
    pub language: Arc<str>,
    /// The newest path.
    pub path: Arc<str>,
    /// Older paths, newest first.
    pub older_paths: Vec<Arc<str>>,
    /// Whether its file exists.
    pub alive: bool,
    /// Whether any version of its file is readable.
    pub readable: bool,
    /// The sources that texts were written for in a different component from which they moved, while the log has no later
    /// text of them (docs/spec/renames.md#other-components). Not part of the log.
    #[serde(skip)]
    pub carried: SeededMap<KeyId, TextId>,
    /// The last value written for each key, by [`KeyId`]. Values of absent keys and files remain.
    pub values: Vec<TextValue>,
    /// The source that each value was written for, by [`KeyId`].
    pub written_for: Vec<TextId>,
    /// Number of present keys that are untranslated or stale.
    pub incomplete_count: u32,
    /// The newest content entry.
    pub last_change: Option<(Timestamp, PersonId)>,
    /// Increases with each value that is written.
    #[serde(skip)]
    pub revision: u64,
}

impl Lineage {
    pub fn move_to(&mut self, path: &Arc<str>) {
        if self.path != *path {
            let old = std::mem::replace(&mut self.path, path.clone());
            self.older_paths.retain(|older| older != path);
            if !old.is_empty() {
                self.older_paths.insert(0, old);
            }
        }
    }

    pub fn value(&self, key: KeyId) -> TextValue {
        self.values.get(key.0 as usize).copied().unwrap_or_default()
    }

    /// The source that the value of a key was written for.
    pub fn source(&self, key: KeyId) -> TextId {
        let sources = &self.written_for;
        sources.get(key.0 as usize).copied().unwrap_or_default()
    }

    /// The source that the translation of a key was written for, also in a different component.
    pub fn carried_source(&self, key: KeyId) -> TextId {
        let carried = self.carried.get(&key).copied();
        carried.unwrap_or_else(|| self.source(key))
    }

    fn is_incomplete(&self, key: KeyId, state: KeyState, has_template: bool) -> bool {
        if !has_template {
            // A translation has the strings of its file only.
            let value = self.value(key);
            return state.present && value.is_present() && !value.is_translated();
        }
        let is_done = self.value(key).is_translated() && self.source(key) == state.source.text();
        state.present && !is_done
    }

    fn set(&mut self, key: KeyId, value: TextValue, source: TextId) {
        let at = key.0 as usize;
        if self.values.len() <= at {
            self.values.resize(at + 1, TextValue::ABSENT);
            self.written_for.resize(at + 1, TextId::EMPTY);
        }
        self.values[at] = value;
        self.written_for[at] = source;
        self.revision += 1;
    }

    fn count_incomplete(&mut self, was_incomplete: bool, is_incomplete: bool) {
        let count = self.incomplete_count + u32::from(is_incomplete);
        self.incomplete_count = count.saturating_sub(u32::from(was_incomplete));
    }
}

/// Whether a form of a text begins with a mark.
fn is_marked(marks: &[String], texts: &TextPool, text: TextId) -> bool {
    let has_mark = |form: &str| marks.iter().any(|mark| form.starts_with(&**mark));
    // Without marks, the text is not read: that costs more than the rest.
    !marks.is_empty() && texts.get(text).split(PLURAL_SEPARATOR).any(has_mark)
}

fn record_reassignment(log: &mut Arc<Log>, lineage: LineageId, key: KeyId, source: TextId) {
    let log = Arc::make_mut(log);
    let entry = log.len() as u32;
    log.rebound.push(SourceReassignment {
        entry,
        lineage,
        key,
        source,
    });
}

impl LogState {
    pub fn new(layouts: Layouts) -> Self {
        Self {
            vocabulary: Vocabulary::default(),
            layouts,
            tip: None,
            ancestors: SeededSet::default(),
            lineages: Vec::new(),
            keys: Vec::new(),
            present_keys: 0,
            shown_sources: SeededSet::default(),
            predecessors: SeededMap::default(),
            log: Arc::default(),
            people: PeopleTable::default(),
            commit_rows: SeededMap::default(),
            reported: AlreadyReported::default(),
            reviewed: Reviewed::default(),
            review_marks: Arc::default(),
            last_time: i64::MIN,
        }
    }

    pub fn key(&self, key: KeyId) -> KeyState {
        self.keys.get(key.0 as usize).copied().unwrap_or_default()
    }

    fn key_mut(&mut self, key: KeyId) -> &mut KeyState {
        let at = key.0 as usize;
        if self.keys.len() <= at {
            self.keys.resize(at + 1, KeyState::default());
        }
        &mut self.keys[at]
    }

    /// Sets whether a key is present and its source.
    pub fn set_key(&mut self, key: KeyId, present: bool, source: TextValue) {
        let old = self.key(key);
        let new = KeyState {
            present,
            source,
            since: old.since,
        };
        let has_template = self.layouts.has_template();
        let is_first = !old.source.is_present() && source.is_present();
        for (at, lineage) in (0..).zip(&mut self.lineages) {
            let value = lineage.value(key);
            if is_first && value.is_present() {
                // Values from before the log knew any source count as written for the first one.
                let texts = &self.vocabulary.texts;
                let source = if is_marked(&self.review_marks, texts, value.text()) {
                    TextId::EMPTY
                } else {
                    source.text()
                };
                record_reassignment(&mut self.log, LineageId(at), key, source);
                lineage.set(key, value, source);
            }
            if present && !old.present {
                lineage.carried.remove(&key);
            }
            lineage.count_incomplete(
                lineage.is_incomplete(key, old, has_template),
                lineage.is_incomplete(key, new, has_template),
            );
        }
        self.present_keys = self.present_keys + u32::from(present) - u32::from(old.present);
        *self.key_mut(key) = new;
        if source.is_present() {
            self.shown_sources.insert((key, source.text()));
        }
    }

    /// The source that a text counts as written for, given that of the commit: none if it has a review mark
    /// (docs/spec/change-log.md#review-marks).
    pub fn unmarked(&self, text: TextId, source: TextId) -> TextId {
        if is_marked(&self.review_marks, &self.vocabulary.texts, text) {
            TextId::EMPTY
        } else {
            source
        }
    }

    /// Sets when a key first appeared, unless it is known.
    pub fn set_first_seen(&mut self, key: KeyId, time: Timestamp) {
        let state = self.key_mut(key);
        state.since.get_or_insert(time);
    }

    pub fn set_value(&mut self, lineage: LineageId, key: KeyId, value: TextValue, source: TextId) {
        let state = self.key(key);
        let has_template = self.layouts.has_template();
        let Some(lineage) = self.lineages.get_mut(usize::from(lineage.0)) else {
            return;
        };
        let was_incomplete = lineage.is_incomplete(key, state, has_template);
        lineage.set(key, value, source);
        let is_incomplete = lineage.is_incomplete(key, state, has_template);
        lineage.count_incomplete(was_incomplete, is_incomplete);
    }

    /// Sets a value that perhaps came from an older key, and perhaps with it from a different component.
    pub fn set_moved_value(
        &mut self,
        lineage: LineageId,
        key: KeyId,
        value: TextValue,
        source: TextId,
        carried: Option<TextId>,
    ) {
        self.set_value(lineage, key, value, source);
        self.uncarry(lineage, key);
        if let Some(carried) = carried {
            self.carry(lineage, key, carried);
        }
    }

    /// Forgets that the text of a unit was written for a source in a different component.
    fn uncarry(&mut self, lineage: LineageId, key: KeyId) {
        if let Some(lineage) = self.lineages.get_mut(usize::from(lineage.0)) {
            lineage.carried.remove(&key);
        }
    }

    /// Forgets all carried sources but some. Returns whether there were others.
    pub fn forget_carried(&mut self, keeps: impl Fn(LineageId, KeyId) -> bool) -> bool {
        let mut has_changed = false;
        for (at, lineage) in (0..).map(LineageId).zip(&mut self.lineages) {
            let known = lineage.carried.len();
            lineage.carried.retain(|key, _| keeps(at, *key));
            let is_less = lineage.carried.len() < known;
            lineage.revision += u64::from(is_less);
            has_changed |= is_less;
        }
        has_changed
    }

    /// Notes that the text of a unit was written for a source in a different component. Returns whether that is new.
    pub fn carry(&mut self, lineage: LineageId, key: KeyId, source: TextId) -> bool {
        let Some(lineage) = self.lineages.get_mut(usize::from(lineage.0)) else {
            return false;
        };
        let is_other = lineage.source(key) != source;
        let is_new = is_other && lineage.carried.insert(key, source) != Some(source);
        lineage.revision += u64::from(is_new);
        is_new
    }

    /// Sets the value of a unit without an entry, and records the source that it now counts as written for.
    pub fn rebind(&mut self, lineage: LineageId, key: KeyId, value: TextValue, source: TextId) {
        let known = self.lineages.get(usize::from(lineage.0));
        if known.is_some_and(|known| known.source(key) != source) {
            record_reassignment(&mut self.log, lineage, key, source);
            self.uncarry(lineage, key);
        }
        self.set_value(lineage, key, value, source);
    }

    /// Records that the log has reached a mainline commit.
    pub fn finish_mainline(&mut self, commit: CommitId, time: i64, has_template: bool) {
        let log = Arc::make_mut(&mut self.log);
        let row = MainlineRow {
            commit,
            time,
            has_template,
            entries: log.len() as u32,
            rebound: log.rebound.len() as u32,
            removals: log.removals.len() as u32,
        };
        log.mainline.push(row);
    }

    /// Whether every unit of a translation is translated and none is stale.
    pub fn is_complete(&self, lineage: usize) -> bool {
        let lineage = self.lineages.get(lineage);
        let is_complete = |it: &Lineage| it.alive && it.readable && it.incomplete_count == 0;
        self.present_keys > 0 && lineage.is_some_and(is_complete)
    }

    /// Adds the translations of new languages and updates the codes of renamed ones.
    pub fn update_lineages(&mut self, languages: &[Arc<str>]) {
        for (lineage, language) in self.lineages.iter_mut().zip(languages) {
            lineage.language.clone_from(language);
        }
        for language in languages.iter().skip(self.lineages.len()) {
            self.lineages.push(Lineage {
                language: language.clone(),
                incomplete_count: if self.layouts.has_template() {
                    self.present_keys
                } else {
                    0
                },
                ..Lineage::default()
            });
        }
    }

    /// Moves to a tip, whose new ancestors the log has reached. `ancestors` replaces the old ones after a rewrite.
    pub fn set_tip(
        &mut self,
        tip: CommitId,
        new: impl Iterator<Item = CommitId>,
        ancestors: Option<SeededSet<CommitId>>,
    ) {
        self.ancestors = ancestors.unwrap_or_else(|| std::mem::take(&mut self.ancestors));
        self.ancestors.extend(new);
        self.tip = Some(tip);
        self.update_log_tables();
    }

    /// Updates the log's tables of keys and translations, through which entries name absent ones too.
    fn update_log_tables(&mut self) {
        let Vocabulary { texts, keys, .. } = &mut self.vocabulary;
        let log = Arc::make_mut(&mut self.log);
        let new = keys.contexts().iter().skip(log.keys.len());
        log.keys.extend(new.copied());
        let row = |it: &Lineage| LineageRow {
            language: texts.intern(&it.language),
            path: texts.intern(&file_of_part(&it.path)),
        };
        log.lineages = self.lineages.iter().map(row).collect();
    }
}
