//! The files of a component in the states to compare, and the comparison.

use std::borrow::Cow;

use super::plan::{CheckInputs, CheckedSpec};
use gitglot_history::UnknownNames;
use gitglot_lint::{
    CheckScope, CheckedComponent, ComponentChange, ComponentFiles, ComponentMoves, HistoryRead,
    RepositoryState, RepositoryTree, RestoredTexts, StaleHistory, StaleReference, StaleStrings,
    compare,
};
use gitglot_model::CommitId;

/// A component in the states to compare.
pub(super) struct ComponentStates<'a> {
    pub(super) checked: &'a CheckedSpec,
    pub(super) inputs: CheckInputs<'a>,
    pub(super) head: ComponentFiles,
    pub(super) base: Option<ComponentFiles>,
    /// The texts that the commits after the base set back to older ones.
    restored: Option<RestoredTexts>,
}

impl<'a> ComponentStates<'a> {
    /// Reads the files in these states.
    pub(super) fn read(inputs: CheckInputs<'a>, checked: &'a CheckedSpec) -> anyhow::Result<Self> {
        let (plan, spec) = (inputs.plan, &checked.spec);
        let source = plan.source;
        let language = &spec.source_language;
        let base = match &plan.base_trees {
            Some([base, _]) => {
                let component = checked.moved_from.as_ref().unwrap_or(&spec.component);
                Some(ComponentFiles::at(base, component, language, None)?)
            }
            None => None,
        };
        let (tree, component) = (&plan.head_tree, &spec.component);
        let head = ComponentFiles::at(tree, component, language, base.as_ref())?;
        let restored = match (&base, &source.revisions.base, plan.head) {
            (Some(files), Some(base), RepositoryState::Commit(commit)) => {
                let (component, base) = (&spec.component, base.commit);
                let found =
                    RestoredTexts::find(&source.repository, component, files, base, &head, commit);
                Some(found?)
            }
            _ => None,
        };
        Ok(Self {
            checked,
            inputs,
            head,
            base,
            restored,
        })
    }

    /// The change from the base.
    pub(super) fn change(&self) -> Option<ComponentChange<'_>> {
        let spec = &self.checked.spec;
        Some(ComponentChange {
            name: &spec.name,
            component: &spec.component,
            base: self.base.as_ref()?,
            head: &self.head,
        })
    }

    /// Checks the component, and compares it with the base.
    pub(super) fn compare(
        &self,
        reference: Option<StaleReference<'_>>,
        moves: Option<&ComponentMoves<'_>>,
    ) -> CheckedComponent {
        let (base, CheckInputs { options, code, .. }) = (self.base.as_ref(), self.inputs);
        let scope = CheckScope {
            selects: &|path: &str| !options.excludes(path),
            options,
            uses: Some(code),
            moves,
            restored: self.restored.as_ref(),
            ..CheckScope::ALL
        };
        compare(&self.checked.spec, &self.head, base, reference, scope)
    }

    /// Whether the file mask matches a file in one of the states.
    pub(super) fn have_files(&self) -> bool {
        let component = &self.checked.spec.component;
        let mut sides = self.base.iter().chain([&self.head]);
        sides.any(|side| side.has_file_of(&component.filemask)) || self.checked.moved_from.is_some()
    }

    /// Compares with the strings that were stale before, if the plan reads the history. Notes the names in
    /// acknowledgements that the component has, if it read a history.
    pub(super) fn compare_with_history(
        &self,
        moves: Option<&ComponentMoves<'_>>,
        unknown: &mut Option<UnknownNames>,
    ) -> anyhow::Result<CheckedComponent> {
        let (spec, head, plan) = (&self.checked.spec, &self.head, self.inputs.plan);
        let (source, repository) = (plan.source, &plan.source.repository);
        let head_commit = source.revisions.head;
        let at_commit = match (plan.head, head_commit) {
            (RepositoryState::Index | RepositoryState::WorkTree, Some(commit)) => {
                let tree = RepositoryTree::open(repository, RepositoryState::Commit(commit))?;
                let (component, language) = (&spec.component, &spec.source_language);
                Some(ComponentFiles::at(&tree, component, language, Some(head))?)
            }
            _ => None,
        };
        let side = at_commit.as_ref().unwrap_or(head);
        let mut history = StaleHistory::new(&spec.component, &spec.source_language);
        let mut has_history = false;
        let mut stale_in = |side: &ComponentFiles, commit: Option<CommitId>| {
            if let Some((known, stale)) = &source.known_stale
                && Some(*known) == commit
            {
                return Ok(Cow::Borrowed(stale));
            }
            // Without a template in the commit nothing can be stale in it.
            let is_read = plan.history == HistoryRead::Complete && side.is_readable();
            match commit.filter(|_| is_read) {
                Some(commit) => {
                    has_history = true;
                    history.at(repository, commit).map(Cow::Owned)
                }
                None => Ok(Cow::Owned(StaleStrings::default())),
            }
        };
        let at_base = match (&self.base, &source.revisions.base) {
            // The history of the files is that of their new place.
            _ if self.checked.moved_from.is_some() => None,
            (Some(side), Some(base)) => Some(stale_in(side, Some(base.commit))?),
            _ => None,
        };
        let stale = stale_in(side, head_commit)?;
        let reference = StaleReference {
            side,
            stale: &stale,
            at_base: at_base.as_deref(),
            is_complete: plan.history == HistoryRead::Complete,
        };
        let result = self.compare(Some(reference), moves);
        if has_history {
            history.find_names(unknown);
        }
        Ok(result)
    }
}
