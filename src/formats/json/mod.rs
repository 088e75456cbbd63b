//! The JSON formats.
//!
//! `lexer` and `tree` turn bytes into tokens. A `dialect` turns tokens into entries; `nested` and `webextension`
//! are dialects. `full_parse` parses a whole file, `incremental` the differences to an earlier version. The other
//! formats see the tokens as a tree (`node`, `tree_dialect`); those with nested objects share `walk`.

mod arb;
mod buffers;
mod common_prefix;
mod dialect;
mod duplicates;
mod formatjs;
mod full_parse;
mod go_i18n;
mod go_messages;
mod gotext;
mod i18next;
mod incremental;
mod lexer;
mod member;
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
mod resjson;
mod segment;
mod shape;
mod text;
mod token;
mod tree;
mod tree_dialect;
mod unescape;
mod vue_i18n;
mod walk;
mod webextension;

pub(super) use relaxed::read_relaxed;
pub use shape::Outline;

use super::{FormatReader, Part, RawEntry, ReadError};
use dialect::IncrementalDialect;
use tree_dialect::{Nested, TreeReader};

/// The format `json`.
pub(super) const JSON: &dyn FormatReader = &Incremental(nested::Json);

/// The format `webextension`.
pub(super) const WEB_EXTENSION: &dyn FormatReader = &Incremental(webextension::WebExtension);

/// The format `i18next`.
pub(super) const I18NEXT: &dyn FormatReader = &TreeReader(Nested(i18next::I18next));

/// The format `i18nextv4`.
pub(super) const I18NEXT_V4: &dyn FormatReader =
    &TreeReader(Nested(i18next::I18nextV4 { single_form: false }));

/// The format `i18nextv4` for a language with a single plural form.
pub(super) const I18NEXT_V4_SINGLE_FORM: &dyn FormatReader =
    &TreeReader(Nested(i18next::I18nextV4 { single_form: true }));

/// The format `vue-i18n`.
pub(super) const VUE_I18N: &dyn FormatReader = &TreeReader(Nested(vue_i18n::VueI18n));

/// The format `arb`.
pub(super) const ARB: &dyn FormatReader = &TreeReader(arb::Arb);

/// The format `formatjs`.
pub(super) const FORMATJS: &dyn FormatReader = &TreeReader(formatjs::FormatJs);

/// The format `go-i18n-json`.
pub(super) const GO_I18N_V1: &dyn FormatReader = &TreeReader(go_i18n::GoI18nV1);

/// The format `go-i18n-json-v2`.
pub(super) const GO_I18N_V2: &dyn FormatReader = &TreeReader(go_i18n::GoI18nV2);

/// The format `gotext`.
pub(super) const GOTEXT: &dyn FormatReader = &TreeReader(gotext::Gotext);

/// The format `resjson`.
pub(super) const RESJSON: &dyn FormatReader = &TreeReader(resjson::Resjson);

/// A JSON format that is parsed against an earlier version.
struct Incremental<D>(D);

impl<D: IncrementalDialect> FormatReader for Incremental<D> {
    fn read(
        &self,
        bytes: &[u8],
        outline: &mut Outline,
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) -> Result<(), ReadError> {
        full_parse::read(&self.0, bytes, outline, sink)
    }

    fn reparse(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: &mut dyn FnMut(Part<'_>),
    ) -> Result<(), ReadError> {
        incremental::reparse(&self.0, old, outline, new, sink)
    }
}
