//! What is remembered of a file's shape: where its values begin, and which object holds which.

use std::hash::Hasher as _;

use super::lexer::{Kind, Quoted, Span, place};

/// Where the entries of one version of a file stand in its bytes, so that the next version need only be
/// read where it differs. Opaque to callers; about 8 bytes for each entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    pub(super) shape: Shape,
    /// Whether no object has two members of one name. Only such a file is reread in parts: where a name
    /// stands twice, what one member means depends on others far away.
    pub(super) plain: bool,
}

/// The places of a file's values, in file order.
///
/// A *node* is the whole value, a member of an object or an element of an array; node 0 is the whole value.
/// Every node is one entry, except for those that are a container.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    /// Where each node begins: a member at the first quote of its name. Ascending.
    pub(super) starts: Vec<u32>,
    /// A hash of each node's path, as long as `starts`. Two members of one object that have the same name
    /// have the same hash.
    pub(super) hashes: Vec<u32>,
    /// The objects and arrays, by ascending place.
    pub(super) containers: Vec<Container>,
}

/// An object or an array whose members or elements are nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Container {
    /// The node that it is the value of.
    pub(super) node: u32,
    /// The place of its opening bracket.
    pub(super) open: u32,
    /// The place of its closing bracket.
    pub(super) close: u32,
    /// The container around it; the outermost names itself.
    pub(super) parent: u32,
    /// Whether it is an object that stands in objects only, so that the ids of its entries do not depend
    /// on how many elements come before.
    pub(super) steady: bool,
}

impl Shape {
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.hashes.clear();
        self.containers.clear();
    }

    pub(super) fn container(&self, index: u32) -> Option<&Container> {
        self.containers.get(index as usize)
    }

    /// The innermost container whose opening bracket is before `at` and whose closing bracket is not.
    pub(super) fn enclosing(&self, at: u32) -> Option<u32> {
        let before = self.containers.partition_point(|container| container.open < at);
        let mut index = place(before.checked_sub(1)?);
        loop {
            let container = self.container(index)?;
            if container.close >= at {
                return Some(index);
            }
            index = self.outer(index)?;
        }
    }

    /// The container around that one.
    pub(super) fn outer(&self, index: u32) -> Option<u32> {
        let parent = self.container(index)?.parent;
        (parent < index).then_some(parent)
    }

    /// How many containers stand around the values in that one, with itself.
    pub(super) fn depth(&self, index: u32) -> usize {
        std::iter::successors(Some(index), |&index| self.outer(index)).count()
    }

    /// How many nodes begin before that place.
    pub(super) fn nodes_before(&self, at: u32) -> u32 {
        place(self.starts.partition_point(|&start| start < at))
    }

    /// How many entries the nodes before that one are.
    pub(super) fn entries_before(&self, node: u32) -> usize {
        node as usize - self.containers.partition_point(|container| container.node < node).min(node as usize)
    }

    /// Where the entry of that place in the list of entries begins.
    pub(super) fn start_of(&self, entry: usize) -> Option<u32> {
        // Each container before it is a node without an entry of its own.
        let mut node = entry;
        for container in &self.containers {
            node += usize::from(container.node as usize <= node);
        }
        self.starts.get(node).copied()
    }

    /// The container that this node is.
    pub(super) fn as_container(&self, node: u32) -> Option<&Container> {
        let index = self.containers.binary_search_by_key(&node, |container| container.node).ok()?;
        self.containers.get(index)
    }

    /// The node after that one and all that is in it.
    pub(super) fn after(&self, node: u32) -> u32 {
        self.as_container(node).map_or(node + 1, |container| self.nodes_before(container.close))
    }
}

/// A value as it was lexed, until its entries have been given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Token {
    /// The name, in an object.
    pub(super) name: Quoted,
    pub(super) kind: Kind,
    /// A string's content between the quotes; of anything else all of it.
    pub(super) value: Span,
    /// How many tokens follow that belong to this one.
    pub(super) inner: u32,
}

impl Token {
    /// Whether it is the whole value: only that has neither a name nor a place in an array.
    pub(super) fn is_root(&self) -> bool {
        self.name.span.from == 0
    }
}

/// An object or array that is being lexed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) token: u32,
    pub(super) container: u32,
    /// The path hash of the container's node.
    pub(super) hash: u32,
    /// The place of the element that was begun last, in an array.
    pub(super) index: Option<u32>,
}

/// What lexing makes: the shape of the new version, and tokens for what has to be told.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) shape: Shape,
    pub(super) tokens: Vec<Token>,
    pub(super) stack: Vec<Frame>,
    /// Whether each open bracket of a value that is passed over is a square one.
    pub(super) brackets: Vec<bool>,
    /// Whether a value does not fit the format although it is JSON.
    pub(super) odd: bool,
    set: Vec<u32>,
}

impl Draft {
    pub(super) fn clear(&mut self) {
        self.shape.clear();
        self.tokens.clear();
        self.stack.clear();
        self.brackets.clear();
        self.odd = false;
    }

    /// Adds a node.
    pub(super) fn node(&mut self, start: usize, hash: u32) {
        self.shape.starts.push(place(start));
        self.shape.hashes.push(hash);
    }

    /// Adds the container that the newest node is, with its opening bracket at `open`; returns its index.
    pub(super) fn container(&mut self, open: usize, parent: Option<u32>, object: bool) -> u32 {
        let index = place(self.shape.containers.len());
        let steady_parent = parent.is_none_or(|parent| self.shape.container(parent).is_some_and(|it| it.steady));
        self.shape.containers.push(Container {
            node: place(self.shape.starts.len().saturating_sub(1)),
            open: place(open),
            close: u32::MAX,
            parent: parent.unwrap_or(index),
            steady: object && steady_parent,
        });
        index
    }

    /// Notes where a container ends.
    pub(super) fn close(&mut self, container: u32, at: usize) {
        if let Some(container) = self.shape.containers.get_mut(container as usize) {
            container.close = place(at);
        }
    }

    /// Whether two nodes may have the same path: no two have if it says no.
    pub(super) fn may_repeat(&mut self) -> bool {
        let hashes = &self.shape.hashes;
        let size = (hashes.len() * 2).next_power_of_two();
        self.set.clear();
        self.set.resize(size, 0);
        hashes.iter().any(|&hash| {
            // 0 stands for a free place.
            let hash = hash.max(1);
            for step in 0..64 {
                let Some(slot) = self.set.get_mut((hash as usize).wrapping_add(step) & (size - 1)) else { break };
                if *slot == 0 {
                    *slot = hash;
                    return false;
                }
                if *slot == hash {
                    return true;
                }
            }
            // Far too many hashes that begin alike: leave it to the exact comparison.
            true
        })
    }
}

/// The hash of a path that goes on from another.
#[inline]
pub(super) fn path_hash(outer: u32, name: &[u8]) -> u32 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write_u32(outer);
    hasher.write(name);
    let hash = hasher.finish();
    // Folded, as neither half alone has mixed well.
    #[expect(clippy::cast_possible_truncation, reason = "the fold is the point")]
    {
        (hash ^ (hash >> 32)) as u32
    }
}
