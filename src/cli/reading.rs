//! What the commands share that read all repositories once: `export`, `site`, and those of `check` that need a history.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use parking_lot::Mutex;

use super::checkout;
use super::follow_setup::FollowSetup;
use super::progress::HistoryBar;
use crate::config::{BaseUrl, Config, ConfigFlags, DataArgs, HttpArgs, LogArgs, TargetArgs};
use crate::log;
use gitglot_follow::{FollowEvents, PollLoop};

/// The repository, if one is given, and the directory.
pub(super) fn places<'a>(
    places: &'a [PathBuf],
    command: &str,
) -> anyhow::Result<(Option<String>, &'a Path)> {
    match places {
        [directory] => Ok((None, directory)),
        [repo, directory] => {
            let repo = repo.to_str().map(str::to_owned);
            let repo = repo.context("REPO is not UTF-8: rename the directory")?;
            Ok((Some(repo), directory))
        }
        _ => bail!("give the directory to write to: gitglot {command} [OPTIONS] [REPO] DIR"),
    }
}

/// The configuration of these commands. A checkout is described by its own file.
pub(super) fn config(
    target: TargetArgs,
    base_url: Option<BaseUrl>,
    data: DataArgs,
    log: LogArgs,
) -> anyhow::Result<Config> {
    let http = HttpArgs {
        base_url,
        ..HttpArgs::default()
    };
    let mut config = Config::load(ConfigFlags {
        target,
        http,
        data,
        log,
    })?;
    log::start_logging(config.settings.log_format, config.settings.log_level);
    checkout::describe(&mut config)?;
    Ok(config)
}

/// Refuses a result that lacks components, given why they cannot be read.
pub(super) fn refuse_incomplete(result: &str, failures: &[String]) -> anyhow::Result<()> {
    if failures.is_empty() {
        return Ok(());
    }
    let failures = failures.join("; ");
    bail!("the {result} is incomplete: some components cannot be read: {failures}")
}

/// Reads all repositories once and publishes them; why components cannot be read.
pub(super) fn read(setup: &FollowSetup) -> anyhow::Result<Vec<String>> {
    let mut follow = first_batch(setup)?;
    follow.shut_down();
    Ok(follow.followed().failures().collect())
}

/// Reads all repositories and publishes them.
pub(super) fn first_batch(setup: &FollowSetup) -> anyhow::Result<PollLoop> {
    let (ledger, words) = (setup.ledger()?, setup.words()?);
    let projects = setup.projects(&ledger.commits())?;
    let bar = Arc::new(HistoryBar::new());
    let mut follow = setup.poll_loop(setup.followed(ledger, words, projects, &bar))?;
    follow.first_batch(&ReadEvents::default())?;
    bar.clear();
    if let Some(reason) = follow.followed().all_failed() {
        bail!(reason);
    }
    Ok(follow)
}

/// Logs the problems of components.
#[derive(Default)]
pub(super) struct ReadEvents {
    /// Why components are behind their repositories, as it was logged.
    behind: Mutex<HashMap<String, String>>,
}

impl FollowEvents for ReadEvents {
    fn published(&self, _: &str) {}

    fn failed(&self, component: &str, reason: &str) {
        tracing::error!(component, "{reason}");
    }

    fn behind(&self, component: &str, reason: Option<&str>) {
        let mut logged = self.behind.lock();
        let Some(reason) = reason else {
            logged.remove(component);
            return;
        };
        // Each poll reports it.
        let last = logged.insert(component.to_owned(), reason.to_owned());
        if last.is_none_or(|last| last != reason) {
            tracing::warn!(component, "{reason}");
        }
    }
}
