//! `gitglot check`.

mod table;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;

use super::CheckArgs;
use super::progress::HistoryBar;
use super::service::Service;
use crate::catalog::Published;
use crate::config::{Config, Target};
use crate::follow::Events;
use crate::history::Progress;
use crate::observe;

pub use table::{Report, report};

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(args: CheckArgs) -> anyhow::Result<ExitCode> {
    let given = args.data.state_dir.is_some();
    let mut config = Config::load(args.flags())?;
    observe::start_logging(config.settings.log_format, config.settings.log_level);
    // One look at a local repository needs nothing of what a server beside it keeps.
    let local = matches!(&config.target, Target::Repository(target) if target.repo.local_path().is_some());
    let temporary = if local && !given {
        let folder = tempfile::Builder::new().prefix("gitglot-check-").tempdir();
        let folder = folder.context("a temporary folder cannot be made")?;
        config.state_dir = folder.path().join("state");
        Some(folder)
    } else {
        None
    };
    let published = Arc::new(Published::new());
    let service = Service {
        config: &config,
        published: published.clone(),
        stop: Arc::new(AtomicBool::new(false)),
        following: Arc::default(),
    };
    let events = Reader(HistoryBar::new());
    let (ledger, checker) = (service.ledger()?, service.checker()?);
    let mut follow = service.follow_loop(service.follower(ledger, checker, service.projects()?))?;
    follow.first_batch(&events)?;
    let failures: Vec<String> = follow.follower().failures().collect();
    drop(events);
    let snapshot = published.load().context("nothing could be read")?;
    let report = report(&snapshot, args.fail_under);
    std::io::stdout().write_all(report.text.as_bytes()).context("standard output cannot be written")?;
    for failure in &failures {
        eprintln!("gitglot: {failure}");
    }
    drop(temporary);
    Ok(if report.enough && failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Reader(HistoryBar);

impl Events for Reader {
    fn progress(&self, component: &str, progress: Progress) {
        self.0.show(component, progress);
    }

    fn published(&self, _: &str) {}

    fn failed(&self, _: &str, _: &str) {}

    fn behind(&self, _: &str, _: Option<&str>) {}
}
