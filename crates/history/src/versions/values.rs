//! The values of one version of a file, by key.
//!
//! A persistent radix tree: a version that is made from another one copies only the nodes above the values that
//! differ, and a comparison skips all shared nodes. So memory and time grow with the changes of a history, not with
//! versions × strings.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use gitglot_model::{KeyId, TextId};

/// The value of a key in a file: absent, or a text that counts as a translation or not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct TextValue(u32);

const UNTRANSLATED: u32 = 1 << 31;

impl TextValue {
    /// The file lacks the key.
    pub const ABSENT: Self = Self(0);

    /// A text and whether it counts as a translation.
    pub fn new(text: TextId, translated: bool) -> Self {
        Self((text.0 + 1) | if translated { 0 } else { UNTRANSLATED })
    }

    /// Whether the file has the key.
    pub fn is_present(self) -> bool {
        self.0 != 0
    }

    /// The text; `""` if the file lacks the key.
    pub fn text(self) -> TextId {
        TextId((self.0 & !UNTRANSLATED).saturating_sub(1))
    }

    /// Whether it counts as a translation.
    pub fn is_translated(self) -> bool {
        self.0 != 0 && self.0 & UNTRANSLATED == 0
    }
}

/// Leaves and inner nodes have the same size. They are small because most versions change few keys, and each change
/// copies one node per level.
const LEAF_BITS: u32 = 5;
const LEAF_WIDTH: usize = 1 << LEAF_BITS;
const INNER_BITS: u32 = 4;
const INNER_WIDTH: usize = 1 << INNER_BITS;

#[derive(Clone, Debug)]
enum ValuesNode {
    Leaf([TextValue; LEAF_WIDTH]),
    Inner([Option<Arc<ValuesNode>>; INNER_WIDTH]),
}

/// The values of one version. Cheap to clone.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(KeyId, TextValue)>", into = "Vec<(KeyId, TextValue)>")]
pub struct Values {
    root: Option<Arc<ValuesNode>>,
    /// Number of levels above the leaves.
    height: u32,
}

/// The number of key bits that the nodes at a level resolve, together with all levels below; leaves are level 0.
fn bits_below(level: u32) -> u32 {
    LEAF_BITS + level * INNER_BITS
}

/// The child of an inner node at a level, at least 1, that contains a key.
fn child_index(key: u32, level: u32) -> usize {
    (key >> bits_below(level - 1)) as usize % INNER_WIDTH
}

impl ValuesNode {
    fn empty(level: u32) -> Self {
        match level {
            0 => Self::Leaf([TextValue::ABSENT; LEAF_WIDTH]),
            _ => Self::Inner(Default::default()),
        }
    }

    fn set(&mut self, level: u32, key: u32, value: TextValue) {
        match self {
            Self::Leaf(values) => values[key as usize % LEAF_WIDTH] = value,
            Self::Inner(children) => {
                let below = level.saturating_sub(1);
                let child = children[child_index(key, level)]
                    .get_or_insert_with(|| Arc::new(Self::empty(below)));
                Arc::make_mut(child).set(below, key, value);
            }
        }
    }
}

impl Values {
    pub fn get(&self, key: KeyId) -> TextValue {
        if self.is_out_of_range(key) {
            return TextValue::ABSENT;
        }
        let (mut node, mut level) = (self.root.as_ref(), self.height);
        loop {
            match node.map(|node| &**node) {
                None => return TextValue::ABSENT,
                Some(ValuesNode::Leaf(values)) => return values[key.0 as usize % LEAF_WIDTH],
                Some(ValuesNode::Inner(children)) => {
                    node = children[child_index(key.0, level)].as_ref()
                }
            }
            level -= 1;
        }
    }

    /// Sets the value of a key; other versions keep theirs.
    pub fn set(&mut self, key: KeyId, value: TextValue) {
        if self.get(key) == value {
            return;
        }
        while self.is_out_of_range(key) {
            self.raise();
        }
        let empty = || Arc::new(ValuesNode::empty(self.height));
        let root = self.root.get_or_insert_with(empty);
        Arc::make_mut(root).set(self.height, key.0, value);
    }

    /// Calls `found` with the key and both values for each key whose values differ, in ascending order.
    pub fn diff(&self, other: &Self, found: &mut impl FnMut(KeyId, TextValue, TextValue)) {
        let (mut a, mut b) = (self.clone(), other.clone());
        while a.height < b.height {
            a.raise();
        }
        while b.height < a.height {
            b.raise();
        }
        diff_nodes(a.root.as_ref(), b.root.as_ref(), a.height, 0, found);
    }

    /// Calls `found` for each key that is present, in ascending order.
    pub fn each(&self, found: &mut impl FnMut(KeyId, TextValue)) {
        Self::default().diff(self, &mut |key, _, value| found(key, value));
    }

    fn is_out_of_range(&self, key: KeyId) -> bool {
        u64::from(key.0) >> bits_below(self.height) != 0
    }

    /// Adds a level above the root.
    fn raise(&mut self) {
        self.height += 1;
        self.root = self.root.take().map(|root| {
            let mut children: [Option<Arc<ValuesNode>>; INNER_WIDTH] = Default::default();
            children[0] = Some(root);
            Arc::new(ValuesNode::Inner(children))
        });
    }
}

impl From<Vec<(KeyId, TextValue)>> for Values {
    fn from(list: Vec<(KeyId, TextValue)>) -> Self {
        let mut values = Self::default();
        list.into_iter()
            .for_each(|(key, value)| values.set(key, value));
        values
    }
}

impl From<Values> for Vec<(KeyId, TextValue)> {
    fn from(values: Values) -> Self {
        let mut list = Self::new();
        values.each(&mut |key, value| list.push((key, value)));
        list
    }
}

/// Compares two nodes of the same level; `first` is the first key below them.
fn diff_nodes(
    a: Option<&Arc<ValuesNode>>,
    b: Option<&Arc<ValuesNode>>,
    level: u32,
    first: u32,
    found: &mut impl FnMut(KeyId, TextValue, TextValue),
) {
    if a.map(Arc::as_ptr) == b.map(Arc::as_ptr) {
        return;
    }
    if level == 0 {
        for (at, (a, b)) in (0..).zip(leaf(a).iter().zip(leaf(b))) {
            if a != b {
                found(KeyId(first + at), *a, *b);
            }
        }
        return;
    }
    for at in 0..INNER_WIDTH {
        let first = first + ((at as u32) << bits_below(level - 1));
        diff_nodes(child(a, at), child(b, at), level - 1, first, found);
    }
}

fn leaf(node: Option<&Arc<ValuesNode>>) -> &[TextValue; LEAF_WIDTH] {
    match node.map(|node| &**node) {
        Some(ValuesNode::Leaf(values)) => values,
        _ => &[TextValue::ABSENT; LEAF_WIDTH],
    }
}

fn child(node: Option<&Arc<ValuesNode>>, at: usize) -> Option<&Arc<ValuesNode>> {
    match &**node? {
        ValuesNode::Inner(children) => children[at].as_ref(),
        ValuesNode::Leaf(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn versions_keep_their_values_and_diff_finds_all_changes(
            first in prop::collection::vec((0u32..3000, 0u32..5), 0..60),
            second in prop::collection::vec((0u32..40_000, 0u32..5), 0..60),
        ) {
            let mut models = [BTreeMap::new(), BTreeMap::new()];
            let mut a = Values::default();
            for &(key, text) in &first {
                a.set(KeyId(key), TextValue(text));
                models[0].insert(key, text);
            }
            let mut b = a.clone();
            models[1] = models[0].clone();
            for &(key, text) in &second {
                b.set(KeyId(key), TextValue(text));
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
