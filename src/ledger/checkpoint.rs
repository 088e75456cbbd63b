//! Checkpoint files: cached state in `checkpoint/` of the state directory, one file per component.
//! Source: `docs/spec/ids-and-ledger.md#checkpoints`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::model::binary_codec::Writer;

/// First bytes of every file, with the version of the format.
const BEGIN: &[u8] = b"gitglot checkpoint 2\n";

/// Length of the hash at the end.
const HASH: usize = blake3::OUT_LEN;

/// The checkpoints of a state directory.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
}

/// The content of a checkpoint file.
#[derive(Debug)]
pub struct Checkpoint {
    bytes: Vec<u8>,
}

impl Checkpoint {
    /// The state.
    pub fn state(&self) -> &[u8] {
        self.bytes.get(BEGIN.len()..self.bytes.len().saturating_sub(HASH)).unwrap_or_default()
    }
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

impl Checkpoints {
    /// The checkpoints of a state directory.
    pub fn new(state: &Path) -> Self {
        Self { folder: state.join("checkpoint") }
    }

    /// Reads the checkpoint of a component (`project/component`); `None` when there is none.
    ///
    /// # Errors
    /// When there is one and it is not valid.
    pub fn read(&self, component: &str) -> Result<Option<Checkpoint>, CheckpointError> {
        let bytes = match fs::read(self.path(component)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if !bytes.starts_with(BEGIN) {
            return Err(CheckpointError::OtherVersion);
        }
        match bytes.split_last_chunk::<HASH>() {
            Some((state, hash)) if blake3::hash(state) == *hash => Ok(Some(Checkpoint { bytes })),
            _ => Err(CheckpointError::Damaged),
        }
    }

    /// Replaces the checkpoint of a component; `fill` writes its state.
    ///
    /// # Errors
    /// When it cannot be written; a previous one then remains.
    pub fn write(&self, component: &str, fill: impl FnOnce(&mut Writer<'_>)) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let path = self.path(component);
        let temporary = path.with_extension("new");
        let mut file = BufWriter::new(File::create(&temporary)?);
        let mut hasher = blake3::Hasher::new();
        let mut written = Ok(());
        let mut put = |bytes: &[u8]| {
            hasher.update(bytes);
            if written.is_ok() {
                written = file.write_all(bytes);
            }
        };
        put(BEGIN);
        let mut writer = Writer::new(&mut put);
        fill(&mut writer);
        writer.flush();
        written?;
        file.write_all(hasher.finalize().as_bytes())?;
        file.flush()?;
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
    use crate::model::binary_codec::Reader;

    #[test]
    fn a_checkpoint_is_read_as_written_or_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path());
        assert!(checkpoints.read("garden/app").unwrap().is_none());
        for text in ["first", "second"] {
            checkpoints.write("garden/app", |out| out.text(text)).unwrap();
            let checkpoint = checkpoints.read("garden/app").unwrap().unwrap();
            assert_eq!(Reader::new(checkpoint.state()).text(), Some(text));
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
}
