//! Checkpoints: derived state kept in `checkpoint/` of the state directory, a file for each component.
//!
//! A file is a line that names it, the state, and the blake3 hash of both. It is written aside and renamed, and
//! whoever deletes it loses time only.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::model::binary_codec::Writer;

/// First bytes of every file; the number grows when the form of the state changes.
const BEGIN: &[u8] = b"gitglot checkpoint 2\n";

/// Bytes of the hash at the end.
const HASH: usize = blake3::OUT_LEN;

/// The checkpoints of a state directory.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
}

/// The state of a checkpoint, as it was written.
#[derive(Debug)]
pub struct Kept {
    bytes: Vec<u8>,
}

impl Kept {
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
    /// It does not begin as a checkpoint of this version does.
    #[error("it was written by another version")]
    OtherVersion,
    /// Its bytes are not those that were written.
    #[error("it is damaged")]
    Damaged,
}

impl Checkpoints {
    /// The checkpoints below a state directory.
    pub fn new(state: &Path) -> Self {
        Self { folder: state.join("checkpoint") }
    }

    /// Reads the checkpoint of a component (`project/component`); `None` when there is none.
    ///
    /// # Errors
    /// When there is one and it cannot be trusted.
    pub fn read(&self, component: &str) -> Result<Option<Kept>, CheckpointError> {
        let bytes = match fs::read(self.path(component)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if !bytes.starts_with(BEGIN) {
            return Err(CheckpointError::OtherVersion);
        }
        match bytes.split_last_chunk::<HASH>() {
            Some((state, hash)) if blake3::hash(state) == *hash => Ok(Some(Kept { bytes })),
            _ => Err(CheckpointError::Damaged),
        }
    }

    /// Writes the checkpoint of a component in place of an older one; `fill` writes its state.
    ///
    /// # Errors
    /// When it cannot be written; an older one is then still there.
    pub fn write(&self, component: &str, fill: impl FnOnce(&mut Writer<'_>)) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let path = self.path(component);
        let aside = path.with_extension("new");
        let mut file = BufWriter::new(File::create(&aside)?);
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
        fs::rename(aside, path)
    }

    fn path(&self, component: &str) -> PathBuf {
        // Slugs have neither slash nor dot.
        self.folder.join(component.replace('/', ".") + ".state")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::binary_codec::Reader;

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path());
        assert!(checkpoints.read("garden/app").unwrap().is_none());
        for text in ["first", "second"] {
            checkpoints.write("garden/app", |out| out.text(text)).unwrap();
            let kept = checkpoints.read("garden/app").unwrap().unwrap();
            assert_eq!(Reader::new(kept.state()).text(), Some(text));
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
