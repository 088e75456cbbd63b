//! The files of a state directory: the lock, and the two append-only files with one line per batch.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::batch_lines::{BatchLines, LedgerFile, has_damaged_newline};
use super::error::LedgerError;
use gitglot_store::open_regular;

/// The open files of a state directory.
#[derive(Debug)]
pub(super) struct LedgerFiles {
    folder: PathBuf,
    lock: File,
    ids: LineFile,
    moves: LineFile,
}

/// An append-only file.
#[derive(Debug)]
struct LineFile {
    kind: LedgerFile,
    file: File,
    /// The end of the last line that was read or written.
    end: u64,
}

impl LedgerFiles {
    /// Opens and locks a state directory.
    ///
    /// # Errors
    /// When the directory cannot be written, another process has locked it, or one of the files is missing.
    pub fn open(folder: &Path) -> Result<Self, LedgerError> {
        let io = LedgerError::io(folder);
        let lock = open_file(&folder.join("lock")).map_err(io)?;
        match fs4::FileExt::try_lock(&lock) {
            Ok(()) => {}
            Err(fs4::TryLockError::WouldBlock) => {
                return Err(LedgerError::Locked(folder.display().to_string()));
            }
            Err(fs4::TryLockError::Error(cause)) => return Err(io(cause)),
        }
        let has_moves = folder.join(LedgerFile::Moves.name()).exists();
        let open = |kind: LedgerFile| {
            let file = open_file(&folder.join(kind.name()))?;
            Ok(LineFile { kind, file, end: 0 })
        };
        let ids = open(LedgerFile::Ids).map_err(io)?;
        if !has_moves && ids.file.metadata().map_err(io)?.len() > 0 {
            let [missing, other] = [LedgerFile::Moves, LedgerFile::Ids].map(LedgerFile::name);
            let reason = format!("{missing} is missing, but {other} is not empty");
            return Err(LedgerError::Damaged(reason));
        }
        let moves = open(LedgerFile::Moves).map_err(io)?;
        if !has_moves {
            // Otherwise a power failure could leave one file without the other.
            sync_folder(folder).map_err(io)?;
        }
        Ok(Self {
            folder: folder.to_owned(),
            lock,
            ids,
            moves,
        })
    }

    /// Reads the lines of all batches, and removes the remains of a batch that a crash interrupted before it was
    /// published.
    ///
    /// # Errors
    /// When a file cannot be read, or lines are missing.
    pub fn read(&mut self) -> Result<Vec<BatchLines>, LedgerError> {
        let mut ids = self.ids.lines(&self.folder)?;
        let moves = self.moves.lines(&self.folder)?;
        if ids.len() < moves.len() {
            return Err(LedgerFile::Ids.damaged(ids.len() as u32 + 1, "the line is missing"));
        }
        // Ids are written before the moves of the same batch.
        if ids.len() > moves.len() + 1 {
            return Err(LedgerFile::Moves.damaged(moves.len() as u32 + 1, "the line is missing"));
        }
        ids.truncate(moves.len());
        for (file, lines) in [(&mut self.ids, &ids), (&mut self.moves, &moves)] {
            file.end = lines.iter().map(|line| line.len() as u64 + 1).sum();
        }
        // The first checkpoint is written after the first batch is published.
        if moves.is_empty() && self.has_remains()? && has_checkpoint(&self.folder) {
            let reason =
                "the line is missing or incomplete, but a checkpoint shows that it was published";
            return Err(LedgerFile::Moves.damaged(1, reason));
        }
        let lines = ids.into_iter().zip(moves);
        let batches = lines.map(|(ids, moves)| BatchLines { ids, moves });
        Ok(batches.collect())
    }

    /// Removes everything after the last batch that [`Self::read`] returned.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn truncate(&mut self) -> Result<(), LedgerError> {
        if !self.has_remains()? {
            return Ok(());
        }
        tracing::warn!(
            "removing an incomplete batch from the end of the ledger in {}: writing it was interrupted before it was \
             published; if the files were shortened in a different way, stop gitglot and restore ids.jsonl and \
             ledger.jsonl from the same backup",
            self.folder.display()
        );
        let truncated = self.ids.truncate().and_then(|()| self.moves.truncate());
        truncated.map_err(LedgerError::io(&self.folder))
    }

    /// Whether something follows the last complete batch.
    fn has_remains(&self) -> Result<bool, LedgerError> {
        let io = LedgerError::io(&self.folder);
        Ok(self.ids.has_remains().map_err(io)? || self.moves.has_remains().map_err(io)?)
    }

    /// Replaces the content of both files.
    ///
    /// # Errors
    /// When a file cannot be written. The previous lines, or those of one file, remain.
    pub fn replace(&mut self, batches: &[BatchLines]) -> Result<(), LedgerError> {
        let ids = batches.iter().map(|lines| &lines.ids);
        let moves = batches.iter().map(|lines| &lines.moves);
        let replaced = self.ids.replace(&self.folder, ids);
        let replaced = replaced.and_then(|()| self.moves.replace(&self.folder, moves));
        replaced.map_err(LedgerError::io(&self.folder))
    }

    /// Appends a batch and syncs both files.
    ///
    /// # Errors
    /// When a file cannot be written, or the directory was removed or replaced.
    pub fn append(&mut self, lines: &BatchLines) -> Result<(), LedgerError> {
        self.check_in_place()?;
        let written = self.ids.append(&lines.ids);
        let written = written.and_then(|()| self.moves.append(&lines.moves));
        written.map_err(LedgerError::io(&self.folder))
    }

    /// Checks that the paths still lead to the open files, and that nobody else has written to them.
    ///
    /// # Errors
    /// When the directory or a file was removed, replaced or changed.
    pub fn check_in_place(&self) -> Result<(), LedgerError> {
        let files = [
            ("lock", &self.lock),
            (self.ids.kind.name(), &self.ids.file),
            (self.moves.kind.name(), &self.moves.file),
        ];
        let in_place = |(name, file): (&str, &File)| {
            is_same_file(&self.folder.join(name), file).unwrap_or(false)
        };
        let is_changed = |file: &LineFile| file.has_remains().unwrap_or(true);
        if files.into_iter().all(in_place) && !is_changed(&self.ids) && !is_changed(&self.moves) {
            return Ok(());
        }
        Err(LedgerError::Replaced(self.folder.display().to_string()))
    }
}

impl LineFile {
    /// The complete lines. A last line without a newline was interrupted by a crash.
    fn lines(&mut self, folder: &Path) -> Result<Vec<String>, LedgerError> {
        let mut bytes = Vec::new();
        let start = self.file.rewind();
        let read = start.and_then(|()| self.file.read_to_end(&mut bytes));
        read.map_err(LedgerError::io(folder))?;
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let Some(line) = line.strip_suffix(b"\n") else {
                if has_damaged_newline(line) {
                    let reason = "the newline at its end is damaged";
                    return Err(self.kind.damaged(number, reason));
                }
                break;
            };
            let line = std::str::from_utf8(line);
            let line = line.map_err(|error| self.kind.damaged(number, error))?;
            lines.push(line.to_owned());
        }
        Ok(lines)
    }

    fn has_remains(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() != self.end)
    }

    fn truncate(&self) -> io::Result<()> {
        if self.has_remains()? {
            self.file.set_len(self.end)
        } else {
            Ok(())
        }
    }

    fn append(&mut self, line: &str) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => self.end += line.len() as u64 + 1,
            // The next line must not continue a partial one.
            Err(_) => drop(self.file.set_len(self.end)),
        }
        written
    }

    fn replace<'a>(
        &mut self,
        folder: &Path,
        lines: impl Iterator<Item = &'a String>,
    ) -> io::Result<()> {
        let path = folder.join(self.kind.name());
        let new = path.with_extension("new");
        let content: String = lines.flat_map(|line| [line, "\n"]).collect();
        let mut file = open_file(&new)?;
        file.set_len(0)?;
        file.write_all(content.as_bytes())?;
        file.sync_all()?;
        fs::rename(new, &path)?;
        sync_folder(folder)?;
        self.file = open_file(&path)?;
        self.end = content.len() as u64;
        Ok(())
    }
}

fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    open_regular(&mut options, path).map_err(|error| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        io::Error::new(error.kind(), format!("{name}: {error}"))
    })
}

fn has_checkpoint(folder: &Path) -> bool {
    fs::read_dir(folder.join("checkpoint")).is_ok_and(|mut files| files.next().is_some())
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(unix)]
fn is_same_file(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (at_path, open) = (fs::metadata(path)?, file.metadata()?);
    Ok((at_path.dev(), at_path.ino()) == (open.dev(), open.ino()))
}

#[cfg(not(unix))]
fn is_same_file(path: &Path, _file: &File) -> io::Result<bool> {
    path.try_exists()
}
