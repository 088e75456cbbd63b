//! The texts of one version of a file, by key, sharing what it has in common with other versions.
//!
//! A persistent radix tree: a version made from another copies only the nodes on the way to what
//! differs, and comparing two versions skips all that they share. So a long history costs what
//! changed in it, not versions × strings.

use std::sync::Arc;

use crate::model::{KeyIx, TextRef};

/// What a file has for a key: nothing, or a text that counts as a translation or not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Value(u32);

const UNTRANSLATED: u32 = 1 << 31;

impl Value {
    /// The file has no such key.
    pub const ABSENT: Self = Self(0);

    /// A text as a reader gave it.
    pub fn new(text: TextRef, translated: bool) -> Self {
        Self((text.0 + 1) | if translated { 0 } else { UNTRANSLATED })
    }

    /// The value as a number, for [`Self::from_raw`].
    pub fn raw(self) -> u32 {
        self.0
    }

    /// The value that [`Self::raw`] gave.
    pub fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// Whether the file has the key.
    pub fn is_present(self) -> bool {
        self.0 != 0
    }

    /// The text, `""` when there is none.
    pub fn text(self) -> TextRef {
        TextRef((self.0 & !UNTRANSLATED).saturating_sub(1))
    }

    /// Whether it counts as a translation.
    pub fn is_translated(self) -> bool {
        self.0 != 0 && self.0 & UNTRANSLATED == 0
    }
}

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;

type Leaf = [Value; WIDTH];

#[derive(Clone, Debug)]
enum Node {
    Leaf(Arc<Leaf>),
    Inner(Arc<[Option<Node>; WIDTH]>),
}

/// The values of one version. Cheap to clone.
#[derive(Clone, Default, Debug)]
pub(super) struct Values {
    root: Option<Node>,
    /// Levels of inner nodes above the leaves.
    height: u32,
}

impl Values {
    fn capacity(&self) -> u64 {
        1 << (BITS * (self.height + 1))
    }

    /// The value of a key.
    pub fn get(&self, key: KeyIx) -> Value {
        if u64::from(key.0) >= self.capacity() {
            return Value::ABSENT;
        }
        let mut node = self.root.as_ref();
        let mut level = self.height;
        loop {
            let at = (key.0 >> (BITS * level)) as usize % WIDTH;
            match node {
                None => return Value::ABSENT,
                Some(Node::Leaf(leaf)) => return leaf[at],
                Some(Node::Inner(inner)) => {
                    node = inner[at].as_ref();
                    level = level.saturating_sub(1);
                }
            }
        }
    }

    /// Sets the value of a key; other versions stay as they are.
    pub fn set(&mut self, key: KeyIx, value: Value) {
        if self.get(key) == value {
            return;
        }
        while u64::from(key.0) >= self.capacity() {
            if let Some(root) = self.root.take() {
                let mut inner: [Option<Node>; WIDTH] = std::array::from_fn(|_| None);
                inner[0] = Some(root);
                self.root = Some(Node::Inner(Arc::new(inner)));
            }
            self.height += 1;
        }
        let height = self.height;
        let root = self.root.get_or_insert_with(|| empty_node(height));
        set_in(root, height, key.0, value);
    }

    /// Calls `found` for each key whose values differ: key, value here, value there; by ascending key.
    pub fn diff(&self, other: &Self, found: &mut impl FnMut(KeyIx, Value, Value)) {
        let height = self.height.max(other.height);
        let raised = |values: &Self| {
            let mut node = values.root.clone();
            for _ in values.height..height {
                if let Some(low) = node.take() {
                    let mut inner: [Option<Node>; WIDTH] = std::array::from_fn(|_| None);
                    inner[0] = Some(low);
                    node = Some(Node::Inner(Arc::new(inner)));
                }
            }
            node
        };
        if self.height == other.height {
            diff_nodes(self.root.as_ref(), other.root.as_ref(), height, 0, found);
        } else {
            diff_nodes(raised(self).as_ref(), raised(other).as_ref(), height, 0, found);
        }
    }

    /// Calls `found` for each key that is present.
    pub fn each(&self, found: &mut impl FnMut(KeyIx, Value)) {
        Self::default().diff(self, &mut |key, _, value| found(key, value));
    }
}

fn empty_node(height: u32) -> Node {
    match height {
        0 => Node::Leaf(Arc::new([Value::ABSENT; WIDTH])),
        _ => Node::Inner(Arc::new(std::array::from_fn(|_| None))),
    }
}

fn set_in(node: &mut Node, level: u32, key: u32, value: Value) {
    let at = (key >> (BITS * level)) as usize % WIDTH;
    match node {
        Node::Leaf(leaf) => Arc::make_mut(leaf)[at] = value,
        Node::Inner(inner) => {
            let below = Arc::make_mut(inner)[at].get_or_insert_with(|| empty_node(level - 1));
            set_in(below, level - 1, key, value);
        }
    }
}

fn diff_nodes(a: Option<&Node>, b: Option<&Node>, level: u32, first: u32, found: &mut impl FnMut(KeyIx, Value, Value)) {
    match (a, b) {
        (None, None) => {}
        (Some(Node::Leaf(a)), Some(Node::Leaf(b))) if Arc::ptr_eq(a, b) => {}
        (Some(Node::Inner(a)), Some(Node::Inner(b))) if Arc::ptr_eq(a, b) => {}
        _ if level == 0 => {
            for at in 0..WIDTH {
                let (a, b) = (leaf_value(a, at), leaf_value(b, at));
                if a != b {
                    found(KeyIx(first + at as u32), a, b);
                }
            }
        }
        _ => {
            for at in 0..WIDTH {
                let first = first + ((at as u32) << (BITS * level));
                diff_nodes(child(a, at), child(b, at), level - 1, first, found);
            }
        }
    }
}

fn leaf_value(node: Option<&Node>, at: usize) -> Value {
    match node {
        Some(Node::Leaf(leaf)) => leaf[at],
        _ => Value::ABSENT,
    }
}

fn child(node: Option<&Node>, at: usize) -> Option<&Node> {
    match node {
        Some(Node::Inner(inner)) => inner[at].as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_version_keeps_its_values_and_tells_exactly_what_differs(
            first in prop::collection::vec((0u32..3000, 0u32..5), 0..60),
            second in prop::collection::vec((0u32..40_000, 0u32..5), 0..60),
        ) {
            let mut models = [BTreeMap::new(), BTreeMap::new()];
            let mut a = Values::default();
            for &(key, text) in &first {
                a.set(KeyIx(key), Value(text));
                models[0].insert(key, text);
            }
            let mut b = a.clone();
            models[1] = models[0].clone();
            for &(key, text) in &second {
                b.set(KeyIx(key), Value(text));
                models[1].insert(key, text);
            }
            let value = |model: &BTreeMap<u32, u32>, key| model.get(&key).copied().unwrap_or(0);
            let mut expected = Vec::new();
            for key in 0..40_000 {
                let (x, y) = (value(&models[0], key), value(&models[1], key));
                prop_assert_eq!((a.get(KeyIx(key)).0, b.get(KeyIx(key)).0), (x, y));
                if x != y {
                    expected.push((key, x, y));
                }
            }
            let mut found = Vec::new();
            a.diff(&b, &mut |key, x, y| found.push((key.0, x.0, y.0)));
            prop_assert_eq!(&found, &expected);
            found.clear();
            b.diff(&a, &mut |key, x, y| found.push((key.0, y.0, x.0)));
            prop_assert_eq!(found, expected);
        }
    }
}
