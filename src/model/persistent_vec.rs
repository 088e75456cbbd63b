//! A list that grows at its end, in pieces that copies share: a copy costs a pointer for each piece, and adding
//! to one of the copies costs at most one piece, however long the list is.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// How many items a piece holds.
const PIECE: usize = 1024;

/// The list. Items are named by place, from 0.
#[derive(Clone, Debug)]
pub struct PersistentVec<T> {
    /// All but the last are full, none is empty.
    pieces: Vec<Arc<Vec<T>>>,
}

impl<T> Default for PersistentVec<T> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

impl<T> PersistentVec<T> {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The item at a place.
    pub fn get(&self, at: usize) -> Option<&T> {
        self.pieces.get(at / PIECE)?.get(at % PIECE)
    }

    /// The last item.
    pub fn last(&self) -> Option<&T> {
        self.pieces.last()?.last()
    }

    /// How many items at the beginning fit; all that fit stand before all that do not.
    pub fn partition_point(&self, mut fits: impl FnMut(&T) -> bool) -> usize {
        let piece = self.pieces.partition_point(|piece| piece.first().is_some_and(&mut fits));
        let Some(before) = piece.checked_sub(1) else { return 0 };
        before * PIECE + self.pieces[before].partition_point(fits)
    }

    /// The items from a place on.
    pub fn iter_from(&self, from: usize) -> impl Iterator<Item = &T> + '_ {
        let pieces = self.pieces.get(from / PIECE..).unwrap_or_default();
        pieces.iter().flat_map(|piece| piece.iter()).skip(from % PIECE)
    }

    /// All items.
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.iter_from(0)
    }
}

impl<T: Clone> PersistentVec<T> {
    /// The item at a place, to be changed in this copy of the list.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        Arc::make_mut(self.pieces.get_mut(at / PIECE)?).get_mut(at % PIECE)
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        match self.pieces.last_mut() {
            Some(last) if last.len() < PIECE => Arc::make_mut(last).push(item),
            _ => self.pieces.push(Arc::new(vec![item])),
        }
    }

    /// Cuts the list off at a length.
    pub fn truncate(&mut self, len: usize) {
        self.pieces.truncate(len.div_ceil(PIECE));
        if !len.is_multiple_of(PIECE)
            && len < self.len()
            && let Some(last) = self.pieces.last_mut()
        {
            Arc::make_mut(last).truncate(len % PIECE);
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
        let mut pieces = Vec::new();
        loop {
            let piece: Vec<T> = items.by_ref().take(PIECE).collect();
            if piece.is_empty() {
                return Self { pieces };
            }
            pieces.push(Arc::new(piece));
        }
    }
}

impl<T> Index<usize> for PersistentVec<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.pieces[at / PIECE][at % PIECE]
    }
}

impl<T: Clone> IndexMut<usize> for PersistentVec<T> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut Arc::make_mut(&mut self.pieces[at / PIECE])[at % PIECE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_list_that_a_vector_is_and_copies_stay_as_they_were(
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
            prop_assert_eq!(list.last(), expected.last());
            prop_assert_eq!(list.get(from), expected.get(from));
            prop_assert!(list.iter().eq(&expected));
            prop_assert!(list.iter_from(from).eq(expected.get(from..).unwrap_or_default()));
            prop_assert!(copy.iter().copied().eq(0..first));
        }
    }
}
