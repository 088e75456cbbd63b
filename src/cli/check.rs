//! `gitglot check`.

mod table;

use std::process::ExitCode;

use super::CheckArgs;

pub use table::{Report, report};

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(_: CheckArgs) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the command check is not there yet")
}
