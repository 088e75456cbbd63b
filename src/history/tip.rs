//! Reads the files of one commit into the rows that are served.

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::files::{File, Place};
use super::keys::Keys;
use super::{HistoryError, Problem, Projection, SourceString, TranslationState, UnitState};
use crate::formats::{self, Outline, Reader};
use crate::git::{Commit, GitError, ObjectReader};
use crate::language;
use crate::model::{BlobId, Component, LineageIx, Log, Moment, TextPool, TextRef};

/// A language file to be served, and the version of it that can be read.
#[derive(Clone, Debug)]
pub(super) struct Served {
    pub path: Arc<str>,
    pub file: File,
    pub lineage: LineageIx,
    /// An older version that stands in when the file's own does not parse.
    pub last_good: Option<BlobId>,
}

/// What a component's files hold at a commit.
pub(super) struct TipReader<'a> {
    pub component: &'a Component,
    pub reader: &'a mut ObjectReader,
    pub texts: &'a mut TextPool,
    pub keys: &'a mut Keys,
}

impl TipReader<'_> {
    /// Reads the present state alone, without any history.
    pub fn read_present(&mut self, place: &Place, tip: Arc<Commit>) -> Result<Projection, HistoryError> {
        let found = place.list(self.reader, tip.tree)?;
        let mut problems: Vec<_> = found.odd.into_iter().map(|(path, what)| Problem::left_out(path, what)).collect();
        let template = found.files.get(&place.template).cloned();
        let served = one_per_language(found.files, &place.template, &mut problems)
            .into_iter()
            .enumerate()
            .map(|(at, (path, file))| Served { path, file, lineage: LineageIx(at as u16), last_good: None })
            .collect();
        self.read(place, tip, template.map(|file| file.blob), served, problems)
    }

    /// Reads the given versions of files.
    pub fn read(
        &mut self,
        place: &Place,
        tip: Arc<Commit>,
        template: Option<BlobId>,
        served: Vec<Served>,
        mut problems: Vec<Problem>,
    ) -> Result<Projection, HistoryError> {
        let format = formats::reader(self.component.file_format);
        let mut bytes = Vec::new();
        let missing = || HistoryError::NoTemplate {
            template: self.component.template.clone(),
            branch: self.component.branch.clone(),
        };
        let template_blob = template.ok_or_else(missing)?;
        let broken = |what: String| HistoryError::BrokenTemplate { template: self.component.template.clone(), what };
        self.reader.blob(template_blob, &mut bytes).map_err(|error| broken(error.to_string()))?;
        let rows = self.template_rows(format, &bytes).map_err(|error| broken(error.to_string()))?;

        let mut translations = Vec::with_capacity(served.len());
        for Served { path, file, lineage, last_good } in served {
            let is_template = path == place.template;
            let mut blob = None;
            let mut units = Vec::new();
            for version in [Some(file.blob), last_good].into_iter().flatten() {
                match self.units_of(format, version, &rows, &mut bytes) {
                    Ok(read) => {
                        (blob, units) = (Some(version), read);
                        break;
                    }
                    Err(what) => problems.push(Problem { path: path.to_string(), what, broken: true }),
                }
            }
            translations.push(TranslationState {
                lineage,
                language: language::resolve(&file.code),
                file_code: file.code,
                path,
                older_paths: Vec::new(),
                blob,
                is_template,
                units,
                stale: Vec::new(),
                last_change: None,
            });
        }
        Ok(Projection {
            texts: self.texts.freeze(),
            tip,
            template_blob,
            sources: rows.sources,
            translations,
            problems,
            log: Arc::new(Log::default()),
            people: Arc::new([]),
        })
    }

    fn template_rows(&mut self, format: &dyn Reader, bytes: &[u8]) -> Result<TemplateRows, formats::ReadError> {
        let mut rows = TemplateRows::default();
        let (texts, keys) = (&mut *self.texts, &mut *self.keys);
        let mut position = 0;
        format.read(bytes, &mut Outline::default(), &mut |entry| {
            position += 1;
            let context = texts.intern(entry.context);
            // The first of two equal contexts makes the row (units.md 4).
            rows.row_of.entry(context).or_insert_with(|| {
                let row = rows.sources.len() as u32;
                rows.sources.push(SourceString {
                    key: keys.of(context),
                    context,
                    source: texts.intern(entry.text),
                    note: texts.intern(entry.note),
                    position,
                    since: Moment::default(),
                });
                row
            });
        })?;
        Ok(rows)
    }

    fn units_of(
        &mut self,
        format: &dyn Reader,
        blob: BlobId,
        rows: &TemplateRows,
        bytes: &mut Vec<u8>,
    ) -> Result<Vec<UnitState>, String> {
        self.reader.blob(blob, bytes).map_err(|error| error.to_string())?;
        let texts = &mut *self.texts;
        let mut units = vec![UnitState::default(); rows.sources.len()];
        format
            .read(bytes, &mut Outline::default(), &mut |entry| {
                let row = texts.find(entry.context).and_then(|context| rows.row_of.get(&context));
                // The last of two equal contexts gives the text (units.md 4).
                if let Some(unit) = row.and_then(|&row| units.get_mut(row as usize)) {
                    *unit = UnitState {
                        target: texts.intern(entry.text),
                        note: texts.intern(entry.note),
                        translated: entry.translated,
                    };
                }
            })
            .map_err(|error| error.to_string())?;
        Ok(units)
    }
}

#[derive(Default)]
struct TemplateRows {
    sources: Vec<SourceString>,
    row_of: FxHashMap<TextRef, u32>,
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
