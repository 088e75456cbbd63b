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
    /// Fails at the mapping whose names make too much text.
    fn count_name(&mut self, name: &str, at: usize) -> Result<(), SyntaxError> {
        self.name_bytes += name.len();
        if self.name_bytes > MAX_TEXT {
            return Err(SyntaxError {
                kind: ReadErrorKind::TooMuchText,
                at,
            });
        }
        Ok(())
    }

    /// Counts a value.
    fn count(&mut self, offset: usize) -> Result<(), SyntaxError> {
        self.values += 1;
        match self.values > MAX_VALUES {
            true => Err(too_many_values(offset)),
            false => Ok(()),
        }
    }

    fn value(&mut self, node: &YamlNode, path: &mut String) -> Result<(), SyntaxError> {
        self.count(node.offset)?;
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
                    self.count_name(name, node.offset)?;
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
                            self.count(offset)?;
                            self.list.push(RawEntry {
                                context: path,
                                text: "None",
                                translated: true,
                                offset,
                                ..RawEntry::default()
                            });
                            self.list.check_size()?;
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

#[cfg(test)]
mod tests {
    use super::super::test_support::entries;
    use crate::model::FileFormat;

    #[test]
    fn the_tag_of_a_name_makes_it_a_string() {
        let text = b"- {!!str null: w, null: x}\n- &a {b: y}\n- {!!str <<: z, !!null c: v}\n";
        let all = entries(FileFormat::Yaml, text).unwrap();
        let ids: Vec<_> = all.iter().map(|it| it.context.as_str()).collect();
        let expected = [
            "->[0]->null",
            "->[0]->None",
            "->[1]->b",
            "->[2]-><<",
            "->[2]->c",
        ];
        assert_eq!(ids, expected);
    }

    #[test]
    fn elements_without_a_value_count_as_values() {
        let (nulls, aliases) = ("~, ".repeat(2_000), "*a, ".repeat(2_000));
        let text = format!("- &a [{nulls}]\n- [{aliases}]\n");
        let error = entries(FileFormat::Yaml, text.as_bytes()).err();
        let message = error.map_or_else(String::new, |error| error.to_string());
        assert!(
            message.ends_with("expected at most two million values, found more"),
            "{message}"
        );
    }
}
