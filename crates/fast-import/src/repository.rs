//! The objects and references of a bare repository. Must not depend on the stream.

use std::path::Path;
use std::{fs, io};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::tree::{Editor, EntryKind};
use gix::objs::{Kind, Tree, Write as _, WriteTo as _};
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};

/// A bare repository.
pub(crate) struct Repository(gix::Repository);

impl Repository {
    /// Opens a repository, or creates it with the default branch `main` if the directory is missing or empty.
    pub(crate) fn open_or_create(dir: &Path) -> io::Result<Self> {
        if !dir.join("HEAD").exists() {
            fs::create_dir_all(dir)?;
            if fs::read_dir(dir)?.next().is_some() {
                return Err(io::Error::other(
                    "the directory is neither empty nor a repository",
                ));
            }
            for folder in [
                "objects/info",
                "objects/pack",
                "refs/heads",
                "refs/tags",
                "info",
            ] {
                fs::create_dir_all(dir.join(folder))?;
            }
            fs::write(
                dir.join("config"),
                "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n",
            )?;
            // The last file, because it makes the directory a repository.
            fs::write(dir.join("HEAD"), "ref: refs/heads/main\n")?;
        }
        let options = gix::open::Options::isolated().with(gix::sec::Trust::Full);
        let repository = gix::open_opts(dir, options).map_err(other)?;
        Ok(Self(repository))
    }

    /// Writes an object, unless it is there.
    pub(crate) fn write(&self, kind: Kind, data: &[u8]) -> io::Result<ObjectId> {
        let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, data).map_err(other)?;
        if self.0.has_object(id) {
            return Ok(id);
        }
        let written = self.0.objects.write_buf_with_known_id(kind, data, id);
        written.map_err(other)
    }

    /// The object of a reference, by full name.
    pub(crate) fn reference(&self, name: &str) -> Option<ObjectId> {
        let reference = self.0.try_find_reference(name).ok()??;
        reference.try_id().map(gix::Id::detach)
    }

    /// Points a reference to an object, or removes it if the id is null.
    pub(crate) fn set_reference(&self, name: &str, id: ObjectId) -> io::Result<()> {
        let expected = PreviousValue::Any;
        let change = if id.is_null() {
            let log = RefLog::AndReference;
            Change::Delete { expected, log }
        } else {
            Change::Update {
                log: LogChange::default(),
                expected,
                new: gix::refs::Target::Object(id),
            }
        };
        let edit = RefEdit {
            change,
            name: name.try_into().map_err(other)?,
            deref: false,
        };
        self.0.edit_reference(edit).map(drop).map_err(other)
    }
}

/// Changes a tree, and writes only the directories that differ.
pub(crate) struct TreeEditor<'r> {
    repository: &'r Repository,
    editor: Editor<'r>,
}

impl<'r> TreeEditor<'r> {
    /// Begins with the tree of a commit, or an empty one.
    pub(crate) fn of(repository: &'r Repository, commit: Option<ObjectId>) -> io::Result<Self> {
        let tree = match commit {
            Some(commit) => {
                let commit = repository.0.find_commit(commit).map_err(other)?;
                let tree = commit.tree().map_err(other)?;
                tree.decode().map_err(other)?.into()
            }
            None => Tree::empty(),
        };
        let editor = Editor::new(tree, &repository.0.objects, gix::hash::Kind::Sha1);
        Ok(Self { repository, editor })
    }

    pub(crate) fn clear(&mut self) {
        self.editor.set_root(Tree::empty());
    }

    /// Puts an object at a path. Files on the way become directories.
    pub(crate) fn insert(&mut self, path: &[u8], kind: EntryKind, id: ObjectId) -> io::Result<()> {
        let parts = path.split_str(b"/").map(ByteSlice::as_bstr);
        self.editor.upsert(parts, kind, id).map(drop).map_err(other)
    }

    /// Removes the object at a path, if there is one.
    pub(crate) fn remove(&mut self, path: &[u8]) -> io::Result<()> {
        let parts = path.split_str(b"/").map(ByteSlice::as_bstr);
        self.editor.remove(parts).map(drop).map_err(other)
    }

    /// Writes the tree with all changed directories, without empty ones.
    pub(crate) fn write(mut self) -> io::Result<ObjectId> {
        self.editor.write(|tree| {
            let mut data = Vec::new();
            tree.write_to(&mut data)?;
            self.repository.write(Kind::Tree, &data)
        })
    }
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
