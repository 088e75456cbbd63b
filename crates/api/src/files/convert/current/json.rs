//! Units as a JSON object, flat or nested by the parts of their keys.

use serde_json::{Map, Value};

use super::Conversion;

/// An object with the texts by key.
pub(super) fn flat(of: &Conversion<'_>) -> Vec<u8> {
    let members = of.strings().into_iter();
    let members = members.map(|unit| (unit.context, unit.first_target()));
    let members = members.map(|(key, text)| (key.to_owned(), text.into()));
    json(&Value::Object(members.collect())).into_bytes()
}

/// Objects and arrays by the parts of the keys.
pub(super) fn nested(of: &Conversion<'_>) -> Vec<u8> {
    let mut root = Value::Object(Map::new());
    for unit in of.strings() {
        insert(&mut root, unit.context, unit.first_target());
    }
    json(&root).into_bytes()
}

/// JSON with four spaces per level, ending in a newline.
fn json(value: &Value) -> String {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    // Values serialize to memory without errors.
    let _ = serde::Serialize::serialize(value, &mut serializer);
    out.push(b'\n');
    String::from_utf8(out).unwrap_or_default()
}

/// The parts of a nested key: names of members and indexes of elements.
fn parts(key: &str) -> impl Iterator<Item = KeyPart<'_>> {
    key.split('.').flat_map(|segment| {
        let (name, indexes) = segment.split_once('[').unwrap_or((segment, ""));
        let numbers: Option<Vec<usize>> = indexes
            .strip_suffix(']')
            .map(|all| all.split("][").map(|index| index.parse().ok()).collect())
            .unwrap_or_default();
        match numbers {
            Some(numbers) => {
                let indexes = numbers.into_iter().map(KeyPart::Index);
                std::iter::once(KeyPart::Name(name))
                    .chain(indexes)
                    .collect::<Vec<_>>()
            }
            None => vec![KeyPart::Name(segment)],
        }
    })
}

enum KeyPart<'a> {
    Name(&'a str),
    Index(usize),
}

/// The most levels of nested JSON. A key with more parts is one name: serializers recurse.
const MAX_LEVELS: usize = 64;

/// Inserts a text at a nested key. A key below a text, or an index that is not the next one, replaces what is there.
fn insert(root: &mut Value, key: &str, text: &str) {
    let mut at = root;
    let mut parts: Vec<_> = parts(key).take(MAX_LEVELS + 1).collect();
    if parts.len() > MAX_LEVELS {
        parts = vec![KeyPart::Name(key)];
    }
    for part in parts {
        at = match part {
            KeyPart::Name(name) => {
                if !at.is_object() {
                    *at = Value::Object(Map::new());
                }
                let Value::Object(members) = at else { return };
                members.entry(name).or_insert(Value::Null)
            }
            KeyPart::Index(index) => {
                if !at.is_array() {
                    *at = Value::Array(Vec::new());
                }
                let Value::Array(elements) = at else { return };
                let index = index.min(elements.len());
                if index == elements.len() {
                    elements.push(Value::Null);
                }
                &mut elements[index]
            }
        };
    }
    *at = text.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_keys_become_objects_and_arrays() {
        let mut root = Value::Object(Map::new());
        for (key, text) in [
            ("menu.home", "a"),
            ("list[0]", "b"),
            ("list[1]", "c"),
            ("x[y]", "d"),
        ] {
            insert(&mut root, key, text);
        }
        let expected = serde_json::json!({
            "menu": {"home": "a"}, "list": ["b", "c"], "x[y]": "d"
        });
        assert_eq!(root, expected);
    }

    #[test]
    fn a_key_of_very_many_parts_is_one_name() {
        for deep in ["a.".repeat(100_000), format!("a{}", "[0]".repeat(100_000))] {
            let mut root = Value::Object(Map::new());
            insert(&mut root, &deep, "b");
            assert_eq!(json(&root).lines().count(), 3);
        }
    }

    #[test]
    fn an_index_far_away_is_the_next_element() {
        let mut root = Value::Object(Map::new());
        insert(&mut root, "list[4000000000]", "a");
        assert_eq!(root, serde_json::json!({"list": ["a"]}));
    }
}
