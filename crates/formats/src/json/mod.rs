//! The JSON formats.
//!
//! - Text to tokens: `lexer` reads the syntax, `literal` the texts of strings and numbers, `tree` a value with
//!   everything inside it. The result is in `buffers`: tokens (`token`), and the structure of the file
//!   (`crate::json_shape`), in which `duplicates` finds names that occur twice. `relaxed` reads comments and trailing
//!   commas, `python_repr` prints values that are no texts.
//! - Dialects, parsed against an earlier version: `dialect` is their interface, `nested` and `webextension` are the two.
//!   `full_parse` parses a whole file, `incremental` the differences, `segment` their entries.
//! - Other formats, always parsed in full, one file each: they see the tokens as a tree (`node`); those with nested
//!   objects share `walk`.

pub(super) mod arb;
pub(super) mod banana;
mod buffers;
pub(super) mod catalog;
mod dialect;
mod duplicates;
pub(super) mod formatjs;
mod full_parse;
pub(super) mod go;
mod i18next;
mod incremental;
pub(super) mod inlang;
mod languages;
mod lexer;
mod literal;
#[cfg(test)]
mod naive_reader;
#[cfg(test)]
mod naive_tests;
mod nested;
mod node;
#[cfg(test)]
mod property_tests;
mod python_repr;
mod relaxed;
pub(super) mod resjson;
mod segment;
pub(super) mod source_keys;
mod token;
mod tree;
mod vue_i18n;
mod walk;
mod webextension;

pub(super) use catalog::split as split_catalog;
pub(super) use i18next::{I18next, I18nextV4};
pub(super) use incremental::Incremental;
pub(super) use languages::split as split_languages;
pub(super) use nested::Json;
pub(super) use node::{JsonNode, TreeEntries, read_tree, with_tree};
pub(super) use relaxed::{plain, read_relaxed};
pub(super) use vue_i18n::VueI18n;
pub(super) use walk::Walk;
pub(super) use webextension::{WebExtension, entries as webextension_entries};
