//! The persistent record: which tip was seen when, and the ids that were handed out (design 2).
//!
//! Two append-only files in the state directory, a line per batch: `ledger.jsonl` with the moves,
//! `ids.jsonl` with the assignments. Replaying the moves over the git objects gives the log again; ids are
//! looked up, never worked out anew. Knows neither git nor HTTP.

mod checkpoint;
mod known;
mod record;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub use checkpoint::{CheckpointError, Checkpoints, Kept};
pub use known::Known;
pub use record::{Assignments, Batch, ComponentIds, KeyRun, Move, Named, TranslationIds};

/// Version of the rules that make the log: a higher one makes every log anew. (Checkpoints, which hold the outcome
/// of checks too, have a number of their own.)
pub const RULES: u32 = 5;

/// Why the state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The directory or a file in it cannot be read or written.
    #[error("the state directory {folder} cannot be used: {cause}; choose another with --state-dir")]
    Io {
        /// The directory.
        folder: String,
        /// What the system says.
        cause: io::Error,
    },
    /// Another process holds the lock.
    #[error("another gitglot uses the state directory {0}: end it, or choose another directory with --state-dir")]
    Locked(String),
    /// A line cannot be understood.
    #[error("the ledger is damaged: {0}; restore it from a copy, or move the state directory away to begin anew")]
    Damaged(String),
    /// A line was written by a newer gitglot.
    #[error("the ledger was written by a newer gitglot (rules version {0}): use that one, or another --state-dir")]
    Newer(u32),
}

/// The open ledger of a state directory; one process at a time.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    _lock: File,
    moves: File,
    assignments: File,
    /// Every batch so far.
    pub batches: Vec<(Batch, Assignments)>,
    /// Every id so far.
    pub known: Known,
}

impl Ledger {
    /// Opens the ledger of a directory, made if there is none, and locks the directory.
    ///
    /// # Errors
    /// When the directory cannot be written, another process holds it, or a file is damaged.
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

        let mut known = Known::default();
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
            known.absorb(&line)?;
            batches.push((batch, line));
            id_end = *end;
        }
        // Ids are written before the moves they belong to: what is left over was never published.
        assignments.set_len(id_end).map_err(io)?;
        moves.set_len(move_lines.last().map_or(0, |(_, end)| *end)).map_err(io)?;
        Ok(Self { folder: folder.to_owned(), _lock: lock, moves, assignments, batches, known })
    }

    /// The checkpoints beside the ledger.
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints::new(&self.folder)
    }

    /// The number of the next batch.
    pub fn next_batch(&self) -> u32 {
        self.batches.len() as u32 + 1
    }

    /// Writes a batch and the ids it handed out, and waits until both are on the disk.
    ///
    /// # Errors
    /// When they cannot be written; then nothing may be published that depends on them.
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

/// The lines of a file and where each ends in it; a last line without an end was cut off by a crash.
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
        // A half line would join with the next one.
        let _ = file.set_len(start);
    }
    written
}
