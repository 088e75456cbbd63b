//! The files of a component in one state, parsed on all cores.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::file::ParsedFile;
use super::tree::{RepositoryTree, SourceFile, read};
use super::{LintError, RepositoryState};
use crate::formats;
use crate::language::{self, Language};
use crate::model::{BlobId, Component};

/// A blob, and whether the language of the file has a single plural form.
pub type ParsedFileKey = (BlobId, bool);

/// Parsed files that several states share. All have the same format.
pub trait ParsedFileStore: Sync {
    /// The file of a blob.
    fn get(&self, key: ParsedFileKey) -> Option<Arc<ParsedFile>>;

    /// Adds a file.
    fn put(&self, key: ParsedFileKey, file: &Arc<ParsedFile>);
}

/// A component in one state of a repository.
#[derive(Debug)]
pub struct ComponentSide {
    /// The template; `None` if the state does not have it.
    pub(super) template: Option<LanguageFile>,
    /// The other files, by path.
    pub(super) languages: Vec<LanguageFile>,
    /// A sentence for each file whose language has another file.
    pub(super) duplicates: Vec<String>,
}

/// A file of a component.
#[derive(Clone, Debug)]
pub(super) struct LanguageFile {
    pub(super) path: Arc<str>,
    pub(super) language: Language,
    pub(super) blob: BlobId,
    /// Whether the language has a single plural form, which some formats depend on.
    single_form: bool,
    pub(super) content: Arc<ParsedFile>,
}

impl LanguageFile {
    pub(super) fn key(&self) -> ParsedFileKey {
        (self.blob, self.single_form)
    }
}

impl ComponentSide {
    /// Reads the files of a component. Files that `known` has too are not parsed again.
    ///
    /// # Errors
    /// If the state cannot be read. A file that does not parse is not an error.
    pub fn read(
        tree: &RepositoryTree,
        component: &Component,
        source_language: &str,
        known: Option<&Self>,
    ) -> Result<Self, LintError> {
        let known = known.into_iter().flat_map(Self::files);
        let known = known.map(|file| (file.key(), file.content.clone()));
        Self::read_with(tree, component, source_language, |_| known.collect())
    }

    /// Reads the files of a component at a commit. Parses only files that `store` lacks, and adds them.
    ///
    /// # Errors
    /// As [`ComponentSide::read`].
    pub fn at_commit(
        repository: &crate::git::Repository,
        commit: crate::model::CommitId,
        component: &Component,
        source_language: &str,
        store: &dyn ParsedFileStore,
    ) -> Result<Self, LintError> {
        let tree = RepositoryTree::open(repository, RepositoryState::Commit(commit))?;
        let side = Self::read_with(&tree, component, source_language, |keys| {
            let found = |&key: &ParsedFileKey| Some((key, store.get(key)?));
            keys.iter().filter_map(found).collect()
        })?;
        side.files()
            .for_each(|file| store.put(file.key(), &file.content));
        Ok(side)
    }

    fn read_with(
        tree: &RepositoryTree,
        component: &Component,
        source_language: &str,
        known: impl FnOnce(&[ParsedFileKey]) -> ParsedFiles,
    ) -> Result<Self, LintError> {
        let files = tree.files(&component.filemask, &component.template)?;
        let code = |path: &str| match component.filemask.matches(path) {
            Some(code) => language::resolve(code),
            None => language::resolve(source_language),
        };
        let mut duplicates = Vec::new();
        let mut first: HashMap<Arc<str>, &str> = HashMap::new();
        first.insert(code(&component.template).code, &component.template);
        let mut selected = Vec::with_capacity(files.len());
        for file in &files {
            let language = code(&file.path);
            let other = *first.entry(language.code.clone()).or_insert(&file.path);
            if other != file.path {
                duplicates.push(format!(
                    "{} and {other} are both files of the language {}: gitglot serve uses only {other}",
                    file.path, language.code
                ));
            }
            selected.push((file, language));
        }
        let single_form = |path: &str| {
            let code = component.filemask.matches(path).unwrap_or(source_language);
            language::has_single_form(code)
        };
        let jobs: Vec<(&SourceFile, bool)> = selected
            .iter()
            .map(|(file, _)| (*file, single_form(&file.path)))
            .collect();
        let keys: Vec<ParsedFileKey> = jobs
            .iter()
            .map(|(file, single_form)| (file.blob, *single_form))
            .collect();
        let contents = parse_all(tree, &jobs, component, known(&keys))?;
        let file = |(file, language): (&SourceFile, Language)| {
            let content = contents.get(&(file.blob, single_form(&file.path)))?.clone();
            Some(LanguageFile {
                path: file.path.as_str().into(),
                language,
                blob: file.blob,
                single_form: single_form(&file.path),
                content,
            })
        };
        let (template, languages): (Vec<_>, Vec<_>) = selected
            .into_iter()
            .filter_map(file)
            .partition(|file| *file.path == *component.template);
        Ok(Self {
            template: template.into_iter().next(),
            languages,
            duplicates,
        })
    }

    /// Reads the files of a component in a state of a repository.
    ///
    /// # Errors
    /// As [`ComponentSide::read`].
    pub fn at(
        repository: &crate::git::Repository,
        state: RepositoryState,
        component: &Component,
        source_language: &str,
        known: Option<&Self>,
    ) -> Result<Self, LintError> {
        Self::read(
            &RepositoryTree::open(repository, state)?,
            component,
            source_language,
            known,
        )
    }

    /// The paths of the files, the template first.
    pub fn paths(&self) -> impl Iterator<Item = &Arc<str>> {
        self.files().map(|file| &file.path)
    }

    /// Whether the template exists and parses.
    pub fn is_readable(&self) -> bool {
        self.readable_template().is_some()
    }

    /// The file that a file of a later state corresponds to: that with the same path, else one of the same language
    /// whose path the later state no longer has.
    pub(super) fn counterpart(&self, other: &LanguageFile, later: &Self) -> Option<&LanguageFile> {
        let mut files = self.languages.iter();
        let same_path = files.clone().find(|file| file.path == other.path);
        same_path.or_else(|| {
            files.find(|file| file.language.code == other.language.code && !later.has(&file.path))
        })
    }

    /// Whether the state has a file.
    pub(super) fn has(&self, path: &str) -> bool {
        self.files().any(|file| *file.path == *path)
    }

    /// The template, if it parses.
    pub(super) fn readable_template(&self) -> Option<&LanguageFile> {
        self.template
            .as_ref()
            .filter(|file| file.content.error.is_none())
    }

    /// The template and the languages.
    pub(super) fn files(&self) -> impl Iterator<Item = &LanguageFile> {
        self.template.iter().chain(&self.languages)
    }
}

#[cfg(test)]
impl ComponentSide {
    /// A state in memory: JSON files, each with its language as its name.
    pub(super) fn of_texts(template: &str, files: &[(&str, &str)]) -> Self {
        let file = |&(name, text): &(&str, &str)| LanguageFile {
            path: format!("{name}.json").into(),
            language: language::resolve(name),
            blob: crate::git::blob_id(text.as_bytes()).unwrap(),
            single_form: false,
            content: Arc::new(ParsedFile::parse(
                Arc::new(text.as_bytes().to_vec()),
                formats::reader(crate::model::FileFormat::Json),
            )),
        };
        let files = files.iter().map(file);
        let is_template = |file: &LanguageFile| &*file.language.code == template;
        let (template, languages): (Vec<_>, Vec<_>) = files.partition(is_template);
        Self {
            template: template.into_iter().next(),
            languages,
            duplicates: Vec::new(),
        }
    }
}

/// Parsed files by content and by whether the language has a single plural form.
type ParsedFiles = FxHashMap<ParsedFileKey, Arc<ParsedFile>>;

fn parse_all(
    tree: &RepositoryTree,
    files: &[(&SourceFile, bool)],
    component: &Component,
    mut contents: ParsedFiles,
) -> Result<ParsedFiles, LintError> {
    let mut jobs: Vec<(&SourceFile, bool)> = files
        .iter()
        .copied()
        .filter(|(file, single_form)| !contents.contains_key(&(file.blob, *single_form)))
        .collect();
    let mut seen = FxHashSet::default();
    jobs.retain(|(file, single_form)| seen.insert((file.blob, *single_form)));
    let results = Mutex::new(Vec::with_capacity(jobs.len()));
    in_parallel(jobs.len(), || {
        let mut reader = tree.reader();
        let (jobs, results) = (&jobs, &results);
        move |index: usize| {
            let Some(&(file, single_form)) = jobs.get(index) else {
                return;
            };
            let format = formats::reader_for(component.file_format, single_form);
            let parsed =
                read(file, &mut reader).map(|bytes| Arc::new(ParsedFile::parse(bytes, format)));
            results
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(((file.blob, single_form), parsed));
        }
    });
    for (key, parsed) in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
        contents.insert(key, parsed?);
    }
    Ok(contents)
}

/// Calls a worker with every index below `count`, on all cores. Each thread has a worker of its own.
pub(super) fn in_parallel<W: FnMut(usize)>(count: usize, worker: impl Fn() -> W + Sync) {
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(count);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut run = worker();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            run(index);
        }
    };
    if threads < 2 {
        return work();
    }
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}
