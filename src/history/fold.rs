//! Folds commits into the past: what each commit of a step writes, in which order (`log.md` 1 to 4).

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::Draft;
use super::graph::{Course, Graph, Merge, NodeIx};
use super::past::Past;
use super::people::Authors;
use super::takes::Limit;
use super::times;
use super::trees::{FileIx, FileSet, LanguageIx, SetIx, Trees};
use super::values::Value;
use super::versions::{Good, Version};
use crate::model::{Action, BlobId, KeyId, LineageId, Log, TextId};

/// Versions of broken files that stand in for them, by language, at one commit.
type StandIns = Arc<FxHashMap<LanguageIx, Option<Arc<Good>>>>;

/// A step and all that was read for it.
pub(super) struct Fold<'a> {
    pub graph: &'a Graph,
    pub course: Course,
    pub trees: &'a Trees,
    /// The files of each node; `None` when no layout fits the tree nor that of any commit before it.
    pub sets: Vec<Option<SetIx>>,
    pub versions: &'a FxHashMap<BlobId, Version>,
    /// By node, where a file is broken.
    pub stand_ins: Vec<Option<StandIns>>,
    pub authors: Authors<'a>,
    /// Seconds: no commit counts as later than when its tip was seen.
    pub seen: i64,
    pub past: &'a mut Past,
    /// The source that each text of a unit was written for; read from the log when it is first asked for.
    pub had: Option<FxHashMap<(LineageId, KeyId, TextId), TextId>>,
}

/// A language's file at the commit that is drafted.
struct At<'c> {
    node: NodeIx,
    template: &'c Good,
    language: LanguageIx,
    path: &'c Arc<str>,
    on_branch: bool,
}

/// Units and keys that side commits wrote, to be looked at again by their merge.
#[derive(Default)]
struct Touched {
    units: FxHashSet<(LanguageIx, KeyId)>,
    keys: FxHashSet<KeyId>,
    /// Whether a side commit has changed a source, taken or not.
    sources: bool,
}

impl Fold<'_> {
    /// Writes the entries of the whole step. `progress` is told how many mainline commits are done.
    pub fn run(&mut self, progress: &mut dyn FnMut(usize)) {
        let committed: Vec<i64> =
            self.graph.mainline.iter().map(|merge| self.committed(merge.node).min(self.seen)).collect();
        let times = times::mainline(&committed);
        for (at, (merge, time)) in self.graph.mainline.iter().zip(times).enumerate() {
            self.mainline(merge, time);
            progress(at + 1);
        }
    }

    fn committed(&self, node: NodeIx) -> i64 {
        self.graph.nodes[node as usize].commit.committer.time.seconds
    }

    fn mainline(&mut self, merge: &Merge, time: i64) {
        if self.course == Course::Rewritten {
            self.write(merge.node, time, Action::RebasedRepository, None, None, TextId::EMPTY, TextId::EMPTY, None);
        }
        let start = self.past.log.len();
        let mut touched = Touched::default();
        let limit = self.limit(merge);
        // What a merge among them brings is its parents' work, and what it decides itself the mainline's merge writes.
        for &side in &merge.sides {
            if self.is_merge(side) {
                continue;
            }
            let first_parent = self.graph.nodes[side as usize].parents.first().copied();
            let draft = self.draft(side, first_parent, Some(limit), &mut touched);
            let time = self.committed(side).min(time).min(self.seen);
            self.emit(side, time, draft, false);
        }
        let draft = self.draft(merge.node, merge.base, None, &mut touched);
        let is_told = self.is_merge(merge.node) && self.course != Course::Rewritten;
        let tell = is_told && (!draft.is_empty() || self.wrote_since(start) || self.changes_files(merge));
        self.emit(merge.node, time, draft, tell);
    }

    /// Whether branches wrote anything. That a file could not be read on one is no change that its merge brings.
    fn wrote_since(&self, start: usize) -> bool {
        let mut entries = (start..self.past.log.len()).filter_map(|at| self.past.log.get(at));
        entries.any(|entry| entry.action != Action::ParseError)
    }

    /// Whether a merge has other files than its first parent. A tree that no layout fits, nor any before it, says
    /// nothing.
    fn changes_files(&self, merge: &Merge) -> bool {
        let empty = FileSet::default();
        let base = self.set(merge.base).unwrap_or(&empty);
        self.set(Some(merge.node)).is_some_and(|here| !base.diff(here).is_empty())
    }

    pub(super) fn set(&self, node: Option<NodeIx>) -> Option<&FileSet> {
        self.sets[node? as usize].map(|set| &self.trees.sets[set as usize])
    }

    pub(super) fn file(&self, node: Option<NodeIx>, language: LanguageIx) -> Option<FileIx> {
        self.set(node)?.file(language)
    }

    pub(super) fn blob(&self, file: Option<FileIx>) -> Option<BlobId> {
        Some(self.trees.files[file? as usize].blob)
    }

    /// The last good version of a language's file at a commit.
    pub fn good(&self, node: Option<NodeIx>, language: LanguageIx) -> Option<&Arc<Good>> {
        let blob = self.blob(self.file(node, language))?;
        match self.versions.get(&blob) {
            Some(Version::Good(good)) => Some(good),
            _ => self.stand_ins[node? as usize].as_ref()?.get(&language)?.as_ref(),
        }
    }

    /// Whether another version stands in for a broken file; which one is no question of the file alone.
    fn is_stood_in_for(&self, node: Option<NodeIx>, language: LanguageIx) -> bool {
        let stand_ins = node.and_then(|node| self.stand_ins[node as usize].as_ref());
        stand_ins.is_some_and(|stand_ins| stand_ins.contains_key(&language))
    }

    pub(super) fn template(&self, node: Option<NodeIx>) -> Option<&Arc<Good>> {
        let (language, _) = self.set(node)?.template?;
        self.good(node, language)
    }

    pub(super) fn source(&self, node: Option<NodeIx>, key: KeyId) -> Value {
        self.template(node).map_or(Value::ABSENT, |template| template.source(key))
    }

    /// The text that a commit's file has for a key, whether or not its template has the key; `None` when
    /// the commit lacks the file.
    pub(super) fn unit(&self, node: Option<NodeIx>, language: LanguageIx, key: KeyId) -> Option<TextId> {
        self.file(node, language)?;
        Some(self.good(node, language).map_or(TextId::EMPTY, |good| good.value(key).text()))
    }

    /// Calls `found` for each key whose source may differ between a commit's template and another.
    pub(super) fn template_diff(&self, base: Option<NodeIx>, template: &Good, found: &mut impl FnMut(KeyId)) {
        match self.template(base) {
            Some(old) => old.diff(template, found),
            None => template.each(found),
        }
    }

    fn is_broken(&self, blob: BlobId) -> bool {
        matches!(self.versions.get(&blob), Some(Version::Broken))
    }

    fn is_merge(&self, node: NodeIx) -> bool {
        self.graph.nodes[node as usize].commit.parents.len() > 1
    }

    /// A merge updates the files that reconciling wrote something for, whether or not it changes them (`log.md` 2), and
    /// the template that it wrote itself without a key.
    fn only_written(&self, node: NodeIx, draft: &mut Draft) {
        if self.is_merge(node) {
            for language in draft.languages.values_mut() {
                let blob = self.blob(self.file(Some(node), language.lineage.0));
                let parses = blob.is_some_and(|blob| !self.is_broken(blob));
                language.updated = parses && !language.texts.is_empty();
            }
            let drops = draft.drops_a_key && self.is_own_version(node, draft.template_update);
            draft.template_update = draft.template_update.filter(|_| drops || !draft.template.is_empty());
        }
    }

    /// Whether a merge has a version of a file that none of its parents has. What a rewritten history ends with is
    /// no merge of what was before.
    fn is_own_version(&self, merge: NodeIx, file: Option<LineageId>) -> bool {
        let blob = |node| self.blob(self.file(Some(node), file?.0));
        let parents = &self.graph.nodes[merge as usize].parents;
        self.course != Course::Rewritten && parents.iter().all(|&parent| blob(parent) != blob(merge))
    }

    /// What a commit writes against `base`: for a mainline commit all that differs from the log, for a
    /// side commit what it changes and its merge takes. The past becomes what the draft says.
    fn draft(&mut self, node: NodeIx, base: Option<NodeIx>, limit: Option<Limit>, touched: &mut Touched) -> Draft {
        let mut draft = Draft::default();
        let here = Some(node);
        let Some(set) = self.set(here).cloned() else { return draft };
        let empty = FileSet::default();
        let differ = self.set(base).unwrap_or(&empty).diff(&set);
        let mut returned: Vec<LanguageIx> = Vec::new();
        let is_mainline = limit.is_none();
        let complete: Vec<bool> =
            (0..self.past.lineages.len()).map(|at| self.past.is_complete(LineageId(at as u16))).collect();

        for double in &set.doubles {
            if !self.brings(base, limit, |set| set.doubles.contains(double)) {
                continue;
            }
            let target = self.past.vocabulary.texts.intern(double);
            if self.past.told.languages.insert(target) {
                draft.doubled_languages.push(target);
            }
        }
        let template = self.template(here).cloned();
        let template_language = set.template.map(|(language, _)| language);
        let gained = self.draft_template(base, limit, &template, touched, &mut draft);

        // Files: which are broken, new, gone or rewritten.
        for &(language, old, new) in &differ {
            let Some(new) = new else {
                self.draft_removal(language, old, limit, &mut draft);
                continue;
            };
            let path = self.trees.files[new as usize].path.clone();
            let blob = self.trees.files[new as usize].blob;
            let same = self.blob(old) == Some(blob);
            let broken = self.is_broken(blob);
            if broken && !same {
                let target = self.past.vocabulary.texts.intern(&path);
                if self.past.told.broken.insert((target, blob)) {
                    draft.broken.push(target);
                }
            }
            let changes = self.changes_file(limit, language);
            if !broken && !same && (changes || limit.is_some_and(|limit| limit.gains && touched.sources)) {
                if Some(language) == template_language {
                    draft.template_update = Some(LineageId(language));
                } else {
                    draft.language(&path, language).updated = true;
                }
            }
            if !changes {
                continue;
            }
            let is_kept = limit.is_none_or(|limit| self.file(Some(limit.merge), language).is_some());
            let readable = self.good(here, language).is_some();
            let lineage = &mut self.past.lineages[usize::from(language)];
            if is_kept {
                if !lineage.alive {
                    returned.push(language);
                }
                lineage.alive = true;
                lineage.readable = readable;
            }
            lineage.move_to(&path);
        }

        // Texts.
        let Some(template) = template else {
            self.only_written(node, &mut draft);
            self.completed(&complete, template_language, &mut draft);
            return draft;
        };
        let gained: Vec<KeyId> = gained.into_iter().filter(|&key| self.takes_key(limit, key)).collect();
        let mut keys: Vec<KeyId> = Vec::new();
        for &(language, file) in &set.files {
            if Some(language) == template_language {
                continue;
            }
            let comes = returned.contains(&language);
            let is_back = comes && !self.past.lineages[usize::from(language)].values.is_empty();
            keys.clear();
            keys.extend_from_slice(&gained);
            if differ.iter().any(|&(other, _, _)| other == language) || self.is_stood_in_for(here, language) {
                let mut add = |key| keys.push(key);
                match (self.good(base, language), self.good(here, language)) {
                    (Some(old), Some(new)) if !comes => old.diff(new, &mut add),
                    (_, Some(_)) => template.each(&mut add),
                    _ => {}
                }
            }
            if is_mainline {
                keys.extend(touched.units.iter().filter(|unit| unit.0 == language).map(|unit| unit.1));
            }
            keys.sort_unstable();
            keys.dedup();
            let path = &self.trees.files[file as usize].path;
            let at = At { node, template: &template, language, path, on_branch: !is_mainline };
            for &key in &keys {
                let is_gained = gained.binary_search(&key).is_ok();
                // A language returns whole, whatever its merge takes.
                if is_back || limit.is_none_or(|limit| self.takes_unit(limit, node, language, key, is_gained)) {
                    let with_key = is_mainline && !self.is_merge(node) && is_gained;
                    self.draft_text(&at, key, is_back || with_key, touched, &mut draft);
                }
            }
        }
        self.order(&template, &mut draft);
        self.only_written(node, &mut draft);
        self.completed(&complete, template_language, &mut draft);
        draft
    }

    /// Tells which translations a commit completed, given which were complete before it.
    fn completed(&self, before: &[bool], template: Option<LanguageIx>, draft: &mut Draft) {
        for (at, was_complete) in before.iter().enumerate() {
            if !was_complete && template != Some(at as u16) && self.past.is_complete(LineageId(at as u16)) {
                // What the commit writes for it may be of a file at another path than the newest.
                let written = draft.languages.keys().find(|(_, language)| usize::from(*language) == at);
                let path = written.map_or_else(|| self.past.lineages[at].path.clone(), |(path, _)| path.clone());
                draft.language(&path, at as u16).completed = true;
            }
        }
    }

    /// The keys of the template: writes 13, 30 and 16 into the draft; gives the keys that the commit gained, ascending.
    fn draft_template(
        &mut self,
        base: Option<NodeIx>,
        limit: Option<Limit>,
        template: &Option<Arc<Good>>,
        touched: &mut Touched,
        draft: &mut Draft,
    ) -> Vec<KeyId> {
        let Some(template) = template else { return Vec::new() };
        let mut keys = Vec::new();
        self.template_diff(base, template, &mut |key| keys.push(key));
        if limit.is_none() {
            keys.extend(touched.keys.iter().copied());
            if self.template(base).is_none() {
                keys.extend((0..self.past.keys.len() as u32).map(KeyId));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let mut gained = Vec::new();
        for key in keys {
            let (source, before) = (template.source(key), self.source(base, key));
            // A version in which a second entry of the key changed brings no other source.
            let same = before.is_present() == source.is_present() && before.text() == source.text();
            touched.sources |= limit.is_some() && !same;
            let known = self.past.key(key);
            if !source.is_present() {
                if known.present && self.takes_key(limit, key) {
                    self.past.set_key(key, false, known.source);
                    draft.drops_a_key = true;
                    if limit.is_some() {
                        touched.keys.insert(key);
                    }
                }
                continue;
            }
            if !before.is_present() {
                gained.push(key);
            }
            if !self.takes_key(limit, key) || limit.is_some() && same {
                continue;
            }
            let differs = known.source.text() != source.text();
            if !known.present {
                draft.template.push((Action::NewSourceString, key, source, TextId::EMPTY));
                if known.source.is_present() && differs {
                    draft.template.push((Action::SourceStringChanged, key, source, known.source.text()));
                }
            } else if differs {
                draft.template.push((Action::SourceStringChanged, key, source, known.source.text()));
            }
            if !known.present || known.source != source {
                self.past.set_key(key, true, source);
                if limit.is_some() {
                    touched.keys.insert(key);
                }
            }
        }
        for key in template.doubles() {
            let has =
                |template: Option<&Arc<Good>>| template.is_some_and(|it| it.doubles().any(|double| double == key));
            let brings = limit.is_none_or(|limit| {
                has(self.template(Some(limit.merge))) && !has(self.template(limit.base)) && !has(self.template(base))
            });
            if brings && self.past.told.keys.insert(key) {
                draft.doubled_keys.push(key);
            }
        }
        gained
    }

    fn draft_removal(&mut self, language: LanguageIx, old: Option<FileIx>, limit: Option<Limit>, draft: &mut Draft) {
        if let Some(limit) = limit
            && self.file(Some(limit.merge), language).is_some()
        {
            return;
        }
        let lineage = &mut self.past.lineages[usize::from(language)];
        if lineage.alive
            && let Some(old) = old
        {
            lineage.alive = false;
            draft.removed.insert(self.trees.files[old as usize].path.clone(), LineageId(language));
        }
    }

    /// Writes a text that differs from the log's. One that is as the log has it gets no entry, but counts as written
    /// anew, for the source that is there now, where it `returns` with its file or its key, and on a branch: another
    /// branch wrote the same, and it holds for the source that this one has.
    fn draft_text(&mut self, at: &At<'_>, key: KeyId, returns: bool, touched: &mut Touched, draft: &mut Draft) {
        let source = at.template.source(key);
        if !source.is_present() {
            return;
        }
        let lineage = LineageId(at.language);
        // A file of which no version was ever read says nothing.
        let Some(value) = self.good(Some(at.node), at.language).map(|good| good.value(key)) else { return };
        let known = &self.past.lineages[usize::from(at.language)];
        let (old, old_source) = (known.value(key), known.source(key));
        if value.text() == old.text() {
            let is_anew = (returns || at.on_branch) && old.is_present();
            let differs = !at.on_branch && value.is_translated() != old.is_translated();
            if is_anew || differs {
                let source = if is_anew { self.shown_source(key, source.text()) } else { old_source };
                self.past.set_value(lineage, key, if differs { value } else { old }, source);
            }
            return;
        }
        let source = self.written_for(lineage, key, value.text(), source.text(), at.node);
        let action = if !old.is_translated() && value.is_translated() {
            Action::NewTranslation
        } else {
            Action::TranslationChanged
        };
        self.past.set_value(lineage, key, value, source);
        if let Some(had) = &mut self.had {
            had.insert((lineage, key, value.text()), source);
        }
        draft.language(at.path, at.language).texts.push((action, key, value, old, source));
        if at.on_branch {
            touched.units.insert((at.language, key));
        }
    }

    /// The source that a value was written for (`log.md` 3).
    fn written_for(&mut self, lineage: LineageId, key: KeyId, text: TextId, in_tree: TextId, node: NodeIx) -> TextId {
        if self.is_merge(node) {
            let log = &self.past.log;
            let had = self.had.get_or_insert_with(|| sources_of(log));
            // One that was never shown was not known yet when the text was written.
            if let Some(&source) = had.get(&(lineage, key, text)).filter(|&&it| self.past.shown.contains(&(key, it))) {
                return source;
            }
        }
        self.shown_source(key, in_tree)
    }

    /// The source in a commit's tree, if the log has ever shown it for the key, else the log's.
    fn shown_source(&self, key: KeyId, in_tree: TextId) -> TextId {
        if self.past.shown.contains(&(key, in_tree)) { in_tree } else { self.past.key(key).source.text() }
    }

    /// Puts keys into template order.
    fn order(&self, template: &Good, draft: &mut Draft) {
        let several = draft.languages.values().any(|language| language.texts.len() > 1);
        if !several && draft.template.len() < 2 && draft.doubled_keys.len() < 2 {
            return;
        }
        let ranks: FxHashMap<KeyId, u32> = template.order().zip(0..).collect();
        let rank = |key: &KeyId| ranks.get(key).copied().unwrap_or(u32::MAX);
        draft.template.sort_by_key(|(_, key, _, _)| rank(key));
        draft.doubled_keys.sort_by_key(rank);
        for language in draft.languages.values_mut() {
            language.texts.sort_by_key(|(_, key, _, _, _)| rank(key));
        }
    }
}

/// The source that each text of the log was written for, of equal texts of a unit the newest.
fn sources_of(log: &Log) -> FxHashMap<(LineageId, KeyId, TextId), TextId> {
    let entries = (0..log.len()).filter_map(|at| log.get(at));
    let texts = entries.filter(|entry| matches!(entry.action, Action::NewTranslation | Action::TranslationChanged));
    texts.filter_map(|entry| Some(((entry.lineage?, entry.key?, entry.target), entry.source))).collect()
}
