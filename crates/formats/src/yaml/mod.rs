//! The formats `yaml`, `ruby-yaml` and `ruby-yaml-plurals` (`docs/spec/formats.md#yaml`).

mod scalar;
mod tree;

use super::as_json::JsonWriter;
use super::entry::{Alternative, RawEntry};
use super::entry_list::{EntryList, Translated};
use super::error::{ReadError, SyntaxError};
use super::fault::{FaultKind, FaultList, InvalidPart};
use super::input::located;
use gitglot_model::PluralForm;
use tree::{TreeSize, YamlNode, YamlTree, YamlValue};

/// What the names of a file mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum YamlDialect {
    /// Ids.
    Plain,
    /// As in `Plain`, but a single name at the top level is the language and no part of the ids.
    Ruby,
    /// As in `Ruby`, and plural categories are the forms of one text.
    RubyPlurals,
}

/// Adds the entries of a file.
pub(super) fn parse(
    text: &str,
    dialect: YamlDialect,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    let tree = YamlTree::parse(text)?;
    let Some(mut root) = tree.root() else {
        return Ok(());
    };
    if dialect != YamlDialect::Plain
        && let YamlValue::Mapping(members) = &root.value
        && let [(_, only)] = members.as_slice()
        && let YamlValue::Mapping(_) | YamlValue::Sequence(_) = tree.node(*only).value
    {
        root = tree.node(*only);
    }
    let mut walk = YamlWalk {
        tree: &tree,
        list,
        size: TreeSize::default(),
        has_plurals: dialect == YamlDialect::RubyPlurals,
    };
    walk.value(root, &mut String::new(), false)
}

/// The values of a file as JSON, if it has any.
pub(super) fn as_json(text: &str) -> Result<JsonWriter, SyntaxError> {
    let tree = YamlTree::parse(text)?;
    let mut json = JsonWriter::default();
    if let Some(root) = tree.root() {
        write(&tree, root, &mut json)?;
    }
    Ok(json)
}

/// Writes a value. A scalar is a text.
fn write(tree: &YamlTree, node: &YamlNode, json: &mut JsonWriter) -> Result<(), SyntaxError> {
    match &node.value {
        YamlValue::Null => json.plain("null", node.offset),
        YamlValue::Scalar { text, .. } => json.text(text, node.offset),
        YamlValue::Mapping(members) => {
            json.open('{', node.offset)?;
            for (name, value) in members {
                let value = tree.node(*value);
                json.name(name, value.offset)?;
                write(tree, value, json)?;
            }
            json.close('}');
            Ok(())
        }
        YamlValue::Sequence(elements) => {
            json.open('[', node.offset)?;
            for element in elements {
                write(tree, tree.node(*element), json)?;
            }
            json.close(']');
            Ok(())
        }
    }
}

/// Why a text is no YAML. The time is linear in its length: aliases are not expanded.
pub fn yaml_error(text: &str) -> Option<ReadError> {
    let error = tree::scan(text).err()?;
    Some(located(text, error))
}

/// Adds the names that occur twice in a mapping, and in files of Ruby those that are no texts without quotes.
pub(super) fn faults(text: &str, is_ruby: bool, list: &mut FaultList) -> Result<(), SyntaxError> {
    let tree = YamlTree::parse(text)?;
    for name in tree.booleans.iter().filter(|_| is_ruby) {
        let (word, value, offset) = (&name.word, name.value, tree.node(name.node).offset);
        let problem = match &name.first {
            Some(first) => {
                format!(
                    "Ruby reads the names {first} and {word} as {value}, and only one of the two counts: write both in quotes."
                )
            }
            None if name.is_root => {
                format!(
                    "Ruby reads the language {word} as {value}, so that no text is found: write it in quotes."
                )
            }
            None => {
                let problem = format!(
                    "Ruby reads the name {word} as {value}, so that the text is not found: write it in quotes, as the template does."
                );
                list.unlike(&name.path, offset, "", problem);
                continue;
            }
        };
        list.invalid(&name.path, offset, InvalidPart::Text, problem);
    }
    for duplicate in &tree.duplicates {
        let [first, again] = duplicate.nodes.map(|node| tree.node(node));
        let is_equal = match (&first.value, &again.value) {
            (YamlValue::Null, YamlValue::Null) => true,
            (YamlValue::Scalar { text, .. }, YamlValue::Scalar { text: other, .. }) => {
                text == other
            }
            _ => false,
        };
        let kind = FaultKind::Duplicate {
            first: first.offset,
            is_equal,
        };
        list.push(&duplicate.path, again.offset, kind);
    }
    Ok(())
}

/// Walks the tree and adds its scalars as entries.
struct YamlWalk<'t, 'l> {
    tree: &'t YamlTree,
    list: &'l mut EntryList,
    /// The size so far. Aliases repeat values and names.
    size: TreeSize,
    /// Whether plural categories are the forms of one text.
    has_plurals: bool,
}

impl<'t> YamlWalk<'t, '_> {
    fn value(
        &mut self,
        node: &YamlNode,
        path: &mut String,
        is_element: bool,
    ) -> Result<(), SyntaxError> {
        self.size.add(1, 0, node.offset)?;
        let length = path.len();
        match &node.value {
            // Python's notation, because an element cannot be left out.
            YamlValue::Null if is_element => self.push(path, "None", true, node.offset)?,
            YamlValue::Null => {}
            YamlValue::Scalar { text, translated } => {
                self.push(path, text, *translated, node.offset)?;
            }
            YamlValue::Mapping(members) if self.has_plurals && self.is_plural(members) => {
                self.plural(members, path, node.offset);
                self.list.check_size()?;
            }
            YamlValue::Mapping(members) => {
                if self.has_plurals {
                    self.alternative_plural(members, path, node.offset);
                }
                for (name, value) in members {
                    self.size.add(0, name.len(), node.offset)?;
                    if !path.is_empty() {
                        path.push_str("->");
                    }
                    path.push_str(name);
                    self.value(self.tree.node(*value), path, false)?;
                    path.truncate(length);
                }
            }
            YamlValue::Sequence(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    path.push_str(&format!("->[{index}]"));
                    self.value(self.tree.node(*element), path, true)?;
                    path.truncate(length);
                }
            }
        }
        Ok(())
    }

    /// Adds the forms of a mapping as one text, and as alternatives each form as a text.
    fn plural(&mut self, members: &[(String, usize)], path: &mut String, at: usize) {
        let forms = self.forms(members).into_iter();
        self.list
            .push_plural(RawEntry::new(path, "", at), Translated::AnyForm, forms);
        let length = path.len();
        for (name, value) in members {
            let value = self.tree.node(*value);
            if let YamlValue::Scalar { text, translated } = &value.value {
                path.push_str(if length == 0 { "" } else { "->" });
                path.push_str(name);
                self.list.alternatives().push(RawEntry {
                    translated: *translated,
                    ..RawEntry::new(path, text, value.offset)
                });
                path.truncate(length);
            }
        }
    }

    /// Adds the alternative of a mapping that is one text for a template.
    fn alternative_plural(&mut self, members: &[(String, usize)], path: &str, at: usize) {
        let forms = self.forms(members);
        if !forms.is_empty() {
            let entry = RawEntry {
                alternative: Some(Alternative::Plural),
                ..RawEntry::new(path, "", at)
            };
            let list = self.list.alternatives();
            list.push_plural(entry, Translated::AnyForm, forms.into_iter());
        }
    }

    /// The scalars of a mapping that are named after plural categories.
    fn forms(&self, members: &[(String, usize)]) -> Vec<(PluralForm, &'t str)> {
        let tree = self.tree;
        let form = |(name, value): &(String, usize)| {
            let text = match &tree.node(*value).value {
                YamlValue::Scalar { text, .. } => text.as_str(),
                YamlValue::Null => "",
                _ => return None,
            };
            Some((PluralForm::from_category(name)?, text))
        };
        members.iter().filter_map(form).collect()
    }

    /// Whether a mapping has the forms of a text: only plural categories, and *other* or several of them.
    fn is_plural(&self, members: &[(String, usize)]) -> bool {
        let is_form = |(name, value): &(String, usize)| {
            let value = &self.tree.node(*value).value;
            let is_text = matches!(value, YamlValue::Scalar { .. } | YamlValue::Null);
            is_text && PluralForm::from_category(name).is_some()
        };
        (members.len() > 1 || members.iter().any(|(name, _)| name == "other"))
            && members.iter().all(is_form)
    }

    fn push(
        &mut self,
        context: &str,
        text: &str,
        translated: bool,
        offset: usize,
    ) -> Result<(), SyntaxError> {
        self.list.push(RawEntry {
            translated,
            ..RawEntry::new(context, text, offset)
        });
        self.list.check_size()
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{Owned, entries};
    use gitglot_model::FileFormat;

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
    fn plural_categories_of_ruby_are_the_forms_of_one_text() {
        let text = b"cs:\n  files:\n    one: x\n    few: y\n    other: ~\n  a:\n    one: z\n  b:\n    other: v\n  \
                     c: {one: {other: u}, other: w}\n";
        let shown = |format| -> Vec<_> {
            let all = entries(format, text).unwrap();
            all.iter()
                .map(|it| format!("{} = {}", it.context, it.text))
                .collect()
        };
        assert_eq!(
            shown(FileFormat::RubyYamlPlurals),
            [
                "files = x\u{1e}\u{1e}y\u{1e}\u{1e}",
                "a->one = z",
                "b = v",
                "c->one = u",
                "c->other = w"
            ]
        );
        assert_eq!(shown(FileFormat::RubyYaml)[0], "files->one = x");
    }

    #[test]
    fn alternatives_of_ruby_are_for_templates_that_group_texts_differently() {
        let text = b"cs:\n  os:\n    one: x\n    other: y\n  by:\n    other: z\n    me: u\n";
        let mut found = Vec::new();
        let reader = crate::reader(FileFormat::RubyYamlPlurals);
        let mut add = |entry: crate::RawEntry<'_>| {
            let line = format!("{} = {} at {}", entry.context, entry.text, entry.offset);
            found.extend(entry.alternative.map(|_| line));
        };
        reader.read_all(text, &mut add).unwrap();
        let expected = ["os->one = x at 14", "os->other = y at 25", "by = z at 36"];
        assert_eq!(found, expected);
    }

    #[test]
    fn yaml_of_go_i18n_is_a_list_with_ids_or_an_object() {
        let shown = |text: &str| -> Vec<_> {
            let all = entries(FileFormat::GoI18nYaml, text.as_bytes()).unwrap();
            let show = |it: &Owned| format!("{} = {} ({})", it.context, it.text, it.note);
            all.iter().map(show).collect()
        };
        let list = "- id: b\n  translation: x\n- id: a\n  description: d\n  translation:\n    one: y\n    other: z\n- {id: 404, translation: no}\n";
        let expected = ["b = x ()", "a = y\u{1e}\u{1e}z (d)", "404 = False ()"];
        assert_eq!(shown(list), expected);
        let nested = "a:\n  other: x\nb:\n  c: {one: y, other: z}\nd: w\n";
        assert_eq!(
            shown(nested),
            ["a = x ()", "b.c = y\u{1e}\u{1e}z ()", "d = w ()"]
        );
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
