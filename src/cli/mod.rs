//! The commands. Each joins the other modules and contains no logic that a module could contain.

mod access;
mod args;
mod check;
mod checkout;
mod config_check;
mod config_connect;
mod demo;
mod detect;
mod discover;
mod expanded_config;
mod export;
mod file_triggers;
mod follow_setup;
mod grants;
mod init;
mod ledger;
mod manual;
mod output;
mod overview;
mod progress;
mod reading;
mod serve;
mod service_manager;
mod site;

use std::process::ExitCode;

use clap::Parser;

use crate::log;

pub use args::{Cli, Command, ConfigCommand, OpenApiFormat};
pub use check::{CheckArgs, CreditsArgs, DigestArgs, ReviewArgs, TodoArgs};
pub use config_check::ConfigCheckArgs;
pub use demo::DemoArgs;
pub use discover::DiscoverArgs;
pub use export::{ExportArgs, ExportFormat, OutputArgs};
pub use init::InitArgs;
pub use ledger::LedgerCommand;
pub use site::{ChangesArg, SiteArgs, SiteOutputArgs, StringsArg};

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    run(Cli::parse())
}

/// Runs one command.
///
/// The exit status is 0 on success and 1 on an error; clap uses 2 for an invalid command line. `check` has its own
/// statuses.
pub fn run(cli: Cli) -> ExitCode {
    let result = cli.command.map_or_else(overview::run, run_command);
    result.unwrap_or_else(|error| {
        log::log_fatal(&error);
        ExitCode::FAILURE
    })
}

fn run_command(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(flags) => serve::run(*flags)?,
        Command::Demo(args) => demo::run(args)?,
        Command::Init(args) => init::run(&args)?,
        Command::Discover(args) => discover::run(args)?,
        Command::Check(args) => return Ok(check::run(*args)),
        Command::Todo(args) => return Ok(check::run_todo(*args)),
        Command::Digest(args) => check::run_digest(*args)?,
        Command::Review(args) => check::run_review(*args)?,
        Command::Credits(args) => check::run_credits(*args)?,
        Command::Config(ConfigCommand::Check(args)) => return config_check::run(*args),
        Command::Export(args) => export::run(*args)?,
        Command::Site(args) => site::run(*args)?,
        Command::Ledger(command) => ledger::run(&command)?,
        Command::Openapi { format, api } => output::print(&format.document(api.into()))?,
        Command::Completions { shell } => manual::completions(shell)?,
        Command::Man { directory } => manual::pages(&directory)?,
    }
    Ok(ExitCode::SUCCESS)
}
