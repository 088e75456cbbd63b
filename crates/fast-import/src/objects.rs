//! The objects and references of a bare repository. Must not depend on the stream.
//!
//! Everything is written loose. What `git gc` has packed since is read by the program `git`.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use gitglot_model::CommitId;
use sha1::{Digest as _, Sha1};

/// The id of an object of any kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ObjectId(pub(crate) [u8; 20]);

impl ObjectId {
    /// A full id in hexadecimal digits.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let id: CommitId = text.parse().ok()?;
        Some(Self(id.0))
    }

    /// Whether this is the id that stands for no object.
    pub(crate) fn is_null(self) -> bool {
        self.0 == [0; 20]
    }
}

impl std::fmt::Display for ObjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        CommitId(self.0).fmt(f)
    }
}

/// The kind of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Blob,
    Commit,
    Tag,
    Tree,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Blob => "blob",
            Self::Commit => "commit",
            Self::Tag => "tag",
            Self::Tree => "tree",
        }
    }
}

/// A bare repository.
pub(crate) struct Repository {
    dir: PathBuf,
}

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
        Ok(Self {
            dir: dir.to_owned(),
        })
    }

    /// Writes an object, unless it is there.
    pub(crate) fn write(&self, kind: Kind, data: &[u8]) -> io::Result<ObjectId> {
        let header = format!("{} {}\0", kind.name(), data.len());
        let id = ObjectId(
            Sha1::new()
                .chain_update(&header)
                .chain_update(data)
                .finalize()
                .into(),
        );
        let path = self.object_path(id);
        if !path.exists() {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(header.as_bytes())?;
            encoder.write_all(data)?;
            replace(&path, &encoder.finish()?)?;
        }
        Ok(id)
    }

    /// Reads an object of this kind.
    pub(crate) fn read(&self, kind: Kind, id: ObjectId) -> io::Result<Vec<u8>> {
        let file = match fs::File::open(self.object_path(id)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.git(&["cat-file", kind.name(), &id.to_string()]);
            }
            Err(error) => return Err(error),
        };
        let mut object = Vec::new();
        ZlibDecoder::new(file).read_to_end(&mut object)?;
        let header = object
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(object.len());
        if !object.starts_with(format!("{} ", kind.name()).as_bytes()) {
            return Err(io::Error::other(format!("{id} is not a {}", kind.name())));
        }
        Ok(object.split_off((header + 1).min(object.len())))
    }

    fn object_path(&self, id: ObjectId) -> PathBuf {
        let hex = id.to_string();
        let (folder, name) = hex.split_at(2);
        self.dir.join("objects").join(folder).join(name)
    }

    /// The object of a reference, by full name.
    pub(crate) fn reference(&self, name: &str) -> Option<ObjectId> {
        let id = match fs::read(self.dir.join(name)) {
            Ok(id) => id,
            Err(_) if self.has_packed_references() => {
                self.git(&["rev-parse", "--verify", name]).ok()?
            }
            Err(_) => return None,
        };
        ObjectId::from_hex(std::str::from_utf8(&id).ok()?.trim_end())
    }

    /// Points a reference to an object.
    pub(crate) fn set_reference(&self, name: &str, id: ObjectId) -> io::Result<()> {
        replace(&self.dir.join(name), format!("{id}\n").as_bytes())
    }

    /// Removes a reference, if it is there.
    pub(crate) fn delete_reference(&self, name: &str) -> io::Result<()> {
        if self.has_packed_references() {
            return self.git(&["update-ref", "-d", name]).map(drop);
        }
        match fs::remove_file(self.dir.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    fn has_packed_references(&self) -> bool {
        self.dir.join("packed-refs").exists()
    }

    /// What a command of the program `git` prints for this repository.
    fn git(&self, arguments: &[&str]) -> io::Result<Vec<u8>> {
        let output = Command::new("git")
            .arg("--git-dir")
            .arg(&self.dir)
            .args(arguments)
            .output()?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(io::Error::other(message.trim_end().to_owned()));
        }
        Ok(output.stdout)
    }
}

/// Writes a file under a temporary name and renames it, so that readers see the old or the new content.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let temporary = path.with_extension("lock");
    fs::write(&temporary, content)?;
    fs::rename(temporary, path)
}
