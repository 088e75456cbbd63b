//! `gitglot serve`.

use std::process::ExitCode;

use super::ServeArgs;

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(_: ServeArgs) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the command serve is not there yet")
}
