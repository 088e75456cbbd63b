//! The commands: what stands on the command line, and what the program ends with.
//!
//! Each command is a file that joins the other rooms; nothing is decided here that a room can decide.

mod access;
mod args;
mod check;
mod demo;
mod discover;
mod manager;
mod metrics;
mod openapi;
mod progress;
mod reload;
mod serve;
mod service;

use std::process::ExitCode;

use clap::Parser;

use crate::observe;

pub use args::{CheckArgs, Cli, Command, DemoArgs, DiscoverArgs, OpenApiArgs, OpenApiFormat, ServeArgs};
pub use check::{Report, report};
pub use discover::project_at;

/// Runs the program with the arguments it was called with.
pub fn main() -> ExitCode {
    run(Cli::parse())
}

/// Runs one command: exit status 0 when it did what it was asked for, 1 with the reason on standard error when it
/// could not, and when `check` finds less than asked for. (2 is a wrong command line.)
pub fn run(cli: Cli) -> ExitCode {
    let done = match cli.command {
        Command::Serve(args) => serve::run(*args),
        Command::Demo(args) => demo::run(args),
        Command::Discover(args) => discover::run(args),
        Command::Check(args) => check::run(args),
        Command::Openapi(args) => openapi::run(args),
    };
    done.unwrap_or_else(|error| {
        observe::log_fatal(&error);
        ExitCode::FAILURE
    })
}
