//! Compares the texts of a commit with those of its parent and of the log (docs/spec/change-log.md#units-and-values).

use super::changes::{LanguageChanges, entry_of};
use super::diff::{ChangedFile, CommitDiff};
use super::document_marks::best_source;
use super::key_renames::OldText;
use crate::files::trees::{FileSet, LanguageIndex};
use crate::versions::parsed::ParsedVersion;
use crate::versions::values::TextValue;
use gitglot_model::{
    Action, FileFormat, KeyId, LineageId, LogEntry, PLURAL_SEPARATOR, SourceDate, TextId,
    source_date,
};

/// The newest sources that a document of a branch is compared with. Each is read again for each document.
const MAX_LATER_SOURCES: usize = 8;

/// The most earlier keys of a document whose sources count.
const MAX_MOVES: usize = 8;

impl CommitDiff<'_> {
    /// Compares the texts of all languages but the template's.
    pub(super) fn compare_texts(
        &mut self,
        set: &FileSet,
        template: &ParsedVersion,
        changed_files: &[ChangedFile],
        returned: &[LanguageIndex],
        mut added_keys: Vec<KeyId>,
        regrouped: &[KeyId],
    ) {
        added_keys.retain(|&key| self.takes_key(key));
        let template_language = set.template.map(|(language, _)| language);
        let mut keys: Vec<KeyId> = Vec::new();
        let mut written = LanguageChanges::default();
        let files = set.files.iter();
        for &(language, file) in files.filter(|&&(language, _)| Some(language) != template_language)
        {
            let is_new_or_back = returned.contains(&language);
            let is_back =
                is_new_or_back && !self.state.lineages[usize::from(language)].values.is_empty();
            keys.clear();
            keys.extend_from_slice(&added_keys);
            keys.extend_from_slice(regrouped);
            let is_changed = changed_files.iter().any(|&(other, _, _)| other == language);
            let has_fallback = self.context.has_fallback(self.node, language);
            if is_changed || self.compares_all || has_fallback {
                self.add_differing_keys(template, language, is_new_or_back, &mut keys);
            }
            if self.scope.is_none() {
                let side_keys = self.side_writes.texts.get(&language);
                keys.extend(side_keys.into_iter().flatten());
            }
            if keys.is_empty() {
                continue;
            }
            // A file without any readable version has no values.
            let Some(version) = self.context.version(Some(self.node), language) else {
                continue;
            };
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
                let returns = is_back || returns_with_key;
                let is_written =
                    self.write_text(template, language, version, key, returns, &mut written);
                if is_written && self.scope.is_some() {
                    let side_keys = self.side_writes.texts.entry(language).or_default();
                    side_keys.insert(key);
                }
            }
            if !(written.texts.is_empty() && written.states.is_empty()) {
                let changes = self.changes.language(self.context.path(file), language);
                changes.append_texts(&mut written);
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

    /// Makes a text the log's, and adds its entry. Returns whether it differs from the log's text.
    ///
    /// An equal text gets no entry. But where it `returns` with its file or its key, and on a branch, it now counts as
    /// written for the present source (docs/spec/change-log.md#returning-texts).
    fn write_text(
        &mut self,
        template: &ParsedVersion,
        language: LanguageIndex,
        version: &ParsedVersion,
        key: KeyId,
        returns: bool,
        written: &mut LanguageChanges,
    ) -> bool {
        let (source, texts) = (template.source(key), &self.state.vocabulary.texts);
        if !source.is_present() {
            return false;
        }
        let value = version.value_for(key, || texts.is_plural(source.text()));
        let lineage = LineageId(language);
        let known = &self.state.lineages[usize::from(language)];
        let (previous, known_source) = (known.value(key), known.source(key));
        if !value.is_present() && value == previous {
            // Most languages lack a new key.
            return false;
        }
        let made_from = self.made_from(version, key, value.text());
        let old = self.renames.old_text(self.state, lineage, key);
        let moved = old.filter(|old| old.text == value.text());
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
                written.states.push((key, value.text(), is_fuzzy));
            }
            if is_rewritten || differs {
                let source = match (made_from, moved) {
                    _ if !is_rewritten => known_source,
                    (Some(source), _) => source,
                    (None, Some(old)) => self.moved_source(key, old),
                    (None, None) => self.followed_source(key, value.text(), source.text()),
                };
                let source = self.state.unmarked(value.text(), source);
                let value = if differs { value } else { previous };
                self.state.rebind(lineage, key, value, source);
            }
            return is_marked;
        }
        let source = match (made_from, moved) {
            (Some(source), _) => source,
            (None, Some(old)) => self.moved_source(key, old),
            (None, None) => self.source_of_text(lineage, key, value.text(), source.text()),
        };
        let source = self.state.unmarked(value.text(), source);
        let is_new = !previous.is_translated() && value.is_translated();
        let action = if is_new {
            Action::NewTranslation
        } else {
            Action::TranslationChanged
        };
        let (fuzzy, was_fuzzy) = (self.is_fuzzy(value), self.is_fuzzy(previous));
        let carried = moved.and_then(|old| old.carried);
        (self.state).set_moved_value(lineage, key, value, source, carried);
        let unit = (lineage, key, value.text());
        self.caches.text_sources.insert(unit, source);
        let is_new_and_fuzzy = fuzzy && !previous.is_present();
        if is_new_and_fuzzy && let Some(earlier) = self.earlier_source(version, key) {
            written.earlier_sources.insert(key, earlier);
        }
        written.texts.push(LogEntry {
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

    /// The source that a document says it was made from, if the log has shown it
    /// (docs/spec/change-log.md#recorded-sources).
    fn made_from(&mut self, version: &ParsedVersion, key: KeyId, text: TextId) -> Option<TextId> {
        if self.context.unions.is_some() {
            return None;
        }
        let (shown, renamed) = (&self.state.shown_sources, &self.state.predecessors);
        let is_shown = |source: &TextId| {
            // The source can have moved since.
            let keys = std::iter::successors(Some(key), |key| renamed.get(key).copied());
            keys.take(MAX_MOVES)
                .any(|key| shown.contains(&(key, *source)))
        };
        if let Some(source) = version.made_from(key).filter(is_shown) {
            return Some(source);
        }
        if self.context.format != FileFormat::Document {
            return None;
        }
        let text = self.state.vocabulary.texts.get(text);
        let date = SourceDate::parse(source_date(text)?.1)?;
        let now = self.commit_time();
        let times = &mut self.caches.source_times;
        times.read_on(&self.state.log);
        times.at(key, date, now, i64::MAX).ok().flatten()
    }

    /// The earlier source of a text that its file names.
    fn earlier_source(&self, version: &ParsedVersion, key: KeyId) -> Option<TextId> {
        let earlier = version.previous_sources.get(key);
        let is_named = self.context.has_previous_sources && earlier.is_present();
        is_named.then(|| earlier.text())
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
        let unit = (lineage, key, text);
        if self.context.is_merge(self.node)
            && let Some(source) = self.caches.text_sources.get(&self.state.log, unit)
            && self.state.shown_sources.contains(&(key, source))
        {
            return source;
        }
        let kept = self.kept_source(lineage, key);
        kept.unwrap_or_else(|| self.followed_source(key, text, in_tree))
    }

    /// The source of a stale text that an ignored commit changes (docs/spec/change-log.md#ignored-commits).
    fn kept_source(&self, lineage: LineageId, key: KeyId) -> Option<TextId> {
        let context = self.context;
        let reviews = context.commits.reviews.get(&self.node);
        let is_ignored =
            reviews.is_some_and(|reviews| reviews.keeps_stale) && context.unions.is_none();
        let known = &self.state.lineages[usize::from(lineage.0)];
        if !is_ignored || !known.value(key).is_translated() {
            return None;
        }
        let before = context.source(self.base, key);
        let was_stale = before.is_present() && known.source(key) != before.text();
        was_stale.then(|| known.source(key))
    }

    /// The source in the commit's tree or, for a document of a branch that agrees better with a newer one of the time of
    /// the commit, that one (docs/spec/change-log.md#documents-of-branches).
    fn followed_source(&mut self, key: KeyId, text: TextId, in_tree: TextId) -> TextId {
        let in_tree = self.shown_source(key, in_tree);
        let is_document = self.context.format == FileFormat::Document;
        if self.scope.is_none() || !is_document || in_tree == self.state.key(key).source.text() {
            return in_tree;
        }
        let now = self.commit_time();
        let times = &mut self.caches.source_times;
        times.read_on(&self.state.log);
        let shown = times.until(key, now);
        let Some(first) = shown.iter().rposition(|source| *source == in_tree) else {
            return in_tree;
        };
        let texts = &self.state.vocabulary.texts;
        let later = shown[first + 1..].iter().rev().take(MAX_LATER_SOURCES);
        let later = later.rev().map(|id| (*id, texts.get(*id)));
        best_source(texts.get(text), texts.get(in_tree), later).unwrap_or(in_tree)
    }

    /// When the commit was made, in seconds.
    fn commit_time(&self) -> i64 {
        let committed = self.context.commit(self.node).committer.time.seconds;
        committed.min(self.context.commits.observed_at)
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
}
