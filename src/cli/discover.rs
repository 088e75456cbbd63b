//! `gitglot discover`.

use std::process::ExitCode;

use super::DiscoverArgs;

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(_: DiscoverArgs) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the command discover is not there yet")
}
