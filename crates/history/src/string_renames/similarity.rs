//! How similar two texts are, and the best of several candidates.

use rustc_hash::FxHashMap;

/// Texts are compared up to this many characters.
pub const MAX_COMPARED: usize = 1000;

/// The share of pairs of neighbouring characters that two texts have in common, from 0 to 1, ignoring case (the
/// Sørensen–Dice coefficient).
pub fn similarity(a: &str, b: &str) -> f64 {
    let pairs = |text: &str| -> Vec<(char, char)> {
        let chars = text.chars().take(MAX_COMPARED);
        let chars: Vec<char> = chars.flat_map(char::to_lowercase).collect();
        chars.windows(2).map(|pair| (pair[0], pair[1])).collect()
    };
    if a == b {
        return 1.0;
    }
    let (a, b) = (pairs(a), pairs(b));
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let mut counts: FxHashMap<(char, char), usize> = FxHashMap::default();
    for &pair in &a {
        *counts.entry(pair).or_default() += 1;
    }
    let mut common = 0;
    for pair in &b {
        if let Some(count) = counts.get_mut(pair).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    2.0 * f64::from(common) / (a.len() + b.len()) as f64
}

/// How similar two keys are: the mean for the whole keys and for their last parts, which are the names in a namespace.
pub fn key_similarity(a: &str, b: &str) -> f64 {
    let last = |key: &'_ str| key.rfind(['.', '/', ':', '|']).map_or(0, |at| at + 1);
    let parts = similarity(&a[last(a)..], &b[last(b)..]);
    f64::midpoint(similarity(a, b), parts)
}

/// The best of several candidates, and the second best score.
#[derive(Clone, Copy, Default)]
pub struct Best {
    first: Option<(usize, f64)>,
    second: Option<f64>,
}

impl Best {
    pub fn add(&mut self, candidate: usize, score: f64) {
        match self.first {
            Some((_, first)) if first >= score => {
                self.second = Some(self.second.map_or(score, |second| second.max(score)));
            }
            first => {
                self.second = first.map(|(_, score)| score);
                self.first = Some((candidate, score));
            }
        }
    }

    /// The best candidate, if its score is at least `margin` above all others.
    pub fn clear(self, margin: f64) -> Option<usize> {
        let (candidate, first) = self.first?;
        let is_clear = self.second.is_none_or(|second| first - second >= margin);
        is_clear.then_some(candidate)
    }
}

/// The pairs of which each is the best of the other, given pairs with their numbers of votes.
pub fn best_by_votes(votes: &[(usize, usize, u32)]) -> Vec<(usize, usize)> {
    let mut best_of_removed: FxHashMap<usize, Best> = FxHashMap::default();
    let mut best_of_added: FxHashMap<usize, Best> = FxHashMap::default();
    for &(removed, added, count) in votes {
        let score = f64::from(count);
        let of_removed = best_of_removed.entry(removed).or_default();
        of_removed.add(added, score);
        best_of_added.entry(added).or_default().add(removed, score);
    }
    let best = |index: &FxHashMap<usize, Best>, at| index.get(&at).and_then(|it| it.clear(1.0));
    let pairs = votes.iter().map(|&(removed, added, _)| (removed, added));
    let is_mutual = |&(removed, added): &(usize, usize)| {
        best(&best_of_removed, removed) == Some(added)
            && best(&best_of_added, added) == Some(removed)
    };
    pairs.filter(is_mutual).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_counts_common_pairs_of_characters() {
        assert_eq!(similarity("a", "a"), 1.0);
        assert_eq!(similarity("", "abc"), 0.0);
        assert!(similarity("Send message", "Send message…") > 0.9);
        assert!(similarity("Save the file", "Delete account") < 0.3);
        assert!(similarity("Přijmout", "PŘIJMOUT") > 0.99);
        assert!(similarity("aaaa", "aa") < 0.6);
    }

    #[test]
    fn the_best_candidate_needs_a_margin() {
        let mut best = Best::default();
        assert_eq!(best.clear(0.1), None);
        best.add(7, 0.5);
        assert_eq!(best.clear(0.1), Some(7));
        best.add(8, 0.55);
        assert_eq!(best.clear(0.1), None);
        best.add(9, 0.8);
        best.add(10, 0.2);
        assert_eq!(best.clear(0.1), Some(9));
    }
}
