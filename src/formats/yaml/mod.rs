//! The formats `yaml` and `ruby-yaml` (`docs/spec/formats.md#yaml`).

mod scalar;
mod tree;

use super::RawEntry;
use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use tree::{YamlNode, YamlTree, YamlValue};

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
            budget: MAX_NODES,
        }
        .value(root, &mut path)
    }
}

/// Most values of a file after the expansion of aliases.
const MAX_NODES: usize = 2_000_000;

/// Walks the tree and adds its scalars as entries.
struct Flatten<'t, 'l> {
    tree: &'t YamlTree,
    list: &'l mut EntryList,
    budget: usize,
}

impl Flatten<'_, '_> {
    fn value(&mut self, node: &YamlNode, path: &mut String) -> Result<(), SyntaxError> {
        self.budget = self
            .budget
            .checked_sub(1)
            .ok_or_else(|| tree::too_many_aliases(node.offset))?;
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
            }
            YamlValue::Mapping(members) => {
                for (name, value) in members {
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
