//! Files with several languages, and groups of files: what a component reads as its files (docs/spec/change-log.md#parts).

use gitglot_formats::{PartVersions, SharedPart};
use gitglot_git::{FileGrouper, FilePart, FileSplitter, Repository};
use parking_lot::Mutex;

use gitglot_model::{
    ComponentSettings, FileFormat, GroupFolder, GroupsAt, TableColumns, part_name,
};

/// The repository as the other modules read it.
pub fn view(repository: &Repository, component: &ComponentSettings) -> Repository {
    let format = component.file_format;
    if !format.has_parts() {
        return group_view(repository, component);
    }
    repository.with_parts(Box::new(Splitter {
        format,
        columns: component.columns.clone(),
        catalogs: Mutex::new(PartVersions::new(format, component.columns.clone())),
    }))
}

/// The repository with groups of files, but with whole files. Documents can name their sources, also without groups.
pub fn group_view(repository: &Repository, component: &ComponentSettings) -> Repository {
    if has_group_view(component) {
        repository.with_groups(Box::new(Grouper::of(component)))
    } else {
        repository.clone()
    }
}

/// Whether [`group_view`] shows other trees than the repository has.
pub fn has_group_view(component: &ComponentSettings) -> bool {
    component.filemask.has_groups() || component.file_format == FileFormat::Document
}

struct Splitter {
    format: FileFormat,
    columns: TableColumns,
    /// Only versions of catalogs are compared. Other files are split at the same time on several threads.
    catalogs: Mutex<PartVersions>,
}

impl FileSplitter for Splitter {
    fn has_parts(&self, name: &[u8]) -> bool {
        let others = self.format.other_extensions().iter().copied();
        let mut extensions = std::iter::once(self.format.extension()).chain(others);
        extensions.any(|extension| name.ends_with(extension.as_bytes()))
    }

    fn split(&self, bytes: &[u8]) -> Vec<FilePart> {
        let parts = if self.format == FileFormat::StringCatalog {
            self.catalogs.lock().split(bytes)
        } else {
            PartVersions::new(self.format, self.columns.clone()).split(bytes)
        };
        let parts = parts.unwrap_or_default();
        let part = |part: SharedPart| FilePart {
            name: part_name(&part.code).into_bytes(),
            pieces: part.pieces,
        };
        parts.into_iter().map(part).collect()
    }
}

struct Grouper {
    component: ComponentSettings,
    folders: Vec<GroupsAt>,
}

impl Grouper {
    fn of(component: &ComponentSettings) -> Self {
        let older = component.previous_filemasks.iter();
        let masks = std::iter::once(&component.filemask).chain(older);
        let folders = masks.flat_map(|mask| mask.groups(&component.template));
        Self {
            component: component.clone(),
            folders: folders.collect(),
        }
    }

    fn folder(&self, name: &str) -> Option<&GroupFolder> {
        let found = self.folders.iter().find(|folder| folder.name == name);
        found.map(|folder| &folder.folder)
    }
}

impl FileGrouper for Grouper {
    fn is_folder(&self, name: &str) -> bool {
        self.folder(name).is_some()
    }

    fn folders(&self) -> Vec<String> {
        let folders = self.folders.iter();
        folders.map(|folder| folder.name.clone()).collect()
    }

    fn opens(&self, folder: &str, path: &str) -> bool {
        self.folder(folder).is_some_and(|folder| folder.opens(path))
    }

    fn place(&self, folder: &str, path: &str) -> Option<(String, String)> {
        let folder = self.folder(folder)?;
        let (code, path) = self.component.place_in_group(folder, path)?;
        Some((GroupFolder::group_name(code), path.into_owned()))
    }

    fn made_from(&self, path: &str, bytes: &[u8]) -> Option<(String, String)> {
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let (_, commit) = self.component.source_commit(text)?;
        let source = self.component.file_of_string(None, path);
        let source = source.unwrap_or_else(|| self.component.template.clone());
        Some((commit.to_owned(), source))
    }

    fn sources(&self) -> String {
        let (mask, template) = (&self.component.filemask, &self.component.template);
        if mask.has_groups() {
            mask.source_path(template)
        } else {
            String::new()
        }
    }

    fn max_bytes(&self) -> usize {
        self.component.max_grouped_bytes()
    }

    fn add(&self, path: &str, bytes: &[u8], content: &mut Vec<u8>) {
        gitglot_formats::add_document(path, bytes, content);
    }
}
