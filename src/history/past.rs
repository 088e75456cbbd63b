//! What the log knows of a component so far: the last value written for every unit, the source each was
//! written for, the keys, the people. Folding a commit into it gives that commit's entries.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::people::People;
use super::trees::Layouts;
use super::values::Value;
use super::versions::Vocabulary;
use crate::model::{BlobId, CommitId, KeyId, LineageId, LineageRow, Log, PersonId, TextId, Timestamp};

/// The state that the log adds up to.
#[derive(Debug)]
pub(super) struct Past {
    pub vocabulary: Vocabulary,
    pub layouts: Layouts,
    /// The tip that the log has reached.
    pub tip: Option<CommitId>,
    /// The tip's ancestors, itself included.
    pub ancestors: FxHashSet<CommitId>,
    /// Every translation that ever was, by [`LineageId`].
    pub lineages: Vec<Lineage>,
    /// Every key, by [`KeyId`].
    pub keys: Vec<KeyState>,
    /// How many keys are present.
    pub present: u32,
    /// The sources that the log has shown for each key.
    pub shown: FxHashSet<(KeyId, TextId)>,
    pub log: Arc<Log>,
    pub people: People,
    /// The place of each commit in the log's table.
    pub commit_rows: FxHashMap<CommitId, u32>,
    /// What is told only once: broken versions, doubled languages and doubled keys.
    pub told: Told,
    /// Microseconds; every entry stands after it.
    pub last_time: i64,
}

/// What was told already and is not told again.
#[derive(Clone, Default, Debug)]
pub(super) struct Told {
    /// Path and blob of versions that do not parse.
    pub broken: FxHashSet<(TextId, BlobId)>,
    /// Targets of entries 40.
    pub languages: FxHashSet<TextId>,
    /// Keys of entries 16.
    pub keys: FxHashSet<KeyId>,
}

/// A key of the template, as the log has it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct KeyState {
    /// Whether the template has it now.
    pub present: bool,
    /// The newest source that the log knows; absent for a key that never stood in the template.
    pub source: Value,
    /// When it first appeared.
    pub since: Timestamp,
}

/// A translation through all its renames, as the log has it.
#[derive(Clone, Debug)]
pub(super) struct Lineage {
    /// Code of its language.
    pub language: Arc<str>,
    /// The newest path.
    pub path: Arc<str>,
    /// Paths before, newest first.
    pub older_paths: Vec<Arc<str>>,
    /// Whether its file is there.
    pub alive: bool,
    /// Whether any version of its file can be shown.
    pub readable: bool,
    /// The last value written for each key, for ever, by [`KeyId`].
    pub values: Vec<Value>,
    /// The source that each value was written for, by [`KeyId`].
    pub written_for: Vec<TextId>,
    /// How many present keys are untranslated or stale.
    pub wanting: u32,
    /// The newest content entry.
    pub last_change: Option<(Timestamp, PersonId)>,
    /// Grows with each value that is written.
    pub revision: u64,
}

impl Lineage {
    pub fn new(language: Arc<str>, path: Arc<str>, wanting: u32) -> Self {
        Self {
            language,
            path,
            older_paths: Vec::new(),
            alive: false,
            readable: false,
            values: Vec::new(),
            written_for: Vec::new(),
            wanting,
            last_change: None,
            revision: 0,
        }
    }

    /// Moves the translation to a path, perhaps the one it has.
    pub fn move_to(&mut self, path: &Arc<str>) {
        if self.path != *path {
            let old = std::mem::replace(&mut self.path, path.clone());
            self.older_paths.retain(|older| older != path);
            if !old.is_empty() {
                self.older_paths.insert(0, old);
            }
        }
    }

    pub fn value(&self, key: KeyId) -> Value {
        self.values.get(key.0 as usize).copied().unwrap_or_default()
    }

    pub fn source(&self, key: KeyId) -> TextId {
        self.written_for.get(key.0 as usize).copied().unwrap_or_default()
    }

    /// Whether the unit needs no work: translated, and from the source given.
    pub fn is_done(&self, key: KeyId, source: Value) -> bool {
        self.value(key).is_translated() && self.source(key) == source.text()
    }

    pub fn set(&mut self, key: KeyId, value: Value, source: TextId) {
        let at = key.0 as usize;
        if self.values.len() <= at {
            self.values.resize(at + 1, Value::ABSENT);
            self.written_for.resize(at + 1, TextId::EMPTY);
        }
        self.values[at] = value;
        self.written_for[at] = source;
        self.revision += 1;
    }
}

impl Past {
    pub fn new(layouts: Layouts) -> Self {
        Self {
            vocabulary: Vocabulary::default(),
            layouts,
            tip: None,
            ancestors: FxHashSet::default(),
            lineages: Vec::new(),
            keys: Vec::new(),
            present: 0,
            shown: FxHashSet::default(),
            log: Arc::new(Log::default()),
            people: People::default(),
            commit_rows: FxHashMap::default(),
            told: Told::default(),
            last_time: i64::MIN,
        }
    }

    /// What the log knows of a key.
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

    /// Sets whether a key is present and which source it has; keeps the counts of wanting units.
    pub fn set_key(&mut self, key: KeyId, present: bool, source: Value) {
        let old = self.key(key);
        let appears = !old.source.is_present() && source.is_present();
        for lineage in &mut self.lineages {
            // What was written before the log knew any source was written for the first that it shows.
            if appears && lineage.value(key).is_present() {
                lineage.set(key, lineage.value(key), source.text());
            }
            let wanted = |state_present: bool, source: Value, lineage: &Lineage| {
                u32::from(state_present && !lineage.is_done(key, source))
            };
            let (before, after) = (wanted(old.present, old.source, lineage), wanted(present, source, lineage));
            lineage.wanting = (lineage.wanting + after).saturating_sub(before);
        }
        self.present = (self.present + u32::from(present)) - u32::from(old.present);
        let state = self.key_mut(key);
        state.present = present;
        state.source = source;
        if source.is_present() {
            self.shown.insert((key, source.text()));
        }
    }

    /// Sets when a key first appeared, the first time.
    pub fn first_seen(&mut self, key: KeyId, time: Timestamp) {
        let state = self.key_mut(key);
        if state.since == Timestamp::default() {
            state.since = time;
        }
    }

    /// Writes a unit's value; keeps the count of wanting units.
    pub fn set_value(&mut self, lineage: LineageId, key: KeyId, value: Value, source: TextId) {
        let state = self.key(key);
        let Some(lineage) = self.lineages.get_mut(usize::from(lineage.0)) else { return };
        let before = u32::from(state.present && !lineage.is_done(key, state.source));
        lineage.set(key, value, source);
        let after = u32::from(state.present && !lineage.is_done(key, state.source));
        lineage.wanting = (lineage.wanting + after).saturating_sub(before);
    }

    /// Whether every unit of a translation is translated and none is stale.
    pub fn is_complete(&self, lineage: LineageId) -> bool {
        let lineage = self.lineages.get(usize::from(lineage.0));
        self.present > 0 && lineage.is_some_and(|lineage| lineage.alive && lineage.readable && lineage.wanting == 0)
    }

    /// Makes the translations those of the trees' table of languages: new ones are added, and one that was renamed
    /// gets its new language.
    pub fn ensure_lineages(&mut self, languages: &[Arc<str>]) {
        for (lineage, language) in self.lineages.iter_mut().zip(languages) {
            lineage.language.clone_from(language);
        }
        for language in languages.iter().skip(self.lineages.len()) {
            self.lineages.push(Lineage::new(language.clone(), "".into(), self.present));
        }
    }

    /// Brings the log's tables of keys and translations up to date, so that entries can name what is gone.
    pub fn name_what_is_gone(&mut self) {
        let Vocabulary { texts, keys } = &mut self.vocabulary;
        let log = Arc::make_mut(&mut self.log);
        log.keys.extend(keys.contexts_from(log.keys.len()));
        log.lineages.clear();
        log.lineages.extend(
            self.lineages
                .iter()
                .map(|it| LineageRow { language: texts.intern(&it.language), path: texts.intern(&it.path) }),
        );
    }
}
