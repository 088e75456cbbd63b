//! Writes the changes of a commit as entries (docs/spec/change-log.md#order-of-entries).

use std::sync::Arc;

use super::changes::{CommitChanges, LanguageChanges, entry_of};
use super::context::StepContext;
use super::key_renames::PendingRenames;
use super::state::LogState;
use crate::graph::walk::NodeIndex;
use crate::versions::parsed::Vocabulary;
use gitglot_model::{
    Action, CommitRow, EarlierSource, KeyId, LineageId, LogEntry, Origin, PersonId, Removal,
    StateChange, TextId, Timestamp, name_of_part,
};

/// Writes the entries of one commit.
pub struct LogWriter<'a> {
    pub context: &'a StepContext<'a>,
    pub state: &'a mut LogState,
    /// The renamed keys of the mainline commit.
    pub renames: &'a mut PendingRenames,
    pub node: NodeIndex,
    /// When the commit reached the mainline, in seconds.
    pub time: i64,
}

impl LogWriter<'_> {
    /// Writes the entries of a commit's changes, in their order.
    pub fn write_changes(&mut self, changes: CommitChanges, is_merge_reported: bool) {
        let start = self.state.log.len();
        let commit = self.context.commit(self.node);
        let is_platform = self.context.commits.authors.is_by_platform(commit);
        let update = if is_platform {
            Action::CommittedChanges
        } else {
            Action::ResourceUpdate
        };
        let set = self.context.set(Some(self.node));
        let template = set.and_then(|set| set.template);
        let source_lineage = template.map(|(language, _)| LineageId(language));
        for target in changes.duplicate_languages {
            self.write(LogEntry {
                target,
                ..entry_of(Action::DuplicatedLanguage)
            });
        }
        if is_merge_reported {
            self.write(entry_of(Action::MergedRepository));
        }
        for path in changes.parse_errors {
            let target = self.state.vocabulary.texts.intern(&path);
            self.write(LogEntry {
                target,
                ..entry_of(Action::ParseError)
            });
        }
        for key in changes.duplicate_keys {
            let language = self.context.first_file_with(self.node, key, true);
            self.write(LogEntry {
                lineage: language.map(LineageId).or(source_lineage),
                key: Some(key),
                ..entry_of(Action::DuplicatedString)
            });
        }
        for entry in changes.sources {
            let lineage = entry.lineage.or(source_lineage);
            if let Some(key) = entry.key {
                self.renames.record(self.state, key);
            }
            let time = self.write(LogEntry { lineage, ..entry });
            if let Some(key) = entry.key {
                self.state.set_first_seen(key, time);
            }
        }
        if changes.template_update.is_some() {
            self.write(LogEntry {
                lineage: changes.template_update,
                ..entry_of(update)
            });
        }
        for ((_, language), changes) in changes.languages {
            self.write_language(LineageId(language), changes, update);
        }
        for path in changes.removed {
            let target = self.state.vocabulary.texts.intern(&name_of_part(&path));
            self.write(LogEntry {
                target,
                ..entry_of(Action::RemovedTranslation)
            });
        }
        self.write_removals(start, changes.removed_keys);
    }

    /// Writes the entries of one language; `update` is the action of an updated file.
    fn write_language(&mut self, language: LineageId, changes: LanguageChanges, update: Action) {
        let lineage = Some(language);
        for entry in changes.texts {
            let earlier = entry.key.and_then(|key| changes.earlier_sources.get(&key));
            self.write(entry);
            if let Some(&source) = earlier {
                let log = Arc::make_mut(&mut self.state.log);
                let entry = (log.len() as u32).saturating_sub(1);
                log.earlier_sources.push(EarlierSource { entry, source });
            }
        }
        for entry in changes.reviewed {
            self.write(entry);
        }
        if changes.completed {
            self.write(LogEntry {
                lineage,
                ..entry_of(Action::TranslationCompleted)
            });
        }
        if changes.updated || !changes.states.is_empty() {
            self.write(LogEntry {
                lineage,
                ..entry_of(update)
            });
        }
        let log = Arc::make_mut(&mut self.state.log);
        let entry = (log.len() as u32).saturating_sub(1);
        for (key, target, fuzzy) in changes.states {
            log.state_changes.push(StateChange {
                entry,
                key,
                target,
                fuzzy,
            });
        }
    }

    /// Records the strings that a commit removed with its last entry. If the commit wrote no entry, they belong to the
    /// next one.
    fn write_removals(&mut self, start: usize, mut removed: Vec<(KeyId, TextId)>) {
        if removed.is_empty() {
            return;
        }
        // By name: the numbers of keys depend on the order in which files were read.
        let Vocabulary { texts, keys, .. } = &self.state.vocabulary;
        let name = |key| texts.get(keys.context(key));
        removed.sort_by(|a, b| name(a.0).cmp(name(b.0)));
        let log = Arc::make_mut(&mut self.state.log);
        let entry = (log.len() - usize::from(log.len() > start)) as u32;
        for (key, source) in removed {
            log.removals.push(Removal { entry, key, source });
        }
    }

    /// Appends an entry of the commit. Returns its timestamp, which is later than that of every older entry.
    pub(super) fn write(&mut self, entry: LogEntry) -> Timestamp {
        let row = self.commit_row();
        let next = self.state.last_time.saturating_add(1);
        let time = Timestamp::from_seconds(self.time).0.max(next);
        self.state.last_time = time;
        let entry = LogEntry {
            time: Timestamp(time),
            commit: row,
            ..entry
        };
        let log = Arc::make_mut(&mut self.state.log);
        let mut author = log.commits[row as usize].author;
        if entry.action.names_user() && author == PersonId::NOBODY {
            let authors = &self.context.commits.authors;
            let named = authors.author(self.context.commit(self.node));
            author = self.state.people.intern(&named);
            if let Some(commit) = log.commits.get_mut(row as usize) {
                commit.author = author;
            }
        }
        log.push(entry);
        let is_content = matches!(
            entry.action,
            Action::NewTranslation | Action::TranslationChanged | Action::SourceStringChanged
        );
        if let Some(lineage) = entry.lineage.filter(|_| is_content) {
            self.state.lineages[usize::from(lineage.0)].last_change = Some((entry.time, author));
        }
        entry.time
    }

    /// The commit's row in the log's table of commits; adds it if necessary.
    fn commit_row(&mut self) -> u32 {
        let (commit, commits) = (self.context.commit(self.node), self.context.commits);
        let LogState {
            commit_rows,
            log,
            vocabulary,
            ..
        } = &mut *self.state;
        *commit_rows.entry(commit.id).or_insert_with(|| {
            let subject = commit.message.lines().next().unwrap_or("");
            let row = CommitRow {
                id: commit.id,
                subject: vocabulary.texts.intern(subject),
                author: PersonId::NOBODY,
                author_name: vocabulary.texts.intern(&commit.author.name),
                authored: commit.author.time,
                committed: commit.committer.time,
                origin: if commits.without_parents.contains(&self.node) {
                    Origin::Unknown
                } else {
                    commits.authors.origin(commit)
                },
                is_ignored: (commits.reviews.get(&self.node))
                    .is_some_and(|reviews| reviews.is_ignored),
            };
            let rows = &mut Arc::make_mut(log).commits;
            rows.push(row);
            rows.len() as u32 - 1
        })
    }
}
