//! An editor of trees: reads the directories on the way to a change, and writes only these. Must not depend on the
//! stream.

use std::collections::BTreeMap;
use std::io;

use super::objects::{Kind, ObjectId, Repository};

/// The mode of a directory in a tree.
pub(crate) const DIRECTORY: &str = "40000";

/// An entry of a tree.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// An object with its mode. A directory that was not read yet has the mode [`DIRECTORY`].
    Object(&'static str, ObjectId),
    /// A directory that was read or is new.
    Directory(BTreeMap<Vec<u8>, Node>),
}

impl Default for Node {
    fn default() -> Self {
        Self::Directory(BTreeMap::new())
    }
}

impl Node {
    /// Puts an object at a path. Files on the way become directories.
    pub(crate) fn insert(
        &mut self,
        repository: &Repository,
        path: &[u8],
        object: Self,
    ) -> io::Result<()> {
        if !matches!(self, Self::Directory(_) | Self::Object(DIRECTORY, _)) {
            *self = Self::default();
        }
        let Some(entries) = self.entries(repository)? else {
            return Ok(());
        };
        match split(path, b'/') {
            Some((folder, rest)) => {
                let folder = entries.entry(folder.to_owned()).or_default();
                folder.insert(repository, rest, object)?;
            }
            None => drop(entries.insert(path.to_owned(), object)),
        }
        Ok(())
    }

    /// Removes the object at a path, if there is one.
    pub(crate) fn remove(&mut self, repository: &Repository, path: &[u8]) -> io::Result<()> {
        let Some(entries) = self.entries(repository)? else {
            return Ok(());
        };
        match split(path, b'/') {
            Some((folder, rest)) => {
                if let Some(folder) = entries.get_mut(folder) {
                    folder.remove(repository, rest)?;
                }
            }
            None => drop(entries.remove(path)),
        }
        Ok(())
    }

    /// The entries of a directory; `None` for a file.
    fn entries(
        &mut self,
        repository: &Repository,
    ) -> io::Result<Option<&mut BTreeMap<Vec<u8>, Self>>> {
        if let Self::Object(DIRECTORY, id) = self {
            *self = Self::Directory(read(&repository.read(Kind::Tree, *id)?)?);
        }
        Ok(match self {
            Self::Directory(entries) => Some(entries),
            Self::Object(..) => None,
        })
    }

    /// Writes the tree with all changed directories, without empty ones.
    pub(crate) fn write(&self, repository: &Repository) -> io::Result<ObjectId> {
        match self.write_unless_empty(repository)? {
            Some(tree) => Ok(tree),
            None => repository.write(Kind::Tree, b""),
        }
    }

    fn write_unless_empty(&self, repository: &Repository) -> io::Result<Option<ObjectId>> {
        let entries = match self {
            Self::Object(_, id) => return Ok(Some(*id)),
            Self::Directory(entries) => entries,
        };
        let mut lines = Vec::with_capacity(entries.len());
        for (name, node) in entries {
            let Some(id) = node.write_unless_empty(repository)? else {
                continue;
            };
            // Git sorts a directory as if its name ended with a slash.
            let (mode, slash): (_, &[u8]) = match node {
                Self::Object(DIRECTORY, _) | Self::Directory(_) => (DIRECTORY, b"/"),
                Self::Object(mode, _) => (mode, b""),
            };
            let line = [mode.as_bytes(), b" ", name, b"\0", &id.0].concat();
            lines.push(([name, slash].concat(), line));
        }
        if lines.is_empty() {
            return Ok(None);
        }
        lines.sort();
        let tree: Vec<u8> = lines.into_iter().flat_map(|(_, line)| line).collect();
        repository.write(Kind::Tree, &tree).map(Some)
    }
}

/// Decodes a tree.
fn read(mut tree: &[u8]) -> io::Result<BTreeMap<Vec<u8>, Node>> {
    let mut entries = BTreeMap::new();
    while !tree.is_empty() {
        let entry = split(tree, b' ').and_then(|(mode, rest)| {
            let (name, rest) = split(rest, b'\0')?;
            let (id, rest) = rest.split_first_chunk()?;
            tree = rest;
            Some((name.to_owned(), Node::Object(mode_of(mode)?, ObjectId(*id))))
        });
        entries.extend([entry.ok_or_else(|| io::Error::other("a tree is malformed"))?]);
    }
    Ok(entries)
}

/// The parts before and after the first `byte`.
pub(crate) fn split(bytes: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|it| *it == byte)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

/// The mode as trees have it, of a mode in a stream or a tree.
pub(crate) fn mode_of(mode: &[u8]) -> Option<&'static str> {
    Some(match mode {
        b"100644" | b"644" => "100644",
        b"100755" | b"755" => "100755",
        b"120000" => "120000",
        b"160000" => "160000",
        b"040000" | b"40000" => DIRECTORY,
        _ => return None,
    })
}
