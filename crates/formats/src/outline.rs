//! What a reader knows of a version of a file when it parses the next one.

use super::json::JsonOutline;
use super::po::Block;

/// The structure of one version of a file. With it, only the differences of the next version are parsed. Opaque to
/// callers; about 8 bytes per entry of JSON and 36 of PO.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    pub(super) json: JsonOutline,
    /// The entries of a PO file; empty if the next version needs a full parse.
    pub(super) blocks: Vec<Block>,
}
