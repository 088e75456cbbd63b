//! Messages of browser extensions that Chrome refuses: without a text, or with a placeholder that the entry does not define.

use crate::fault::FaultList;
use crate::json::{JsonNode, with_tree};
use gitglot_model::SeededSet;

/// Adds the messages that Chrome refuses, with the extension.
pub(super) fn faults(text: &str, list: &mut FaultList) {
    // A file that does not parse has an error, not faults.
    let _ = with_tree(text, |root| {
        for message in root.children() {
            message_faults(message, list);
        }
        Ok(())
    });
}

fn message_faults(message: JsonNode<'_>, list: &mut FaultList) {
    let (name, offset) = (message.name(), message.offset());
    let Some(text) = message.get("message").and_then(JsonNode::string) else {
        let problem = "The entry has no message, so that Chrome does not load the extension: add it, or remove the entry.";
        list.unlike(&name, offset, "", problem.to_owned());
        return;
    };
    let placeholders = message.get("placeholders").into_iter();
    let defined = placeholders.flat_map(JsonNode::children);
    let defined: SeededSet<String> = defined
        .map(|placeholder| placeholder.name().to_ascii_lowercase())
        .collect();
    let is_undefined = |name: &&str| !defined.contains(&name.to_ascii_lowercase());
    if let Some(part) = variables(&text).find(is_undefined) {
        let problem = format!(
            "${part}$ is not in the placeholders of the entry, so that Chrome does not load the extension: copy them from the template."
        );
        list.unlike(&name, offset, &format!("${part}$"), problem);
    }
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
