//! Memory that one parse needs, reused for the next.

use std::cell::RefCell;

use super::token::JsonToken;
use crate::json_shape::{Container, JsonShape};
use crate::offsets::offset;

thread_local! {
    /// Buffers for the next parse on this thread. A history of small files then allocates almost nothing.
    static SPARE: RefCell<ParseBuffers> = RefCell::default();
}

/// Buffers with more tokens are dropped after the parse.
const SPARE_TOKENS: usize = 1 << 17;

/// Calls `work` with empty buffers. A parse inside a parse gets buffers of its own.
pub(super) fn with_buffers<T>(work: impl FnOnce(&mut ParseBuffers) -> T) -> T {
    let mut buffers = SPARE.take();
    buffers.clear();
    let result = work(&mut buffers);
    if buffers.tokens.capacity() <= SPARE_TOKENS {
        SPARE.set(buffers);
    }
    result
}

/// An object or array that the lexer is inside of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) token: u32,
    pub(super) container: u32,
    /// The path hash of the container's node.
    pub(super) hash: u32,
    /// The index of the current element, in an array.
    pub(super) index: Option<u32>,
}

/// The output of the lexer: the shape of the file, and tokens for its entries.
#[derive(Debug, Default)]
pub(super) struct ParseBuffers {
    pub(super) shape: JsonShape,
    pub(super) tokens: Vec<JsonToken>,
    pub(super) stack: Vec<Frame>,
    /// Whether a value is valid JSON but does not fit the format.
    pub(super) unsupported: bool,
    set: Vec<u32>,
}

impl ParseBuffers {
    pub(super) fn clear(&mut self) {
        self.shape.clear();
        self.tokens.clear();
        self.stack.clear();
        self.unsupported = false;
    }

    pub(super) fn node(&mut self, start: usize, hash: u32) {
        self.shape.starts.push(offset(start));
        self.shape.hashes.push(hash);
    }

    /// Makes the newest node a container with its opening bracket at `open`. Returns the index of the container.
    pub(super) fn container(&mut self, open: usize, parent: Option<u32>, object: bool) -> u32 {
        let index = offset(self.shape.containers.len());
        let static_parent = parent.is_none_or(|parent| {
            self.shape
                .container(parent)
                .is_some_and(|container| container.path_is_static)
        });
        self.shape.containers.push(Container {
            node: offset(self.shape.starts.len().saturating_sub(1)),
            open: offset(open),
            close: u32::MAX,
            parent: parent.unwrap_or(index),
            path_is_static: object && static_parent,
        });
        index
    }

    pub(super) fn close(&mut self, container: u32, at: usize) {
        if let Some(container) = self.shape.containers.get_mut(container as usize) {
            container.close = offset(at);
        }
    }

    /// The path hashes that may belong to several nodes. A hash that is not in the list certainly does not.
    pub(super) fn repeated_hashes(&mut self) -> Vec<u32> {
        let hashes = &self.shape.hashes;
        let size = (hashes.len() * 2).next_power_of_two();
        self.set.clear();
        self.set.resize(size, 0);
        let mut repeated = Vec::new();
        'next: for &hash in hashes {
            // 0 marks a free slot.
            let stored = hash.max(1);
            // After too many collisions, the exact comparison decides.
            for step in 0..64 {
                let slot = (stored as usize).wrapping_add(step) & (size - 1);
                match self.set.get_mut(slot) {
                    Some(slot) if *slot == 0 => {
                        *slot = stored;
                        continue 'next;
                    }
                    Some(slot) if *slot != stored => {}
                    _ => break,
                }
            }
            repeated.push(hash);
        }
        repeated
    }
}
