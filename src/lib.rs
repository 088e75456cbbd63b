//! gitglot serves the translation files of git repositories as the read API of Weblate 3.4.
//!
//! This crate is a program. The library exists for its own tests, benchmarks and fuzz targets: **it
//! is not a stable API**, any item can change in any release.
//!
//! Data flows in one direction through the modules: git → formats → history → catalog → api.
//! `ARCHITECTURE.md` describes the modules and their dependencies.

pub mod api;
pub mod catalog;
pub mod checks;
pub mod cli;
pub mod config;
pub mod demo;
pub mod discover;
pub mod follow;
pub mod formats;
pub mod git;
pub mod health;
pub mod history;
pub mod hooks;
pub mod language;
pub mod ledger;
pub mod lint;
pub mod model;
pub mod observe;
mod query;
pub mod revisions;
pub mod scan;
pub mod server;
pub mod store;
pub mod web;

// The builder of histories that the integration tests use. It names this crate as they do.
#[cfg(test)]
extern crate self as gitglot;
#[cfg(test)]
#[path = "../tests/common/history.rs"]
mod test_support;
