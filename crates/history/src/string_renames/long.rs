//! Strings with long source texts of which half of the lines are equal (docs/spec/renames.md#long-source), as in files that
//! git calls renamed.

use super::matching::{Matching, RenameCandidate, RenameInput};
use super::similarity::best_by_votes;
use gitglot_model::{RenameEvidence, SeededMap, SeededSet, steps};

/// Least number of different lines of a long text.
const MIN_LINES: usize = 5;
/// Lines that more strings have are no evidence.
const MAX_EQUAL_LINES: usize = 4;
/// A pair with half of its lines in common has that many votes, and one with equal lines twice as many.
const MIN_VOTES: usize = 500;

/// Pairs strings with long sources, of which the keys exist in one state only.
pub(super) fn match_long_sources(matching: &mut Matching<'_>) {
    let input = matching.input;
    let removed = long_texts(input, input.removed, |at| matching.to[at].is_none());
    let added = long_texts(input, input.added, |at| matching.from[at].is_none());
    let (mut of_removed, mut of_added) = (strings_by_line(&removed), strings_by_line(&added));
    // A line that many strings of one state have is no evidence in either.
    let all = of_removed.iter().chain(&of_added);
    let frequent = all.filter(|(_, strings)| strings.len() > MAX_EQUAL_LINES);
    let frequent: SeededSet<&str> = frequent.map(|(line, _)| *line).collect();
    for strings in [&mut of_removed, &mut of_added] {
        strings.retain(|line, _| !frequent.contains(line));
    }
    let mut shared: SeededMap<(usize, usize), usize> = SeededMap::default();
    for (line, strings) in &of_removed {
        for &removed in strings {
            for &added in of_added.get(line).into_iter().flatten() {
                *shared.entry((removed, added)).or_default() += line.len();
            }
        }
    }
    let [removed, added] = [sizes(&removed, &of_removed), sizes(&added, &of_added)];
    let mut votes: Vec<(usize, usize, u32)> = Vec::new();
    for ((old, new), shared) in shared {
        let sizes = removed.get(&old).into_iter().chain(added.get(&new));
        let count = shared * 2 * MIN_VOTES / sizes.copied().max().unwrap_or(1).max(1);
        if count >= MIN_VOTES {
            votes.push((old, new, count as u32));
        }
    }
    votes.sort_unstable();
    for (removed, added) in best_by_votes(&votes) {
        matching.pair(removed, added, RenameEvidence::Lines);
    }
}

/// The strings with long texts, each with its lines.
fn long_texts<'a>(
    input: &RenameInput<'a>,
    strings: &'a [RenameCandidate<'a>],
    is_free: impl Fn(usize) -> bool,
) -> Vec<(usize, SeededSet<&'a str>)> {
    let strings = strings.iter().enumerate();
    let strings = strings.filter(|(at, it)| it.twin.is_none() && is_free(*at));
    let lines = strings.map(|(at, it)| {
        let text = (input.text)(it.source);
        steps::count(text.len());
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        (at, lines.collect::<SeededSet<_>>())
    });
    lines
        .filter(|(_, lines)| lines.len() >= MIN_LINES)
        .collect()
}

/// The strings that have a line.
fn strings_by_line<'a>(texts: &[(usize, SeededSet<&'a str>)]) -> SeededMap<&'a str, Vec<usize>> {
    let mut found: SeededMap<&str, Vec<usize>> = SeededMap::default();
    for (at, lines) in texts {
        for line in lines {
            found.entry(line).or_default().push(*at);
        }
    }
    found
}

/// The bytes of the lines of each string, without those that many have.
fn sizes<'a>(
    texts: &[(usize, SeededSet<&'a str>)],
    by_line: &SeededMap<&'a str, Vec<usize>>,
) -> SeededMap<usize, usize> {
    let size = |lines: &SeededSet<&str>| {
        let rare = lines.iter().filter(|line| by_line.contains_key(*line));
        rare.map(|line| line.len()).sum()
    };
    texts.iter().map(|(at, lines)| (*at, size(lines))).collect()
}
