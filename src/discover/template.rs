//! Selects the template of a component.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::candidates::{Member, extension};
use super::codes::{AMERICAN_RANK, FIRST_UNCERTAIN_RANK, FIRST_VARIANT_RANK, template_rank};
use super::component::DetectedComponent;
use super::content::{ContentCache, FileContent};
use super::inlang;
use super::tree_file::{FileLookup, TreeFile};
use gitglot_formats::read_file;
use gitglot_model::{
    BaseFile, FileFormat, FileMask, FlutterSettings, MAX_FLUTTER_SETTINGS, language,
};

/// Maximum size of the manifest of a browser extension.
const MAX_MANIFEST: usize = 64 << 10;

/// Maximum number of files to compare.
pub(super) const SAMPLE: usize = 100;

/// Whether a template is named after another language than English, so that it is perhaps a translation, too.
pub(super) fn is_guess(mask: &FileMask, template: &str) -> bool {
    mask.matches(template)
        .is_some_and(|code| template_rank(code).is_none())
}

/// Selects the template: the base file of a format that has one; else by name, else `unnamed` (a file without a language
/// in its name), else the file whose keys cover those of the others (docs/spec/settings.md#templates). The template does not
/// have to parse, if its name is sure.
pub(super) fn choose<'f>(
    members: &[Member<'f>],
    unnamed: Option<&'f TreeFile>,
    in_locale_folder: bool,
    contents: &mut ContentCache<'_>,
) -> Option<&'f TreeFile> {
    let has_text = |file: &&TreeFile, contents: &mut ContentCache<'_>| {
        contents.of(file).is_some_and(|content| content.has_text)
    };
    if let Some(file) = unnamed.filter(|file| is_base(file))
        && contents.has_text_or_is_broken(file)
    {
        return Some(file);
    }
    let unnamed = unnamed.filter(|file| has_text(file, contents));
    let ranked = members
        .iter()
        .filter_map(|(file, code)| Some((*file, template_rank(code)?)));
    let mut ranked: Vec<(&TreeFile, usize)> = ranked.collect();
    ranked.sort_by(|a, b| (a.1, &a.0.path).cmp(&(b.1, &b.0.path)));
    let mut named = ranked.clone();
    named.retain(|(file, _)| has_text(file, contents));
    // A different template would be replaced as soon as this file parses again.
    let is_broken = |file: &TreeFile| contents.is_broken(file);
    let is_variant =
        |(_, rank): &(&TreeFile, usize)| (FIRST_VARIANT_RANK..=FIRST_UNCERTAIN_RANK).contains(rank);
    let broken = ranked
        .iter()
        .filter(|(file, rank)| *rank < FIRST_UNCERTAIN_RANK && is_broken(file));
    let broken: Vec<_> = broken.copied().collect();
    // A variant such as `en_GB` is a translation of another English file, of a template, or of the file without a language.
    // `en_US` with few texts is a variant itself.
    if let Some(&(american, AMERICAN_RANK)) = named.first() {
        let mut variants = named.iter().filter(|named| is_variant(named));
        if variants.any(|(file, _)| has_few_texts_of(american, file, contents)) {
            named.remove(0);
        }
    }
    if unnamed.is_some() || !named.iter().chain(&broken).all(is_variant) {
        named.retain(|named| !is_variant(named));
    }
    let named: Vec<&TreeFile> = named.into_iter().map(|(file, _)| file).collect();
    if let Some(file) = first_that_is_translated(&named, members, contents) {
        return Some(file);
    }
    if let Some((file, _)) = broken.first() {
        let paths = broken.iter().map(|(file, _)| file.path.clone());
        contents.always_reported.extend(paths);
        return Some(file);
    }
    if unnamed.is_some() {
        return unnamed;
    }
    let sure = if in_locale_folder { 2 } else { 3 };
    (members.len() >= sure)
        .then(|| widest(members, contents))
        .flatten()
}

/// Whether a file has at most a fifth of the texts of another one, and no others.
fn has_few_texts_of(few: &TreeFile, all: &TreeFile, contents: &mut ContentCache<'_>) -> bool {
    let [few, all] = [few, all].map(|file| contents.of(file));
    few.zip(all).is_some_and(|(few, all)| {
        few.keys.len() * 5 <= all.keys.len() && few.keys.is_subset(&all.keys)
    })
}

/// The first file but those that only change texts of another one: it has all their keys, and of the keys that translations have,
/// at least as many that they lack as they have.
fn first_that_is_translated<'f>(
    files: &[&'f TreeFile],
    members: &[Member<'f>],
    contents: &mut ContentCache<'_>,
) -> Option<&'f TreeFile> {
    let (first, others) = files.split_first()?;
    if others.is_empty() {
        return Some(first);
    }
    let candidates = files
        .iter()
        .filter_map(|file| Some((*file, contents.of(file)?)));
    let candidates: Vec<_> = candidates.collect();
    let is_candidate = |file: &TreeFile| files.iter().any(|other| other.path == file.path);
    let translations = members.iter().map(|(file, _)| *file);
    let translations = translations.filter(|file| !is_candidate(file)).take(SAMPLE);
    let mut translated: HashSet<u64> = HashSet::new();
    for file in translations {
        translated.extend(contents.of(file).iter().flat_map(|content| &content.keys));
    }
    let is_variant_of = |variant: &FileContent, full: &FileContent| {
        let counts = |key: &&u64| translated.is_empty() || translated.contains(*key);
        let has = variant.keys.iter().filter(counts).count();
        let lacks = full.keys.difference(&variant.keys).filter(counts).count();
        lacks > 0 && lacks >= has && variant.keys.is_subset(&full.keys)
    };
    let is_variant = |content: &FileContent| {
        let mut others = candidates.iter().map(|(_, other)| other);
        others.any(|other| is_variant_of(content, other))
    };
    let mut full = candidates
        .iter()
        .filter(|(_, content)| !is_variant(content));
    full.next().map(|(file, _)| *file)
}

/// Whether programs use the texts of a file without a language where a translation lacks them, as Android, Java and .NET do.
fn is_base(file: &TreeFile) -> bool {
    let format = extension(&file.path).and_then(FileFormat::with_extension);
    format.is_some_and(|format| {
        format.shape().has_template() && format.base_file() == BaseFile::WithoutLanguage
    })
}

/// A template in another folder, for files of which none is named like one: the file with the same name but for the language
/// whose keys cover most of theirs. Programs keep the texts that they always need apart from translations.
pub(super) fn elsewhere<'f>(
    mask: &str,
    members: &[Member<'f>],
    files: &FileLookup<'f>,
    is_free: &dyn Fn(&TreeFile) -> bool,
    contents: &mut ContentCache<'_>,
) -> Option<&'f TreeFile> {
    let (before, after) = mask.rsplit_once('*')?;
    let before = before.rsplit('/').next().unwrap_or(before);
    let is_named = |(_, code): &Member<'_>| template_rank(code).is_some();
    if members.len() < 2 || members.iter().any(is_named) {
        return None;
    }
    let found = files.templates(before, after).iter().copied();
    let found: Vec<_> = found.filter(|file| is_free(file)).take(SAMPLE).collect();
    if found.is_empty() {
        return None;
    }
    let read: Vec<&TreeFile> = members.iter().take(SAMPLE).map(|(file, _)| *file).collect();
    let all: usize = read
        .iter()
        .filter_map(|file| Some(contents.of(file)?.keys.len()))
        .sum();
    let mut best = None;
    for template in found {
        let Some(keys) = contents.of(template).map(|content| content.keys.clone()) else {
            continue;
        };
        let covered = |file: &&TreeFile| {
            contents
                .of(file)
                .map(|content| content.keys.intersection(&keys).count())
        };
        let shared: usize = read.iter().filter_map(covered).sum();
        // Ties go to the first file.
        if shared > 0 && shared * 10 >= all * 8 && best.is_none_or(|(most, _)| shared > most) {
            best = Some((shared, template));
        }
    }
    best.map(|(_, template)| template)
}

/// Leaves out components whose template is a guess, if their source texts are in an interface file, or would be in the
/// directory that has those of the other files.
pub(super) fn drop_unlikely_guesses(
    found: &mut Vec<DetectedComponent>,
    files: &FileLookup<'_>,
    contents: &mut ContentCache<'_>,
) {
    // How many components have a template with a code, or a guess, by the directories of languages and the ending.
    let mut certain: BTreeMap<_, BTreeMap<String, usize>> = BTreeMap::new();
    let mut guessed: BTreeMap<_, usize> = BTreeMap::new();
    for component in &*found {
        let mask = &component.filemask;
        let Some((folders, code)) = language_folder(mask).zip(mask.matches(&component.template))
        else {
            continue;
        };
        if component.is_template_guessed {
            *guessed.entry(folders).or_default() += 1;
        } else {
            let codes = certain.entry(folders).or_default();
            *codes.entry(code.to_owned()).or_default() += 1;
        }
    }
    found.retain(|component| {
        let mask = &component.filemask;
        if !component.is_template_guessed {
            return true;
        }
        let missing = || {
            let folders = language_folder(mask)?;
            let most = certain.get(&folders)?.iter().max_by_key(|(_, count)| **count);
            let (code, _) = most.filter(|(_, count)| guessed.get(&folders) <= Some(count))?;
            let path = mask.with_code(code);
            Some(format!(
                "left out: {path} has no texts, and other files have their source texts there; if {} has them, set the file mask \
                 and the template",
                component.template
            ))
        };
        let of_interface = interface_file(mask.as_str(), files);
        let of_interface = of_interface.map(|path| {
            format!("left out: its source texts are in {path}, a format that is not supported")
        });
        let reason = of_interface.or_else(missing);
        let is_likely = reason.is_none();
        if let Some(reason) = reason {
            contents.leave_out(mask.as_str().to_owned(), reason);
        }
        is_likely
    });
}

/// The directories of languages that a mask has its files in, at any depth, and their ending; `None` if the language is in
/// the name of a file.
fn language_folder(mask: &FileMask) -> Option<(String, &'static str)> {
    let (before, after) = mask.as_str().split_once('*')?;
    let (rest, _) = after.split_once('/')?;
    Some(([before, "*", rest].concat(), extension(after)?))
}

/// The interface file with the texts of a strings file of Apple: `Base.lproj/A.xib` for `*.lproj/A.strings`.
fn interface_file(mask: &str, files: &FileLookup<'_>) -> Option<String> {
    let (folder, name) = mask.split_once("*.lproj/")?;
    let name = name.strip_suffix(".strings")?;
    let paths = ["Base", "en"].into_iter().flat_map(|language| {
        let path = format!("{folder}{language}.lproj/{name}");
        ["xib", "storyboard"].map(|ending| format!("{path}.{ending}"))
    });
    let mut paths = paths.filter(|path| files.get(path).is_some());
    paths.next()
}

/// The template that a file of settings names: of ARB files `l10n.yaml`, of a browser extension its manifest, of inlang the
/// settings of the project.
pub(super) fn of_settings<'f>(
    mask: &str,
    members: &[Member<'f>],
    files: &FileLookup<'_>,
    contents: &mut ContentCache<'_>,
) -> Option<&'f TreeFile> {
    of_flutter(members, files, contents)
        .or_else(|| of_extension(mask, members, files, contents))
        .or_else(|| of_inlang(mask, members, files, contents))
}

/// The file of the base language of an inlang project, of which the mask is a pattern.
fn of_inlang<'f>(
    mask: &str,
    members: &[Member<'f>],
    files: &FileLookup<'_>,
    contents: &mut ContentCache<'_>,
) -> Option<&'f TreeFile> {
    let settings = inlang::of(mask, files, contents)?;
    let (template, _) = members.iter().find(|(_, code)| **code == settings.base)?;
    contents
        .has_text_or_is_broken(template)
        .then_some(*template)
}

/// The language that the manifest of a browser extension, next to its directory `_locales`, names as `default_locale`: its
/// file has every message.
fn of_extension<'f>(
    mask: &str,
    members: &[Member<'f>],
    files: &FileLookup<'_>,
    contents: &mut ContentCache<'_>,
) -> Option<&'f TreeFile> {
    let (folder, _) = mask.split_once("_locales/*/")?;
    let manifests = [
        ("manifest.json", FileFormat::Jsonc),
        ("manifest.yml", FileFormat::Yaml),
    ];
    let (file, format) = manifests
        .into_iter()
        .find_map(|(name, format)| Some((files.get(&format!("{folder}{name}"))?, format)))?;
    let bytes = contents.bytes(file, MAX_MANIFEST)?;
    let mut locale = None;
    let read = read_file(format, &bytes, &mut |entry| {
        if entry.context.trim_start_matches('.') == "default_locale" {
            locale = Some(entry.text.to_owned());
        }
    });
    let locale = locale.filter(|_| read.is_ok())?;
    let (template, _) = members.iter().find(|(_, code)| **code == locale)?;
    contents
        .has_text_or_is_broken(template)
        .then_some(*template)
}

/// The template that the nearest `l10n.yaml` of ARB files names.
fn of_flutter<'f>(
    members: &[Member<'f>],
    files: &FileLookup<'_>,
    contents: &mut ContentCache<'_>,
) -> Option<&'f TreeFile> {
    let (first, _) = members.first()?;
    first.path.ends_with(".arb").then_some(())?;
    let settings = FlutterSettings::places(&first.path).find_map(|place| files.get(&place))?;
    let bytes = contents.bytes(settings, MAX_FLUTTER_SETTINGS)?;
    let folder = settings.path.rsplit_once('/').unwrap_or_default().0;
    let path = FlutterSettings::parse(&String::from_utf8_lossy(&bytes)).template(folder);
    let (template, _) = members.iter().find(|(file, _)| file.path == path)?;
    contents
        .has_text_or_is_broken(template)
        .then_some(*template)
}

/// The file whose keys cover most keys of the others; `None` if none covers 80 %.
fn widest<'f>(members: &[Member<'f>], contents: &mut ContentCache<'_>) -> Option<&'f TreeFile> {
    let code_of = |file: &TreeFile| {
        let member = members.iter().find(|(member, _)| member.path == file.path);
        member.map(|(_, code)| *code)
    };
    let sample = members.iter().take(SAMPLE);
    let read = sample.filter_map(|(file, _)| Some((*file, contents.of(file)?)));
    let read: Vec<_> = read.filter(|(_, content)| content.has_text).collect();
    let covered = |at: usize| {
        let keys = &read[at].1.keys;
        let others = read.iter().enumerate().filter(|(other, _)| *other != at);
        let (mut all, mut shared) = (0_u64, 0_u64);
        for (_, (_, content)) in others {
            all += content.keys.len() as u64;
            shared += content.keys.intersection(keys).count() as u64;
        }
        (shared * 10 >= all * 8 && all > 0).then_some(shared * 1_000 / all.max(1))
    };
    let covering: Vec<(u64, usize)> = (0..read.len())
        .filter_map(|at| Some((covered(at)?, at)))
        .collect();
    let most = covering.iter().map(|(share, _)| *share).max()?;
    // Sources usually have two plural forms, as English has.
    let has_two_forms = |at: usize| {
        let code = read.get(at).and_then(|(file, ..)| code_of(file));
        code.is_some_and(|code| language::resolve(code).plural.forms == 2)
    };
    let full = covering.iter().filter(|(share, _)| share * 20 >= most * 19);
    // Ties go to the first file.
    let found = full.max_by_key(|&&(share, at)| (has_two_forms(at), share, Reverse(at)))?;
    read.get(found.1).map(|(file, _)| *file)
}

/// Whether the others can be translations of the template: one shares a key, or none has texts.
pub(super) fn is_translated_by<'f>(
    template: &TreeFile,
    others: impl Iterator<Item = &'f TreeFile>,
    contents: &mut ContentCache<'_>,
) -> bool {
    let Some(wanted) = contents.of(template) else {
        return false;
    };
    let mut strangers = false;
    let mut keys: Option<HashSet<u64>> = None;
    for file in others.take(SAMPLE) {
        let Some(content) = contents.of(file) else {
            continue;
        };
        // A translation can lack the parts that reveal its format.
        let is_disjoint = if content.format == wanted.format {
            content.keys.is_disjoint(&wanted.keys) && content.alternatives.is_disjoint(&wanted.keys)
        } else {
            let keys = keys.get_or_insert_with(|| contents.keys_as(template, wanted.format));
            contents.keys_as(file, wanted.format).is_disjoint(keys)
        };
        if !is_disjoint {
            return true;
        }
        strangers |= content.has_text;
    }
    !strangers
}
