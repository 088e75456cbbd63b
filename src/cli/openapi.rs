//! `gitglot openapi`.

use std::process::ExitCode;

use super::{OpenApiArgs, OpenApiFormat, output};

/// Runs the command.
pub(super) fn run(args: OpenApiArgs) -> anyhow::Result<ExitCode> {
    let profile = args.api.into();
    output::print(&match args.format {
        OpenApiFormat::Json => gitglot_api::document(profile),
        OpenApiFormat::Yaml => gitglot_api::document_yaml(profile),
    })?;
    Ok(ExitCode::SUCCESS)
}
