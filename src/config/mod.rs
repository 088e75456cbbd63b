//! One [`Config`] out of flags, environment variables and a file (design 5).
//!
//! A flag wins over a variable, a variable over the file, the file over the default. Everything that can be
//! wrong is told here, before anything is served. Knows neither git nor HTTP; reads one file: the configuration.

mod access;
mod address;
mod args;
mod changes;
mod error;
mod file;
mod load;
pub mod names;
mod period;
mod rate;
mod repo_access;
mod secret;
mod settings;
mod size;
mod state;
mod types;
mod write;

pub use access::{HostName, Origin, ProxyAddress};
pub use address::RepoAddress;
pub use args::{DataArgs, Flags, HttpArgs, LogArgs, Overrides, TargetArgs};
pub use error::ConfigError;

pub use period::Period;
pub use rate::Rate;
pub use repo_access::RepoAccess;
pub use secret::Secret;
pub use settings::{Setting, settings};
pub use size::ByteSize;
pub use types::{
    BaseUrl, ComponentConfig, Config, HistoryMode, ListenAddress, LogFormat, LogLevel, ProjectConfig, RepositoryTarget,
    Target,
};
pub use write::to_toml;
