//! Groups of files of the index or of a working tree, as a view shows those of commits
//! (docs/spec/change-log.md#groups).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Files, RepositoryTree, SourceFile, below, on_disk, selected, unreadable};
use crate::error::LintError;
use gitglot_git::{
    GitError, GroupedFile, GroupedFiles, PathEntry, WorkTreeFilter, WorkTreeFolder, group_id,
};
use gitglot_model::{
    ComponentSettings, GroupFolder, GroupsAt, MAX_GROUP_BYTES, MAX_GROUP_DEPTH, MAX_GROUPED_FILES,
    is_language_code, join_path,
};

/// The groups of a component, by path.
pub(super) fn files(
    tree: &RepositoryTree,
    component: &ComponentSettings,
) -> Result<Vec<SourceFile>, LintError> {
    let mut found = Vec::new();
    let tracked = match &tree.files {
        Files::WorkTree(open) => tree.tracked(&open.tracked)?,
        _ => Arc::default(),
    };
    for groups in component.filemask.groups(&component.template) {
        let files = match &tree.files {
            Files::Commit(_) => Vec::new(),
            Files::Index(entries) => {
                let in_group = |path: &str| place(&groups, component, path).is_some();
                selected(below(entries, &groups.base), in_group)
            }
            Files::WorkTree(open) => {
                let mut files = Vec::new();
                let base = &*groups.base;
                if let Some(opened) = open.disk.folder(base).map_err(unreadable(base))? {
                    let walk = Walk {
                        groups: &groups,
                        component,
                        filter: &open.filter,
                        tracked: &tracked,
                    };
                    walk.folder(&opened, base, 0, &mut files)?;
                }
                files
            }
        };
        found.extend(grouped(tree, &groups, component, files)?);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The group of a file, and its path in it.
fn place(groups: &GroupsAt, component: &ComponentSettings, path: &str) -> Option<(String, String)> {
    let (code, key) = component.place_in_group(&groups.folder, groups.inner(path)?)?;
    Some((GroupFolder::group_name(code), key.into_owned()))
}

/// Makes a file of the files of each group.
fn grouped(
    tree: &RepositoryTree,
    groups: &GroupsAt,
    component: &ComponentSettings,
    mut files: Vec<SourceFile>,
) -> Result<Vec<SourceFile>, LintError> {
    // As in views: the files of a directory precede those of the directories in it.
    files.sort_by_cached_key(|file| match file.path.rsplit_once('/') {
        Some((folder, name)) => ([folder, "/"].concat(), name.to_owned()),
        None => (String::new(), file.path.clone()),
    });
    let mut found: BTreeMap<String, (Vec<GroupedFile>, Vec<u8>)> = BTreeMap::new();
    let mut reader = tree.reader();
    for file in files.iter().filter(|file| file.is_regular) {
        let Some((group, path)) = place(groups, component, &file.path) else {
            continue;
        };
        let (path, blob) = (path.into(), file.blob);
        let grouped = GroupedFile { path, blob };
        let bytes = match &file.bytes {
            Some(bytes) => bytes.clone(),
            None => reader.grouped_file(&grouped)?,
        };
        let (list, content) = found.entry(group).or_default();
        gitglot_formats::add_document(&grouped.path, &bytes, content);
        list.push(grouped);
        if list.len() > MAX_GROUPED_FILES || content.len() > MAX_GROUP_BYTES {
            return Err(GitError::LargeGroup(groups.base.clone()).into());
        }
    }
    let group = |(name, (files, content)): (String, (Vec<GroupedFile>, Vec<u8>))| {
        let blob = group_id(&GroupedFiles::by_folder(files))?;
        Some(SourceFile::new(groups.path(&name), blob, Some(content)))
    };
    Ok(found.into_iter().filter_map(group).collect())
}

struct Walk<'a> {
    groups: &'a GroupsAt,
    component: &'a ComponentSettings,
    filter: &'a WorkTreeFilter,
    /// The files of the index, by path.
    tracked: &'a [PathEntry],
}

impl Walk<'_> {
    /// Whether the index has a file below a directory. Sources are not looked for in others: these can be ignored, such as
    /// installed packages.
    fn is_tracked(&self, folder: &str) -> bool {
        !below(self.tracked, folder).is_empty()
    }

    /// Collects the files of groups below a directory of the working tree.
    fn folder(
        &self,
        folder: &WorkTreeFolder,
        path: &str,
        depth: usize,
        found: &mut Vec<SourceFile>,
    ) -> Result<(), LintError> {
        for entry in folder.entries().map_err(unreadable(path))? {
            let inner = join_path(path, &entry.name);
            if entry.is_folder {
                let below = self.groups.inner(&inner).unwrap_or_default();
                if depth < MAX_GROUP_DEPTH
                    && self.groups.folder.opens(below)
                    && (self.is_tracked(&inner) || below.split('/').any(is_language_code))
                    && let Some(child) = folder.folder(&entry.name).map_err(unreadable(&inner))?
                {
                    self.folder(&child, &inner, depth + 1, found)?;
                }
            } else if place(self.groups, self.component, &inner).is_some() {
                let file = folder.open(&entry.name).map_err(unreadable(&inner))?;
                let mut file = on_disk(file, &inner, self.filter)?;
                if let Some(bytes) = file.as_mut().and_then(|file| file.bytes.as_mut())
                    && bytes.len() > self.component.max_grouped_bytes()
                {
                    *bytes = Arc::default();
                }
                found.extend(file);
            }
        }
        Ok(())
    }
}
