//! A language file of the tip.

use std::sync::Arc;

use super::rows::{FileProblem, SourceString, TranslationState, UnitState};
use crate::files::layout::{Layouts, ListedFile};
use crate::files::trees::{LanguageIndex, VersionedFile};
use crate::versions::parsed::ParsedVersion;
use gitglot_formats::FormatReader;
use gitglot_git::ObjectReader;
use gitglot_model::{
    BlobId, FileFormat, LineageId, SeededMap, TextId, file_of_part, language, shown_path, steps,
};

/// The values that readers of source code leave out of some blobs, as one clause.
pub type LeftOut = SeededMap<BlobId, Option<String>>;

/// A language file of the tip.
#[derive(Clone, Debug)]
pub struct TipFile {
    pub path: Arc<str>,
    pub file: ListedFile,
    pub lineage: LineageId,
    /// The last readable version.
    pub version: Option<Arc<ParsedVersion>>,
    pub is_template: bool,
}

impl TipFile {
    /// A translation of a set, with its last readable version.
    pub fn new(
        layouts: &Layouts,
        language: LanguageIndex,
        file: &VersionedFile,
        version: Option<Arc<ParsedVersion>>,
    ) -> Self {
        Self {
            path: file.path.clone(),
            file: ListedFile {
                code: layouts.code_of(&file.path),
                blob: file.blob,
            },
            lineage: LineageId(language),
            version,
            is_template: false,
        }
    }

    /// The problem of a file whose own version is not the one that is served, or that has values that are not read. Source
    /// code is not parsed again if its blob is `known`.
    pub fn problem(
        &self,
        reader: &mut ObjectReader,
        format: FileFormat,
        known: &mut LeftOut,
    ) -> Option<FileProblem> {
        let version = self.version.as_ref().map(|version| version.blob);
        let blob = self.file.blob;
        if version == Some(blob) {
            let reason = match known.get(&blob) {
                Some(reason) => reason.clone(),
                None if !format.is_code() => None,
                None => {
                    let bytes = reader.blob(blob).ok()?;
                    steps::count(bytes.len());
                    let reason = gitglot_formats::left_out(format, &bytes);
                    known.insert(blob, reason.clone());
                    reason
                }
            }?;
            return Some(self.problem_of(reason, false));
        }
        let reason = why_unreadable(reader, gitglot_formats::reader(format), self.file.blob);
        Some(self.problem_of(reason, true))
    }

    fn problem_of(&self, reason: String, broken: bool) -> FileProblem {
        FileProblem {
            path: file_of_part(&self.path).into_owned(),
            reason,
            broken,
        }
    }

    /// The rows of the file, one for each source string. `is_plural` tells whether a source has plural forms.
    pub fn rows(
        &self,
        sources: &[SourceString],
        is_plural: impl Fn(TextId) -> bool,
    ) -> TranslationState {
        let row = |version: &ParsedVersion, source: &SourceString| UnitState {
            value: version.value_for(source.key, || is_plural(source.source)),
            note: version.note(source.key),
        };
        let version = self.version.as_ref();
        let units =
            version.map(|version| sources.iter().map(|source| row(version, source)).collect());
        TranslationState {
            lineage: self.lineage,
            language: language::resolve(&self.file.code),
            file_code: self.file.code.clone(),
            path: shown_path(&self.path),
            own_path: self.path.clone(),
            older_paths: Vec::new(),
            blob: self.version.as_ref().map(|version| version.blob),
            is_template: self.is_template,
            units: units.unwrap_or_default(),
            stale: Vec::new(),
            last_change: None,
            bilingual: None,
        }
    }
}

/// Why a blob cannot be read, as one clause.
pub fn why_unreadable(
    reader: &mut ObjectReader,
    format: &dyn FormatReader,
    blob: BlobId,
) -> String {
    match reader.blob(blob) {
        Err(error) => error.to_string(),
        Ok(bytes) => match format.read(&bytes, &mut |_| {}) {
            Err(error) => error.to_string(),
            Ok(()) => {
                "the file was unreadable but is readable now; restart gitglot to read it again"
                    .to_owned()
            }
        },
    }
}
