//! What a merge takes of the commits of its branches (`log.md` 2, as the counts of its table show it). Without it, what
//! a branch tries and gives up would stand in the log and be taken back.

use super::fold::Fold;
use super::graph::{Merge, NodeIx};
use super::trees::{FileSet, LanguageIx};
use super::values::Value;
use crate::model::KeyIx;

/// What limits a side commit: the merge that brings it, and what that is compared with.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    pub merge: NodeIx,
    pub base: Option<NodeIx>,
    /// Whether the merge takes something of every file: it gains a key, and a commit of its branches has changed a
    /// source by now.
    pub takes_files: bool,
}

impl Fold<'_> {
    /// Whether a merge takes a key of the template: it has another text for it than its first parent.
    pub(super) fn takes_key(&self, limit: Option<Limit>, key: KeyIx) -> bool {
        let text = |node| Some(self.source(node, key)).filter(|source| source.is_present()).map(Value::text);
        limit.is_none_or(|limit| text(Some(limit.merge)) != text(limit.base))
    }

    /// Whether a merge gains a key: its template has it, its first parent's has not.
    pub(super) fn gains_key(&self, limit: Limit, key: KeyIx) -> bool {
        self.source(Some(limit.merge), key).is_present() && !self.source(limit.base, key).is_present()
    }

    /// Whether a merge gains any key.
    pub(super) fn gains_a_key(&self, merge: &Merge) -> bool {
        !merge.sides.is_empty() && self.changes_a_source(merge.node, merge.base, |new, old| new && !old)
    }

    /// Whether a side commit has other sources than its first parent.
    pub(super) fn changes_sources(&self, side: NodeIx, parent: Option<NodeIx>) -> bool {
        self.changes_a_source(side, parent, |_, _| true)
    }

    /// Whether a commit has another source than `base` for any key, of which `is_such` says whether each has one.
    fn changes_a_source(&self, node: NodeIx, base: Option<NodeIx>, is_such: impl Fn(bool, bool) -> bool) -> bool {
        let Some(template) = self.template(Some(node)) else { return false };
        let mut found = false;
        self.template_diff(base, template, &mut |key| {
            let (new, old) = (template.source(key), self.source(base, key));
            let differs = new.is_present() != old.is_present() || new.text() != old.text();
            found |= differs && is_such(new.is_present(), old.is_present());
        });
        found
    }

    /// Whether a merge takes a unit of a side commit: the commit changed the text or gained a key that the merge takes,
    /// and the merge has another text than its first parent or gains the key.
    pub(super) fn takes_unit(&self, limit: Limit, here: NodeIx, language: LanguageIx, key: KeyIx) -> bool {
        let parent = self.graph.nodes[here as usize].parents.first().copied();
        let text = |node| self.unit(node, language, key).unwrap_or_default();
        let changed = self.unit(parent, language, key) != self.unit(Some(here), language, key);
        let brings = changed || !self.source(parent, key).is_present() && self.takes_key(Some(limit), key);
        brings && (self.gains_key(limit, key) || text(Some(limit.merge)) != text(limit.base))
    }

    /// Whether a merge has another version of a file than its first parent.
    pub(super) fn changes_file(&self, limit: Option<Limit>, language: LanguageIx) -> bool {
        let Some(limit) = limit else { return true };
        let there = self.blob(self.file(Some(limit.merge), language));
        there != self.blob(self.file(limit.base, language))
    }

    /// Whether a commit brings a property of its set of files: for a side commit, whether it is new there and its
    /// merge takes it.
    pub(super) fn brings(&self, base: Option<NodeIx>, limit: Option<Limit>, has: impl Fn(&FileSet) -> bool) -> bool {
        let has = |node| self.set(node).is_some_and(&has);
        limit.is_none_or(|limit| has(Some(limit.merge)) && !has(limit.base) && !has(base))
    }
}
