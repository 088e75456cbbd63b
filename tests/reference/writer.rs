//! The entries of a commit, each with its effect on the log's state (docs/spec/change-log.md#entries).

use std::collections::BTreeMap;

use gitglot_model::{Action, CommitId};

use super::fold::{Entry, Log, Value};
use super::keys::Recorded;
use super::people::Person;
use super::trees::{File, View};

/// The commit that writes.
pub struct Writer<'w> {
    pub log: &'w mut Log,
    pub commit: CommitId,
    pub author: Person,
    pub time: i64,
    pub view: &'w View,
    pub source: &'w str,
    pub by_platform: bool,
    pub own_reconciling: bool,
    pub on_branch: bool,
}

impl Writer<'_> {
    pub fn push(
        &mut self,
        action: u8,
        language: Option<usize>,
        key: Option<&str>,
        target: &str,
        previous: &str,
        source: &str,
    ) {
        let names_author = Action::from_code(action).is_some_and(Action::names_user);
        let author = self.author.clone();
        let author = if names_author {
            self.log
                .authors
                .entry(self.commit)
                .or_insert(author)
                .clone()
        } else {
            author
        };
        self.log.entries.push(Entry {
            time: self.time,
            action,
            language,
            key: key.map(str::to_owned),
            target: target.to_owned(),
            previous: previous.to_owned(),
            source: source.to_owned(),
            commit: self.commit,
            author,
            moved: false,
        });
    }

    /// Records the rename to a key before its first entry in the mainline commit.
    fn record_rename(&mut self, key: &str) {
        let (entry, start) = (self.log.entries.len(), self.log.renaming_start);
        let renamed = self.log.renaming.get_mut(key).filter(|it| !it.is_recorded);
        let Some(renamed) = renamed else { return };
        renamed.is_recorded = true;
        let until = match renamed.values {
            Some(_) => {
                self.log.predecessors.remove(key);
                start
            }
            None => {
                let from = renamed.from.clone();
                self.log.predecessors.insert(key.to_owned(), from);
                entry
            }
        };
        self.log.renames.push(Recorded {
            entry,
            until,
            from: renamed.from.clone(),
            to: key.to_owned(),
            evidence: renamed.evidence,
            languages: renamed.languages,
        });
    }

    /// The source that a text was written for under an older key, if it moved from there.
    fn moved_from(&mut self, index: usize, key: &str, text: &str) -> Option<String> {
        let value = |key: &str| self.log.values.get(&(index, key.to_owned()));
        let old = match self.log.renaming.get(key) {
            Some(renamed) => match &renamed.values {
                Some(values) => values.get(&index),
                None => value(&renamed.from),
            },
            None => {
                let from = self.log.predecessors.get(key)?;
                let is_free = !self.log.present.contains(from)
                    && value(key).is_none_or(|value| !value.translated);
                value(from).filter(|_| is_free)
            }
        };
        let old = old.filter(|old| !text.is_empty() && old.text == text)?;
        let source = old.written_for.clone();
        self.log.shown.insert((key.to_owned(), source.clone()));
        Some(source)
    }

    /// The languages of the commit and those that have a file in the log, except the template's, by path.
    pub fn names(&self) -> Vec<String> {
        let mut paths: BTreeMap<&str, &str> = self
            .log
            .files
            .iter()
            .map(|(&index, path)| (self.log.languages[index].as_str(), path.as_str()))
            .collect();
        paths.extend(
            self.view
                .files
                .iter()
                .map(|(name, file)| (name.as_str(), file.path.as_str())),
        );
        paths.remove(self.source);
        let mut names: Vec<_> = paths
            .into_iter()
            .map(|(name, path)| (path.to_owned(), name.to_owned()))
            .collect();
        names.sort();
        names.into_iter().map(|(_, name)| name).collect()
    }

    /// Marks the log's translation as having this file.
    pub fn has_file(&mut self, name: &str, file: &File) {
        let index = self.log.index(name);
        self.log.touched.insert(index);
        self.log.files.insert(index, file.path.clone());
        if self.view.has_good(name) {
            self.log.readable.insert(index);
        } else {
            self.log.readable.remove(&index);
        }
    }

    /// 24, once for each path and blob.
    pub fn parse_error(&mut self, file: &File) {
        if !file.parses
            && self
                .log
                .reported_broken
                .insert((file.path.clone(), file.blob))
        {
            self.push(24, None, None, &file.path, "", "");
        }
    }

    /// 40, once for each target text.
    pub fn doubled(&mut self, takes: impl Fn(&str) -> bool) {
        for target in self.view.duplicates() {
            if takes(target) && self.log.reported_languages.insert(target.to_owned()) {
                self.push(40, None, None, target, "", "");
            }
        }
    }

    /// 16, once for each key.
    pub fn twice(&mut self, takes: impl Fn(&str) -> bool) {
        let index = self.log.index(self.source);
        for key in self.view.twice() {
            if takes(key) && self.log.reported_duplicates.insert(key.to_owned()) {
                self.push(16, Some(index), Some(key), "", "", "");
            }
        }
    }

    /// 13 for a key that is absent from the log's template, 30 for a changed text.
    pub fn source_text(&mut self, key: &str, text: &str) -> bool {
        let index = self.log.index(self.source);
        let known = self.log.sources.get(key);
        if !self.log.present.contains(key) || known.is_some_and(|known| known != text) {
            self.record_rename(key);
        }
        let gained = self.log.present.insert(key.to_owned());
        self.log.template_state += 1;
        if gained {
            self.push(13, Some(index), Some(key), "", "", text);
        }
        let last = self.log.sources.insert(key.to_owned(), text.to_owned());
        if last.is_none() {
            // Values from before the log knew any source count as written for the first one.
            for ((_, _), value) in self
                .log
                .values
                .iter_mut()
                .filter(|((_, known), _)| known == key)
            {
                value.written_for = text.to_owned();
            }
        }
        self.log.shown.insert((key.to_owned(), text.to_owned()));
        let changed = last.as_deref().filter(|last| *last != text);
        if let Some(last) = changed {
            self.push(30, Some(index), Some(key), text, last, "");
        }
        gained || changed.is_some()
    }

    /// The source that a text of this commit was written for.
    pub fn present_source(&self, key: &str) -> String {
        let here = self.view.source_of(key).unwrap_or_default();
        if self.log.shown.contains(&(key.to_owned(), here.to_owned())) {
            return here.to_owned();
        }
        self.log.sources.get(key).cloned().unwrap_or_default()
    }

    /// 5 or 2, if the text differs from the log's.
    pub fn text(&mut self, name: &str, key: &str) -> bool {
        let index = self.log.index(name);
        // A file without a readable version has no values.
        if !self.view.has_good(name) {
            return false;
        }
        let (text, translated) = self.view.text(name, key);
        let mut value = self
            .log
            .values
            .get(&(index, key.to_owned()))
            .cloned()
            .unwrap_or_default();
        let text = text.to_owned();
        let text = text.as_str();
        if value.text == text {
            let known = self.log.values.get(&(index, key.to_owned())).cloned();
            if let (true, Some(known)) = (self.on_branch, known) {
                // A different branch wrote the same text, so it now counts as written for this source.
                let moved = self.moved_from(index, key, text);
                let known = Value {
                    written_for: moved.unwrap_or_else(|| self.present_source(key)),
                    ..known
                };
                self.log.values.insert((index, key.to_owned()), known);
                self.log.touched.insert(index);
            }
            return false;
        }
        let action = if !value.translated && translated {
            5
        } else {
            2
        };
        let brought_back = value
            .earlier
            .get(text)
            .filter(|_| self.own_reconciling)
            .cloned();
        let brought_back = brought_back
            .filter(|source| self.log.shown.contains(&(key.to_owned(), source.clone())));
        let moved = self.moved_from(index, key, text);
        let is_moved = moved.is_some();
        let written_for = moved
            .or(brought_back)
            .unwrap_or_else(|| self.present_source(key));
        self.push(
            action,
            Some(index),
            Some(key),
            text,
            &value.text,
            &written_for,
        );
        if let Some(entry) = self.log.entries.last_mut() {
            entry.moved = is_moved;
        }
        value.earlier.insert(text.to_owned(), written_for.clone());
        value = Value {
            text: text.to_owned(),
            translated,
            written_for,
            earlier: value.earlier,
        };
        self.log.values.insert((index, key.to_owned()), value);
        self.log.touched.insert(index);
        true
    }

    /// All texts of a language whose file returns count as rewritten, even unchanged ones. Returns
    /// whether it returns.
    pub fn returns_later(&mut self, name: &str) -> bool {
        let index = self.log.index(name);
        let returns = !self.log.files.contains_key(&index)
            && self.log.values.keys().any(|(known, _)| *known == index);
        if returns {
            let keys: Vec<&str> = self.view.sources().map(|(key, _)| key).collect();
            keys.into_iter().for_each(|key| self.add_again(name, key));
        }
        returns
    }

    /// An unchanged text now counts as written for the present source.
    pub fn add_again(&mut self, name: &str, key: &str) {
        let index = self.log.index(name);
        let text = self.view.text(name, key).0;
        let is_same = |value: &Value| self.view.has_good(name) && value.text == text;
        if self
            .log
            .values
            .get(&(index, key.to_owned()))
            .is_some_and(is_same)
        {
            let moved = self.moved_from(index, key, text);
            let written_for = moved.unwrap_or_else(|| self.present_source(key));
            let value = self.log.values.entry((index, key.to_owned())).or_default();
            value.written_for = written_for;
            self.log.touched.insert(index);
        }
    }

    /// 1, if every text is present and up to date and was not before.
    pub fn completed(&mut self, name: &str) {
        let index = self.log.index(name);
        let state = self.log.template_state;
        let before = self.log.complete.get(&index).copied();
        if !self.log.touched.remove(&index) && before.is_some_and(|(_, seen)| seen == state) {
            return;
        }
        let now = self.log.is_complete(index);
        self.log.complete.insert(index, (now, state));
        if now && before.is_none_or(|(complete, _)| !complete) {
            self.push(1, Some(index), None, "", "", "");
        }
    }

    /// 0 or 17, if the file differs from the parent's and parses.
    pub fn update(&mut self, name: &str, before: &View, wrote: bool) {
        let index = self.log.index(name);
        let file = &self.view.files[name];
        if wrote && file.parses && before.blob(name) != Some(file.blob) {
            self.push(
                if self.by_platform { 17 } else { 0 },
                Some(index),
                None,
                "",
                "",
                "",
            );
        }
    }

    /// The files that the commit removes and that the log's translations still have; by path.
    pub fn gone(&mut self, before: &View, takes: impl Fn(&str) -> bool) -> Vec<String> {
        let mut gone = Vec::new();
        for (name, file) in before.by_path() {
            if !self.view.files.contains_key(name) && takes(name) {
                let index = self.log.index(name);
                if self.log.files.remove(&index).is_some() {
                    self.log.complete.remove(&index);
                    gone.push(file.path.clone());
                }
            }
        }
        gone
    }

    /// 25.
    pub fn removed(&mut self, gone: &[String]) {
        for path in gone {
            self.push(25, None, None, path, "", "");
        }
    }
}
