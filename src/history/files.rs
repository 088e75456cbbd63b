//! Which files of a tree are translations, and which of them differ between two trees.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::git::{EntryKind, GitError, ObjectReader, TreeEntry};
use crate::model::{BlobId, FileMask, TreeId};

/// The files that a mask and a template name in one tree, by path in code point order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Files {
    /// Path → code in the path and blob.
    pub files: BTreeMap<Arc<str>, File>,
    /// Names that match but are no plain files, with what they are.
    pub odd: Vec<(String, &'static str)>,
}

/// One file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct File {
    /// The language code as written in the path.
    pub code: Arc<str>,
    /// The content.
    pub blob: BlobId,
}

/// Mask and template of a component at some time of its life.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub mask: FileMask,
    pub template: Arc<str>,
    /// The code of a template that the mask does not match: the project's source language.
    pub template_code: Arc<str>,
}

impl Place {
    /// Lists the files that stand at this place in a tree.
    pub fn list(&self, reader: &mut ObjectReader, root: TreeId) -> Result<Files, GitError> {
        let mut found = Files::default();
        let folder = self.mask.folder();
        let tree = match folder {
            "" => Some(EntryKind::Tree(root)),
            folder => reader.entry_at(root, folder)?,
        };
        if let Some(EntryKind::Tree(tree)) = tree {
            self.descend(reader, tree, folder, &mut found)?;
        }
        if !found.files.contains_key(&self.template)
            && let Some(kind) = reader.entry_at(root, &*self.template)?
        {
            match kind {
                EntryKind::File(blob) => {
                    let code = self.template_code.clone();
                    found.files.insert(self.template.clone(), File { code, blob });
                }
                other => found.odd.push((self.template.to_string(), odd_kind(other))),
            }
        }
        Ok(found)
    }

    fn descend(
        &self,
        reader: &mut ObjectReader,
        tree: TreeId,
        folder: &str,
        found: &mut Files,
    ) -> Result<(), GitError> {
        let depth = self.mask.as_str().matches('/').count();
        for TreeEntry { name, kind } in reader.tree(tree)? {
            let Ok(name) = std::str::from_utf8(&name) else {
                let path = format!("{}{}", prefix(folder), String::from_utf8_lossy(&name));
                if matches!(kind, EntryKind::File(_)) && self.mask.matches(&path).is_some() {
                    found.odd.push((path, "a file whose name is not UTF-8"));
                }
                continue;
            };
            let path = format!("{}{name}", prefix(folder));
            let level = path.matches('/').count();
            if !self.mask.matches_level(level, name) {
                continue;
            }
            let at_depth = level == depth;
            match kind {
                EntryKind::Tree(tree) if !at_depth => self.descend(reader, tree, &path, found)?,
                _ if !at_depth => {}
                EntryKind::File(blob) => {
                    if let Some(code) = self.mask.matches(&path) {
                        let code = code.into();
                        found.files.insert(path.into(), File { code, blob });
                    } else if self.mask.overlong_code(&path).is_some() {
                        found.odd.push((path, "a file whose language code is longer than 20 characters"));
                    }
                }
                EntryKind::Tree(_) => {}
                other => {
                    if self.mask.matches(&path).is_some() {
                        found.odd.push((path, odd_kind(other)));
                    }
                }
            }
        }
        Ok(())
    }
}

fn prefix(folder: &str) -> String {
    if folder.is_empty() { String::new() } else { format!("{folder}/") }
}

fn odd_kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Symlink(_) => "a symbolic link, which is not followed",
        EntryKind::Submodule(_) => "a submodule, which is not read",
        EntryKind::Tree(_) => "a folder where a file should be",
        EntryKind::File(_) => "a file",
    }
}

/// Calls `found` for each file of `before` whose path `after` lacks. Folders that are equal are not read.
pub(super) fn gone(
    reader: &mut ObjectReader,
    before: TreeId,
    after: TreeId,
    found: &mut dyn FnMut(&str, BlobId),
) -> Result<(), GitError> {
    gone_below(reader, before, Some(after), "", found)
}

fn gone_below(
    reader: &mut ObjectReader,
    before: TreeId,
    after: Option<TreeId>,
    folder: &str,
    found: &mut dyn FnMut(&str, BlobId),
) -> Result<(), GitError> {
    let there = match after {
        Some(after) => reader.tree(after)?,
        None => Vec::new(),
    };
    for TreeEntry { name, kind } in reader.tree(before)? {
        let Ok(text) = std::str::from_utf8(&name) else { continue };
        let same = there.iter().find(|entry| entry.name == name).map(|entry| entry.kind);
        match (kind, same) {
            (_, Some(same)) if same == kind => {}
            (EntryKind::Tree(tree), same) => {
                let after = match same {
                    Some(EntryKind::Tree(after)) => Some(after),
                    _ => None,
                };
                gone_below(reader, tree, after, &format!("{}{text}", prefix(folder)), found)?;
            }
            (EntryKind::File(_), Some(EntryKind::File(_))) => {}
            (EntryKind::File(blob), _) => found(&format!("{}{text}", prefix(folder)), blob),
            _ => {}
        }
    }
    Ok(())
}
