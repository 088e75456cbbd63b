//! Checkpoint files: cached state in `checkpoint/` of the state directory, one file per component.
//! Source: `docs/spec/ids-and-ledger.md#checkpoints`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::shared::{CHECKPOINTS, MAX_PACK, SharedLedger};
use gitglot_store::{open_regular, read_regular};

/// First bytes of every file, with the version of the format.
const BEGIN: &[u8] = b"gitglot checkpoint 3\n";

/// Size of the write buffer in bytes.
const BUFFER: usize = 64 * 1024;

/// Length of the hash at the end.
const HASH: usize = blake3::OUT_LEN;

/// The checkpoints of a state directory.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    shared: Option<SharedLedger>,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file has a different format version.
    #[error("it was written by a different version")]
    OtherVersion,
    /// The hash does not match.
    #[error("it is corrupt")]
    Damaged,
}

/// The name of a checkpoint in the store. Checkpoints of different classes do not replace each other.
fn object_name(component: &str, class: &str) -> String {
    format!("{CHECKPOINTS}/{}/{class}", component.replace('/', "."))
}

/// Creates a file or empties it.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    open_regular(options.write(true).create(true).truncate(true), path)
}

/// A file, the hash of the bytes written to it, and the error of the system that ended writing, which the encoder
/// does not return.
struct Hashed(File, blake3::Hasher, Option<i32>);

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes);
        let written = written.inspect_err(|error| self.2 = error.raw_os_error())?;
        self.1.update(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Checkpoints {
    /// The checkpoints of a state directory. The replicas of a shared ledger exchange them.
    pub fn new(state: &Path, shared: Option<SharedLedger>) -> Self {
        Self {
            folder: state.join("checkpoint"),
            shared,
        }
    }

    /// Copies the checkpoint of a component from the store of the shared ledger, unless there is one already.
    ///
    /// # Errors
    /// When the store or the directory cannot be used.
    pub fn download(&self, component: &str, class: &str) -> Result<(), CheckpointError> {
        let path = self.path(component);
        let Some(shared) = self.shared.as_ref().filter(|_| !path.exists()) else {
            return Ok(());
        };
        let found = shared.store().get(&object_name(component, class), MAX_PACK);
        if let Some(bytes) = found.map_err(io::Error::other)? {
            fs::create_dir_all(&self.folder)?;
            let temporary = path.with_extension("new");
            create(&temporary)?.write_all(&bytes)?;
            fs::rename(temporary, path)?;
        }
        Ok(())
    }

    /// Copies the checkpoint of a component to the store of the shared ledger, on a thread of its own.
    pub fn upload(&self, component: &str, class: &str) {
        let Some(shared) = self.shared.clone() else {
            return;
        };
        let (path, name) = (self.path(component), object_name(component, class));
        std::thread::spawn(move || {
            let bytes = read_regular(&path, MAX_PACK).map_err(|error| error.to_string());
            let stored = bytes.and_then(|bytes| {
                let stored = shared.store().put(&name, &bytes);
                stored.map_err(|error| error.to_string())
            });
            if let Err(error) = stored {
                tracing::warn!("cannot share the checkpoint {name}: {error}");
            }
        });
    }

    /// Reads the checkpoint of a component (`project/component`), as postcard; `None` when there is none.
    ///
    /// # Errors
    /// When there is one and it is not valid.
    pub fn read(&self, component: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
        let mut bytes = match read_regular(&self.path(component), u64::MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if !bytes.starts_with(BEGIN) {
            return Err(CheckpointError::OtherVersion);
        }
        let end = match bytes.split_last_chunk::<HASH>() {
            Some((content, hash)) if blake3::hash(content) == *hash => content.len(),
            _ => return Err(CheckpointError::Damaged),
        };
        bytes.truncate(end);
        bytes.drain(..BEGIN.len().min(end));
        Ok(Some(bytes))
    }

    /// Replaces the checkpoint of a component.
    ///
    /// # Errors
    /// When it cannot be written; a previous one then remains.
    pub fn write(&self, component: &str, state: &impl Serialize) -> io::Result<()> {
        // Not `create_dir_all`: it would create a state directory that was removed.
        match fs::create_dir(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let path = self.path(component);
        let temporary = path.with_extension("new");
        let hashed = Hashed(create(&temporary)?, blake3::Hasher::new(), None);
        let mut out = BufWriter::with_capacity(BUFFER, hashed);
        out.write_all(BEGIN)?;
        if let Err(error) = postcard::to_io(state, &mut out).map(drop) {
            let cause = out.get_ref().2.map(io::Error::from_raw_os_error);
            return Err(cause.unwrap_or_else(|| io::Error::other(error)));
        }
        out.flush()?;
        let Hashed(file, hasher, _) = out.get_mut();
        file.write_all(hasher.finalize().as_bytes())?;
        fs::rename(temporary, path)
    }

    fn path(&self, component: &str) -> PathBuf {
        // Slugs contain neither slashes nor dots.
        self.folder.join(component.replace('/', ".") + ".state")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_read_as_written_or_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path(), None);
        assert!(checkpoints.read("garden/app").unwrap().is_none());
        for text in ["first", "second"] {
            checkpoints.write("garden/app", &text).unwrap();
            let checkpoint = checkpoints.read("garden/app").unwrap().unwrap();
            assert_eq!(postcard::from_bytes(&checkpoint), Ok(text));
        }
        let path = folder.path().join("checkpoint/garden.app.state");
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x20;
            fs::write(&path, bad).unwrap();
            assert!(checkpoints.read("garden/app").is_err(), "byte {at}");
            fs::write(&path, &good[..at]).unwrap();
            assert!(checkpoints.read("garden/app").is_err(), "{at} bytes");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_the_reason_of_a_failed_checkpoint() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut out = BufWriter::new(Hashed(full, blake3::Hasher::new(), None));
        let encoded = postcard::to_io(&vec![0_u8; 1 << 20], &mut out).map(drop);
        assert!(encoded.is_err());
        let cause = out.get_ref().2.map(io::Error::from_raw_os_error);
        assert_eq!(cause.unwrap().kind(), io::ErrorKind::StorageFull);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_a_checkpoint_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path(), None);
        fs::create_dir(folder.path().join("checkpoint")).unwrap();
        for extension in ["state", "new"] {
            let path = format!("checkpoint/garden.app.{extension}");
            gitglot_testkit::make_pipe(&folder.path().join(path));
        }
        let error = checkpoints.read("garden/app").unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
        let error = checkpoints.write("garden/app", &"text").unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
    }
}
