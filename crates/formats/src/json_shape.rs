//! The structure of a JSON file: the offsets of its values, and the nesting of its objects.

use std::hash::{BuildHasher as _, Hasher as _};

use super::incremental::folded;
use super::offsets::offset;
use gitglot_model::Seeded;

/// The typical length of an index in brackets; a dot is shorter.
pub(super) const SEPARATOR: usize = 4;

/// Offsets of the entries of one version of a file; about 8 bytes per entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct JsonOutline {
    pub(super) shape: JsonShape,
    /// Whether no object has two members with the same name. Other files always get a full parse, because a
    /// member's meaning then depends on distant members.
    pub(super) names_are_unique: bool,
}

/// The offsets of a file's values, in file order.
///
/// A *node* is the root value, a member of an object or an element of an array. Node 0 is the root. Every node
/// that is not a container is one entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct JsonShape {
    /// Offset of each node, ascending. A member begins at the first quote of its name.
    pub(super) starts: Vec<u32>,
    /// A hash of the path of each node. Members of one object with the same name have the same hash.
    pub(super) hashes: Vec<u32>,
    /// The objects and arrays, by ascending offset.
    pub(super) containers: Vec<Container>,
}

/// An object or array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Container {
    pub(super) node: u32,
    /// Offset of its opening bracket.
    pub(super) open: u32,
    /// Offset of its closing bracket.
    pub(super) close: u32,
    /// The parent container; the root is its own parent.
    pub(super) parent: u32,
    /// Whether it is an object with no array among its ancestors. The ids of its entries then do not depend on
    /// element indexes.
    pub(super) path_is_static: bool,
}

impl JsonShape {
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.hashes.clear();
        self.containers.clear();
    }

    pub(super) fn container(&self, index: u32) -> Option<&Container> {
        self.containers.get(index as usize)
    }

    /// The innermost container that opens before `at` and closes at or after it.
    pub(super) fn enclosing(&self, at: u32) -> Option<u32> {
        let before = self
            .containers
            .partition_point(|container| container.open < at);
        let mut index = offset(before.checked_sub(1)?);
        loop {
            let container = self.container(index)?;
            if container.close >= at {
                return Some(index);
            }
            index = self.outer(index)?;
        }
    }

    pub(super) fn outer(&self, index: u32) -> Option<u32> {
        let parent = self.container(index)?.parent;
        (parent < index).then_some(parent)
    }

    /// Number of containers around a value in this one, including it.
    pub(super) fn depth(&self, index: u32) -> usize {
        std::iter::successors(Some(index), |&index| self.outer(index)).count()
    }

    /// Number of nodes that begin before that offset.
    pub(super) fn nodes_before(&self, at: u32) -> u32 {
        offset(self.starts.partition_point(|&start| start < at))
    }

    /// Number of entries before that node.
    pub(super) fn entries_before(&self, node: u32) -> usize {
        let containers = &self.containers;
        let before = containers.partition_point(|container| container.node < node);
        (node as usize).saturating_sub(before)
    }

    /// An upper bound of the length of all ids in bytes, without the names of the entries themselves: the name of a
    /// container is part of the id of each value inside it.
    pub(super) fn max_id_bytes(&self) -> usize {
        let bytes = |container: &Container| {
            let start = self.starts[container.node as usize];
            let name = container.open.saturating_sub(start);
            let inside = self.nodes_before(container.close);
            let inside = inside.saturating_sub(container.node);
            (name as usize + SEPARATOR).saturating_mul(inside as usize)
        };
        let all = self.containers.iter().map(bytes);
        all.fold(0, usize::saturating_add)
    }

    pub(super) fn as_container(&self, node: u32) -> Option<&Container> {
        let containers = &self.containers;
        let index = containers.binary_search_by_key(&node, |container| container.node);
        containers.get(index.ok()?)
    }

    /// The node after that one and its descendants.
    pub(super) fn after(&self, node: u32) -> u32 {
        self.as_container(node)
            .map_or(node + 1, |container| self.nodes_before(container.close))
    }
}

/// The hash of a path: the parent's hash combined with a name.
#[inline]
pub(super) fn path_hash(outer: u32, name: &[u8]) -> u32 {
    let mut hasher = Seeded::default().build_hasher();
    hasher.write_u32(outer);
    hasher.write(name);
    folded(hasher.finish())
}
