//! JSON values as YAML, with quotes around every text that some reader could take for something else.

use serde_json::Value;

/// Writes a value as a block, each line indented by `depth` levels, ending in a newline.
pub(crate) fn block(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                indent(out, depth);
                text(out, name);
                out.push(':');
                after(out, value, depth + 1);
            }
        }
        Value::Array(values) if !values.is_empty() => {
            for value in values {
                indent(out, depth);
                out.push('-');
                after(out, value, depth + 1);
            }
        }
        flat => {
            indent(out, depth);
            scalar(out, flat);
            out.push('\n');
        }
    }
}

/// The value after a name or a dash.
fn after(out: &mut String, value: &Value, depth: usize) {
    let nested = match value {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(values) => !values.is_empty(),
        _ => false,
    };
    if nested {
        out.push('\n');
        block(out, value, depth);
    } else {
        out.push(' ');
        scalar(out, value);
        out.push('\n');
    }
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

fn scalar(out: &mut String, value: &Value) {
    match value {
        Value::String(value) => text(out, value),
        other => out.push_str(&other.to_string()),
    }
}

/// A text: bare when it is a plain word or path, else in JSON's quotes, which YAML reads alike.
fn text(out: &mut String, text: &str) {
    const SPECIAL: [&str; 8] = ["true", "false", "null", "yes", "no", "on", "off", "nan"];
    let word =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '-' | '.' | ' ' | '$');
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '$'))
        && text.chars().all(word)
        && !text.ends_with(' ')
        && text.len() > 1
        && !SPECIAL
            .iter()
            .any(|special| text.eq_ignore_ascii_case(special));
    if plain {
        out.push_str(text);
    } else {
        out.push_str(&Value::from(text).to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_could_be_misread_are_quoted() {
        let value = serde_json::json!({
            "openapi": "3.0.0", "200": {"a b": "yes", "time": "2019-01-20T18:39:20Z"}, "list": [1, {"x": []}, "it: is"],
            "y": null, "empty": {}, "n": "n"
        });
        let mut out = String::new();
        block(&mut out, &value, 0);
        assert_eq!(
            out,
            "openapi: \"3.0.0\"\n\"200\":\n  a b: \"yes\"\n  time: \"2019-01-20T18:39:20Z\"\nlist:\n  - 1\n  -\n    \
             \"x\": []\n  - \"it: is\"\n\"y\": null\nempty: {}\n\"n\": \"n\"\n"
        );
    }
}
