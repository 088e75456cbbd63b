//! What a file or directory looks like from outside.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

/// Size, time of change and inode. A file that is written or replaced has a different stamp, and so has a directory in
/// which an entry is added, removed or replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileStamp {
    size: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl FileStamp {
    /// The stamp of a file or directory; `None` if there is none.
    pub fn of(path: &Path) -> Option<Self> {
        let found = std::fs::metadata(path).ok()?;
        Some(Self {
            size: found.len(),
            modified: found.modified().ok(),
            inode: inode(&found),
        })
    }

    /// When it changed, if the system knows.
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }
}

#[cfg(unix)]
fn inode(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}
