//! Who wrote a text.

use serde::{Deserialize, Serialize};

/// Who wrote a text, as far as commits show it (docs/spec/origins.md).
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Debug, Serialize, Deserialize,
)]
pub enum Origin {
    /// A person, or one has acknowledged it.
    Human,
    /// A translation platform, which does not name the person.
    Platform,
    /// A program that writes texts.
    Machine,
    /// Commits do not show it.
    #[default]
    Unknown,
}

impl Origin {
    /// All origins, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Human, Self::Platform, Self::Machine, Self::Unknown];

    /// The name in queries.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Platform => "platform",
            Self::Machine => "machine",
            Self::Unknown => "unknown",
        }
    }

    /// The origin with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.name() == name)
    }
}
