//! Tests of the program over a real socket, with real repositories. One binary, because linking takes seconds.

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

#[path = "../common/mod.rs"]
mod common;

mod acknowledgements;
mod backup;
mod bilingual;
mod caching;
mod checks;
mod credentials;
mod credits;
mod current_changes;
mod events;
mod following;
mod grants;
#[cfg(unix)]
mod handover;
mod health;
mod http_access;
mod ledger;
#[cfg(unix)]
mod many_repositories;
mod metrics;
mod monitoring;
mod names;
mod origins;
mod pages;
mod plurals;
mod po;
mod query;
#[cfg(unix)]
mod reloading;
mod renames;
mod revisions;
mod serving;
mod states;
mod tls;
