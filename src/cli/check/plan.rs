//! Which states of a repository are read, and how each component is checked.

use std::sync::Arc;

use anyhow::bail;

use super::CheckArgs;
use super::components::{ComponentToCheck, Origin};
use super::source::CheckSource;
use crate::config::HistoryMode;
use gitglot_checks::{CheckProfile, CheckSettings, Checker, Words};
use gitglot_git::{Completeness, GitError};
use gitglot_history::{MAX_REVIEWED_BYTES, REVIEWED_FILE, ReviewedFile, has_review};
use gitglot_lint::{
    CheckOptions, ComponentSpec, Gates, HistoryRead, LintError, ReadState, RepositoryState,
    RepositoryTree, SourceCode,
};
use gitglot_model::{Component, KeySeparators};

/// The states of a repository to read.
pub(super) struct ReadPlan<'a> {
    pub(super) source: &'a CheckSource,
    /// The state to check.
    pub(super) head: RepositoryState,
    /// Its files.
    pub(super) head_tree: RepositoryTree,
    /// The files at the merge base and at the tip of the base, with a base.
    pub(super) base_trees: Option<[RepositoryTree; 2]>,
    pub(super) history: HistoryRead,
}

/// A component as it is checked.
pub(super) struct CheckedSpec {
    pub(super) spec: ComponentSpec,
    pub(super) origin: Origin,
    /// The component at the base, if its files were elsewhere.
    pub(super) moved_from: Option<Component>,
    /// The configured settings.
    pub(super) checks: CheckSettings,
}

/// The inputs that the checks of all components of a repository share.
#[derive(Clone, Copy)]
pub(super) struct CheckInputs<'a> {
    pub(super) plan: &'a ReadPlan<'a>,
    pub(super) options: &'a CheckOptions,
    pub(super) code: &'a SourceCode<'a>,
}

impl ReadPlan<'_> {
    /// The states as a report shows them.
    pub(super) fn read_state(&self) -> ReadState {
        let (source, revisions) = (self.source, &self.source.revisions);
        ReadState {
            repository: source.name.clone(),
            commit: revisions.head.map(|commit| commit.to_string()),
            branch: revisions.branch.clone(),
            state: match self.head {
                RepositoryState::Commit(_) => "commit",
                RepositoryState::Index => "index",
                RepositoryState::WorkTree => "worktree",
            },
            base: revisions.base.as_ref().map(|base| base.read.clone()),
            history: self.history,
        }
    }
}

/// The component as it is checked, also with checks of its source texts.
pub(super) fn checked_spec(
    checked: ComponentToCheck,
    words: &Words,
    source_checks: bool,
) -> anyhow::Result<CheckedSpec> {
    let (project, config) = &checked.component;
    let format = config.file_format.name();
    let checker = config
        .checks
        .checker(CheckProfile::Current, format, words.clone())?;
    let has_flags = config.checks.profile == CheckProfile::Current && config.checks.flags.is_some();
    let source_checker = source_checks.then(|| {
        if has_flags {
            checker.clone()
        } else {
            let inferred = Checker::inferred_with_source_checks(format, words.clone());
            let syntax = checker.syntax();
            syntax.map_or(inferred.clone(), |syntax| inferred.with_syntax(syntax))
        }
    });
    Ok(CheckedSpec {
        spec: ComponentSpec {
            name: project.name_of(config).into(),
            component: Component::new(config.settings.clone()),
            source_language: project.source_language.clone(),
            checker,
            source_checker,
            separators: config.checks.separators.or(KeySeparators::default()),
            reviewed: Arc::default(),
        },
        checks: config.checks.clone(),
        origin: checked.origin,
        moved_from: checked.moved_from.map(Component::new),
    })
}

/// The states to read of a repository.
pub(super) fn plan<'a>(
    args: &CheckArgs,
    source: &'a CheckSource,
    specs: &[CheckedSpec],
    gates: &Gates,
) -> anyhow::Result<ReadPlan<'a>> {
    let revisions = &source.revisions;
    let head = state(args, source, specs)?;
    let has_base = revisions.base.is_some();
    // A report reads the history only if its result depends on it, because that takes most of the time. A badge has the
    // percentage of pages, which know what is stale.
    let has_badge = args.result.badge.is_some() || args.result.badge_json.is_some();
    let mode = args.data.history.unwrap_or(match gates.needs_stale() {
        _ if has_badge => HistoryMode::Full,
        true if !has_base => HistoryMode::Full,
        _ => HistoryMode::None,
    });
    let history = match source.repository.completeness() {
        Completeness::Shallow => HistoryRead::Shallow,
        Completeness::Partial => HistoryRead::Partial,
        Completeness::Complete if mode == HistoryMode::Full && head != RepositoryState::Index => {
            HistoryRead::Complete
        }
        // A comparison with the base or with HEAD needs no history.
        Completeness::Complete if has_base || head == RepositoryState::Index => {
            HistoryRead::Compared
        }
        Completeness::Complete => match (args.data.history, head) {
            (None, RepositoryState::WorkTree) => HistoryRead::Compared,
            _ => HistoryRead::None,
        },
    };
    let is_compared = history == HistoryRead::Compared && args.data.history.is_none();
    let history = if is_compared && acknowledges(source)? {
        HistoryRead::Complete
    } else {
        history
    };
    let tree = |state| RepositoryTree::open(&source.repository, state);
    let at = |commit| tree(RepositoryState::Commit(commit));
    let base = revisions.base.as_ref();
    let base_trees = base.map(|base| Ok::<_, LintError>([at(base.commit)?, at(base.tip)?]));
    Ok(ReadPlan {
        source,
        head,
        head_tree: tree(head)?,
        base_trees: base_trees.transpose()?,
        history,
    })
}

/// Whether the commits since the base acknowledge translations, which only the history knows.
fn acknowledges(source: &CheckSource) -> Result<bool, GitError> {
    let revisions = &source.revisions;
    let (Some(base), Some(head)) = (&revisions.base, revisions.head) else {
        return Ok(false);
    };
    let mut reader = source.repository.reader();
    for commit in source.repository.commits_between(base.commit, head)? {
        if has_review(&reader.commit(commit)?.message) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The acknowledged translations in the file of a state.
pub(super) fn reviewed(tree: &RepositoryTree) -> Result<Arc<ReviewedFile>, LintError> {
    let bytes = tree.small_file(REVIEWED_FILE, MAX_REVIEWED_BYTES)?;
    let file = bytes.map(|bytes| ReviewedFile::parse(&bytes));
    Ok(Arc::new(file.unwrap_or_default()))
}

/// The state to check. With a base, only flags select the files on disk.
fn state(
    args: &CheckArgs,
    source: &CheckSource,
    specs: &[CheckedSpec],
) -> anyhow::Result<RepositoryState> {
    if args.read.staged {
        return Ok(RepositoryState::Index);
    }
    if args.read.worktree {
        return Ok(RepositoryState::WorkTree);
    }
    let Some(commit) = source.revisions.head else {
        if source.has_work_tree() {
            return Ok(RepositoryState::WorkTree);
        }
        bail!(
            "{} has no commits: commit the translation files first",
            source.name
        );
    };
    let is_selected = args.read.revision.is_some() || args.read.base.is_some();
    if source.has_work_tree() && !is_selected && !source.has_branch {
        let disk = RepositoryTree::open(&source.repository, RepositoryState::WorkTree)?;
        let tree = RepositoryTree::open(&source.repository, RepositoryState::Commit(commit))?;
        for CheckedSpec { spec, .. } in specs {
            if disk.differs(&tree, &spec.component)? {
                eprintln!(
                    "gitglot: the working tree has uncommitted changes, so the files on disk are checked; \
                     --revision HEAD checks the commit"
                );
                return Ok(RepositoryState::WorkTree);
            }
        }
    }
    Ok(RepositoryState::Commit(commit))
}
