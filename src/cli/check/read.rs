//! Reads the states that the command line names, and compares them.

use anyhow::{Context, bail};

use super::CheckArgs;
use super::source::{CheckSource, CheckSources};
use crate::checks::Words;
use crate::checks::modern::ModernChecker;
use crate::cli::service::words;
use crate::config::{CheckConfig, ComponentConfig, HistoryMode, ProjectConfig};
use crate::git::{Completeness, Repository};
use crate::lint::{
    BaseRead, CheckOptions, CheckScope, CheckedComponent, ComponentReport, ComponentSide,
    ComponentSpec, Finding, FindingKind, Gates, HistoryRead, LintError, ReadState, Report,
    RepositoryState, RepositoryTree, StaleHistory, StaleReference, StaleStrings, compare,
};
use crate::model::{CommitId, Component};

/// The states of a repository to read.
struct ReadPlan {
    /// The state to check.
    head: RepositoryState,
    /// The commit that the state is or is based on.
    commit: Option<CommitId>,
    branch: Option<String>,
    base: Option<(BaseRead, CommitId)>,
    history: HistoryRead,
    /// Whether to read the history, to find strings that were stale before.
    reads_history: bool,
}

/// Checks all repositories.
pub fn report(args: &CheckArgs, sources: &CheckSources, gates: &Gates) -> anyhow::Result<Report> {
    let words = words(args.data.same_words.as_deref())?;
    let options = options(&sources.check)?;
    let source_checks =
        args.result.source_checks || sources.check.source_checks || gates.names_source_check();
    let (mut results, mut notes) = (Vec::new(), Vec::new());
    let mut read: Option<ReadState> = None;
    for source in &sources.list {
        if (args.read.staged || args.read.worktree) && !source.has_work_tree() {
            bail!(
                "{} has no working tree: remove --staged and --worktree",
                source.name
            );
        }
        let (head_commit, branch) = head(source, args)?;
        let components = components(args, source, head_commit)?;
        let specs: Vec<ComponentSpec> = components
            .iter()
            .map(|(project, component)| spec(project, component, &words, source_checks))
            .collect::<Result<_, _>>()?;
        let plan = plan(args, source, head_commit, branch, &specs)?;
        for spec in &specs {
            let result = component(source, &plan, spec, &options, &mut notes);
            results.push(result.map_err(|error| of_incomplete(source, error))?);
        }
        let state = plan.read_state(source);
        match &mut read {
            None => read = Some(state),
            Some(read) => {
                notes.push(format!(
                    "also read {} at {}",
                    state.repository,
                    state.commit.unwrap_or_default()
                ));
                if state.history != HistoryRead::Complete {
                    read.history = state.history;
                }
            }
        }
    }
    let read = read.context("there is nothing to check: the configuration names no repository")?;
    Ok(Report::new(read, results, notes))
}

/// The components of the checked state.
fn components(
    args: &CheckArgs,
    source: &CheckSource,
    head: Option<CommitId>,
) -> anyhow::Result<Vec<(ProjectConfig, ComponentConfig)>> {
    let error = match source.components(head.filter(|_| !args.read.staged)) {
        Ok(components) => return Ok(components),
        Err(error) => error,
    };
    // A change that breaks a file must not hide the component.
    if let Some(base) = &args.read.base {
        return source.components(Some(find_base(source, base, head)?.1));
    }
    if !source.has_work_tree() || args.read.revision.is_some() {
        return Err(error);
    }
    // The first translation files may be staged.
    let hint = || error.context("only tracked files are found: use git add");
    source.components(None).map_err(|_| hint())
}

fn options(config: &CheckConfig) -> anyhow::Result<CheckOptions> {
    let kind =
        |name: &String| FindingKind::from_id(name).ok_or_else(|| crate::lint::GateError::new(name));
    let ignored_checks = config
        .ignore_checks
        .iter()
        .map(kind)
        .collect::<Result<_, _>>();
    Ok(CheckOptions {
        ignored_checks: ignored_checks.context("ignore_checks in [check]")?,
        ignored_keys: config.ignore_keys.clone(),
    })
}

fn spec(
    project: &ProjectConfig,
    config: &ComponentConfig,
    words: &Words,
    source_checks: bool,
) -> anyhow::Result<ComponentSpec> {
    let format = config.file_format.name();
    let checker = config.checks.modern_checker(format, words.clone())?;
    let has_flags = config.checks.modern && config.checks.flags.is_some();
    let source_checker = source_checks.then(|| match has_flags {
        true => checker.clone(),
        false => ModernChecker::inferred_with_source_checks(format, words.clone()),
    });
    Ok(ComponentSpec {
        name: project.name_of(config).into(),
        component: Component::new(config.settings.clone()),
        source_language: project.source_language.clone(),
        checker,
        source_checker,
    })
}

/// The commit to check or to start from, and the branch.
fn head(
    source: &CheckSource,
    args: &CheckArgs,
) -> anyhow::Result<(Option<CommitId>, Option<String>)> {
    let here = if source.is_local {
        source.repository.head()?
    } else {
        crate::git::Head {
            branch: None,
            commit: None,
        }
    };
    if let Some(revision) = &args.read.revision {
        let commit = source.repository.resolve(revision)?;
        let branch = here.branch.filter(|_| here.commit == Some(commit));
        return Ok((Some(commit), branch));
    }
    match &source.branch {
        Some((branch, tip)) => Ok((Some(*tip), Some(branch.clone()))),
        None => Ok((here.commit, here.branch)),
    }
}

fn plan(
    args: &CheckArgs,
    source: &CheckSource,
    commit: Option<CommitId>,
    branch: Option<String>,
    specs: &[ComponentSpec],
) -> anyhow::Result<ReadPlan> {
    let head = state(args, source, commit, specs)?;
    let base = match &args.read.base {
        Some(base) => Some(find_base(source, base, commit)?),
        None => None,
    };
    let history = match source.repository.completeness() {
        Completeness::Shallow => HistoryRead::Shallow,
        Completeness::Partial => HistoryRead::Partial,
        // With a base or for the index, the report needs no history.
        Completeness::Complete if base.is_some() || head == RepositoryState::Index => {
            HistoryRead::Complete
        }
        Completeness::Complete => match args.data.history {
            Some(HistoryMode::None) => HistoryRead::None,
            Some(HistoryMode::Full) | None => HistoryRead::Complete,
        },
    };
    // Two states are enough for the stale strings of a pull request, and take a tenth of the time.
    let reads_history = match args.data.history {
        _ if head == RepositoryState::Index => false,
        Some(mode) => mode == HistoryMode::Full,
        None => base.is_none(),
    };
    Ok(ReadPlan {
        head,
        commit,
        branch,
        base,
        history,
        reads_history,
    })
}

fn state(
    args: &CheckArgs,
    source: &CheckSource,
    commit: Option<CommitId>,
    specs: &[ComponentSpec],
) -> anyhow::Result<RepositoryState> {
    if args.read.staged {
        return Ok(RepositoryState::Index);
    }
    if args.read.worktree {
        return Ok(RepositoryState::WorkTree);
    }
    let Some(commit) = commit else {
        if source.has_work_tree() {
            return Ok(RepositoryState::WorkTree);
        }
        bail!(
            "{} has no commits: commit the translation files first",
            source.name
        );
    };
    if source.has_work_tree() && args.read.revision.is_none() && source.branch.is_none() {
        let (disk, tree) = (
            RepositoryTree::open(&source.repository, RepositoryState::WorkTree)?,
            RepositoryTree::open(&source.repository, RepositoryState::Commit(commit))?,
        );
        for spec in specs {
            if disk.differs(&tree, &spec.component.filemask, &spec.component.template)? {
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

/// The merge base of a commit with a revision, or with the default branch.
fn find_base(
    source: &CheckSource,
    base: &str,
    commit: Option<CommitId>,
) -> anyhow::Result<(BaseRead, CommitId)> {
    let repository = &source.repository;
    let (revision, tip) = match base {
        "auto" => repository.default_branch().with_context(
            || "cannot determine the default branch: there is no origin/HEAD, main or master; set --base REV",
        )?,
        base => (base.to_owned(), repository.resolve(base)?),
    };
    let commit = commit.context("there is no commit to compare with: HEAD has no commits")?;
    let found = repository.merge_base(commit, tip);
    let is_complete = repository.completeness() != Completeness::Shallow;
    match found {
        Ok(Some(found)) => Ok((
            BaseRead {
                revision,
                commit: found.to_string(),
            },
            found,
        )),
        Ok(None) if is_complete => {
            bail!(
                "{commit} and {revision} have no common ancestor: choose a base with a common history"
            )
        }
        Err(error) if is_complete => Err(error.into()),
        Ok(None) | Err(_) => bail!(
            "the clone is shallow and lacks the common ancestor of {commit} and {revision}: fetch the full history \
             (fetch-depth: 0 in GitHub Actions, GIT_DEPTH: 0 in GitLab CI, git fetch --unshallow)"
        ),
    }
}

/// Adds the next step to an error of a clone that lacks objects.
fn of_incomplete(source: &CheckSource, error: anyhow::Error) -> anyhow::Error {
    match source.repository.completeness() {
        Completeness::Complete => error,
        Completeness::Shallow => error.context(
            "the clone is shallow and lacks an object: fetch the full history (fetch-depth: 0 in GitHub Actions, \
             GIT_DEPTH: 0 in GitLab CI, git fetch --unshallow)",
        ),
        Completeness::Partial => error.context(
            "the clone is partial and lacks an object: clone without --filter, or run git fetch --refetch --no-filter",
        ),
    }
}

fn component(
    source: &CheckSource,
    plan: &ReadPlan,
    spec: &ComponentSpec,
    options: &CheckOptions,
    notes: &mut Vec<String>,
) -> anyhow::Result<(ComponentReport, Vec<Finding>)> {
    let repository = &source.repository;
    let base = match &plan.base {
        Some((_, commit)) => Some(side(
            repository,
            RepositoryState::Commit(*commit),
            spec,
            None,
        )?),
        None => None,
    };
    let states = ComponentStates {
        spec,
        options,
        head: side(repository, plan.head, spec, base.as_ref())?,
        base,
    };
    let checked = match &states.base {
        _ if plan.history != HistoryRead::Complete => states.compare(None),
        // Without the history, stale strings are those whose source differs from the base or from HEAD.
        Some(side) if !plan.reads_history => states.compare(Some(StaleReference {
            side,
            stale: &StaleStrings::default(),
            at_base: None,
        })),
        _ => states.compare_with_history(repository, plan)?,
    };
    notes.extend(checked.notes);
    Ok((checked.report, checked.findings))
}

/// Reads the files of a component in a state.
fn side(
    repository: &Repository,
    state: RepositoryState,
    spec: &ComponentSpec,
    known: Option<&ComponentSide>,
) -> Result<ComponentSide, LintError> {
    let (component, language) = (&spec.component, &spec.source_language);
    ComponentSide::at(repository, state, component, language, known)
}

/// A component in the states to compare.
struct ComponentStates<'a> {
    spec: &'a ComponentSpec,
    options: &'a CheckOptions,
    head: ComponentSide,
    base: Option<ComponentSide>,
}

impl ComponentStates<'_> {
    fn compare(&self, reference: Option<StaleReference<'_>>) -> CheckedComponent {
        let base = self.base.as_ref();
        let scope = CheckScope {
            options: self.options,
            ..CheckScope::ALL
        };
        compare(self.spec, &self.head, base, reference, scope)
    }

    /// Compares with the strings that were stale before, if the plan reads the history.
    fn compare_with_history(
        &self,
        repository: &Repository,
        plan: &ReadPlan,
    ) -> anyhow::Result<CheckedComponent> {
        let (spec, head) = (self.spec, &self.head);
        let at_commit = match (plan.head, plan.commit) {
            (RepositoryState::Index | RepositoryState::WorkTree, Some(commit)) => {
                let commit = RepositoryState::Commit(commit);
                Some(side(repository, commit, spec, Some(head))?)
            }
            _ => None,
        };
        let side = at_commit.as_ref().unwrap_or(head);
        let mut history = StaleHistory::new(&spec.component, &spec.source_language);
        let mut stale_in = |side: &ComponentSide, commit: Option<CommitId>| match commit {
            // Without a template in the commit nothing can be stale in it.
            Some(commit) if plan.reads_history && side.is_readable() => {
                history.at(repository, commit)
            }
            _ => Ok(StaleStrings::default()),
        };
        let at_base = match (&self.base, &plan.base) {
            (Some(side), Some((_, commit))) => Some(stale_in(side, Some(*commit))?),
            _ => None,
        };
        let stale = stale_in(side, plan.commit)?;
        Ok(self.compare(Some(StaleReference {
            side,
            stale: &stale,
            at_base: at_base.as_ref(),
        })))
    }
}

impl ReadPlan {
    fn read_state(&self, source: &CheckSource) -> ReadState {
        ReadState {
            repository: source.name.clone(),
            commit: self.commit.map(|commit| commit.to_string()),
            branch: self.branch.clone(),
            state: match self.head {
                RepositoryState::Commit(_) => "commit",
                RepositoryState::Index => "index",
                RepositoryState::WorkTree => "worktree",
            },
            base: self.base.as_ref().map(|(base, _)| base.clone()),
            history: self.history,
        }
    }
}
