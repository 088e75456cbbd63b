//! What commands share that read all repositories once and write files: `export` and `site`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::progress::HistoryBar;
use super::service::FollowService;
use gitglot_follow::{FollowEvents, FollowLoop};
use gitglot_history::StepProgress;

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

/// Reads all repositories once and publishes them; why components cannot be read.
pub(super) fn read(service: &FollowService) -> anyhow::Result<Vec<String>> {
    let mut follow = first_batch(service)?;
    follow.shut_down();
    Ok(follow.follower().failures().collect())
}

/// Reads all repositories and publishes them.
pub(super) fn first_batch(service: &FollowService) -> anyhow::Result<FollowLoop> {
    let (ledger, words) = (service.ledger()?, service.words()?);
    let projects = service.projects(&ledger.commits())?;
    let mut follow = service.follow_loop(service.follower(ledger, words, projects))?;
    let bar = ReadProgress::new();
    follow.first_batch(&bar)?;
    bar.0.clear();
    if let Some(reason) = follow.follower().all_failed() {
        bail!(reason);
    }
    Ok(follow)
}

/// Shows the progress of reading.
pub(super) struct ReadProgress(HistoryBar);

impl ReadProgress {
    pub fn new() -> Self {
        Self(HistoryBar::new())
    }
}

impl FollowEvents for ReadProgress {
    fn progress(&self, component: &str, progress: StepProgress) {
        self.0.show(component, progress);
    }

    fn published(&self, _: &str) {}

    fn failed(&self, component: &str, reason: &str) {
        tracing::error!(component, "{reason}");
    }

    fn behind(&self, component: &str, reason: Option<&str>) {
        if let Some(reason) = reason {
            tracing::warn!(component, "{reason}");
        }
    }
}
