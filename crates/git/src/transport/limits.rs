//! What one repository may cost, so that others go on: the size of its mirror, the time of a fetch, the number and the size of
//! the objects that a server sends, and the free disk. Checked while a fetch runs, because no server has to tell the truth.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::fs_util::has_extension;
use crate::transport::error::FetchProblem;
use crate::transport::progress::{FetchPhase, FetchProgress};

/// The maximum number of objects in a pack. Each needs about 100 bytes of memory while it is received.
const MAX_OBJECTS: u64 = 20_000_000;
/// The bytes that objects may have whatever their compressed size is, and how many times larger than that they may be.
/// Texts are about four times larger.
const INFLATED: (u64, u64) = (1 << 30, 100);
/// A fetch of this size may use half of the reserve, so that a full disk does not stop usual pushes.
const SMALL_FETCH: u64 = 1 << 20;

/// The limits of each fetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FetchLimits {
    /// The size of the packs of a mirror in bytes.
    pub mirror_bytes: u64,
    /// The time of a fetch.
    pub time: Duration,
    /// The bytes of the disk that stay free for everything else.
    pub disk_reserve: u64,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self {
            mirror_bytes: 10_000_000_000,
            time: Duration::from_secs(2 * 3600),
            disk_reserve: 250_000_000,
        }
    }
}

/// Compares a running fetch with its limits.
pub(crate) struct LimitCheck {
    limits: FetchLimits,
    mirror: PathBuf,
    /// The size of its packs before the fetch, once the server sends objects.
    before: Option<u64>,
}

impl LimitCheck {
    pub(crate) fn new(limits: FetchLimits, mirror: &Path) -> Self {
        Self {
            limits,
            mirror: mirror.to_owned(),
            before: None,
        }
    }

    /// Why a fetch has to end that has run for a time.
    pub(crate) fn exceeded(
        &mut self,
        progress: &FetchProgress,
        elapsed: Duration,
    ) -> Option<FetchProblem> {
        let (mirror_bytes, time) = (self.limits.mirror_bytes, self.limits.time);
        let excessive = |reason: String| Some(FetchProblem::Excessive(reason));
        if elapsed > time {
            let seconds = time.as_secs();
            return excessive(format!(
                "a fetch may take {seconds} seconds; raise max-fetch-time if it needs more"
            ));
        }
        if progress.phase == FetchPhase::Asking {
            return None;
        }
        if progress.phase == FetchPhase::Receiving {
            if let Some(total) = progress.total.filter(|&total| total > MAX_OBJECTS) {
                return excessive(format!(
                    "the server sends {total} objects, of which gitglot reads at most {MAX_OBJECTS}"
                ));
            }
            let (always, ratio) = INFLATED;
            if progress.inflated > always.saturating_add(progress.bytes.saturating_mul(ratio)) {
                return excessive(format!(
                    "its objects are more than {ratio} times larger than what the server sends"
                ));
            }
        }
        let before = *self.before.get_or_insert_with(|| pack_bytes(&self.mirror));
        if before.saturating_add(progress.bytes) > mirror_bytes {
            return excessive(format!(
                "the mirror would have more than {}; raise max-mirror-size if the disk has space",
                megabytes(mirror_bytes)
            ));
        }
        let free = free_bytes(&self.mirror)?;
        lacks_space(self.limits.disk_reserve, free, progress.bytes)
    }
}

/// Why a fetch that has received some bytes has to end, given the free bytes of the disk.
fn lacks_space(reserve: u64, free: u64, received: u64) -> Option<FetchProblem> {
    let needed = match received {
        ..=SMALL_FETCH => reserve / 2,
        _ => reserve,
    };
    (free < needed).then(|| FetchProblem::DiskFull {
        free: megabytes(free),
        reserve: megabytes(reserve),
    })
}

/// The size of the packs of a mirror. Only packs are fetched.
fn pack_bytes(mirror: &Path) -> u64 {
    let entries = std::fs::read_dir(mirror.join("objects/pack"));
    let packs = entries.into_iter().flatten().filter_map(Result::ok);
    let packs = packs.filter(|entry| has_extension(&entry.path(), "pack"));
    let sizes = packs.filter_map(|entry| Some(entry.metadata().ok()?.len()));
    sizes.fold(0, u64::saturating_add)
}

/// The bytes that are free on the disk of a directory; `None` where the system does not tell.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1_000_000;

    /// Why a fetch that receives a pack into a mirror with a pack of 3 MB has to end.
    fn problem(limits: FetchLimits, progress: FetchProgress, seconds: u64) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let packs = folder.path().join("objects/pack");
        std::fs::create_dir_all(&packs).unwrap();
        let pack = std::fs::File::create(packs.join("pack-1.pack")).unwrap();
        pack.set_len(3 * MB).unwrap();
        std::fs::write(packs.join("tmp_other"), "not a pack").unwrap();
        let mut check = LimitCheck::new(limits, folder.path());
        let found = check.exceeded(&progress, Duration::from_secs(seconds));
        found.map(|problem| {
            assert!(!problem.is_transient());
            problem.to_string()
        })
    }

    #[test]
    fn a_fetch_ends_at_the_size_of_its_mirror_and_at_its_time() {
        let limits = FetchLimits {
            mirror_bytes: 5 * MB,
            time: Duration::from_secs(60),
            disk_reserve: 0,
        };
        let receiving = |bytes| FetchProgress {
            phase: FetchPhase::Receiving,
            objects: 1,
            total: Some(2),
            bytes,
            inflated: bytes,
        };
        assert_eq!(problem(limits, receiving(2 * MB), 60), None);
        let large = problem(limits, receiving(2 * MB + 1), 60).unwrap();
        assert!(
            large.contains("more than 5 MB; raise max-mirror-size"),
            "{large}"
        );
        let long = problem(limits, receiving(1), 61).unwrap();
        assert!(long.contains("60 seconds; raise max-fetch-time"), "{long}");
    }

    #[test]
    fn a_pack_has_a_maximum_of_objects_and_of_their_size() {
        let receiving = |total, bytes, inflated| FetchProgress {
            phase: FetchPhase::Receiving,
            objects: 1,
            total: Some(total),
            bytes,
            inflated,
        };
        let of = |progress| {
            let limits = FetchLimits {
                disk_reserve: 0,
                ..FetchLimits::default()
            };
            problem(limits, progress, 1)
        };
        assert_eq!(of(receiving(MAX_OBJECTS, MB, 4 * MB)), None);
        assert!(of(receiving(MAX_OBJECTS + 1, MB, MB)).is_some());
        assert_eq!(of(receiving(3, MB, 1000 * MB)), None);
        assert!(of(receiving(3, MB, 2000 * MB)).is_some());
        let resolving = FetchProgress {
            phase: FetchPhase::Resolving,
            ..receiving(MAX_OBJECTS + 1, MB, 2000 * MB)
        };
        assert_eq!(
            of(resolving),
            None,
            "deltas are small, and their results are not kept"
        );
    }

    #[test]
    fn usual_pushes_may_use_half_of_the_reserve() {
        let lacks = |free, received| lacks_space(100 * MB, free, received).is_some();
        assert!(!lacks(100 * MB, 5 * MB) && lacks(100 * MB - 1, 5 * MB));
        assert!(!lacks(50 * MB, 4096) && lacks(50 * MB - 1, 4096));
    }
}
