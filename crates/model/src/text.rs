//! Interns the texts of a component. Readers have an immutable view while the writer adds texts.

use std::sync::Arc;

use crate::plural::PluralForm;
use crate::seeded::Seeded;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize, Serializer};
use std::hash::BuildHasher;

/// The id of a text in its component's [`Texts`]; equal texts have equal ids.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct TextId(pub u32);

impl TextId {
    /// The empty text, present in every pool.
    pub const EMPTY: Self = Self(0);
}

/// Marks a stored text with plural forms: it begins with this character, the code of each form and this character
/// again. A text that begins with the character itself is stored with no code.
const FORMS_MARK: char = '\u{1D}';

/// Splits a stored text into the codes of its plural forms and the text.
fn split_forms(stored: &str) -> (&str, &str) {
    match stored.strip_prefix(FORMS_MARK) {
        None => ("", stored),
        Some(marked) => marked.split_once(FORMS_MARK).unwrap_or(("", marked)),
    }
}

/// Whether a pool stores a text without a mark before it.
fn is_stored_as_is(text: &str, forms: &[PluralForm]) -> bool {
    forms.is_empty() && !text.starts_with(FORMS_MARK)
}

/// Appends a text as pools store it, with its plural forms. `joined` has them in this order.
pub fn push_stored_text(out: &mut String, joined: &str, forms: &[PluralForm]) {
    if !is_stored_as_is(joined, forms) {
        out.push(FORMS_MARK);
        out.extend(forms.iter().map(|form| form.code()));
        out.push(FORMS_MARK);
    }
    out.push_str(joined);
}

/// Consecutive texts.
#[derive(Clone, Debug, Default)]
struct TextSegment {
    /// Id of the first text.
    first: u32,
    /// End of each text in `bytes`.
    ends: Vec<u32>,
    /// The texts, concatenated.
    bytes: String,
}

impl TextSegment {
    fn get(&self, id: u32) -> &str {
        let at = (id - self.first) as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[at] as usize]
    }

    /// The id after the last text.
    fn end(&self) -> u32 {
        self.first + self.ends.len() as u32
    }
}

/// An immutable view of the texts of one component.
#[derive(Clone, Debug)]
pub struct Texts {
    segments: Arc<[Arc<TextSegment>]>,
}

impl Texts {
    /// The text with an id. Panics for an id that the view lacks: no text is better than a wrong or an empty one.
    /// Plural forms are joined with [`super::PLURAL_SEPARATOR`].
    pub fn get(&self, text: TextId) -> &str {
        split_forms(self.stored(text)).1
    }

    /// Whether the text has plural forms.
    pub fn is_plural(&self, text: TextId) -> bool {
        !split_forms(self.stored(text)).0.is_empty()
    }

    /// The plural forms of a text; none for a text without plural forms.
    pub fn forms(&self, text: TextId) -> impl Iterator<Item = PluralForm> + '_ {
        let (codes, _) = split_forms(self.stored(text));
        codes.bytes().filter_map(PluralForm::from_code)
    }

    fn stored(&self, text: TextId) -> &str {
        match text {
            TextId::EMPTY => "",
            text => text_in(&self.segments, text.0),
        }
    }

    /// Number of texts, including the empty one.
    pub fn count(&self) -> usize {
        self.segments.last().map_or(0, |last| last.end() as usize)
    }

    /// Total length of the texts in bytes.
    pub fn bytes(&self) -> usize {
        let lengths = self.segments.iter().map(|segment| segment.bytes.len());
        lengths.sum()
    }
}

/// Adds texts and assigns their ids. Serialized as its segments.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<SavedSegment>")]
pub struct TextPool {
    frozen: Vec<Arc<TextSegment>>,
    /// The newest texts, which are not frozen yet.
    open: TextSegment,
    index: HashTable<u32>,
    /// Number of texts, from the first on, that are in `index`.
    indexed: u32,
}

/// More segments are joined, so that look-ups stay fast after many updates.
const MAX_SEGMENTS: usize = 24;
/// Maximum size of a segment of several texts, so that ends fit 32 bits, and that those who read or write a pool need
/// little memory besides it.
const SEGMENT_BYTES: usize = 1 << 24;

impl Default for TextPool {
    /// A pool with the empty text.
    fn default() -> Self {
        let mut pool = Self::of(Vec::new(), 0);
        pool.intern("");
        pool
    }
}

impl TextPool {
    /// A pool of these segments, before the text with the id `first`.
    fn of(frozen: Vec<Arc<TextSegment>>, first: u32) -> Self {
        Self {
            frozen,
            open: TextSegment {
                first,
                ..TextSegment::default()
            },
            index: HashTable::new(),
            indexed: 0,
        }
    }

    /// Whether [`Self::index_all`] does nothing.
    pub fn is_indexed(&self) -> bool {
        self.indexed == self.open.end()
    }

    /// Indexes all texts for [`Self::intern`], which otherwise does so itself. Slow for a deserialized pool.
    pub fn index_all(&mut self) {
        let Self {
            frozen,
            open,
            index,
            indexed,
        } = self;
        let hash = |&id: &u32| Seeded::default().hash_one(text_at(frozen, open, id));
        index.reserve((open.end() - *indexed) as usize, hash);
        for id in *indexed..open.end() {
            index.insert_unique(hash(&id), id, hash);
        }
        *indexed = open.end();
    }

    /// The id of a text with its plural forms, if it has some; adds the text if it is new. `joined` has them in this order.
    pub fn intern_with_forms(&mut self, joined: &str, forms: &[PluralForm]) -> TextId {
        if is_stored_as_is(joined, forms) {
            return self.intern_stored(joined);
        }
        let mut stored = String::with_capacity(joined.len() + forms.len() + 2);
        push_stored_text(&mut stored, joined, forms);
        self.intern_stored(&stored)
    }

    /// The id of a text; adds the text if it is new.
    pub fn intern(&mut self, text: &str) -> TextId {
        self.intern_with_forms(text, &[])
    }

    /// The id of a text of another view, with its plural forms; adds the text if it is new.
    pub fn intern_from(&mut self, texts: &Texts, text: TextId) -> TextId {
        self.intern_stored(texts.stored(text))
    }

    /// The ids of texts that [`push_stored_text`] wrote; adds those that are new. Faster than one after the other: the
    /// texts are far from each other in memory, and reads that do not depend on each other overlap.
    pub fn intern_all(&mut self, stored: &[&str]) -> Vec<TextId> {
        const TOGETHER: usize = 32;
        if self.indexed < self.open.end() {
            self.index_all();
        }
        let mut ids = Vec::with_capacity(stored.len());
        for texts in stored.chunks(TOGETHER) {
            let hashes = texts.iter().map(|text| Seeded::default().hash_one(*text));
            let hashes: Vec<u64> = hashes.collect();
            // The first text with some bits of the hash is mostly the only one.
            let likely = hashes.iter().map(|&hash| self.index.find(hash, |_| true));
            let likely: Vec<Option<u32>> = likely.map(Option::<&u32>::copied).collect();
            let known = |id: u32| text_at(&self.frozen, &self.open, id);
            let known: Vec<Option<&str>> = likely.iter().map(|id| id.map(known)).collect();
            let pairs = likely.into_iter().zip(known).zip(texts);
            let same = pairs.map(|((id, known), text)| id.filter(|_| known == Some(*text)));
            let same: Vec<Option<u32>> = same.collect();
            for ((text, hash), id) in texts.iter().zip(hashes).zip(same) {
                ids.push(id.map_or_else(|| self.intern_hashed(text, hash), TextId));
            }
        }
        ids
    }

    fn intern_stored(&mut self, text: &str) -> TextId {
        if self.indexed < self.open.end() {
            self.index_all();
        }
        self.intern_hashed(text, Seeded::default().hash_one(text))
    }

    /// All texts are indexed.
    fn intern_hashed(&mut self, text: &str, hash: u64) -> TextId {
        let Self { frozen, open, .. } = &*self;
        let is_same = |&id: &u32| text_at(frozen, open, id) == text;
        if let Some(&id) = self.index.find(hash, is_same) {
            return TextId(id);
        }
        if self.open.bytes.len() + text.len() > SEGMENT_BYTES {
            self.close();
        }
        let Self {
            frozen,
            open,
            index,
            indexed,
        } = self;
        let id = open.end();
        open.bytes.push_str(text);
        open.ends.push(open.bytes.len() as u32);
        *indexed = id + 1;
        index.insert_unique(hash, id, |&id| {
            Seeded::default().hash_one(text_at(frozen, open, id))
        });
        TextId(id)
    }

    /// The text with an id.
    pub fn get(&self, text: TextId) -> &str {
        split_forms(text_at(&self.frozen, &self.open, text.0)).1
    }

    /// Whether the text has plural forms.
    pub fn is_plural(&self, text: TextId) -> bool {
        let stored = text_at(&self.frozen, &self.open, text.0);
        !split_forms(stored).0.is_empty()
    }

    /// Number of texts, including the empty one.
    pub fn count(&self) -> usize {
        self.open.end() as usize
    }

    /// Removes the newest texts beyond a number of texts. Texts of a view remain.
    pub fn truncate(&mut self, count: usize) {
        let count = count.saturating_sub(self.open.first as usize);
        if count < self.open.ends.len() {
            self.open.ends.truncate(count);
            let end = self.open.ends.last().copied().unwrap_or_default();
            self.open.bytes.truncate(end as usize);
            (self.index, self.indexed) = (HashTable::new(), 0);
        }
    }

    /// A view of the texts so far. The cost depends on the texts added since the last call.
    pub fn freeze(&mut self) -> Texts {
        self.close();
        Texts {
            segments: self.frozen.clone().into(),
        }
    }

    /// Turns the new texts into a segment, and joins segments if there are many.
    fn close(&mut self) {
        if self.open.ends.is_empty() {
            return;
        }
        let next = TextSegment {
            first: self.open.end(),
            ..TextSegment::default()
        };
        let mut segment = std::mem::replace(&mut self.open, next);
        segment.bytes.shrink_to_fit();
        segment.ends.shrink_to_fit();
        self.frozen.push(Arc::new(segment));
        // As in a log-structured merge tree: join with the segment before while that is not much larger.
        while let [.., before, last] = &self.frozen[..] {
            let small =
                before.bytes.len() <= 2 * last.bytes.len() || self.frozen.len() > MAX_SEGMENTS;
            if !small || before.bytes.len() + last.bytes.len() > SEGMENT_BYTES {
                break;
            }
            let joined = join(before, last);
            self.frozen.truncate(self.frozen.len() - 2);
            self.frozen.push(Arc::new(joined));
        }
    }
}

/// The ends and the concatenation of consecutive texts.
type SavedSegment = (Vec<u32>, String);

impl Serialize for TextPool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let open = (!self.open.ends.is_empty()).then_some(&self.open);
        let segments = self.frozen.iter().map(Arc::as_ref).chain(open);
        let saved = segments.map(|segment| (&segment.ends, &segment.bytes));
        serializer.collect_seq(saved.collect::<Vec<_>>())
    }
}

impl TryFrom<Vec<SavedSegment>> for TextPool {
    type Error = &'static str;

    fn try_from(saved: Vec<SavedSegment>) -> Result<Self, Self::Error> {
        let (mut frozen, mut first) = (Vec::with_capacity(saved.len()), 0u32);
        for (mut ends, bytes) in saved {
            ends.shrink_to_fit();
            let are_inside = ends.iter().all(|&end| bytes.is_char_boundary(end as usize));
            let last = ends.last().map_or(0, |&end| end as usize);
            if !ends.is_sorted() || last != bytes.len() || !are_inside {
                return Err("a text ends outside its segment");
            }
            let count = u32::try_from(ends.len()).ok();
            frozen.push(Arc::new(TextSegment { first, ends, bytes }));
            first = count
                .and_then(|count| first.checked_add(count))
                .ok_or("too many texts")?;
        }
        match frozen.first() {
            Some(segment) if segment.ends.first() == Some(&0) => Ok(Self::of(frozen, first)),
            _ => Err("the empty text is missing"),
        }
    }
}

fn join(before: &TextSegment, last: &TextSegment) -> TextSegment {
    let shift = before.bytes.len() as u32;
    let shifted = last.ends.iter().map(|end| end + shift);
    TextSegment {
        first: before.first,
        ends: before.ends.iter().copied().chain(shifted).collect(),
        bytes: [&*before.bytes, &*last.bytes].concat(),
    }
}

fn text_at<'a>(frozen: &'a [Arc<TextSegment>], open: &'a TextSegment, id: u32) -> &'a str {
    if id >= open.first {
        open.get(id)
    } else {
        text_in(frozen, id)
    }
}

/// The text with an id of one of the segments.
fn text_in(segments: &[Arc<TextSegment>], id: u32) -> &str {
    let after = segments.partition_point(|segment| segment.first <= id);
    segments[after - 1].get(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_an_id_and_views_never_change() {
        let mut pool = TextPool::default();
        assert_eq!(pool.intern(""), TextId::EMPTY);
        let a = pool.intern("a");
        let before = pool.freeze();
        let b = pool.intern("b");
        assert_eq!(pool.intern("a"), a);
        assert_ne!(a, b);
        let after = pool.freeze();
        assert_eq!((before.get(a), after.get(a), after.get(b)), ("a", "a", "b"));
        assert_eq!((before.count(), after.count()), (2, 3));
    }

    #[test]
    #[should_panic = "out of bounds"]
    fn a_text_that_a_view_lacks_is_a_fault_of_the_program() {
        let mut pool = TextPool::default();
        let before = pool.freeze();
        let added = pool.intern("added");
        before.get(added);
    }

    #[test]
    fn removed_texts_get_the_same_ids_again() {
        let mut pool = TextPool::default();
        let a = pool.intern("a");
        pool.freeze();
        let (b, c) = (pool.intern("b"), pool.intern("c"));
        pool.truncate(3);
        assert_eq!(
            (pool.count(), pool.intern("a"), pool.intern("b")),
            (3, a, b)
        );
        assert_eq!(pool.intern("d"), c);
        pool.truncate(0);
        assert_eq!(
            (pool.count(), pool.get(a)),
            (2, "a"),
            "texts of a view remain"
        );
        assert_eq!(pool.intern("b"), b);
    }

    #[test]
    fn plural_forms_belong_to_a_text() {
        let mut pool = TextPool::default();
        let forms = [PluralForm::One, PluralForm::Index(3)];
        let plain = pool.intern("a\u{1e}\u{1e}b");
        let plural = pool.intern_with_forms("a\u{1e}\u{1e}b", &forms);
        let marked = pool.intern("\u{1d}b\u{1d}x");
        assert_ne!(plain, plural);
        assert_eq!(pool.intern_with_forms("a\u{1e}\u{1e}b", &forms), plural);
        assert_eq!(pool.get(plural), pool.get(plain));
        let texts = pool.freeze();
        assert_eq!(texts.get(plural), "a\u{1e}\u{1e}b");
        assert_eq!(texts.forms(plural).collect::<Vec<_>>(), forms);
        assert!(texts.is_plural(plural) && !texts.is_plural(plain) && !texts.is_plural(marked));
        assert_eq!(texts.get(marked), "\u{1d}b\u{1d}x");
    }

    #[test]
    fn many_texts_get_the_ids_of_one_after_the_other() {
        let forms = [PluralForm::One, PluralForm::Other];
        let mut stored: Vec<String> = (0..200).map(|at| format!("{}", at % 150)).collect();
        push_stored_text(&mut stored[20], "a\u{1e}\u{1e}b", &forms);
        push_stored_text(&mut stored[30], "", &[]);
        stored[40] = String::new();
        let stored: Vec<&str> = stored.iter().map(String::as_str).collect();
        let (mut one, mut all) = (TextPool::default(), TextPool::default());
        for pool in [&mut one, &mut all] {
            pool.intern("3");
            pool.freeze();
        }
        let expected: Vec<_> = stored.iter().map(|text| one.intern_stored(text)).collect();
        assert_eq!(all.intern_all(&stored), expected);
        assert_eq!(all.intern_all(&stored), expected);
        assert_eq!(all.count(), one.count());
    }

    #[test]
    fn texts_without_plural_forms_take_their_bytes_only() {
        let mut pool = TextPool::default();
        for text in ["one", "two", "a\u{1e}\u{1e}b"] {
            pool.intern(text);
        }
        let bytes = |texts: &Texts| {
            texts
                .segments
                .iter()
                .map(|segment| segment.bytes.len())
                .sum::<usize>()
        };
        assert_eq!(bytes(&pool.freeze()), 10);
        pool.intern_with_forms("a\u{1e}\u{1e}b", &[PluralForm::One, PluralForm::Other]);
        assert_eq!(bytes(&pool.freeze()), 10 + 8);
    }

    #[test]
    fn many_small_additions_keep_every_text_and_few_segments() {
        let mut pool = TextPool::default();
        let ids: Vec<_> = (0..1000)
            .map(|number| {
                let id = pool.intern(&format!("text {number}"));
                pool.freeze();
                id
            })
            .collect();
        let view = pool.freeze();
        for (number, id) in ids.into_iter().enumerate() {
            assert_eq!(view.get(id), format!("text {number}"));
        }
        assert!(view.segments.len() <= MAX_SEGMENTS);
    }
}
