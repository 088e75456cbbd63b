//! Compares a commit with its parent and with the log's state (docs/spec/change-log.md#units-and-values).

use super::changes::{CommitChanges, KeyRanks, entry_of};
use super::context::StepContext;
use super::key_renames::PendingRenames;
use super::merge_filter::MergeScope;
use super::state::LogState;
use super::text_sources::{SourceTimes, TextSources};
use crate::files::trees::{FileIndex, FileSet, LanguageIndex};
use crate::graph::walk::NodeIndex;
use crate::reviews::LastFiles;
use crate::versions::parsed::ParsedVersion;
use crate::versions::values::TextValue;
use gitglot_git::{GitError, ObjectReader};
use gitglot_model::{Action, KeyId, LineageId, LogEntry, SeededMap, SeededSet, file_of_part};

/// Caches that the commits of a step share.
#[derive(Default)]
pub struct DiffCaches {
    pub text_sources: TextSources,
    pub source_times: SourceTimes,
    pub ranks: KeyRanks,
    pub reviewed: LastFiles,
}

/// Units and keys that side commits wrote; their mainline commit compares them again.
#[derive(Default)]
pub struct SideWrites {
    pub(super) texts: SeededMap<LanguageIndex, SeededSet<KeyId>>,
    keys: SeededSet<KeyId>,
    /// Whether a side commit changed a source, even if the merge does not take it.
    changed_source: bool,
}

/// Finds the changes of one commit and applies them to the state.
pub struct CommitDiff<'a> {
    pub context: &'a StepContext<'a>,
    pub reader: &'a mut ObjectReader,
    pub state: &'a mut LogState,
    pub caches: &'a mut DiffCaches,
    pub side_writes: &'a mut SideWrites,
    /// The renamed keys of the mainline commit.
    pub renames: &'a PendingRenames,
    pub node: NodeIndex,
    /// The commit that this one is compared with.
    pub base: Option<NodeIndex>,
    /// The merge of a side commit, which takes a part of its changes; `None` for a mainline commit.
    pub scope: Option<MergeScope<'a>>,
    /// Whether every value is compared with the log's, not only those that differ from the base.
    pub compares_all: bool,
    pub changes: CommitChanges,
}

/// A language and its files in the base and in the commit.
pub type ChangedFile = (LanguageIndex, Option<FileIndex>, Option<FileIndex>);

impl CommitDiff<'_> {
    /// The changes: of a mainline commit all values that differ from the log's, of a side commit those that its merge
    /// takes; with `only_reviews`, only what the commit acknowledges.
    ///
    /// # Errors
    /// When the file with acknowledged translations cannot be read.
    pub fn compare(mut self, only_reviews: bool) -> Result<CommitChanges, GitError> {
        let context = self.context;
        let reviewed = self.take_reviewed()?;
        let Some(set) = context.set(Some(self.node)) else {
            return Ok(self.changes);
        };
        let lineages = 0..self.state.lineages.len();
        let was_complete: Vec<bool> = lineages.map(|at| self.state.is_complete(at)).collect();
        let none = FileSet::default();
        let changed_files = context.set(self.base).unwrap_or(&none).diff(set);

        let template = context.template(Some(self.node));
        if !only_reviews {
            self.compare_duplicate_languages(set);
            let compared = template.map(|template| self.compare_template(template));
            let (added, regrouped) = compared.unwrap_or_default();
            let returned = self.compare_files(set, &changed_files);
            if let Some(template) = template {
                self.compare_texts(set, template, &changed_files, &returned, added, &regrouped);
            }
        }
        if let Some(template) = template {
            self.acknowledge(set, template, &changed_files, reviewed.as_ref());
            match context.unions {
                None => self.changes.sort_keys(template, &mut self.caches.ranks),
                Some(_) => self.changes.sort_keys_by_text(&self.state.vocabulary),
            }
        }
        if context.is_merge(self.node) {
            self.restrict_updates();
        }
        self.find_completed(set, &was_complete);
        Ok(self.changes)
    }

    pub(super) fn takes_key(&self, key: KeyId) -> bool {
        self.scope.is_none_or(|scope| scope.takes_key(key))
    }

    pub(super) fn takes_text(&self, language: LanguageIndex, key: KeyId, adds_key: bool) -> bool {
        let scope = self.scope;
        scope.is_none_or(|scope| scope.takes_text(self.node, language, key, adds_key))
    }

    /// Whether the commit introduces a property, and its merge keeps it.
    fn introduces(&self, has: impl Fn(Option<NodeIndex>) -> bool) -> bool {
        let scope = self.scope;
        scope.is_none_or(|scope| scope.introduces(self.base, has))
    }

    fn compare_duplicate_languages(&mut self, set: &FileSet) {
        let context = self.context;
        for duplicate in &set.duplicates {
            let has = |node| {
                let set = context.set(node);
                set.is_some_and(|set| set.duplicates.contains(duplicate))
            };
            if self.introduces(has) {
                let target = self.state.vocabulary.texts.intern(duplicate);
                if self.state.reported.languages.insert(target) {
                    self.changes.duplicate_languages.push(target);
                }
            }
        }
    }

    /// Compares the template. Returns the keys that the commit adds, whether its merge takes them or not, sorted, and those
    /// whose texts get or lose plural forms.
    fn compare_template(&mut self, template: &ParsedVersion) -> (Vec<KeyId>, Vec<KeyId>) {
        let context = self.context;
        let mut keys = Vec::new();
        context.template_diff(self.base, template, &mut |key| keys.push(key));
        if self.scope.is_none() {
            keys.extend(self.side_writes.keys.iter().copied());
            if self.compares_all {
                template.each_key(&mut |key| keys.push(key));
            }
            if self.compares_all || self.context.template(self.base).is_none() {
                keys.extend((0..self.state.keys.len() as u32).map(KeyId));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let (mut added, mut regrouped) = (Vec::new(), Vec::new());
        for key in keys {
            let (source, before) = (template.source(key), self.context.source(self.base, key));
            // Entries of duplicate keys after the first one do not change the source.
            let is_same =
                before.is_present() == source.is_present() && before.text() == source.text();
            self.side_writes.changed_source |= self.scope.is_some() && !is_same;
            if source.is_present() && !before.is_present() {
                added.push(key);
            }
            let texts = &self.state.vocabulary.texts;
            if !is_same && texts.is_plural(source.text()) != texts.is_plural(before.text()) {
                regrouped.push(key);
            }
            let is_side_change = self.scope.is_none() || !is_same || !source.is_present();
            let is_taken = is_side_change && self.takes_key(key);
            if is_taken && self.write_source(key, source) && self.scope.is_some() {
                self.side_writes.keys.insert(key);
            }
        }
        for key in template.duplicate_keys() {
            let has = |node| {
                let template = context.template(node);
                template.is_some_and(|template| template.duplicate_keys().any(|other| other == key))
            };
            if self.introduces(has) && self.state.reported.keys.insert(key) {
                self.changes.duplicate_keys.push(key);
            }
        }
        (added, regrouped)
    }

    /// Makes a source the log's; an absent one removes the key. Returns whether the log had something else.
    fn write_source(&mut self, key: KeyId, source: TextValue) -> bool {
        let known = self.state.key(key);
        let lineage = (self.context.first_file_with(self.node, key, false)).map(LineageId);
        if !source.is_present() {
            if known.present {
                self.state.set_key(key, false, known.source);
                self.changes.removed_keys.push((key, known.source.text()));
            }
            return known.present;
        }
        let mut push = |entry: LogEntry| {
            self.changes.sources.push(LogEntry {
                lineage,
                key: Some(key),
                ..entry
            });
        };
        if !known.present {
            // Its target is empty in Weblate 3.4.
            push(LogEntry {
                source: source.text(),
                ..entry_of(Action::NewSourceString)
            });
        }
        let was_known = known.present || known.source.is_present();
        if was_known && known.source.text() != source.text() {
            push(LogEntry {
                target: source.text(),
                previous: known.source.text(),
                ..entry_of(Action::SourceStringChanged)
            });
        }
        let is_change = !known.present || known.source != source;
        if is_change {
            self.state.set_key(key, true, source);
        }
        is_change
    }

    /// Finds removed, broken and updated files. Returns the languages whose file is back or new.
    fn compare_files(&mut self, set: &FileSet, files: &[ChangedFile]) -> Vec<LanguageIndex> {
        let context = self.context;
        let template_language = set.template.map(|(language, _)| language);
        let mut returned = Vec::new();
        for &(language, old, new) in files {
            let Some(new) = new else {
                self.remove_file(language, old);
                continue;
            };
            let (path, blob) = (context.path(new), context.blob(new));
            let is_same = old.map(|old| context.blob(old)) == Some(blob);
            let is_broken = context.is_broken(blob);
            if is_broken && !is_same {
                let path = file_of_part(path);
                let text = self.state.vocabulary.texts.intern(&path);
                if self.state.reported.broken.insert((text, blob)) {
                    self.changes.parse_errors.insert(path.as_ref().into());
                }
            }
            let is_taken = self.scope.is_none_or(|scope| scope.changes_file(language));
            let adds_any_key = self.scope.is_some_and(|scope| scope.adds_any_key);
            let is_touched = adds_any_key && self.side_writes.changed_source;
            if !is_broken && !is_same && (is_taken || is_touched) {
                if Some(language) == template_language {
                    self.changes.template_update = Some(LineageId(language));
                } else {
                    self.changes.language(path, language).updated = true;
                }
            }
            if !is_taken {
                continue;
            }
            let lineage = &mut self.state.lineages[usize::from(language)];
            if self.scope.is_none_or(|scope| scope.has_file(language)) {
                if !lineage.alive {
                    returned.push(language);
                }
                lineage.alive = true;
                lineage.readable = context.version(Some(self.node), language).is_some();
            }
            lineage.move_to(path);
        }
        returned
    }

    fn remove_file(&mut self, language: LanguageIndex, old: Option<FileIndex>) {
        let lineage = &mut self.state.lineages[usize::from(language)];
        let merge_has_file = self.scope.is_some_and(|scope| scope.has_file(language));
        if let Some(old) = old.filter(|_| lineage.alive && !merge_has_file) {
            lineage.alive = false;
            self.changes.removed.insert(self.context.path(old).clone());
        }
    }

    /// Restricts the updates of a merge to files that it wrote something for
    /// (docs/spec/change-log.md#resource-updates).
    fn restrict_updates(&mut self) {
        for (&(_, language), changes) in &mut self.changes.languages {
            let blob = self.context.blob_at(Some(self.node), language);
            let parses = blob.is_some_and(|blob| !self.context.is_broken(blob));
            changes.updated = parses && !(changes.texts.is_empty() && changes.states.is_empty());
        }
        self.changes.template_update = self.changes.template_update.filter(|language| {
            let removes = !self.changes.removed_keys.is_empty()
                && self.context.is_merge_version(self.node, language.0);
            removes || !self.changes.sources.is_empty()
        });
    }

    /// Finds the translations that the commit completed.
    fn find_completed(&mut self, set: &FileSet, was_complete: &[bool]) {
        let template_language = set.template.map(|(language, _)| language);
        for (at, was_complete) in was_complete.iter().enumerate() {
            let language = at as LanguageIndex;
            if !was_complete && template_language != Some(language) && self.state.is_complete(at) {
                // The commit may write the language at an older path than the newest.
                let mut written = self.changes.languages.keys();
                let written = written.find(|(_, written)| *written == language);
                let newest = &self.state.lineages[at].path;
                let path = written.map_or(newest, |(path, _)| path).clone();
                self.changes.language(&path, language).completed = true;
            }
        }
    }
}
