//! `gitglot check`.

mod table;

use std::process::ExitCode;

use anyhow::Context;

use super::CheckArgs;
use super::progress::HistoryBar;
use super::service::{Service, temporary_state};
use crate::config::Config;
use crate::follow::Events;
use crate::history::Progress;
use crate::observe;

pub use table::{Report, report};

/// Runs the command.
pub(super) fn run(args: CheckArgs) -> anyhow::Result<ExitCode> {
    let mut config = Config::load(args.flags())?;
    observe::start_logging(config.settings.log_format, config.settings.log_level);
    let _temporary = temporary_state(&mut config)?;
    let service = Service::new(config);
    let events = CheckEvents(HistoryBar::new());
    let (ledger, checker) = (service.ledger()?, service.checker()?);
    let mut follow = service.follow_loop(service.follower(ledger, checker, service.projects()?))?;
    follow.first_batch(&events)?;
    drop(events);
    let snapshot = service.published.load().context("no component could be read")?;
    let report = report(&snapshot, args.fail_under);
    super::print(&report.text)?;
    let failures: Vec<String> = follow.follower().failures().collect();
    for failure in &failures {
        eprintln!("gitglot: {failure}");
    }
    Ok(if report.passed && failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct CheckEvents(HistoryBar);

impl Events for CheckEvents {
    fn progress(&self, component: &str, progress: Progress) {
        self.0.show(component, progress);
    }

    fn published(&self, _: &str) {}

    fn failed(&self, _: &str, _: &str) {}

    fn behind(&self, _: &str, _: Option<&str>) {}
}
