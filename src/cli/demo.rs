//! `gitglot demo`.

use std::process::ExitCode;

use super::DemoArgs;

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(_: DemoArgs) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the command demo is not there yet")
}
