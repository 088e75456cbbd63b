//! Detects documents: directories of languages, and directories and files with a language in their names.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::candidates;
use super::codes::most_certain_template;
use super::component::DetectedComponent;
use super::content::ContentCache;
use super::mask_index::MaskIndex;
use super::tree_file::{MAX_FILES, TreeFile};
use gitglot_model::{FileFormat, FileMask, is_language_code, join_path};

/// Directories below that of a language in a site of Docusaurus, and where their source is.
const DOCUSAURUS: [(&str, &str); 3] = [
    ("docusaurus-plugin-content-docs/current", "docs"),
    ("docusaurus-plugin-content-blog", "blog"),
    ("docusaurus-plugin-content-pages", "src/pages"),
];

/// Directories in a path that are looked at.
const MAX_DEPTH: usize = 16;

/// Documents with a language in their names that are components of their own; more are one component.
const MAX_SINGLE: usize = 5;

/// Codes of languages that are rather the ending of a file or an address: `todo.sh.md` next to `todo.md`.
const ENDINGS: [&str; 7] = ["io", "lua", "mo", "rs", "sh", "so", "ts"];

/// From this number of documents with a source on, a third of all is enough.
const MIN_FOR_A_THIRD: usize = 10;

/// The documents of each language, below a directory.
type Languages<'p> = BTreeMap<&'p str, BTreeSet<&'p str>>;

/// The components of documents.
pub(super) fn components(
    files: &[TreeFile],
    contents: &mut ContentCache<'_>,
) -> Vec<DetectedComponent> {
    let paths = files.iter().map(|file| &*file.path);
    let paths = paths.filter(|path| is_document(path));
    let paths: Vec<&str> = paths.take(MAX_FILES).collect();
    let documents = Documents {
        all: paths.iter().copied().collect(),
        paths,
    };
    let mut found = documents.of_folders(contents);
    let of_suffixes = documents.of_suffixes(&found);
    found.extend(documents.of_names(&found, &of_suffixes, contents));
    found.extend(of_suffixes);
    found
}

fn is_document(path: &str) -> bool {
    let is_hidden = || path.split('/').any(|name| name.starts_with('.'));
    FileFormat::Document.has_name(path) && candidates::is_literal(path) && !is_hidden()
}

fn component(mask: &str, template: String) -> Option<DetectedComponent> {
    Some(DetectedComponent::new(
        FileMask::new(mask).ok()?,
        template,
        FileFormat::Document,
    ))
}

struct Documents<'p> {
    paths: Vec<&'p str>,
    all: HashSet<&'p str>,
}

impl<'p> Documents<'p> {
    /// Documents in directories of languages.
    fn of_folders(&self, contents: &mut ContentCache<'_>) -> Vec<DetectedComponent> {
        let mut folders: BTreeMap<&str, Languages<'p>> = BTreeMap::new();
        for path in &self.paths {
            let mut start = 0;
            for name in path.split('/').take(MAX_DEPTH) {
                let end = start + name.len();
                if end < path.len() && is_language_code(name) {
                    let folder = &path[..start.saturating_sub(1)];
                    let languages = folders.entry(folder).or_default();
                    languages.entry(name).or_default().insert(&path[end + 1..]);
                }
                start = end + 1;
            }
        }
        let mut found: Vec<DetectedComponent> = Vec::new();
        let mut taken: Vec<&str> = Vec::new();
        for (folder, languages) in &folders {
            if taken.iter().any(|outer| is_within(folder, outer)) {
                continue;
            }
            let mut of_folder = self.docusaurus(folder, languages);
            if of_folder.is_empty() {
                of_folder.extend(self.of_folder(folder, languages, contents));
            }
            if !of_folder.is_empty() {
                taken.push(folder);
                found.extend(of_folder);
            }
        }
        found
    }

    /// The components of the translations of a site of Docusaurus.
    fn docusaurus(&self, folder: &str, languages: &Languages<'p>) -> Vec<DetectedComponent> {
        let site = match folder.strip_suffix("i18n") {
            Some(site) if site.is_empty() || site.ends_with('/') => site,
            _ => return Vec::new(),
        };
        let component = |&(plugin, source): &(&str, &str)| {
            let source = [site, source].concat();
            let below_plugin = |rests: &BTreeSet<&'p str>| {
                let below = |rest: &&'p str| rest.strip_prefix(plugin)?.strip_prefix('/');
                rests.iter().filter_map(below).collect::<BTreeSet<_>>()
            };
            let languages = languages
                .iter()
                .map(|(code, rests)| (*code, below_plugin(rests)));
            let languages: Languages<'_> = languages
                .filter(|language| !language.1.is_empty())
                .collect();
            let is_source = |rest: &str| self.all.contains(&*join_path(&source, rest));
            let mask = [folder, "/*/", plugin, "/**"].concat();
            let is_translated = is_translated(&languages, None, is_source);
            component(&mask, source).filter(|_| is_translated)
        };
        DOCUSAURUS.iter().filter_map(component).collect()
    }

    /// The component of a directory with directories of languages. The source is English, or what is in no such directory.
    fn of_folder(
        &self,
        folder: &str,
        languages: &Languages<'p>,
        contents: &mut ContentCache<'_>,
    ) -> Option<DetectedComponent> {
        let mask = join_path(folder, "*/**");
        if let Some(source) = most_certain_template(languages.keys().copied()) {
            let found = component(&mask, join_path(folder, source));
            return found.filter(|_| is_translated_from(languages, source));
        }
        let is_source =
            |rest: &str| !is_of_any_folder(rest) && self.all.contains(&*join_path(folder, rest));
        if !folder.is_empty() && is_translated(languages, None, is_source) {
            return component(&mask, folder.to_owned());
        }
        let first = languages.keys().next()?;
        if is_translated_from(languages, first) {
            let reason = "left out: no language of these documents is English; set the template and the source language";
            contents.leave_out(mask, reason.to_owned());
        }
        None
    }

    /// Documents in directories whose names end in a language: `docs-de` next to `docs` or `docs-en`.
    fn of_suffixes(&self, known: &[DetectedComponent]) -> Vec<DetectedComponent> {
        let mut folders: BTreeMap<&str, Languages<'p>> = BTreeMap::new();
        for path in &self.paths {
            let ends = path.match_indices('/').map(|(end, _)| end).take(MAX_DEPTH);
            for end in ends {
                let start = path[..end].rfind('/').map_or(0, |slash| slash + 1);
                let name = &path[start..end];
                let mut cuts = name.match_indices(['.', '-', '_']).map(|(at, _)| at + 1);
                let is_suffix = |at: &usize| *at > 1 && is_language_code(&name[*at..]);
                // `pt-BR` is a language.
                if !is_language_code(name)
                    && let Some(at) = cuts.find(is_suffix)
                {
                    let languages = folders.entry(&path[..start + at]).or_default();
                    let rests = languages.entry(&name[at..]).or_default();
                    rests.insert(&path[end + 1..]);
                }
            }
        }
        let masks = MaskIndex::new(known.iter().map(|component| &component.filemask));
        // What the groups that were found begin with. They have all documents below their directories.
        let mut outer: Vec<&str> = Vec::new();
        let found = folders.iter().filter_map(|(before, languages)| {
            outer.retain(|outer| before.starts_with(outer));
            let is_inside = |outer: &&str| {
                let below = before[outer.len()..].split_once('/');
                below.is_some_and(|(code, _)| is_language_code(code))
            };
            if outer.iter().any(is_inside) {
                return None;
            }
            let folder = &before[..before.len() - 1];
            let mask = [before, "*/**"].concat();
            let is_source = |rest: &str| {
                !is_of_any_folder(rest) && self.all.contains(&*join_path(folder, rest))
            };
            let english = most_certain_template(languages.keys().copied());
            let (template, is_translated) = match english {
                Some(code) => ([before, code].concat(), is_translated_from(languages, code)),
                None => (
                    folder.to_owned(),
                    is_certain(languages.keys().copied())
                        && is_translated(languages, None, is_source),
                ),
            };
            let (code, rests) = languages.first_key_value()?;
            let first = [before, code, "/", rests.first()?].concat();
            let is_known = !masks.matching(&first).is_empty();
            let found = component(&mask, template).filter(|_| is_translated && !is_known)?;
            outer.push(before);
            Some(found)
        });
        found.collect()
    }

    /// Documents with a language in their names.
    fn of_names(
        &self,
        known: &[DetectedComponent],
        of_suffixes: &[DetectedComponent],
        contents: &mut ContentCache<'_>,
    ) -> Vec<DetectedComponent> {
        let bases = known
            .iter()
            .flat_map(|component| component.filemask.groups(&component.template));
        let bases = bases.map(|group| group.base);
        let sources = of_suffixes
            .iter()
            .map(|component| component.template.clone());
        let bases: HashSet<String> = bases.chain(sources).collect();
        let masks = MaskIndex::new(of_suffixes.iter().map(|component| &component.filemask));
        let mut named: BTreeMap<Named<'p>, Vec<&'p str>> = BTreeMap::new();
        for path in &self.paths {
            let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
            if let Some((document, code)) = Named::of(path)
                && !folders.any(|folder| bases.contains(folder))
                && masks.matching(path).is_empty()
            {
                named.entry(document).or_default().push(code);
            }
        }
        // `*` of such a mask matches any text.
        let mut others: BTreeMap<Named<'p>, &'p str> = BTreeMap::new();
        for path in &self.paths {
            for (document, code) in Named::readings(path) {
                let is_other = !code.contains('.') && !is_language_code(code);
                if is_other && named.contains_key(&document) {
                    others.insert(document, path);
                }
            }
        }
        let mut by_separator: BTreeMap<(char, &str), Vec<DetectedComponent>> = BTreeMap::new();
        let mut folders: BTreeMap<(char, &str), &str> = BTreeMap::new();
        for (document, codes) in named {
            if let Some(other) = others.get(&document) {
                let reason = format!(
                    "left out: {other} has no language in its name; exclude it, or set the file mask and the template"
                );
                contents.leave_out(document.mask(), reason);
                continue;
            }
            let Some(template) = self.source_of(&document, &codes, contents) else {
                continue;
            };
            if !document.is_of_project() && !is_certain(codes.iter().copied()) {
                let endings = match &codes[..] {
                    [code] => format!("{code} can be the ending of a file; if it is a language"),
                    codes => format!(
                        "{} can be endings of files; if they are languages",
                        codes.join(", ")
                    ),
                };
                let reason = format!("left out: {endings}, set the file mask and the template");
                contents.leave_out(document.mask(), reason);
                continue;
            }
            let Some(found) = component(&document.mask(), template) else {
                continue;
            };
            let key = (document.separator, document.ending);
            by_separator.entry(key).or_default().push(found);
            let common = folders.entry(key).or_insert(document.folder);
            *common = common_folder(common, document.folder);
        }
        let mut found = Vec::new();
        for (key @ (separator, ending), components) in by_separator {
            let folder = folders.get(&key).copied().unwrap_or_default();
            if components.len() <= MAX_SINGLE {
                found.extend(components);
            } else if separator == '.' && !folder.is_empty() {
                let mask = format!("{folder}/**.*{ending}");
                found.extend(component(&mask, format!("{folder}/**{ending}")));
            } else {
                let mask = join_path(folder, &format!("**{separator}*{ending}"));
                let reason = format!(
                    "left out: {} documents have a language in their names; set the file masks of those that count",
                    components.len()
                );
                contents.leave_out(mask, reason);
            }
        }
        found
    }

    /// The path of the source of a document, in its directory or in one above.
    fn source_of(
        &self,
        document: &Named<'_>,
        codes: &[&str],
        contents: &mut ContentCache<'_>,
    ) -> Option<String> {
        let english = most_certain_template(codes.iter().copied());
        let english = english.map(|code| document.mask().replace('*', code));
        let name = [document.name, document.ending].concat();
        let next_to_it = join_path(document.folder, &name);
        if self.all.contains(&*next_to_it) {
            if let Some(english) = english {
                let reason = format!(
                    "left out: its English text is {english}, so the language of {next_to_it} is unknown; set the template and the source language"
                );
                contents.leave_out(document.mask(), reason);
                return None;
            }
            return Some(next_to_it);
        }
        let above = with_parents(document.folder).skip(1);
        let above = above.map(|folder| join_path(folder, &name));
        let is_there = |path: &String| document.is_of_project() && self.all.contains(&**path);
        let other = codes.len() > 1;
        english
            .filter(|_| other)
            .or_else(|| above.take(MAX_DEPTH).find(is_there))
    }
}

/// Whether documents of languages other than the source are translations: at least two have a source, and in each counted
/// language at least half do. From [`MIN_FOR_A_THIRD`] on, a third is enough, since generated documents, such as API
/// references, move.
fn is_translated(
    languages: &Languages<'_>,
    source: Option<&str>,
    is_source: impl Fn(&str) -> bool,
) -> bool {
    let others = languages.iter().filter(|(code, _)| Some(**code) != source);
    let count = |rests: &BTreeSet<&str>| rests.iter().filter(|rest| is_source(rest)).count();
    let counts = others.map(|(_, rests)| (count(rests), rests.len()));
    let most = counts.filter(|(known, all)| {
        known * 2 >= *all || (*known >= MIN_FOR_A_THIRD && known * 3 >= *all)
    });
    most.map(|(known, _)| known).sum::<usize>() >= 2
}

/// Whether documents of other languages are translations of those of this one.
fn is_translated_from(languages: &Languages<'_>, source: &str) -> bool {
    let texts = languages.get(source);
    let is_source = |rest: &str| texts.is_some_and(|texts| texts.contains(rest));
    is_translated(languages, Some(source), is_source)
}

/// Whether at least one of these is a language and not an ending.
fn is_certain<'c>(mut codes: impl Iterator<Item = &'c str>) -> bool {
    codes.any(|code| !ENDINGS.contains(&code))
}

fn is_within(folder: &str, outer: &str) -> bool {
    let rest = folder.strip_prefix(outer);
    rest.is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with('/'))
}

/// Whether any directory can have such a document, so that it is no evidence of a translation.
fn is_of_any_folder(rest: &str) -> bool {
    let stem = rest.split('.').next().unwrap_or(rest);
    let names = ["readme", "changelog", "license"];
    names.iter().any(|name| stem.eq_ignore_ascii_case(name))
}

fn common_folder<'p>(one: &'p str, other: &str) -> &'p str {
    let mut folders = with_parents(one);
    let common = folders.find(|folder| is_within(other, folder));
    common.unwrap_or_default()
}

/// A directory and those that it is in, down to the root.
fn with_parents(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| {
        let end = folder.rfind('/').unwrap_or_default();
        (!folder.is_empty()).then(|| &folder[..end])
    })
}

/// A document with a language in its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Named<'p> {
    folder: &'p str,
    name: &'p str,
    separator: char,
    ending: &'p str,
}

impl<'p> Named<'p> {
    /// The document and the language of a path.
    fn of(path: &'p str) -> Option<(Self, &'p str)> {
        let (named, code) = Self::readings(path).find(|(_, code)| is_language_code(code))?;
        // In other names, `-to` and `_no` are words.
        let is_certain = named.separator == '.' || named.is_of_project();
        (!named.name.is_empty() && is_certain).then_some((named, code))
    }

    /// The documents that a path can be a translation of, each with the text in place of the language.
    fn readings(path: &'p str) -> impl Iterator<Item = (Self, &'p str)> {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, ending) = file.split_at(file.rfind('.').unwrap_or(file.len()));
        stem.match_indices(['.', '_', '-'])
            .map(move |(at, separator)| {
                let named = Self {
                    folder,
                    name: &stem[..at],
                    separator: separator.chars().next().unwrap_or('.'),
                    ending,
                };
                (named, &stem[at + 1..])
            })
    }

    /// Whether it has a name such as README.
    fn is_of_project(&self) -> bool {
        let is_upper = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-');
        self.name.bytes().all(is_upper)
    }

    fn mask(&self) -> String {
        let file = [self.name, &self.separator.to_string(), "*", self.ending].concat();
        join_path(self.folder, &file)
    }
}
