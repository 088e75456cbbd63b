//! Reads the states that the command line names, and compares them.

use anyhow::{Context, bail};

use super::CheckArgs;
use super::components::{Origin, components};
use super::message_syntax::add_syntax;
use super::plan::{CheckInputs, CheckedSpec, checked_spec, plan, reviewed};
use super::source::CheckSources;
use super::states::ComponentStates;
use super::tool_settings::add_tool_settings;
use crate::cli::follow_setup::words;
use crate::config::CheckConfig;
use gitglot_history::{REVIEWED_FILE, UnknownNames};
use gitglot_lint::{
    CheckOptions, ComponentChange, ComponentMoves, ComponentReport, Finding, Gates, HistoryRead,
    ReadState, Report, SourceCode, StaleReference, StaleStrings, TextDifference, changes_strings,
    find_moves,
};
use gitglot_model::{Unlimited, catch_crash};

/// The result of a check.
pub struct CheckResult {
    pub report: Report,
    /// The first differences of the texts, if a page shows them, and how many there are.
    pub differences: (Vec<TextDifference>, usize),
}

/// Gets the files and the result of each component of a repository.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&[(ComponentStates<'_>, CheckedReport)]);

/// Checks all repositories. `visit` gets one after the other.
pub fn report(
    args: &CheckArgs,
    sources: &CheckSources,
    gates: &Gates,
    mut visit: Option<Visit<'_>>,
) -> anyhow::Result<CheckResult> {
    let names = sources.check.ignore_terms.iter().map(String::as_str);
    let words = words(args.data.same_words.as_deref())?.with_names(names);
    let options = options(&sources.check)?;
    let source_checks =
        args.result.source_checks || sources.check.source_checks || gates.names_source_check();
    let (mut results, mut notes) = (Vec::new(), sources.notes.clone());
    let mut findings = sources.findings.clone();
    let mut differences = (Vec::new(), 0);
    let mut read: Option<ReadState> = None;
    for source in &sources.list {
        if (args.read.staged || args.read.worktree) && !source.has_work_tree() {
            let name = &source.name;
            bail!("{name} has no working tree: remove --staged and --worktree");
        }
        let mut specs: Vec<CheckedSpec> = components(source, args, &mut notes)?
            .into_iter()
            .map(|component| checked_spec(component, &words, source_checks))
            .collect::<Result<_, _>>()?;
        let plan = plan(args, source, &specs, gates)?;
        let (head, base) = (&plan.head_tree, plan.base_trees.as_ref());
        let base = base.map(|[_, tip]| tip);
        let note = add_syntax(head, base, &mut specs);
        let note = note.map_err(|error| source.of_incomplete(error.into()))?;
        notes.extend(note.map(str::to_owned));
        let reviewed = reviewed(head).map_err(|error| source.of_incomplete(error.into()))?;
        for spec in &mut specs {
            spec.spec.reviewed = reviewed.clone();
            let finding = add_tool_settings(head, base, spec);
            let finding = finding.map_err(|error| source.of_incomplete(error))?;
            if let Some(finding) = finding.filter(|finding| !findings.contains(finding)) {
                findings.push(finding);
            }
        }
        let components = specs.iter().map(|spec| &spec.spec.component).collect();
        let excludes = |path: &str| options.excludes(path);
        let code = SourceCode::new(plan.head_tree.clone(), components, &excludes, &Unlimited);
        let page = args.result.page.is_some().then_some(&mut differences);
        let mut unknown = None;
        let outputs = Outputs {
            visit: visit.as_mut(),
            notes: &mut notes,
            unknown: &mut unknown,
            differences: page,
        };
        let inputs = CheckInputs {
            plan: &plan,
            options: &options,
            code: &code,
        };
        let reports = check_components(inputs, &specs, outputs);
        results.extend(reports.map_err(|error| source.of_incomplete(error))?);
        let errors = reviewed.errors.iter();
        notes.extend(errors.map(|error| format!("{REVIEWED_FILE}: {error}")));
        let unknown = unknown.map_or_else(Vec::new, UnknownNames::problems);
        notes.extend((unknown.iter()).map(|file| format!("{}: {}", file.path, file.reason)));
        let state = plan.read_state();
        match &mut read {
            None => read = Some(state),
            Some(read) => {
                let commit = state.commit.unwrap_or_default();
                notes.push(format!("also read {} at {commit}", state.repository));
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
    report.rank();
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
        ignored_keys: config.ignore_keys.iter().cloned().collect(),
        excluded: config.exclude.clone(),
        accelerator: config.accelerator,
        equal_keys: config.equal_keys.iter().cloned().collect(),
        forbidden: config.forbidden(),
    })
}

/// Runs the check of a component. A panic, which is a fault of the program, becomes an error that names the component.
fn named_crash<T>(component: &str, check: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    catch_crash(check).unwrap_or_else(|crash| bail!("{component}: {crash}"))
}

/// The numbers and the findings of a component.
pub(super) type CheckedReport = (ComponentReport, Vec<Finding>);

/// Where the check of components writes.
struct Outputs<'o, 'v> {
    /// Receives the checked components with their files.
    visit: Option<&'o mut Visit<'v>>,
    notes: &'o mut Vec<String>,
    /// The names in acknowledgements that no component has, once the history of one was read.
    unknown: &'o mut Option<UnknownNames>,
    /// The first differences of the texts with their number, if they are wanted.
    differences: Option<&'o mut (Vec<TextDifference>, usize)>,
}

/// Checks the components of a repository. Those whose strings change wait for the others of their project, from which
/// their strings can come. The files of the others are dropped as soon as they are checked, unless they are wanted.
fn check_components<'a>(
    inputs: CheckInputs<'a>,
    specs: &'a [CheckedSpec],
    mut outputs: Outputs<'_, '_>,
) -> anyhow::Result<Vec<CheckedReport>> {
    let mut results: Vec<Option<CheckedReport>> = specs.iter().map(|_| None).collect();
    let mut waiting: Vec<(usize, ComponentStates<'a>)> = Vec::new();
    let mut done: Vec<(usize, ComponentStates<'a>)> = Vec::new();
    let wants_files = outputs.visit.is_some();
    let mut check = |at: usize,
                     states: &ComponentStates<'_>,
                     moves: Option<&ComponentMoves<'_>>| {
        named_crash(&states.checked.spec.name, || {
            let result = component(states, moves, &mut outputs)?;
            if let (Some((list, total)), Some(base)) =
                (outputs.differences.as_deref_mut(), &states.base)
            {
                let limit = gitglot_web::FILE_ROWS - list.len();
                let report = result.as_ref().map(|(report, _)| report);
                let (found, count) =
                    gitglot_lint::differences(base, &states.head, report, None, limit, &|_| true);
                list.extend(found);
                *total += count;
            }
            results[at] = result;
            Ok(())
        })
    };
    for (at, spec) in specs.iter().enumerate() {
        let states = named_crash(&spec.spec.name, || ComponentStates::read(inputs, spec))?;
        let base = states.base.as_ref().filter(|_| specs.len() > 1);
        if base.is_some_and(|base| changes_strings(base, &states.head)) {
            waiting.push((at, states))
        } else {
            check(at, &states, None)?;
            done.extend(wants_files.then_some((at, states)));
        }
    }
    let project = |(_, states): &(usize, ComponentStates<'_>)| {
        let name = states.checked.spec.name.split_once('/');
        name.map_or_else(String::new, |(project, _)| project.to_owned())
    };
    waiting.sort_by_cached_key(project);
    for of_project in waiting.chunk_by(|a, b| project(a) == project(b)) {
        let changes = of_project.iter().filter_map(|(_, states)| states.change());
        let changes: Vec<ComponentChange<'_>> = changes.collect();
        let moves = find_moves(&changes, &|_| true);
        for ((at, states), moves) in of_project.iter().zip(&moves) {
            check(*at, states, Some(moves))?;
        }
    }
    let Some(visit) = outputs.visit else {
        return Ok(results.into_iter().flatten().collect());
    };
    done.append(&mut waiting);
    done.sort_by_key(|(at, _)| *at);
    let checked = done.into_iter();
    let checked = checked.filter_map(|(at, states)| Some((states, results[at].take()?)));
    let checked: Vec<_> = checked.collect();
    visit(&checked);
    Ok(checked.into_iter().map(|(_, report)| report).collect())
}

/// Checks a component; `None` if only the configuration of the base has it, and no file.
fn component(
    states: &ComponentStates<'_>,
    moves: Option<&ComponentMoves<'_>>,
    outputs: &mut Outputs<'_, '_>,
) -> anyhow::Result<Option<CheckedReport>> {
    let (checked, plan) = (states.checked, states.inputs.plan);
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
        outputs.notes.push(format!(
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
                is_complete: false,
            };
            states.compare(Some(reference), moves)
        }
        _ => states.compare_with_history(moves, outputs.unknown)?,
    };
    outputs.notes.extend(result.notes);
    Ok(Some((result.report, result.findings)))
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
