//! Checkpoint files: cached state in `checkpoint/` of the state directory, one file per component.
//! Source: `docs/spec/ids-and-ledger.md#checkpoints`.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::shared::{CHECKPOINTS, MAX_PACK, SharedLedger};
use gitglot_store::{open_regular, read_regular};

/// First bytes of every file, with the version of the format.
const BEGIN: &[u8] = b"gitglot checkpoint 5\n";

/// Size of the buffers for writing and reading in bytes.
const BUFFER: usize = 64 * 1024;

/// The longest text that is read, in bytes. Files of repositories, and so their texts, are shorter.
const MAX_TEXT: u64 = 128 << 20;

/// Length of the hash at the end.
const HASH: usize = blake3::OUT_LEN;

/// The checkpoints of a state directory.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    shared: Option<SharedLedger>,
    uploads: Arc<Uploads>,
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

/// A valid checkpoint, which is not in memory as a whole.
#[derive(Debug)]
pub struct Checkpoint {
    content: BufReader<File>,
    /// Memory for one text, which the system provides once it is used.
    text: Vec<u8>,
}

impl Checkpoint {
    /// Decodes the next value of its content; `None` if it is a different one.
    pub fn decode_next<T: DeserializeOwned>(&mut self) -> Option<T> {
        let source = (&mut self.content, &mut *self.text);
        postcard::from_io(source).ok().map(|(value, _)| value)
    }
}

/// The files of checkpoints and their names in the store. The first is being copied.
type Uploads = Mutex<VecDeque<(PathBuf, String)>>;

/// Copies checkpoints to the store until none is left, or until it is unavailable: then others are not tried.
fn upload_all(uploads: &Uploads, shared: &SharedLedger) {
    loop {
        let Some((path, name)) = uploads.lock().front().cloned() else {
            return;
        };
        let bytes = read_regular(&path, MAX_PACK);
        let stored = bytes.map(|bytes| shared.store().put(&name, &bytes));
        let mut uploads = uploads.lock();
        uploads.pop_front();
        match stored {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                let others = std::mem::take(&mut *uploads).len();
                tracing::warn!("cannot share the checkpoint {name} and {others} others: {error}");
            }
            Err(error) => tracing::warn!("cannot share the checkpoint {name}: {error}"),
        }
        if uploads.is_empty() {
            return;
        }
    }
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
            uploads: Arc::default(),
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

    /// Copies the checkpoint of a component to the store of the shared ledger, one after the other on a thread of their
    /// own.
    pub fn upload(&self, component: &str, class: &str) {
        let Some(shared) = self.shared.clone() else {
            return;
        };
        let job = (self.path(component), object_name(component, class));
        let mut uploads = self.uploads.lock();
        let is_running = !uploads.is_empty();
        uploads.push_back(job);
        if !is_running {
            let queue = self.uploads.clone();
            std::thread::spawn(move || upload_all(&queue, &shared));
        }
    }

    /// Opens the checkpoint of a component (`project/component`); `None` when there is none.
    ///
    /// # Errors
    /// When there is one and it is not valid.
    pub fn read(&self, component: &str) -> Result<Option<Checkpoint>, CheckpointError> {
        let path = self.path(component);
        let file = match open_regular(OpenOptions::new().read(true), &path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let length = file.metadata()?.len();
        let buffer = length.clamp(1, BUFFER as u64) as usize;
        let mut file = BufReader::with_capacity(buffer, file);
        let mut begin = [0; BEGIN.len()];
        if file.read_exact(&mut begin).is_err() || begin != *BEGIN {
            return Err(CheckpointError::OtherVersion);
        }
        let around = (BEGIN.len() + HASH) as u64;
        let content = length.checked_sub(around).ok_or(CheckpointError::Damaged)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&begin);
        hasher.update_reader(file.by_ref().take(content))?;
        let mut hash = [0; HASH];
        if file.read_exact(&mut hash).is_err() || hasher.finalize() != hash {
            return Err(CheckpointError::Damaged);
        }
        file.seek_relative(-((length - BEGIN.len() as u64).cast_signed()))?;
        let text = vec![0; length.min(MAX_TEXT) as usize];
        Ok(Some(Checkpoint {
            content: file,
            text,
        }))
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
        for text in ["first".repeat(BUFFER), "second".to_owned()] {
            checkpoints.write("garden/app", &text).unwrap();
            let mut checkpoint = checkpoints.read("garden/app").unwrap().unwrap();
            assert_eq!(checkpoint.decode_next::<String>(), Some(text));
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
