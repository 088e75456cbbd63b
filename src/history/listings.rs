//! Lists the language files of many trees: each name and each folder below the mask's own is looked at once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::files::Place;
use crate::git::{EntryKind, GitError, ObjectReader};
use crate::model::{BlobId, TreeId};

/// A path under one mask: its place in [`Lister::names`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NameIx(pub u32);

/// A path, whatever the mask: equal paths have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PathIx(u32);

/// The files of a tree at one place, in the byte order of their paths.
pub(super) type Listing = Arc<[(NameIx, BlobId)]>;

/// What a listing depends on: which place, its folder, and a template outside of the mask.
pub(super) type Stamp = (usize, Option<TreeId>, Option<BlobId>);

/// A path and the language code that a mask finds in it.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub path: Arc<str>,
    pub at: PathIx,
    pub code: Arc<str>,
}

/// What a name in a folder stands for.
#[derive(Clone, Copy)]
enum Child {
    /// Nothing that the mask names.
    Other,
    File(NameIx),
    Folder(usize),
}

/// A folder that the mask leads through.
struct Folder {
    nth: usize,
    path: String,
    level: usize,
    children: FxHashMap<Box<[u8]>, Child>,
    /// Listings by tree; not of the outermost folder, which seldom comes back.
    listings: FxHashMap<TreeId, Listing>,
}

/// Reads trees and remembers what it read.
#[derive(Default)]
pub(super) struct Lister {
    pub names: Vec<Name>,
    name_places: FxHashMap<(usize, PathIx), NameIx>,
    paths: FxHashMap<Arc<str>, PathIx>,
    folders: Vec<Folder>,
    /// The outermost folder of each place.
    tops: FxHashMap<usize, usize>,
}

impl Lister {
    /// What the listing of a place depends on in a tree.
    pub fn stamp(&self, reader: &mut ObjectReader, nth: usize, place: &Place, root: TreeId) -> Result<Stamp, GitError> {
        let folder = match place.mask.folder() {
            "" => Some(root),
            folder => match reader.entry_at(root, folder)? {
                Some(EntryKind::Tree(tree)) => Some(tree),
                _ => None,
            },
        };
        let outside = match place.mask.matches(&place.template) {
            None => match reader.entry_at(root, &*place.template)? {
                Some(EntryKind::File(blob)) => Some(blob),
                _ => None,
            },
            Some(_) => None,
        };
        Ok((nth, folder, outside))
    }

    /// The files of a place in a tree with that stamp.
    pub fn list(&mut self, reader: &mut ObjectReader, place: &Place, stamp: Stamp) -> Result<Listing, GitError> {
        let (nth, folder, outside) = stamp;
        let mut files = Vec::new();
        if let Some(tree) = folder {
            let top = match self.tops.get(&nth) {
                Some(&top) => top,
                None => {
                    let path = place.mask.folder();
                    let level = if path.is_empty() { 0 } else { path.split('/').count() };
                    let top = self.folder(nth, path.to_owned(), level);
                    self.tops.insert(nth, top);
                    top
                }
            };
            self.descend(reader, place, top, tree, &mut files)?;
        }
        if let Some(blob) = outside {
            let name = self.name(nth, &place.template, &place.template_code);
            let at = files.partition_point(|&(other, _): &(NameIx, BlobId)| **self.path(other) < *place.template);
            files.insert(at, (name, blob));
        }
        Ok(files.into())
    }

    /// The number of a path, if any listing had it.
    pub fn find(&self, path: &str) -> Option<PathIx> {
        self.paths.get(path).copied()
    }

    /// The path of a name.
    fn path(&self, name: NameIx) -> &Arc<str> {
        &self.names[name.0 as usize].path
    }

    fn folder(&mut self, nth: usize, path: String, level: usize) -> usize {
        let (children, listings) = (FxHashMap::default(), FxHashMap::default());
        self.folders.push(Folder { nth, path, level, children, listings });
        self.folders.len() - 1
    }

    /// The number of a path under a place's mask, made if it is new.
    pub fn name(&mut self, nth: usize, path: &str, code: &str) -> NameIx {
        let next = PathIx(self.paths.len() as u32);
        let (path, at) = match self.paths.get_key_value(path) {
            Some((path, &at)) => (path.clone(), at),
            None => {
                let path: Arc<str> = path.into();
                self.paths.insert(path.clone(), next);
                (path, next)
            }
        };
        let names = &mut self.names;
        *self.name_places.entry((nth, at)).or_insert_with(|| {
            names.push(Name { path, at, code: code.into() });
            NameIx(names.len() as u32 - 1)
        })
    }

    fn descend(
        &mut self,
        reader: &mut ObjectReader,
        place: &Place,
        folder: usize,
        tree: TreeId,
        files: &mut Vec<(NameIx, BlobId)>,
    ) -> Result<(), GitError> {
        let mut found: Vec<(Child, EntryKind)> = Vec::new();
        reader.each_entry(tree, |name, kind| {
            let child = match self.folders[folder].children.get(name) {
                Some(&child) => child,
                None => {
                    let child = self.child(place, folder, name);
                    self.folders[folder].children.insert(name.into(), child);
                    child
                }
            };
            match (child, kind) {
                (Child::File(_), EntryKind::File(_)) | (Child::Folder(_), EntryKind::Tree(_)) => {
                    found.push((child, kind));
                }
                _ => {}
            }
        })?;
        for (child, kind) in found {
            match (child, kind) {
                (Child::File(name), EntryKind::File(blob)) => files.push((name, blob)),
                (Child::Folder(below), EntryKind::Tree(tree)) => {
                    if let Some(known) = self.folders[below].listings.get(&tree) {
                        files.extend_from_slice(known);
                        continue;
                    }
                    let start = files.len();
                    self.descend(reader, place, below, tree, files)?;
                    self.folders[below].listings.insert(tree, files[start..].into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn child(&mut self, place: &Place, folder: usize, name: &[u8]) -> Child {
        let Ok(name) = std::str::from_utf8(name) else { return Child::Other };
        let Folder { nth, ref path, level, .. } = self.folders[folder];
        if !place.mask.matches_level(level, name) {
            return Child::Other;
        }
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        if level + 1 < place.mask.depth() {
            return Child::Folder(self.folder(nth, path, level + 1));
        }
        match place.mask.matches(&path) {
            Some(code) => Child::File(self.name(nth, &path, code)),
            None => Child::Other,
        }
    }
}
