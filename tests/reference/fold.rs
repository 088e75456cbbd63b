//! Entries of each commit, and the source that each text was written for (docs/spec/change-log.md#entries).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use gitglot_git::Mailmap;
use gitglot_model::{BlobId, CommitId};

use super::git::Git;
use super::keys::{self, Recorded, Renamed};
use super::people::{self, Person};
use super::reviews::{Reviews, Rows};
use super::trees::View;
use super::walk::Walk;
use super::writer::Writer;

/// One entry of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub time: i64,
    pub action: u8,
    /// Index in [`Log::languages`].
    pub language: Option<usize>,
    pub key: Option<String>,
    pub target: String,
    pub previous: String,
    /// The source that a translation's text was written for.
    pub source: String,
    pub commit: CommitId,
    pub author: Person,
    /// Whether the text moved here from an older key.
    pub moved: bool,
}

/// The last text of a unit in the log.
#[derive(Clone, Default, Debug)]
pub struct Value {
    pub text: String,
    pub translated: bool,
    /// The source that it was written for.
    pub written_for: String,
    /// Every text of the unit so far, with its source.
    pub earlier: HashMap<String, String>,
}

/// The log and its state.
#[derive(Default)]
pub struct Log {
    pub entries: Vec<Entry>,
    /// Each translation's present language. A translation keeps its index through renames.
    pub languages: Vec<String>,
    pub index_of_language: HashMap<String, usize>,
    pub values: HashMap<(usize, String), Value>,
    /// Keys that the template has.
    pub present: BTreeSet<String>,
    /// The last text of each key that ever existed.
    pub sources: HashMap<String, String>,
    pub shown: HashSet<(String, String)>,
    /// The renamed keys of the current mainline commit, and the log's length before it.
    pub renaming: BTreeMap<String, Renamed>,
    pub renaming_start: usize,
    /// The older key of each renamed key whose texts it still has.
    pub predecessors: HashMap<String, String>,
    pub renames: Vec<Recorded>,
    /// Translations whose file exists, with its path.
    pub files: BTreeMap<usize, String>,
    /// Those of them with a readable version.
    pub readable: HashSet<usize>,
    /// Whether a translation was complete at the last check, and the template's revision then.
    pub complete: HashMap<usize, (bool, usize)>,
    /// Translations with changed texts since then.
    pub touched: HashSet<usize>,
    /// Counts the changes of the template.
    pub template_state: usize,
    /// The author of each named commit: the mailmap of a later tip does not change it.
    pub authors: HashMap<CommitId, Person>,
    pub reported_broken: HashSet<(String, BlobId)>,
    pub reported_duplicates: HashSet<String>,
    pub reported_languages: HashSet<String>,
    /// The rows of the file with acknowledged translations.
    pub reviewed: Rows,
}

/// The input of a step.
pub struct Fold<'f> {
    pub git: &'f mut Git,
    pub walk: &'f Walk,
    pub views: &'f HashMap<CommitId, Rc<View>>,
    pub times: &'f HashMap<CommitId, i64>,
    pub mailmap: &'f Mailmap,
    pub platforms: &'f [String],
    pub source: &'f str,
}

impl Log {
    /// A translation's index; allocates one at its first appearance.
    pub fn index(&mut self, language: &str) -> usize {
        if let Some(&index) = self.index_of_language.get(language) {
            return index;
        }
        self.languages.push(language.to_owned());
        self.index_of_language
            .insert(language.to_owned(), self.languages.len() - 1);
        self.languages.len() - 1
    }

    /// A translation whose file now belongs to a different language continues as that language. If there already is a
    /// translation of that language, now without a file, it takes the old name, so that names stay unique.
    pub fn rename_languages(&mut self, before: &View, now: &View) {
        let mut moved = Vec::new();
        for (name, file) in &before.files {
            let holder = now.files.iter().find(|(_, other)| other.path == file.path);
            if let Some((new, _)) = holder.filter(|(new, _)| *new != name) {
                moved.push((self.index(name), new.clone()));
            }
        }
        for (index, new) in moved {
            let other = self.index(&new);
            self.languages.swap(index, other);
            for at in [index, other] {
                self.index_of_language
                    .insert(self.languages[at].clone(), at);
            }
        }
    }

    /// The last text of a unit.
    pub fn value(&self, language: &str, key: &str) -> Value {
        let index = self.index_of_language.get(language);
        index
            .and_then(|&index| self.values.get(&(index, key.to_owned())))
            .cloned()
            .unwrap_or_default()
    }

    /// The stale translations of a tree: language, key,
    /// translated source.
    pub fn stale(&self, view: &View) -> Vec<(String, String, String)> {
        let mut stale = Vec::new();
        for (language, _) in view
            .translations()
            .into_iter()
            .filter(|(language, _)| view.has_good(language))
        {
            for (key, source) in view.sources() {
                let value = self.value(language, key);
                if value.translated && value.written_for != source {
                    stale.push((language.to_owned(), key.to_owned(), value.written_for));
                }
            }
        }
        stale
    }

    /// Whether every string of a language is translated from its present source.
    pub fn is_complete(&self, index: usize) -> bool {
        !self.present.is_empty()
            && self.files.contains_key(&index)
            && self.readable.contains(&index)
            && self.present.iter().all(|key| {
                let value = self.values.get(&(index, key.clone()));
                value.is_some_and(|value| {
                    value.translated && self.sources.get(key) == Some(&value.written_for)
                })
            })
    }
}

impl Fold<'_> {
    /// Writes the step's entries; returns the log's length after each mainline commit.
    pub fn write(mut self, log: &mut Log) -> Vec<(CommitId, usize)> {
        let mut marks = Vec::new();
        for &id in &self.walk.mainline {
            let none = View::default();
            let view = Rc::clone(&self.views[&id]);
            let before = self
                .walk
                .first_parent
                .get(&id)
                .map(|parent| Rc::clone(&self.views[parent]));
            let before = before.as_deref().unwrap_or(&none);
            let start = log.entries.len();
            if self.walk.rewritten {
                self.writer(log, id, &view).push(21, None, None, "", "", "");
            }
            log.renaming_start = log.entries.len();
            log.renaming = keys::find(before, &view);
            for renamed in log.renaming.values_mut() {
                if let Some(values) = &mut renamed.values {
                    let own = log
                        .values
                        .iter()
                        .filter(|((_, key), _)| *key == renamed.from);
                    values.extend(own.map(|((language, _), value)| (*language, value.clone())));
                }
            }
            let sides = log.entries.len();
            let mut changed_sources = false;
            for &side in &self.walk.side[&id] {
                self.side(log, side, &view, before, &mut changed_sources);
            }
            let has_side_entries = log.entries[sides..].iter().any(|entry| entry.action != 24);
            self.mainline(log, id, &view, before, has_side_entries);
            log.set_times_apart(start);
            marks.push((id, log.entries.len()));
        }
        marks
    }

    fn writer<'w>(&mut self, log: &'w mut Log, id: CommitId, view: &'w View) -> Writer<'w>
    where
        Self: 'w,
    {
        let commit = self.git.commit(id);
        Writer {
            log,
            commit: id,
            author: people::author(&commit, self.mailmap, self.platforms),
            time: self.times[&id],
            view,
            source: self.source,
            by_platform: people::by_platform(&commit, self.platforms),
            own_reconciling: false,
            on_branch: false,
        }
    }

    /// A mainline commit writes all differences from the log.
    fn mainline(
        &mut self,
        log: &mut Log,
        id: CommitId,
        view: &View,
        before: &View,
        has_side_entries: bool,
    ) {
        let is_merge = self.git.parents(id).len() > 1;
        let base = self.walk.first_parent.get(&id).copied();
        let reviews = Reviews::of(self.git, id, base, self.walk.is_new(id));
        reviews.replace_rows(&mut log.reviewed);
        // A merge updates the files that it writes something for, even if they do not differ.
        let none = View::default();
        let own = log.entries.len();
        let files = |view: &View| -> Vec<(String, BlobId)> {
            view.files
                .values()
                .map(|file| (file.path.clone(), file.blob))
                .collect()
        };
        // A tree without a layout, like all trees before it, writes nothing.
        let has_files = !view.files.is_empty();
        let differs = has_files && sorted(files(view)) != sorted(files(before));
        let mut writer = self.writer(log, id, view);
        writer.own_reconciling = is_merge;
        writer.doubled(|_| true);
        let head = writer.log.entries.len();
        for (name, file) in view.by_path() {
            if before.blob(name) != Some(file.blob) {
                writer.parse_error(file);
            }
        }
        writer.twice(|_| true);
        let mut wrote = false;
        for (key, text) in view.sources() {
            wrote |= writer.source_text(key, text);
        }
        let present: BTreeSet<String> = view.sources().map(|(key, _)| key.to_owned()).collect();
        let own_version = !self.walk.rewritten
            && self
                .git
                .parents(id)
                .iter()
                .all(|parent| self.views[parent].blob(self.source) != view.blob(self.source));
        if view.has_good(self.source) {
            wrote |= own_version && writer.log.present.iter().any(|key| !present.contains(key));
        }
        // A template without a readable version writes nothing.
        if view.has_good(writer.source) && present != writer.log.present {
            writer.log.template_state += 1;
            writer.log.present = present;
        }
        if view.files.contains_key(writer.source) {
            writer.update(writer.source, before, !is_merge || wrote);
        }
        let gone = writer.gone(before, |_| has_files);
        for name in writer.names() {
            let Some(file) = view.files.get(&name) else {
                writer.completed(&name);
                continue;
            };
            let name = name.as_str();
            writer.returns_later(name);
            writer.has_file(name, file);
            let mut wrote = false;
            // An optimization: without a difference there is nothing to write.
            if self.walk.rewritten || is_merge || !view.has_same_texts(before, name) {
                for (key, _) in view.sources() {
                    // A string that returns with its key counts as rewritten.
                    if !is_merge && before.source_of(key).is_none() {
                        writer.add_again(name, key);
                    }
                    wrote |= writer.text(name, key);
                }
            }
            writer.review(name, before, &reviews, own);
            writer.completed(name);
            writer.update(
                name,
                if is_merge { &none } else { before },
                !is_merge || wrote,
            );
        }
        writer.removed(&gone);
        let own_wrote = writer.log.entries.len() > own;
        // A rewritten history has an entry 21 instead.
        if is_merge && !self.walk.rewritten && (has_side_entries || own_wrote || differs) {
            writer.push(20, None, None, "", "", "");
            // It follows the entries 40.
            log.entries[head..].rotate_right(1);
            for rename in log.renames.iter_mut().filter(|rename| rename.entry >= head) {
                let is_reused = log
                    .renaming
                    .get(&rename.to)
                    .is_some_and(|it| it.values.is_some());
                rename.entry += 1;
                rename.until += usize::from(!is_reused);
            }
        }
    }

    /// A side commit writes the changes that its merge takes.
    fn side(
        &mut self,
        log: &mut Log,
        id: CommitId,
        merge: &View,
        before_merge: &View,
        changed_sources: &mut bool,
    ) {
        let view = Rc::clone(&self.views[&id]);
        let parents: Vec<Rc<View>> = self
            .git
            .parents(id)
            .iter()
            .map(|parent| Rc::clone(&self.views[parent]))
            .collect();
        let none = View::default();
        let before = parents.first().map_or(&none, |view| view);
        let base = self.git.parents(id).first().copied();
        let reviews = Reviews::of(self.git, id, base, true);
        // A merge on a branch writes nothing but what it acknowledges.
        if parents.len() > 1 {
            let mut writer = self.writer(log, id, &view);
            let start = writer.log.entries.len();
            for name in writer.names().iter().filter(|_| !reviews.is_empty()) {
                writer.review(name, before, &reviews, start);
                writer.completed(name);
            }
            return;
        }
        let adds_key =
            |key: &str| merge.source_of(key).is_some() && before_merge.source_of(key).is_none();
        let other_source = |(key, text): (&str, &str)| before.source_of(key) != Some(text);
        *changed_sources |= view.has_good(self.source)
            && (view.sources().any(other_source)
                || before
                    .sources()
                    .any(|(key, _)| view.source_of(key).is_none()));
        let adds_keys = merge.sources().any(|(key, _)| adds_key(key));
        let takes_files = adds_keys && *changed_sources;
        let changes_file = |name: &str| merge.blob(name) != before_merge.blob(name);
        let takes_source = |key: &str| merge.source_of(key) != before_merge.source_of(key);
        let mut writer = self.writer(log, id, &view);
        writer.on_branch = true;
        let start = writer.log.entries.len();
        let brings = |list: fn(&View) -> Vec<&str>, one: &str| {
            !list(before).contains(&one)
                && list(merge).contains(&one)
                && !list(before_merge).contains(&one)
        };
        writer.doubled(|target| brings(View::duplicates, target));
        for (name, file) in view.by_path() {
            if before.blob(name) != Some(file.blob) {
                writer.parse_error(file);
            }
        }
        writer.twice(|key| brings(View::twice, key));
        for (key, text) in view.sources() {
            if before.source_of(key) != Some(text) && takes_source(key) {
                writer.source_text(key, text);
            }
        }
        if view.has_good(writer.source) {
            for (key, _) in before
                .sources()
                .filter(|(key, _)| view.source_of(key).is_none() && takes_source(key))
            {
                writer.log.present.remove(key);
                writer.log.template_state += 1;
            }
        }
        if view.files.contains_key(writer.source) {
            let takes = takes_files || changes_file(writer.source);
            writer.update(writer.source, before, takes);
        }
        let gone = writer.gone(before, |name| {
            before_merge.files.contains_key(name) && !merge.files.contains_key(name)
        });
        for name in writer.names() {
            let Some(file) = view.files.get(&name) else {
                writer.completed(&name);
                continue;
            };
            let name = name.as_str();
            let is_new = before
                .files
                .get(name)
                .is_none_or(|old| (&old.path, old.blob) != (&file.path, file.blob));
            let mut returns = false;
            if is_new && changes_file(name) && merge.files.contains_key(name) {
                returns = writer.returns_later(name);
                writer.has_file(name, file);
            }
            // An optimization: a merge without changes takes nothing.
            let keys = view
                .sources()
                .filter(|_| adds_keys || returns || !merge.has_same_texts(before_merge, name));
            for (key, _) in keys {
                let changed = !before.files.contains_key(name)
                    || before.text(name, key).0 != view.text(name, key).0;
                let brings = changed || before.source_of(key).is_none() && takes_source(key);
                let differs = merge.text(name, key).0 != before_merge.text(name, key).0;
                if returns || brings && (adds_key(key) || differs) {
                    writer.text(name, key);
                }
            }
            writer.review(name, before, &reviews, start);
            writer.completed(name);
            writer.update(name, before, takes_files || changes_file(name));
        }
        writer.removed(&gone);
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

impl Log {
    /// Every entry is at least one microsecond later than the one before it.
    fn set_times_apart(&mut self, start: usize) {
        for at in start.max(1)..self.entries.len() {
            self.entries[at].time = self.entries[at].time.max(self.entries[at - 1].time + 1);
        }
    }
}
