//! `gitglot todo`: the work list, from the check of the repository.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::args::{HistoryArgs, ReadArgs};
use super::read::report;
use super::selection::select;
use super::source::CheckSources;
use super::states::ComponentStates;
use super::{COULD_NOT_RUN, CheckArgs, start_log};
use crate::cli::output;
use crate::config::HistoryMode;
use crate::log;
use gitglot_lint::Gates;
use gitglot_lint::todo::{
    FilledList, TodoBuilder, TodoComponent, TodoFilter, TodoFormat, Validation, validate,
};
use gitglot_model::language;

/// The part of `gitglot todo --help` after the flags.
pub const TODO_HELP: &str = "\
Lists strings without a translation (missing), with a translation of an
older source text (stale), with a failing check (failing), and keys that
the template no longer has (left-over). Reads the same state as gitglot
check. Reads the whole history to find stale strings, unless --base or
--history none is given. Writes no translation: whoever fills the list does.

Each item has what the work needs: source, previous source with the words
that changed, present translation, note, placeholders, plural forms and
similar translated strings. Fill proposal with one text for each of the
forms, then run --validate. Texts are those that people see, not escaped as
in the file.

Exit status:
  0  The list was printed, or no proposal is refused
  1  --validate: a proposal is refused; its line says why
  2  The list cannot be made or read

Examples:
  gitglot todo --language de --format json > todo.json
      Write the work on German
  gitglot todo --validate todo.json
      Check the proposals in a filled list
  gitglot todo --base origin/main --format markdown
      List the work that a branch makes
  gitglot todo --language de --format po > todo.po
      Write a file that translation programs open
  gitglot todo --query 'stale:major' --limit 50
      List 50 strings whose source changed much; next continues with --after";

/// The arguments of `gitglot todo`.
pub type TodoArgs = HistoryArgs<WorkArgs>;

/// The states to read, and the list.
#[derive(Debug, Args)]
pub struct WorkArgs {
    /// The states to read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// The list.
    #[command(flatten)]
    pub list: ListArgs,
}

/// The strings of the list, and its output.
#[derive(Debug, Args)]
#[command(next_help_heading = "List")]
pub struct ListArgs {
    /// Codes of the languages [default: all]
    #[arg(long, value_name = "CODE,…", value_delimiter = ',')]
    pub language: Vec<String>,
    /// Only strings that a query selects, as on pages and in q= of the API; it knows the state at the tip of the branch
    #[arg(long, value_name = "QUERY")]
    pub query: Option<String>,
    /// Most strings to list
    #[arg(long, value_name = "COUNT")]
    pub limit: Option<usize>,
    /// Continue after the string with this id
    #[arg(long, value_name = "ID")]
    pub after: Option<String>,
    /// json, markdown, po or csv [default: json; with --validate text]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<TodoFormat>,
    /// Check the proposals of a filled list in JSON, PO or CSV, and print the result as text or with --format json; - is
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["query", "limit", "after", "language"])]
    pub validate: Option<PathBuf>,
}

/// Runs the command.
pub(in super::super) fn run(args: TodoArgs) -> ExitCode {
    start_log(&args.log);
    let (mut check, WorkArgs { read, list }) = args.split();
    check.read = read;
    let result = match &list.validate {
        Some(path) => check_proposals(check, &list, path),
        None => print_list(check, &list),
    };
    result.unwrap_or_else(|error| {
        log::log_fatal(&error);
        ExitCode::from(COULD_NOT_RUN)
    })
}

fn component<'a>(
    (states, (_, findings)): &'a (ComponentStates<'_>, super::read::CheckedReport),
) -> TodoComponent<'a> {
    TodoComponent {
        spec: &states.checked.spec,
        head: &states.head,
        findings,
    }
}

fn print_list(mut check: CheckArgs, args: &ListArgs) -> anyhow::Result<ExitCode> {
    let mut sources = CheckSources::find_and_exclude(&mut check)?;
    if check.read.base.is_none() {
        check.data.history.get_or_insert(HistoryMode::Full);
    }
    let selected = match &args.query {
        Some(query) => Some(select(&check, &mut sources, query)?),
        None => None,
    };
    let selects = |path: &str, key: &str| {
        let string = (path.to_owned(), key.to_owned());
        selected
            .as_ref()
            .is_none_or(|strings| strings.contains(&string))
    };
    let codes = args.language.iter();
    let codes: Vec<String> = codes
        .map(|code| language::resolve(code).code.to_string())
        .collect();
    let mut builder = TodoBuilder::new(TodoFilter {
        languages: &codes,
        only_new: check.read.base.is_some(),
        selects: selected.is_some().then_some(&selects),
        after: args.after.as_deref(),
        limit: args.limit,
    });
    let result = report(
        &check,
        &sources,
        &Gates::default(),
        Some(&mut |found| {
            let components: Vec<_> = found.iter().map(component).collect();
            builder.add(&components);
        }),
    )?;
    let has = |code: &String| {
        let mut languages = result.report.languages();
        languages.any(|language| *language.language == **code)
    };
    if let Some(code) = codes.iter().find(|code| !has(code)) {
        bail!("no file has the language {code}: gitglot check lists the languages");
    }
    let list = builder.finish(result.report.read, result.report.notes);
    let list = list.context("no string has the id of --after: begin again without it")?;
    let format = args.format.unwrap_or(TodoFormat::Json);
    output::print(&format.write(&list)?)?;
    Ok(ExitCode::SUCCESS)
}

fn check_proposals(mut check: CheckArgs, args: &ListArgs, path: &Path) -> anyhow::Result<ExitCode> {
    let format = args.format;
    if format.is_some_and(|format| format != TodoFormat::Json) {
        bail!("the result of --validate is text or JSON: remove --format, or use --format json");
    }
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|read| bytes = read)
    };
    read.with_context(|| format!("cannot read {}", path.display()))?;
    let list = FilledList::parse(&bytes).with_context(|| path.display().to_string())?;
    let sources = CheckSources::find_and_exclude(&mut check)?;
    check.data.history = Some(HistoryMode::None);
    let mut validation: Option<Validation> = None;
    report(
        &check,
        &sources,
        &Gates::default(),
        Some(&mut |found| {
            let components: Vec<_> = found.iter().map(component).collect();
            let Some((first, _)) = found.first() else {
                return;
            };
            let result = validate(&list, &components, first.inputs.options);
            validation = Some(match validation.take() {
                Some(before) => before.or(result),
                None => result,
            });
        }),
    )?;
    let validation = validation.context("there is nothing to check")?;
    output::print(&match format {
        Some(_) => validation.json(),
        None => validation.text(),
    })?;
    Ok(match validation.refused {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}
