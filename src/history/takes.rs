//! What a merge takes of the commits of its branches (`log.md` 2, as the counts of its table show it). Without it, what
//! a branch tries and gives up would stand in the log and be taken back.

use super::fold::Fold;
use super::graph::{Merge, NodeIx};
use super::trees::{FileSet, LanguageIx};
use super::values::Value;
use crate::model::KeyId;

/// What limits a side commit: the merge that brings it, and what that is compared with.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    pub merge: NodeIx,
    pub base: Option<NodeIx>,
    /// Whether the merge gains a key; then it takes something of every file, once its branches have changed a source.
    pub gains: bool,
}

impl Fold<'_> {
    /// What limits the side commits of a mainline commit.
    pub(super) fn limit(&self, merge: &Merge) -> Limit {
        let gains = !merge.sides.is_empty() && self.gains_a_key(merge.node, merge.base);
        Limit { merge: merge.node, base: merge.base, gains }
    }

    /// Whether a merge takes a key of the template: it has another text for it than its first parent.
    pub(super) fn takes_key(&self, limit: Option<Limit>, key: KeyId) -> bool {
        let text = |node| Some(self.source(node, key)).filter(|source| source.is_present()).map(Value::text);
        limit.is_none_or(|limit| text(Some(limit.merge)) != text(limit.base))
    }

    /// Whether a merge gains a key: its template has it, its first parent's has not.
    pub(super) fn gains_key(&self, limit: Limit, key: KeyId) -> bool {
        self.source(Some(limit.merge), key).is_present() && !self.source(limit.base, key).is_present()
    }

    fn gains_a_key(&self, merge: NodeIx, base: Option<NodeIx>) -> bool {
        let Some(new) = self.template(Some(merge)) else { return false };
        let mut gains = false;
        let mut compare = |key| gains |= new.source(key).is_present() && !self.source(base, key).is_present();
        self.template_diff(base, new, &mut compare);
        gains
    }

    /// Whether a merge takes a unit of a side commit, which has `gained` a key that the merge takes or else must have
    /// changed the text: the merge gains the key, or has another text than its first parent.
    pub(super) fn takes_unit(
        &self,
        limit: Limit,
        here: NodeIx,
        language: LanguageIx,
        key: KeyId,
        gained: bool,
    ) -> bool {
        let parent = self.graph.nodes[here as usize].parents.first().copied();
        let text = |node| self.unit(node, language, key).unwrap_or_default();
        let brings = gained || self.unit(parent, language, key) != self.unit(Some(here), language, key);
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
