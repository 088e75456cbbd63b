//! `gitglot openapi`.

use std::io::Write;
use std::process::ExitCode;

use super::{OpenApiArgs, OpenApiFormat};
use crate::api;

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(args: OpenApiArgs) -> anyhow::Result<ExitCode> {
    let document = match args.format {
        OpenApiFormat::Json => api::document(),
        OpenApiFormat::Yaml => api::document_yaml(),
    };
    std::io::stdout().write_all(document.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
