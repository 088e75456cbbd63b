//! The language files of the tip and their rows.

use std::sync::Arc;

use super::bilingual::{self, TipEntries};
use super::expected::{ExpectedStrings, MissingStrings};
use super::guide::guide;
use super::missing::MissingCache;
use super::notes::StringNotes;
use super::rows::{FileProblem, Projection, SourceString, TranslationState};
use super::states::{self, TipStates};
use super::tip_file::{LeftOut, TipFile};
use crate::files::layout::{Layouts, ListedFile, TreeFiles};
use crate::reviews::Reviewed;
use crate::versions::keys::KeyTable;
use crate::versions::parsed::{ParsedVersion, Vocabulary};
use gitglot_git::{GitError, ObjectReader};
use gitglot_model::{
    BlobId, Commit, Component, FileMask, KeyId, SeededMap, SeededSet, Timestamp, file_of_part,
    language,
};

/// The strings and the rows of translations.
type Rows = (Vec<SourceString>, Vec<Arc<TranslationState>>);

/// A commit whose rows do not depend on a log.
pub struct CommitState<'a> {
    pub component: &'a Component,
    pub commit: Arc<Commit>,
    /// The content of the template; `None` for bilingual files.
    pub template: Option<Arc<ParsedVersion>>,
    pub files: Vec<TipFile>,
    pub layouts: Arc<Layouts>,
}

impl CommitState<'_> {
    /// The rows: nothing is stale but fuzzy texts, and every string counts as new in the commit. Bilingual files with `known`
    /// entries are not read.
    pub fn project(
        self,
        reader: &mut ObjectReader,
        vocabulary: &mut Vocabulary,
        known: &TipEntries,
    ) -> Result<Projection, GitError> {
        let since = Timestamp::from_seconds(self.commit.committer.time.seconds);
        let format = self.component.file_format;
        let mut left_out = LeftOut::default();
        let problem = |file: &TipFile| file.problem(reader, format, &mut left_out);
        let mut problems: Vec<FileProblem> = self.files.iter().filter_map(problem).collect();
        problems.dedup();
        let ((sources, translations), expected, missing) = match &self.template {
            Some(template) => {
                let mut sources = sources(template, &vocabulary.keys, |_| since);
                let (tree, mask) = (self.commit.tree, &self.layouts.newest().mask);
                if let Some(notes) = StringNotes::read(reader, format, tree, mask, None)? {
                    notes.fill(&mut sources, vocabulary);
                }
                let known = TipStates::default();
                let states = states::read(reader, format, &self.files, vocabulary, &known)?;
                let rows = |file: &TipFile| {
                    let mut rows = file.rows(&sources, |text| vocabulary.texts.is_plural(text));
                    states::fill(&mut rows, &sources, Some(template.blob), &states);
                    Arc::new(rows)
                };
                let rows = self.files.iter().map(rows).collect();
                ((sources, rows), ExpectedStrings::default(), Vec::new())
            }
            None => self.bilingual(reader, vocabulary, since, known)?,
        };
        let template_blob = self.template.map(|template| template.blob);
        Ok(Projection {
            expected,
            missing,
            guide: guide(reader, self.commit.tree),
            shape: format.shape(),
            id_bytes: vocabulary.id_bytes(),
            texts: vocabulary.texts.freeze(),
            tip: self.commit,
            template_blob: template_blob.unwrap_or(BlobId([0; 20])),
            problems,
            translations,
            sources: sources.into(),
            reviewed: Reviewed::default(),
            log: Arc::default(),
            people: Arc::new([]),
            layouts: self.layouts,
        })
    }

    fn bilingual(
        &self,
        reader: &mut ObjectReader,
        vocabulary: &mut Vocabulary,
        since: Timestamp,
        known: &TipEntries,
    ) -> Result<(Rows, ExpectedStrings, Vec<Arc<MissingStrings>>), GitError> {
        let format = self.component.file_format;
        let entries = bilingual::read_entries(reader, format, &self.files, vocabulary, known)?;
        let (sources, indexes) = bilingual::strings(&self.files, &entries, vocabulary, |_| since);
        let rows = |file| Arc::new(bilingual::rows(file, &entries, &indexes));
        let rows = self.files.iter().map(rows).collect();
        let (component, tree, files) = (self.component, self.commit.tree, &self.files);
        let mut cache = MissingCache::default();
        let found = cache.find(component, reader, tree, files, &entries, vocabulary);
        let (expected, missing) = found?;
        Ok(((sources, rows), expected, missing))
    }
}

/// The strings of a template, in its order.
pub fn sources(
    template: &ParsedVersion,
    keys: &KeyTable,
    since: impl Fn(KeyId) -> Timestamp,
) -> Vec<SourceString> {
    let string = |(position, key)| SourceString {
        key,
        context: keys.context(key),
        source: template.source(key).text(),
        note: template.source_note(key),
        position,
        since: since(key),
    };
    template.positions().map(string).collect()
}

/// The problems of files that `mask` lists and that are not served: they are unsupported, or their language already has
/// a file.
pub fn left_out(mask: &FileMask, listed: TreeFiles, served: &[TipFile]) -> Vec<FileProblem> {
    let hint = if mask.is_ambiguous() {
        "; use {language} and {name} instead of '*' in the file mask"
    } else {
        ""
    };
    let code = |file: &ListedFile| language::resolve(&file.code).code;
    let paths: SeededSet<&str> = served.iter().map(|file| &*file.path).collect();
    let others = listed.files.iter();
    let mut others = others
        .filter(|(path, _)| !paths.contains(&***path))
        .peekable();
    let mut owners: SeededMap<Arc<str>, &str> = SeededMap::default();
    if others.peek().is_some() {
        owners.extend(served.iter().map(|file| (code(&file.file), &*file.path)));
    }
    let excluded = |path: String, reason| FileProblem {
        path: file_of_part(&path).into_owned(),
        reason: format!("excluded: {reason}"),
        broken: false,
    };
    let second = others.filter_map(|(path, file)| {
        let language = code(file);
        let owner = owners.get(&language)?;
        let reason = format!("{owner} is already the file of the language {language}{hint}");
        Some(excluded(path.to_string(), reason))
    });
    let unsupported = listed.unsupported.into_iter();
    let unsupported = unsupported.map(|(path, kind)| excluded(path, format!("it is {kind}")));
    unsupported.chain(second).collect()
}
