//! Writes a `git fast-import` stream to a bare repository.
//!
//! Supports the output of `git fast-export` without rename detection: `blob`, `commit`, `tag`, `reset`, file changes
//! (`M`, `D`, `deleteall`), comments and `done`. Author, committer and tagger lines are copied byte for byte, so tests
//! can also write invalid ones. The same stream always gives the same commit ids.
//!
//! Only the demo and tests use this crate. It writes loose objects.
//!
//! ```
//! let dir = tempfile::tempdir().unwrap();
//! let stream = "commit refs/heads/main\nmark :1\ncommitter A <a@example.org> 0 +0000\ndata 1\na\n";
//! let imported = gitglot_fast_import::fast_import(dir.path(), stream.as_bytes()).unwrap();
//! assert_eq!(imported.references["refs/heads/main"], imported.commits[&1]);
//! ```

mod repository;
mod stream;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use gitglot_model::CommitId;
use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::Kind;
use gix::objs::tree::EntryKind;

use self::repository::{Repository, TreeEditor};
use self::stream::{ImportFailure, Stream, malformed, number, text, unquoted};

/// The result of an import.
#[derive(Clone, Default, Debug)]
pub struct Imported {
    /// The commits of the stream that have a mark, by mark.
    pub commits: BTreeMap<u64, CommitId>,
    /// The references that the stream set to a commit, by full name.
    pub references: BTreeMap<String, CommitId>,
}

/// A stream that cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The stream is malformed or uses an unsupported command.
    #[error("line {line} of the fast-import stream: {reason}")]
    Stream {
        /// The line, counted from 1.
        line: usize,
        /// The problem.
        reason: String,
    },
    /// The repository cannot be read or written.
    #[error("cannot write the repository '{}': {reason}; check that the directory is a bare repository or empty", path.display())]
    Repository {
        /// The directory of the repository.
        path: PathBuf,
        /// The problem.
        reason: io::Error,
    },
}

/// Imports `stream` into the bare repository in `folder`, and creates it if the directory is missing or empty.
///
/// Writes all objects first, then moves all references, as a push does.
///
/// # Errors
/// When the stream is malformed or the repository cannot be written; no reference has moved then.
pub fn fast_import(folder: &Path, stream: &[u8]) -> Result<Imported, ImportError> {
    let failed = |error: io::Error| ImportError::Repository {
        path: folder.to_owned(),
        reason: error,
    };
    let repository = Repository::open_or_create(folder).map_err(failed)?;
    let mut import = Import {
        repository: &repository,
        stream: Stream::new(stream),
        marks: HashMap::new(),
        references: BTreeMap::new(),
    };
    match import.run() {
        Ok(()) => import.finish().map_err(failed),
        Err(ImportFailure::Stream(reason)) => Err(ImportError::Stream {
            line: import.stream.line,
            reason,
        }),
        Err(ImportFailure::Repository(error)) => Err(failed(error)),
    }
}

struct Import<'a> {
    repository: &'a Repository,
    stream: Stream<'a>,
    marks: HashMap<u64, (Kind, ObjectId)>,
    /// The references that the stream moves; `None` for a reset one, whose next commit is a root.
    references: BTreeMap<String, Option<ObjectId>>,
}

impl Import<'_> {
    fn run(&mut self) -> Result<(), ImportFailure> {
        while let Some(line) = self.stream.command() {
            let (command, argument) = line.split_once_str(b" ").unwrap_or((line, b""));
            match command {
                b"blob" => {
                    let mark = self.stream.mark()?;
                    let data = self.stream.data()?;
                    self.write(Kind::Blob, data, mark)?;
                }
                b"commit" => self.commit(argument)?,
                b"tag" => self.tag(argument)?,
                b"reset" => {
                    let target = self.parent("from")?;
                    self.references.insert(text(argument)?, target);
                }
                b"feature" if argument == b"done" => {}
                b"done" => break,
                _ => {
                    return Err(malformed(format!(
                        "'{}' is not supported",
                        command.to_str_lossy()
                    )));
                }
            }
        }
        Ok(())
    }

    fn write(
        &mut self,
        kind: Kind,
        data: &[u8],
        mark: Option<u64>,
    ) -> Result<ObjectId, ImportFailure> {
        let id = self.repository.write(kind, data)?;
        self.marks.extend(mark.map(|mark| (mark, (kind, id))));
        Ok(id)
    }

    /// Reads `from` or `merge` with its commit, if that is the next line.
    fn parent(&mut self, name: &str) -> Result<Option<ObjectId>, ImportFailure> {
        let object = self.stream.argument(name);
        object.map(|object| self.resolve(object)).transpose()
    }

    /// The object of a mark, a full id or a reference. The null id deletes a reference.
    fn resolve(&self, object: &[u8]) -> Result<ObjectId, ImportFailure> {
        let shown = object.to_str_lossy();
        let unknown = || malformed(format!("'{shown}' is not a known mark, reference or id"));
        if let Some(mark) = object.strip_prefix(b":") {
            let mark: u64 = number(mark).ok_or_else(unknown)?;
            return self.marks.get(&mark).map(|(_, id)| *id).ok_or_else(unknown);
        }
        let name = text(object.strip_suffix(b"^0").unwrap_or(object))?;
        if let Ok(id) = ObjectId::from_hex(name.as_bytes()) {
            return Ok(id);
        }
        let known = match self.references.get(&name) {
            Some(target) => *target,
            None => self.repository.reference(&name),
        };
        known.ok_or_else(unknown)
    }

    fn commit(&mut self, reference: &[u8]) -> Result<(), ImportFailure> {
        let reference = text(reference)?;
        let mark = self.stream.mark()?;
        let author = self.stream.argument("author");
        let committer = self.stream.argument("committer");
        let committer = committer.ok_or_else(|| malformed("expected 'committer'"))?;
        let encoding = self.stream.argument("encoding");
        let message = self.stream.data()?;
        let tip = self.references.get(&reference).copied().flatten();
        let tip = tip.filter(|tip| !tip.is_null());
        let mut parents: Vec<ObjectId> = self.parent("from")?.or(tip).into_iter().collect();
        while let Some(parent) = self.parent("merge")? {
            parents.push(parent);
        }
        let tree = self.tree(parents.first().copied())?;

        let mut commit = format!("tree {tree}\n").into_bytes();
        for parent in &parents {
            commit.extend(format!("parent {parent}\n").bytes());
        }
        let headers = [
            ("author", Some(author.unwrap_or(committer))),
            ("committer", Some(committer)),
            ("encoding", encoding),
        ];
        for (name, value) in headers {
            let Some(value) = value else { continue };
            commit.extend([name.as_bytes(), b" ", value, b"\n"].concat());
        }
        commit.push(b'\n');
        commit.extend(message);
        let id = self.write(Kind::Commit, &commit, mark)?;
        self.references.insert(reference, Some(id));
        Ok(())
    }

    /// Applies the file changes of a commit to the tree of its first parent.
    fn tree(&mut self, parent: Option<ObjectId>) -> Result<ObjectId, ImportFailure> {
        let mut tree = TreeEditor::of(self.repository, parent)?;
        while let Some(line) = self.stream.peek() {
            match line.split_once_str(b" ").unwrap_or((line, b"")) {
                (b"deleteall", _) => {
                    self.stream.skip_line();
                    tree.clear();
                }
                (b"D", path) => {
                    self.stream.skip_line();
                    tree.remove(&unquoted(path)?)?;
                }
                (b"M", change) => {
                    self.stream.skip_line();
                    let mut parts = change.splitn(3, |byte| *byte == b' ');
                    let (Some(mode), Some(object), Some(path)) =
                        (parts.next(), parts.next(), parts.next())
                    else {
                        return Err(malformed("expected a mode, an object and a path"));
                    };
                    let shown = mode.to_str_lossy();
                    let mode = mode_of(mode)
                        .ok_or_else(|| malformed(format!("'{shown}' is not a file mode")))?;
                    let id = if object == b"inline" {
                        let data = self.stream.data()?;
                        self.write(Kind::Blob, data, None)?
                    } else {
                        self.resolve(object)?
                    };
                    tree.insert(&unquoted(path)?, mode, id)?;
                }
                _ => break,
            }
        }
        Ok(tree.write()?)
    }

    fn tag(&mut self, name: &[u8]) -> Result<(), ImportFailure> {
        let mark = self.stream.mark()?;
        let target = self.parent("from")?;
        let target = target.ok_or_else(|| malformed("expected 'from'"))?;
        self.stream.argument("original-oid");
        let tagger = self.stream.argument("tagger");
        let tagger = tagger.ok_or_else(|| malformed("expected 'tagger'"))?;
        let message = self.stream.data()?;
        let header = format!(
            "object {target}\ntype commit\ntag {}\ntagger ",
            name.to_str_lossy()
        );
        let tag = [header.as_bytes(), tagger, b"\n\n", message].concat();
        let id = self.write(Kind::Tag, &tag, mark)?;
        let name = format!("refs/tags/{}", text(name)?);
        self.references.insert(name, Some(id));
        Ok(())
    }

    /// Moves the references.
    fn finish(self) -> io::Result<Imported> {
        let commit_id = |id: ObjectId| {
            let bytes = id.as_bytes().try_into();
            bytes.map(CommitId).map_err(io::Error::other)
        };
        let mut imported = Imported::default();
        for (mark, (kind, id)) in self.marks {
            if kind == Kind::Commit {
                imported.commits.insert(mark, commit_id(id)?);
            }
        }
        for (name, target) in self.references {
            let Some(id) = target else { continue };
            self.repository.set_reference(&name, id)?;
            if !id.is_null() {
                imported.references.insert(name, commit_id(id)?);
            }
        }
        Ok(imported)
    }
}

/// The kind of a file mode in a stream.
fn mode_of(mode: &[u8]) -> Option<EntryKind> {
    Some(match mode {
        b"100644" | b"644" => EntryKind::Blob,
        b"100755" | b"755" => EntryKind::BlobExecutable,
        b"120000" => EntryKind::Link,
        b"160000" => EntryKind::Commit,
        b"040000" | b"40000" => EntryKind::Tree,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str =
        "commit refs/heads/main\nmark :1\ncommitter A <a@example.org> 0 +0000\ndata 2\na\n";

    fn import(stream: &str) -> (tempfile::TempDir, Result<Imported, ImportError>) {
        let folder = tempfile::tempdir().unwrap();
        let imported = fast_import(folder.path(), stream.as_bytes());
        (folder, imported)
    }

    #[test]
    fn a_file_replaces_a_folder_and_a_folder_a_file() {
        let next = "commit refs/heads/main\nmark :2\ncommitter A <a@example.org> 0 +0000\ndata 0\n";
        let stream = format!(
            "{COMMIT}M 644 inline a/b\ndata 1\nx\n\n{next}D a/b\nM 644 inline a\ndata 1\ny\n"
        );
        let (folder, imported) = import(&stream);
        let imported = imported.unwrap();
        assert_eq!(imported.references["refs/heads/main"], imported.commits[&2]);
        let repository = gix::open(folder.path()).unwrap();
        let [first, second] = [1, 2].map(|mark| {
            let id = gix::ObjectId::from(imported.commits[&mark].0);
            repository.find_commit(id).unwrap()
        });
        assert_eq!(second.parent_ids().collect::<Vec<_>>(), [first.id()]);
        for (commit, path) in [(first, "a/b"), (second, "a")] {
            let entry = commit.tree().unwrap().lookup_entry_by_path(path).unwrap();
            assert!(entry.unwrap().mode().is_blob(), "{path}");
        }
        fast_import(
            folder.path(),
            format!("reset refs/heads/main\nfrom {}\n", "0".repeat(40)).as_bytes(),
        )
        .unwrap();
        assert!(!folder.path().join("refs/heads/main").exists());
    }

    #[test]
    fn a_directory_without_files_disappears() {
        let next = "commit refs/heads/main\nmark :2\ncommitter A <a@example.org> 0 +0000\ndata 0\n";
        let stream = format!("{COMMIT}M 644 inline a/b/c\ndata 1\nx\n\n{next}D a/b/c\n");
        let (folder, imported) = import(&stream);
        let repository = gix::open(folder.path()).unwrap();
        let id = gix::ObjectId::from(imported.unwrap().commits[&2].0);
        assert!(
            repository
                .find_commit(id)
                .unwrap()
                .tree()
                .unwrap()
                .id()
                .is_empty_tree()
        );
    }

    #[test]
    fn what_git_has_packed_is_read_and_removed() {
        let branch = COMMIT.replace("heads/main", "heads/topic");
        let stream = format!("{COMMIT}M 644 inline a/b\ndata 1\nx\n\n{branch}");
        let (folder, imported) = import(&stream);
        let packed = std::process::Command::new("git")
            .arg("--git-dir")
            .arg(folder.path())
            .args(["gc", "--quiet"])
            .status();
        assert!(packed.unwrap().success());
        assert!(!folder.path().join("refs/heads/main").exists());

        let next = "commit refs/heads/main\nmark :1\ncommitter A <a@example.org> 0 +0000\ndata 0\n\
                    from refs/heads/main^0\nM 644 inline a/c\ndata 1\ny\n\n";
        let delete = format!("reset refs/heads/topic\nfrom {}\n", "0".repeat(40));
        let next = fast_import(folder.path(), format!("{next}{delete}").as_bytes()).unwrap();
        let repository = gix::open(folder.path()).unwrap();
        let commit = repository
            .find_commit(gix::ObjectId::from(next.commits[&1].0))
            .unwrap();
        assert_eq!(
            commit.parent_ids().next().unwrap().as_bytes(),
            imported.unwrap().references["refs/heads/main"].0
        );
        let tree = commit.tree().unwrap();
        assert!(tree.lookup_entry_by_path("a/b").unwrap().is_some());
        assert!(repository.find_reference("refs/heads/topic").is_err());
    }

    #[test]
    fn an_error_names_the_line_and_moves_no_reference() {
        for (rest, line, reason) in [
            ("frobnicate x", 6, "'frobnicate' is not supported"),
            ("M 644 :7 x", 6, "':7' is not a known mark, reference or id"),
            ("M 600 inline x", 6, "'600' is not a file mode"),
            ("M 644 inline x\ndata 9\nx", 7, "the data is cut short"),
        ] {
            let (folder, imported) = import(&format!("{COMMIT}{rest}"));
            let text = imported.unwrap_err().to_string();
            assert_eq!(
                text,
                format!("line {line} of the fast-import stream: {reason}")
            );
            assert!(!folder.path().join("refs/heads/main").exists());
        }
    }
}
