//! Decides which changes of its side commits a merge keeps (docs/spec/change-log.md#merge-scope). Without it, changes
//! that a branch makes and abandons would appear in the log and be reverted by the merge.

use super::context::StepContext;
use crate::files::trees::LanguageIndex;
use crate::graph::walk::{MainlineCommit, NodeIndex};
use gitglot_model::KeyId;

/// The merge that restricts its side commits.
#[derive(Clone, Copy)]
pub struct MergeScope<'a> {
    context: &'a StepContext<'a>,
    merge: NodeIndex,
    /// The mainline commit before the merge.
    base: Option<NodeIndex>,
    /// Whether the merge adds any key to the template.
    pub adds_any_key: bool,
}

impl<'a> MergeScope<'a> {
    /// The scope of a mainline commit's side commits.
    pub fn new(context: &'a StepContext<'a>, mainline: &MainlineCommit) -> Self {
        let mut scope = Self {
            context,
            merge: mainline.node,
            base: mainline.base,
            adds_any_key: false,
        };
        let template = context.template(Some(scope.merge));
        if let Some(template) = template.filter(|_| !mainline.side_commits.is_empty()) {
            let mut adds_any_key = false;
            context.template_diff(scope.base, template, &mut |key| {
                adds_any_key |= scope.adds_key(key)
            });
            scope.adds_any_key = adds_any_key;
        }
        scope
    }

    /// Whether the merge has a different text for a key in its template than its base, or only one of them has the key.
    pub fn takes_key(&self, key: KeyId) -> bool {
        let text = |node| {
            let source = self.context.source(node, key);
            source.is_present().then(|| source.text())
        };
        text(Some(self.merge)) != text(self.base)
    }

    /// Whether the merge adds a key to the template.
    fn adds_key(&self, key: KeyId) -> bool {
        self.context.source(Some(self.merge), key).is_present()
            && !self.context.source(self.base, key).is_present()
    }

    /// Whether the merge takes a text of a side commit. The side commit has to add the key (`adds_key`) or change the
    /// text, and the merge has to add the key or have a different text than its base. In files with states, a different
    /// state counts as a different text.
    pub fn takes_text(
        &self,
        side: NodeIndex,
        language: LanguageIndex,
        key: KeyId,
        adds_key: bool,
    ) -> bool {
        let text = |node| self.context.stated_text(node, language, key);
        let is_changed = adds_key || text(self.context.first_parent(side)) != text(Some(side));
        let differs =
            || text(Some(self.merge)).unwrap_or_default() != text(self.base).unwrap_or_default();
        is_changed && (self.adds_key(key) || differs())
    }

    /// Whether the merge has a different version of a file than its base.
    pub fn changes_file(&self, language: LanguageIndex) -> bool {
        let blob = |node| self.context.blob_at(node, language);
        blob(Some(self.merge)) != blob(self.base)
    }

    /// Whether the merge has a file of the language.
    pub fn has_file(&self, language: LanguageIndex) -> bool {
        self.context.file(Some(self.merge), language).is_some()
    }

    /// Whether a side commit, compared with its parent, introduces a property that the merge keeps.
    pub fn introduces(
        &self,
        parent: Option<NodeIndex>,
        has: impl Fn(Option<NodeIndex>) -> bool,
    ) -> bool {
        has(Some(self.merge)) && !has(self.base) && !has(parent)
    }
}
