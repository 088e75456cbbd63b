//! The formats `jsonc` (JSON with comments and trailing commas) and `json5` (`docs/spec/formats.md#jsonc`).

use std::fmt::Write as _;

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::entry::RawEntry;
use super::entry_list::EntryList;
use super::error::{ReadErrorKind, SyntaxError};
use super::json::read_relaxed;
use gitglot_model::SeededMap;

/// Adds the entries of a file. `json5`: whether the extensions of JSON5 are allowed.
pub(super) fn parse(text: &str, json5: bool, list: &mut EntryList) -> Result<(), SyntaxError> {
    if read_relaxed(text, list)? {
        return Ok(());
    }
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_loose_object_property_names: json5,
        allow_single_quoted_strings: json5,
        allow_hexadecimal_numbers: json5,
        allow_unary_plus_numbers: json5,
        allow_bare_decimal_point_numbers: json5,
        allow_non_finite_numbers: json5,
        allow_extended_string_escapes: json5,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let message = format!("expected valid JSON, found an error: {}", error.kind());
        ReadErrorKind::syntax(message, error.range().start)
    })?;
    let Some(root) = parsed.value else {
        return Err(ReadErrorKind::Blank.at(text.len()));
    };
    value(&root, &mut String::new(), root.range().start, list);
    Ok(())
}

/// Adds the entries of a value. The parser limits the nesting.
fn value(node: &Value<'_>, path: &mut String, offset: usize, list: &mut EntryList) {
    let length = path.len();
    let (text, translated) = match node {
        Value::Object(object) => {
            members(object, path, list);
            return;
        }
        Value::Array(array) => {
            for (index, element) in array.elements.iter().enumerate() {
                // Writing to a string cannot fail.
                let _ = write!(path, "[{index}]");
                value(element, path, element.range().start, list);
                path.truncate(length);
            }
            return;
        }
        Value::StringLit(string) => (&*string.value, !string.value.is_empty()),
        Value::NumberLit(number) => (
            number.value,
            number
                .value
                .contains(|digit| matches!(digit, '1'..='9' | 'N' | 'I')),
        ),
        Value::BooleanLit(boolean) => (if boolean.value { "True" } else { "False" }, boolean.value),
        Value::NullKeyword(_) => ("", false),
    };
    list.push(RawEntry {
        translated,
        ..RawEntry::new(path, text, offset)
    });
}

/// Adds the entries of an object. A duplicate has the position of the first and the value of the last.
fn members(object: &Object<'_>, path: &mut String, list: &mut EntryList) {
    let length = path.len();
    let properties = object.properties.iter();
    let named = properties.map(|property| (property.name.as_str(), property));
    let mut last: SeededMap<&str, &ObjectProp<'_>> = named.clone().collect();
    for (name, _) in named {
        let Some(property) = last.remove(name) else {
            continue;
        };
        if length > 0 {
            path.push('.');
        }
        path.push_str(name);
        value(&property.value, path, property.range().start, list);
        path.truncate(length);
    }
}
