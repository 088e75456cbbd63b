//! `gitglot openapi`.

use std::process::ExitCode;

use super::output;
use super::{OpenApiArgs, OpenApiFormat};
use crate::api;

/// Runs the command.
pub(super) fn run(args: OpenApiArgs) -> anyhow::Result<ExitCode> {
    output::print(&match args.format {
        OpenApiFormat::Json => api::document(),
        OpenApiFormat::Yaml => api::document_yaml(),
    })?;
    Ok(ExitCode::SUCCESS)
}
