//! The list of the files of a site. Large sites have more of them than memory should hold, so sorted parts of the list are in
//! temporary files, which are merged when all files are written.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use itertools::Itertools;
use parking_lot::Mutex;

use super::error::SiteError;
use super::limits::Totals;

/// The files of a part.
const PART: usize = 1 << 14;
/// The bytes of the hash of a file and the space after it.
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

    /// Adds a file.
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

/// The lines of a list.
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
