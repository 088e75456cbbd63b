//! Detects the translation files of a tree: file masks, templates and formats.
//!
//! Tries `*` in place of each part of each path. A mask makes a component if `*` matches language codes and one of
//! the files is the source of the others. Must not depend on git or HTTP: gets paths, and a closure that reads blobs.

mod candidates;
mod codes;
mod component;
mod content;
mod describe;
mod detect;
mod dialect;
mod documents;
mod error;
mod expand;
mod groups;
mod inlang;
mod linguas;
mod mask_index;
mod new_base;
mod other_files;
mod parts;
mod report;
mod syntax;
mod template;
mod terms;
mod tree_file;

pub use component::DetectedComponent;
pub use content::UnreadableFiles;
pub use describe::{BrokenComponents, Description, describe};
pub use detect::detect_components;
pub use error::DiscoverError;
pub use expand::expand;
pub use other_files::{OtherFiles, unread_lines, unused};
pub use report::{DiscoverReport, report};
pub use tree_file::{ReadBlob, TreeFile};

#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod tests;
