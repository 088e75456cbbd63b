//! What one commit writes, first as a draft, then as entries of the log in their order (`log.md` 2).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fold::Fold;
use super::graph::NodeIx;
use super::trees::LanguageIx;
use super::values::Value;
use crate::model::{Action, ChangeId, CommitRow, Entry, KeyId, LineageId, Log, PersonId, TextId, Timestamp};

/// What one commit writes, before it is put in order.
#[derive(Default)]
pub(super) struct Draft {
    pub doubled_languages: Vec<TextId>,
    pub broken: Vec<TextId>,
    pub doubled_keys: Vec<KeyId>,
    /// 13 and 30, in template order.
    pub template: Vec<(Action, KeyId, Value, TextId)>,
    pub template_update: Option<LineageId>,
    /// Whether a key leaves, which is no entry.
    pub drops_a_key: bool,
    /// By path.
    pub languages: BTreeMap<(Arc<str>, LanguageIx), LanguageDraft>,
    pub removed: BTreeMap<Arc<str>, LineageId>,
}

pub(super) struct LanguageDraft {
    pub lineage: LineageId,
    pub texts: Vec<(Action, KeyId, Value, Value, TextId)>,
    pub completed: bool,
    pub updated: bool,
}

impl Draft {
    pub fn language(&mut self, path: &Arc<str>, language: LanguageIx) -> &mut LanguageDraft {
        self.languages.entry((path.clone(), language)).or_insert_with(|| LanguageDraft {
            lineage: LineageId(language),
            texts: Vec::new(),
            completed: false,
            updated: false,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.doubled_languages.is_empty()
            && self.broken.is_empty()
            && self.doubled_keys.is_empty()
            && self.template.is_empty()
            && self.template_update.is_none()
            && self.languages.values().all(LanguageDraft::is_empty)
            && self.removed.is_empty()
    }
}

impl LanguageDraft {
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && !self.completed && !self.updated
    }
}

impl Fold<'_> {
    /// Writes a draft into the log.
    pub(super) fn emit(&mut self, node: NodeIx, time: i64, draft: Draft, tell_merge: bool) {
        let none = TextId::EMPTY;
        let commit = &self.graph.nodes[node as usize].commit;
        let update = if self.authors.by_platform(commit) { Action::CommittedChanges } else { Action::ResourceUpdate };
        let template_language = self.set(Some(node)).and_then(|set| set.template).map(|(language, _)| language);
        let source_lineage = template_language.map(LineageId);
        for target in draft.doubled_languages {
            self.write(node, time, Action::DuplicatedLanguage, None, None, target, none, None);
        }
        if tell_merge {
            self.write(node, time, Action::MergedRepository, None, None, none, none, None);
        }
        let mut broken: Vec<_> =
            draft.broken.into_iter().map(|path| (self.past.vocabulary.texts.get(path).to_owned(), path)).collect();
        broken.sort();
        for _ in broken {
            self.write(node, time, Action::ParseError, None, None, none, none, None);
        }
        for key in draft.doubled_keys {
            self.write(node, time, Action::DuplicatedString, source_lineage, Some(key), none, none, None);
        }
        for (action, key, source, old) in draft.template {
            let target = if action == Action::NewSourceString { none } else { source.text() };
            let at = self.write(node, time, action, source_lineage, Some(key), target, old, None);
            self.past.first_seen(key, at);
        }
        if let Some(lineage) = draft.template_update {
            self.write(node, time, update, Some(lineage), None, none, none, None);
        }
        for language in draft.languages.into_values() {
            let lineage = Some(language.lineage);
            for (action, key, value, old, source) in language.texts {
                self.write(node, time, action, lineage, Some(key), value.text(), old.text(), Some(source));
            }
            if language.completed {
                self.write(node, time, Action::TranslationCompleted, lineage, None, none, none, None);
            }
            if language.updated {
                self.write(node, time, update, lineage, None, none, none, None);
            }
        }
        for (path, _) in draft.removed {
            let target = self.past.vocabulary.texts.intern(&path);
            self.write(node, time, Action::RemovedTranslation, None, None, target, none, None);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of an entry")]
    pub(super) fn write(
        &mut self,
        node: NodeIx,
        time: i64,
        action: Action,
        lineage: Option<LineageId>,
        key: Option<KeyId>,
        target: TextId,
        previous: TextId,
        source: Option<TextId>,
    ) -> Timestamp {
        let commit = self.commit_row(node);
        let time = Timestamp::from_seconds(time).0.max(self.past.last_time.saturating_add(1));
        self.past.last_time = time;
        let time = Timestamp(time);
        let entry = Entry {
            id: ChangeId(0),
            time,
            action,
            lineage,
            key,
            target,
            previous,
            source: source.unwrap_or_default(),
            commit,
        };
        if action.names_user() && self.past.log.commits[commit as usize].author == PersonId::NOBODY {
            let author = self.authors.author(&self.graph.nodes[node as usize].commit);
            let author = self.past.people.of(&author);
            Arc::make_mut(&mut self.past.log).commits[commit as usize].author = author;
        }
        let log: &mut Log = Arc::make_mut(&mut self.past.log);
        log.push(entry);
        let content =
            matches!(action, Action::NewTranslation | Action::TranslationChanged | Action::SourceStringChanged);
        if content && let Some(lineage) = lineage {
            let author = log.commits[commit as usize].author;
            self.past.lineages[usize::from(lineage.0)].last_change = Some((time, author));
        }
        time
    }

    fn commit_row(&mut self, node: NodeIx) -> u32 {
        let commit = &self.graph.nodes[node as usize].commit;
        if let Some(&row) = self.past.commit_rows.get(&commit.id) {
            return row;
        }
        let subject = commit.message.lines().next().unwrap_or("");
        let texts = &mut self.past.vocabulary.texts;
        let row = CommitRow {
            id: commit.id,
            subject: texts.intern(subject),
            author: PersonId::NOBODY,
            author_name: texts.intern(&commit.author.name),
            authored: commit.author.time,
            committed: commit.committer.time,
        };
        let log: &mut Log = Arc::make_mut(&mut self.past.log);
        log.commits.push(row);
        let place = log.commits.len() as u32 - 1;
        self.past.commit_rows.insert(commit.id, place);
        place
    }
}
