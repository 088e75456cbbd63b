//! What history hands to the catalog: all that files and commits say of one component, without ids.

use std::sync::Arc;

use crate::git::Commit;
use crate::language::Language;
use crate::model::{BlobId, KeyId, LineageId, Log, PersonId, TextId, Texts, Timestamp};

/// One component as its repository has it at one tip.
#[derive(Clone, Debug)]
pub struct Projection {
    /// The texts that all references below name.
    pub texts: Texts,
    /// The commit that was read.
    pub tip: Arc<Commit>,
    /// The template's blob.
    pub template_blob: BlobId,
    /// The strings of the template, in template order, each key once.
    pub sources: Arc<[SourceString]>,
    /// The translations, by path; the template is one of them. One that did not change since the projection before
    /// is the same value.
    pub translations: Vec<Arc<TranslationState>>,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// The change log; empty with `history = none`.
    pub log: Arc<Log>,
    /// The people of the log, by first appearance.
    pub people: Arc<[Person]>,
}

/// One string of the template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceString {
    /// Its key in the component's log.
    pub key: KeyId,
    /// Its context: the id that the reader gave it.
    pub context: TextId,
    /// The template's text.
    pub source: TextId,
    /// The template's note.
    pub note: TextId,
    /// Place in the template, 1-based; duplicates take places too (`units.md` 4).
    pub position: u32,
    /// When the key first appeared.
    pub since: Timestamp,
}

/// One language file.
#[derive(Clone, Debug)]
pub struct TranslationState {
    /// Which translation of the log it is.
    pub lineage: LineageId,
    /// Path from the repository's root.
    pub path: Arc<str>,
    /// Paths that it had before, newest first.
    pub older_paths: Vec<Arc<str>>,
    /// The language code as written in the path.
    pub file_code: Arc<str>,
    /// The language it stands for.
    pub language: Language,
    /// The blob whose texts are shown; `None` when no version was ever read.
    pub blob: Option<BlobId>,
    /// Whether the file is the component's template.
    pub is_template: bool,
    /// One for each source string, in the same order; none when no version was ever read.
    pub units: Vec<UnitState>,
    /// For stale units: place in `units` and the source that was translated; by place.
    pub stale: Vec<(u32, TextId)>,
    /// Its newest content entry, if any.
    pub last_change: Option<(Timestamp, PersonId)>,
}

/// One string in one language.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitState {
    /// The file's text, `""` when it has none.
    pub target: TextId,
    /// The file's note.
    pub note: TextId,
    /// Whether the value counts as a translation (`units.md` 4, "State"), stale or not.
    pub translated: bool,
}

/// Something in the repository that cannot be served as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file.
    pub path: String,
    /// What is wrong with it, in one sentence.
    pub what: String,
    /// Whether it is a language file that does not parse, rather than one that is left out.
    pub broken: bool,
}

impl Problem {
    /// A name that matches the mask but is no file that can be read.
    pub(super) fn left_out(path: String, kind: &str) -> Self {
        Self { path, what: format!("left out: it is {kind}"), broken: false }
    }
}

/// Somebody whom the history names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// What tells people apart: the mail address in lower case, else the name. Never leaves the server.
    pub identity: String,
    /// The name in the newest commit.
    pub full_name: String,
    /// When that commit was committed, in seconds since 1970: of several components the newest name counts.
    pub named: i64,
}
