//! Finds where source code uses keys that a change removes (`docs/spec/lint.md#keys-that-are-still-used`).

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::error::LintError;
use super::positions::Positions;
use super::spec::ComponentSpec;
use super::template_keys::TemplateKeys;
use super::tree::{RepositoryTree, SourceFile};
use super::use_syntax::UseSyntax;
use gitglot_git::GitError;
use gitglot_model::{Component, WorkLimit};

/// The most bytes of code that are read.
const MAX_READ: usize = 256 << 20;

/// The most bytes of a file of code; larger ones are generated.
const MAX_FILE: usize = 1 << 20;

/// The most occurrences of keys that are read: keys can be parts of each other.
const MAX_MATCHES: usize = 16 << 20;

/// The endings of files of code.
const ENDINGS: &[&str] = &[
    "astro", "cc", "cpp", "cs", "cshtml", "dart", "ejs", "erb", "go", "gohtml", "groovy", "h",
    "haml", "hbs", "htm", "html", "java", "jelly", "js", "jsp", "jsx", "kt", "kts", "m", "mjs",
    "mm", "php", "pug", "py", "qml", "razor", "rb", "rs", "scala", "slim", "svelte", "swift",
    "tmpl", "ts", "tsx", "twig", "vb", "vue", "xaml",
];

/// Directories with code of others, or with files that a build writes.
const SKIPPED: &[&str] = &[
    "node_modules",
    "vendor",
    "third_party",
    "dist",
    "build",
    "target",
];

/// Finds uses of keys.
pub trait KeyUses: Sync {
    /// For each key of a component the first place that uses it, the first certain one if there is one.
    fn places(&self, spec: &ComponentSpec, keys: &[&str]) -> Vec<Option<KeyUse>>;
}

/// A place in source code that uses a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyUse {
    /// The file.
    pub path: String,
    /// The 1-based line.
    pub line: usize,
    /// Whether the code passes the key to a function for texts, so that it is no other word.
    pub is_certain: bool,
}

/// The source code of a state of a repository.
pub struct SourceCode<'a> {
    tree: RepositoryTree,
    components: Vec<&'a Component>,
    excludes: &'a (dyn Fn(&str) -> bool + Sync),
    limit: &'a dyn WorkLimit,
    /// The keys of all templates, once they are needed.
    templates: OnceLock<TemplateKeys<'a>>,
    /// The files with code, once they are needed.
    files: OnceLock<Vec<SourceFile>>,
    /// Why a file could not be read: the first error.
    error: OnceLock<LintError>,
}

impl<'a> SourceCode<'a> {
    /// The code of a state without excluded files, and all components: a key that moves from one to another is not lost.
    /// Nothing is found once the limit of the search is reached.
    pub fn new(
        tree: RepositoryTree,
        components: Vec<&'a Component>,
        excludes: &'a (dyn Fn(&str) -> bool + Sync),
        limit: &'a dyn WorkLimit,
    ) -> Self {
        Self {
            tree,
            components,
            excludes,
            limit,
            templates: OnceLock::new(),
            files: OnceLock::new(),
            error: OnceLock::new(),
        }
    }

    /// Why something could not be read. What was found is incomplete then.
    pub fn into_error(self) -> Option<LintError> {
        self.error.into_inner()
    }

    /// What was read; `None` if it is too large, or cannot be read.
    fn read<T>(&self, result: Result<Option<T>, LintError>) -> Option<T> {
        result.unwrap_or_else(|error| {
            if !matches!(error, LintError::Git(GitError::TooLarge { .. })) {
                // Only the first one is kept.
                let _ = self.error.set(error);
            }
            None
        })
    }

    fn files(&self) -> &[SourceFile] {
        self.files.get_or_init(|| {
            let files = self.read(self.tree.all_files().map(Some));
            let mut files = files.unwrap_or_default();
            files.retain(|file| is_code(&file.path) && !(self.excludes)(&file.path));
            files
        })
    }

    fn templates(&self) -> &TemplateKeys<'a> {
        self.templates.get_or_init(|| {
            let meter = self.limit.meter();
            let read = |path: &str| {
                let bytes = self.read(self.tree.small_file(path, gitglot_formats::MAX_BYTES))?;
                meter(bytes.len()).then_some(bytes)
            };
            TemplateKeys::read(&self.components, read)
        })
    }
}

impl SourceCode<'_> {
    /// The places of [`KeyUses`] for the keys of several components. Each file is read once.
    pub fn places_of(&self, components: &[(&ComponentSpec, &[&str])]) -> Vec<Vec<Option<KeyUse>>> {
        let templates = self.templates();
        let searches = components.iter();
        let searches = searches.map(|(spec, keys)| KeySearch::new(spec, keys, templates));
        let mut searches: Vec<KeySearch<'_>> = searches.collect();
        let mut reader = self.tree.reader();
        let meter = self.limit.meter();
        let mut is_read = 0;
        for file in self.files() {
            if is_read > MAX_READ || !searches.iter().any(KeySearch::continues) {
                break;
            }
            let Some(bytes) = self.read(self.tree.content(file, &mut reader)) else {
                continue;
            };
            is_read += bytes.len();
            if !meter(bytes.len()) {
                break;
            }
            let text = std::str::from_utf8(&bytes);
            let Some(text) = text.ok().filter(|text| text.len() <= MAX_FILE) else {
                continue;
            };
            for search in searches.iter_mut().filter(|search| search.continues()) {
                search.read(&file.path, text);
            }
        }
        searches.into_iter().map(|search| search.places).collect()
    }
}

impl KeyUses for SourceCode<'_> {
    fn places(&self, spec: &ComponentSpec, keys: &[&str]) -> Vec<Option<KeyUse>> {
        self.places_of(&[(spec, keys)]).pop().unwrap_or_default()
    }
}

/// The search for the keys of a component.
struct KeySearch<'a> {
    syntax: UseSyntax<'a>,
    /// The names of keys in code, with their indexes.
    names: Vec<(usize, String)>,
    /// `None` if the names cannot be looked for.
    pattern: Option<AhoCorasick>,
    /// The keys without a certain place.
    left: usize,
    /// The occurrences that were read.
    matches: usize,
    places: Vec<Option<KeyUse>>,
}

impl<'a> KeySearch<'a> {
    fn new(spec: &'a ComponentSpec, keys: &[&str], templates: &TemplateKeys<'_>) -> Self {
        let syntax = UseSyntax::of(spec);
        let lost = keys.iter().enumerate();
        let lost = lost.filter(|(_, key)| !templates.is_elsewhere(&spec.component, key));
        let names = lost.map(|(at, key)| (at, syntax.name(key)));
        let names: Vec<_> = names.filter(|(_, name)| name.len() > 1).collect();
        Self {
            pattern: AhoCorasick::new(names.iter().map(|(_, name)| name)).ok(),
            syntax,
            left: names.len(),
            names,
            matches: 0,
            places: vec![None; keys.len()],
        }
    }

    fn continues(&self) -> bool {
        self.left > 0 && self.matches <= MAX_MATCHES && self.pattern.is_some()
    }

    /// Looks for the keys in a file.
    fn read(&mut self, path: &str, text: &str) {
        let found = self.pattern.iter();
        let found = found.flat_map(|pattern| pattern.find_overlapping_iter(text));
        let positions = Positions::default();
        for found in found {
            self.matches += 1;
            if self.matches > MAX_MATCHES {
                return;
            }
            let Some((at, name)) = self.names.get(found.pattern().as_usize()) else {
                continue;
            };
            let (before, rest) = text.split_at(found.start());
            let after = &rest[name.len()..];
            let known = self.places[*at].as_ref().map(|place| place.is_certain);
            if known != Some(true)
                && let Some(is_certain) = self.syntax.certainty(before, name, after)
                && (is_certain || known.is_none())
            {
                self.places[*at] = Some(KeyUse {
                    path: path.to_owned(),
                    line: positions.at(text.as_bytes(), before.len()).line as usize,
                    is_certain,
                });
                self.left -= usize::from(is_certain);
            }
        }
    }
}

/// Whether a file has code of the program.
fn is_code(path: &str) -> bool {
    let mut folders = path.split('/');
    let name = folders.next_back().unwrap_or_default();
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        // Layouts and manifests of Android, and the manifest of an extension.
        ENDINGS.contains(&ending) && !stem.ends_with(".min")
            || matches!(ending, "xml")
            || name == "manifest.json"
    });
    has_ending && !folders.any(|folder| SKIPPED.contains(&folder))
}
