//! The files of a component in one state, parsed on all cores.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::bilingual::BilingualStrings;
use super::file::{ParsedFile, WholeFile};
use super::language_file::{LanguageFile, ParsedFileKey};
use super::tree::{RepositoryTree, SourceFile, read};
use crate::error::{LintError, MAX_ID_BYTES};
use crate::tree::RepositoryState;
use gitglot_git::{ObjectReader, Repository, blob_id};
use gitglot_history::group_view;
use gitglot_model::language::{self, Language};
use gitglot_model::{
    CommitId, Component, FileMask, SeededMap, SeededSet, Unlimited, WorkLimit, name_of_part,
    threads_for, try_in_parallel,
};

/// Files of tools next to translations.
const OF_TOOLS: [&str; 4] = [
    "composer.json",
    "package-lock.json",
    "package.json",
    "tsconfig.json",
];

fn is_of_tool(path: &str) -> bool {
    OF_TOOLS.contains(&path.rsplit('/').next().unwrap_or(path))
}

/// Parsed files that several states share. All have the same format.
pub trait ParsedFileStore: Sync {
    /// The file of a blob.
    fn get(&self, key: ParsedFileKey) -> Option<Arc<ParsedFile>>;

    /// Adds a file.
    fn put(&self, key: ParsedFileKey, file: &Arc<ParsedFile>);
}

/// A component in one state of a repository.
#[derive(Clone, Debug)]
pub struct ComponentFiles {
    /// The template, for bilingual files the one of new files; `None` if the state does not have it.
    pub(super) template: Option<LanguageFile>,
    /// The other files, by path.
    pub(super) languages: Vec<LanguageFile>,
    /// The strings of bilingual files; `None` if a template has them.
    pub(super) strings: Option<BilingualStrings>,
    /// A sentence for each file whose language has another file.
    pub(super) duplicates: Vec<String>,
    /// The paths of links, submodules and others that stand in place of a file. They are not followed.
    pub(super) irregular: Vec<String>,
}

impl ComponentFiles {
    /// Reads the files of a component in a state. Files that `known` has too are not parsed again.
    ///
    /// # Errors
    /// If the state cannot be read. A file that does not parse is not an error.
    pub fn at(
        tree: &RepositoryTree,
        component: &Component,
        source_language: &str,
        known: Option<&Self>,
    ) -> Result<Self, LintError> {
        let tree = tree.of_component(component);
        let known = known.into_iter().flat_map(Self::files);
        let known = known.map(|file| (file.key(), file.content.clone()));
        let known = |_: &[ParsedFileKey]| known.collect();
        Self::read(&tree, component, source_language, known, &Unlimited)
    }

    /// Reads the files of a component at a commit. Parses only files that `store` lacks, and adds them.
    ///
    /// # Errors
    /// As [`ComponentFiles::at`].
    pub fn at_commit(
        repository: &Repository,
        commit: CommitId,
        component: &Component,
        source_language: &str,
        store: &dyn ParsedFileStore,
        limit: &dyn WorkLimit,
    ) -> Result<Self, LintError> {
        let repository = group_view(repository, component);
        let tree = RepositoryTree::open(&repository, RepositoryState::Commit(commit))?;
        let known = |keys: &[ParsedFileKey]| {
            let found = |&key: &ParsedFileKey| Some((key, store.get(key)?));
            keys.iter().filter_map(found).collect()
        };
        let side = Self::read(&tree, component, source_language, known, limit)?;
        side.files()
            .for_each(|file| store.put(file.key(), &file.content));
        Ok(side)
    }

    fn read(
        tree: &RepositoryTree,
        component: &Component,
        source_language: &str,
        known: impl FnOnce(&[ParsedFileKey]) -> ParsedFiles,
        limit: &dyn WorkLimit,
    ) -> Result<Self, LintError> {
        let shape = component.file_format.shape();
        let (mut files, irregular): (Vec<_>, Vec<_>) = tree
            .files(component)?
            .into_iter()
            .partition(|file| file.is_regular);
        if component.file_format.has_parts() {
            files = parts_of(&files, component, &mut tree.reader())?;
        }
        let template = &*component.filemask.source_path(component.source_file());
        let code = |path| component.filemask.matches(path).unwrap_or(source_language);
        let is_no_translation = |path: &str| {
            let code = component.filemask.matches(path);
            path != template
                && code.is_some_and(|code| language::is_pseudo(code) || is_of_tool(path))
        };
        let mut duplicates = Vec::new();
        let mut first: HashMap<Arc<str>, &str> = HashMap::new();
        if shape.has_template() {
            first.insert(language::resolve(code(template)).code, template);
        }
        let mut selected = Vec::with_capacity(files.len());
        for file in files.iter().filter(|file| !is_no_translation(&file.path)) {
            let code = code(&file.path);
            let language = language::resolve(code);
            if !shape.has_template() && file.path == template {
                selected.push((file, language, false));
                continue;
            }
            let other = *first.entry(language.code.clone()).or_insert(&file.path);
            if other != file.path {
                let other = name_of_part(other);
                duplicates.push(format!(
                    "{} and {other} are both files of the language {}: gitglot serve uses only {other}",
                    name_of_part(&file.path), language.code
                ));
            }
            selected.push((file, language, language::has_single_form(code)));
        }
        let keys: Vec<ParsedFileKey> = selected.iter().map(key_of).collect();
        let contents = parse_all(tree, &selected, component, known(&keys), limit)?;
        let file = |file: SelectedFile<'_>| {
            let content = contents.get(&key_of(&file))?.clone();
            let (file, language, single_form) = file;
            Some(LanguageFile {
                path: file.path.as_str().into(),
                language,
                blob: file.blob,
                single_form,
                content,
            })
        };
        let (template, languages): (Vec<_>, Vec<_>) = selected
            .into_iter()
            .filter_map(file)
            .partition(|file| *file.path == *template);
        let template = template.into_iter().next();
        let strings = (!shape.has_template())
            .then(|| BilingualStrings::of(component, template.as_ref(), &languages));
        Ok(Self {
            template,
            languages,
            strings,
            duplicates,
            irregular: irregular.into_iter().map(|file| file.path).collect(),
        })
    }

    /// Whether a file matches a file mask.
    pub fn has_file_of(&self, mask: &FileMask) -> bool {
        // A file of several languages that does not parse has no part of a language.
        self.files()
            .any(|file| mask.has_parts() || mask.matches(&file.path).is_some())
    }

    /// Whether the strings can be read: the template exists and parses, or the files are bilingual.
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

    /// Whether the state has a file with the same content.
    pub(super) fn has_version(&self, file: &LanguageFile) -> bool {
        self.files()
            .any(|other| other.path == file.path && other.blob == file.blob)
    }

    /// The file with all strings: the template, if it parses. In bilingual files the strings of all files.
    pub(super) fn readable_template(&self) -> Option<&LanguageFile> {
        if let Some(strings) = &self.strings {
            return Some(&strings.file);
        }
        self.template
            .as_ref()
            .filter(|file| file.content.error.is_none())
    }

    /// Whether every file should have the string of a row of the readable template.
    pub(super) fn is_expected(&self, row: usize) -> bool {
        let strings = self.strings.as_ref();
        strings.is_none_or(|strings| strings.is_expected(row))
    }

    /// The template and the languages.
    pub(super) fn files(&self) -> impl Iterator<Item = &LanguageFile> {
        self.template.iter().chain(&self.languages)
    }
}

/// Parsed files by content and by whether the language has a single plural form.
type ParsedFiles = SeededMap<ParsedFileKey, Arc<ParsedFile>>;

/// A file of a component, its language, and whether the language has a single plural form.
type SelectedFile<'a> = (&'a SourceFile, Language, bool);

fn key_of((file, _, single_form): &SelectedFile<'_>) -> ParsedFileKey {
    (file.blob, *single_form)
}

fn parse_all(
    tree: &RepositoryTree,
    files: &[SelectedFile<'_>],
    component: &Component,
    mut contents: ParsedFiles,
    limit: &dyn WorkLimit,
) -> Result<ParsedFiles, LintError> {
    let known = contents.values().map(|content| content.id_bytes());
    let id_bytes = AtomicUsize::new(known.sum());
    let mut seen: SeededSet<ParsedFileKey> = contents.keys().copied().collect();
    let jobs = files.iter().filter(|job| seen.insert(key_of(job)));
    let jobs: Vec<&SelectedFile<'_>> = jobs.collect();
    let threads = threads_for(jobs.len());
    let parsed = try_in_parallel(jobs, threads, || {
        let (mut reader, meter) = (tree.reader(), limit.meter());
        let id_bytes = &id_bytes;
        move |job: &SelectedFile<'_>| {
            let (file, _, single_form) = job;
            let bytes = read(file, &mut reader)?;
            if !meter(bytes.len()) {
                return Err(LintError::Stopped);
            }
            if id_bytes.load(Ordering::Relaxed) > MAX_ID_BYTES {
                return Err(LintError::TooManyIds);
            }
            let (whole, format) = (file.whole.as_deref(), component.file_format);
            let content = ParsedFile::parse(bytes, whole, format, *single_form);
            id_bytes.fetch_add(content.id_bytes(), Ordering::Relaxed);
            Ok((key_of(job), Arc::new(content)))
        }
    });
    contents.extend(parsed?);
    Ok(contents)
}

/// The parts of files with several languages; of one that does not parse, the file itself in place of the template.
fn parts_of(
    files: &[SourceFile],
    component: &Component,
    reader: &mut ObjectReader,
) -> Result<Vec<SourceFile>, LintError> {
    let mask = &component.filemask;
    let mut found = Vec::new();
    for file in files {
        let bytes = read(file, reader)?;
        let Ok(split) = gitglot_formats::split(component.file_format, &component.columns, &bytes)
        else {
            found.push(SourceFile {
                path: mask.source_path(&file.path),
                bytes: Some(bytes),
                ..file.clone()
            });
            continue;
        };
        for part in split.parts {
            // The places are part of the name: a file that is known keeps those of its entries.
            let places = part.offsets.iter().flat_map(|at| at.to_le_bytes());
            let content = part.pieces.concat();
            let named: Vec<u8> = content.iter().copied().chain(places).collect();
            let path = match &*part.code {
                "" => mask.source_path(&file.path),
                code => mask.with_code(code),
            };
            if part.code.is_empty() || mask.matches(&path).is_some() {
                let blob = blob_id(&*named, named.len() as u64).unwrap_or(file.blob);
                found.push(SourceFile {
                    whole: Some(Arc::new(WholeFile {
                        bytes: bytes.clone(),
                        offsets: part.offsets,
                    })),
                    ..SourceFile::new(path, blob, Some(content))
                });
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ComponentFiles {
        /// A state in memory: JSON files, each with its language as its name.
        pub(crate) fn of_texts(template: &str, files: &[(&str, &str)]) -> Self {
            Self::of_format(gitglot_model::FileFormat::Json, template, files)
        }

        /// As [`Self::of_texts`], in a format.
        pub(crate) fn of_format(
            format: gitglot_model::FileFormat,
            template: &str,
            files: &[(&str, &str)],
        ) -> Self {
            let file = |&(name, text): &(&str, &str)| LanguageFile {
                path: format!("{name}.json").into(),
                language: language::resolve(name),
                blob: gitglot_git::blob_id(text.as_bytes(), text.len() as u64).unwrap(),
                single_form: false,
                content: Arc::new(ParsedFile::parse(
                    Arc::new(text.as_bytes().to_vec()),
                    None,
                    format,
                    false,
                )),
            };
            let files = files.iter().map(file);
            let is_template = |file: &LanguageFile| &*file.language.code == template;
            let (template, languages): (Vec<_>, Vec<_>) = files.partition(is_template);
            let template = template.into_iter().next();
            let mut component = crate::ComponentSpec::of_json("en").component;
            component.settings.file_format = format;
            let is_bilingual = !format.shape().has_template();
            let strings = is_bilingual
                .then(|| BilingualStrings::of(&component, template.as_ref(), &languages));
            Self {
                template,
                languages,
                strings,
                duplicates: Vec::new(),
                irregular: Vec::new(),
            }
        }
    }
}
