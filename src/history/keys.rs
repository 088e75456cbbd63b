//! The keys that a component ever had, numbered densely.

use rustc_hash::FxHashMap;

use crate::model::{KeyId, TextId};

/// Contexts and their numbers. A key keeps its number for ever.
#[derive(Clone, Default, Debug)]
pub(super) struct Keys {
    numbers: FxHashMap<TextId, KeyId>,
    contexts: Vec<TextId>,
}

impl Keys {
    /// The number of a context, made if it is new.
    pub fn of(&mut self, context: TextId) -> KeyId {
        let contexts = &mut self.contexts;
        *self.numbers.entry(context).or_insert_with(|| {
            contexts.push(context);
            KeyId(contexts.len() as u32 - 1)
        })
    }

    /// The context of a key.
    pub fn context(&self, key: KeyId) -> Option<TextId> {
        self.contexts.get(key.0 as usize).copied()
    }

    /// The keys of these contexts, in their order.
    pub fn of_contexts(contexts: Vec<TextId>) -> Self {
        let numbers = contexts.iter().copied().zip((0..).map(KeyId)).collect();
        Self { numbers, contexts }
    }

    /// The contexts of all keys.
    pub fn contexts(&self) -> impl ExactSizeIterator<Item = TextId> + '_ {
        self.contexts.iter().copied()
    }

    /// The contexts of the keys from a number on.
    pub fn contexts_from(&self, from: usize) -> impl Iterator<Item = TextId> + '_ {
        self.contexts.get(from..).unwrap_or(&[]).iter().copied()
    }
}
