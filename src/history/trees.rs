//! The language files of every commit of a step: which layout a tree has, and which file stands for
//! which language in it (`log.md` 2, 6, 7).

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::files::{Files, Place};
use crate::git::{EntryKind, GitError, ObjectReader};
use crate::language;
use crate::model::{BlobId, FileMask, TreeId};

/// A version of a file: its place in [`Trees::files`].
pub(super) type FileIx = u32;
/// A distinct set of files: its place in [`Trees::sets`].
pub(super) type SetIx = u32;

/// A file as some commit has it.
#[derive(Clone, Debug)]
pub(super) struct FileVersion {
    pub path: Arc<str>,
    pub blob: BlobId,
}

/// A language that some tree has: its place in [`Trees::languages`].
pub(super) type LanguageIx = u16;

/// The files of a tree under the layout that fits it.
#[derive(Clone, Default, Debug)]
pub(super) struct FileSet {
    /// One file for each language, by ascending language.
    pub files: Box<[(LanguageIx, FileIx)]>,
    /// The template's language and file.
    pub template: Option<(LanguageIx, FileIx)>,
    /// For each file that found its language taken: `CODE (newcode, oldcode)` (changes.md 2, action 40).
    pub doubles: Box<[String]>,
}

impl FileSet {
    /// The file of a language.
    pub fn file(&self, language: LanguageIx) -> Option<FileIx> {
        let at = self.files.binary_search_by_key(&language, |&(language, _)| language).ok()?;
        Some(self.files[at].1)
    }

    /// Languages whose files differ, with the file here and there; by ascending language.
    pub fn diff(&self, other: &Self) -> Vec<(LanguageIx, Option<FileIx>, Option<FileIx>)> {
        let (mut a, mut b) = (self.files.iter().peekable(), other.files.iter().peekable());
        let mut differ = Vec::new();
        loop {
            match (a.peek(), b.peek()) {
                (None, None) => return differ,
                (Some(&&(language, file)), other) if other.is_none_or(|&&(there, _)| language < there) => {
                    differ.push((language, Some(file), None));
                    a.next();
                }
                (here, Some(&&(language, file))) if here.is_none_or(|&&(here, _)| language < here) => {
                    differ.push((language, None, Some(file)));
                    b.next();
                }
                (Some(&&(language, here)), Some(&&(_, there))) => {
                    if here != there {
                        differ.push((language, Some(here), Some(there)));
                    }
                    a.next();
                    b.next();
                }
                _ => return differ,
            }
        }
    }
}

/// Where the component's files stood in the course of its life.
#[derive(Clone, Debug)]
pub(super) struct Layouts {
    /// Masks, newest first; the first is the configured one.
    pub places: Vec<Place>,
    /// Every path that the template is known to have had, newest first.
    pub templates: Vec<Arc<str>>,
    /// Older paths of single language files and the language each went on as.
    pub moved: Vec<(Arc<str>, Arc<str>)>,
}

impl Layouts {
    /// The language that the template is written in, by its newest path.
    pub fn template_language(&self) -> Arc<str> {
        let place = &self.places[0];
        let code = place.mask.matches(&place.template).unwrap_or(&place.template_code);
        language::resolve(code).code
    }

    /// The language code as written in a path.
    pub fn code_of(&self, path: &str) -> Arc<str> {
        let code = self.places.iter().find_map(|place| place.mask.matches(path));
        code.map_or_else(|| self.places[0].template_code.clone(), Into::into)
    }

    /// Adds an older mask.
    pub fn add(&mut self, mask: FileMask, template: Arc<str>) {
        let template_code = self.places[0].template_code.clone();
        if !self.places.iter().any(|place| place.mask == mask) {
            self.places.push(Place { mask, template: template.clone(), template_code });
        }
        self.add_template(template);
    }

    /// Adds an older path of the template.
    pub fn add_template(&mut self, template: Arc<str>) {
        if !self.templates.contains(&template) {
            self.templates.push(template);
        }
    }
}

/// What a listing depends on: which mask, the folder, and a template outside the mask.
type Stamp = (usize, Option<TreeId>, Option<BlobId>);

/// Reads trees and remembers what it read.
pub(super) struct Trees {
    pub files: Vec<FileVersion>,
    pub sets: Vec<FileSet>,
    /// Codes of languages.
    pub languages: Vec<Arc<str>>,
    file_places: FxHashMap<(Arc<str>, BlobId), FileIx>,
    /// Listings by mask and by the ids of the folder and of a template outside the mask.
    /// The newest few: each is asked for a few times in a row, and then never again.
    listings: VecDeque<(Stamp, Arc<Files>)>,
    set_places: FxHashMap<Vec<Stamp>, Option<SetIx>>,
    /// Code in a path → code of its language.
    codes: FxHashMap<Arc<str>, Arc<str>>,
    language_places: FxHashMap<Arc<str>, LanguageIx>,
}

impl Trees {
    pub fn new() -> Self {
        Self {
            files: Vec::new(),
            sets: Vec::new(),
            file_places: FxHashMap::default(),
            languages: Vec::new(),
            listings: VecDeque::new(),
            set_places: FxHashMap::default(),
            codes: FxHashMap::default(),
            language_places: FxHashMap::default(),
        }
    }

    /// The files of a tree, or `None` when no known layout fits it.
    pub fn set_of(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        root: TreeId,
    ) -> Result<Option<SetIx>, GitError> {
        let mut stamps = Vec::with_capacity(layouts.places.len());
        let mut with_template = None;
        for (nth, place) in layouts.places.iter().enumerate() {
            let stamp = self.stamp(reader, nth, place, root)?;
            stamps.push(stamp);
            // The newest mask whose template is there decides; older ones need not be looked at.
            if self.has_known_template(reader, layouts, place, stamp, root)? {
                with_template = Some(nth);
                break;
            }
        }
        let key = stamps.clone();
        if let Some(&set) = self.set_places.get(&key) {
            return Ok(set);
        }
        let mut chosen = with_template;
        let language = layouts.template_language();
        if chosen.is_none() {
            for (nth, place) in layouts.places.iter().enumerate() {
                let listing = self.listing(reader, place, stamps[nth], root)?;
                if listing.files.values().any(|file| self.language_of(&file.code) == language) {
                    chosen = Some(nth);
                    break;
                }
            }
        }
        let set = match chosen {
            Some(nth) => {
                let listing = self.listing(reader, &layouts.places[nth], stamps[nth], root)?;
                let set = self.set_from(&listing, layouts, &language);
                self.sets.push(set);
                Some(self.sets.len() as SetIx - 1)
            }
            None => None,
        };
        self.set_places.insert(key, set);
        Ok(set)
    }

    /// Forgets which layout fits which tree, after a layout was added.
    pub fn layouts_changed(&mut self) {
        self.set_places.clear();
    }

    fn stamp(&mut self, reader: &mut ObjectReader, nth: usize, place: &Place, root: TreeId) -> Result<Stamp, GitError> {
        let folder = match place.mask.folder() {
            "" => Some(root),
            folder => match reader.entry_at(root, folder)? {
                Some(EntryKind::Tree(tree)) => Some(tree),
                _ => None,
            },
        };
        let outside = if place.mask.matches(&place.template).is_none() {
            match reader.entry_at(root, &*place.template)? {
                Some(EntryKind::File(blob)) => Some(blob),
                _ => None,
            }
        } else {
            None
        };
        Ok((nth, folder, outside))
    }

    fn has_known_template(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        place: &Place,
        stamp: Stamp,
        root: TreeId,
    ) -> Result<bool, GitError> {
        if stamp.1.is_none() && stamp.2.is_none() {
            return Ok(false);
        }
        let listing = self.listing(reader, place, stamp, root)?;
        Ok(layouts.templates.iter().any(|template| listing.files.contains_key(template)))
    }

    fn listing(
        &mut self,
        reader: &mut ObjectReader,
        place: &Place,
        stamp: Stamp,
        root: TreeId,
    ) -> Result<Arc<Files>, GitError> {
        if let Some((_, listing)) = self.listings.iter().find(|(key, _)| *key == stamp) {
            return Ok(listing.clone());
        }
        let listing = Arc::new(place.list(reader, root)?);
        self.listings.truncate(3);
        self.listings.push_front((stamp, listing.clone()));
        Ok(listing)
    }

    fn language_of(&mut self, code: &Arc<str>) -> Arc<str> {
        let known = self.codes.entry(code.clone());
        known.or_insert_with(|| language::resolve(code).code).clone()
    }

    fn set_from(&mut self, listing: &Files, layouts: &Layouts, template_language: &Arc<str>) -> FileSet {
        let template = layouts.templates.iter().find(|path| listing.files.contains_key(*path)).cloned();
        let template = template.or_else(|| {
            let mut files = listing.files.iter();
            files.find(|(_, file)| self.language_of(&file.code) == *template_language).map(|(path, _)| path.clone())
        });
        let own: Vec<_> = listing
            .files
            .iter()
            .map(|(path, file)| (self.language_of(&file.code), path.clone(), file.clone()))
            .collect();
        let (mut files, mut doubles, mut template_file) = (Vec::new(), Vec::new(), None);
        let mut taken: HashMap<Arc<str>, Arc<str>> = HashMap::new();
        if let Some(path) = &template {
            taken.insert(template_language.clone(), path.clone());
        }
        let has_own = |language: &Arc<str>| own.iter().any(|(code, _, _)| code == language);
        for (code, path, file) in &own {
            // An older path of a language goes on as that language, unless a newer path of it is there.
            let moved = layouts.moved.iter().find(|(old, to)| old == path && !has_own(to)).map(|(_, to)| to.clone());
            let is_template = template.as_ref() == Some(path);
            let language = if is_template { template_language.clone() } else { moved.unwrap_or_else(|| code.clone()) };
            let owner = taken.entry(language.clone()).or_insert_with(|| path.clone());
            if owner != path {
                let old = listing.files.get(owner).map_or("", |file| &file.code);
                doubles.push(format!("{language} ({}, {old})", file.code));
                continue;
            }
            let entry = (self.language(&language), self.file(path, file.blob));
            if is_template {
                template_file = Some(entry);
            }
            files.push(entry);
        }
        files.sort_unstable();
        FileSet { files: files.into(), template: template_file, doubles: doubles.into() }
    }

    /// The number of a language, made if it is new.
    pub fn language(&mut self, code: &Arc<str>) -> LanguageIx {
        let languages = &mut self.languages;
        *self.language_places.entry(code.clone()).or_insert_with(|| {
            languages.push(code.clone());
            languages.len() as LanguageIx - 1
        })
    }

    fn file(&mut self, path: &Arc<str>, blob: BlobId) -> FileIx {
        let files = &mut self.files;
        *self.file_places.entry((path.clone(), blob)).or_insert_with(|| {
            files.push(FileVersion { path: path.clone(), blob });
            files.len() as FileIx - 1
        })
    }
}
