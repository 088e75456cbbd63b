//! `gitglot credits`: who wrote the translations of a release.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::args::HistoryArgs;
use super::selection::read_one;
use super::start_log;
use crate::cli::output;
use gitglot_catalog::{ComponentSnapshot, LanguageContributions, by_language, contributions};
use gitglot_git::Repository;
use gitglot_lint::output::{indented_json, xml};
use gitglot_model::{Unlimited, escape_line};

/// The part of `gitglot credits --help` after the flags.
pub const CREDITS_HELP: &str = "\
Lists the people whose translations are new in a release, by language. Each
string counts once, for the person who wrote its last text. Renames, reverts,
moved and restored texts, changes of white space and bots do not count.
Names are those of .mailmap; addresses are never printed. If a translation
platform makes the commits, co-authors count.

Examples:
  gitglot credits --from v1.0 --to v1.1
      Write the credits of a release as Markdown
  gitglot credits --from v1.0 --format names
      Print the names, for a list of contributors
  gitglot credits --format html > credits.html
      Write a page with everybody who ever translated";

/// The arguments of `gitglot credits`.
pub type CreditsArgs = HistoryArgs<ReleaseArgs>;

/// The release, and the output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Credits")]
pub struct ReleaseArgs {
    /// Tag or revision of the release before [default: the first commit]
    #[arg(long, value_name = "TAG")]
    pub from: Option<String>,
    /// Tag or revision of the release [default: the newest commit of the branch]
    #[arg(long, value_name = "TAG")]
    pub to: Option<String>,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    pub format: CreditsFormat,
}

/// The format of credits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum CreditsFormat {
    /// A heading for each language
    #[default]
    Markdown,
    /// One JSON document
    Json,
    /// A page
    Html,
    /// One name in a line, of all languages
    Names,
}

/// The credits.
struct Credits<'a> {
    /// The revisions of the release before and of the release.
    ends: [Option<&'a str>; 2],
    languages: Vec<LanguageContributions<'a>>,
}

/// Runs the command.
pub(in super::super) fn run(args: CreditsArgs) -> anyhow::Result<()> {
    start_log(&args.log);
    let (check, ReleaseArgs { from, to, format }) = args.split();
    let (source, _, snapshot) = read_one(&check, "give REPO, since tags belong to one")?;
    let mut parts: Vec<(&ComponentSnapshot, Range<u32>)> = Vec::new();
    for component in snapshot.components() {
        let end = |revision: &Option<String>, usual| match revision {
            Some(revision) => entries_at(component, &source.repository, revision),
            None => Ok(usual),
        };
        let last = u32::try_from(component.log.len()).unwrap_or(u32::MAX);
        parts.push((component, end(&from, 0)?..end(&to, last)?));
    }
    let list = contributions(&snapshot, &parts, &Unlimited);
    let credits = Credits {
        ends: [from.as_deref(), to.as_deref()],
        languages: by_language(&list),
    };
    output::print(&credits.write(format))
}

/// The number of entries of a log at the last mainline commit that is an ancestor of a revision.
pub(super) fn entries_at(
    component: &ComponentSnapshot,
    repository: &Repository,
    revision: &str,
) -> anyhow::Result<u32> {
    let commit = repository.resolve(revision)?;
    let found = gitglot_revisions::entries_at(component, repository, commit)?;
    found.with_context(|| format!("{revision} has no common history with the branch"))
}

impl Credits<'_> {
    fn write(&self, format: CreditsFormat) -> String {
        match format {
            CreditsFormat::Markdown => self.markdown(),
            CreditsFormat::Json => {
                indented_json(&gitglot_web::credits_json(self.ends, &self.languages))
            }
            CreditsFormat::Html => self.html(),
            CreditsFormat::Names => self.names(),
        }
    }

    fn title(&self) -> String {
        match self.ends {
            [Some(from), Some(to)] => format!("Translators from {from} to {to}"),
            [Some(from), None] => format!("Translators since {from}"),
            [None, Some(to)] => format!("Translators up to {to}"),
            [None, None] => "Translators".to_owned(),
        }
    }

    fn markdown(&self) -> String {
        let mut out = format!("## {}\n", markdown_text(&self.title()));
        for of in &self.languages {
            out.push_str(&format!("\n### {}\n\n", markdown_text(&of.language.name)));
            for person in of.people {
                let name = markdown_text(&person.name);
                out.push_str(&format!("- {name} ({})\n", person.amount()));
            }
        }
        if self.languages.is_empty() {
            out.push_str("\nNo translation is new.\n");
        }
        out
    }

    fn html(&self) -> String {
        let title = xml(&self.title());
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width\">\n<title>{title}</title>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        for of in &self.languages {
            out.push_str(&format!("<h2>{}</h2>\n<ul>\n", xml(&of.language.name)));
            for person in of.people {
                let name = xml(&person.name);
                out.push_str(&format!(
                    "<li><bdi>{name}</bdi> ({})</li>\n",
                    person.amount()
                ));
            }
            out.push_str("</ul>\n");
        }
        out + "</body>\n</html>\n"
    }

    /// The names, by words in all languages.
    fn names(&self) -> String {
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for person in self.languages.iter().flat_map(|language| language.people) {
            *sums.entry(&person.name).or_default() += person.words;
        }
        let mut names: Vec<_> = sums.into_iter().collect();
        names.sort_by_key(|&(_, words)| std::cmp::Reverse(words));
        let lines = names.into_iter().map(|(name, _)| escape_line(name) + "\n");
        lines.collect()
    }
}

/// A name as text of Markdown, without a mention, a link or a mark.
pub(super) fn markdown_text(text: &str) -> String {
    let mut out = String::new();
    for c in escape_line(text).chars() {
        match c {
            '@' => out.push_str("@<!-- -->"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' => out.extend(['\\', c]),
            c => out.push_str(&xml(c.encode_utf8(&mut [0; 4]))),
        }
    }
    out
}
