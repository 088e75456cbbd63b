//! Selects the layout of each commit's tree and one file for each language in it
//! (docs/spec/change-log.md#layouts).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use super::layout::{FileLayout, Layouts};
use super::listings::{CodeIndex, Listing, ListingKey, NameIndex, PathIndex, TreeLister};
use gitglot_git::{EntryKind, GitError, ObjectReader};
use gitglot_model::{BlobId, SeededMap, SeededSet, TreeId};

/// A version of a file: its index in [`Trees::files`].
pub type FileIndex = u32;
/// A distinct set of files: its index in [`Trees::sets`].
pub type FileSetIndex = u32;
/// A language: its index in [`Trees::languages`]. It is also the number of the language's lineage.
pub type LanguageIndex = u16;

/// A file in some commit.
#[derive(Clone, Debug)]
pub struct VersionedFile {
    pub path: Arc<str>,
    pub blob: BlobId,
}

/// The language files of a tree.
#[derive(Clone, Default, Debug)]
pub struct FileSet {
    /// One file for each language, sorted by language.
    pub files: Box<[(LanguageIndex, FileIndex)]>,
    /// The template's language and file.
    pub template: Option<(LanguageIndex, FileIndex)>,
    /// One text for each file whose language has a different file: `CODE (newcode, oldcode)`.
    pub duplicates: Box<[String]>,
}

impl FileSet {
    /// The file of a language.
    pub fn file(&self, language: LanguageIndex) -> Option<FileIndex> {
        let language_of = |&(language, _): &(LanguageIndex, FileIndex)| language;
        let at = self.files.binary_search_by_key(&language, language_of);
        Some(self.files[at.ok()?].1)
    }

    /// The languages whose files differ, sorted, with the file in this set and in the other one.
    pub fn diff(&self, other: &Self) -> Vec<(LanguageIndex, Option<FileIndex>, Option<FileIndex>)> {
        let mut a = self.files.iter().copied().peekable();
        let mut b = other.files.iter().copied().peekable();
        let mut differ = Vec::new();
        loop {
            let next = [a.peek(), b.peek()].into_iter().flatten().min();
            let Some(&(language, _)) = next else { break };
            let old = a.next_if(|file| file.0 == language).map(|file| file.1);
            let new = b.next_if(|file| file.0 == language).map(|file| file.1);
            if old != new {
                differ.push((language, old, new));
            }
        }
        differ
    }
}

/// The layout index of a single renamed file.
const NO_LAYOUT: usize = usize::MAX;

/// Entries of a cache that is cleared when it is full.
const MAX_CACHED: usize = 10_000;

/// Adds an entry to a cache of at most [`MAX_CACHED`] entries.
fn insert_bounded<K: Eq + Hash, V>(cache: &mut SeededMap<K, V>, key: K, value: V) {
    if cache.len() >= MAX_CACHED {
        cache.clear();
    }
    cache.insert(key, value);
}

/// Reads the language files of trees and caches them.
#[derive(Default)]
pub struct Trees {
    pub files: Vec<VersionedFile>,
    pub sets: Vec<FileSet>,
    /// Codes of languages, by [`LanguageIndex`].
    pub languages: Vec<Arc<str>>,
    lister: TreeLister,
    file_indexes: SeededMap<(PathIndex, BlobId), FileIndex>,
    /// The newest few: each is used a few times in a row and then seldom again.
    listings: VecDeque<(ListingKey, Listing)>,
    by_root: SeededMap<TreeId, Option<FileSetIndex>>,
    /// At most [`MAX_CACHED`]; most trees differ from all others.
    by_keys: SeededMap<Vec<ListingKey>, Option<FileSetIndex>>,
    /// Whether a listing contains a known path of the template. At most [`MAX_CACHED`].
    with_template: SeededMap<ListingKey, bool>,
    language_indexes: SeededMap<Arc<str>, LanguageIndex>,
}

impl Trees {
    /// Caches nothing yet. The languages get the first indexes, in their order.
    pub fn new(languages: impl IntoIterator<Item = Arc<str>>) -> Self {
        let mut trees = Self::default();
        for language in languages {
            trees.language(&language);
        }
        trees
    }

    /// The files of a tree; `None` when no known layout fits it.
    pub fn set_of(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        root: TreeId,
    ) -> Result<Option<FileSetIndex>, GitError> {
        if let Some(&set) = self.by_root.get(&root) {
            return Ok(set);
        }
        let set = self.read_set(reader, layouts, root)?;
        self.by_root.insert(root, set);
        Ok(set)
    }

    /// The files of a tree whose file with all languages cannot be read, given those of the tree before it: that file for
    /// each language. `None` if there is no such file.
    pub fn broken_set(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        root: TreeId,
        before: FileSetIndex,
    ) -> Result<Option<FileSetIndex>, GitError> {
        for layout in layouts.list.iter().filter(|layout| layout.mask.has_parts()) {
            let Some(EntryKind::Tree(file)) = reader.entry_at(root, layout.mask.folder())? else {
                continue;
            };
            let before = self.sets[before as usize].clone();
            let mut broken = |(language, file): (LanguageIndex, FileIndex), blob| {
                let path = self.files[file as usize].path.clone();
                let name = self.lister.name(NO_LAYOUT, &path, "");
                (language, self.file(name, blob))
            };
            let blob = BlobId(file.0);
            let files = before.files.iter();
            let set = FileSet {
                files: files.map(|&file| broken(file, blob)).collect(),
                template: before.template.map(|template| broken(template, blob)),
                duplicates: before.duplicates,
            };
            self.sets.push(set);
            return Ok(Some(self.sets.len() as FileSetIndex - 1));
        }
        Ok(None)
    }

    /// Forgets which layout fits which tree: a layout was added, or all trees of a step were read.
    pub fn clear_layout_caches(&mut self) {
        self.by_root = SeededMap::default();
        self.by_keys.clear();
        self.with_template.clear();
    }

    /// The index of a language; allocates one for a new code.
    pub fn language(&mut self, code: &Arc<str>) -> LanguageIndex {
        if let Some(&index) = self.language_indexes.get(code) {
            return index;
        }
        let index = self.languages.len() as LanguageIndex;
        self.languages.push(code.clone());
        self.language_indexes.insert(code.clone(), index);
        index
    }

    /// Gives a language a different code; the language that had this code gets the old one.
    pub fn rename_language(&mut self, language: LanguageIndex, code: &Arc<str>) {
        let other = self.language(code);
        let languages = &mut self.languages;
        languages.swap(usize::from(language), usize::from(other));
        for index in [language, other] {
            let code = languages[usize::from(index)].clone();
            self.language_indexes.insert(code, index);
        }
    }

    /// Chooses the layout of a tree (docs/spec/change-log.md#layouts) and reads its files.
    fn read_set(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        root: TreeId,
    ) -> Result<Option<FileSetIndex>, GitError> {
        let mut keys = Vec::with_capacity(layouts.list.len());
        let mut chosen = None;
        for (index, layout) in layouts.list.iter().enumerate() {
            let key = self.lister.key(reader, index, layout, root)?;
            keys.push(key);
            // The newest mask whose template is there decides; older masks are irrelevant then.
            if self.has_known_template(reader, layouts, layout, key)? {
                chosen = Some(index);
                break;
            }
        }
        let mut outside = moved_files_outside(reader, layouts, chosen, root)?;
        keys.extend(outside.iter().map(|&(_, blob)| ListingKey {
            layout: NO_LAYOUT,
            folder: None,
            template: blob,
        }));
        if let Some(&set) = self.by_keys.get(&keys) {
            return Ok(set);
        }
        let language = self.lister.code(&layouts.template_language());
        if chosen.is_none() {
            for (index, layout) in layouts.list.iter().enumerate() {
                let listing = self.listing(reader, layout, keys[index])?;
                let fits = |name| !layouts.has_template() || self.language_of(name) == language;
                if listing.iter().any(|&(name, _)| fits(name)) {
                    chosen = Some(index);
                    break;
                }
            }
        }
        let set = match chosen {
            Some(index) => {
                let layout = &layouts.list[index];
                let listing = self.listing(reader, layout, keys[index])?;
                outside.retain(|&(moved, _)| {
                    layout.mask.matches(&layouts.moved[moved].path).is_none()
                });
                let set = self.build_set(&listing, layouts, language, &outside);
                self.sets.push(set);
                Some(self.sets.len() as FileSetIndex - 1)
            }
            None => None,
        };
        insert_bounded(&mut self.by_keys, keys, set);
        Ok(set)
    }

    fn has_known_template(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        layout: &FileLayout,
        key: ListingKey,
    ) -> Result<bool, GitError> {
        if key.folder.is_none() && key.template.is_none() {
            return Ok(false);
        }
        if let Some(&has) = self.with_template.get(&key) {
            return Ok(has);
        }
        let listing = self.listing(reader, layout, key)?;
        let has = self.known_template(&listing, layouts).is_some();
        insert_bounded(&mut self.with_template, key, has);
        Ok(has)
    }

    /// The file of a listing at the newest known path of the template.
    fn known_template(&self, listing: &Listing, layouts: &Layouts) -> Option<NameIndex> {
        let paths = layouts.template_paths.iter();
        let mut paths = paths.filter_map(|path| self.lister.find(path));
        paths.find_map(|path| {
            let mut names = listing.iter().map(|&(name, _)| name);
            names.find(|&name| self.path_of(name) == path)
        })
    }

    fn language_of(&self, name: NameIndex) -> CodeIndex {
        self.lister.names[name.0 as usize].language
    }

    fn path_of(&self, name: NameIndex) -> PathIndex {
        self.lister.names[name.0 as usize].index
    }

    fn listing(
        &mut self,
        reader: &mut ObjectReader,
        layout: &FileLayout,
        key: ListingKey,
    ) -> Result<Listing, GitError> {
        if let Some((_, listing)) = self.listings.iter().find(|(cached, _)| *cached == key) {
            return Ok(listing.clone());
        }
        let listing = self.lister.list(reader, layout, key)?;
        self.listings.truncate(3);
        self.listings.push_front((key, listing.clone()));
        Ok(listing)
    }

    /// Selects one file for each language (docs/spec/change-log.md#one-file-per-language). `outside` contains the
    /// moved files that the layout does not match.
    fn build_set(
        &mut self,
        listing: &Listing,
        layouts: &Layouts,
        template_language: CodeIndex,
        outside: &[(usize, Option<BlobId>)],
    ) -> FileSet {
        let mut names = listing.iter().map(|&(name, _)| name);
        let template = self.known_template(listing, layouts);
        let is_template = |name: &NameIndex| self.language_of(*name) == template_language;
        let template = match template {
            None if layouts.has_template() => names.find(is_template),
            known => known,
        };
        let moved = self.moved_languages(listing, layouts, template, outside);
        let mut owners: Vec<Option<NameIndex>> = vec![None; self.lister.codes.len()];
        if template.is_some() {
            owners[template_language as usize] = template;
        }
        let mut chosen: Vec<(CodeIndex, NameIndex, BlobId)> = Vec::with_capacity(listing.len());
        let mut duplicates = Vec::new();
        for &(name, blob) in listing.iter() {
            let language = if template == Some(name) {
                template_language
            } else {
                let moved = moved.get(&self.path_of(name)).copied();
                moved.unwrap_or_else(|| self.language_of(name))
            };
            let owner = *owners[language as usize].get_or_insert(name);
            if owner == name {
                chosen.push((language, name, blob));
            } else {
                let code = |name: NameIndex| &self.lister.names[name.0 as usize].code;
                let language = &self.lister.codes[language as usize];
                duplicates.push(format!("{language} ({}, {})", code(name), code(owner)));
            }
        }
        for &(index, blob) in outside {
            let path = &layouts.moved[index].path;
            let found = self.lister.find(path).and_then(|at| moved.get(&at));
            if let (Some(&language), Some(blob)) = (found, blob) {
                chosen.push((language, self.lister.name(NO_LAYOUT, path, ""), blob));
            }
        }
        FileSet {
            duplicates: duplicates.into(),
            ..self.index_files(chosen, template)
        }
    }

    /// The set of the chosen files. Allocates the indexes of languages and files that are new.
    fn index_files(
        &mut self,
        chosen: Vec<(CodeIndex, NameIndex, BlobId)>,
        template: Option<NameIndex>,
    ) -> FileSet {
        let mut set = FileSet::default();
        let mut files = Vec::with_capacity(chosen.len());
        for (language, name, blob) in chosen {
            let code = self.lister.codes[language as usize].clone();
            let entry = (self.language(&code), self.file(name, blob));
            if template == Some(name) {
                set.template = Some(entry);
            }
            files.push(entry);
        }
        files.sort_unstable();
        set.files = files.into();
        set
    }

    /// The moved files that the tree contains, each with the language that it belongs to. A newer path of that
    /// language takes precedence.
    fn moved_languages(
        &mut self,
        listing: &Listing,
        layouts: &Layouts,
        template: Option<NameIndex>,
        outside: &[(usize, Option<BlobId>)],
    ) -> SeededMap<PathIndex, CodeIndex> {
        let mut moved = SeededMap::default();
        if layouts.moved.is_empty() {
            return moved;
        }
        for &(index, _) in outside {
            let moved = &layouts.moved[index];
            self.lister.name(NO_LAYOUT, &moved.path, &moved.language);
        }
        let others = listing.iter().map(|&(name, _)| name);
        let others = others.filter(|&name| template != Some(name));
        let (mut paths, mut taken) = (SeededSet::default(), SeededSet::default());
        for name in others {
            paths.insert(self.path_of(name));
            taken.insert(self.language_of(name));
        }
        let there = outside.iter().filter(|(_, blob)| blob.is_some());
        let there: SeededSet<usize> = there.map(|&(index, _)| index).collect();
        for (index, file) in layouts.moved.iter().enumerate() {
            let language = self.lister.code(&file.language);
            let Some(path) = self.lister.find(&file.path) else {
                continue;
            };
            let is_there = there.contains(&index) || paths.contains(&path);
            if is_there && !moved.contains_key(&path) && taken.insert(language) {
                moved.insert(path, language);
            }
        }
        moved
    }

    fn file(&mut self, name: NameIndex, blob: BlobId) -> FileIndex {
        let Self { files, lister, .. } = self;
        let name = &lister.names[name.0 as usize];
        let index = self.file_indexes.entry((name.index, blob));
        *index.or_insert_with(|| {
            let path = name.path.clone();
            files.push(VersionedFile { path, blob });
            files.len() as FileIndex - 1
        })
    }
}

/// The older paths of single files that the chosen layout does not match: indexes in [`Layouts::moved`], each with
/// the blob of the file that the tree has there.
fn moved_files_outside(
    reader: &mut ObjectReader,
    layouts: &Layouts,
    chosen: Option<usize>,
    root: TreeId,
) -> Result<Vec<(usize, Option<BlobId>)>, GitError> {
    let mut outside = Vec::new();
    // Each directory is read once.
    let mut folders: HashMap<&str, HashMap<Box<[u8]>, BlobId>> = HashMap::new();
    for (index, moved) in layouts.moved.iter().enumerate() {
        if chosen.is_none_or(|chosen| layouts.list[chosen].mask.matches(&moved.path).is_none()) {
            let (folder, name) = moved.path.rsplit_once('/').unwrap_or(("", &moved.path));
            let files = match folders.entry(folder) {
                Entry::Occupied(files) => files.into_mut(),
                Entry::Vacant(new) => new.insert(files_in(reader, root, folder)?),
            };
            outside.push((index, files.get(name.as_bytes()).copied()));
        }
    }
    Ok(outside)
}

/// The files of a directory, by name.
fn files_in(
    reader: &mut ObjectReader,
    root: TreeId,
    folder: &str,
) -> Result<HashMap<Box<[u8]>, BlobId>, GitError> {
    let mut files = HashMap::new();
    if let Some(EntryKind::Tree(tree)) = reader.entry_at(root, folder)? {
        reader.each_entry(tree, |name, kind| {
            if let EntryKind::File(blob) = kind {
                files.insert(name.into(), blob);
            }
        })?;
    }
    Ok(files)
}
