//! Finds the most similar of several files, in time that is linear in their entries
//! (docs/spec/change-log.md#renames).

use std::collections::{BTreeMap, HashMap};

use gitglot_model::steps;

/// Two files are versions of one renamed file if at least this share of their entries is equal.
pub const MIN_SIMILARITY: f64 = 0.5;
/// On average, each entry is compared with this many files that have it, too.
const MAX_SHARED: usize = 256;

/// Hashes of the (key, text) pairs of a file, sorted and without duplicates.
pub type Pairs = Vec<u64>;

/// The number of equal entries divided by the number of entries of the larger file.
pub fn similarity(a: &Pairs, b: &Pairs) -> f64 {
    steps::count(a.len() + b.len());
    let mut other = b.iter().peekable();
    let is_common = |pair: &&u64| {
        while other.next_if(|other| other < pair).is_some() {}
        other.peek() == Some(pair)
    };
    share(a.iter().filter(is_common).count(), a.len(), b.len())
}

fn share(common: usize, a: usize, b: usize) -> f64 {
    common as f64 / a.max(b).max(1) as f64
}

/// The pairs of a file that are no copies of the template.
fn own<'a>(pairs: &'a Pairs, copies: &'a Pairs) -> impl Iterator<Item = u64> + 'a {
    let is_copy = |pair: &u64| copies.binary_search(pair).is_ok();
    pairs.iter().copied().filter(move |pair| !is_copy(pair))
}

/// Files of which each can be taken once.
#[derive(Default)]
pub struct SimilarFiles {
    /// The number of pairs of each file; `None` if it was taken.
    sizes: Vec<Option<usize>>,
    /// The files that have a pair.
    by_pair: HashMap<u64, Vec<u32>>,
    /// How many files may still be looked at because they have a pair.
    budget: usize,
}

impl SimilarFiles {
    /// Adds a file, without its copies of the template.
    pub fn add(&mut self, pairs: &Pairs, copies: &Pairs) {
        let (file, mut size) = (self.sizes.len() as u32, 0);
        for pair in own(pairs, copies) {
            self.by_pair.entry(pair).or_default().push(file);
            size += 1;
        }
        self.sizes.push(Some(size));
        self.budget += size * MAX_SHARED;
    }

    /// Takes the file that is most similar to these pairs, of which copies of the template do not count; the first on
    /// a tie. Pairs that more files have than the budget allows count as different.
    pub fn take_most_similar(&mut self, pairs: &Pairs, copies: &Pairs) -> Option<usize> {
        let (mut common, mut size) = (BTreeMap::<u32, usize>::new(), 0);
        self.budget += pairs.len() * MAX_SHARED;
        for pair in own(pairs, copies) {
            size += 1;
            let Some(files) = self.by_pair.get(&pair) else {
                continue;
            };
            let Some(left) = self.budget.checked_sub(files.len()) else {
                continue;
            };
            self.budget = left;
            steps::count(files.len());
            for file in files {
                *common.entry(*file).or_default() += 1;
            }
        }
        let mut best: Option<(f64, usize)> = None;
        for (file, common) in common {
            let Some(Some(other)) = self.sizes.get(file as usize) else {
                continue;
            };
            let similarity = share(common, size, *other);
            if similarity >= MIN_SIMILARITY && best.is_none_or(|(most, _)| similarity > most) {
                best = Some((similarity, file as usize));
            }
        }
        let (_, file) = best?;
        self.sizes[file] = None;
        Some(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_file_is_taken_once() {
        let (template, mut files) = (vec![1, 2], SimilarFiles::default());
        for file in [vec![1, 2, 3, 4], vec![3, 4, 5], vec![1, 2, 6]] {
            files.add(&file, &template);
        }
        let mut take = |pairs: Pairs| files.take_most_similar(&pairs, &template);
        assert_eq!(take(vec![1, 2]), None, "copies of the template");
        assert_eq!(take(vec![1, 3, 4, 5]), Some(1));
        assert_eq!(take(vec![3, 4, 5]), Some(0));
        assert_eq!(take(vec![3, 4, 5]), None);
        assert_eq!(similarity(&vec![1, 2, 3, 4], &vec![0, 2, 4]), 0.5);
    }

    #[test]
    fn files_that_are_all_alike_take_linear_time() {
        let work = |count: usize| {
            let mut files = SimilarFiles::default();
            let pairs: Pairs = (0..10).collect();
            (0..count).for_each(|_| files.add(&pairs, &Pairs::new()));
            steps::of(|| {
                for _ in 0..count {
                    files.take_most_similar(&pairs, &Pairs::new());
                }
            })
        };
        assert!(work(8_000) <= work(4_000) * 21 / 10);
    }
}
