//! The format and keys of a file.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, Hash, Hasher};
use std::rc::Rc;

use serde_json::Value;

use super::candidates::extension;
use super::component::DetectedComponent;
use super::dialect;
use super::tree_file::{ReadBlob, TreeFile};
use gitglot_formats::{ReadError, ReadErrorKind, read_file};
use gitglot_model::{BlobId, FileFormat, PluralForm, Seeded, SeededHasher, language};

#[derive(Debug)]
pub(super) struct FileContent {
    /// Its format.
    pub format: FileFormat,
    /// Hashes of its keys.
    pub keys: HashSet<u64>,
    /// Hashes of the keys that it has for a template that groups plural forms differently.
    pub alternatives: HashSet<u64>,
    /// Whether any text is not empty.
    pub has_text: bool,
    /// Whether its keys are the source texts, if no other file has these.
    pub has_sources_as_keys: bool,
}

/// Reads files and caches the results.
pub(super) struct ContentCache<'a> {
    read: ReadBlob<'a>,
    known: HashMap<BlobId, Result<Rc<FileContent>, ReadError>>,
    /// The values of JSON files with settings.
    values: HashMap<BlobId, Option<Rc<Value>>>,
    /// The files that were read and do not parse, and the masks that are left out, with the reason.
    pub unreadable: UnreadableFiles,
    /// Those of them that are always reported: files that are named like templates, and what is left out.
    pub always_reported: HashSet<String>,
    /// The components of files with all languages that do not parse.
    pub broken_tables: Vec<DetectedComponent>,
}

/// Files that do not parse and masks that are left out, with the reason, by path from the repository's root.
pub type UnreadableFiles = BTreeMap<String, String>;

impl<'a> ContentCache<'a> {
    /// Notes why a candidate is no component.
    pub fn leave_out(&mut self, path: String, reason: String) {
        self.always_reported.insert(path.clone());
        self.unreadable.insert(path, reason);
    }

    pub fn new(read: ReadBlob<'a>) -> Self {
        Self {
            read,
            known: HashMap::new(),
            values: HashMap::new(),
            unreadable: UnreadableFiles::new(),
            always_reported: HashSet::new(),
            broken_tables: Vec::new(),
        }
    }

    /// Whether a file was read and does not parse.
    pub fn is_broken(&self, file: &TreeFile) -> bool {
        self.unreadable.contains_key(&file.path)
    }

    /// Whether a file that is named as a template has texts, or does not parse, which is always reported.
    pub fn has_text_or_is_broken(&mut self, file: &TreeFile) -> bool {
        if let Some(content) = self.of(file) {
            return content.has_text;
        }
        let is_broken = self.is_broken(file);
        if is_broken {
            self.always_reported.insert(file.path.clone());
        }
        is_broken
    }

    /// The content of a file; `None` if it cannot be read or does not parse.
    pub fn of(&mut self, file: &TreeFile) -> Option<Rc<FileContent>> {
        let known = match self.known.entry(file.blob) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let bytes = (self.read)(file.blob)?;
                if is_code(&file.path, &bytes) {
                    return None;
                }
                new.insert(FileContent::parse(&file.path, &bytes).map(Rc::new))
            }
        };
        match known {
            Ok(content) => Some(Rc::clone(content)),
            Err(error) => {
                (self.unreadable).insert(file.path.clone(), error.to_string());
                None
            }
        }
    }

    /// The value of a small JSON file; `None` if it is larger than `limit` or does not parse. Many masks ask for the same.
    pub fn json(&mut self, file: &TreeFile, limit: usize) -> Option<Rc<Value>> {
        if let Some(known) = self.values.get(&file.blob) {
            return known.clone();
        }
        let bytes = self.bytes(file, limit);
        let value = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let value = value.map(Rc::new);
        self.values.insert(file.blob, value.clone());
        value
    }

    /// The bytes of a small file; `None` if it is larger than `limit`.
    pub fn bytes(&mut self, file: &TreeFile, limit: usize) -> Option<Vec<u8>> {
        (self.read)(file.blob).filter(|bytes| bytes.len() <= limit)
    }

    /// The keys of a file that is read in a format, to compare it with a file of this format; none if it does not parse.
    pub fn keys_as(&mut self, file: &TreeFile, format: FileFormat) -> HashSet<u64> {
        // A translation with only `key_other` is no plural, so its ids are compared as those of plain JSON.
        let format = match format {
            FileFormat::I18nextV4 => FileFormat::Json,
            other => other,
        };
        let bytes = (self.read)(file.blob).unwrap_or_default();
        FileContent::parse_as(format, &bytes)
            .map_or_else(|_| HashSet::new(), |content| content.keys)
    }
}

impl FileContent {
    fn new(format: FileFormat) -> Self {
        Self {
            format,
            keys: HashSet::new(),
            alternatives: HashSet::new(),
            has_text: false,
            has_sources_as_keys: false,
        }
    }

    /// Parses a file in the format that its name and content indicate.
    ///
    /// # Errors
    /// If it does not parse.
    pub fn parse(path: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        let extension = extension(path).unwrap_or(".json");
        let format = match extension {
            ".json" => return Self::parse_json(bytes),
            ".yml" | ".yaml" => return Self::parse_yaml(path, bytes),
            ".toml" => return Self::parse_toml(bytes),
            ".php" if is_of_laravel(path) => FileFormat::Laravel,
            ".php" => FileFormat::Php,
            ".ts" if is_xml(bytes) => FileFormat::QtTs,
            extension if FileFormat::JavaScript.has_extension(extension) => {
                return Self::parse_module(bytes);
            }
            ".properties" if !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok() => {
                FileFormat::PropertiesUtf8
            }
            extension => {
                if let Some(read) = Self::parse_bilingual(extension, bytes) {
                    return read;
                }
                FileFormat::with_extension(extension).unwrap_or(FileFormat::Json)
            }
        };
        Self::parse_as(format, bytes)
    }

    fn parse_as(format: FileFormat, bytes: &[u8]) -> Result<Self, ReadError> {
        let mut content = Self::new(format);
        let (mut names, mut sentences) = (0, 0);
        let reader = gitglot_formats::reader(format);
        reader.read_all(bytes, &mut |entry| {
            if entry.alternative.is_some() {
                let key = Seeded::default().hash_one(entry.context);
                content.alternatives.insert(key);
            } else {
                names += 1;
                sentences += usize::from(entry.context.trim().contains(' '));
                content.add(Seeded::default().build_hasher(), entry.context, entry.text);
            }
        })?;
        // A file with nested texts cannot be read so.
        let of_sources = format.with_sources_as_keys();
        let of_sources = of_sources.filter(|_| sentences * 2 > names);
        content.has_sources_as_keys =
            of_sources.is_some_and(|format| read_file(format, bytes, &mut |_| ()).is_ok());
        Ok(content)
    }

    /// Modules for i18next have forms of plurals.
    fn parse_module(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut names = HashSet::new();
        read_file(FileFormat::JavaScript, bytes, &mut |entry| {
            let name = entry.context;
            if name.ends_with("_one") || name.ends_with("_other") {
                names.insert(name.to_owned());
            }
        })?;
        let has_other = |name: &String| {
            let stem = name.strip_suffix("_one");
            stem.is_some_and(|stem| names.contains(&format!("{stem}_other")))
        };
        let format = if names.iter().any(has_other) {
            FileFormat::I18nextModule
        } else {
            FileFormat::JavaScript
        };
        Self::parse_as(format, bytes)
    }

    fn parse_toml(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut names = GoNames::default();
        read_file(FileFormat::Toml, bytes, &mut |entry| {
            names.add(entry.context, ".")
        })?;
        // Messages can be nested next to plain texts: a table of forms alone is one, whatever the others are.
        let format = if names.are_of_go() || names.has_plain_message() {
            FileFormat::GoI18nToml
        } else {
            FileFormat::Toml
        };
        Self::parse_as(format, bytes)
    }

    /// Files of Ruby have a single name at the root: the language.
    fn parse_yaml(path: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        let mut root: Option<String> = None;
        let mut is_ruby = true;
        let mut names = GoNames::default();
        let (mut messages, mut others) = (0, 0);
        read_file(FileFormat::Yaml, bytes, &mut |entry| {
            let (name, below) = entry.context.split_once("->").unzip();
            match (&root, name) {
                (None, Some(name)) => root = Some(name.to_owned()),
                (Some(root), Some(name)) if *root == *name => {}
                _ => is_ruby = false,
            }
            names.add(entry.context, "->");
            match below {
                Some("message") => messages += 1,
                None => others += 1,
                Some(_) => {}
            }
        })?;
        let is_language = |name: String| language::resolve(&name).rank.is_some();
        let format = if is_ruby && root.is_some_and(is_language) {
            FileFormat::RubyYamlPlurals
        } else if path.contains("_locales/") && messages > 0 && others == 0 {
            FileFormat::WebExtensionYaml
        } else if names.are_of_go() {
            FileFormat::GoI18nYaml
        } else {
            FileFormat::Yaml
        };
        Self::parse_as(format, bytes)
    }

    /// Of the bilingual formats with an ending, the first one that can read the file.
    fn parse_bilingual(extension: &str, bytes: &[u8]) -> Option<Result<Self, ReadError>> {
        let formats = FileFormat::ALL
            .into_iter()
            .filter(|format| !format.shape().has_template() && format.has_extension(extension));
        let mut read = formats.map(|format| Self::parse_as(format, bytes));
        let first = read.next()?;
        Some(first.or_else(|error| read.find_map(Result::ok).ok_or(error)))
    }

    fn parse_json(bytes: &[u8]) -> Result<Self, ReadError> {
        let plain = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let Ok(value) = serde_json::from_slice::<Value>(plain) else {
            // Comments and trailing commas.
            return Self::parse_as(FileFormat::Jsonc, bytes)
                .or_else(|_| Self::parse_as(FileFormat::Json, bytes));
        };
        let mut content = Self::new(dialect::of(&value));
        content.has_sources_as_keys = dialect::has_sources_as_keys(&value);
        if let Some(messages) = messages(&value) {
            content.format = FileFormat::WebExtension;
            for (key, message) in messages {
                content.add(Seeded::default().build_hasher(), key, message);
            }
        } else if content.format == FileFormat::Json {
            content.add_leaves(&Seeded::default().build_hasher(), &value);
        } else {
            return Self::parse_as(content.format, bytes);
        }
        Ok(content)
    }

    fn add_leaves(&mut self, path: &SeededHasher, value: &Value) {
        match value {
            Value::Object(members) => {
                members
                    .iter()
                    .for_each(|(key, value)| self.add_child(path, key, value));
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                items.for_each(|(at, value)| self.add_child(path, at, value));
            }
            _ => {}
        }
    }

    fn add_child(&mut self, path: &SeededHasher, name: impl Hash, value: &Value) {
        let mut path = path.clone();
        name.hash(&mut path);
        match value {
            Value::String(text) => self.add(path, "", text),
            value => self.add_leaves(&path, value),
        }
    }

    fn add(&mut self, mut path: SeededHasher, key: &str, text: &str) {
        key.hash(&mut path);
        self.keys.insert(path.finish());
        self.has_text |= !text.is_empty();
    }
}

/// What the ids of a file say about the messages of go-i18n.
#[derive(Default)]
struct GoNames {
    /// Whether a message has the form of all languages, or is an element of a list with a translation.
    has_message: bool,
    /// Whether an id is below another one and no part of a message.
    has_other: bool,
    /// The object of the last id.
    last: GoObject,
    /// Whether an object before it is a message and nothing else.
    has_plain: bool,
}

/// What the names in an object say.
#[derive(Default)]
struct GoObject {
    id: String,
    /// Whether it has the form of all languages.
    has_message: bool,
    /// Whether it has what is no part of a message.
    has_other: bool,
}

impl GoNames {
    /// Adds an id, whose names a separator joins.
    fn add(&mut self, id: &str, separator: &str) {
        let Some((outer, name)) = id.rsplit_once(separator) else {
            return;
        };
        let is_element = outer.starts_with("->[");
        let is_message = name == "other" || (is_element && name == "translation");
        let is_part = is_message
            || PluralForm::from_category(name).is_some()
            || matches!(
                name,
                "id" | "description" | "hash" | "leftdelim" | "rightdelim"
            );
        self.has_message |= is_message;
        self.has_other |= !is_part;
        if self.last.id != outer {
            self.has_plain = self.has_plain_message();
            self.last = GoObject {
                id: outer.to_owned(),
                ..GoObject::default()
            };
        }
        self.last.has_message |= is_message;
        self.last.has_other |= !is_part;
    }

    fn has_plain_message(&self) -> bool {
        self.has_plain || self.last.has_message && !self.last.has_other
    }

    fn are_of_go(&self) -> bool {
        self.has_message && !self.has_other
    }
}

/// Whether a file of PHP is in a directory of Laravel, which has texts of packages in another one.
fn is_of_laravel(path: &str) -> bool {
    path.split('/').any(|folder| folder == "lang")
}

/// Whether a file is code without texts: it has an ending of source code and sets or exports no values.
fn is_code(path: &str, bytes: &[u8]) -> bool {
    let format = extension(path).and_then(FileFormat::with_extension);
    match format {
        Some(FileFormat::QtTs) if is_xml(bytes) => false,
        Some(FileFormat::QtTs) => has_no_texts(FileFormat::JavaScript, bytes),
        Some(format) if format.is_code() => has_no_texts(format, bytes),
        _ => false,
    }
}

fn has_no_texts(format: FileFormat, bytes: &[u8]) -> bool {
    let read = FileContent::parse_as(format, bytes);
    matches!(read, Err(error) if matches!(error.kind, ReadErrorKind::NoTexts(_)))
}

/// Whether a file begins as XML.
fn is_xml(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = start.trim_ascii_start();
    matches!(start, [] | [b'<', ..] | [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
}

/// The messages of a browser extension: an object of objects, most of them with a text called `message`.
fn messages(value: &Value) -> Option<Vec<(&str, &str)>> {
    let members = value.as_object()?;
    if !members.values().all(Value::is_object) {
        return None;
    }
    let message =
        |(key, entry)| Some((String::as_str(key), Value::get(entry, "message")?.as_str()?));
    let messages: Vec<_> = members.iter().filter_map(message).collect();
    (!messages.is_empty() && messages.len() * 2 > members.len()).then_some(messages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<FileContent> {
        FileContent::parse("a.json", text.as_bytes()).ok()
    }

    #[test]
    fn messages_of_an_extension_differ_from_nested_texts() {
        let format = |text| parse(text).unwrap().format;
        assert_eq!(
            format(r#"{"a":{"message":"x"},"b":{"message":"y","description":"d"}}"#),
            FileFormat::WebExtension
        );
        assert_eq!(
            format(r#"{"a":{"title":"x"},"b":{"title":"y"}}"#),
            FileFormat::Json
        );
        assert_eq!(format(r#"{"a":{"message":"x"},"b":"y"}"#), FileFormat::Json);
        assert_eq!(
            format(r#"{"errors":{"message":{"none":"y"}}}"#),
            FileFormat::Json
        );
        assert_eq!(format("{}"), FileFormat::Json);
    }

    #[test]
    fn only_texts_have_keys() {
        let content =
            parse("\u{feff}{\"a\":{\"b\":\"x\",\"n\":1},\"c\":[\"y\",\"\",null],\"d\":{}}")
                .unwrap();
        assert_eq!(content.keys.len(), 3);
        assert!(content.has_text);
        assert!(!parse(r#"{"de-DE":98,"fr":100}"#).unwrap().has_text);
        assert!(!parse(r#"{"a":""}"#).unwrap().has_text);
        assert!(parse("{").is_none());
        assert!(parse(&"[".repeat(100_000)).is_none());
    }
}
