//! Talking to remote repositories: addresses, credentials, connections and errors.

pub(crate) mod advertisement_limit;
pub(crate) mod ask;
pub(crate) mod connect;
pub(crate) mod credentials;
pub(crate) mod error;
pub(crate) mod fetch;
pub(crate) mod http;
#[cfg(test)]
mod limit_tests;
pub(crate) mod limits;
pub(crate) mod progress;
pub(crate) mod rate_limit;
#[cfg(test)]
mod reference_tests;
pub(crate) mod source;
pub(crate) mod watch;
