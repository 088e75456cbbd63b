//! A vector whose copies share memory: a copy costs one pointer per chunk, and a push or a change copies at most one
//! chunk.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;
use std::sync::Arc;

use serde::de::{SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Number of items per chunk.
const CHUNK: usize = 1024;

/// A vector in chunks that copies share.
#[derive(Clone, Debug)]
pub struct PersistentVec<T> {
    /// All but the last are full; none is empty.
    chunks: Vec<Arc<Vec<T>>>,
}

impl<T> Default for PersistentVec<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T> PersistentVec<T> {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.chunks
            .last()
            .map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The item at an index.
    pub fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// The index of the first item for which `fits` is false; all items before it must fit, and none after it.
    pub fn partition_point(&self, mut fits: impl FnMut(&T) -> bool) -> usize {
        let chunk = self
            .chunks
            .partition_point(|chunk| chunk.first().is_some_and(&mut fits));
        let Some(before) = chunk.checked_sub(1) else {
            return 0;
        };
        before * CHUNK + self.chunks[before].partition_point(fits)
    }

    /// The items from an index on.
    pub fn iter_from(&self, from: usize) -> impl Iterator<Item = &T> + '_ {
        let chunks = self.chunks.get(from / CHUNK..).unwrap_or_default();
        chunks
            .iter()
            .flat_map(|chunk| chunk.iter())
            .skip(from % CHUNK)
    }

    /// All items.
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.iter_from(0)
    }
}

impl<T: Clone> PersistentVec<T> {
    /// The item at an index, mutably; other copies keep theirs.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        Arc::make_mut(self.chunks.get_mut(at / CHUNK)?).get_mut(at % CHUNK)
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => Arc::make_mut(last).push(item),
            _ => self.chunks.push(Arc::new(vec![item])),
        }
    }

    /// Keeps the first `len` items.
    pub fn truncate(&mut self, len: usize) {
        self.chunks.truncate(len.div_ceil(CHUNK));
        if !len.is_multiple_of(CHUNK)
            && len < self.len()
            && let Some(last) = self.chunks.last_mut()
        {
            Arc::make_mut(last).truncate(len % CHUNK);
        }
    }
}

impl<T: Clone> Extend<T> for PersistentVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T: Clone> FromIterator<T> for PersistentVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items = items.into_iter();
        let mut chunks = Vec::new();
        loop {
            let chunk: Vec<T> = items.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                return Self { chunks };
            }
            chunks.push(Arc::new(chunk));
        }
    }
}

impl<T: Serialize> Serialize for PersistentVec<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(Some(self.len()))?;
        self.iter()
            .try_for_each(|item| items.serialize_element(item))?;
        items.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PersistentVec<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ItemsVisitor(PhantomData))
    }
}

/// Reads items chunk by chunk, so that a long list is not in memory twice.
struct ItemsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ItemsVisitor<T> {
    type Value = PersistentVec<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut chunks = Vec::new();
        loop {
            let expected = items.size_hint().unwrap_or_default();
            let mut chunk = Vec::with_capacity(expected.min(CHUNK));
            while chunk.len() < CHUNK
                && let Some(item) = items.next_element()?
            {
                chunk.push(item);
            }
            let is_last = chunk.len() < CHUNK;
            if !chunk.is_empty() {
                chunks.push(Arc::new(chunk));
            }
            if is_last {
                return Ok(PersistentVec { chunks });
            }
        }
    }
}

impl<T> Index<usize> for PersistentVec<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.chunks[at / CHUNK][at % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn behaves_like_a_vec_and_copies_are_independent(
            first in 0usize..3000, more in 0usize..3000, cut in 0usize..4000, from in 0usize..6000,
        ) {
            let mut list: PersistentVec<usize> = (0..first).collect();
            let copy = list.clone();
            list.extend(first..first + more);
            if let Some(item) = list.get_mut(0) {
                *item = 7;
            }
            list.truncate(cut);
            let mut expected: Vec<usize> = (0..first + more).collect();
            if let Some(item) = expected.first_mut() {
                *item = 7;
            }
            expected.truncate(cut);
            prop_assert_eq!(list.len(), expected.len());
            prop_assert_eq!(list.is_empty(), expected.is_empty());
            prop_assert_eq!(list.get(from), expected.get(from));
            prop_assert!(list.iter().eq(&expected));
            prop_assert!(list.iter_from(from).eq(expected.get(from..).unwrap_or_default()));
            prop_assert!(copy.iter().copied().eq(0..first));
        }
    }
}
