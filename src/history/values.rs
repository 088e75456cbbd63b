//! The texts of one version of a file, by key, sharing what it has in common with other versions.
//!
//! A persistent radix tree: a version made from another copies only the nodes on the way to what
//! differs, and comparing two versions skips all that they share. So a long history costs what
//! changed in it, not versions × strings.

use std::sync::Arc;

use crate::model::{KeyId, TextId};

/// What a file has for a key: nothing, or a text that counts as a translation or not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Value(u32);

const UNTRANSLATED: u32 = 1 << 31;

impl Value {
    /// The file has no such key.
    pub const ABSENT: Self = Self(0);

    /// A text as a reader gave it.
    pub fn new(text: TextId, translated: bool) -> Self {
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
    pub fn text(self) -> TextId {
        TextId((self.0 & !UNTRANSLATED).saturating_sub(1))
    }

    /// Whether it counts as a translation.
    pub fn is_translated(self) -> bool {
        self.0 != 0 && self.0 & UNTRANSLATED == 0
    }
}

/// Narrow nodes: most versions change few keys, and a version costs one node of each level on the way to each.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

type Leaf = [Value; WIDTH];

/// A node above the leaves. Its children are of one kind, so that each costs a pointer and no more.
#[derive(Clone, Debug)]
enum Inner {
    Leaves([Option<Arc<Leaf>>; WIDTH]),
    Inners([Option<Arc<Inner>>; WIDTH]),
}

impl Inner {
    /// An empty node, `height` levels above the leaves.
    fn empty(height: u32) -> Self {
        match height {
            0 | 1 => Self::Leaves(std::array::from_fn(|_| None)),
            _ => Self::Inners(std::array::from_fn(|_| None)),
        }
    }
}

#[derive(Clone, Debug)]
enum Root {
    Leaf(Arc<Leaf>),
    Inner(Arc<Inner>),
}

impl Root {
    fn leaf(&self) -> Option<&Arc<Leaf>> {
        if let Self::Leaf(leaf) = self { Some(leaf) } else { None }
    }

    fn inner(&self) -> Option<&Arc<Inner>> {
        if let Self::Inner(inner) = self { Some(inner) } else { None }
    }
}

/// The values of one version. Cheap to clone.
#[derive(Clone, Default, Debug)]
pub(super) struct Values {
    root: Option<Root>,
    /// Levels of inner nodes above the leaves.
    height: u32,
}

impl Values {
    fn capacity(&self) -> u64 {
        1 << (BITS * (self.height + 1))
    }

    /// The value of a key.
    pub fn get(&self, key: KeyId) -> Value {
        if u64::from(key.0) >= self.capacity() {
            return Value::ABSENT;
        }
        let mut node = match &self.root {
            None => return Value::ABSENT,
            Some(Root::Leaf(leaf)) => return leaf[place(key.0, 0)],
            Some(Root::Inner(inner)) => inner,
        };
        let mut level = self.height;
        loop {
            let at = place(key.0, level);
            match &**node {
                Inner::Leaves(leaves) => {
                    return leaves[at].as_ref().map_or(Value::ABSENT, |leaf| leaf[place(key.0, 0)]);
                }
                Inner::Inners(inners) => match &inners[at] {
                    None => return Value::ABSENT,
                    Some(below) => node = below,
                },
            }
            level = level.saturating_sub(1);
        }
    }

    /// Sets the value of a key; other versions stay as they are.
    pub fn set(&mut self, key: KeyId, value: Value) {
        if self.get(key) == value {
            return;
        }
        while u64::from(key.0) >= self.capacity() {
            self.height += 1;
            self.root = self.root.take().map(|root| raised(root, self.height));
        }
        let height = self.height;
        let root = self.root.get_or_insert_with(|| match height {
            0 => Root::Leaf(Arc::new([Value::ABSENT; WIDTH])),
            _ => Root::Inner(Arc::new(Inner::empty(height))),
        });
        match root {
            Root::Leaf(leaf) => Arc::make_mut(leaf)[place(key.0, 0)] = value,
            Root::Inner(inner) => set_in(inner, height, key.0, value),
        }
    }

    /// Calls `found` for each key whose values differ: key, value here, value there; by ascending key.
    pub fn diff(&self, other: &Self, found: &mut impl FnMut(KeyId, Value, Value)) {
        let height = self.height.max(other.height);
        let raised = |values: &Self| {
            let root = values.root.clone();
            (values.height + 1..=height).fold(root, |root, height| Some(raised(root?, height)))
        };
        let (a, b) = (raised(self), raised(other));
        let (a, b) = (a.as_ref(), b.as_ref());
        match height {
            0 => diff_leaves(a.and_then(Root::leaf), b.and_then(Root::leaf), 0, found),
            _ => diff_nodes(a.and_then(Root::inner), b.and_then(Root::inner), height, 0, found),
        }
    }

    /// Calls `found` for each key that is present.
    pub fn each(&self, found: &mut impl FnMut(KeyId, Value)) {
        Self::default().diff(self, &mut |key, _, value| found(key, value));
    }
}

/// Where a key stands in a node that many levels above the leaves.
fn place(key: u32, level: u32) -> usize {
    (key >> (BITS * level)) as usize % WIDTH
}

/// A tree one level higher, of that height then.
fn raised(root: Root, height: u32) -> Root {
    let mut inner = Inner::empty(height);
    match (root, &mut inner) {
        (Root::Leaf(leaf), Inner::Leaves(leaves)) => leaves[0] = Some(leaf),
        (Root::Inner(low), Inner::Inners(inners)) => inners[0] = Some(low),
        // A leaf is the root at height 0 alone, so that it is raised to 1, and an inner node to more.
        _ => {}
    }
    Root::Inner(Arc::new(inner))
}

fn set_in(node: &mut Arc<Inner>, level: u32, key: u32, value: Value) {
    let at = place(key, level);
    match Arc::make_mut(node) {
        Inner::Leaves(leaves) => {
            let leaf = leaves[at].get_or_insert_with(|| Arc::new([Value::ABSENT; WIDTH]));
            Arc::make_mut(leaf)[place(key, 0)] = value;
        }
        Inner::Inners(inners) => {
            let below = inners[at].get_or_insert_with(|| Arc::new(Inner::empty(level - 1)));
            set_in(below, level - 1, key, value);
        }
    }
}

/// Both nodes stand `level` levels above the leaves; `first` is the first key below them.
fn diff_nodes(
    a: Option<&Arc<Inner>>,
    b: Option<&Arc<Inner>>,
    level: u32,
    first: u32,
    found: &mut impl FnMut(KeyId, Value, Value),
) {
    if a.map(Arc::as_ptr) == b.map(Arc::as_ptr) {
        return;
    }
    for at in 0..WIDTH {
        let first = first + ((at as u32) << (BITS * level));
        if level <= 1 {
            diff_leaves(leaf(a, at), leaf(b, at), first, found);
        } else {
            diff_nodes(inner(a, at), inner(b, at), level - 1, first, found);
        }
    }
}

fn diff_leaves(a: Option<&Arc<Leaf>>, b: Option<&Arc<Leaf>>, first: u32, found: &mut impl FnMut(KeyId, Value, Value)) {
    if a.map(Arc::as_ptr) == b.map(Arc::as_ptr) {
        return;
    }
    let value = |leaf: Option<&Arc<Leaf>>, at: usize| leaf.map_or(Value::ABSENT, |leaf| leaf[at]);
    for at in 0..WIDTH {
        let (a, b) = (value(a, at), value(b, at));
        if a != b {
            found(KeyId(first + at as u32), a, b);
        }
    }
}

fn leaf(node: Option<&Arc<Inner>>, at: usize) -> Option<&Arc<Leaf>> {
    match &**node? {
        Inner::Leaves(leaves) => leaves[at].as_ref(),
        Inner::Inners(_) => None,
    }
}

fn inner(node: Option<&Arc<Inner>>, at: usize) -> Option<&Arc<Inner>> {
    match &**node? {
        Inner::Inners(inners) => inners[at].as_ref(),
        Inner::Leaves(_) => None,
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
                a.set(KeyId(key), Value(text));
                models[0].insert(key, text);
            }
            let mut b = a.clone();
            models[1] = models[0].clone();
            for &(key, text) in &second {
                b.set(KeyId(key), Value(text));
                models[1].insert(key, text);
            }
            let value = |model: &BTreeMap<u32, u32>, key| model.get(&key).copied().unwrap_or(0);
            let mut expected = Vec::new();
            for key in 0..40_000 {
                let (x, y) = (value(&models[0], key), value(&models[1], key));
                prop_assert_eq!((a.get(KeyId(key)).0, b.get(KeyId(key)).0), (x, y));
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
