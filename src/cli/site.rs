//! `gitglot site`: everything that can be read without a server, as files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::follow_setup::{FollowSetup, async_runtime, temporary_state};
use super::reading::{self, ReadEvents};
use super::serve::PublishedFiles;
use crate::config::{BaseUrl, Config, DataArgs, LogArgs, SourceArgs, Target, TargetArgs};
use gitglot_api::LinkConfig;
use gitglot_catalog::scan::Scans;
use gitglot_follow::{PollLoop, RepoAddress, each_component};
use gitglot_git::Repository;
use gitglot_model::counted;
use gitglot_revisions::Revisions;
use gitglot_site::{Changes, Site, SiteError, SiteOptions, SiteSummary, Strings};

/// The part of `gitglot site --help` after the flags.
pub(super) const SITE_HELP: &str = "\
Reads the repositories once and writes their pages, badges and lists of
work to a directory that any web server can serve, also below a prefix,
and that a browser can open without one. --api adds the API. A later run
replaces only files that differ. It stops if the directory contains other
files.

Feeds, the sitemap, canonical links and the Markdown of badges need
--base-url. The ids of strings and changes depend only on the commits,
unless --state-dir keeps those of earlier runs.

Exit status:
  0  All files were written
  1  Nothing was changed, or a component could not be read

Examples:
  gitglot site public
      Write the site of the current repository to public/
  gitglot site . public --base-url https://user.github.io/repo/
      Know where it is published, for feeds and badges
  gitglot site --strings packed --changes all --api public
      Write everything, with many strings in a file
  gitglot site . /srv/www/l10n --watch
      Write it again after each commit";

/// The arguments of `gitglot site`.
#[derive(Debug, Args)]
#[command(override_usage = "gitglot site [OPTIONS] [REPO] <DIR>")]
pub struct SiteArgs {
    /// URL or path of a git repository [default: the repository that contains the current directory], and the directory
    /// for the files; it is created if missing
    // One argument with two values, which options may separate.
    #[arg(
        value_names = ["REPO", "DIR"],
        num_args = 0..=2,
        help_heading = "Arguments"
    )]
    pub places: Vec<PathBuf>,
    /// The source of the data.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The files.
    #[command(flatten)]
    pub output: SiteOutputArgs,
    /// Settings of the data and its storage.
    #[command(flatten)]
    pub data: DataArgs,
    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// The files of a site.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct SiteOutputArgs {
    /// URL of the site, for feeds, badges and search engines [default: they are left out]
    #[arg(
        long,
        env = "GITGLOT_BASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub base_url: Option<BaseUrl>,
    /// Strings with a page of their own; lists contain all strings
    #[arg(long, value_enum, value_name = "WHICH", default_value = "attention")]
    pub strings: StringsArg,
    /// Pages of lists of changes
    #[arg(long, value_enum, value_name = "WHICH", default_value = "recent")]
    pub changes: ChangesArg,
    /// Add the responses of the API as JSON, and its reference
    #[arg(long)]
    pub api: bool,
    /// Add the translation files and tables of statistics
    #[arg(long)]
    pub exports: bool,
    /// Keep running, and write the site again after each commit
    #[arg(long)]
    pub watch: bool,
}

/// The strings that have a page of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StringsArg {
    /// All strings in all languages
    All,
    /// All, many of them in a file, which a script shows
    Packed,
    /// Those that are stale, missing or failing a check
    Attention,
    /// None; lists contain all strings
    None,
}

/// The pages of lists of changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ChangesArg {
    /// All pages
    All,
    /// The first five pages of each list, and the first one of those of an author
    Recent,
}

impl From<ChangesArg> for Changes {
    fn from(which: ChangesArg) -> Self {
        match which {
            ChangesArg::All => Self::All,
            ChangesArg::Recent => Self::Recent,
        }
    }
}

impl From<StringsArg> for Strings {
    fn from(which: StringsArg) -> Self {
        match which {
            StringsArg::All => Self::All,
            StringsArg::Packed => Self::Packed,
            StringsArg::Attention => Self::Attention,
            StringsArg::None => Self::None,
        }
    }
}

/// Runs the command.
pub(super) fn run(args: SiteArgs) -> anyhow::Result<()> {
    let (repo, directory) = reading::places(&args.places, "site")?;
    let (source, base_url) = (args.source, args.output.base_url.clone());
    let target = TargetArgs { repo, source };
    let mut config = reading::config(target, base_url, args.data, args.log)?;
    // With new ids in each run, the same commit gives the same files on every machine.
    let _state = temporary_state(&mut config)?;
    refuse_shallow(&config)?;
    let setup = FollowSetup::new(config);
    let mut follow = reading::first_batch(&setup)?;
    let writer = SiteWriter::new(&setup, &args.output, directory);
    writer.write()?;
    if args.output.watch {
        return writer.watch(follow);
    }
    follow.shut_down();
    let failures: Vec<String> = follow.followed().failures().collect();
    reading::refuse_incomplete("site", &failures)
}

/// Refuses local clones without their history, of which a site would show nothing.
fn refuse_shallow(config: &Config) -> anyhow::Result<()> {
    let addresses: Vec<_> = match &config.target {
        Target::Repository(target) => vec![&target.repo],
        Target::Projects(projects) => {
            let components = each_component(projects);
            components.map(|(_, component)| &component.repo).collect()
        }
    };
    for path in addresses.into_iter().filter_map(RepoAddress::local_path) {
        // Reading reports a repository that cannot be opened.
        if Repository::open(&path).is_ok_and(|repository| repository.has_boundary()) {
            bail!(
                "{} is a shallow clone, which lacks the history of the translations: fetch all of it (fetch-depth: 0 \
                 in GitHub Actions, GIT_DEPTH: 0 in GitLab CI, git fetch --unshallow)",
                path.display()
            );
        }
    }
    Ok(())
}

/// Writes the published snapshot to a directory.
struct SiteWriter<'a> {
    setup: &'a FollowSetup,
    site: Site,
    directory: &'a Path,
    threads: usize,
}

impl<'a> SiteWriter<'a> {
    fn new(setup: &'a FollowSetup, output: &SiteOutputArgs, directory: &'a Path) -> Self {
        let base_url = &setup.config.settings.base_url;
        let site = Site::new(SiteOptions {
            base_url: base_url.as_ref().map(|url| url.as_str().to_owned()),
            strings: output.strings.into(),
            changes: output.changes.into(),
            api: output.api,
            exports: output.exports,
        });
        Self {
            setup,
            site,
            directory,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    fn write(&self) -> anyhow::Result<()> {
        let published = &self.setup.published;
        let snapshot = published.load().ok_or(SiteError::NoSnapshot)?;
        let sources = self.setup.sources.clone();
        let open = Box::new(move |component| sources.repository(component).ok());
        let state = gitglot_api::ApiState {
            links: LinkConfig {
                base_url: Some(self.site.base()),
                ..LinkConfig::default()
            },
            // The health page searches the code. Its result is on no other page.
            revisions: Arc::new(Revisions::new(open, 0)),
            files: Arc::new(PublishedFiles(self.setup.sources.clone())),
            scans: Scans::inline(),
            hosting: self.site.hosting(),
            ..gitglot_api::ApiState::new(published.clone())
        };
        let reader = gitglot_api::reader(state, snapshot.clone());
        let site = &self.site;
        let summary = site.write(&reader, &snapshot, self.directory, self.threads)?;
        for warning in &summary.warnings {
            tracing::warn!("{warning}");
        }
        eprintln!("{}", line(&summary, self.directory));
        Ok(())
    }

    /// Writes the site again. Returns why that failed, which is logged if it was not the reason of the last failure.
    fn write_again(&self, last: Option<String>) -> Option<String> {
        let reason = format!("{:#}", self.write().err()?);
        if last.as_ref() != Some(&reason) {
            tracing::error!("{reason}; the earlier site stays, and each poll tries again");
        }
        Some(reason)
    }

    /// Writes the site again after each publication, until the signal to stop.
    fn watch(&self, mut follow: PollLoop) -> anyhow::Result<()> {
        let runtime = async_runtime()?;
        let mut signal = {
            let _guard = runtime.enter();
            let signal = gitglot_server::stop_signal().context("cannot handle signals")?;
            Box::pin(signal)
        };
        let mut news = self.setup.published.listen();
        let handle = follow.handle();
        // Its sender is dropped when the thread ends.
        let (running, mut end) = tokio::sync::oneshot::channel::<()>();
        std::thread::scope(|scope| {
            let thread = scope.spawn(move || {
                let _running = running;
                let result = follow.run(&ReadEvents::default());
                follow.shut_down();
                result
            });
            let retry = self.setup.interval();
            let mut failure = None;
            loop {
                let has_news = runtime.block_on(async {
                    tokio::select! {
                        () = &mut signal => false,
                        _ = &mut end => false,
                        changed = news.changed() => changed.is_ok(),
                        () = tokio::time::sleep(retry), if failure.is_some() => true,
                    }
                });
                if !has_news {
                    break;
                }
                failure = self.write_again(failure);
            }
            handle.stop();
            let followed = thread.join();
            followed.map_or_else(
                |_| bail!("the thread that follows the repositories has crashed: run the command again"),
                |followed| followed.map_err(anyhow::Error::from),
            )
        })
    }
}

/// The directories at the root that a summary names.
const LARGEST_PARTS: usize = 3;

/// The summary of a run, with the largest parts of the site.
fn line(summary: &SiteSummary, directory: &Path) -> String {
    let mut parts: Vec<_> = summary.parts.iter().collect();
    parts.sort_by_key(|(_, (_, bytes))| std::cmp::Reverse(*bytes));
    let parts: Vec<String> = parts
        .iter()
        .take(LARGEST_PARTS)
        .map(|(name, (files, bytes))| {
            let size = *bytes as f64 / 1e6;
            format!("{name}/ {}, {size:.1} MB", counted(*files, "file"))
        })
        .collect();
    format!(
        "{}: {}, {:.1} MB ({}), {} written, {} removed, {:.2} s",
        directory.display(),
        counted(summary.files, "file"),
        summary.bytes as f64 / 1e6,
        parts.join("; "),
        summary.written,
        summary.removed,
        summary.elapsed.as_secs_f64()
    )
}
