//! gitglot serves the translation files of git repositories as the read API of
//! Weblate 3.4. Data flows one way through the rooms below, never back:
//! git → formats → history → catalog → api.

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
pub mod model;
pub mod observe;
mod query;
pub mod server;
pub mod web;

// The builder of histories that the integration tests use. It names this crate as they do.
#[cfg(test)]
extern crate self as gitglot;
#[cfg(test)]
#[path = "../tests/common/history.rs"]
mod test_support;
