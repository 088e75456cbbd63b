//! The formats `yaml` and `ruby-yaml` (`docs/spec/formats.md#yaml`).

mod scalar;
mod tree;

use super::entry_list::{EntryList, MAX_TEXT};
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use super::{RawEntry, ReadErrorKind};
use tree::{MAX_VALUES, YamlNode, YamlTree, YamlValue, too_many_values};

/// YAML files.
pub(super) struct Yaml {
    /// Whether a single top-level key is the language and no part of the ids.
    pub(super) language_root: bool,
}

impl ListFormat for Yaml {
    fn parse(&self, text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        let tree = YamlTree::parse(text)?;
        let Some(mut root) = tree.root() else {
            return Ok(());
        };
        let mut path = String::new();
        if self.language_root
            && let YamlValue::Mapping(members) = &root.value
            && let [(_, only)] = members.as_slice()
            && let YamlValue::Mapping(_) | YamlValue::Sequence(_) = tree.node(*only).value
        {
            root = tree.node(*only);
        }
        Flatten {
            tree: &tree,
            list,
            values: 0,
            name_bytes: 0,
        }
        .value(root, &mut path)
    }
}

/// Walks the tree and adds its scalars as entries.
struct Flatten<'t, 'l> {
    tree: &'t YamlTree,
    list: &'l mut EntryList,
    /// Values so far.
    values: usize,
    /// Bytes of names so far. Aliases repeat names.
    name_bytes: usize,
}

impl Flatten<'_, '_> {
    fn value(&mut self, node: &YamlNode, path: &mut String) -> Result<(), SyntaxError> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(too_many_values(node.offset));
        }
        let length = path.len();
        match &node.value {
            YamlValue::Null => {}
            YamlValue::Scalar { text, translated } => {
                self.list.push(RawEntry {
                    context: path,
                    text,
                    translated: *translated,
                    offset: node.offset,
                    ..RawEntry::default()
                });
                self.list.check_size()?;
            }
            YamlValue::Mapping(members) => {
                for (name, value) in members {
                    self.name_bytes += name.len();
                    if self.name_bytes > MAX_TEXT {
                        return Err(SyntaxError {
                            kind: ReadErrorKind::TooMuchText,
                            at: node.offset,
                        });
                    }
                    if !path.is_empty() {
                        path.push_str("->");
                    }
                    path.push_str(name);
                    self.value(self.tree.node(*value), path)?;
                    path.truncate(length);
                }
            }
            YamlValue::Sequence(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    path.push_str(&format!("->[{index}]"));
                    match self.tree.node(*element) {
                        // Python's notation, because an element cannot be left out.
                        null @ YamlNode {
                            value: YamlValue::Null,
                            ..
                        } => {
                            let offset = null.offset;
                            self.list.push(RawEntry {
                                context: path,
                                text: "None",
                                translated: true,
                                offset,
                                ..RawEntry::default()
                            });
                        }
                        element => self.value(element, path)?,
                    }
                    path.truncate(length);
                }
            }
        }
        Ok(())
    }
}
