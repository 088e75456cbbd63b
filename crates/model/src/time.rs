//! Times.

use serde::{Deserialize, Serialize};

/// Microseconds since 1970-01-01T00:00:00Z.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Microseconds of a day.
    pub const DAY: i64 = 86_400_000_000;

    /// Converts Unix seconds, clamped to the years 0001 to 9999.
    pub fn from_seconds(seconds: i64) -> Self {
        const FIRST: i64 = -62_135_596_800;
        const LAST: i64 = 253_402_300_799;
        Self(seconds.clamp(FIRST, LAST) * 1_000_000)
    }

    /// Unix seconds, rounded down.
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }
}

/// The time of a commit with its UTC offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct OffsetTime {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub seconds: i64,
    /// Seconds east of UTC.
    pub offset: i32,
}
