//! Strings that came to a component from a different one of its project (docs/spec/renames.md#other-components).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gitglot_model::{ComponentId, KeyId, KeyRename};

/// A string that came from a different component.
#[derive(Clone, Debug)]
pub struct StringArrival {
    /// Its keys here and there, with its first entry here and the number of entries of the log there before the commit.
    pub rename: KeyRename,
    /// The component that had the string before.
    pub from: ComponentId,
    /// `project/component` of it.
    pub from_path: Arc<str>,
    /// The key there as people see it.
    pub old_name: Arc<str>,
    /// Indexes of the entries whose texts moved.
    pub moved: Vec<u32>,
}

/// The strings that came from other components.
#[derive(Default, Debug)]
pub struct Arrivals {
    /// In the order of their entries.
    list: Vec<StringArrival>,
    /// Indexes in `list` by key, ascending.
    by_key: HashMap<KeyId, Vec<u32>>,
    /// The entries whose texts moved, ascending, with indexes in `list`.
    moved: Vec<(u32, u32)>,
}

impl Arrivals {
    /// Indexes arrivals.
    pub fn new(mut list: Vec<StringArrival>) -> Self {
        list.sort_by_key(|arrival| arrival.rename.entry);
        let mut by_key: HashMap<KeyId, Vec<u32>> = HashMap::new();
        let mut moved = Vec::new();
        for (at, arrival) in (0..).zip(&list) {
            by_key.entry(arrival.rename.to).or_default().push(at);
            moved.extend(arrival.moved.iter().map(|&entry| (entry, at)));
        }
        moved.sort_unstable();
        Self {
            list,
            by_key,
            moved,
        }
    }

    /// The arrivals, in the order of their entries.
    pub fn iter(&self) -> std::slice::Iter<'_, StringArrival> {
        self.list.iter()
    }

    /// The number of arrivals.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether no string came from a different component.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The arrival whose text an entry moved.
    fn of_moved(&self, entry: u32) -> Option<&StringArrival> {
        let at = self.moved.binary_search_by_key(&entry, |moved| moved.0);
        self.list.get(self.moved.get(at.ok()?)?.1 as usize)
    }

    /// The number of entries whose texts moved here.
    pub(super) fn moved_count(&self) -> usize {
        self.moved.len()
    }

    /// Whether the text of an entry moved here.
    pub(super) fn has_moved(&self, entry: u32) -> bool {
        !self.moved.is_empty() && self.of_moved(entry).is_some()
    }

    /// The arrival that an entry belongs to: that of its key, if it is the first one, or of its text.
    pub(super) fn of_entry(&self, entry: u32) -> Option<&StringArrival> {
        let first = || {
            let list = &self.list;
            let at = list.binary_search_by_key(&entry, |arrival| arrival.rename.entry);
            list.get(at.ok()?)
        };
        self.of_moved(entry).or_else(first)
    }

    /// The last arrival of a key among some entries.
    pub(super) fn last(&self, key: KeyId, entries: &Range<u32>) -> Option<&StringArrival> {
        let of_key = self.by_key.get(&key)?.iter().rev();
        let mut arrivals = of_key.filter_map(|&at| self.list.get(at as usize));
        arrivals.find(|arrival| entries.contains(&arrival.rename.entry))
    }
}
