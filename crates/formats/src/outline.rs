//! What a reader knows of a version of a file when it parses the next one.

use super::incremental::{Block, Scopes};
use super::json_shape::JsonOutline;

/// The structure of one version of a file. With it, only the differences of the next version are parsed. Opaque to
/// callers; about 8 bytes per entry of JSON and 40 of bilingual formats.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    pub(super) json: JsonOutline,
    /// The entries of a bilingual file; empty if the next version needs a full parse.
    pub(super) blocks: Vec<Block>,
    /// What the entries of a bilingual file in XML depend on.
    pub(super) scopes: Scopes,
}
