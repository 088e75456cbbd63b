//! `gitglot` without a command: what it finds in the repository that contains the current directory.

use std::fmt::Write;
use std::process::ExitCode;

use clap::CommandFactory;

use super::discover::Discovered;
use super::{Cli, output};
use crate::config::{Config, ConfigError, ConfigFlags, Target};
use gitglot_model::{counted, escape_line};

/// Maximum number of components that are listed.
const MAX_LISTED: usize = 10;

/// Describes the repository and the commands that make sense there. Outside of a repository, prints the help as for an
/// incomplete command line.
pub(super) fn run() -> anyhow::Result<ExitCode> {
    let config = match Config::load(ConfigFlags::default()) {
        Err(ConfigError::NoSource) => {
            eprintln!("{}", Cli::command().render_help());
            return Ok(ExitCode::from(2));
        }
        config => config?,
    };
    let root = match &config.target {
        Target::Repository(target) => target.repo.local_path().unwrap_or_default(),
        Target::Projects(_) => anyhow::bail!("give a command: gitglot --help lists them"),
    };
    let discovered = Discovered::read(config)?;
    let components = &discovered.project().components;
    let mut text = format!(
        "{}, branch {}: {}\n\n",
        root.display(),
        discovered.state.branch,
        counted(components.len(), "component")
    );
    for component in components.iter().take(MAX_LISTED) {
        let (mask, format) = (component.filemask.as_str(), component.file_format.name());
        let files = discovered.files.iter();
        let files = files.filter(|file| component.has_file(&file.path));
        let files = counted(files.count(), "file");
        writeln!(text, "  {mask}  ({format}, {files})")?;
    }
    if let Some(more @ 1..) = components.len().checked_sub(MAX_LISTED) {
        writeln!(text, "  and {more} more, which gitglot discover lists")?;
    }
    text.push_str(
        "\n  gitglot check    Check the translation files\n  \
         gitglot serve    Show progress, strings and history on http://127.0.0.1:8000/\n",
    );
    text.push_str(if root.join("gitglot.toml").exists() {
        "  gitglot init --github    Write a workflow that checks pull requests\n"
    } else {
        "  gitglot init     Write gitglot.toml, and workflows for GitHub or GitLab\n"
    });
    text.push_str("\ngitglot --help lists all commands.\n");
    // Names of a repository must not control a terminal.
    let lines: Vec<_> = text.lines().map(escape_line).collect();
    output::print(&(lines.join("\n") + "\n"))?;
    Ok(ExitCode::SUCCESS)
}
