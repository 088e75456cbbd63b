//! The persistent record of tips and ids: `ledger.jsonl` and `ids.jsonl` in the state directory, and checkpoints.
//!
//! The format and the rules are in `docs/spec/ids-and-ledger.md`. Must not depend on git or HTTP.

mod checkpoint;
mod id_registry;
mod record;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub use checkpoint::{Checkpoint, CheckpointError, Checkpoints};
pub use id_registry::IdRegistry;
pub use record::{Assignments, Batch, ComponentIds, KeyRun, Move, NamedId, TranslationIds};

/// Version of the rules that produce change logs. A new version rebuilds every log. Checkpoints have their own version.
/// Source: `docs/spec/ids-and-ledger.md#rebuilding-a-log`.
pub const RULES: u32 = 5;

/// Why the state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The directory or a file in it cannot be read or written.
    #[error("the state directory {folder} cannot be used: {cause}; choose a different one with --state-dir")]
    Io {
        /// The directory.
        folder: String,
        /// What the system says.
        cause: io::Error,
    },
    /// Another process has the lock.
    #[error("another gitglot uses the state directory {0}: stop it, or choose a different directory with --state-dir")]
    Locked(String),
    /// A line is invalid.
    #[error("the ledger is corrupt: {0}; restore it from a backup, or move the state directory away to start over")]
    Damaged(String),
    /// A line was written by a newer gitglot.
    #[error(
        "the ledger was written by a newer gitglot (rules version {0}): use that version, or a different --state-dir"
    )]
    Newer(u32),
}

/// The open ledger of a state directory; one process at a time.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    _lock: File,
    moves: File,
    assignments: File,
    /// All batches.
    pub batches: Vec<(Batch, Assignments)>,
    /// All ids.
    pub ids: IdRegistry,
}

impl Ledger {
    /// Opens the ledger of a state directory, which is created if necessary, and locks the directory.
    ///
    /// # Errors
    /// When the directory cannot be written, another process has locked it, or a file is corrupt.
    pub fn open(folder: &Path) -> Result<Self, LedgerError> {
        let io = |cause| LedgerError::Io { folder: folder.display().to_string(), cause };
        fs::create_dir_all(folder).map_err(io)?;
        let lock = open_file(&folder.join("lock")).map_err(io)?;
        match fs4::FileExt::try_lock(&lock) {
            Ok(()) => {}
            Err(fs4::TryLockError::WouldBlock) => return Err(LedgerError::Locked(folder.display().to_string())),
            Err(fs4::TryLockError::Error(cause)) => return Err(io(cause)),
        }
        let mut moves = open_file(&folder.join("ledger.jsonl")).map_err(io)?;
        let mut assignments = open_file(&folder.join("ids.jsonl")).map_err(io)?;
        let lines = |file: &mut File| whole_lines(file).map_err(io);
        let (move_lines, id_lines) = (lines(&mut moves)?, lines(&mut assignments)?);

        let mut registry = IdRegistry::default();
        let mut batches = Vec::new();
        let mut id_end = 0;
        let mut ids = id_lines.iter();
        for (number, (line, _)) in (1..).zip(&move_lines) {
            let batch: Batch = parse(line, "ledger.jsonl", number)?;
            if batch.rules > RULES {
                return Err(LedgerError::Newer(batch.rules));
            }
            let missing = || LedgerError::Damaged(format!("line {number} of ids.jsonl is missing"));
            let (line, end) = ids.next().ok_or_else(missing)?;
            let line: Assignments = parse(line, "ids.jsonl", number)?;
            if (batch.batch, line.batch) != (number, number) {
                return Err(LedgerError::Damaged(format!("line {number} is not batch {number}")));
            }
            registry.apply(&line)?;
            batches.push((batch, line));
            id_end = *end;
        }
        // Ids are written before the moves of the same batch. Ids without moves were never published.
        assignments.set_len(id_end).map_err(io)?;
        moves.set_len(move_lines.last().map_or(0, |(_, end)| *end)).map_err(io)?;
        Ok(Self { folder: folder.to_owned(), _lock: lock, moves, assignments, batches, ids: registry })
    }

    /// The checkpoints of the state directory.
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints::new(&self.folder)
    }

    /// Identifies the ledger: a hash of its first batch, as 16 hexadecimal digits. `None` before the first batch.
    pub fn id(&self) -> Option<String> {
        let (first, _) = self.batches.first()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&first.seen.to_le_bytes());
        for it in &first.moves {
            hasher.update(it.component.as_bytes());
            hasher.update(it.to.as_bytes());
        }
        Some(hasher.finalize().to_hex().chars().take(16).collect())
    }

    /// The number of the next batch.
    pub fn next_batch(&self) -> u32 {
        self.batches.len() as u32 + 1
    }

    /// Whether the ledger records a move of the component `project/component`.
    pub fn has_moves_of(&self, component: &str) -> bool {
        self.batches.iter().any(|(batch, _)| batch.moves.iter().any(|it| it.component == component))
    }

    /// Appends a batch and its ids, and syncs both files.
    ///
    /// # Errors
    /// When a file cannot be written; then nothing that depends on the batch may be published.
    pub fn append(&mut self, batch: Batch, ids: Assignments) -> Result<(), LedgerError> {
        let folder = self.folder.display().to_string();
        let io = |cause| LedgerError::Io { folder: folder.clone(), cause };
        append_line(&mut self.assignments, &ids).map_err(io)?;
        append_line(&mut self.moves, &batch).map_err(io)?;
        self.batches.push((batch, ids));
        Ok(())
    }
}

fn open_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// The complete lines of a file and their end offsets. A last line without a newline was interrupted by a crash.
fn whole_lines(file: &mut File) -> io::Result<Vec<(String, u64)>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let mut end = 0;
    let whole = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    Ok(whole
        .map(|line| {
            end += line.len() as u64;
            (String::from_utf8_lossy(&line[..line.len() - 1]).into_owned(), end)
        })
        .collect())
}

fn parse<T: serde::de::DeserializeOwned>(line: &str, file: &str, number: u32) -> Result<T, LedgerError> {
    serde_json::from_str(line).map_err(|error| LedgerError::Damaged(format!("line {number} of {file}: {error}")))
}

fn append_line(file: &mut File, line: &impl serde::Serialize) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    let start = file.seek(SeekFrom::End(0))?;
    let written = file.write_all(&bytes).and_then(|()| file.sync_data());
    if written.is_err() {
        // The next line must not continue a partial one.
        let _ = file.set_len(start);
    }
    written
}
