//! `gitglot init`: the files that a repository needs to use gitglot.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::checkout::CONFIG_FILE;
use super::discover::Discovered;
use super::output;
use crate::config::{Config, ConfigFlags, Target};
use gitglot_model::counted;

/// The part of `gitglot init --help` after the flags.
pub(super) const INIT_HELP: &str = "\
Writes files to the repository that contains the current directory, and says
what each of them does. Never overwrites a file. Commit them to use them.

Examples:
  gitglot init
      Write gitglot.toml with the detected translation files
  gitglot init --github
      Also write a workflow that checks pull requests
  gitglot init --github-pages
      Also write a workflow that publishes pages and badges";

/// The arguments of `gitglot init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Write a workflow that checks pull requests on GitHub
    #[arg(long)]
    pub github: bool,
    /// Write a workflow that publishes pages and badges with GitHub Pages
    #[arg(long)]
    pub github_pages: bool,
    /// Write a job that checks merge requests on GitLab
    #[arg(long)]
    pub gitlab: bool,
}

/// The account at GitHub that has the repository of gitglot. Templates name it `{owner}`.
pub(super) const OWNER: &str = include_str!("../../packaging/owner");

/// A file that runs gitglot.
struct Template {
    path: &'static str,
    text: &'static str,
    /// What it does, and what is left to do.
    effect: &'static str,
}

const GITHUB: Template = Template {
    path: ".github/workflows/translations.yml",
    text: include_str!("../../ci/github-check.yml"),
    effect: "GitHub checks each pull request: it annotates the changed lines, writes a summary, and fails the run if a \
             translation breaks. The workflow can only read the repository.",
};

const GITHUB_PAGES: Template = Template {
    path: ".github/workflows/translations-site.yml",
    text: include_str!("../../ci/github-pages.yml"),
    effect: "GitHub publishes pages and badges after each push to the default branch. Select GitHub Actions as the source in \
             the settings of Pages.",
};

const GITLAB: Template = Template {
    path: ".gitlab/translations.yml",
    text: include_str!("../../templates/check.yml"),
    effect: "GitLab checks each merge request, and reports with Code Quality and JUnit. Add to .gitlab-ci.yml:\n  \
             include:\n    - local: .gitlab/translations.yml",
};

/// Runs the command.
pub(super) fn run(args: &InitArgs) -> anyhow::Result<()> {
    let config = Config::load(ConfigFlags::default())?;
    let Target::Repository(target) = &config.target else {
        bail!("unset GITGLOT_CONFIG: gitglot init writes a configuration file");
    };
    let root = target.repo.local_path().context("not a local repository")?;
    if !root.join(".git").exists() {
        bail!(
            "{} has no working tree: run gitglot init in a checkout",
            root.display()
        );
    }
    if root.join(CONFIG_FILE).symlink_metadata().is_ok() {
        report_kept(CONFIG_FILE)?;
    } else {
        let discovered = Discovered::read(config)?;
        let text = discovered.config_file(&root)?;
        let components = counted(discovered.project().components.len(), "component");
        let text = text + &discovered.report().suggestions;
        let effect = format!(
            "{components} with the detected translation files. gitglot check, serve and site read it in this checkout."
        );
        write_new(&root, CONFIG_FILE, &text, &effect)?;
    }
    let templates = [
        (args.github, GITHUB),
        (args.github_pages, GITHUB_PAGES),
        (args.gitlab, GITLAB),
    ];
    for (_, template) in templates.iter().filter(|(is_wanted, _)| *is_wanted) {
        let text = template.text.replace("{owner}", OWNER.trim());
        let text = text.replace("{version}", env!("CARGO_PKG_VERSION"));
        write_new(&root, template.path, &text, template.effect)?;
    }
    Ok(())
}

/// Writes a new file and reports what it does. One that exists remains.
fn write_new(root: &Path, path: &str, text: &str, effect: &str) -> anyhow::Result<()> {
    match create(root, path, text) {
        Ok(()) => output::print(&format!("wrote {path}: {effect}\n"))?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return report_kept(path),
        Err(error) => return Err(error).with_context(|| format!("cannot write {path}")),
    }
    // A program that was built before the first release does not know the owner.
    if OWNER.trim() == PLACEHOLDER && text.contains(PLACEHOLDER) {
        output::print(&format!(
            "  Replace {PLACEHOLDER} in this file with the account that has the repository of gitglot.\n"
        ))?;
    }
    Ok(())
}

fn report_kept(path: &str) -> anyhow::Result<()> {
    output::print(&format!(
        "kept {path}, which exists: remove it to write it again\n"
    ))
}

/// The content of `packaging/owner` until the first release.
const PLACEHOLDER: &str = "OWNER";

/// Creates a file and its directories. A repository can contain links, which could lead out of it.
fn create(root: &Path, path: &str, text: &str) -> io::Result<()> {
    let mut folder = PathBuf::from(root);
    let parent = Path::new(path).parent();
    for part in parent.into_iter().flat_map(Path::components) {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(found) if found.is_symlink() => {
                let problem = format!("{} is a link: write the file by hand", folder.display());
                return Err(io::Error::other(problem));
            }
            Ok(_) => {}
            Err(_) => fs::create_dir(&folder)?,
        }
    }
    // Follows no link at the path.
    let mut file = fs::File::create_new(root.join(path))?;
    file.write_all(text.as_bytes())
}
