//! One arena for the texts of a component: each distinct text once, named by
//! a small number. Readers hold an immutable view; the writer goes on adding.

use std::ops::Range;
use std::sync::Arc;

use super::binary_codec::{Reader, Writer};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// The name of a text in its component's [`Texts`]; equal texts have equal names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TextId(pub u32);

impl TextId {
    /// The empty text, present in every pool.
    pub const EMPTY: Self = Self(0);
}

/// A run of consecutive texts, written once.
#[derive(Debug)]
struct Segment {
    /// Number of the first text.
    first: u32,
    /// Where each text ends in `bytes`.
    ends: Box<[u32]>,
    /// The texts, one after the other.
    bytes: Box<str>,
}

impl Segment {
    fn get(&self, number: u32) -> &str {
        let at = (number - self.first) as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.bytes[start..self.ends[at] as usize]
    }
}

/// An immutable view of the texts of one component.
#[derive(Clone, Debug)]
pub struct Texts {
    segments: Arc<[Arc<Segment>]>,
}

impl Texts {
    /// The text of that name; `""` for a name that this view does not hold.
    pub fn get(&self, text: TextId) -> &str {
        if text == TextId::EMPTY {
            return "";
        }
        let at = self.segments.partition_point(|segment| segment.first <= text.0);
        match at.checked_sub(1).map(|at| &self.segments[at]) {
            Some(segment) if ((text.0 - segment.first) as usize) < segment.ends.len() => segment.get(text.0),
            _ => "",
        }
    }

    /// How many texts there are, the empty one included.
    pub fn len(&self) -> usize {
        self.segments.last().map_or(0, |segment| segment.first as usize + segment.ends.len())
    }

    /// Whether there is none, which never happens in a view of a pool.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All texts by name.
    pub fn iter(&self) -> impl Iterator<Item = &str> + '_ {
        self.segments
            .iter()
            .flat_map(|segment| (segment.first..).take(segment.ends.len()).map(|name| segment.get(name)))
    }

    /// For each text, by name, whether something is in it. `find` says where the first of it is in many texts that
    /// follow each other without anything between; it is never of no length.
    pub fn that_hold(&self, find: impl Fn(&str) -> Option<Range<usize>>) -> Vec<bool> {
        let mut held = vec![false; self.len()];
        for segment in &*self.segments {
            let mut from = 0;
            while let Some(found) = segment.bytes.get(from..).and_then(&find) {
                let (start, end) = (from + found.start, from + found.end);
                let at = segment.ends.partition_point(|&end| end as usize <= start);
                let Some(&text_end) = segment.ends.get(at) else { break };
                let name = segment.first + at as u32;
                // What begins in one text and ends in the next is in neither, but there may be more.
                if end <= text_end as usize || find(segment.get(name)).is_some() {
                    held[name as usize] = true;
                }
                from = text_end as usize;
            }
        }
        held
    }

    /// Writes the texts down.
    pub fn save(&self, out: &mut Writer<'_>) {
        out.list(self.segments.iter(), |out, segment| {
            out.u32s(segment.ends.iter().copied());
            out.text(&segment.bytes);
        });
    }

    /// Bytes of text held.
    pub fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.bytes.len()).sum()
    }
}

/// The writer's side: takes texts, gives their names.
#[derive(Debug)]
pub struct TextPool {
    frozen: Vec<Arc<Segment>>,
    first: u32,
    ends: Vec<u32>,
    bytes: String,
    names: HashTable<u32>,
    /// How many of the texts, from the first on, are in `names`.
    named: u32,
}

/// Segments above this number are joined, so that a look-up stays short after many updates.
const MOST_SEGMENTS: usize = 24;
/// A segment is closed when its texts reach this many bytes, so that ends fit 32 bits.
const SEGMENT_BYTES: usize = 1 << 30;

impl Default for TextPool {
    fn default() -> Self {
        Self::new()
    }
}

impl TextPool {
    /// A pool that holds the empty text.
    pub fn new() -> Self {
        let mut pool = Self {
            frozen: Vec::new(),
            first: 0,
            ends: Vec::new(),
            bytes: String::new(),
            names: HashTable::new(),
            named: 0,
        };
        pool.intern("");
        pool
    }

    /// Reads what [`Texts::save`] wrote; `None` when it makes no sense.
    pub fn load(from: &mut Reader<'_>) -> Option<Self> {
        let mut first = 0u32;
        let frozen = from.list(16, |from| {
            let ends: Box<[u32]> = from.u32s()?.collect();
            let bytes: Box<str> = from.text()?.into();
            let whole = ends.is_sorted() && ends.last().map_or(0, |&end| end as usize) == bytes.len();
            if !whole || ends.iter().any(|&end| !bytes.is_char_boundary(end as usize)) {
                return None;
            }
            let segment = Segment { first, ends, bytes };
            first = first.checked_add(u32::try_from(segment.ends.len()).ok()?)?;
            Some(Arc::new(segment))
        })?;
        let begins_empty = frozen.first().is_some_and(|segment| segment.ends.first() == Some(&0));
        let pool = Self { frozen, first, ends: Vec::new(), bytes: String::new(), names: HashTable::new(), named: 0 };
        begins_empty.then_some(pool)
    }

    /// Makes sure that every text is found by [`Self::intern`], which does it itself where it must: after a
    /// [`Self::load`] it takes time in proportion to all texts.
    pub fn index_all(&mut self) {
        let len = self.len() as u32;
        let Self { frozen, first, ends, bytes, names, named } = self;
        let hash = |&name: &u32| FxBuildHasher.hash_one(text_at(frozen, *first, ends, bytes, name));
        names.reserve((len - *named) as usize, hash);
        for name in *named..len {
            names.insert_unique(hash(&name), name, hash);
        }
        *named = len;
    }

    /// The name of that text, made if it is new.
    pub fn intern(&mut self, text: &str) -> TextId {
        if (self.named as usize) < self.len() {
            self.index_all();
        }
        let hash = FxBuildHasher.hash_one(text);
        if let Some(name) = self.find_hashed(text, hash) {
            return name;
        }
        if self.bytes.len() + text.len() > SEGMENT_BYTES {
            self.close();
        }
        let name = self.first + self.ends.len() as u32;
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len() as u32);
        self.named = name + 1;
        let Self { frozen, first, ends, bytes, names, .. } = self;
        names.insert_unique(hash, name, |&name| FxBuildHasher.hash_one(text_at(frozen, *first, ends, bytes, name)));
        TextId(name)
    }

    fn find_hashed(&self, text: &str, hash: u64) -> Option<TextId> {
        self.names.find(hash, |&name| self.get(TextId(name)) == text).map(|&name| TextId(name))
    }

    /// The text of that name.
    pub fn get(&self, text: TextId) -> &str {
        text_at(&self.frozen, self.first, &self.ends, &self.bytes, text.0)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.first as usize + self.ends.len()
    }

    /// Whether there is none, which never happens.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The texts so far, for readers; costs what was added since the last call.
    pub fn freeze(&mut self) -> Texts {
        self.close();
        Texts { segments: self.frozen.clone().into() }
    }

    /// Turns what was added into a segment, and joins the tail when there are many.
    fn close(&mut self) {
        if self.ends.is_empty() {
            return;
        }
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.shrink_to_fit();
        let segment = Segment { first: self.first, ends: std::mem::take(&mut self.ends).into(), bytes: bytes.into() };
        self.first += segment.ends.len() as u32;
        self.frozen.push(Arc::new(segment));
        // As in a log-structured store: a segment takes in its predecessor while that is not much larger.
        while self.frozen.len() > 1 {
            let [.., before, last] = &self.frozen[..] else { break };
            let small = before.bytes.len() <= 2 * last.bytes.len() || self.frozen.len() > MOST_SEGMENTS;
            if !small || before.bytes.len() + last.bytes.len() > SEGMENT_BYTES {
                break;
            }
            let joined = join(before, last);
            self.frozen.truncate(self.frozen.len() - 2);
            self.frozen.push(Arc::new(joined));
        }
    }
}

fn join(before: &Segment, last: &Segment) -> Segment {
    let shift = before.bytes.len() as u32;
    let ends = before.ends.iter().copied().chain(last.ends.iter().map(|end| end + shift)).collect();
    Segment { first: before.first, ends, bytes: [&*before.bytes, &*last.bytes].concat().into() }
}

fn text_at<'a>(frozen: &'a [Arc<Segment>], first: u32, ends: &[u32], bytes: &'a str, name: u32) -> &'a str {
    if name < first {
        let at = frozen.partition_point(|segment| segment.first <= name);
        return frozen[at - 1].get(name);
    }
    let at = (name - first) as usize;
    let start = if at == 0 { 0 } else { ends[at - 1] as usize };
    &bytes[start..ends[at] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_a_name_and_views_stay_as_they_were() {
        let mut pool = TextPool::new();
        assert_eq!(pool.intern(""), TextId::EMPTY);
        let a = pool.intern("a");
        let before = pool.freeze();
        let b = pool.intern("b");
        assert_eq!(pool.intern("a"), a);
        assert_ne!(a, b);
        let after = pool.freeze();
        assert_eq!((before.get(a), before.get(b), after.get(b)), ("a", "", "b"));
        assert_eq!((before.len(), after.len()), (2, 3));
    }

    #[test]
    fn what_two_texts_make_together_is_in_neither() {
        let mut pool = TextPool::new();
        for text in ["sea", "seed", "s", "eeds", "see, seeds", "ss", "eeds seeds", "é", "seeds"] {
            pool.intern(text);
            if text == "ss" {
                pool.freeze();
            }
        }
        let texts = pool.freeze();
        let held = texts.that_hold(|many| many.find("seeds").map(|at| at..at + 5));
        let found: Vec<&str> = texts.iter().zip(&held).filter(|(_, held)| **held).map(|(text, _)| text).collect();
        assert_eq!(found, ["see, seeds", "eeds seeds", "seeds"]);
        assert_eq!((held.len(), texts.iter().count()), (texts.len(), texts.len()));
    }

    #[test]
    fn many_small_additions_keep_every_text_and_few_segments() {
        let mut pool = TextPool::new();
        let names: Vec<_> = (0..1000)
            .map(|number| {
                let name = pool.intern(&format!("text {number}"));
                pool.freeze();
                name
            })
            .collect();
        let view = pool.freeze();
        for (number, name) in names.into_iter().enumerate() {
            assert_eq!(view.get(name), format!("text {number}"));
        }
        assert!(view.segments.len() <= MOST_SEGMENTS);
    }
}
