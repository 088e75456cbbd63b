//! Reads the states that the command line names, and compares them.

use anyhow::{Context, bail};

use super::CheckArgs;
use super::components::{ComponentToCheck, Origin, components};
use super::revisions::Revisions;
use super::source::{CheckSource, CheckSources};
use super::tool_settings::add_tool_settings;
use crate::cli::follow_setup::words;
use crate::config::{CheckConfig, HistoryMode};
use gitglot_checks::{CheckProfile, Checker, PlaceholderSettings, Words};
use gitglot_git::{Completeness, Repository};
use gitglot_lint::{
    CheckOptions, CheckScope, CheckedComponent, ComponentChange, ComponentFiles, ComponentMoves,
    ComponentReport, ComponentSpec, Finding, Gates, HistoryRead, ReadState, Report,
    RepositoryState, RepositoryTree, SourceCode, StaleHistory, StaleReference, StaleStrings,
    TextDifference, changes_strings, compare, find_moves,
};
use gitglot_model::{CommitId, Component, KeySeparators, catch_crash};

/// The states of a repository to read.
struct ReadPlan<'a> {
    /// The state to check.
    head: RepositoryState,
    revisions: &'a Revisions,
    history: HistoryRead,
}

/// A component as it is checked.
struct CheckedSpec {
    spec: ComponentSpec,
    origin: Origin,
    /// The component at the base, if its files were elsewhere.
    moved_from: Option<Component>,
    /// The configured settings of placeholders.
    placeholders: PlaceholderSettings,
}

/// The result of a check.
pub struct CheckResult {
    pub report: Report,
    /// The first differences of the texts, if a page shows them, and how many there are.
    pub differences: (Vec<TextDifference>, usize),
}

/// Checks all repositories.
pub fn report(
    args: &CheckArgs,
    sources: &CheckSources,
    gates: &Gates,
) -> anyhow::Result<CheckResult> {
    let terms = sources
        .check
        .ignore_terms
        .iter()
        .map(|it| it.to_lowercase());
    let terms: Vec<String> = terms.collect();
    let terms = terms.iter().flat_map(|term| term.split_whitespace());
    let words = words(args.data.same_words.as_deref())?.with(terms);
    let options = options(&sources.check)?;
    let source_checks =
        args.result.source_checks || sources.check.source_checks || gates.names_source_check();
    let (mut results, mut notes) = (Vec::new(), sources.notes.clone());
    let mut findings = sources.findings.clone();
    let mut differences = (Vec::new(), 0);
    let mut read: Option<ReadState> = None;
    for source in &sources.list {
        if (args.read.staged || args.read.worktree) && !source.has_work_tree() {
            bail!(
                "{} has no working tree: remove --staged and --worktree",
                source.name
            );
        }
        let mut specs: Vec<CheckedSpec> = components(source, args)?
            .into_iter()
            .map(|component| checked_spec(component, &words, source_checks))
            .collect::<Result<_, _>>()?;
        let plan = plan(args, source, &specs, gates)?;
        for spec in &mut specs {
            let finding = add_tool_settings(
                (&source.repository, plan.head, &source.revisions),
                &mut spec.spec,
                spec.moved_from.as_ref(),
                &spec.placeholders,
            )
            .map_err(|error| of_incomplete(source, error))?;
            if let Some(finding) = finding.filter(|it| !findings.contains(it)) {
                findings.push(finding);
            }
        }
        let code = SourceCode {
            tree: RepositoryTree::open(&source.repository, plan.head)?,
            components: specs.iter().map(|it| &it.spec.component).collect(),
            excludes: &|path| options.excludes(path),
        };
        let page = args.result.page.is_some().then_some(&mut differences);
        let found = check_components((source, &plan), &specs, (&options, &code), &mut notes, page);
        results.extend(found.map_err(|error| of_incomplete(source, error))?);
        let state = plan.read_state(source);
        match &mut read {
            None => read = Some(state),
            Some(read) => {
                notes.push(format!(
                    "also read {} at {}",
                    state.repository,
                    state.commit.unwrap_or_default()
                ));
                read.history = read.history.or(state.history);
            }
        }
    }
    let read = read.filter(|_| !results.is_empty());
    let read = read.context("there is nothing to check: no component has a file")?;
    let mut report = Report::new(read, results, notes);
    let findings = findings.into_iter();
    let findings = findings.filter_map(|finding| options.applied_to(finding));
    report.findings.splice(0..0, findings);
    Ok(CheckResult {
        report,
        differences,
    })
}

fn options(config: &CheckConfig) -> anyhow::Result<CheckOptions> {
    Ok(CheckOptions {
        rules: config
            .severity_rules()
            .context("ignore_checks, severity or rules in [check]")?,
        ignored_keys: config.ignore_keys.clone(),
        excluded: config.exclude.clone(),
        accelerator: config.accelerator,
    })
}

fn checked_spec(
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
    let source_checker = source_checks.then(|| match has_flags {
        true => checker.clone(),
        false => Checker::inferred_with_source_checks(format, words.clone()),
    });
    Ok(CheckedSpec {
        spec: ComponentSpec {
            name: project.name_of(config).into(),
            component: Component::new(config.settings.clone()),
            source_language: project.source_language.clone(),
            checker,
            source_checker,
            separators: KeySeparators::default(),
        },
        placeholders: config.checks.placeholders.clone(),
        origin: checked.origin,
        moved_from: checked.moved_from.map(Component::new),
    })
}

fn plan<'a>(
    args: &CheckArgs,
    source: &'a CheckSource,
    specs: &[CheckedSpec],
    gates: &Gates,
) -> anyhow::Result<ReadPlan<'a>> {
    let revisions = &source.revisions;
    let head = state(args, source, specs)?;
    let has_base = revisions.base.is_some();
    // A report reads the history only if its result depends on it, because that takes most of the time.
    let mode = args.data.history.unwrap_or(match gates.needs_stale() {
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
    Ok(ReadPlan {
        head,
        revisions,
        history,
    })
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
        let (disk, tree) = (
            RepositoryTree::open(&source.repository, RepositoryState::WorkTree)?,
            RepositoryTree::open(&source.repository, RepositoryState::Commit(commit))?,
        );
        for CheckedSpec { spec, .. } in specs {
            if disk.differs(
                &tree,
                &spec.component.filemask,
                spec.component.source_file(),
            )? {
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

/// Runs the check of a component. A panic, which is a fault of the program, becomes an error that names the component.
fn of_component<T>(
    checked: &CheckedSpec,
    check: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    named_crash(&checked.spec.name, check)
}

fn named_crash<T>(component: &str, check: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    catch_crash(check).unwrap_or_else(|crash| bail!("{component}: {crash}"))
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

/// Checks the components of a repository. Those whose strings change wait for the others of their project, from which
/// their strings can come. Adds the first differences of the texts to `differences`.
fn check_components(
    of: (&CheckSource, &ReadPlan<'_>),
    specs: &[CheckedSpec],
    settings: (&CheckOptions, &SourceCode<'_>),
    notes: &mut Vec<String>,
    mut differences: Option<&mut (Vec<TextDifference>, usize)>,
) -> anyhow::Result<Vec<CheckedReport>> {
    let mut results: Vec<Option<CheckedReport>> = Vec::new();
    results.resize_with(specs.len(), || None);
    let mut waiting: Vec<(usize, ComponentStates<'_>)> = Vec::new();
    let mut check = |at: usize,
                     states: &ComponentStates<'_>,
                     moves: Option<&ComponentMoves<'_>>| {
        of_component(states.checked, || {
            let result = component(of, states, moves, notes)?;
            if let (Some(differences), Some(base)) = (differences.as_deref_mut(), &states.base) {
                let (list, total) = differences;
                let limit = gitglot_web::FILE_ROWS - list.len();
                let report = result.as_ref().map(|(report, _)| report);
                let (found, count) =
                    gitglot_lint::differences(base, &states.head, report, None, limit);
                list.extend(found);
                *total += count;
            }
            results[at] = result;
            Ok(())
        })
    };
    for (at, spec) in specs.iter().enumerate() {
        let states = of_component(spec, || ComponentStates::read(of, spec, settings))?;
        let base = states.base.as_ref().filter(|_| specs.len() > 1);
        match base.is_some_and(|base| changes_strings(base, &states.head)) {
            true => waiting.push((at, states)),
            false => check(at, &states, None)?,
        }
    }
    let project = |(_, states): &(usize, ComponentStates<'_>)| {
        let name = states.checked.spec.name.split_once('/');
        name.map_or_else(String::new, |(project, _)| project.to_owned())
    };
    waiting.sort_by_cached_key(project);
    for of_project in waiting.chunk_by(|a, b| project(a) == project(b)) {
        let changes: Vec<ComponentChange<'_>> = of_project
            .iter()
            .filter_map(|(_, it)| it.change())
            .collect();
        let moves = find_moves(&changes);
        for ((at, states), moves) in of_project.iter().zip(&moves) {
            check(*at, states, Some(moves))?;
        }
    }
    Ok(results.into_iter().flatten().collect())
}

/// Checks a component; `None` if only the configuration of the base has it, and no file.
fn component(
    (source, plan): (&CheckSource, &ReadPlan<'_>),
    states: &ComponentStates<'_>,
    moves: Option<&ComponentMoves<'_>>,
    notes: &mut Vec<String>,
) -> anyhow::Result<Option<CheckedReport>> {
    let checked = states.checked;
    let spec = &checked.spec;
    match checked.origin {
        Origin::Configured if !states.have_files() => bail!(
            "the file mask '{}' of {} matches no file: correct it, or remove the component",
            spec.component.filemask.as_str(),
            spec.name
        ),
        Origin::Base if !states.have_files() => return Ok(None),
        _ => {}
    }
    if let Some(moved) = &checked.moved_from {
        notes.push(format!(
            "{}: the change moves the files of '{}' to '{}'",
            spec.name,
            moved.filemask.as_str(),
            spec.component.filemask.as_str()
        ));
    }
    let result = match &states.base {
        _ if !plan.history.knows_stale() => states.compare(None, moves),
        // Without the history, stale strings are those whose source differs from the base or from HEAD.
        Some(side) if plan.history == HistoryRead::Compared => {
            let reference = StaleReference {
                side,
                stale: &StaleStrings::default(),
                at_base: None,
            };
            states.compare(Some(reference), moves)
        }
        _ => states.compare_with_history(&source.repository, plan, moves)?,
    };
    notes.extend(result.notes);
    Ok(Some((result.report, result.findings)))
}

/// The numbers and the findings of a component.
type CheckedReport = (ComponentReport, Vec<Finding>);

/// A component in the states to compare.
struct ComponentStates<'a> {
    checked: &'a CheckedSpec,
    options: &'a CheckOptions,
    code: &'a SourceCode<'a>,
    head: ComponentFiles,
    base: Option<ComponentFiles>,
}

impl<'a> ComponentStates<'a> {
    fn read(
        (source, plan): (&CheckSource, &ReadPlan<'_>),
        checked: &'a CheckedSpec,
        (options, code): (&'a CheckOptions, &'a SourceCode<'a>),
    ) -> anyhow::Result<Self> {
        let (repository, spec) = (&source.repository, &checked.spec);
        let language = &spec.source_language;
        let side = |state, component: &Component, known: Option<&ComponentFiles>| {
            ComponentFiles::at(repository, state, component, language, known)
        };
        let base = match &plan.revisions.base {
            Some(base) => {
                let component = checked.moved_from.as_ref().unwrap_or(&spec.component);
                Some(side(RepositoryState::Commit(base.commit), component, None)?)
            }
            None => None,
        };
        Ok(Self {
            checked,
            options,
            code,
            head: side(plan.head, &spec.component, base.as_ref())?,
            base,
        })
    }

    /// The change from the base.
    fn change(&self) -> Option<ComponentChange<'_>> {
        let spec = &self.checked.spec;
        Some(ComponentChange {
            name: &spec.name,
            component: &spec.component,
            base: self.base.as_ref()?,
            head: &self.head,
        })
    }

    fn compare(
        &self,
        reference: Option<StaleReference<'_>>,
        moves: Option<&ComponentMoves<'_>>,
    ) -> CheckedComponent {
        let base = self.base.as_ref();
        let scope = CheckScope {
            selects: &|path: &str| !self.options.excludes(path),
            options: self.options,
            uses: Some(self.code),
            moves,
            ..CheckScope::ALL
        };
        compare(&self.checked.spec, &self.head, base, reference, scope)
    }

    /// Whether the file mask matches a file in one of the states.
    fn have_files(&self) -> bool {
        let component = &self.checked.spec.component;
        let mut sides = self.base.iter().chain([&self.head]);
        sides.any(|side| side.has_file_of(&component.filemask)) || self.checked.moved_from.is_some()
    }

    /// Compares with the strings that were stale before, if the plan reads the history.
    fn compare_with_history(
        &self,
        repository: &Repository,
        plan: &ReadPlan<'_>,
        moves: Option<&ComponentMoves<'_>>,
    ) -> anyhow::Result<CheckedComponent> {
        let (spec, head) = (&self.checked.spec, &self.head);
        let head_commit = plan.revisions.head;
        let at_commit = match (plan.head, head_commit) {
            (RepositoryState::Index | RepositoryState::WorkTree, Some(commit)) => {
                let commit = RepositoryState::Commit(commit);
                let (component, language) = (&spec.component, &spec.source_language);
                let side = ComponentFiles::at(repository, commit, component, language, Some(head));
                Some(side?)
            }
            _ => None,
        };
        let side = at_commit.as_ref().unwrap_or(head);
        let mut history = StaleHistory::new(&spec.component, &spec.source_language);
        let mut stale_in = |side: &ComponentFiles, commit: Option<CommitId>| match commit {
            // Without a template in the commit nothing can be stale in it.
            Some(commit) if plan.history == HistoryRead::Complete && side.is_readable() => {
                history.at(repository, commit)
            }
            _ => Ok(StaleStrings::default()),
        };
        let at_base = match (&self.base, &plan.revisions.base) {
            // The history of the files is that of their new place.
            _ if self.checked.moved_from.is_some() => None,
            (Some(side), Some(base)) => Some(stale_in(side, Some(base.commit))?),
            _ => None,
        };
        let stale = stale_in(side, head_commit)?;
        let reference = StaleReference {
            side,
            stale: &stale,
            at_base: at_base.as_ref(),
        };
        Ok(self.compare(Some(reference), moves))
    }
}

impl ReadPlan<'_> {
    fn read_state(&self, source: &CheckSource) -> ReadState {
        ReadState {
            repository: source.name.clone(),
            commit: self.revisions.head.map(|commit| commit.to_string()),
            branch: self.revisions.branch.clone(),
            state: match self.head {
                RepositoryState::Commit(_) => "commit",
                RepositoryState::Index => "index",
                RepositoryState::WorkTree => "worktree",
            },
            base: self.revisions.base.as_ref().map(|base| base.read.clone()),
            history: self.history,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_component_that_is_checked() {
        let error = named_crash::<()>("web/app", || panic!("injected")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "web/app: an internal error occurred: injected. Please report it"
        );
    }
}
