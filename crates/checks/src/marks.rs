//! Searches for marks such as closing brackets that together take linear time.

use std::cell::Cell;

use memchr::memmem;

use gitglot_model::steps;

/// The next occurrence of a mark in a text that is read from left to right. It remembers the last result: a text of
/// opening brackets without a closing one is searched once, and not once for each bracket.
#[derive(Debug)]
pub(super) struct NextMark<'a> {
    text: &'a str,
    pub(super) mark: &'static str,
    /// The search began at the first position and found the mark at the second one, if any.
    known: Cell<Option<(usize, Option<usize>)>>,
}

impl<'a> NextMark<'a> {
    /// Searches nothing before the first call of [`Self::at_or_after`].
    pub(super) const fn new(text: &'a str, mark: &'static str) -> Self {
        Self {
            text,
            mark,
            known: Cell::new(None),
        }
    }

    /// The first position of the mark from a position on.
    pub(super) fn at_or_after(&self, from: usize) -> Option<usize> {
        if let Some((start, found)) = self.known.get()
            && start <= from
            && found.is_none_or(|found| from <= found)
        {
            return found;
        }
        let rest = self.text.as_bytes().get(from..)?;
        let found = match self.mark.as_bytes() {
            [byte] => memchr::memchr(*byte, rest),
            mark => memmem::find(rest, mark),
        };
        steps::count(found.unwrap_or(rest.len()));
        let found = found.map(|at| from + at);
        self.known.set(Some((from, found)));
        found
    }
}

/// The end of the run of characters in a class. The ends of all runs in a text together take linear time.
#[derive(Debug)]
pub(super) struct RunEnd<'a> {
    text: &'a str,
    matches: fn(char) -> bool,
    /// A run: its start and its end.
    known: Cell<(usize, usize)>,
}

impl<'a> RunEnd<'a> {
    /// Reads nothing before the first call of [`Self::of`].
    pub(super) const fn new(text: &'a str, matches: fn(char) -> bool) -> Self {
        Self {
            text,
            matches,
            known: Cell::new((0, 0)),
        }
    }

    /// The end of the run that contains or begins at a position.
    pub(super) fn of(&self, from: usize) -> usize {
        let (start, end) = self.known.get();
        if start <= from && from < end {
            return end;
        }
        let rest = self.text.get(from..).unwrap_or_default();
        let end = from + super::pair::run(rest, self.matches);
        self.known.set((from, end));
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_from_any_position() {
        let next = NextMark::new("a}b}}é", "}");
        let found: Vec<_> = (0..9).map(|from| next.at_or_after(from)).collect();
        let wanted = [Some(1), Some(1), Some(3), Some(3), Some(4)];
        assert_eq!(found[..5], wanted);
        assert!(found[5..].iter().all(Option::is_none));
        assert_eq!(next.at_or_after(0), Some(1), "backwards");
        assert_eq!(NextMark::new("a}}", "}}").at_or_after(1), Some(1));
        assert_eq!(NextMark::new("a}}", "}}").at_or_after(2), None);
    }

    #[test]
    fn a_run_ends_at_the_same_position_from_all_of_its_characters() {
        let end = RunEnd::new("ab cd", char::is_alphabetic);
        let ends: Vec<_> = (0..6).map(|from| end.of(from)).collect();
        assert_eq!(ends, [2, 2, 2, 5, 5, 5]);
        assert_eq!(end.of(0), 2, "backwards");
    }

    #[test]
    fn all_searches_together_read_a_text_once() {
        let text = "{".repeat(1000);
        let (next, end) = (NextMark::new(&text, "}"), RunEnd::new(&text, |c| c == '{'));
        let work = steps::of(|| {
            (0..text.len()).for_each(|from| {
                assert_eq!((next.at_or_after(from), end.of(from)), (None, 1000));
            });
        });
        assert_eq!(work, 2 * 1000);
    }
}
