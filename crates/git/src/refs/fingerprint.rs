//! Whether the references of a local repository may have changed, without reading them.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::branch::Branch;
use gitglot_watch::FileStamp;

/// Times of files are exact to two seconds on some file systems: what changed more recently can change again and keep
/// its time.
const SETTLE_TIME: Duration = Duration::from_secs(3);

/// The stamps of `HEAD`, `packed-refs`, the directories of references and the files of some branches. git replaces the
/// files of references, so each change of one changes a stamp; other programs may write the files of branches in place.
#[derive(Debug)]
pub(crate) struct RefsFingerprint(Vec<(PathBuf, Option<FileStamp>)>);

impl RefsFingerprint {
    /// The fingerprint of the references of a repository. `None` if it would miss changes, because some are too recent
    /// or because of a link.
    pub(crate) fn read(git_dir: &Path, common_dir: &Path, branches: &[Branch]) -> Option<Self> {
        let stamped = |path: PathBuf| {
            let stamp = FileStamp::of(&path);
            (path, stamp)
        };
        let head = git_dir.join("HEAD");
        let default = || {
            let text = std::fs::read_to_string(&head).ok()?;
            Some(text.strip_prefix("ref: ")?.trim_end().to_owned())
        };
        let followed = branches.iter().filter_map(|branch| match branch {
            Branch::Named(_) => Some(branch.remote_ref()),
            Branch::Default => default(),
        });
        let followed = followed.map(|name| stamped(common_dir.join(name)));
        let mut stamps: Vec<_> = followed.collect();
        stamps.push(stamped(head));
        stamps.extend(["packed-refs", "shallow"].map(|name| stamped(common_dir.join(name))));
        let mut dirs = vec![common_dir.join("refs")];
        while let Some(dir) = dirs.pop() {
            // Before its entries are read, which may change meanwhile.
            stamps.push(stamped(dir.clone()));
            for entry in std::fs::read_dir(&dir).ok()? {
                let entry = entry.ok()?;
                let kind = entry.file_type().ok()?;
                if kind.is_symlink() {
                    return None;
                }
                if kind.is_dir() {
                    dirs.push(entry.path());
                }
            }
        }
        let settled = SystemTime::now().checked_sub(SETTLE_TIME)?;
        let is_settled = |stamp: &FileStamp| stamp.modified().is_some_and(|time| time < settled);
        let mut present = stamps.iter().filter_map(|(_, stamp)| stamp.as_ref());
        present.all(is_settled).then_some(Self(stamps))
    }

    /// Whether no reference has changed.
    pub(crate) fn is_current(&self) -> bool {
        let mut stamps = self.0.iter();
        stamps.all(|(path, known)| FileStamp::of(path) == *known)
    }
}
