//! JSON values as YAML, with quotes around every text that some reader could take for something else.

use serde_json::Value;

pub fn document(value: &Value) -> String {
    let mut out = String::new();
    nested(&mut out, value, 0);
    out.push('\n');
    out.trim_start().to_owned()
}

/// Writes the value after a name or a dash: a scalar after a space, others on new lines indented by `depth` levels.
fn nested(out: &mut String, value: &Value, depth: usize) {
    let line = |out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                line(out);
                text(out, name);
                out.push(':');
                nested(out, value, depth + 1);
            }
        }
        Value::Array(values) if !values.is_empty() => {
            for value in values {
                line(out);
                out.push('-');
                nested(out, value, depth + 1);
            }
        }
        Value::String(value) => {
            out.push(' ');
            text(out, value);
        }
        other => out.extend([" ", &other.to_string()]),
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
        assert_eq!(
            document(&value),
            "openapi: \"3.0.0\"\n\"200\":\n  a b: \"yes\"\n  time: \"2019-01-20T18:39:20Z\"\nlist:\n  - 1\n  -\n    \
             \"x\": []\n  - \"it: is\"\n\"y\": null\nempty: {}\n\"n\": \"n\"\n"
        );
    }
}
