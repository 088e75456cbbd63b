//! The lists of the files of a site: of this run and of earlier ones. Large sites have more files than memory should list, so
//! sorted parts of the list of this run are in temporary files, which are merged when all files are written.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use itertools::Itertools;
use parking_lot::Mutex;

use super::error::SiteError;
use super::limits::Totals;

/// Number of files in a part.
const PART: usize = 1 << 12;
/// Number of bytes of the hash of a file and the space after it.
const HASH: usize = 33;

/// A line of a list: the hash of a file in hexadecimal, and its path.
#[derive(Clone, Debug)]
pub(crate) struct Line(Box<str>);

impl Line {
    pub(crate) fn new(hash: u128, path: &str) -> Self {
        Self(format!("{hash:032x} {path}").into())
    }

    /// Reads a line; `None` if it has a different form.
    pub(crate) fn parse(text: String) -> Option<Self> {
        let (hash, path) = text.split_once(' ')?;
        let is_hash = hash.len() == HASH - 1 && u128::from_str_radix(hash, 16).is_ok();
        (is_hash && !path.is_empty()).then(|| Self(text.into()))
    }

    pub(crate) fn path(&self) -> &str {
        &self.0[HASH..]
    }

    pub(crate) fn hash(&self) -> u128 {
        u128::from_str_radix(&self.0[..HASH - 1], 16).unwrap_or_default()
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.0.as_bytes())?;
        out.write_all(b"\n")
    }
}

/// The hash of a path or of the content of a file.
pub(crate) fn hash_of(bytes: &[u8]) -> u128 {
    let hash = blake3::hash(bytes);
    let mut start = [0; 16];
    start.copy_from_slice(&hash.as_bytes()[..16]);
    u128::from_be_bytes(start)
}

/// The files of earlier runs.
#[derive(Default)]
pub(super) struct Earlier {
    /// Hashes of the paths and contents, sorted.
    files: Vec<(u128, u128)>,
    /// Whether the file is there.
    present: Vec<bool>,
}

impl Earlier {
    /// Adds a list, which is sorted.
    pub(super) fn add(&mut self, lines: Lines) -> io::Result<()> {
        let mut last = String::new();
        for line in lines {
            let line = line?;
            let is_sorted = *last < *line.path();
            last.clear();
            last.push_str(line.path());
            if !is_sorted {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.files.push((hash_of(last.as_bytes()), line.hash()));
        }
        Ok(())
    }

    /// Forgets the contents: after an interrupted run, a file can be that of either list.
    pub(super) fn forget_contents(&mut self) {
        self.files.iter_mut().for_each(|file| file.1 = 0);
    }

    /// Makes all added files findable.
    pub(super) fn sort(&mut self) {
        self.files.sort_unstable();
        self.present = vec![false; self.files.len()];
    }

    fn index(&self, path: &str) -> Option<usize> {
        if self.files.is_empty() {
            return None;
        }
        let path = hash_of(path.as_bytes());
        self.files.binary_search_by_key(&path, |file| file.0).ok()
    }

    /// Notes that a file is there. Returns whether a list has it.
    pub(super) fn see(&mut self, path: &str) -> bool {
        let Some(at) = self.index(path) else {
            return false;
        };
        self.present[at] = true;
        true
    }

    /// The hash of the content of a file that is there.
    pub(super) fn hash(&self, path: &str) -> Option<u128> {
        let index = self.index(path).filter(|at| self.present[*at]);
        index.map(|at| self.files[at].1)
    }
}

/// The files that were written so far.
pub(crate) struct Listing {
    /// The directory of temporary files.
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    totals: Totals,
    /// The last files, in any order.
    last: Vec<Line>,
    /// Sorted lists of the others.
    parts: Vec<File>,
}

impl Listing {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            state: Mutex::default(),
        }
    }

    pub(crate) fn add(&self, line: Line, size: usize, is_new: bool) -> Result<(), SiteError> {
        let mut state = self.state.lock();
        state.totals.add(line.path(), size as u64, is_new);
        state.last.push(line);
        if state.last.len() < PART {
            return Ok(());
        }
        let full = std::mem::take(&mut state.last);
        // Other threads continue.
        drop(state);
        let part = self.part(full).map_err(SiteError::at(&self.folder))?;
        self.state.lock().parts.push(part);
        Ok(())
    }

    fn part(&self, mut lines: Vec<Line>) -> io::Result<File> {
        sort(&mut lines);
        let mut file = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for line in &lines {
            line.write(&mut file)?;
        }
        let mut file = file.into_inner()?;
        file.rewind()?;
        Ok(file)
    }

    /// All files, sorted by path, and their number and size.
    pub(crate) fn finish(self) -> (Totals, impl Iterator<Item = io::Result<Line>>) {
        let State {
            totals,
            mut last,
            parts,
        } = self.state.into_inner();
        sort(&mut last);
        let last: Lines = Box::new(last.into_iter().map(Ok));
        let parts = parts.into_iter().map(|part| lines(BufReader::new(part)));
        (totals, merged(parts.chain([last])))
    }
}

pub(crate) type Lines = Box<dyn Iterator<Item = io::Result<Line>>>;

/// Reads the lines of a list. A line of a different form is an error.
pub(crate) fn lines(list: impl BufRead + 'static) -> Lines {
    let parse = |text: String| Line::parse(text).ok_or_else(|| io::ErrorKind::InvalidData.into());
    Box::new(list.lines().map(move |line| line.and_then(parse)))
}

/// All lines of sorted lists, sorted by path. Errors come first.
pub(crate) fn merged(lists: impl Iterator<Item = Lines>) -> impl Iterator<Item = io::Result<Line>> {
    fn path(line: &io::Result<Line>) -> &str {
        line.as_ref().map_or("", Line::path)
    }
    lists.kmerge_by(|a, b| path(a) < path(b))
}

fn sort(lines: &mut [Line]) {
    lines.sort_unstable_by(|a, b| a.path().cmp(b.path()));
}
