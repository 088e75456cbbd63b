//! Numbers the keys that a component ever had.

use serde::{Deserialize, Serialize};

use gitglot_model::{KeyId, SeededMap, TextId};

/// Contexts and their numbers. The number of a key never changes.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<TextId>", into = "Vec<TextId>")]
pub struct KeyTable {
    numbers: SeededMap<TextId, KeyId>,
    contexts: Vec<TextId>,
}

impl KeyTable {
    /// The number of a context; allocates one for a new context.
    pub fn intern(&mut self, context: TextId) -> KeyId {
        let contexts = &mut self.contexts;
        *self.numbers.entry(context).or_insert_with(|| {
            contexts.push(context);
            KeyId(contexts.len() as u32 - 1)
        })
    }

    /// Removes the newest keys beyond a number of keys.
    pub fn truncate(&mut self, count: usize) {
        for context in self.contexts.drain(count.min(self.contexts.len())..) {
            self.numbers.remove(&context);
        }
    }

    /// The context of a key of this table. Panics for a key of another one, which would have a different context: no text
    /// is better than a wrong or an empty one.
    pub fn context(&self, key: KeyId) -> TextId {
        self.contexts[key.0 as usize]
    }

    /// The contexts of all keys, by number.
    pub fn contexts(&self) -> &[TextId] {
        &self.contexts
    }
}

impl From<Vec<TextId>> for KeyTable {
    fn from(contexts: Vec<TextId>) -> Self {
        let numbers = contexts.iter().copied().zip((0..).map(KeyId)).collect();
        Self { numbers, contexts }
    }
}

impl From<KeyTable> for Vec<TextId> {
    fn from(table: KeyTable) -> Self {
        table.contexts
    }
}
