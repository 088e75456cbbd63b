//! The format and keys of a file.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;
use serde_json::Value;

use super::ReadBlob;
use crate::model::{BlobId, FileFormat};

/// The content of a file.
#[derive(Debug)]
pub(super) struct Content {
    /// Its format.
    pub format: FileFormat,
    /// Hashes of its keys.
    pub keys: HashSet<u64>,
    /// Whether any text is not empty.
    pub has_text: bool,
}

/// Reads files and caches the results.
pub(super) struct Contents<'a> {
    read: ReadBlob<'a>,
    known: HashMap<BlobId, Option<Rc<Content>>>,
}

impl<'a> Contents<'a> {
    pub fn new(read: ReadBlob<'a>) -> Self {
        Self { read, known: HashMap::new() }
    }

    /// The content of a blob; `None` if it cannot be read or is not JSON.
    pub fn of(&mut self, blob: BlobId) -> Option<Rc<Content>> {
        if let Some(known) = self.known.get(&blob) {
            return known.clone();
        }
        let content = (self.read)(blob).and_then(|bytes| Content::parse(&bytes)).map(Rc::new);
        self.known.insert(blob, content.clone());
        content
    }
}

impl Content {
    /// Parses a file.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let mut content = Self { format: FileFormat::Json, keys: HashSet::new(), has_text: false };
        match messages(&value) {
            Some(messages) => {
                content.format = FileFormat::WebExtension;
                for (key, message) in messages {
                    content.add(FxHasher::default(), key, message);
                }
            }
            None => content.add_leaves(FxHasher::default(), &value),
        }
        Some(content)
    }

    fn add_leaves(&mut self, path: FxHasher, value: &Value) {
        let mut child = |key: &dyn Fn(&mut FxHasher), value: &Value| {
            let mut path = path.clone();
            key(&mut path);
            match value {
                Value::String(text) => self.add(path, "", text),
                value => self.add_leaves(path, value),
            }
        };
        match value {
            Value::Object(members) => members.iter().for_each(|(key, value)| child(&|path| key.hash(path), value)),
            Value::Array(items) => items.iter().enumerate().for_each(|(at, value)| child(&|path| at.hash(path), value)),
            _ => {}
        }
    }

    fn add(&mut self, mut path: FxHasher, key: &str, text: &str) {
        key.hash(&mut path);
        self.keys.insert(path.finish());
        self.has_text |= !text.is_empty();
    }
}

/// The messages of a browser extension: an object of objects, most of them with a text called `message`.
fn messages(value: &Value) -> Option<Vec<(&str, &str)>> {
    let members = value.as_object()?;
    if !members.values().all(Value::is_object) {
        return None;
    }
    let messages: Vec<_> =
        members.iter().filter_map(|(key, entry)| Some((key.as_str(), entry.get("message")?.as_str()?))).collect();
    (!messages.is_empty() && messages.len() * 2 > members.len()).then_some(messages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Content> {
        Content::parse(text.as_bytes())
    }

    #[test]
    fn messages_of_an_extension_are_told_from_nested_texts() {
        let format = |text| parse(text).unwrap().format;
        assert_eq!(format(r#"{"a":{"message":"x"},"b":{"message":"y","description":"d"}}"#), FileFormat::WebExtension);
        assert_eq!(format(r#"{"a":{"title":"x"},"b":{"title":"y"}}"#), FileFormat::Json);
        assert_eq!(format(r#"{"a":{"message":"x"},"b":"y"}"#), FileFormat::Json);
        assert_eq!(format(r#"{"errors":{"message":{"none":"y"}}}"#), FileFormat::Json);
        assert_eq!(format("{}"), FileFormat::Json);
    }

    #[test]
    fn only_texts_have_keys() {
        let content = parse("\u{feff}{\"a\":{\"b\":\"x\",\"n\":1},\"c\":[\"y\",\"\",null],\"d\":{}}").unwrap();
        assert_eq!(content.keys.len(), 3);
        assert!(content.has_text);
        assert!(!parse(r#"{"de-DE":98,"fr":100}"#).unwrap().has_text);
        assert!(!parse(r#"{"a":""}"#).unwrap().has_text);
        assert!(parse("{").is_none());
        assert!(parse(&"[".repeat(100_000)).is_none());
    }
}
