//! `gitglot digest`: what changed for the translators of each language, and what is left.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::args::HistoryArgs;
use super::credits::markdown_text;
use super::digest_data::{Digest, Example, LanguageDigest, Translator, count};
use super::selection::read_one;
use super::start_log;
use crate::cli::output;
use crate::config::is_mention;
use gitglot_lint::output::{indented_json, xml};
use gitglot_model::{escape_line, percent};

/// The part of `gitglot digest --help` after the flags.
pub const DIGEST_HELP: &str = "\
For each language: the new strings without a translation, the strings whose
source changed, who translated how much, and what is left. Languages without
news and without work are left out. Markdown and JSON name the people of a
language: those of [people] in gitglot.toml, otherwise the owners of its files
in CODEOWNERS.

Examples:
  gitglot digest --since v1.0 --language de
      Print what changed for German translators since a release
  gitglot digest --since 2026-06-01 --format html > digest.html
      Write a page for a mail
  gitglot digest --split issues
      Write one Markdown file for each language that has work left
  gitglot digest --format table --into README.md
      Write the status of all languages between two marks of a file";

/// The lines between which a table is written.
const MARKS: [&str; 2] = ["<!-- gitglot:status -->", "<!-- /gitglot:status -->"];
/// Translators that a language names.
const TRANSLATORS: usize = 10;

/// The arguments of `gitglot digest`.
pub type DigestArgs = HistoryArgs<PeriodArgs>;

/// The part of the history, and the output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Digest")]
pub struct PeriodArgs {
    /// Revision, date (2026-06-01) or time (2026-06-01T12:00:00Z) to begin after [default: a week before the newest
    /// commit]
    #[arg(long, value_name = "REV|TIME")]
    pub since: Option<String>,
    /// Codes of the languages [default: all]
    #[arg(long, value_name = "CODE,…", value_delimiter = ',')]
    pub language: Vec<String>,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    pub format: DigestFormat,
    /// Write the Markdown of each language with work left to a file of its own in this directory, and print nothing
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "into"])]
    pub split: Option<PathBuf>,
    /// With --format table: write between the lines <!-- gitglot:status --> and <!-- /gitglot:status --> of this file
    #[arg(long, value_name = "FILE")]
    pub into: Option<PathBuf>,
}

/// The format of a digest.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum DigestFormat {
    /// A heading for each language, for an issue
    #[default]
    Markdown,
    /// A page, for a mail
    Html,
    /// Lines of text
    Text,
    /// One JSON document
    Json,
    /// A Markdown table with the status of all languages
    Table,
}

/// Runs the command.
pub(in super::super) fn run(args: DigestArgs) -> anyhow::Result<()> {
    start_log(&args.log);
    let (check, period) = args.split();
    if period.into.is_some() && period.format != DigestFormat::Table {
        bail!("--into writes a table: add --format table");
    }
    let (source, people, snapshot) = read_one(&check, "give REPO, since revisions belong to one")?;
    let digest = Digest::read(
        period.since.as_deref(),
        &period.language,
        &snapshot,
        &source,
        &people,
    )?;
    if let Some(folder) = &period.split {
        write_issues(&digest, folder)
    } else if let Some(path) = &period.into {
        let shown = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(shown)?;
        let new = between_marks(&text, &table(&digest)).with_context(shown)?;
        if new == text {
            return Ok(());
        }
        output::write_file(path, new.as_bytes())
    } else {
        output::print(&match period.format {
            DigestFormat::Markdown => digest.markdown(),
            DigestFormat::Html => digest.html(),
            DigestFormat::Text => digest.text(),
            DigestFormat::Table => table(&digest),
            DigestFormat::Json => indented_json(&digest),
        })
    }
}

/// Writes the Markdown of each language that has work left.
fn write_issues(digest: &Digest, folder: &Path) -> anyhow::Result<()> {
    let shown = || folder.display().to_string();
    std::fs::create_dir_all(folder).with_context(shown)?;
    for language in &digest.languages {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '@');
        // A code is a part of a path in the repository.
        if language.left() > 0 && language.language.chars().all(is_plain) {
            let path = folder.join(format!("{}.md", language.language));
            output::write_file(&path, language.markdown().as_bytes())?;
        }
    }
    Ok(())
}

/// How the parts of a line are written.
struct Style {
    text: fn(&str) -> String,
    link: fn(&str, &str) -> String,
}

const MARKDOWN: Style = Style {
    text: markdown_text,
    link: |text, url| format!("[{}]({url})", markdown_text(text)),
};
const HTML: Style = Style {
    text: xml,
    link: |text, url| format!("<a href=\"{}\">{}</a>", xml(url), xml(text)),
};
const TEXT: Style = Style {
    text: escape_line,
    link: |text, _| escape_line(text),
};

impl Digest {
    fn title(&self) -> String {
        match &self.since {
            Some(since) => format!("Translations since {since}"),
            None => "Translations of the last week".to_owned(),
        }
    }

    fn shown(&self) -> impl Iterator<Item = &LanguageDigest> {
        let is_shown =
            |language: &&LanguageDigest| language.left() > 0 || !language.translators.is_empty();
        self.languages.iter().filter(is_shown)
    }

    /// A heading for each language.
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n", markdown_text(&self.title()));
        for language in self.shown() {
            out.push('\n');
            out.push_str(&language.markdown());
        }
        if self.shown().next().is_none() {
            out.push_str("\nNothing changed, and nothing is left.\n");
        }
        out
    }

    /// A page.
    pub fn html(&self) -> String {
        let title = xml(&self.title());
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n</head>\n\
             <body>\n<h1>{title}</h1>\n"
        );
        for language in self.shown() {
            out.push_str(&format!("<h2>{}</h2>\n<ul>\n", xml(&language.heading())));
            let lines = language.lines(&HTML).into_iter();
            out.extend(lines.map(|line| format!("<li>{line}</li>\n")));
            out.push_str("</ul>\n");
        }
        out + "</body>\n</html>\n"
    }

    /// Lines of text.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", escape_line(&self.title()));
        for language in self.shown() {
            out.push_str(&format!("\n{}\n", escape_line(&language.heading())));
            let lines = language.lines(&TEXT).into_iter();
            out.extend(lines.map(|line| format!("  {line}\n")));
        }
        out
    }
}

impl LanguageDigest {
    fn heading(&self) -> String {
        format!("{} ({})", self.name, self.language)
    }

    /// The heading, the people and the lines.
    pub fn markdown(&self) -> String {
        let mut out = format!("## {}\n\n", markdown_text(&self.heading()));
        if !self.people.is_empty() {
            let person = |name: &String| {
                if is_mention(name) {
                    name.clone()
                } else {
                    markdown_text(name)
                }
            };
            let people: Vec<String> = self.people.iter().map(person).collect();
            out.push_str(&format!("{}\n\n", people.join(", ")));
        }
        let lines = self.lines(&MARKDOWN).into_iter();
        out.extend(lines.map(|line| format!("- {line}\n")));
        out
    }

    fn lines(&self, style: &Style) -> Vec<String> {
        let mut lines = Vec::new();
        let changed: u64 = self.changed.values().sum();
        let news = [
            (self.new, count(self.new, "new string")),
            (changed, count(changed, "changed source") + &self.kinds()),
        ];
        let news = news.into_iter().filter(|(number, _)| *number > 0);
        let news: Vec<String> = news.map(|(_, text)| text).collect();
        if !news.is_empty() {
            let examples = self.examples.iter();
            let examples = examples.map(|example| example_link(example, style));
            let examples: Vec<String> = examples.collect();
            let rest = (self.new + changed).saturating_sub(examples.len() as u64);
            let (news, listed) = (news.join(", "), examples.join(", "));
            lines.push(match rest {
                _ if examples.is_empty() => news,
                0 => format!("{news}: {listed}"),
                rest => format!("{news}: {listed} and {rest} more"),
            });
        }
        let tenths = percent(self.translated, self.strings, 1000);
        let left = [
            (self.missing, "missing"),
            (self.stale, "stale"),
            (self.failing, "failing"),
        ];
        let left = left.into_iter().filter(|(number, _)| *number > 0);
        let left = match &*counts_by_kind(left) {
            "" => "nothing is left".to_owned(),
            left => format!("left: {left}"),
        };
        let (whole, tenth) = (tenths / 10, tenths % 10);
        lines.push(format!("{whole}.{tenth} % translated, {left}"));
        if !self.translators.is_empty() {
            let people = self.translators.iter().take(TRANSLATORS);
            let person = |person: &Translator| {
                let (strings, words) = (person.strings, person.words);
                let amount = [count(strings, "string"), count(words, "word")].join(", ");
                format!("{} ({amount})", (style.text)(&person.name))
            };
            let names: Vec<String> = people.map(person).collect();
            let rest = self.translators.len().saturating_sub(names.len());
            let rest = (rest > 0).then(|| format!(" and {rest} more"));
            let rest = rest.unwrap_or_default();
            lines.push(format!("translated by {}{rest}", names.join(", ")));
        }
        lines
    }

    /// ` (1 minor, 2 major)`.
    fn kinds(&self) -> String {
        let kinds = self.changed.iter().map(|(kind, number)| (*number, *kind));
        format!(" ({})", counts_by_kind(kinds))
    }
}

/// Numbers with their kinds: `1 minor, 2 major`.
fn counts_by_kind<'k>(counts: impl Iterator<Item = (u64, &'k str)>) -> String {
    let counts = counts.map(|(count, kind)| format!("{count} {kind}"));
    counts.collect::<Vec<_>>().join(", ")
}

fn example_link(example: &Example, style: &Style) -> String {
    match &example.url {
        Some(url) => (style.link)(&example.key, url),
        None => (style.text)(&example.key),
    }
}

/// The status of all languages as a Markdown table.
fn table(digest: &Digest) -> String {
    let mut out =
        "| Language | Translated | Missing | Stale | Failing |\n|---|--:|--:|--:|--:|\n".to_owned();
    for language in &digest.languages {
        let tenths = percent(language.translated, language.strings, 1000);
        out.push_str(&format!(
            "| {} | {}.{} % | {} | {} | {} |\n",
            markdown_text(&language.heading()),
            tenths / 10,
            tenths % 10,
            language.missing,
            language.stale,
            language.failing
        ));
    }
    out
}

/// A text with other lines between its marks.
fn between_marks(text: &str, lines: &str) -> anyhow::Result<String> {
    let [first, last] = MARKS;
    let missing =
        || format!("the file has no lines {first} and {last}: add them where the table belongs");
    let (before, rest) = text.split_once(first).with_context(missing)?;
    let (_, after) = rest.split_once(last).with_context(missing)?;
    Ok(format!("{before}{first}\n{lines}{last}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_between_the_marks_changes() {
        let text = "# App\n<!-- gitglot:status -->\nold\n<!-- /gitglot:status -->\nend\n";
        let new = between_marks(text, "| a |\n").unwrap();
        assert_eq!(new, text.replace("old", "| a |"));
        assert_eq!(between_marks(&new, "| a |\n").unwrap(), new);
        assert!(between_marks("# App\n", "").is_err());
    }
}
