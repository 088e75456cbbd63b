//! The language files of every commit of a step: which layout a tree has, and which file stands for
//! which language in it (`log.md` 2, 6, 7).

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::files::Place;
use super::listings::{Lister, Listing, NameIx, PathIx, Stamp};
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

/// The older single paths of languages that the chosen place does not name, by place in [`Layouts::moved`], with the
/// file that stands there.
fn outside(
    reader: &mut ObjectReader,
    layouts: &Layouts,
    chosen: Option<usize>,
    root: TreeId,
) -> Result<Vec<(usize, Option<BlobId>)>, GitError> {
    let mut outside = Vec::new();
    for (nth, (path, _)) in layouts.moved.iter().enumerate() {
        if chosen.is_none_or(|chosen| layouts.places[chosen].mask.matches(path).is_none()) {
            let blob = match reader.entry_at(root, &**path)? {
                Some(EntryKind::File(blob)) => Some(blob),
                _ => None,
            };
            outside.push((nth, blob));
        }
    }
    Ok(outside)
}

/// The code of a language, whether or not a set has used it: its place in [`Codes::list`].
type CodeIx = u32;

/// The languages that names stand for.
#[derive(Default)]
struct Codes {
    list: Vec<Arc<str>>,
    places: FxHashMap<Arc<str>, CodeIx>,
    /// By [`NameIx`].
    of_names: Vec<CodeIx>,
}

impl Codes {
    fn of(&mut self, code: &Arc<str>) -> CodeIx {
        let list = &mut self.list;
        *self.places.entry(code.clone()).or_insert_with(|| {
            list.push(code.clone());
            list.len() as CodeIx - 1
        })
    }

    /// Makes sure that every name has its language.
    fn learn(&mut self, lister: &Lister) {
        for name in lister.names.iter().skip(self.of_names.len()) {
            let code = self.of(&language::resolve(&name.code).code);
            self.of_names.push(code);
        }
    }

    fn of_name(&self, name: NameIx) -> CodeIx {
        self.of_names[name.0 as usize]
    }
}

/// Reads trees and remembers what it read.
#[derive(Default)]
pub(super) struct Trees {
    pub files: Vec<FileVersion>,
    pub sets: Vec<FileSet>,
    /// Codes of languages.
    pub languages: Vec<Arc<str>>,
    lister: Lister,
    codes: Codes,
    file_places: FxHashMap<(PathIx, BlobId), FileIx>,
    /// The newest few: each is asked for a few times in a row, and then seldom again.
    listings: VecDeque<(Stamp, Listing)>,
    by_root: FxHashMap<TreeId, Option<SetIx>>,
    by_stamps: FxHashMap<Vec<Stamp>, Option<SetIx>>,
    /// Whether a listing has a known path of the template.
    with_template: FxHashMap<Stamp, bool>,
    language_places: FxHashMap<Arc<str>, LanguageIx>,
}

impl Trees {
    pub fn new() -> Self {
        Self::default()
    }

    /// The files of a tree, or `None` when no known layout fits it.
    pub fn set_of(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        root: TreeId,
    ) -> Result<Option<SetIx>, GitError> {
        if let Some(&set) = self.by_root.get(&root) {
            return Ok(set);
        }
        let set = self.fitting(reader, layouts, root)?;
        self.by_root.insert(root, set);
        Ok(set)
    }

    fn fitting(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        root: TreeId,
    ) -> Result<Option<SetIx>, GitError> {
        let mut stamps = Vec::with_capacity(layouts.places.len());
        let mut chosen = None;
        for (nth, place) in layouts.places.iter().enumerate() {
            let stamp = self.lister.stamp(reader, nth, place, root)?;
            stamps.push(stamp);
            // The newest mask whose template is there decides; older ones need not be looked at.
            if self.has_known_template(reader, layouts, place, stamp)? {
                chosen = Some(nth);
                break;
            }
        }
        let mut outside = outside(reader, layouts, chosen, root)?;
        stamps.extend(outside.iter().map(|&(_, blob)| (usize::MAX, None, blob)));
        if let Some(&set) = self.by_stamps.get(&stamps) {
            return Ok(set);
        }
        let language = self.codes.of(&layouts.template_language());
        if chosen.is_none() {
            for (nth, place) in layouts.places.iter().enumerate() {
                let listing = self.listing(reader, place, stamps[nth])?;
                if listing.iter().any(|&(name, _)| self.codes.of_name(name) == language) {
                    chosen = Some(nth);
                    break;
                }
            }
        }
        let set = match chosen {
            Some(nth) => {
                let place = &layouts.places[nth];
                let listing = self.listing(reader, place, stamps[nth])?;
                outside.retain(|(moved, _)| place.mask.matches(&layouts.moved[*moved].0).is_none());
                let set = self.set_from(&listing, layouts, language, &outside);
                self.sets.push(set);
                Some(self.sets.len() as SetIx - 1)
            }
            None => None,
        };
        self.by_stamps.insert(stamps, set);
        Ok(set)
    }

    /// Gives a language another code; the language that has that code takes the old one.
    pub fn rename_language(&mut self, language: LanguageIx, code: &Arc<str>) {
        let other = self.language(code);
        self.languages.swap(usize::from(language), usize::from(other));
        for at in [language, other] {
            self.language_places.insert(self.languages[usize::from(at)].clone(), at);
        }
    }

    /// Forgets which layout fits which tree, after a layout was added.
    pub fn layouts_changed(&mut self) {
        self.by_root.clear();
        self.by_stamps.clear();
        self.with_template.clear();
    }

    fn has_known_template(
        &mut self,
        reader: &mut ObjectReader,
        layouts: &Layouts,
        place: &Place,
        stamp: Stamp,
    ) -> Result<bool, GitError> {
        if stamp.1.is_none() && stamp.2.is_none() {
            return Ok(false);
        }
        if let Some(&has) = self.with_template.get(&stamp) {
            return Ok(has);
        }
        let listing = self.listing(reader, place, stamp)?;
        let has = self.known_template(&listing, layouts).is_some();
        self.with_template.insert(stamp, has);
        Ok(has)
    }

    /// The file of a listing that stands at the newest known path of the template.
    fn known_template(&self, listing: &Listing, layouts: &Layouts) -> Option<NameIx> {
        let mut paths = layouts.templates.iter().filter_map(|path| self.lister.find(path));
        paths.find_map(|path| listing.iter().map(|&(name, _)| name).find(|&name| self.path_of(name) == path))
    }

    fn path_of(&self, name: NameIx) -> PathIx {
        self.lister.names[name.0 as usize].at
    }

    fn listing(&mut self, reader: &mut ObjectReader, place: &Place, stamp: Stamp) -> Result<Listing, GitError> {
        if let Some((_, listing)) = self.listings.iter().find(|(key, _)| *key == stamp) {
            return Ok(listing.clone());
        }
        let listing = self.lister.list(reader, place, stamp)?;
        self.codes.learn(&self.lister);
        self.listings.truncate(3);
        self.listings.push_front((stamp, listing.clone()));
        Ok(listing)
    }

    fn set_from(
        &mut self,
        listing: &Listing,
        layouts: &Layouts,
        template_language: CodeIx,
        outside: &[(usize, Option<BlobId>)],
    ) -> FileSet {
        for &(moved, _) in outside {
            let (path, to) = &layouts.moved[moved];
            self.lister.name(usize::MAX, path, to);
            self.codes.learn(&self.lister);
        }
        let moved: Vec<(&Arc<str>, CodeIx)> =
            layouts.moved.iter().map(|(path, to)| (path, self.codes.of(to))).collect();
        let own = |name: NameIx| self.codes.of_name(name);
        let mut names = listing.iter().map(|&(name, _)| name);
        let template = self.known_template(listing, layouts);
        let template = template.or_else(|| names.find(|&name| own(name) == template_language));
        let others = listing.iter().map(|&(name, _)| name).filter(|&name| template != Some(name));
        let has_own = |language| others.clone().any(|name| own(name) == language);
        let is_outside = |nth: usize| outside.iter().any(|&(moved, blob)| moved == nth && blob.is_some());
        let is_there = |nth, path| is_outside(nth) || others.clone().any(|name| self.path_of(name) == path);
        // An older path of a language goes on as that language, unless a newer path of it is there.
        let mut older: Vec<(PathIx, CodeIx)> = Vec::new();
        for (nth, (path, to)) in moved.into_iter().enumerate() {
            if let Some(path) = self.lister.find(path).filter(|&path| is_there(nth, path))
                && !has_own(to)
                && !older.iter().any(|&(other, language)| other == path || language == to)
            {
                older.push((path, to));
            }
        }
        let moved = older;
        let mut taken: Vec<Option<NameIx>> = vec![None; self.codes.list.len()];
        if template.is_some() {
            taken[template_language as usize] = template;
        }
        let mut chosen: Vec<(CodeIx, NameIx, BlobId)> = Vec::with_capacity(listing.len());
        let mut doubles = Vec::new();
        for &(name, blob) in listing.iter() {
            let language = if template == Some(name) {
                template_language
            } else {
                let path = self.path_of(name);
                moved.iter().find(|(old, _)| *old == path).map_or_else(|| own(name), |&(_, to)| to)
            };
            let owner = *taken[language as usize].get_or_insert(name);
            if owner != name {
                let code = |name: NameIx| &self.lister.names[name.0 as usize].code;
                let language = &self.codes.list[language as usize];
                doubles.push(format!("{language} ({}, {})", code(name), code(owner)));
                continue;
            }
            chosen.push((language, name, blob));
        }
        for &(nth, blob) in outside {
            let (path, _) = &layouts.moved[nth];
            let found = moved.iter().find(|&&(at, _)| self.lister.find(path) == Some(at));
            if let (Some(&(_, to)), Some(blob)) = (found, blob) {
                chosen.push((to, self.lister.name(usize::MAX, path, ""), blob));
            }
        }
        let mut template_file = None;
        let mut files: Vec<_> = chosen
            .into_iter()
            .map(|(language, name, blob)| {
                let code = self.codes.list[language as usize].clone();
                let entry = (self.language(&code), self.file(name, blob));
                if template == Some(name) {
                    template_file = Some(entry);
                }
                entry
            })
            .collect();
        files.sort_unstable();
        FileSet { files: files.into(), template: template_file, doubles: doubles.into() }
    }

    /// The number of a language, made if it is new.
    pub fn language(&mut self, code: &Arc<str>) -> LanguageIx {
        if let Some(&place) = self.language_places.get(code) {
            return place;
        }
        let place = self.languages.len() as LanguageIx;
        self.languages.push(code.clone());
        self.language_places.insert(code.clone(), place);
        place
    }

    fn file(&mut self, name: NameIx, blob: BlobId) -> FileIx {
        let Self { files, lister, .. } = self;
        let name = &lister.names[name.0 as usize];
        *self.file_places.entry((name.at, blob)).or_insert_with(|| {
            files.push(FileVersion { path: name.path.clone(), blob });
            files.len() as FileIx - 1
        })
    }
}
