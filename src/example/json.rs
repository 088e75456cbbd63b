//! Edits inside a JSON file that leave its key order and its looks alone.

use super::error::Problem;
use super::lex::{KeyPath, Step};
use super::script::Edit;
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value};

/// A JSON file that is being edited.
pub(super) struct Document {
    bom: bool,
    indent: String,
    line_end: bool,
    value: Value,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

impl Document {
    /// An empty object, two blanks deep, with an end to its last line.
    pub(super) fn new() -> Self {
        Self { bom: false, indent: "  ".into(), line_end: true, value: Value::Object(Map::new()) }
    }

    /// Reads a file; gives the parser's words when it is no JSON.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let bom = bytes.starts_with(BOM);
        let body = bytes.strip_prefix(BOM).unwrap_or(bytes);
        let value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
        // The first indented line tells how the file is indented.
        let text = String::from_utf8_lossy(body);
        let blanks = |line: &str| line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned();
        let indent = text.lines().map(blanks).find(|blanks| !blanks.is_empty()).unwrap_or_else(|| "  ".into());
        Ok(Self { bom, indent, line_end: body.ends_with(b"\n"), value })
    }

    /// The file's bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = if self.bom { BOM.to_vec() } else { Vec::new() };
        let pretty = PrettyFormatter::with_indent(self.indent.as_bytes());
        // Writing a value to memory cannot fail.
        let _ = self.value.serialize(&mut Serializer::with_formatter(&mut bytes, pretty));
        if self.line_end {
            bytes.push(b'\n');
        }
        bytes
    }

    /// Makes one edit.
    pub(super) fn apply(&mut self, edit: &Edit) -> Result<(), Problem> {
        match edit {
            Edit::Set { path, after, value } => {
                let (last, value) = (path.last(), value.clone());
                match (reach(&mut self.value, init(path), true)?, last, after) {
                    (Value::Object(map), Some(Step::Key(key)), Some(neighbour)) => {
                        let at = map.keys().position(|key| key == neighbour);
                        let at = at.ok_or_else(|| misfit(&format!("there is no neighbour '{neighbour}'")))?;
                        if map.contains_key(key) {
                            return Err(misfit(&format!("'{key}' has its place already")));
                        }
                        map.shift_insert(at + 1, key.clone(), value);
                    }
                    (_, _, Some(_)) => return Err(misfit("only a key can come after a neighbour")),
                    (_, Some(_), None) => *reach(&mut self.value, path, true)? = value,
                    (_, None, None) => return Err(misfit("there is no path")),
                }
            }
            Edit::Drop(path) => match (reach(&mut self.value, init(path), false)?, path.last()) {
                (Value::Object(map), Some(Step::Key(key))) => {
                    map.shift_remove(key).ok_or_else(|| misfit(&format!("there is no key '{key}' to drop")))?;
                }
                (Value::Array(list), Some(Step::Element(at))) if *at < list.len() => {
                    list.remove(*at);
                }
                _ => return Err(misfit("there is nothing to drop")),
            },
            Edit::Rename(path, name) => match (reach(&mut self.value, init(path), false)?, path.last()) {
                (Value::Object(map), Some(Step::Key(key))) if map.contains_key(key) && !map.contains_key(name) => {
                    let renamed = |(old, value): (String, Value)| (if old == *key { name.clone() } else { old }, value);
                    *map = std::mem::take(map).into_iter().map(renamed).collect();
                }
                _ => return Err(misfit("there is no such key to rename, or the new name is taken")),
            },
        }
        Ok(())
    }
}

fn misfit(text: &str) -> Problem {
    Problem::Misfit(text.to_owned())
}

fn init(path: &KeyPath) -> &[Step] {
    path.split_last().map_or(&[], |(_, init)| init)
}

/// Walks down; makes what is missing if `make`.
fn reach<'a>(value: &'a mut Value, path: &[Step], make: bool) -> Result<&'a mut Value, Problem> {
    let mut here = value;
    for step in path {
        if make && here.is_null() {
            *here = if let Step::Key(_) = step { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
        }
        here = match (here, step) {
            (Value::Object(map), Step::Key(key)) if make || map.contains_key(key) => {
                map.entry(key.as_str()).or_insert(Value::Null)
            }
            (Value::Array(list), Step::Element(_) | Step::Push) => {
                let at = if let Step::Element(at) = step { *at } else { list.len() };
                if *step == Step::Push && make {
                    list.push(Value::Null);
                }
                list.get_mut(at).ok_or_else(|| misfit(&format!("there is no element [{at}]; [+] adds one")))?
            }
            (_, Step::Key(key)) => return Err(misfit(&format!("'{key}' cannot be reached"))),
            _ => return Err(misfit("an element is named where there is no list")),
        };
    }
    Ok(here)
}
