//! gitglot serves the translation files of git repositories as the read API of Weblate 3.4.
//!
//! This crate is a program: the commands, their configuration and the wiring of the crates below `crates/`. The library
//! exists for its own tests and benchmarks: **it is not a stable API**, any item can change in any release.
//!
//! Data flows in one direction through the crates: git → formats → history → catalog → api.
//! `ARCHITECTURE.md` describes the crates and their dependencies.

pub mod cli;
pub mod config;
pub mod demo;
pub mod discover;
mod log;
