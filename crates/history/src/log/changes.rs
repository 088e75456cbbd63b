//! The changes of one commit, in the order in which they become entries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::files::trees::LanguageIndex;
use crate::versions::parsed::{KeyOrder, ParsedVersion, Vocabulary};
use gitglot_model::{
    Action, BlobId, ChangeId, KeyId, LineageId, LogEntry, SeededMap, TextId, Timestamp,
};

/// The positions of the keys in the last template that was used: most commits have the template of the one before.
#[derive(Default)]
pub struct KeyRanks {
    template: Option<BlobId>,
    /// By key; [`u32::MAX`] if the template lacks it.
    ranks: Vec<u32>,
}

impl KeyRanks {
    /// The positions in a template.
    pub fn of(&mut self, template: &ParsedVersion) -> &[u32] {
        if self.template != Some(template.blob) {
            self.template = Some(template.blob);
            self.ranks.fill(u32::MAX);
            for (rank, key) in (0..).zip(template.order.iter().flat_map(KeyOrder::keys)) {
                let at = key.0 as usize;
                if self.ranks.len() <= at {
                    self.ranks.resize(at + 1, u32::MAX);
                }
                if let Some(first) = self.ranks.get_mut(at) {
                    *first = rank.min(*first);
                }
            }
        }
        &self.ranks
    }
}

/// The changes of one commit.
#[derive(Default)]
pub struct CommitChanges {
    /// Targets of "Found duplicated language".
    pub duplicate_languages: Vec<TextId>,
    /// The paths of newly broken versions.
    pub parse_errors: BTreeSet<Arc<str>>,
    pub duplicate_keys: Vec<KeyId>,
    /// New and changed source strings, without their translation.
    pub sources: Vec<LogEntry>,
    /// The source language, if its file was updated.
    pub template_update: Option<LineageId>,
    /// The keys that leave the template, with their last source. They are no entries.
    pub removed_keys: Vec<(KeyId, TextId)>,
    /// By path.
    pub languages: BTreeMap<(Arc<str>, LanguageIndex), LanguageChanges>,
    /// Paths of removed files.
    pub removed: BTreeSet<Arc<str>>,
}

/// An entry without links; the writer sets time and commit.
pub fn entry_of(action: Action) -> LogEntry {
    LogEntry {
        id: ChangeId(0),
        time: Timestamp::default(),
        action,
        lineage: None,
        key: None,
        target: TextId::EMPTY,
        previous: TextId::EMPTY,
        source: TextId::EMPTY,
        commit: 0,
        moved: false,
        fuzzy: false,
        was_fuzzy: false,
    }
}

/// The changes of one language's file.
#[derive(Default)]
pub struct LanguageChanges {
    /// New and changed translations.
    pub texts: Vec<LogEntry>,
    /// The texts that the commit acknowledges.
    pub reviewed: Vec<LogEntry>,
    /// The texts that the file now marks as unfinished, or no longer marks. They are no entries.
    pub states: Vec<(KeyId, TextId, bool)>,
    /// The earlier sources that the file names for new fuzzy texts.
    pub earlier_sources: SeededMap<KeyId, TextId>,
    /// Whether the commit completes the translation.
    pub completed: bool,
    /// Whether the file was updated.
    pub updated: bool,
}

impl LanguageChanges {
    /// Moves the texts, states and earlier sources of `others` to the end of these.
    pub fn append_texts(&mut self, others: &mut Self) {
        self.texts.append(&mut others.texts);
        self.states.append(&mut others.states);
        self.earlier_sources.extend(others.earlier_sources.drain());
    }
}

impl CommitChanges {
    pub fn language(&mut self, path: &Arc<str>, language: LanguageIndex) -> &mut LanguageChanges {
        self.languages.entry((path.clone(), language)).or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.duplicate_languages.is_empty()
            && self.parse_errors.is_empty()
            && self.duplicate_keys.is_empty()
            && self.sources.is_empty()
            && self.template_update.is_none()
            && self.languages.values().all(|language| {
                language.texts.is_empty()
                    && language.reviewed.is_empty()
                    && language.states.is_empty()
                    && !language.completed
                    && !language.updated
            })
            && self.removed.is_empty()
    }

    /// Sorts keys by their texts, where no template has an order.
    pub fn sort_keys_by_text(&mut self, vocabulary: &Vocabulary) {
        let context = |key: KeyId| vocabulary.keys.context(key);
        let text = |key: &KeyId| vocabulary.texts.get(context(*key));
        let by_text =
            |a: &LogEntry, b: &LogEntry| a.key.as_ref().map(text).cmp(&b.key.as_ref().map(text));
        self.sources.sort_by(by_text);
        self.duplicate_keys.sort_by(|a, b| text(a).cmp(text(b)));
        for language in self.languages.values_mut() {
            language.texts.sort_by(by_text);
            language.reviewed.sort_by(by_text);
            (language.states).sort_by(|a, b| text(&a.0).cmp(text(&b.0)));
        }
    }

    /// Sorts keys into template order.
    pub fn sort_keys(&mut self, template: &ParsedVersion, ranks: &mut KeyRanks) {
        let several = self.languages.values().any(|language| {
            language.texts.len() > 1 || language.reviewed.len() > 1 || language.states.len() > 1
        });
        if !several && self.sources.len() < 2 && self.duplicate_keys.len() < 2 {
            return;
        }
        let ranks = ranks.of(template);
        let rank = |key: &KeyId| ranks.get(key.0 as usize).copied().unwrap_or(u32::MAX);
        let rank_of = |entry: &LogEntry| entry.key.as_ref().map(rank);
        self.sources.sort_by_key(rank_of);
        self.duplicate_keys.sort_by_key(rank);
        for language in self.languages.values_mut() {
            language.texts.sort_by_key(rank_of);
            language.reviewed.sort_by_key(rank_of);
            language.states.sort_by_key(|(key, ..)| rank(key));
        }
    }
}
