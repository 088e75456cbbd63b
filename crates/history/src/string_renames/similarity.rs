//! How similar two texts are, and the best of several candidates.

use gitglot_model::{SeededMap, steps};

/// Texts are compared up to this many characters.
pub const MAX_COMPARED_CHARS: usize = 1000;

/// A text with its pairs of neighbouring characters, ignoring case, sorted.
struct PairedText<'a> {
    text: &'a str,
    pairs: Vec<(char, char)>,
}

impl<'a> PairedText<'a> {
    fn new(text: &'a str) -> Self {
        let chars = text.chars().take(MAX_COMPARED_CHARS);
        let chars: Vec<char> = chars.flat_map(char::to_lowercase).collect();
        let mut pairs: Vec<_> = chars.windows(2).map(|pair| (pair[0], pair[1])).collect();
        steps::count(pairs.len());
        pairs.sort_unstable();
        Self { text, pairs }
    }

    /// The share of pairs that two texts have in common, from 0 to 1 (the Sørensen–Dice coefficient).
    fn similarity(&self, other: &Self) -> f64 {
        if self.text == other.text {
            return 1.0;
        }
        let (a, b) = (&self.pairs, &other.pairs);
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        let (mut in_a, mut in_b, mut common) = (0, 0, 0);
        while let (Some(left), Some(right)) = (a.get(in_a), b.get(in_b)) {
            let order = left.cmp(right);
            in_a += usize::from(order.is_le());
            in_b += usize::from(order.is_ge());
            common += u32::from(order.is_eq());
        }
        2.0 * f64::from(common) / (a.len() + b.len()) as f64
    }
}

/// How similar two texts are, from 0 to 1.
pub fn similarity(a: &str, b: &str) -> f64 {
    PairedText::new(a).similarity(&PairedText::new(b))
}

/// A key that is compared with others.
pub struct ComparedKey<'a> {
    whole: PairedText<'a>,
    /// The name in a namespace.
    last: PairedText<'a>,
}

impl<'a> ComparedKey<'a> {
    pub fn new(key: &'a str) -> Self {
        let last = key.rfind(['.', '/', ':', '|']).map_or(0, |at| at + 1);
        Self {
            whole: PairedText::new(key),
            last: PairedText::new(&key[last..]),
        }
    }

    /// How similar two keys are: the mean for the whole keys and for their last parts.
    pub fn similarity(&self, other: &Self) -> f64 {
        let parts = self.last.similarity(&other.last);
        f64::midpoint(self.whole.similarity(&other.whole), parts)
    }
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
    let mut best_of_removed: SeededMap<usize, Best> = SeededMap::default();
    let mut best_of_added: SeededMap<usize, Best> = SeededMap::default();
    for &(removed, added, count) in votes {
        let score = f64::from(count);
        let of_removed = best_of_removed.entry(removed).or_default();
        of_removed.add(added, score);
        best_of_added.entry(added).or_default().add(removed, score);
    }
    let best = |index: &SeededMap<usize, Best>, at| index.get(&at).and_then(|best| best.clear(1.0));
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
