//! The configuration: flags, environment variables and a file become one [`Config`].
//!
//! All values are checked here, before anything is served. This module reads the files of the
//! configuration, and must not depend on HTTP. Rules: `docs/spec/settings.md`.

mod args;
mod check;
mod columns;
mod directory;
mod error;
mod explain;
mod file;
mod load;
pub mod names;
mod people;
mod project;
mod repo_access;
mod settings;
mod state;
mod tables;
mod text_file;
mod unknown_key;
mod values;
mod write;

pub use args::{ConfigFlags, SourceArgs, TargetArgs};
pub use check::{CheckConfig, Percentage, ReleaseConfig};
pub use directory::{config_files, watched_paths};
pub use error::ConfigError;
pub use explain::explain;
pub use people::{People, is_mention};
pub use project::{CheckFile, Config, RepositoryTarget, Target};
pub use settings::{
    DataArgs, HttpArgs, LogArgs, Overrides, RepoAccessArgs, Setting, SettingGroup, Settings,
    setting_groups,
};
pub use text_file::{read_text, read_text_file};
pub use values::{
    ApiProfile, BadgeAccess, BaseUrl, ByteSize, HeaderField, HistoryMode, HostName, LedgerAddress,
    ListenAddress, LogFormat, LogLevel, MetricsDetail, Origin, Period, ProxyAddress, Rate,
};
pub use write::{to_portable_toml, to_toml};
