//! Compares incremental parses with full ones.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::Block;
use crate::{Outline, Part, RawEntry, ReadError, reader};
use gitglot_model::{FileFormat, PluralForm};

/// An entry without what may differ in a reused one: notes, locations and offset.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Content {
    key: String,
    text: String,
    forms: Vec<PluralForm>,
    previous: String,
    flags: String,
    fuzzy: bool,
    translated: bool,
}

impl From<RawEntry<'_>> for Content {
    fn from(entry: RawEntry<'_>) -> Self {
        let fields = entry.bilingual.copied().unwrap_or_default();
        Self {
            key: entry.key().into_owned(),
            text: entry.text.to_owned(),
            forms: entry.forms.to_vec(),
            previous: fields.previous_source.to_owned(),
            flags: fields.flags.to_owned(),
            fuzzy: fields.fuzzy,
            translated: entry.translated,
        }
    }
}

fn read(format: FileFormat, text: &str, outline: &mut Outline) -> Result<Vec<Content>, ReadError> {
    let mut all = Vec::new();
    let read = reader(format).reparse(b"", outline, text.as_bytes(), &mut |part| match part {
        Part::Entry(entry) => all.push(entry.into()),
        Part::Reused(range) => panic!("{range:?} of no file"),
    });
    let mut plain = Vec::new();
    let alone = reader(format).read(text.as_bytes(), &mut |entry| plain.push(entry.into()));
    assert_eq!((&alone, &plain), (&read, &all));
    read.map(|()| all)
}

/// Reads each version against the one before it, compares the result with a full parse, and returns the number of reused
/// entries.
pub(crate) fn check(format: FileFormat, versions: &[String]) -> usize {
    let mut outline = Outline::default();
    let (mut reused, mut before, mut old) = (0, Vec::new(), "");
    for new in versions {
        let mut own = Outline::default();
        let full = read(format, new, &mut own);
        let (mut entries, mut is_used) = (Vec::new(), vec![false; before.len()]);
        let result =
            reader(format).reparse(old.as_bytes(), &mut outline, new.as_bytes(), &mut |part| {
                match part {
                    Part::Entry(entry) => entries.push(Content::from(entry)),
                    Part::Reused(range) => {
                        assert!(!range.is_empty() && !is_used[range.clone()].contains(&true));
                        is_used[range.clone()].fill(true);
                        reused += range.len();
                        entries.extend_from_slice(&before[range]);
                    }
                }
            });
        assert_eq!(full, result.map(|()| entries.clone()), "{old:?} -> {new:?}");
        if full.is_ok() {
            assert_eq!(blocks(&outline), blocks(&own), "{old:?} -> {new:?}");
            (before, old) = (entries, new);
        }
    }
    reused
}

/// Blocks without the numbers of their scopes, and without hashes, which may be those of lines after an entry that were
/// different in an earlier version.
fn blocks(outline: &Outline) -> Vec<(Block, Option<&str>)> {
    let scope_of = |block: &Block| {
        let mut scopes = outline.scopes.iter();
        let found = scopes.find(|(_, scope)| Some(**scope) == block.scope);
        found.map(|(key, _)| key.as_str())
    };
    let one = |block: &Block| {
        let scope = scope_of(block);
        let numbered = block.scope.filter(|_| scope.is_none());
        let plain = Block {
            first_lines: 0,
            scope: numbered,
            ..*block
        };
        (plain, scope)
    };
    outline.blocks.iter().map(one).collect()
}

/// A change of the parts of a file: where, and what.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Remove(Index),
    Insert(Index, String),
    Move(Index, Index),
    Line(Index, Index, String),
}

/// A change with these parts or lines.
pub(crate) fn edit<P: Strategy<Value = String>>(
    part: P,
    lines: &[&'static str],
) -> impl Strategy<Value = Edit> + use<P> {
    prop_oneof![
        any::<Index>().prop_map(Edit::Remove),
        (any::<Index>(), part).prop_map(|(at, it)| Edit::Insert(at, it)),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Edit::Move(from, to)),
        (any::<Index>(), any::<Index>(), select(lines.to_vec()))
            .prop_map(|(at, line, text)| { Edit::Line(at, line, text.to_owned()) }),
    ]
}

impl Edit {
    pub(crate) fn apply(&self, parts: &mut Vec<String>) {
        if parts.is_empty() {
            return;
        }
        let count = parts.len();
        match self {
            Self::Remove(at) => drop(parts.remove(at.index(count))),
            Self::Insert(at, text) => parts.insert(at.index(count), text.clone()),
            Self::Move(from, to) => {
                let moved = parts.remove(from.index(count));
                parts.insert(to.index(count), moved);
            }
            Self::Line(at, line, text) => {
                let part = &mut parts[at.index(count)];
                let mut lines: Vec<&str> = part.split_inclusive('\n').collect();
                let line = line.index(lines.len().max(1));
                match lines.get_mut(line) {
                    Some(old) => *old = text,
                    None => lines.push(text),
                }
                *part = lines.concat();
            }
        }
    }
}
