//! Parses a version of a file against an earlier one.
//!
//! An entry begins at the first line after the text of the one before it, whatever that entry is. So the same lines in
//! the same place mean the same entry, if the line after them begins an entry or the file ends. Notes and references above
//! the entry may differ: most versions move references only. Three more things decide on an entry: the number of plural
//! forms that the header declares, entries with the same joined identity, and the charset. If a version changes one of the
//! latter two, or does not parse, it is parsed in full.

use super::lines::{self, is_note};
use super::parse::{self, Entries, begins_entry, is_blank, line_at};
use crate::error::{ReadErrorKind, SyntaxError};
use crate::incremental::{Boundaries, Comparison, Place};

/// Adds the entries of a file without a template, most of which an earlier version may have.
///
/// # Errors
/// If a line is not understood.
pub(super) fn read(text: &str, comparison: &mut Comparison<'_>) -> Result<(), SyntaxError> {
    if !text.is_empty() && is_blank(text) {
        let message = "expected an entry, found only blank lines";
        return Err(ReadErrorKind::syntax(message, 0));
    }
    comparison.version.scope = Some(lines::scope(None));
    let lines = TextLines(text);
    let mut entries = Entries { text, at: 0 };
    loop {
        let place = comparison
            .has_entries()
            .then(|| lines.next_entry(entries.at));
        if let Some(end) = place
            .flatten()
            .and_then(|place| comparison.reuse(place, &lines))
        {
            entries.at = end;
            continue;
        }
        match entries.next()? {
            Some(entry) => parse::add(&mut comparison.version, text, &entry),
            None => return Ok(()),
        }
    }
}

/// The lines of a text that are not blank.
struct TextLines<'t>(&'t str);

impl TextLines<'_> {
    /// Where the next entry begins, and its first line that is not a note.
    fn next_entry(&self, at: usize) -> Option<Place> {
        let mut start = None;
        self.from(at).find_map(|(content, line)| {
            let start = *start.get_or_insert(content);
            (!is_note(line)).then_some(Place { start, content })
        })
    }

    fn from(&self, mut at: usize) -> impl Iterator<Item = (usize, &str)> {
        let lines = std::iter::from_fn(move || {
            let line = line_at(self.0, at)?;
            let start = at;
            at += line.len() + 1;
            Some((start, line))
        });
        lines.filter(|(_, line)| !is_blank(line))
    }
}

impl Boundaries for TextLines<'_> {
    fn have_same_meaning(&self, _: &[u8], _: &[u8]) -> bool {
        true
    }

    fn ends_at(&self, end: usize) -> bool {
        let is_line_end = matches!(self.0.as_bytes().get(end), None | Some(b'\n' | b'\r'));
        let next = || self.from(end).next();
        is_line_end && next().is_none_or(|(_, line)| begins_entry(line))
    }

    fn are_adjacent(&self, _: usize, _: usize) -> bool {
        true
    }
}
