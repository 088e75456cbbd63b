//! The files of a tree by language, and their last readable versions (docs/spec/change-log.md#layouts).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use gitglot_model::language::resolve;
use gitglot_model::{BlobId, CommitId, Component, FileMask};

use super::git::{Files, Git, Texts};

/// The known layouts, newest first.
#[derive(Clone)]
pub struct Layouts {
    /// Masks, each with the paths of its template.
    pub masks: Vec<(FileMask, Vec<String>)>,
    /// Older single paths, each with the language that it now belongs to, newest first.
    pub moved: Vec<(String, String)>,
    /// Code of the template's language.
    pub source: String,
    /// The language code in the template's path.
    source_code: String,
}

/// A language's file in a tree.
#[derive(Clone)]
pub struct File {
    pub path: String,
    pub blob: BlobId,
    pub parses: bool,
    /// The texts of the last readable version, if any.
    pub good: Option<Rc<Texts>>,
}

/// The files of a commit's tree.
#[derive(Clone, Default)]
pub struct View {
    /// The files by language code, including the template.
    pub files: BTreeMap<String, File>,
    duplicates: Vec<String>,
    /// Code of the template's language.
    pub source: String,
}

/// The path of each language in a tree.
#[derive(Default)]
pub struct Assigned {
    pub paths: BTreeMap<String, String>,
    pub duplicates: Vec<String>,
}

impl Layouts {
    pub fn new(component: &Component, source_language: &str) -> Self {
        let code = component
            .filemask
            .matches(&component.template)
            .unwrap_or(source_language);
        let template = component.template.clone();
        let older = component
            .previous_filemasks
            .iter()
            .map(|mask| (mask.clone(), vec![mask.with_code(code)]));
        Self {
            masks: std::iter::once((component.filemask.clone(), vec![template]))
                .chain(older)
                .collect(),
            moved: Vec::new(),
            source: resolve(code).code.to_string(),
            source_code: code.to_owned(),
        }
    }

    /// The mask that fits a tree, and its template, if any.
    pub fn locate(&self, files: &Files) -> Option<(&FileMask, String)> {
        let by_template = self.masks.iter().find_map(|(mask, templates)| {
            Some((
                mask,
                templates
                    .iter()
                    .find(|path| files.contains_key(*path))?
                    .clone(),
            ))
        });
        by_template.or_else(|| {
            self.masks.iter().find_map(|(mask, _)| {
                let named = |path: &&String| {
                    mask.matches(path)
                        .is_some_and(|code| *resolve(code).code == *self.source)
                };
                Some((mask, files.keys().find(named)?.clone()))
            })
        })
    }

    /// The language of each file in a tree; none if no known layout fits.
    pub fn assign(&self, files: &Files) -> Option<Assigned> {
        let (mask, template) = self.locate(files)?;
        let language = |path: &str| {
            mask.matches(path)
                .map(|code| resolve(code).code.to_string())
        };
        let mut assigned = Assigned::default();
        assigned.paths.insert(self.source.clone(), template.clone());
        // A language without a file of its own has the file that was later renamed to it.
        let named: HashSet<String> = files
            .keys()
            .filter(|path| **path != template)
            .filter_map(|path| language(path))
            .collect();
        let mut taken = HashSet::from([template.clone()]);
        for (path, name) in self.moved.iter().filter(|(_, name)| !named.contains(name)) {
            if files.contains_key(path)
                && !assigned.paths.contains_key(name)
                && taken.insert(path.clone())
            {
                assigned.paths.insert(name.clone(), path.clone());
            }
        }
        for path in files.keys().filter(|path| !taken.contains(*path)) {
            let Some(name) = language(path) else { continue };
            if let Some(holder) = assigned.paths.get(&name) {
                let fallback = if name == self.source {
                    self.source_code.as_str()
                } else {
                    ""
                };
                let old = mask.matches(holder).unwrap_or(fallback);
                let new = mask.matches(path).unwrap_or_default();
                assigned.duplicates.push(format!("{name} ({new}, {old})"));
            } else {
                assigned.paths.insert(name, path.clone());
            }
        }
        Some(assigned)
    }
}

impl View {
    /// Whether a language's file has a readable version.
    pub fn has_good(&self, language: &str) -> bool {
        self.good(language).is_some()
    }

    /// The template's texts in order, each key once, in its last readable version.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.good(&self.source);
        texts.into_iter().flat_map(Texts::sources)
    }

    /// Duplicate keys of the template.
    pub fn twice(&self) -> Vec<&str> {
        self.good(&self.source)
            .into_iter()
            .flat_map(|texts| texts.twice.iter().map(|key| &**key))
            .collect()
    }

    /// Targets of entries 40, by path.
    pub fn duplicates(&self) -> Vec<&str> {
        self.duplicates.iter().map(String::as_str).collect()
    }

    /// The template's text for a key.
    pub fn source_of(&self, key: &str) -> Option<&str> {
        self.good(&self.source)?.first(key)
    }

    /// A language's text of a key, `""` if absent, and whether it is a translation.
    pub fn text(&self, language: &str, key: &str) -> (&str, bool) {
        self.good(language)
            .and_then(|texts| texts.last(key))
            .unwrap_or_default()
    }

    pub fn blob(&self, language: &str) -> Option<BlobId> {
        self.files.get(language).map(|file| file.blob)
    }

    /// Whether a language's texts and the template's are identical in two trees.
    pub fn has_same_texts(&self, other: &Self, language: &str) -> bool {
        [language, &self.source].into_iter().all(|name| {
            match (self.files.get(name), other.files.get(name)) {
                (Some(File { good: Some(a), .. }), Some(File { good: Some(b), .. })) => {
                    Rc::ptr_eq(a, b)
                }
                (a, b) => a.is_none() && b.is_none(),
            }
        })
    }

    /// The languages except the template's, by path.
    pub fn translations(&self) -> Vec<(&str, &File)> {
        let mut list = self.by_path();
        list.retain(|(name, _)| *name != self.source);
        list
    }

    /// All files, by path.
    pub fn by_path(&self) -> Vec<(&str, &File)> {
        let mut list: Vec<_> = self
            .files
            .iter()
            .map(|(name, file)| (name.as_str(), file))
            .collect();
        list.sort_by_key(|(_, file)| file.path.as_str());
        list
    }

    fn good(&self, language: &str) -> Option<&Texts> {
        self.files.get(language)?.good.as_deref()
    }
}

/// The views of a tip and all its ancestors.
pub fn views(git: &mut Git, layouts: &Layouts, tip: CommitId) -> HashMap<CommitId, Rc<View>> {
    let mut views: HashMap<CommitId, Rc<View>> = HashMap::new();
    for id in git.new_ancestors(&[tip], &mut HashSet::new()) {
        let parents: Vec<Rc<View>> = git
            .parents(id)
            .iter()
            .filter_map(|parent| views.get(parent).cloned())
            .collect();
        let files = git.files(id);
        let view = match layouts.assign(&files) {
            // A tree without a layout counts as its first parent's.
            None => parents.first().cloned().unwrap_or_default(),
            Some(assigned) => Rc::new(read(git, layouts, &files, assigned, &parents)),
        };
        views.insert(id, view);
    }
    views
}

fn read(
    git: &mut Git,
    layouts: &Layouts,
    files: &Files,
    assigned: Assigned,
    parents: &[Rc<View>],
) -> View {
    let mut view = View {
        files: BTreeMap::new(),
        duplicates: assigned.duplicates,
        source: layouts.source.clone(),
    };
    for (name, path) in assigned.paths {
        let blob = files[&path];
        let texts = git.texts(blob);
        let parses = texts.is_some();
        // A broken file has the last readable version of the first parent; at a merge, of the first parent
        // with the same blob.
        let same = parents
            .iter()
            .find(|parent| parents.len() > 1 && parent.blob(&name) == Some(blob));
        let elder = same
            .or(parents.first())
            .and_then(|parent| parent.files.get(&name));
        let good = texts.or_else(|| elder.and_then(|file| file.good.clone()));
        view.files.insert(
            name,
            File {
                path,
                blob,
                parses,
                good,
            },
        );
    }
    view
}
