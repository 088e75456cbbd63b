//! Messages of browser extensions that Chrome refuses: without a text, or with a placeholder that the entry does not define.

use serde_json::{Map, Value};

use crate::fault::FaultList;
use crate::outline::Outline;
use crate::registry::reader;
use gitglot_model::FileFormat;

/// Adds the messages that Chrome refuses, with the extension.
pub(super) fn faults(text: &str, list: &mut FaultList) {
    // What else is no JSON for this parser, such as very deep nesting, has no faults.
    let Ok(messages) = serde_json::from_str::<Map<String, Value>>(text) else {
        return;
    };
    // A file that does not parse has an error, not faults.
    let reader = reader(FileFormat::WebExtension);
    let _ = reader.read(text.as_bytes(), &mut Outline::default(), &mut |entry| {
        let Some(message) = messages.get(entry.context) else {
            return;
        };
        let (name, offset) = (entry.context, entry.offset);
        let Some(text) = message.get("message").and_then(Value::as_str) else {
            let problem = "The entry has no message, so that Chrome does not load the extension: add it, or remove the entry.";
            list.unlike(name, offset, "", problem.to_owned());
            return;
        };
        let defined = message.get("placeholders").and_then(Value::as_object);
        let is_defined = |name: &str| {
            let mut names = defined.into_iter().flat_map(Map::keys);
            names.any(|known| known.eq_ignore_ascii_case(name))
        };
        if let Some(part) = variables(text).find(|variable| !is_defined(variable)) {
            let problem = format!(
                "${part}$ is not in the placeholders of the entry, so that Chrome does not load the extension: copy them from the template."
            );
            list.unlike(name, offset, &format!("${part}$"), problem);
        }
    });
}

/// The names between two dollar signs, as Chrome finds them.
fn variables(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once('$')?;
            let (name, next) = after.split_once('$')?;
            let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_@".contains(&byte);
            if !name.is_empty() && name.bytes().all(is_part) {
                rest = next;
                return Some(name);
            }
            rest = after;
        }
    })
}
