//! The files of a commit while it is written: a flat list of paths, read from trees and written to them.

use super::error::Problem;
use gix::ObjectId;
use gix::objs::tree::EntryKind;
use std::collections::BTreeMap;
use std::ops::Bound;

/// A file, symbolic link or submodule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Item {
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
}

/// Every path of a tree that is no folder.
#[derive(Clone, Default, Debug)]
pub(super) struct Files(BTreeMap<Vec<u8>, Item>);

/// A path for messages.
pub(super) fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

impl Files {
    /// Reads a tree with all its folders.
    pub(super) fn read(repo: &gix::Repository, tree: ObjectId) -> gix::Result<Self> {
        let mut files = BTreeMap::new();
        let mut folders = vec![(Vec::new(), tree)];
        while let Some((prefix, id)) = folders.pop() {
            let object = repo.find_object(id)?;
            for entry in gix::objs::TreeRefIter::from_bytes(&object.data, repo.object_hash()) {
                let entry = entry?;
                let mut path = prefix.clone();
                path.extend_from_slice(entry.filename);
                if entry.mode.is_tree() {
                    path.push(b'/');
                    folders.push((path, entry.oid.to_owned()));
                } else {
                    files.insert(path, Item { kind: entry.mode.kind(), id: entry.oid.to_owned() });
                }
            }
        }
        Ok(Self(files))
    }

    /// Writes the folders, innermost first, and gives the root's tree.
    pub(super) fn write(&self, repo: &gix::Repository) -> gix::Result<ObjectId> {
        let mut paths = self.0.iter().map(|(path, item)| (path.as_slice(), *item)).peekable();
        write_folder(repo, &mut paths, 0)
    }

    /// The item at that path.
    pub(super) fn get(&self, path: &[u8]) -> Option<Item> {
        self.0.get(path).copied()
    }

    /// The file at that path, by its blob.
    pub(super) fn file(&self, path: &[u8]) -> Result<Item, Problem> {
        let item = self.get(path).ok_or_else(|| Problem::NoPath(shown(path)))?;
        match item.kind {
            EntryKind::Blob | EntryKind::BlobExecutable => Ok(item),
            _ => Err(Problem::NoFile(shown(path))),
        }
    }

    /// Puts an item there, in place of a file, never of a folder.
    pub(super) fn put(&mut self, path: &[u8], item: Item) -> Result<(), Problem> {
        if path.is_empty() || path.split(|&byte| byte == b'/').any(<[u8]>::is_empty) || path.contains(&0) {
            return Err(Problem::BadPath(shown(path)));
        }
        let folders = (0..path.len()).filter(|&at| path[at] == b'/').map(|at| &path[..at]);
        let mut above = folders.filter(|folder| self.0.contains_key(*folder));
        if let Some(file) = above.next() {
            return Err(Problem::InTheWay(shown(file)));
        }
        if self.below(path).next().is_some() {
            return Err(Problem::InTheWay(shown(path)));
        }
        self.0.insert(path.to_vec(), item);
        Ok(())
    }

    /// Takes a file, or all of a folder, out; the paths that are left begin behind `path`. `.` is everything.
    pub(super) fn take(&mut self, path: &[u8]) -> Result<Vec<(Vec<u8>, Item)>, Problem> {
        let taken = self.under(path)?;
        for (rest, _) in &taken {
            self.0.remove(&join(path, rest));
        }
        Ok(taken)
    }

    /// A file as one empty path, or what a folder holds, by the paths behind `path`. `.` is everything.
    pub(super) fn under(&self, path: &[u8]) -> Result<Vec<(Vec<u8>, Item)>, Problem> {
        if path == b"." {
            return Ok(self.0.iter().map(|(path, item)| ([b"/", path.as_slice()].concat(), *item)).collect());
        }
        if let Some(item) = self.get(path) {
            return Ok(vec![(Vec::new(), item)]);
        }
        let found: Vec<_> = self.below(path).map(|(full, item)| (full[path.len()..].to_vec(), *item)).collect();
        if found.is_empty() { Err(Problem::NoPath(shown(path))) } else { Ok(found) }
    }

    /// Puts what [`Files::take`] or [`Files::under`] gave to `path`, where nothing may be.
    pub(super) fn put_all(&mut self, path: &[u8], items: Vec<(Vec<u8>, Item)>) -> Result<(), Problem> {
        if path != b"." && self.under(path).is_ok() {
            return Err(Problem::InTheWay(shown(path)));
        }
        items.into_iter().try_for_each(|(rest, item)| self.put(&join(path, &rest), item))
    }

    fn below(&self, path: &[u8]) -> impl Iterator<Item = (&Vec<u8>, &Item)> {
        let prefix = [path, b"/"].concat();
        let from = (Bound::Included(prefix.clone()), Bound::Unbounded);
        self.0.range::<Vec<u8>, _>(from).take_while(move |(path, _)| path.starts_with(&prefix))
    }
}

/// A path and what follows it, which begins with a slash or is empty.
fn join(path: &[u8], rest: &[u8]) -> Vec<u8> {
    if path == b"." { rest.strip_prefix(b"/").unwrap_or(rest).to_vec() } else { [path, rest].concat() }
}

/// Writes the folder whose paths come next and have their name from byte `from` on.
fn write_folder<'a>(
    repo: &gix::Repository,
    paths: &mut std::iter::Peekable<impl Iterator<Item = (&'a [u8], Item)>>,
    from: usize,
) -> gix::Result<ObjectId> {
    let mut entries = Vec::new();
    let Some((first, _)) = paths.peek().copied() else { return write_tree(repo, entries) };
    let prefix = first.get(..from).unwrap_or_default();
    while let Some((path, item)) = paths.peek().copied().filter(|(path, _)| path.starts_with(prefix)) {
        let name = path.get(from..).unwrap_or_default();
        let (kind, id, name) = match name.iter().position(|&byte| byte == b'/') {
            Some(slash) => {
                let id = write_folder(repo, paths, from + slash + 1)?;
                (EntryKind::Tree, id, name.get(..slash).unwrap_or_default())
            }
            None => {
                paths.next();
                (item.kind, item.id, name)
            }
        };
        entries.push(gix::objs::tree::Entry { mode: kind.into(), filename: name.into(), oid: id });
    }
    write_tree(repo, entries)
}

fn write_tree(repo: &gix::Repository, mut entries: Vec<gix::objs::tree::Entry>) -> gix::Result<ObjectId> {
    entries.sort();
    Ok(repo.write_object(gix::objs::Tree { entries })?.detach())
}
