//! Finds the library that shows the texts of a component, from the manifests of its repository, such as `package.json`
//! (`docs/spec/checks.md#manifests`).
//!
//! [`Manifests`] has the manifests of one state of a repository. Reads data only, nothing is executed. Must not depend on git
//! or HTTP: gets paths, and a closure that reads files.

mod dependencies;
mod libraries;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use dependencies::dependencies;
use gitglot_checks::{KnownSyntax, MessageSyntax, SyntaxOrigin};
pub use libraries::{LIBRARIES, Library, ManifestKind};

/// Most bytes of a manifest that is read.
pub const MAX_MANIFEST: usize = 1 << 20;

/// Most manifests of a state.
pub const MAX_MANIFESTS: usize = 10_000;

/// Most bytes of the manifests of a state that are read.
const MAX_READ: usize = 16 << 20;

/// Most manifests of one folder, and of the folders below one, that are read for a component.
const MAX_OF_FOLDER: usize = 16;
const MAX_BELOW: usize = 64;

/// Folders whose manifests are not those of the program.
const OTHER_FOLDERS: &[&str] = &[
    "node_modules",
    "vendor",
    "third_party",
    "third-party",
    "docs",
    "doc",
    "website",
    "site",
    "example",
    "examples",
    "demo",
    "test",
    "tests",
    "fixtures",
    "e2e",
    "scripts",
    "tools",
];

/// Reads a file of the state by its path; `None` if there is none.
pub type ReadFile<'r, E> = &'r mut dyn FnMut(&str) -> Result<Option<Vec<u8>>, E>;

/// The names of the dependencies of a manifest.
type Dependencies = Arc<BTreeSet<String>>;

/// The manifests of one state of a repository.
#[derive(Default, Debug)]
pub struct Manifests {
    /// The paths, with the kinds, by path.
    paths: Vec<(String, ManifestKind)>,
    /// The dependencies of the manifests so far that have a row in the table.
    read: HashMap<String, Dependencies>,
    read_bytes: usize,
    /// The syntaxes that were found, by file and format.
    known: HashMap<(String, String), Option<KnownSyntax>>,
    /// The manifests of programs that are nearest to the root, once they were needed.
    below: Option<Arc<[(String, ManifestKind)]>>,
    are_too_many: bool,
}

impl Manifests {
    /// The manifests among the files of a state.
    pub fn new<'p>(files: impl Iterator<Item = &'p str>) -> Self {
        let known = files.filter_map(|path| Some((path.to_owned(), ManifestKind::of(path)?)));
        let mut paths: Vec<_> = known.take(MAX_MANIFESTS + 1).collect();
        if paths.len() > MAX_MANIFESTS {
            return Self::too_many();
        }
        paths.sort();
        Self {
            paths,
            ..Self::default()
        }
    }

    /// Those of a state with more files or manifests than are searched: no syntax is known.
    pub fn too_many() -> Self {
        Self {
            are_too_many: true,
            ..Self::default()
        }
    }

    /// Why the syntax of a component is not searched for, with the next step.
    pub fn problem(&self) -> Option<&'static str> {
        self.are_too_many.then_some(
            "the repository has too many files or manifests to find the library that shows the texts: set message_syntax",
        )
    }

    /// The syntax of the texts of a component: that of the library that the nearest manifest names which reads files of
    /// the format. `file` is one of the files, `read` returns the content of a file of the state with at most
    /// [`MAX_MANIFEST`] bytes.
    ///
    /// `None` if there is no such library, or several with different syntaxes, or a [`problem`](Self::problem).
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn syntax_of<E>(
        &mut self,
        file: &str,
        file_format: &str,
        read: ReadFile<'_, E>,
    ) -> Result<Option<KnownSyntax>, E> {
        if self.are_too_many {
            return Ok(None);
        }
        let key = (file.to_owned(), file_format.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let found = self.search(file, file_format, read)?;
        if self.are_too_many {
            return Ok(None);
        }
        self.known.insert(key, found.clone());
        Ok(found)
    }

    fn search<E>(
        &mut self,
        file: &str,
        file_format: &str,
        read: ReadFile<'_, E>,
    ) -> Result<Option<KnownSyntax>, E> {
        let mut folder = folder_of(file);
        let mut has_own = false;
        loop {
            let is_near = |path: &str| folder_of(path) == folder || is_catalog_of(path, folder);
            let here = self.selected(is_near, MAX_OF_FOLDER);
            match self.libraries(file, file_format, &here, read)? {
                Found::None if folder.is_empty() => break,
                Found::None => {
                    has_own |= !here.is_empty();
                    folder = folder_of(folder);
                }
                Found::One(known) => return Ok(Some(known)),
                Found::Several => return Ok(None),
            }
        }
        // The files belong to a program without such a library.
        if has_own {
            return Ok(None);
        }
        // A folder of translations next to the folders of the programs.
        let below = match &self.below {
            Some(below) => below.clone(),
            None => {
                let is_of_program = |path: &str| {
                    let mut folders = folder_of(path).split('/');
                    !folders.any(|folder| OTHER_FOLDERS.contains(&folder))
                };
                let mut below = self.selected(is_of_program, MAX_MANIFESTS);
                below.sort_by_cached_key(|(path, _)| path.matches('/').count());
                below.truncate(MAX_BELOW);
                self.below.insert(below.into()).clone()
            }
        };
        Ok(match self.libraries(file, file_format, &below, read)? {
            Found::One(known) => Some(known),
            Found::None | Found::Several => None,
        })
    }

    fn selected(
        &self,
        selects: impl Fn(&str) -> bool,
        limit: usize,
    ) -> Vec<(String, ManifestKind)> {
        let selected = self.paths.iter().filter(|(path, _)| selects(path));
        selected.take(limit).cloned().collect()
    }

    /// The libraries that manifests name.
    fn libraries<E>(
        &mut self,
        file: &str,
        file_format: &str,
        manifests: &[(String, ManifestKind)],
        read: ReadFile<'_, E>,
    ) -> Result<Found, E> {
        let mut found: Vec<(&Library, KnownSyntax)> = Vec::new();
        for (path, kind) in manifests {
            let dependencies = self.dependencies(path, *kind, read)?;
            let rows = LIBRARIES.iter().filter(|row| row.manifest == *kind);
            let rows = rows.filter(|row| row.reads(file, file_format));
            for row in rows {
                let Some(name) = row.named_in(&dependencies) else {
                    continue;
                };
                let Some(syntax) = MessageSyntax::named(row.syntax) else {
                    continue;
                };
                let origin = SyntaxOrigin::Manifest {
                    path: path.as_str().into(),
                    library: name.into(),
                };
                found.push((row, KnownSyntax { syntax, origin }));
            }
        }
        Ok(chosen(&found))
    }

    fn dependencies<E>(
        &mut self,
        path: &str,
        kind: ManifestKind,
        read: ReadFile<'_, E>,
    ) -> Result<Dependencies, E> {
        if let Some(known) = self.read.get(path) {
            return Ok(known.clone());
        }
        if self.are_too_many {
            return Ok(Dependencies::default());
        }
        let bytes = read(path)?.filter(|bytes| bytes.len() <= MAX_MANIFEST);
        self.read_bytes += bytes.as_deref().map_or(0, <[u8]>::len);
        self.are_too_many |= self.read_bytes > MAX_READ;
        let text = bytes.as_deref().map(String::from_utf8_lossy);
        let mut found = text.map_or_else(BTreeSet::new, |text| dependencies(kind, path, &text));
        let rows = LIBRARIES.iter().filter(|row| row.manifest == kind);
        let names: Vec<&str> = rows.flat_map(|row| row.names).copied().collect();
        found.retain(|name| names.contains(&name.as_str()));
        let found = Arc::new(found);
        self.read.insert(path.to_owned(), found.clone());
        Ok(found)
    }
}

/// The libraries of some manifests.
enum Found {
    None,
    One(KnownSyntax),
    /// Libraries with different syntaxes.
    Several,
}

/// The syntax of libraries: one that only reads some files comes first, and a plugin before what it changes.
fn chosen(found: &[(&Library, KnownSyntax)]) -> Found {
    let is_special = found.iter().any(|(row, _)| row.only_below.is_some());
    let is_replaced = |row: &Library| {
        let mut others = found.iter();
        others.any(|(other, _)| other.replaces.contains(&row.syntax))
    };
    let mut rest = found
        .iter()
        .filter(|(row, _)| (!is_special || row.only_below.is_some()) && !is_replaced(row));
    let Some((_, first)) = rest.next() else {
        return Found::None;
    };
    if rest.all(|(_, other)| other.syntax == first.syntax) {
        Found::One(first.clone())
    } else {
        Found::Several
    }
}

/// The folder of a path; `""` for the root.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a path is the catalog of versions of Gradle for a folder.
fn is_catalog_of(path: &str, folder: &str) -> bool {
    let parent = path.strip_suffix("gradle/libs.versions.toml");
    parent.is_some_and(|parent| parent.strip_suffix('/').unwrap_or(parent) == folder)
}

#[cfg(test)]
mod tests;
