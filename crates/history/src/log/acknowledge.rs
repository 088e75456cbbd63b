//! Makes the acknowledged texts of a commit those of the present source.

use std::sync::Arc;

use super::changes::entry_of;
use super::diff::{ChangedFile, CommitDiff};
use crate::files::trees::{FileIndex, FileSet, LanguageIndex};
use crate::reviews::{ALL_LANGUAGES, CommitReviews, Rows, hash_of, keys_in, names_of};
use crate::versions::parsed::ParsedVersion;
use gitglot_git::GitError;
use gitglot_model::{Action, KeyId, KeyPatterns, LineageId, LogEntry, SeededSet};

/// What the trailers of a commit select in a language.
struct Selection {
    patterns: KeyPatterns,
    /// Whether a trailer without keys selects all strings of the file.
    whole: bool,
    /// Whether one selects the strings whose source the commit changes.
    changed: bool,
}

impl CommitDiff<'_> {
    /// Takes over the file if it changes, also while there is no template. Returns its new rows.
    pub(super) fn take_reviewed(&mut self) -> Result<Option<Rows>, GitError> {
        let reviews = self.context.commits.reviews.get(&self.node);
        let versions = reviews.and_then(|reviews| reviews.file);
        let versions = versions.filter(|_| self.context.unions.is_none());
        let Some(versions) = versions else {
            return Ok(None);
        };
        let (file, added) = self.caches.reviewed.change(self.reader, versions)?;
        if self.scope.is_none() {
            self.state.reviewed.take(&file);
        }
        Ok(Some(added))
    }

    /// Acknowledges stale texts, given the new rows of the file. The changes of the commit are already those of the
    /// state.
    pub(super) fn acknowledge(
        &mut self,
        set: &FileSet,
        template: &ParsedVersion,
        changed_files: &[ChangedFile],
        added: Option<&Rows>,
    ) {
        let context = self.context;
        if context.unions.is_some() {
            return;
        }
        let none = CommitReviews::default();
        let of_commit = context.commits.reviews.get(&self.node);
        let reviews = of_commit.unwrap_or(&none);
        let commit = context.commit(self.node);
        if !reviews.trailers.is_empty() {
            self.state.reviewed.last = Some((commit.id, reviews.trailers.clone().into()));
        }
        let changed = self.changed_sources(template, reviews);
        // Rows of the file are known before the source changes, too.
        if of_commit.is_none() && (changed.is_empty() || self.state.reviewed.rows.is_empty()) {
            return;
        }
        let base = self.base.map(|base| context.commit(base).tree);
        let is_empty = base == Some(commit.tree);
        let template_language = set.template.map(|(language, _)| language);
        let has_rows =
            added.is_some_and(|added| !added.is_empty()) || !self.state.reviewed.rows.is_empty();
        for &(language, file) in &set.files {
            let lineage = &self.state.lineages[usize::from(language)];
            if Some(language) == template_language || lineage.incomplete_count == 0 {
                continue;
            }
            let code = lineage.language.clone();
            let is_changed = changed_files.iter().any(|&(other, _, _)| other == language);
            let selection = reviews.selection(&code, is_empty || is_changed);
            let names_keys = has_rows || !selection.patterns.is_empty();
            if !names_keys && !selection.changed && !reviews.is_ignored {
                continue;
            }
            let mut keys: Vec<KeyId> = match of_commit {
                Some(_) if names_keys || selection.whole => {
                    (0..self.state.keys.len() as u32).map(KeyId).collect()
                }
                _ => changed.iter().copied().collect(),
            };
            keys.retain(|&key| self.is_stale(language, key));
            for key in keys {
                let is_selected = selection.whole
                    || reviews.is_ignored && self.was_current(language, key)
                    || selection.changed && changed.contains(&key)
                    || self.is_named(key, &code, template, &selection.patterns, added);
                if is_selected {
                    self.acknowledge_text(template, language, file, key);
                }
            }
        }
    }

    /// The keys whose source the commit changes.
    fn changed_sources(
        &self,
        template: &ParsedVersion,
        reviews: &CommitReviews,
    ) -> SeededSet<KeyId> {
        let (context, sources) = (self.context, self.changes.sources.iter());
        let mut changed: SeededSet<KeyId> = sources.filter_map(|entry| entry.key).collect();
        if !reviews.trailers.is_empty() || reviews.is_ignored {
            context.template_diff(self.base, template, &mut |key| {
                let (old, new) = (context.source(self.base, key), template.source(key));
                if old.is_present() != new.is_present() || old.text() != new.text() {
                    changed.insert(key);
                }
            });
        }
        changed
    }

    fn is_stale(&self, language: LanguageIndex, key: KeyId) -> bool {
        let source = self.state.key(key);
        let lineage = &self.state.lineages[usize::from(language)];
        source.present
            && lineage.value(key).is_translated()
            && lineage.source(key) != source.source.text()
    }

    /// Whether a text was that of the source before the commit.
    fn was_current(&self, language: LanguageIndex, key: KeyId) -> bool {
        let before = self.context.source(self.base, key);
        let lineage = &self.state.lineages[usize::from(language)];
        before.is_present() && lineage.source(key) == before.text()
    }

    /// Whether a pattern selects a key, or a row has the hash of its source in the commit.
    fn is_named(
        &self,
        key: KeyId,
        language: &Arc<str>,
        template: &ParsedVersion,
        patterns: &KeyPatterns,
        added: Option<&Rows>,
    ) -> bool {
        let vocabulary = &self.state.vocabulary;
        let id = vocabulary.texts.get(vocabulary.keys.context(key));
        let source = vocabulary.texts.get(template.source(key).text());
        let rows = [added, Some(&*self.state.reviewed.rows)];
        let is_named = |name: &str| {
            let hash = |rows: &Rows| rows.get(name)?.get(language).copied();
            let mut hashes = rows.into_iter().flatten().filter_map(hash);
            patterns.contains(name) || hashes.any(|hash| hash == hash_of(source))
        };
        names_of(self.context.format, id).any(|name| is_named(&name))
    }

    /// Makes a text one of the source in the commit, which the log has shown, if the commit has the text of the log.
    fn acknowledge_text(
        &mut self,
        template: &ParsedVersion,
        language: LanguageIndex,
        file: FileIndex,
        key: KeyId,
    ) {
        let source = template.source(key);
        let texts = &self.state.vocabulary.texts;
        let in_commit = self.context.version(Some(self.node), language);
        let is_plural = || texts.is_plural(source.text());
        let in_commit = in_commit.map(|version| version.value_for(key, is_plural).text());
        let lineage = &self.state.lineages[usize::from(language)];
        let (value, written_for) = (lineage.value(key), lineage.source(key));
        let shown = (key, source.text());
        let is_shown = source.is_present() && self.state.shown_sources.contains(&shown);
        if !is_shown || written_for == source.text() || in_commit != Some(value.text()) {
            return;
        }
        let (id, source) = (LineageId(language), source.text());
        self.state.set_value(id, key, value, source);
        let unit = (id, key, value.text());
        self.caches.text_sources.insert(unit, source);
        let path = self.context.path(file);
        let reviewed = &mut self.changes.language(path, language).reviewed;
        reviewed.push(LogEntry {
            lineage: Some(id),
            key: Some(key),
            target: value.text(),
            previous: value.text(),
            source,
            ..entry_of(Action::TranslationApproved)
        });
    }
}

impl CommitReviews {
    /// What the trailers select in a language whose file the commit changes or not.
    fn selection(&self, language: &str, is_changed: bool) -> Selection {
        let is_own = |code: &str| [language, ALL_LANGUAGES].contains(&code);
        let trailers = self.trailers.iter();
        let mut trailers = trailers.filter(|trailer| is_own(&trailer.language));
        let without_keys = trailers.any(|trailer| trailer.keys.is_empty());
        let keys = keys_in(&self.trailers).filter(|(code, _)| is_own(code));
        Selection {
            patterns: keys.map(|(_, key)| key.clone()).collect(),
            whole: without_keys && is_changed,
            changed: without_keys,
        }
    }
}
