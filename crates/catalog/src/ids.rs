//! An index from ids and ranks to rows. It stores runs of consecutive ids.

/// Consecutive ids on consecutive rows of one list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdRun {
    /// The first id.
    pub first: u32,
    /// Number of ids.
    pub len: u32,
    /// Index of the translation or component in the snapshot.
    pub list: u32,
    /// The row of the first id.
    pub row: u32,
}

/// The ids of a list, in the order of its rows, and in their own one if that is another. The index of all ids has
/// blocks of consecutive ids: a file whose strings are shuffled has a run for each string, which everybody's pushes
/// would index again.
#[derive(Clone, Default, Debug)]
pub(super) struct IdOrder {
    pub runs: Box<[IdRun]>,
    shuffled: Option<Box<ShuffledIds>>,
}

#[derive(Clone, Debug)]
struct ShuffledIds {
    /// With the rank of the first id in the list in place of its row.
    blocks: Box<[IdRun]>,
    /// The row of each rank.
    rows: Box<[u32]>,
}

impl IdOrder {
    /// That of a list whose rows have these ids.
    pub fn of(ids: impl IntoIterator<Item = u32>) -> Self {
        let runs: Box<[IdRun]> = runs(ids).collect();
        if runs.is_sorted_by_key(|run| run.first) {
            let shuffled = None;
            return Self { runs, shuffled };
        }
        let mut sorted = runs.to_vec();
        sorted.sort_unstable_by_key(|run| run.first);
        let rows = sorted
            .iter()
            .flat_map(|run| (0..run.len).map(|at| run.row + at));
        let rows = rows.collect();
        let (mut blocks, mut rank) = (Vec::<IdRun>::new(), 0);
        for run in sorted {
            match blocks.last_mut() {
                Some(last) if last.first + last.len == run.first => last.len += run.len,
                _ => blocks.push(IdRun { row: rank, ..run }),
            }
            rank += run.len;
        }
        let blocks = blocks.into();
        let shuffled = Some(Box::new(ShuffledIds { blocks, rows }));
        Self { runs, shuffled }
    }

    /// Its blocks.
    pub fn blocks(&self) -> &[IdRun] {
        let shuffled = self.shuffled.as_ref();
        shuffled.map_or(&self.runs, |shuffled| &shuffled.blocks)
    }

    /// Size in memory, in bytes.
    pub fn memory(&self) -> usize {
        let shuffled = self.shuffled.as_ref().map_or(0, |shuffled| {
            size_of_val(&*shuffled.blocks) + size_of_val(&*shuffled.rows) + size_of::<ShuffledIds>()
        });
        size_of_val(&*self.runs) + shuffled
    }

    /// The row of a rank.
    pub fn row(&self, rank: u32) -> u32 {
        let rows = self.shuffled.as_ref().map(|shuffled| &shuffled.rows);
        let row = rows.and_then(|rows| rows.get(rank as usize));
        row.copied().unwrap_or(rank)
    }
}

/// The runs of the first list, from the ids of its rows.
fn runs(ids: impl IntoIterator<Item = u32>) -> impl Iterator<Item = IdRun> {
    let mut ids = ids.into_iter().enumerate().peekable();
    std::iter::from_fn(move || {
        let (row, first) = ids.next()?;
        let mut len = 1;
        while ids.next_if(|&(_, id)| id == first + len).is_some() {
            len += 1;
        }
        Some(IdRun {
            first,
            len,
            list: 0,
            row: row as u32,
        })
    })
}

/// All ids of a kind, ascending.
#[derive(Clone, Default, Debug)]
pub struct IdRuns {
    runs: Vec<IdRun>,
    /// Rank of each run's first id.
    ranks: Vec<u32>,
    len: u32,
}

impl IdRuns {
    /// Sorts runs.
    pub fn new(mut runs: Vec<IdRun>) -> Self {
        runs.sort_unstable_by_key(|run| run.first);
        Self::in_order(runs)
    }

    /// Keeps runs in an order of their own. Ranks follow it, and ids cannot be found.
    pub(super) fn in_order(runs: Vec<IdRun>) -> Self {
        let (mut ranks, mut len) = (Vec::with_capacity(runs.len()), 0);
        for run in &runs {
            ranks.push(len);
            len += run.len;
        }
        Self { runs, ranks, len }
    }

    /// Number of ids.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// List and row of an id.
    pub fn find(&self, id: u32) -> Option<(u32, u32)> {
        let after = self.runs.partition_point(|run| run.first <= id);
        let run = self.runs[after.checked_sub(1)?];
        let offset = id - run.first;
        (offset < run.len).then_some((run.list, run.row + offset))
    }

    /// Lists and rows from a rank on, ascending by id.
    pub fn from_rank(&self, rank: usize) -> impl Iterator<Item = (u32, u32)> + '_ {
        let rank = u32::try_from(rank).unwrap_or(u32::MAX).min(self.len);
        let after = self.ranks.partition_point(|&first| first <= rank);
        let at = after.saturating_sub(1);
        let skip = rank - self.ranks.get(at).copied().unwrap_or(0);
        let runs = self.runs[at.min(self.runs.len())..].iter();
        let rows =
            runs.flat_map(|run| (0..run.len).map(move |offset| (run.list, run.row + offset)));
        rows.skip(skip as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_empty_index_finds_nothing() {
        let none = IdRuns::new(Vec::new());
        assert_eq!(
            (none.len(), none.find(1), none.from_rank(0).next()),
            (0, None, None)
        );
    }

    proptest! {
        #[test]
        fn ids_are_found_and_ranks_follow_ids(ids in prop::collection::hash_set(1u32..200, 0..80), cut in 0usize..80) {
            let all: Vec<u32> = ids.into_iter().collect();
            let cut = cut.min(all.len());
            let lists = [&all[..cut], &all[cut..]];
            let orders = lists.map(|ids| IdOrder::of(ids.to_vec()));
            let of_list = |list: u32| orders[list as usize].blocks().iter().map(move |&run| IdRun { list, ..run });
            let blocks = (0..2).flat_map(of_list);
            let index = IdRuns::new(blocks.collect());
            let row_of = |list: u32, rank| orders[list as usize].row(rank) as usize;
            let mut sorted = all.clone();
            sorted.sort_unstable();
            prop_assert_eq!(index.len(), all.len());
            for id in 0..201 {
                let found = index.find(id).map(|(list, rank)| lists[list as usize][row_of(list, rank)]);
                prop_assert_eq!(found, sorted.contains(&id).then_some(id));
            }
            for rank in 0..=all.len() + 1 {
                let rest: Vec<u32> = index.from_rank(rank).map(|(list, rank)| lists[list as usize][row_of(list, rank)]).collect();
                prop_assert_eq!(&rest[..], sorted.get(rank..).unwrap_or(&[]));
            }
        }
    }
}
