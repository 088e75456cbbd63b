//! A key that left a template although source code uses it.

use gitglot_model::KeyId;

/// A key that the template had and that code uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsedKey {
    /// The key.
    pub key: KeyId,
    /// The entry of the log at which it left the template.
    pub entry: u32,
    /// The file that uses it.
    pub path: String,
    /// The 1-based line.
    pub line: usize,
}
