//! Compares a commit with its parent and with the log's state (docs/spec/change-log.md#units-and-values).

use rustc_hash::{FxHashMap, FxHashSet};

use super::changes::{CommitChanges, KeyRanks, entry_of};
use super::context::StepContext;
use super::key_renames::{OldText, PendingRenames};
use super::merge_filter::MergeScope;
use super::state::LogState;
use crate::files::trees::{FileIndex, FileSet, LanguageIndex};
use crate::graph::walk::NodeIndex;
use crate::versions::parsed::ParsedVersion;
use crate::versions::values::TextValue;
use gitglot_model::{Action, KeyId, LineageId, Log, LogEntry, PLURAL_SEPARATOR, TextId};

/// Caches that the commits of a step share.
#[derive(Default)]
pub struct DiffCaches {
    text_sources: TextSources,
    pub ranks: KeyRanks,
}

/// Units and keys that side commits wrote; their mainline commit compares them again.
#[derive(Default)]
pub struct SideWrites {
    texts: FxHashSet<(LanguageIndex, KeyId)>,
    keys: FxHashSet<KeyId>,
    /// Whether a side commit changed a source, even if the merge does not take it.
    changed_source: bool,
}

/// The source that each text in the log was written for; the newest of equal texts of a unit. Read from the log when a
/// merge first needs it.
#[derive(Default)]
struct TextSources(Option<FxHashMap<(LineageId, KeyId, TextId), TextId>>);

impl TextSources {
    fn get(&mut self, log: &Log, unit: (LineageId, KeyId, TextId)) -> Option<TextId> {
        let sources = self.0.get_or_insert_with(|| {
            let is_text =
                |action| matches!(action, Action::NewTranslation | Action::TranslationChanged);
            let texts = log.iter().filter(|entry| is_text(entry.action));
            texts
                .filter_map(|it| Some(((it.lineage?, it.key?, it.target), it.source)))
                .collect()
        });
        sources.get(&unit).copied()
    }

    fn insert(&mut self, unit: (LineageId, KeyId, TextId), source: TextId) {
        if let Some(sources) = &mut self.0 {
            sources.insert(unit, source);
        }
    }
}

/// Finds the changes of one commit and applies them to the state.
pub struct CommitDiff<'a> {
    pub context: &'a StepContext<'a>,
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
type ChangedFile = (LanguageIndex, Option<FileIndex>, Option<FileIndex>);

impl CommitDiff<'_> {
    /// The changes: of a mainline commit all values that differ from the log's, of a side commit those that its merge
    /// takes.
    pub fn compare(mut self) -> CommitChanges {
        let context = self.context;
        let Some(set) = context.set(Some(self.node)) else {
            return self.changes;
        };
        let lineages = 0..self.state.lineages.len();
        let was_complete: Vec<bool> = lineages.map(|at| self.state.is_complete(at)).collect();
        let changed_files = context
            .set(self.base)
            .unwrap_or(&FileSet::default())
            .diff(set);

        self.compare_duplicate_languages(set);
        let template = context.template(Some(self.node));
        let added_keys = template
            .map(|template| self.compare_template(template))
            .unwrap_or_default();
        let returned = self.compare_files(set, &changed_files);
        if let Some(template) = template {
            self.compare_texts(set, template, &changed_files, &returned, added_keys);
            match context.unions {
                None => self.changes.sort_keys(template, &mut self.caches.ranks),
                Some(_) => self.changes.sort_keys_by_text(&self.state.vocabulary),
            }
        }
        if context.is_merge(self.node) {
            self.restrict_updates();
        }
        self.find_completed(set, &was_complete);
        self.changes
    }

    fn takes_key(&self, key: KeyId) -> bool {
        self.scope.is_none_or(|scope| scope.takes_key(key))
    }

    fn takes_text(&self, language: LanguageIndex, key: KeyId, adds_key: bool) -> bool {
        self.scope
            .is_none_or(|scope| scope.takes_text(self.node, language, key, adds_key))
    }

    /// Whether the commit introduces a property, and its merge keeps it.
    fn introduces(&self, has: impl Fn(Option<NodeIndex>) -> bool) -> bool {
        self.scope
            .is_none_or(|scope| scope.introduces(self.base, has))
    }

    fn compare_duplicate_languages(&mut self, set: &FileSet) {
        let context = self.context;
        for duplicate in &set.duplicates {
            let has = |node| {
                context
                    .set(node)
                    .is_some_and(|set| set.duplicates.contains(duplicate))
            };
            if self.introduces(has) {
                let target = self.state.vocabulary.texts.intern(duplicate);
                if self.state.reported.languages.insert(target) {
                    self.changes.duplicate_languages.push(target);
                }
            }
        }
    }

    /// Compares the template. Returns the keys that the commit adds, whether its merge takes them or not, sorted.
    fn compare_template(&mut self, template: &ParsedVersion) -> Vec<KeyId> {
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
        let mut added = Vec::new();
        for key in keys {
            let (source, before) = (template.source(key), self.context.source(self.base, key));
            // Entries of duplicate keys after the first one do not change the source.
            let is_same =
                before.is_present() == source.is_present() && before.text() == source.text();
            self.side_writes.changed_source |= self.scope.is_some() && !is_same;
            if source.is_present() && !before.is_present() {
                added.push(key);
            }
            let is_side_change = self.scope.is_none() || !is_same || !source.is_present();
            if is_side_change
                && self.takes_key(key)
                && self.write_source(key, source)
                && self.scope.is_some()
            {
                self.side_writes.keys.insert(key);
            }
        }
        for key in template.duplicate_keys() {
            let has = |node| {
                let template = context.template(node);
                template.is_some_and(|it| it.duplicate_keys().any(|other| other == key))
            };
            if self.introduces(has) && self.state.reported.keys.insert(key) {
                self.changes.duplicate_keys.push(key);
            }
        }
        added
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
                let text = self.state.vocabulary.texts.intern(path);
                if self.state.reported.broken.insert((text, blob)) {
                    self.changes.parse_errors.insert(path.clone());
                }
            }
            let is_taken = self.scope.is_none_or(|scope| scope.changes_file(language));
            let is_touched = self
                .scope
                .is_some_and(|scope| scope.adds_any_key && self.side_writes.changed_source);
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

    /// Compares the texts of all languages but the template's.
    fn compare_texts(
        &mut self,
        set: &FileSet,
        template: &ParsedVersion,
        changed_files: &[ChangedFile],
        returned: &[LanguageIndex],
        mut added_keys: Vec<KeyId>,
    ) {
        added_keys.retain(|&key| self.takes_key(key));
        let template_language = set.template.map(|(language, _)| language);
        let mut keys: Vec<KeyId> = Vec::new();
        for &(language, file) in set
            .files
            .iter()
            .filter(|&&(language, _)| Some(language) != template_language)
        {
            let is_new_or_back = returned.contains(&language);
            let is_back =
                is_new_or_back && !self.state.lineages[usize::from(language)].values.is_empty();
            keys.clear();
            keys.extend_from_slice(&added_keys);
            let is_changed = changed_files.iter().any(|&(other, _, _)| other == language);
            let has_fallback = self.context.has_fallback(self.node, language);
            if is_changed || self.compares_all || has_fallback {
                self.add_differing_keys(template, language, is_new_or_back, &mut keys);
            }
            if self.scope.is_none() {
                keys.extend(
                    self.side_writes
                        .texts
                        .iter()
                        .filter(|unit| unit.0 == language)
                        .map(|unit| unit.1),
                );
            }
            keys.sort_unstable();
            keys.dedup();
            for &key in &keys {
                let adds_key = added_keys.binary_search(&key).is_ok();
                // A language returns with all its texts, even those that the merge does not take.
                if !is_back && !self.takes_text(language, key, adds_key) {
                    continue;
                }
                let returns_with_key =
                    self.scope.is_none() && !self.context.is_merge(self.node) && adds_key;
                let is_written =
                    self.write_text(template, language, file, key, is_back || returns_with_key);
                if is_written && self.scope.is_some() {
                    self.side_writes.texts.insert((language, key));
                }
            }
        }
    }

    /// Adds the keys whose texts may differ between the versions of a file; all keys of the template if the language
    /// is new or returned.
    fn add_differing_keys(
        &self,
        template: &ParsedVersion,
        language: LanguageIndex,
        is_new_or_back: bool,
        keys: &mut Vec<KeyId>,
    ) {
        let version = |node| self.context.version(node, language);
        let mut add = |key| keys.push(key);
        match (version(self.base), version(Some(self.node))) {
            (Some(old), Some(new)) if !is_new_or_back && !self.compares_all => {
                old.diff(new, &mut add);
            }
            (_, Some(_)) => template.each_key(&mut add),
            _ => {}
        }
    }

    /// Makes a text the log's. Returns whether it differs from the log's text.
    ///
    /// An equal text gets no entry. But where it `returns` with its file or its key, and on a branch, it now counts as
    /// written for the present source (docs/spec/change-log.md#returning-texts).
    fn write_text(
        &mut self,
        template: &ParsedVersion,
        language: LanguageIndex,
        file: FileIndex,
        key: KeyId,
        returns: bool,
    ) -> bool {
        let source = template.source(key);
        // A file without any readable version has no values.
        let value = self
            .context
            .version(Some(self.node), language)
            .map(|version| version.value(key));
        let Some(value) = value.filter(|_| source.is_present()) else {
            return false;
        };
        let lineage = LineageId(language);
        let old = self.renames.old_text(self.state, lineage, key);
        let moved = old.filter(|old| old.text == value.text());
        let known = &self.state.lineages[usize::from(language)];
        let (previous, known_source) = (known.value(key), known.source(key));
        if value.text() == previous.text() {
            let is_branch = self.scope.is_some();
            let is_rewritten = (returns || is_branch) && previous.is_present();
            let is_marked = self.context.has_states
                && value.is_present()
                && value.is_translated() != previous.is_translated();
            let has_changed = value.is_translated() != previous.is_translated()
                || self.context.unions.is_some() && value.is_present() != previous.is_present();
            // Branches change states of files that have them; what else differs is left to the merge.
            let differs = has_changed && (is_marked || !is_branch);
            let (is_fuzzy, was_fuzzy) = (self.is_fuzzy(value), self.is_fuzzy(previous));
            if is_marked && is_fuzzy != was_fuzzy {
                let changes = self.changes.language(self.context.path(file), language);
                changes.states.push((key, value.text(), is_fuzzy));
            }
            if is_rewritten || differs {
                let source = match moved {
                    _ if !is_rewritten => known_source,
                    Some(old) => self.moved_source(key, old),
                    None => self.shown_source(key, source.text()),
                };
                self.state
                    .rebind(lineage, key, if differs { value } else { previous }, source);
            }
            return is_marked;
        }
        let source = match moved {
            Some(old) => self.moved_source(key, old),
            None => self.source_of_text(lineage, key, value.text(), source.text()),
        };
        let is_new = !previous.is_translated() && value.is_translated();
        let action = if is_new {
            Action::NewTranslation
        } else {
            Action::TranslationChanged
        };
        let (fuzzy, was_fuzzy) = (self.is_fuzzy(value), self.is_fuzzy(previous));
        let carried = moved.and_then(|old| old.carried);
        (self.state).set_moved_value((lineage, key), value, source, carried);
        self.caches
            .text_sources
            .insert((lineage, key, value.text()), source);
        let changes = self.changes.language(self.context.path(file), language);
        changes.texts.push(LogEntry {
            lineage: Some(lineage),
            key: Some(key),
            target: value.text(),
            previous: previous.text(),
            source,
            moved: moved.is_some(),
            fuzzy,
            was_fuzzy,
            ..entry_of(action)
        });
        true
    }

    /// Whether a file marks a text as unfinished: the text counts as none, although its first form is not empty.
    fn is_fuzzy(&self, value: TextValue) -> bool {
        let first_form = || {
            let text = self.state.vocabulary.texts.get(value.text());
            text.split(PLURAL_SEPARATOR).next().unwrap_or_default()
        };
        self.context.has_states
            && value.is_present()
            && !value.is_translated()
            && !first_form().is_empty()
    }

    /// The source that a text was written for under its older key. From then on it counts as one of the key, too
    /// (docs/spec/renames.md#stale-translations).
    fn moved_source(&mut self, key: KeyId, old: OldText) -> TextId {
        self.state.shown_sources.insert((key, old.source));
        old.source
    }

    /// The source that a text was written for (docs/spec/change-log.md#stale-translations).
    fn source_of_text(
        &mut self,
        lineage: LineageId,
        key: KeyId,
        text: TextId,
        in_tree: TextId,
    ) -> TextId {
        if self.context.is_merge(self.node)
            && let Some(source) = self
                .caches
                .text_sources
                .get(&self.state.log, (lineage, key, text))
            && self.state.shown_sources.contains(&(key, source))
        {
            return source;
        }
        self.shown_source(key, in_tree)
    }

    /// The source in the commit's tree if the log has ever shown it for the key, else the log's.
    fn shown_source(&self, key: KeyId, in_tree: TextId) -> TextId {
        let is_shown = self.state.shown_sources.contains(&(key, in_tree));
        if is_shown {
            in_tree
        } else {
            self.state.key(key).source.text()
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
                let written = self
                    .changes
                    .languages
                    .keys()
                    .find(|(_, written)| *written == language);
                let path = written
                    .map_or(&self.state.lineages[at].path, |(path, _)| path)
                    .clone();
                self.changes.language(&path, language).completed = true;
            }
        }
    }
}
