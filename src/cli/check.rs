//! `gitglot check`.

mod args;
mod components;
mod config;
mod credits;
mod digest;
mod digest_data;
mod message_syntax;
mod plan;
mod read;
mod review;
mod revisions;
mod selection;
mod source;
mod states;
mod todo;
mod tool_settings;

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use super::output;
use crate::log;
use gitglot_lint::output::{OutputStyle, badge, fix_list};
use gitglot_lint::{GateOutcome, Gates, Report};

pub use args::{CHECK_HELP, CheckArgs};
pub(super) use credits::run as run_credits;
pub use credits::{CREDITS_HELP, CreditsArgs};
pub(super) use digest::run as run_digest;
pub use digest::{DIGEST_HELP, DigestArgs};
pub(super) use review::run as run_review;
pub use review::{REVIEW_HELP, ReviewArgs};
pub(super) use todo::run as run_todo;
pub use todo::{TODO_HELP, TodoArgs};

/// The exit status of a check that could not run.
const COULD_NOT_RUN: u8 = 2;

/// Runs the command.
pub(super) fn run(args: CheckArgs) -> ExitCode {
    start_log(&args.log);
    match check(args) {
        Ok(GateOutcome { undecided, .. }) if !undecided.is_empty() => ExitCode::from(COULD_NOT_RUN),
        Ok(GateOutcome { failed, .. }) if !failed.is_empty() => ExitCode::FAILURE,
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            log::log_fatal(&error);
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

/// Logs errors only, unless the arguments say otherwise: the output is a report.
fn start_log(args: &crate::config::LogArgs) {
    let level = args.log_level.unwrap_or(crate::config::LogLevel::Error);
    log::start_logging(args.log_format.unwrap_or_default(), level);
}

fn check(mut args: CheckArgs) -> anyhow::Result<GateOutcome> {
    let sources = source::CheckSources::find_and_exclude(&mut args)?;
    let args = &args;
    let gates = gates(args, &sources.check)?;
    let read::CheckResult {
        mut report,
        differences,
    } = read::report(args, &sources, &gates, None)?;
    let given = args.result.file_url.clone();
    let file_url = given.or_else(|| sources.file_url(&report.read));
    let owner = super::init::OWNER.trim();
    let docs = format!("https://github.com/{owner}/gitglot/blob/main/docs/");
    let mut style = OutputStyle {
        file_url: file_url.as_deref(),
        docs: Some(&docs),
        ..OutputStyle::default()
    };
    if let Some(path) = &args.result.page {
        let (list, total) = &differences;
        let page =
            gitglot_web::comparison_file(&report, list, *total, &|finding| style.url(finding));
        output::write_file(path, page.as_bytes())?;
    }
    if args.result.new_only {
        style.hidden = report.keep_new();
    }
    let outcome = gates.apply(&report);
    let colour = std::io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let all = args.result.all;
    let printed = OutputStyle {
        colour,
        all,
        ..style
    };
    output::print(&args.result.format.write(&report, &outcome, printed))?;
    write_files(args, &report, &outcome, OutputStyle { all: true, ..style })?;
    for gate in &outcome.failed {
        eprintln!("gitglot: failed gate: {}", gitglot_lint::output::line(gate));
    }
    for gate in &outcome.undecided {
        let gate = gitglot_lint::output::line(gate);
        eprintln!("gitglot: cannot decide the gate {gate}");
    }
    Ok(outcome)
}

fn gates(args: &CheckArgs, config: &crate::config::CheckConfig) -> anyhow::Result<Gates> {
    let mut gates = Gates::default();
    let given = args
        .result
        .fail_on
        .as_ref()
        .map(|names| (names, "--fail-on"));
    let configured = config.fail_on.as_ref();
    let configured = configured.map(|names| (names, "fail_on in [check]"));
    if let Some((names, place)) = given.or(configured) {
        let names = names.iter().map(String::as_str);
        gates.set_fail_on(names).context(place)?;
    }
    let fail_under = args.result.fail_under.or(config.fail_under);
    gates.fail_under = fail_under.map(|percent| percent.tenths());
    let languages = config.fail_under_language.iter();
    gates.fail_under_language = languages
        .map(|(code, threshold)| (code.clone(), threshold.tenths()))
        .collect();
    Ok(gates)
}

fn write_files(
    args: &CheckArgs,
    report: &Report,
    outcome: &GateOutcome,
    style: OutputStyle<'_>,
) -> anyhow::Result<()> {
    let write = |path: &Path, text: String| output::write_file(path, text.as_bytes());
    for file in &args.result.write {
        write(&file.path, file.format.write(report, outcome, style))?;
    }
    if let Some(path) = &args.result.fix_list {
        write(path, fix_list(report))?;
    }
    if let Some(path) = &args.result.badge {
        write(path, badge::svg(report))?;
    }
    if let Some(path) = &args.result.badge_json {
        write(path, badge::endpoint(report))?;
    }
    Ok(())
}
