//! `gitglot review`: prints what acknowledges stale translations (docs/spec/change-log.md#acknowledged-translations).

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::plan::reviewed;
use super::selection::{read_one, selected};
use super::{CheckArgs, start_log};
use crate::cli::output;
use crate::config::{DataArgs, LogArgs, TargetArgs};
use gitglot_catalog::Snapshot;
use gitglot_history::{REVIEW_TRAILER, ReviewedFile, trailer_key};
use gitglot_lint::{RepositoryState, RepositoryTree};
use gitglot_model::{KeyPatterns, language};

/// The part of `gitglot review --help` after the flags.
pub const REVIEW_HELP: &str = "\
A translation is stale if its source text changed later. If it is still right,
acknowledge it: write a commit with the trailers that this command prints, or
write the printed file. Until its source changes again, the string then counts
as translated, and its history shows who said so. Nothing is written.

A trailer without keys acknowledges all stale strings of the language in an
empty commit. In other commits it acknowledges those of the translations that
the commit changes, and those whose source it changes.

Examples:
  git commit --allow-empty -m Review -m \"$(gitglot review --language de)\"
      Acknowledge all stale German translations
  gitglot review --language de 'menu.*'
      Print the trailers for some keys
  gitglot review --language de --query stale:minor --format toml
      Print .gitglot/reviewed.toml with strings whose source changed little";

/// Bytes of keys in one trailer, after which another one begins.
const LINE_BYTES: usize = 100;

/// The arguments of `gitglot review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Keys to acknowledge; * matches any text [default: all stale strings]
    #[arg(value_name = "KEY")]
    pub keys: Vec<String>,
    /// Path or URL of the repository [default: the current directory]
    #[arg(long, value_name = "REPO")]
    pub repo: Option<String>,
    /// Codes of the languages
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', required = true)]
    pub language: Vec<String>,
    /// Only strings that a query selects, as on pages and in q= of the API
    #[arg(long, value_name = "QUERY")]
    pub query: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ReviewFormat,
    /// Settings of the data and its storage.
    #[command(flatten)]
    pub data: DataArgs,
    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// What the command prints.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum ReviewFormat {
    /// Trailers of a commit message
    #[default]
    Trailer,
    /// The whole file .gitglot/reviewed.toml, with its present rows
    Toml,
}

/// Key and source of the selected stale strings, by language.
type Selected = BTreeMap<String, Vec<(String, String)>>;

/// Runs the command.
pub(in super::super) fn run(args: ReviewArgs) -> anyhow::Result<()> {
    start_log(&args.log);
    let check = CheckArgs {
        target: TargetArgs {
            repo: args.repo.clone(),
            ..TargetArgs::default()
        },
        data: args.data.clone(),
        log: args.log.clone(),
        ..CheckArgs::default()
    };
    let (source, _, snapshot) = read_one(&check, "give one with --repo")?;
    let queried = match &args.query {
        Some(query) => Some(selected(&snapshot, query)?),
        None => None,
    };
    let by_language = select(&args, &snapshot, queried.as_ref())?;
    let is_whole = args.query.is_none() && args.keys.is_empty();
    output::print(&match args.format {
        ReviewFormat::Trailer => trailers(&by_language, is_whole),
        ReviewFormat::Toml => {
            let mut file = ReviewedFile::default();
            if let Some(head) = source.revisions.head.map(RepositoryState::Commit) {
                let tree = RepositoryTree::open(&source.repository, head)?;
                file = (*reviewed(&tree)?).clone();
            }
            for (language, strings) in &by_language {
                let mut sources = HashMap::new();
                for (key, source) in strings {
                    if *sources.entry(key).or_insert(source) != source {
                        bail!(
                            "strings of several components have the key {key} and different sources, but a row is for \
                             one source: use --format trailer"
                        );
                    }
                    file.add_row(language, key, source);
                }
            }
            file.text()
        }
    })
}

/// The stale strings that the command line selects, each key once.
fn select(
    args: &ReviewArgs,
    snapshot: &Snapshot,
    queried: Option<&HashSet<(String, String)>>,
) -> anyhow::Result<Selected> {
    let patterns: KeyPatterns = args.keys.iter().cloned().collect();
    let mut found = Selected::new();
    for code in &args.language {
        let code = language::resolve(code).code;
        let views = snapshot
            .components()
            .iter()
            .flat_map(|component| component.views());
        let views = views.filter(|view| view.translation.language.code == code);
        let mut views = views.peekable();
        if views.peek().is_none() {
            bail!("no file has the language {code}: gitglot check lists the languages");
        }
        let strings = found.entry(code.to_string()).or_default();
        for view in views.filter(|view| !view.translation.is_bilingual()) {
            let stale = view.translation.stale.iter();
            for unit in stale.filter_map(|&(row, _)| view.unit(row)) {
                let id = unit.component.key(unit.source);
                let format = unit.component.component.file_format;
                let key = format.shown_key(&id).into_owned();
                let is_named =
                    args.keys.is_empty() || patterns.contains(&key) || patterns.contains(&id);
                let string = (view.translation.own_path.to_string(), id);
                if is_named && queried.is_none_or(|queried| queried.contains(&string)) {
                    let source = unit.component.texts.get(unit.source.source);
                    strings.push((key, source.to_owned()));
                }
            }
        }
    }
    Ok(found)
}

/// The trailers for strings; without keys for all strings of a language.
fn trailers(found: &Selected, is_whole: bool) -> String {
    let mut out = String::new();
    for (language, strings) in found.iter().filter(|(_, strings)| !strings.is_empty()) {
        if is_whole {
            out.push_str(&format!("{REVIEW_TRAILER}: {language}\n"));
            continue;
        }
        let mut keys: Vec<&str> = strings.iter().map(|(key, _)| &**key).collect();
        let mut seen = HashSet::new();
        keys.retain(|key| seen.insert(*key));
        let mut line = String::new();
        for key in keys {
            line.push(' ');
            // A trailer is a line. Where a key has a line break, `*` matches it.
            line.push_str(&trailer_key(&key.replace(char::is_control, "*")));
            if line.len() >= LINE_BYTES {
                let keys = std::mem::take(&mut line);
                out.push_str(&format!("{REVIEW_TRAILER}: {language}{keys}\n"));
            }
        }
        if !line.is_empty() {
            out.push_str(&format!("{REVIEW_TRAILER}: {language}{line}\n"));
        }
    }
    out
}
