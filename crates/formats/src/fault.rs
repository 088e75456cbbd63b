//! A fault of a file that parses, and the list of those of a file.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::offsets::FileOffsets;
use gitglot_model::SeededMap;

/// Most faults of a file that are found.
pub(super) const MAX_FAULTS: usize = 10_000;

/// Most bytes of the name of a fault.
const MAX_NAME: usize = 1_000;

/// A fault of a file that parses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The names that lead to the value, joined with dots, or the id of the text. At most 1,000 bytes.
    pub name: String,
    /// The byte offset in the file where the entry begins.
    pub offset: usize,
    /// The fault.
    pub kind: FaultKind,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The name occurs before.
    Duplicate {
        /// The byte offset of the first occurrence.
        first: usize,
        /// Whether both have the same value, and the format accepts that.
        is_equal: bool,
    },
    /// A part of the text is not what its author meant.
    Escape {
        /// The part, as the file has it.
        text: String,
        /// The effect and the next step, as a clause after the part.
        problem: &'static str,
    },
    /// A part of the file that tools need is missing or invalid.
    Invalid {
        /// The part.
        part: InvalidPart,
        /// The fault and the next step, as a sentence.
        problem: String,
    },
    /// A translation has a part in a form that its program reads as something else. A program whose template has the same
    /// copes with it, and a part that the template lacks is a different fault.
    Unlike {
        /// The part as texts have it; may be empty.
        part: String,
        /// The fault and the next step, as a sentence.
        problem: String,
    },
}

/// A part of a file that tools need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidPart {
    /// The header, except for the rule of plural forms.
    Header,
    /// The rule of plural forms, or the number of forms of a text.
    PluralForms,
    /// Plural forms that programs can use: no rule, but two forms, or further ones that are empty or repeat the last, or an
    /// invalid rule that no text needs.
    MinorPluralForms,
    /// The id of a unit, which one with a different name has, too: programs identify them by their names.
    Id,
    /// An escape whose backslash has no effect.
    MinorEscape,
    /// A text, which the reader drops.
    Text,
    /// A value in source code that is no data, such as a function. The reader leaves it out.
    NoData,
}

impl Fault {
    /// The fault in a file that begins at an offset of another one.
    pub(super) fn moved(mut self, start: usize) -> Self {
        self.offset += start;
        if let FaultKind::Duplicate { first, .. } = &mut self.kind {
            *first += start;
        }
        self
    }
}

/// The faults of a file, with offsets in its text.
#[derive(Default)]
pub(super) struct FaultList {
    faults: Vec<Fault>,
}

impl FaultList {
    /// Adds a fault, if there is one, unless there are too many.
    pub(super) fn push(&mut self, name: &str, offset: usize, kind: impl Into<Option<FaultKind>>) {
        if let Some(kind) = kind.into()
            && self.faults.len() < MAX_FAULTS
        {
            let ends = (0..=MAX_NAME.min(name.len())).rev();
            let short = ends.filter_map(|end| name.get(..end)).next();
            self.faults.push(Fault {
                name: short.unwrap_or_default().to_owned(),
                offset,
                kind,
            });
        }
    }

    /// Adds an invalid part of a file.
    pub(super) fn invalid(
        &mut self,
        name: &str,
        offset: usize,
        part: InvalidPart,
        problem: impl Into<String>,
    ) {
        let problem = problem.into();
        self.push(name, offset, FaultKind::Invalid { part, problem });
    }

    /// Adds a part in a form that is a fault unless the template has the same.
    pub(super) fn unlike(&mut self, name: &str, offset: usize, part: &str, problem: String) {
        let part = part.to_owned();
        self.push(name, offset, FaultKind::Unlike { part, problem });
    }

    /// The faults in file order, with offsets in the file.
    pub(super) fn in_file(mut self, mut offsets: FileOffsets<'_>) -> Vec<Fault> {
        let mut places: Vec<&mut usize> = Vec::new();
        for fault in &mut self.faults {
            places.push(&mut fault.offset);
            if let FaultKind::Duplicate { first, .. } = &mut fault.kind {
                places.push(first);
            }
        }
        places.sort_unstable();
        for place in places {
            *place = offsets.of(*place);
        }
        self.faults.sort_by_key(|fault| fault.offset);
        self.faults
    }

    /// Adds an escape of a text.
    pub(super) fn escape(&mut self, name: &str, offset: usize, text: &str, problem: &'static str) {
        let text = text.to_owned();
        self.push(name, offset, FaultKind::Escape { text, problem });
    }
}

/// The names of one list so far, to find those that occur twice.
pub(super) struct Names<K, V>(SeededMap<K, (usize, V)>);

impl<K, V> Default for Names<K, V> {
    fn default() -> Self {
        Self(SeededMap::default())
    }
}

impl<K: Eq + Hash, V: PartialEq> Names<K, V> {
    /// Adds a name with its offset and value. Returns the fault if it occurred before.
    pub(super) fn add(&mut self, name: K, offset: usize, value: V) -> Option<FaultKind> {
        match self.0.entry(name) {
            Entry::Vacant(free) => {
                free.insert((offset, value));
                None
            }
            Entry::Occupied(known) => {
                let (first, known) = known.get();
                Some(FaultKind::Duplicate {
                    first: *first,
                    is_equal: *known == value,
                })
            }
        }
    }
}
