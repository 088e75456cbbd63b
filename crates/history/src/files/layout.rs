//! The file masks and paths that a component has had, and the files that a mask selects in one tree.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::HistoryError;
use gitglot_git::{EntryKind, GitError, ObjectReader, Repository};
use gitglot_model::{BlobId, CommitId, Component, FileMask, TreeId, join_path, language};

/// Mask and template of a component at some time.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct FileLayout {
    pub mask: FileMask,
    pub template: Arc<str>,
    /// The code of a template that the mask does not match: the project's source language.
    pub template_code: Arc<str>,
}

/// All layouts of a component (docs/spec/change-log.md#layouts).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Layouts {
    /// Newest first; the first is the configured one.
    pub list: Vec<FileLayout>,
    /// Every path that the template is known to have had, newest first.
    pub template_paths: Vec<Arc<str>>,
    /// Older paths of single language files.
    pub moved: Vec<MovedFile>,
}

/// An older path of a language file that was renamed on its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MovedFile {
    pub path: Arc<str>,
    /// Code of the language that the file belongs to since the rename.
    pub language: Arc<str>,
}

impl Layouts {
    /// The configured layout and the configured older masks.
    pub fn configured(component: &Component, source_language: &str) -> Self {
        let template_code: Arc<str> = source_language.into();
        let layout = |mask: &FileMask, template: Arc<str>| FileLayout {
            mask: mask.clone(),
            template,
            template_code: template_code.clone(),
        };
        let template = component.filemask.source_path(&component.template);
        let code = component.filemask.matches(&template);
        let older = component.previous_filemasks.iter().map(|mask| {
            let older = match code {
                Some(code) => mask.with_code(code),
                None if mask.has_groups() => template.clone(),
                None => mask.source_path(""),
            };
            layout(mask, older.into())
        });
        let older: Vec<_> = older.collect();
        let newest = layout(&component.filemask, template.into());
        let list: Vec<_> = std::iter::once(newest).chain(older).collect();
        let paths = list.iter().map(|layout| layout.template.clone());
        let template_paths = paths.filter(|path| !path.is_empty()).collect();
        Self {
            list,
            template_paths,
            moved: Vec::new(),
        }
    }

    /// Whether one of the files has the source texts of the others.
    pub fn has_template(&self) -> bool {
        !self.newest().template.is_empty()
    }

    /// Whether a tree has a file with all languages. Asked of a tree without a readable template.
    pub fn has_broken_parts(
        &self,
        reader: &mut ObjectReader,
        root: TreeId,
    ) -> Result<bool, GitError> {
        for layout in self.list.iter().filter(|layout| layout.mask.has_parts()) {
            let file = reader.entry_at(root, layout.mask.folder())?;
            if matches!(file, Some(EntryKind::Tree(_))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The configured layout.
    pub fn newest(&self) -> &FileLayout {
        &self.list[0]
    }

    /// The layout of a tree: the newest one whose template is there, else the configured one.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn of_tree(&self, reader: &mut ObjectReader, root: TreeId) -> Result<FileLayout, GitError> {
        let newest = self.newest().clone();
        let found = layout_at(self, reader, root)?;
        Ok(found.map_or(newest.clone(), |(mask, template)| FileLayout {
            mask,
            template,
            ..newest
        }))
    }

    /// Code of the language that the template is written in, by its newest path.
    pub fn template_language(&self) -> Arc<str> {
        let newest = self.newest();
        let code = newest.mask.matches(&newest.template);
        language::resolve(code.unwrap_or(&newest.template_code)).code
    }

    /// The language code as written in a path, by the newest layout that has the path. A template that its own mask does not
    /// match has the code of templates, whatever the masks of older layouts find in its path. A moved file that no mask
    /// matches has the code of the language that it belongs to.
    pub fn code_of(&self, path: &str) -> Arc<str> {
        let code = self.list.iter().find_map(|layout| {
            let code = layout.mask.matches(path);
            (code.is_some() || *layout.template == *path).then_some(code)
        });
        if let Some(code) = code.flatten() {
            return code.into();
        }
        let moved = self.moved.iter().find(|moved| *moved.path == *path);
        let is_template = self.template_paths.iter().any(|listed| **listed == *path);
        let moved = moved.filter(|_| !is_template);
        moved.map_or_else(
            || self.newest().template_code.clone(),
            |moved| moved.language.clone(),
        )
    }

    /// Adds an older mask with its template.
    pub fn add(&mut self, mask: FileMask, template: Arc<str>) {
        if !self.list.iter().any(|layout| layout.mask == mask) {
            let template_code = self.newest().template_code.clone();
            self.list.push(FileLayout {
                mask,
                template: template.clone(),
                template_code,
            });
        }
        self.add_template(template);
    }

    /// Adds an older path of the template; `""` if there is none.
    pub fn add_template(&mut self, template: Arc<str>) {
        if !template.is_empty() && !self.template_paths.contains(&template) {
            self.template_paths.push(template);
        }
    }
}

/// The mask and the template of a tree: those of the newest layout whose template is there; without a template, whose
/// mask matches a file.
///
/// # Errors
/// When the tree cannot be read.
pub fn layout_at(
    layouts: &Layouts,
    reader: &mut ObjectReader,
    root: TreeId,
) -> Result<Option<(FileMask, Arc<str>)>, GitError> {
    if !layouts.has_template() {
        for layout in &layouts.list {
            let files = reader.list_files(root, layout.mask.folder())?;
            let paths = files.iter().map(|file| std::str::from_utf8(&file.path));
            let mut paths = paths.filter_map(Result::ok);
            if paths.any(|path| layout.mask.matches(path).is_some()) {
                return Ok(Some((layout.mask.clone(), layout.template.clone())));
            }
        }
        return Ok(None);
    }
    for layout in &layouts.list {
        for path in &layouts.template_paths {
            let fits = *path == layout.template || layout.mask.matches(path).is_some();
            if fits && matches!(reader.entry_at(root, &**path)?, Some(EntryKind::File(_))) {
                return Ok(Some((layout.mask.clone(), path.clone())));
            }
        }
    }
    Ok(None)
}

/// Refuses a component whose mask has several `*` if two files of a commit have the same language. Only for a component
/// that was never served: later, the second file is a problem of the component
/// (docs/spec/change-log.md#one-file-per-language).
///
/// # Errors
/// [`HistoryError::AmbiguousMask`] with the two files, and when the commit cannot be read.
pub fn check_mask(
    component: &Component,
    source_language: &str,
    repository: &Repository,
    commit: CommitId,
) -> Result<(), HistoryError> {
    if !component.filemask.is_ambiguous() {
        return Ok(());
    }
    let mut reader = repository.reader();
    let tree = reader.commit_header(commit)?.tree;
    let layouts = Layouts::configured(component, source_language);
    let listed = layouts.newest().list(&mut reader, tree)?;
    layouts.newest().check_clash(&listed)
}

/// The files that a layout selects in one tree, by path in code point order.
#[derive(Default)]
pub struct TreeFiles {
    pub files: BTreeMap<Arc<str>, ListedFile>,
    /// Paths that match the mask but cannot be read as files, each with its kind.
    pub unsupported: Vec<(String, &'static str)>,
}

/// One file of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ListedFile {
    /// The language code as written in the path.
    pub code: Arc<str>,
    pub blob: BlobId,
}

impl FileLayout {
    /// Refuses a mask with several `*` of which two files have the same language.
    ///
    /// # Errors
    /// [`HistoryError::AmbiguousMask`] with the two files.
    fn check_clash(&self, found: &TreeFiles) -> Result<(), HistoryError> {
        let paths = found.files.keys().map(|path| &**path);
        let Some((first, second, code)) = self.mask.clash(paths) else {
            return Ok(());
        };
        Err(HistoryError::AmbiguousMask {
            mask: self.mask.as_str().to_owned(),
            first,
            second,
            code,
        })
    }

    /// Lists the files that the layout selects in a tree.
    pub fn list(&self, reader: &mut ObjectReader, root: TreeId) -> Result<TreeFiles, GitError> {
        let mut found = TreeFiles::default();
        let folder = self.mask.folder();
        if let Some(EntryKind::Tree(tree)) = reader.entry_at(root, folder)? {
            self.list_folder(reader, tree, folder, self.mask.folder_level(), &mut found)?;
        }
        if !self.template.is_empty() && !found.files.contains_key(&self.template) {
            match reader.entry_at(root, &*self.template)? {
                None => {}
                Some(EntryKind::File(blob)) => {
                    let code = self.template_code.clone();
                    let file = ListedFile { code, blob };
                    found.files.insert(self.template.clone(), file);
                }
                Some(other) => {
                    let unsupported = (self.template.to_string(), unsupported_kind(other));
                    found.unsupported.push(unsupported);
                }
            }
        }
        Ok(found)
    }

    fn list_folder(
        &self,
        reader: &mut ObjectReader,
        tree: TreeId,
        folder: &str,
        level: usize,
        found: &mut TreeFiles,
    ) -> Result<(), GitError> {
        let mut entries: Vec<(Box<[u8]>, EntryKind)> = Vec::new();
        let prefix = self.mask.level_prefix(level);
        reader.each_starting_with(folder, tree, prefix, |name, kind| {
            let text = std::str::from_utf8(name);
            if text.map_or(true, |name| self.mask.matches_level(level, name)) {
                entries.push((name.into(), kind));
            }
        })?;
        for (name, kind) in entries {
            let Ok(name) = std::str::from_utf8(&name) else {
                let path = join_path(folder, &String::from_utf8_lossy(&name));
                if matches!(kind, EntryKind::File(_)) && self.mask.matches(&path).is_some() {
                    let kind = "a file whose name is not UTF-8";
                    found.unsupported.push((path, kind));
                }
                continue;
            };
            let path = join_path(folder, name);
            match (kind, self.mask.matches(&path)) {
                (EntryKind::Tree(tree), _) => {
                    if level + 1 < self.mask.depth() {
                        self.list_folder(reader, tree, &path, level + 1, found)?;
                    }
                }
                (EntryKind::File(blob), Some(code)) => {
                    let code = code.into();
                    found.files.insert(path.into(), ListedFile { code, blob });
                }
                (EntryKind::File(_), None) if self.mask.overlong_code(&path).is_some() => {
                    let kind = "a file whose language code is longer than 20 characters";
                    found.unsupported.push((path, kind));
                }
                (_, None) => {}
                (other, Some(_)) => found.unsupported.push((path, unsupported_kind(other))),
            }
        }
        Ok(())
    }
}

fn unsupported_kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Symlink(_) => "a symbolic link, which is not followed",
        EntryKind::Submodule(_) => "a submodule, which is not read",
        EntryKind::Tree(_) => "a directory, not a file",
        EntryKind::File(_) => "a file",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_model::{ComponentSettings, FileFormat, Slug};

    #[test]
    fn an_older_mask_finds_no_language_in_a_template() {
        let mask = |mask: &str| FileMask::new(mask).unwrap();
        let template = "a/values/strings.xml";
        let component = Component::new(ComponentSettings::new(
            Slug::new("app").unwrap(),
            mask("a/values-*/strings.xml"),
            template,
            FileFormat::AndroidResource,
        ));
        let mut layouts = Layouts::configured(&component, "en");
        layouts.add(mask("*/values/strings.xml"), "b/values/strings.xml".into());
        assert_eq!(&*layouts.code_of(template), "en");
        assert_eq!(&*layouts.code_of("b/values/strings.xml"), "b");
        assert_eq!(&*layouts.code_of("a/values-de/strings.xml"), "de");
        let newest = Component::new(ComponentSettings::new(
            Slug::new("app").unwrap(),
            mask("*/values/strings.xml"),
            template,
            FileFormat::AndroidResource,
        ));
        let mut layouts = Layouts::configured(&newest, "en");
        let older = "b/values/strings.xml";
        layouts.add(mask("b/values-*/strings.xml"), older.into());
        assert_eq!(&*layouts.code_of(older), "b");
    }
}
