//! Formats with nested objects: an entry's id is the path to it.

use std::fmt::Write as _;

use super::node::JsonNode;
use super::token::JsonKind;
use crate::entry::{Alternative, RawEntry};
use crate::entry_list::{EntryList, Translated};
use crate::error::SyntaxError;
use gitglot_model::PluralForm;

/// A JSON format with nested objects that has rules of its own for their members.
pub(crate) trait NestedDialect: Sized {
    /// Whether ids start with a dot (`docs/spec/formats.md#ids-with-a-leading-dot`).
    const LEADING_DOT: bool = false;

    /// Adds the entries of an object.
    fn object(&self, object: JsonNode<'_>, walk: &mut Walk<'_>) {
        for member in object.children() {
            walk.member(self, &member.name(), member);
        }
    }

    /// Adds the entry of a scalar.
    fn leaf(&self, leaf: JsonNode<'_>, walk: &mut Walk<'_>) {
        walk.push(leaf);
    }
}

/// The position in the tree.
pub(crate) struct Walk<'l> {
    path: String,
    leading_dot: bool,
    list: &'l mut EntryList,
}

impl<'l> Walk<'l> {
    /// Adds all entries of a file.
    pub(crate) fn run<D: NestedDialect>(
        dialect: &D,
        root: JsonNode<'_>,
        list: &'l mut EntryList,
    ) -> Result<(), SyntaxError> {
        let mut walk = Self {
            path: String::new(),
            leading_dot: D::LEADING_DOT,
            list,
        };
        walk.value(dialect, root);
        Ok(())
    }

    /// Adds the entries of a member of the current object under the given name.
    pub(super) fn member<D: NestedDialect>(
        &mut self,
        dialect: &D,
        name: &str,
        value: JsonNode<'_>,
    ) {
        self.below(name, |walk| walk.value(dialect, value));
    }

    /// Adds a plural entry of the current object under the given name.
    pub(super) fn plural<'f>(
        &mut self,
        name: &str,
        offset: usize,
        rule: Translated,
        forms: impl Iterator<Item = (PluralForm, &'f str)>,
    ) {
        self.below(name, |walk| walk.forms(offset, rule, forms));
    }

    /// Adds plural forms at the current path.
    pub(super) fn forms<'f>(
        &mut self,
        offset: usize,
        rule: Translated,
        forms: impl Iterator<Item = (PluralForm, &'f str)>,
    ) {
        let entry = RawEntry::new(&self.path, "", offset);
        self.list.push_plural(entry, rule, forms);
    }

    /// Adds an alternative with these forms under the given name of the current object.
    pub(super) fn alternative_plural<'f>(
        &mut self,
        name: &str,
        kind: Alternative,
        offset: usize,
        rule: Translated,
        forms: impl Iterator<Item = (PluralForm, &'f str)>,
    ) {
        self.below(name, |walk| {
            let entry = RawEntry {
                alternative: Some(kind),
                ..RawEntry::new(&walk.path, "", offset)
            };
            walk.list.alternatives().push_plural(entry, rule, forms);
        });
    }

    /// Adds the alternative of a text of the current object under the given name.
    pub(super) fn alternative_text(&mut self, name: &str, leaf: JsonNode<'_>) {
        let (text, translated) = leaf.leaf();
        self.below(name, |walk| {
            walk.list.alternatives().push(RawEntry {
                translated,
                ..RawEntry::new(&walk.path, &text, leaf.offset())
            });
        });
    }

    /// Adds a scalar at the current path.
    pub(super) fn push(&mut self, leaf: JsonNode<'_>) {
        let (text, translated) = leaf.leaf();
        self.push_text(leaf, &text, translated);
    }

    /// Adds a text for a scalar at the current path.
    pub(super) fn push_text(&mut self, leaf: JsonNode<'_>, text: &str, translated: bool) {
        self.list.push(RawEntry {
            translated,
            ..RawEntry::new(&self.path, text, leaf.offset())
        });
    }

    fn value<D: NestedDialect>(&mut self, dialect: &D, value: JsonNode<'_>) {
        match value.kind() {
            JsonKind::Object => dialect.object(value, self),
            JsonKind::Array => {
                let length = self.path.len();
                for (index, element) in value.children().enumerate() {
                    // Writing to a string cannot fail.
                    let _ = write!(self.path, "[{index}]");
                    self.value(dialect, element);
                    self.path.truncate(length);
                }
            }
            _ => dialect.leaf(value, self),
        }
    }

    /// Calls `add` with a name appended to the path.
    fn below(&mut self, name: &str, add: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if self.leading_dot || length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        add(self);
        self.path.truncate(length);
    }
}

/// Calls `add` with each message of an object and its id. Objects that are groups have messages, whose ids are joined with dots
/// after `path`.
///
/// # Errors
/// Those of `add`.
pub(super) fn each_message<'a>(
    object: JsonNode<'a>,
    path: &mut String,
    is_group: &dyn Fn(JsonNode<'a>) -> bool,
    add: &mut dyn FnMut(JsonNode<'a>, &str) -> Result<(), SyntaxError>,
) -> Result<(), SyntaxError> {
    let length = path.len();
    for message in object.children() {
        path.push_str(&message.name());
        if message.kind() == JsonKind::Object && is_group(message) {
            path.push('.');
            each_message(message, path, is_group, add)?;
        } else {
            add(message, path)?;
        }
        path.truncate(length);
    }
    Ok(())
}
