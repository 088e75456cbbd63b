//! The rows that are served, out of the versions of a commit's files.

use std::collections::HashMap;
use std::sync::Arc;

use super::files::File;
use super::keys::Keys;
use super::versions::Good;
use super::{HistoryError, Problem, SourceString, TranslationState, UnitState};
use crate::formats::{Outline, Reader};
use crate::git::{GitError, ObjectReader};
use crate::language;
use crate::model::{BlobId, LineageId, TextId, Timestamp};

/// A language file to be served.
#[derive(Clone, Debug)]
pub(super) struct Served {
    pub path: Arc<str>,
    pub file: File,
    pub lineage: LineageId,
    /// The version that is shown: the file's own or, when that does not parse, the last one that did.
    pub good: Option<Arc<Good>>,
}

impl Served {
    /// What is wrong with the file's own version, if it is not the one that is shown.
    pub fn problem(&self, reader: &mut ObjectReader, format: &dyn Reader) -> Option<Problem> {
        if self.good.as_ref().is_some_and(|good| good.blob == self.file.blob) {
            return None;
        }
        Some(Problem { path: self.path.to_string(), what: what_is_wrong(reader, format, self.file.blob), broken: true })
    }

    /// The rows of the file for the strings of a template.
    pub fn rows(&self, sources: &[SourceString], is_template: bool) -> TranslationState {
        let row = |good: &Good, source: &SourceString| {
            let value = good.value(source.key);
            UnitState { target: value.text(), note: good.note(source.key), translated: value.is_translated() }
        };
        let units = self.good.as_ref().map(|good| sources.iter().map(|source| row(good, source)).collect());
        TranslationState {
            lineage: self.lineage,
            language: language::resolve(&self.file.code),
            file_code: self.file.code.clone(),
            path: self.path.clone(),
            older_paths: Vec::new(),
            blob: self.good.as_ref().map(|good| good.blob),
            is_template,
            units: units.unwrap_or_default(),
            stale: Vec::new(),
            last_change: None,
        }
    }
}

/// Why a blob cannot be read, in one sentence.
pub(super) fn what_is_wrong(reader: &mut ObjectReader, format: &dyn Reader, blob: BlobId) -> String {
    let mut bytes = Vec::new();
    match reader.blob(blob, &mut bytes) {
        Err(error) => error.to_string(),
        Ok(()) => match format.read(&bytes, &mut Outline::default(), &mut |_| {}) {
            Err(error) => error.to_string(),
            Ok(()) => "it could not be read before, and now it can".to_owned(),
        },
    }
}

/// The strings of a template, in its order; `since` is left open.
pub(super) fn sources(template: &Good, keys: &Keys) -> Vec<SourceString> {
    let string = |(position, key)| SourceString {
        key,
        context: keys.context(key).unwrap_or(TextId::EMPTY),
        source: template.source(key).text(),
        note: template.source_note(key),
        position,
        since: Timestamp::default(),
    };
    template.positions().map(string).collect()
}

/// Keeps one file per language: the template for its own, else the first path (`log.md` 2, entry 40).
pub(super) fn one_per_language(
    files: impl IntoIterator<Item = (Arc<str>, File)>,
    template: &str,
    problems: &mut Vec<Problem>,
) -> Vec<(Arc<str>, File)> {
    let files: Vec<_> =
        files.into_iter().map(|(path, file)| (language::resolve(&file.code).code, path, file)).collect();
    let mut taken: HashMap<Arc<str>, Arc<str>> = HashMap::new();
    for (code, path, _) in &files {
        if &**path == template {
            taken.insert(code.clone(), path.clone());
        }
    }
    let mut kept = Vec::with_capacity(files.len());
    for (code, path, file) in files {
        let owner = taken.entry(code.clone()).or_insert_with(|| path.clone());
        if *owner == path {
            kept.push((path, file));
        } else {
            let what = format!("left out: {owner} already stands for the language {code}");
            problems.push(Problem { path: path.to_string(), what, broken: false });
        }
    }
    kept
}

impl From<GitError> for HistoryError {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}
