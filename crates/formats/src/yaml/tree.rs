//! A YAML document as a tree. Aliases share the nodes of their anchors.

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};

use super::scalar;
use crate::entry_list::MAX_TEXT;
use crate::error::{MAX_DEPTH, ReadErrorKind, SyntaxError};
use gitglot_model::SeededMap;

/// Most values of a file after the expansion of aliases, and most members that merge keys add.
const MAX_VALUES: usize = 2_000_000;

const NO_SCALAR: &str = "a name that is no scalar";

/// The nodes of a document.
#[derive(Default)]
pub(super) struct YamlTree {
    nodes: Vec<YamlNode>,
    root: Option<usize>,
    /// The names that occur twice in a mapping.
    pub(super) duplicates: Vec<DuplicateName>,
    /// The names without quotes that YAML 1.1 reads as booleans.
    pub(super) booleans: Vec<BooleanName>,
}

/// A name that YAML 1.1 reads as a boolean.
#[derive(Debug)]
pub(super) struct BooleanName {
    /// The names that lead to it, and its own.
    pub(super) path: String,
    /// The name as the file has it, and its value.
    pub(super) word: String,
    pub(super) value: bool,
    /// The node of its value.
    pub(super) node: usize,
    /// An earlier name of its mapping with the same value.
    pub(super) first: Option<String>,
    /// Whether it is the only name of the file at the top level.
    pub(super) is_root: bool,
}

/// A name that occurs before in its mapping.
#[derive(Debug)]
pub(super) struct DuplicateName {
    /// The names that lead to the mapping, and its own.
    pub(super) path: String,
    /// The nodes of the first occurrence and of this one.
    pub(super) nodes: [usize; 2],
}

/// Most names that are remembered as duplicates.
const MAX_DUPLICATES: usize = 10_000;

/// A value with its position.
#[derive(Debug)]
pub(super) struct YamlNode {
    pub(super) value: YamlValue,
    /// Byte offset of the value, or of its name.
    pub(super) offset: usize,
    /// Levels of nesting below the node, with aliases.
    height: usize,
}

#[derive(Debug)]
pub(super) enum YamlValue {
    Null,
    Scalar {
        text: String,
        translated: bool,
    },
    /// Names and nodes, without duplicates and with merged mappings.
    Mapping(Vec<(String, usize)>),
    Sequence(Vec<usize>),
}

/// A collection that is not complete.
struct Open {
    offset: usize,
    anchor: usize,
    height: usize,
    value: YamlValue,
    /// The name of the next value of a mapping.
    name: Option<MemberName>,
    /// The values of the merge keys of a mapping.
    merged: Vec<usize>,
    /// The names of a mapping that are booleans, with their values and nodes.
    booleans: Vec<(String, bool, usize)>,
}

/// The name of a member before its value.
struct MemberName {
    text: String,
    offset: usize,
    is_merge: bool,
    boolean: Option<bool>,
}

impl MemberName {
    /// `is_resolved`: whether the name can be null or a merge key.
    fn new(text: &str, is_resolved: bool, offset: usize) -> Self {
        let is_null = is_resolved && scalar::plain(text).is_none();
        Self {
            text: if is_null { "None" } else { text }.to_owned(),
            offset,
            is_merge: is_resolved && text == "<<",
            boolean: scalar::boolean(text).filter(|_| is_resolved),
        }
    }
}

impl YamlTree {
    /// Parses a file with one document.
    ///
    /// # Errors
    /// If the file is no YAML, has several documents, or is nested too deep.
    pub(super) fn parse(text: &str) -> Result<Self, SyntaxError> {
        let mut builder = Builder::default();
        builder.read(text, Builder::event)?;
        Ok(builder.tree)
    }

    pub(super) fn root(&self) -> Option<&YamlNode> {
        self.root.map(|root| self.node(root))
    }

    pub(super) fn node(&self, index: usize) -> &YamlNode {
        &self.nodes[index]
    }
}

/// Builds the tree from parser events.
#[derive(Default)]
struct Builder<'t> {
    tree: YamlTree,
    open: Vec<Open>,
    anchors: SeededMap<usize, usize>,
    /// The values that merge keys read and the names that they and aliases copied so far.
    copied: TreeSize,
    offsets: Offsets<'t>,
}

/// The size of a tree that is expanded.
#[derive(Default)]
pub(super) struct TreeSize {
    values: usize,
    name_bytes: usize,
}

impl TreeSize {
    /// Counts values and bytes of names.
    ///
    /// # Errors
    /// If there are too many, at an offset.
    pub(super) fn add(
        &mut self,
        values: usize,
        name_bytes: usize,
        at: usize,
    ) -> Result<(), SyntaxError> {
        self.values += values;
        self.name_bytes += name_bytes;
        if self.values > MAX_VALUES {
            let message = "expected at most two million values, found more";
            return Err(ReadErrorKind::syntax(message, at));
        }
        if self.name_bytes > MAX_TEXT {
            Err(ReadErrorKind::TooMuchText.at(at))
        } else {
            Ok(())
        }
    }
}

/// Parses a file with one document, without a tree: aliases and merge keys cost no time.
///
/// # Errors
/// If the file is no YAML, or has several documents.
pub(super) fn scan(text: &str) -> Result<(), SyntaxError> {
    Builder::default().read(text, |_, _, _| Ok(()))
}

impl<'t> Builder<'t> {
    /// Calls `each` with every event of a file with one document.
    fn read(
        &mut self,
        text: &'t str,
        mut each: impl FnMut(&mut Self, Event<'_>, Span) -> Result<(), SyntaxError>,
    ) -> Result<(), SyntaxError> {
        self.offsets.text = text;
        let mut documents = 0;
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| self.scan_error(&error))?;
            if let Event::DocumentStart(_) = event {
                documents += 1;
                if documents > 1 {
                    let kind = ReadErrorKind::Structure {
                        expected: "a single YAML document",
                    };
                    return Err(kind.at(self.offsets.of(span.start.index())));
                }
            }
            each(self, event, span)?;
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), SyntaxError> {
        let offset = self.offsets.of(span.start.index());
        if self.expects_name()
            && let Some(name) = self.name(&event, offset)?
            && let Some(open) = self.open.last_mut()
        {
            open.name = Some(name);
            return Ok(());
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = value(&text, is_resolved(style, tag.as_deref()));
                self.add(value, offset, anchor, 0)
            }
            Event::Alias(anchor) => self.attach(self.anchored(anchor, offset)?, offset),
            Event::SequenceStart(anchor, _) => {
                self.start(YamlValue::Sequence(Vec::new()), anchor, offset)
            }
            Event::MappingStart(anchor, _) => {
                self.start(YamlValue::Mapping(Vec::new()), anchor, offset)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            _ => Ok(()),
        }
    }

    /// Whether the innermost collection is a mapping before a name or its end.
    fn expects_name(&self) -> bool {
        let before_name =
            |open: &Open| open.name.is_none() && matches!(open.value, YamlValue::Mapping(_));
        self.open.last().is_some_and(before_name)
    }

    /// The name that an event gives; `None` at the end of the mapping.
    fn name(
        &mut self,
        event: &Event<'_>,
        offset: usize,
    ) -> Result<Option<MemberName>, SyntaxError> {
        match event {
            Event::Scalar(text, style, _, tag) => {
                let is_resolved = is_resolved(*style, tag.as_deref());
                Ok(Some(MemberName::new(text, is_resolved, offset)))
            }
            Event::Alias(anchor) => {
                let node = self.anchored(*anchor, offset)?;
                let YamlValue::Scalar { text, .. } = &self.tree.node(node).value else {
                    return Err(syntax(NO_SCALAR, offset));
                };
                self.copied.add(0, text.len(), offset)?;
                Ok(Some(MemberName::new(text, false, offset)))
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => Err(syntax(NO_SCALAR, offset)),
            _ => Ok(None),
        }
    }

    fn anchored(&self, anchor: usize, offset: usize) -> Result<usize, SyntaxError> {
        let node = self.anchors.get(&anchor).copied();
        node.ok_or_else(|| syntax("an alias inside of its own anchor", offset))
    }

    fn start(&mut self, value: YamlValue, anchor: usize, offset: usize) -> Result<(), SyntaxError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(offset));
        }
        self.open.push(Open {
            offset,
            anchor,
            height: 0,
            value,
            name: None,
            merged: Vec::new(),
            booleans: Vec::new(),
        });
        Ok(())
    }

    fn end(&mut self) -> Result<(), SyntaxError> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let value = match open.value {
            YamlValue::Mapping(members) => {
                self.find_duplicates(&members);
                self.find_booleans(open.booleans, members.len());
                YamlValue::Mapping(self.merge(members, &open.merged, open.offset)?)
            }
            other => other,
        };
        self.add(value, open.offset, open.anchor, open.height + 1)
    }

    /// Remembers the names that occur twice among the members of a mapping, whose own name is the innermost open one.
    fn find_duplicates(&mut self, members: &[(String, usize)]) {
        let mut first_of: SeededMap<&str, usize> = SeededMap::default();
        for (name, node) in members {
            let first = *first_of.entry(name).or_insert(*node);
            if first != *node && self.tree.duplicates.len() < MAX_DUPLICATES {
                let path = self.path(name);
                self.tree.duplicates.push(DuplicateName {
                    path,
                    nodes: [first, *node],
                });
            }
        }
    }

    /// The names that lead to the innermost open mapping, and one of it.
    fn path(&self, name: &str) -> String {
        let outer = self.open.iter().filter_map(|open| open.name.as_ref());
        let names: Vec<&str> = outer.map(|key| key.text.as_str()).chain([name]).collect();
        names.join(".")
    }

    /// Remembers the names of a mapping with `members` members that are booleans.
    fn find_booleans(&mut self, found: Vec<(String, bool, usize)>, members: usize) {
        let mut first_of: [Option<String>; 2] = [None, None];
        for (word, value, node) in found {
            let first = first_of[usize::from(value)].get_or_insert_with(|| word.clone());
            let first = (*first != word).then(|| first.clone());
            if self.tree.booleans.len() < MAX_DUPLICATES {
                let path = self.path(&word);
                self.tree.booleans.push(BooleanName {
                    path,
                    word,
                    value,
                    node,
                    first,
                    is_root: self.open.is_empty() && members == 1,
                });
            }
        }
    }

    /// Puts the members of merged mappings before the others. The last value of a name counts, at its first position.
    fn merge(
        &mut self,
        members: Vec<(String, usize)>,
        merged: &[usize],
        offset: usize,
    ) -> Result<Vec<(String, usize)>, SyntaxError> {
        let mut all: Vec<(String, usize)> = Vec::new();
        for node in merged {
            let nodes = match &self.tree.node(*node).value {
                YamlValue::Sequence(elements) => elements.as_slice(),
                _ => std::slice::from_ref(node),
            };
            self.copied.add(nodes.len(), 0, offset)?;
            for &node in nodes.iter().rev() {
                if let YamlValue::Mapping(inner) = &self.tree.node(node).value {
                    let name_bytes = inner.iter().map(|(name, _)| name.len()).sum();
                    self.copied.add(inner.len(), name_bytes, offset)?;
                    all.extend(inner.iter().cloned());
                }
            }
        }
        all.extend(members);
        let mut position: SeededMap<String, usize> = SeededMap::default();
        let mut unique: Vec<(String, usize)> = Vec::with_capacity(all.len());
        for (name, node) in all {
            match position.get(&name) {
                Some(&at) => unique[at].1 = node,
                None => {
                    position.insert(name.clone(), unique.len());
                    unique.push((name, node));
                }
            }
        }
        Ok(unique)
    }

    fn add(
        &mut self,
        value: YamlValue,
        offset: usize,
        anchor: usize,
        height: usize,
    ) -> Result<(), SyntaxError> {
        let node = self.tree.nodes.len();
        self.tree.nodes.push(YamlNode {
            value,
            offset,
            height,
        });
        if anchor > 0 {
            self.anchors.insert(anchor, node);
        }
        self.attach(node, offset)
    }

    /// Puts a node into the innermost collection.
    fn attach(&mut self, node: usize, offset: usize) -> Result<(), SyntaxError> {
        let height = self.tree.node(node).height;
        if self.open.len() + height > MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(offset));
        }
        let Some(open) = self.open.last_mut() else {
            self.tree.root = Some(node);
            return Ok(());
        };
        open.height = open.height.max(height);
        match (&mut open.value, open.name.take()) {
            (YamlValue::Sequence(elements), _) => elements.push(node),
            (YamlValue::Mapping(_), Some(name)) if name.is_merge => open.merged.push(node),
            (YamlValue::Mapping(members), Some(name)) => {
                // An alias keeps the offset of its anchor.
                let new = self.tree.nodes.get_mut(node);
                if let Some(new) = new.filter(|new| new.offset == offset) {
                    new.offset = name.offset;
                }
                if let Some(value) = name.boolean {
                    open.booleans.push((name.text.clone(), value, node));
                }
                members.push((name.text, node));
            }
            _ => {}
        }
        Ok(())
    }

    fn scan_error(&mut self, error: &ScanError) -> SyntaxError {
        let at = self.offsets.of(error.marker().index());
        // libyaml, which Ruby and Python use, and Symfony accept it, but not the next key in quotes that are not closed.
        let is_indentation = error.info() == "invalid indentation in quoted scalar";
        if is_indentation && !has_key_inside(self.offsets.text.get(at..).unwrap_or_default()) {
            let message = format!("expected valid YAML, found: {}", error.info());
            return ReadErrorKind::ReadByOthers(message.into()).at(at);
        }
        syntax(error.info(), at)
    }
}

/// Whether a quoted text has a line that begins with a key, so that its end is probably missing.
fn has_key_inside(text: &str) -> bool {
    let mut chars = text.chars();
    let Some(quote) = chars.next() else {
        return false;
    };
    let inside = chars.as_str().split(quote).next().unwrap_or_default();
    inside.lines().skip(1).any(|line| {
        let name = line.trim_start().split_once(':');
        name.is_some_and(|(name, after)| {
            !name.is_empty()
                && !name.contains(char::is_whitespace)
                && (after.is_empty() || after.starts_with(' '))
        })
    })
}

/// Converts offsets in characters to offsets in bytes. Offsets mostly ascend.
#[derive(Default)]
struct Offsets<'t> {
    text: &'t str,
    characters: usize,
    bytes: usize,
}

impl Offsets<'_> {
    fn of(&mut self, characters: usize) -> usize {
        if characters < self.characters {
            (self.characters, self.bytes) = (0, 0);
        }
        let rest = &self.text[self.bytes..];
        let skip = characters - self.characters;
        let next = rest.char_indices().nth(skip);
        self.bytes += next.map_or(rest.len(), |(at, _)| at);
        self.characters = characters;
        self.bytes
    }
}

/// Whether the text of a scalar determines its type: without quotes, and with no tag or that of such a type.
fn is_resolved(style: ScalarStyle, tag: Option<&Tag>) -> bool {
    let is_core = |tag: &Tag| {
        tag.is_yaml_core_schema() && matches!(&*tag.suffix, "bool" | "int" | "float" | "null")
    };
    matches!(style, ScalarStyle::Plain) && tag.is_none_or(is_core)
}

fn value(text: &str, is_resolved: bool) -> YamlValue {
    if is_resolved {
        return scalar::plain(text).map_or(YamlValue::Null, |text| YamlValue::Scalar {
            text,
            translated: true,
        });
    }
    YamlValue::Scalar {
        text: text.to_owned(),
        translated: !text.is_empty(),
    }
}

fn syntax(message: &str, at: usize) -> SyntaxError {
    ReadErrorKind::syntax(format!("expected valid YAML, found: {message}"), at)
}
