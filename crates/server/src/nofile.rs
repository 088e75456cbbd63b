//! The limit of open files, which also limits connections, and files in reserve.

use std::fs::File;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use parking_lot::Mutex;

/// Open files that are not connections: packs, mirrors, ledger, file watches, and connections that wait or are refused.
const RESERVED: u64 = 512;

/// Raises this process's limit of open files for `connections` if necessary and allowed.
///
/// Returns the number of connections that fit: `connections`, or fewer with a warning.
#[must_use]
pub fn raise_nofile_limit(connections: NonZeroU32) -> NonZeroUsize {
    let wanted = NonZeroUsize::try_from(connections).unwrap_or(NonZeroUsize::MAX);
    let Some(files) = raise(u64::from(connections.get()) + RESERVED) else {
        return wanted;
    };
    let fit = usize::try_from(files.saturating_sub(RESERVED).max(files / 4)).unwrap_or(usize::MAX);
    match NonZeroUsize::new(fit) {
        Some(fit) if fit < wanted => {
            tracing::warn!(
                "the limit of open files is too low for {wanted} connections: serving at most {fit}; \
                 raise the limit (ulimit -n) or lower max-connections"
            );
            fit
        }
        _ => wanted,
    }
}

/// Raises the limit to `needed` as far as allowed; returns the limit, if there is one.
#[cfg(unix)]
fn raise(needed: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let found = getrlimit(Resource::Nofile);
    let current = found.current?;
    if current >= needed {
        return Some(current);
    }
    let most = found.maximum.map_or(needed, |maximum| maximum.min(needed));
    let limit = Rlimit {
        current: Some(most),
        maximum: found.maximum,
    };
    let raised = setrlimit(Resource::Nofile, limit);
    Some(if raised.is_ok() { most } else { current })
}

#[cfg(not(unix))]
fn raise(_needed: u64) -> Option<u64> {
    None
}

/// Open files in reserve: without one, a client that cannot be served would not get a response. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct SpareFiles(Arc<Mutex<Vec<File>>>);

impl SpareFiles {
    const COUNT: usize = 8;

    /// Opens files in reserve, as many as possible.
    pub(super) fn open() -> Self {
        let files = Self(Arc::default());
        files.reopen();
        files
    }

    /// Closes one of the files; returns whether there was one.
    pub(super) fn release(&self) -> bool {
        self.0.lock().pop().is_some()
    }

    /// Opens the files again that were closed.
    pub(super) fn reopen(&self) {
        let mut files = self.0.lock();
        while files.len() < Self::COUNT {
            // A file that every system has.
            let Ok(file) = File::open(if cfg!(unix) { "/dev/null" } else { "NUL" }) else {
                return;
            };
            files.push(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spare_files_are_closed_and_opened_again() {
        let files = SpareFiles::open();
        let released = (0..100).filter(|_| files.release()).count();
        assert_eq!(released, SpareFiles::COUNT);
        files.clone().reopen();
        assert!(files.release());
    }

    #[test]
    fn at_least_one_connection_always_fits() {
        assert_eq!(raise_nofile_limit(NonZeroU32::MIN).get(), 1);
        assert!(raise_nofile_limit(NonZeroU32::MAX).get() > 1);
    }
}
