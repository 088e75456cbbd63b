//! Settings with a fixed set of values.

use std::str::FromStr;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use gitglot_model::InvalidValue;

/// How much of the history is read. Rules: `docs/spec/change-log.md#history-none`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryMode {
    /// Every commit
    #[default]
    Full,
    /// Only the tip
    None,
}

impl From<HistoryMode> for gitglot_follow::HistoryMode {
    fn from(mode: HistoryMode) -> Self {
        match mode {
            HistoryMode::Full => Self::Full,
            HistoryMode::None => Self::None,
        }
    }
}

/// The access to badges if requests need a token.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BadgeAccess {
    /// Requests with a token
    #[default]
    Token,
    /// Everybody
    Public,
}

/// The API at `/api/`. Rules: `docs/spec/current-api.md#profiles`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, Serialize, Deserialize)]
pub enum ApiProfile {
    /// That of Weblate 3.4
    #[default]
    #[value(name = "3.4")]
    #[serde(rename = "3.4")]
    Legacy,
    /// That of current Weblate
    #[serde(rename = "current")]
    Current,
}

impl From<ApiProfile> for gitglot_api::Profile {
    fn from(profile: ApiProfile) -> Self {
        match profile {
            ApiProfile::Legacy => Self::Legacy,
            ApiProfile::Current => Self::Current,
        }
    }
}

/// The labels of metrics about components and repositories.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricsDetail {
    /// The most detailed of the others with at most 500 series per metric
    #[default]
    Auto,
    /// One series per component and per repository
    Component,
    /// One series per project
    Project,
    /// One series
    Total,
}

impl MetricsDetail {
    /// The labels that metrics do not have, on a server with these numbers of components and projects.
    pub fn omitted_labels(self, components: usize, projects: usize) -> &'static [&'static str] {
        match self {
            Self::Auto if components.max(projects) <= MAX_SERIES => &[],
            Self::Component => &[],
            Self::Auto if projects <= MAX_SERIES => &["component", "repository"],
            Self::Project => &["component", "repository"],
            Self::Auto | Self::Total => &["component", "repository", "project"],
        }
    }
}

/// With more components, the metrics take more than a megabyte.
const MAX_SERIES: usize = 500;

/// The format of log lines.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Readable lines
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

/// The lowest level of messages to log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Nothing
    Off,
    /// Failures
    Error,
    /// Also problems that need attention
    Warn,
    /// Also notable events
    #[default]
    Info,
    /// Also details
    Debug,
    /// Everything, including libraries
    Trace,
}

macro_rules! from_str {
    ($($type:ty),*) => {$(
        impl FromStr for $type {
            type Err = InvalidValue;

            fn from_str(text: &str) -> Result<Self, InvalidValue> {
                let found = <Self as ValueEnum>::from_str(text, false);
                found.map_err(|_| InvalidValue::new(text, "a value of this setting"))
            }
        }
    )*};
}

from_str!(
    ApiProfile,
    BadgeAccess,
    HistoryMode,
    LogFormat,
    LogLevel,
    MetricsDetail
);

#[cfg(test)]
mod tests {
    use super::MetricsDetail::{Auto, Component, Project, Total};

    #[test]
    fn metrics_of_many_components_are_summed() {
        let omitted = [
            Auto.omitted_labels(500, 500),
            Auto.omitted_labels(501, 500),
            Auto.omitted_labels(501, 501),
        ];
        let explicit = [Component, Project, Total].map(|level| level.omitted_labels(501, 501));
        assert_eq!(omitted, explicit);
        assert_eq!(explicit.map(<[_]>::len), [0, 2, 3]);
    }
}
