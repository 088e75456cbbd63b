//! `gitglot openapi`.

use std::process::ExitCode;

use super::OpenApiArgs;

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(_: OpenApiArgs) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the command openapi is not there yet")
}
