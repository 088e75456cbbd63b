//! Candidate file masks for a set of paths.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::codes::{Codes, is_common_word, template_rank};
use super::tree_file::{FileLookup, TreeFile};
use gitglot_model::{FileFormat, R_DOMAIN, is_android_locale};

/// Paths that differ only in the part that `*` matches.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    /// The mask.
    pub mask: String,
    /// Its files with the part that `*` matches, in the order given.
    pub members: Vec<Member<'a>>,
    /// Number of members named after a language or template.
    pub languages: usize,
    /// Whether a directory or file name indicates translations.
    pub in_locale_folder: bool,
}

impl Candidate<'_> {
    /// Whether any of its files is among these paths.
    pub(super) fn is_among(&self, paths: &HashSet<&str>) -> bool {
        let mut members = self.members.iter();
        members.any(|(file, _)| paths.contains(&*file.path))
    }
}

/// A file of a mask with the part that `*` matches.
pub(super) type Member<'a> = (&'a TreeFile, &'a str);

/// Directory names and parts of file names that indicate translations, without leading `_` and `.`.
const LOCALE_NAMES: [&str; 22] = [
    "i18n",
    "intl",
    "l10n",
    "lang",
    "langs",
    "language",
    "languages",
    "locale",
    "locales",
    "localization",
    "localizations",
    "message",
    "messages",
    "nls",
    "resources",
    "resx",
    "strings",
    "texts",
    "translate",
    "translation",
    "translations",
    "translator",
];

/// Names of files, without their endings, that can have all languages: adapters of ioBroker have `admin/words.js`. As names of
/// directories they say nothing.
const FILE_NAMES: [&str; 1] = ["words"];

/// Directories of third-party files and test data.
const FOREIGN: [&str; 18] = [
    ".github",
    ".circleci",
    "node_modules",
    "bower_components",
    "jspm_packages",
    "vendor",
    "third_party",
    "third-party",
    "test",
    "tests",
    "__tests__",
    "testdata",
    "test-data",
    "spec",
    "fixtures",
    "__fixtures__",
    "mocks",
    "__mocks__",
];

/// Words at the start or end of the name of a directory of test data, such as `androidTest` or `App.Tests`.
const TEST_WORDS: [&str; 8] = [
    "test", "tests", "testing", "testdata", "fixture", "fixtures", "mock", "mocks",
];

/// Names of directories and files, in lower case and without punctuation, whose files have a text per language but are no
/// translations: formats of dates and numbers, and templates of projects and devices.
const NO_TEXTS: [&str; 6] = [
    "datetimeformats",
    "dateformats",
    "numberformats",
    "devicetemplates",
    "projecttemplates",
    "activitytemplates",
];

/// Directories of build results.
const BUILT: [&str; 5] = ["dist", "build", "out", "target", "_site"];

/// Files of tools, often next to translations.
const TOOLS: [&str; 12] = [
    "pubspec.yaml",
    "docker-compose.yml",
    "gradle.properties",
    "package.json",
    "package-lock.json",
    "composer.json",
    "bower.json",
    "manifest.json",
    "tsconfig.json",
    "jsconfig.json",
    "project.json",
    "_category_.json",
];

/// The known ending of a path, with its dot.
pub(super) fn extension(path: &str) -> Option<&'static str> {
    let formats = FileFormat::ALL
        .into_iter()
        .filter(|format| !format.has_groups());
    let others = formats
        .clone()
        .flat_map(FileFormat::other_extensions)
        .copied();
    let mut extensions = formats.map(FileFormat::extension).chain(others);
    extensions.find(|extension| path.ends_with(extension))
}

/// The name of a file without its known ending.
pub(super) fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(extension(name)?)
}

/// Maximum length of a path in bytes. Longer ones have too many candidate masks.
const MAX_PATH: usize = 512;

/// Whether a path can be a hand-written translation of this project.
pub(super) fn is_source(path: &str) -> bool {
    is_own(path) && !has_folder(path, &BUILT) && !path.split('/').any(is_incidental)
}

/// Whether a path can be a hand-written table of this project, which only its content shows.
pub(super) fn is_own_table(path: &str) -> bool {
    path.ends_with(".csv") && is_literal(path) && !path.split('/').any(is_incidental)
}

/// Whether a file can have all languages, by its name, which only its content shows.
pub(super) fn may_have_languages(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut words = stem(name).unwrap_or(name).split(['.', '-', '_']);
    let is_named = |word: &str| {
        let word = word.to_ascii_lowercase();
        LOCALE_NAMES.contains(&&*word) || FILE_NAMES.contains(&&*word)
    };
    is_literal(path)
        && !TOOLS.contains(&name)
        && !path.split('/').any(is_incidental)
        && (has_locale(path) || words.any(is_named))
}

/// Whether a path has no wildcard, and is neither of third parties nor a result of a build.
pub(super) fn is_literal(path: &str) -> bool {
    path.len() <= MAX_PATH
        && !path.contains(['*', '?', '['])
        && !has_folder(path, &FOREIGN)
        && !has_folder(path, &BUILT)
}

/// Whether a path is that of a file from which a generator makes one of another program, as those of Rails and Yeoman do:
/// `lib/generators/engine/templates/config/locales/en.yml`.
pub(super) fn is_of_generator(path: &str) -> bool {
    let mut folders = path.split('/');
    folders.any(|name| name.starts_with("generator")) && folders.any(|name| name == "templates")
}

/// Whether a directory or file has test data or no texts, by its name.
fn is_incidental(name: &str) -> bool {
    let letters = name.split('.').next().unwrap_or(name).chars();
    let letters: String = letters.filter(|char| char.is_alphanumeric()).collect();
    if NO_TEXTS.contains(&&*letters.to_ascii_lowercase()) {
        return true;
    }
    let mut words = words(name);
    let is_test = |word: &str| TEST_WORDS.contains(&&*word.to_ascii_lowercase());
    words.next().is_some_and(is_test) || words.last().is_some_and(is_test)
}

/// The words of a name, which punctuation or capital letters separate.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['.', '-', '_']).flat_map(|part| {
        let bytes = part.as_bytes();
        let mut start = 0;
        let is_start = move |at: &usize| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            let here = bytes.get(*at);
            here.is_none_or(u8::is_ascii_uppercase) && before.is_some_and(u8::is_ascii_lowercase)
                || here.is_none()
        };
        (1..=part.len()).filter(is_start).filter_map(move |end| {
            let word = part.get(start..end)?;
            start = end;
            Some(word)
        })
    })
}

/// Whether a path can be a translation of this project, including build results.
pub(super) fn is_own(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    // Wildcards in a path would become wildcards of the mask.
    let literal = path.len() <= MAX_PATH && !path.contains(['*', '?', '[']);
    let known = extension(path).is_some_and(|extension| {
        let format = FileFormat::with_extension(extension);
        let folders = format.map_or(&[][..], FileFormat::only_below);
        let is_below = |start: &&str| {
            let mut names = path.split('/');
            names.next_back();
            names.any(|name| name.starts_with(start))
        };
        (folders.is_empty() || folders.iter().any(is_below))
            && (!format.is_some_and(FileFormat::is_among_code)
                || may_be_translation(path, extension)
                || ends_in_language(name))
    });
    // Images and colours of Apple.
    let is_asset = path.split('/').any(|name| name.ends_with(".xcassets"));
    known && literal && !is_asset && !TOOLS.contains(&name) && !has_folder(path, &FOREIGN)
}

/// Whether a file with an ending that no format reads, or that has other uses, is a translation: it is named after a language or below the
/// directory of one, among translations.
pub(super) fn may_be_translation(path: &str, extension: &str) -> bool {
    if has_folder(path, &FOREIGN) || path.len() > MAX_PATH {
        return false;
    }
    // These endings have other uses.
    if !matches!(extension, ".ts" | ".php" | ".csv" | ".ini" | ".toml") {
        return true;
    }
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.strip_suffix(extension).unwrap_or(name);
    let mut codes = Codes::default();
    let mut parts = std::iter::once(stem).chain(stem.split(['.', '_']));
    if is_locale_folder(folders, extension) && parts.any(|part| codes.is_language(part)) {
        return true;
    }
    // Programs keep the files of a language in directories as deep as they like.
    let mut ends = path.match_indices('/').map(|(end, _)| &path[..end]);
    ends.any(|folder| {
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        is_locale_folder(above, extension) && codes.is_language(name)
    })
}

/// Whether a part of a path is a language.
pub(super) fn is_named<'a>(path: &'a str, codes: &mut Codes<'a>) -> bool {
    let found = readings(path, codes);
    found.iter().any(|(_, code)| codes.is_language(code))
}

/// Whether a name ends in a language, such as `app_de.ts`.
fn ends_in_language(name: &str) -> bool {
    let mut codes = Codes::default();
    stem(name).is_some_and(|stem| {
        let mut cuts = stem.match_indices('_');
        cuts.any(|(at, _)| codes.is_language(stem.get(at + 1..).unwrap_or_default()))
    })
}

fn has_folder(path: &str, names: &[&str]) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| names.contains(&folder))
}

/// Finds candidates, without reading the files. `is_listed`: whether a folder lists a code among its languages.
pub(super) fn of<'a>(
    files: &[&'a TreeFile],
    is_listed: &dyn Fn(&str, &str) -> bool,
) -> Vec<Candidate<'a>> {
    let mut codes = Codes::default();
    // Few masks become candidates.
    let mut masks: HashMap<Mask<'a>, Vec<Member<'a>>> = HashMap::new();
    for file in files {
        for (mask, code) in readings(&file.path, &mut codes) {
            masks.entry(mask).or_default().push((file, code));
        }
    }
    let mut candidate = |(mask, members): (Mask<'a>, Vec<Member<'a>>)| {
        let mut counts = |&&(file, code): &&Member<'a>| {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            codes.is_language(code) || template_rank(code).is_some() || is_listed(folder, code)
        };
        let languages = members.iter().filter(&mut counts).count();
        let is_word = |(_, code): &Member<'a>| is_common_word(code);
        // At least half of the files must be named after languages, and one after more than a word such as `default`.
        let enough = languages * 2 >= members.len() && !members.iter().all(is_word);
        let mask = enough.then(|| mask.text())?;
        let in_locale_folder = has_locale(&mask);
        Some(Candidate {
            mask,
            members,
            languages,
            in_locale_folder,
        })
    };
    masks.into_iter().filter_map(&mut candidate).collect()
}

/// A mask as the parts of a path around its `*`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Mask<'a> {
    before: &'a str,
    /// The part between two `*`, if directory and name have the same code, as in `help/de/de.po`.
    between: Option<&'a str>,
    behind: &'a str,
}

impl Mask<'_> {
    fn text(self) -> String {
        match self.between {
            Some(between) => [self.before, "*", between, "*", self.behind].concat(),
            None => [self.before, "*", self.behind].concat(),
        }
    }
}

/// All ways to replace a part of a path by `*`, or the same language in a directory and the name: the mask and the part.
fn readings<'a>(path: &'a str, codes: &mut Codes<'a>) -> Vec<(Mask<'a>, &'a str)> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let name_start = path.rfind('/').map_or(0, |at| at + 1);
    let name = path.get(name_start..).unwrap_or("");
    let own_folders = if ends_in_language(name) {
        locale_folders(name)
    } else {
        &[]
    };
    for folder in path.get(..name_start).unwrap_or("").split_terminator('/') {
        // Qt's directory `tr` of translations is no Turkish.
        if !own_folders.contains(&folder) {
            ranges.push(start..start + folder.len());
        }
        // Android and Apple name directories after languages in their own way.
        if folder
            .strip_prefix("values-")
            .is_some_and(is_android_locale)
        {
            ranges.push(start + "values-".len()..start + folder.len());
        }
        if let Some(code) = folder.strip_suffix(".lproj") {
            ranges.push(start..start + code.len());
        }
        start += folder.len() + 1;
    }
    let mut start = name_start;
    for piece in stem(name).unwrap_or("").split('.') {
        let end = start + piece.len();
        ranges.push(start..end);
        // `messages_pt_BR`, `pt-BR-messages`; but `zh_Hant` is one code.
        for (cut, _) in piece.match_indices(['-', '_']) {
            let (before, after) = (
                piece.get(..cut).unwrap_or(""),
                piece.get(cut + 1..).unwrap_or(""),
            );
            if !codes.is_language(before) {
                ranges.push(start + cut + 1..end);
            }
            if !codes.is_language(after) && !codes.is_language(piece) {
                ranges.push(start..start + cut);
            }
        }
        start = end + 1;
    }
    let single = |range: &Range<usize>| {
        let code = path.get(range.clone())?;
        // `*` matches neither a leading dot nor an empty text.
        let fits = !code.is_empty() && !code.starts_with('.') && !code.starts_with(R_DOMAIN);
        let mask = Mask {
            before: path.get(..range.start)?,
            between: None,
            behind: path.get(range.end..)?,
        };
        fits.then_some((mask, code))
    };
    let mut found: Vec<_> = ranges.iter().filter_map(single).collect();
    let folders = ranges.iter().filter(|range| range.end < name_start);
    let names = ranges.iter().filter(|range| range.start >= name_start);
    for folder in folders {
        let Some(code) = path.get(folder.clone()) else {
            continue;
        };
        let mut same = names
            .clone()
            .filter(|name| path.get((*name).clone()) == Some(code));
        if let Some(name) = same.next()
            && codes.is_language(code)
        {
            let mask = Mask {
                before: path.get(..folder.start).unwrap_or_default(),
                between: path.get(folder.end..name.start),
                behind: path.get(name.end..).unwrap_or_default(),
            };
            found.push((mask, code));
        }
    }
    found
}

/// Directories of translations of the format that the ending of a name indicates.
fn locale_folders(name: &str) -> &'static [&'static str] {
    let format = extension(name).and_then(FileFormat::with_extension);
    format.map_or(&[], FileFormat::locale_folders)
}

/// Whether the last of these directories, or the one that it is in, indicates translations in files with this ending.
fn is_locale_folder(folders: &str, extension: &str) -> bool {
    let own_names = locale_folders(extension);
    let mut last = folders.rsplit('/').take(2);
    last.any(|name| is_locale_name(name, own_names))
}

fn is_locale_name(text: &str, own_names: &[&str]) -> bool {
    let text = text.trim_start_matches(['_', '.']).to_ascii_lowercase();
    LOCALE_NAMES.contains(&&*text) || own_names.contains(&&*text)
}

/// Whether the directory of `*` or the fixed part of the file name indicates translations.
fn has_locale(mask: &str) -> bool {
    let own_names = locale_folders(mask);
    let is_name = |text: &str| is_locale_name(text, own_names);
    let (before, after) = mask.split_once('*').unwrap_or((mask, ""));
    let folders = before.rsplit_once('/').map_or("", |(folders, _)| folders);
    let name = mask.rsplit('/').next().unwrap_or(mask);
    let name = stem(name).unwrap_or(name);
    let in_name = name.contains('*') && name.split(['.', '-', '_', '*']).any(is_name);
    let (below, _) = after.rsplit_once('/').unwrap_or(("", after));
    let is_below = !own_names.is_empty() && below.split('/').any(is_name);
    in_name || is_below || folders.rsplit('/').take(2).any(is_name)
}

/// A possible template next to the files of a mask: `messages.json` for `messages.*.json`, `values/strings.xml` for
/// `values-*/strings.xml`. `None` if `*` is a whole name.
pub(super) fn unnamed_template<'f>(mask: &str, files: &FileLookup<'f>) -> Option<&'f TreeFile> {
    let (before, after) = mask.split_once('*')?;
    let parted = before.strip_suffix(['.', '-', '_'])?;
    let named = !parted.is_empty()
        && !parted.ends_with('/')
        && (after.starts_with('/') || extension(after) == Some(after));
    let path = named.then(|| format!("{parted}{after}"))?;
    files.get(&path)
}
