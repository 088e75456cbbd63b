//! Builds repositories for tests with gix.

use std::path::{Path, PathBuf};

use gix::objs::tree::{Entry, EntryKind as Mode};
use gix::refs::transaction::PreviousValue;

use super::Mirror;
use gitglot_model::{BlobId, CommitId, TreeId};

/// The message of a commit that a mirror has.
pub(crate) fn message(mirror: &Mirror, commit: CommitId) -> String {
    let repository = mirror.repository().unwrap();
    repository.reader().commit(commit).unwrap().message
}

/// The retained commits of a mirror.
pub(crate) fn retained(mirror: &Mirror) -> Vec<CommitId> {
    let repository = mirror.repository().unwrap().gix();
    super::mirror::references::retained(&repository).unwrap()
}

/// A bare repository in a temporary directory.
pub struct TestRepository {
    pub(crate) repository: gix::Repository,
    clock: i64,
    folder: tempfile::TempDir,
}

impl TestRepository {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("source.git");
        gix::ThreadSafeRepository::init_opts(
            &path,
            gix::create::Kind::Bare,
            gix::create::Options::default(),
            super::objects::repository::options(&["init.defaultBranch=main".to_owned()]),
        )
        .unwrap();
        let repository = super::objects::repository::options(&[])
            .open(path)
            .unwrap()
            .to_thread_local();
        Self {
            repository,
            clock: 1_700_000_000,
            folder,
        }
    }

    /// The repository's directory.
    pub(crate) fn path(&self) -> &Path {
        self.repository.git_dir()
    }

    pub(crate) fn blob(&self, bytes: &[u8]) -> BlobId {
        BlobId(
            self.repository
                .write_blob(bytes)
                .unwrap()
                .as_bytes()
                .try_into()
                .unwrap(),
        )
    }

    /// A tree of files, by path.
    pub(crate) fn tree(&self, files: &[(&str, &str)]) -> TreeId {
        let mut editor = self.repository.empty_tree().edit().unwrap();
        for (path, text) in files {
            let mode = if text.starts_with("->") {
                Mode::Link
            } else {
                Mode::Blob
            };
            editor
                .upsert(*path, mode, self.repository.write_blob(text).unwrap())
                .unwrap();
        }
        TreeId(editor.write().unwrap().as_bytes().try_into().unwrap())
    }

    /// A tree with one entry of any kind.
    pub(crate) fn tree_of(&self, name: &str, mode: Mode, id: [u8; 20]) -> TreeId {
        let entry = Entry {
            mode: mode.into(),
            filename: name.into(),
            oid: gix::ObjectId::Sha1(id),
        };
        let tree = gix::objs::Tree {
            entries: vec![entry],
        };
        TreeId(
            self.repository
                .write_object(tree)
                .unwrap()
                .as_bytes()
                .try_into()
                .unwrap(),
        )
    }

    /// A commit, one minute after the previous one.
    pub(crate) fn commit(
        &mut self,
        parents: &[CommitId],
        files: &[(&str, &str)],
        message: &str,
    ) -> CommitId {
        self.clock += 60;
        let signature = gix::actor::Signature {
            name: "Ada".into(),
            email: "ada@example.org".into(),
            time: gix::date::Time {
                seconds: self.clock,
                offset: 7200,
            },
        };
        let commit = gix::objs::Commit {
            tree: gix::ObjectId::Sha1(self.tree(files).0),
            parents: parents
                .iter()
                .map(|parent| gix::ObjectId::Sha1(parent.0))
                .collect(),
            author: signature.clone(),
            committer: signature,
            encoding: None,
            message: message.into(),
            extra_headers: Vec::new(),
        };
        CommitId(
            self.repository
                .write_object(commit)
                .unwrap()
                .as_bytes()
                .try_into()
                .unwrap(),
        )
    }

    /// Sets a branch.
    pub(crate) fn set_branch(&self, branch: &str, commit: CommitId) {
        let name = format!("refs/heads/{branch}");
        let id = gix::ObjectId::Sha1(commit.0);
        self.repository
            .reference(name.as_str(), id, PreviousValue::Any, "test")
            .unwrap();
    }

    /// Points `HEAD` to a branch, or detaches it at a commit id.
    pub(crate) fn set_head(&self, branch_or_id: &str) {
        let is_id = branch_or_id.len() == 40;
        let text = if is_id {
            format!("{branch_or_id}\n")
        } else {
            format!("ref: refs/heads/{branch_or_id}\n")
        };
        std::fs::write(self.path().join("HEAD"), text).unwrap();
    }

    /// A path in the directory that contains the repository.
    pub(crate) fn sibling(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}
