//! The limit of open files, which also limits connections.

use std::num::{NonZeroU32, NonZeroUsize};

/// Open files that are not connections: packs, mirrors, ledger, file watches and queued connections.
const RESERVED: u64 = 384;

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
    let raised = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: Some(most),
            maximum: found.maximum,
        },
    );
    Some(if raised.is_ok() { most } else { current })
}

#[cfg(not(unix))]
fn raise(_needed: u64) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_one_connection_always_fits() {
        assert_eq!(raise_nofile_limit(NonZeroU32::MIN).get(), 1);
        assert!(raise_nofile_limit(NonZeroU32::MAX).get() > 1);
    }
}
