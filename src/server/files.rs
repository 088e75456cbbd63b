//! How many connections the system's limit of open files leaves room for.

use std::num::{NonZeroU32, NonZeroUsize};

/// Files that are open beside connections: packs, mirrors, ledger, watches, and who waits at the porch.
const OTHERS: u64 = 384;

/// So many connections, or fewer where the system allows no more open files. The limit of this process is raised where
/// that is needed and allowed.
#[must_use]
pub fn room_for(connections: NonZeroU32) -> NonZeroUsize {
    let wanted = NonZeroUsize::try_from(connections).unwrap_or(NonZeroUsize::MAX);
    let Some(room) = raised(u64::from(connections.get()) + OTHERS) else { return wanted };
    let room = usize::try_from(room.saturating_sub(OTHERS).max(room / 4)).unwrap_or(usize::MAX);
    match NonZeroUsize::new(room) {
        Some(room) if room < wanted => {
            tracing::warn!(
                "the system lets this program open too few files for {wanted} connections: {room} are served at the \
                 same time; raise its limit of open files, or lower max-connections"
            );
            room
        }
        _ => wanted,
    }
}

/// Raises the limit of open files to what is needed, as far as it may be raised; gives the limit, where there is one.
#[cfg(unix)]
fn raised(needed: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let found = getrlimit(Resource::Nofile);
    let current = found.current?;
    if current >= needed {
        return Some(current);
    }
    let most = found.maximum.map_or(needed, |maximum| maximum.min(needed));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: found.maximum });
    Some(if raised.is_ok() { most } else { current })
}

#[cfg(not(unix))]
fn raised(_needed: u64) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_few_connections_and_never_none() {
        assert_eq!(room_for(NonZeroU32::MIN).get(), 1);
        assert!(room_for(NonZeroU32::MAX).get() > 1);
    }
}
