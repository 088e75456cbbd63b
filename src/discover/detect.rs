//! Finds components in a tree.

use std::collections::HashSet;

use super::candidates::{self, Candidate, Member};
use super::content::{self, ContentCache};
use super::survey::Survey;
use super::template;
use super::tree_file::{ReadBlob, TreeFile};
use gitglot_model::{FileFormat, FileMask, Shape};

/// Limit on files to examine. A small repository can have a huge tree of repeated directories.
const MAX_FILES: usize = 100_000;

/// A detected component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DetectedComponent {
    /// The pattern of its files.
    pub filemask: FileMask,
    /// The path of the template; `""` for bilingual files.
    pub template: String,
    /// The format of its files.
    pub file_format: FileFormat,
    /// The path of the file that new languages start from: the POT file of PO files; `""` if there is none.
    pub new_base: String,
}

/// Detects components, ordered by mask, and reports the other files. No file is part of two components.
pub fn survey(files: &[TreeFile], read: ReadBlob<'_>) -> (Vec<DetectedComponent>, Survey) {
    let mut contents = ContentCache::new(read);
    let mut found = find_among(files, candidates::is_source, &mut contents);
    if found.is_empty() {
        // Without sources, use the files of build directories.
        found = find_among(files, candidates::is_own, &mut contents);
    }
    for component in &mut found {
        component.new_base = pot_of(component, files);
    }
    let is_used = |path: &str| {
        let mut components = found.iter();
        components.any(|it| {
            it.filemask.matches(path).is_some() || it.template == path || it.new_base == path
        })
    };
    let (mut unreadable, broken) = (contents.unreadable, contents.broken_templates);
    // Other broken files matter only if nothing was found.
    unreadable.retain(|path, _| found.is_empty() || is_used(path) || broken.contains(path));
    let survey = Survey::of(files, is_used, unreadable);
    (found, survey)
}

fn find_among(
    files: &[TreeFile],
    counts: fn(&str) -> bool,
    contents: &mut ContentCache<'_>,
) -> Vec<DetectedComponent> {
    let files: Vec<&TreeFile> = files
        .iter()
        .filter(|file| counts(&file.path))
        .take(MAX_FILES)
        .collect();
    let mut candidates = candidates::of(&files);
    // If a path fits several masks, the mask with most languages wins.
    candidates.sort_by(|a, b| {
        b.languages
            .cmp(&a.languages)
            .then_with(|| a.mask.cmp(&b.mask))
    });
    let mut taken: HashSet<&str> = HashSet::new();
    let mut found = Vec::new();
    for candidate in candidates {
        let mut paths = candidate.members.iter().map(|(file, _)| &*file.path);
        if paths.clone().all(|path| !taken.contains(path))
            && let Some(component) = component(&candidate, &files, contents)
        {
            taken.extend(&mut paths);
            found.push(component);
        }
    }
    found.sort_by(|a, b| a.filemask.as_str().cmp(b.filemask.as_str()));
    found
}

fn component(
    candidate: &Candidate,
    files: &[&TreeFile],
    contents: &mut ContentCache<'_>,
) -> Option<DetectedComponent> {
    let Candidate {
        mask,
        members,
        languages,
        in_locale_folder,
    } = candidate;
    let filemask = FileMask::new(mask).ok()?;
    if let Some(file_format) = bilingual_format(members, contents) {
        let is_sure = *languages >= 2 || *in_locale_folder;
        let is_readable = members.iter().any(|(file, _)| contents.of(file).is_some());
        return (is_sure && is_readable).then(|| DetectedComponent {
            filemask,
            template: String::new(),
            file_format,
            new_base: String::new(),
        });
    }
    let unnamed = candidates::unnamed_template(mask, files.iter().copied());
    let template = match template::of_flutter(members, files, contents) {
        Some(template) => template,
        None => template::choose(members, unnamed, *in_locale_folder, contents)?,
    };
    let file_format = format_of(template, members, contents)?;
    if *languages < 2 && !in_locale_folder && unnamed.is_none() {
        return None;
    }
    let others = members
        .iter()
        .map(|(file, _)| *file)
        .filter(|file| file.path != template.path);
    template::is_translated_by(template, others, contents).then(|| DetectedComponent {
        filemask,
        template: template.path.clone(),
        file_format,
        new_base: String::new(),
    })
}

/// The format of files that have their own source texts, and so no template: that of the first one that can be read,
/// else by their ending.
pub(super) fn bilingual_format(
    members: &[Member<'_>],
    contents: &mut ContentCache<'_>,
) -> Option<FileFormat> {
    let (first, _) = members.first()?;
    let extension = candidates::extension(&first.path)?;
    let mut formats = FileFormat::ALL.into_iter();
    let format = formats
        .find(|it| it.shape() == Shape::Bilingual && content::has_extension(*it, extension))?;
    let mut read = members
        .iter()
        .take(template::SAMPLE)
        .filter_map(|(file, _)| Some(contents.of(file)?.format));
    Some(read.next().unwrap_or(format))
}

/// The POT file of a component of PO files: in the folder of its files or, if languages are folders, next to them. Of
/// several, the one with the name of the files.
fn pot_of(component: &DetectedComponent, files: &[TreeFile]) -> String {
    if component.file_format != FileFormat::Po {
        return String::new();
    }
    let mask = component.filemask.as_str();
    let (before, after) = mask.split_once('*').unwrap_or((mask, ""));
    let folder = before.rfind('/').map_or("", |end| &before[..=end]);
    let name = match after.rsplit_once('/') {
        Some((_, name)) => name,
        None => before.strip_prefix(folder).unwrap_or_default(),
    };
    let name = candidates::stem(name).unwrap_or(name);
    let name = name.trim_end_matches(['-', '_', '.']);
    let pots = files.iter().filter_map(|file| {
        let stem = file.path.strip_prefix(folder)?.strip_suffix(".pot")?;
        (!stem.contains('/')).then_some((stem, &file.path))
    });
    let pots: Vec<_> = pots.take(template::SAMPLE).collect();
    let named = pots.iter().find(|(stem, _)| *stem == name);
    let only = || pots.first().filter(|_| pots.len() == 1);
    named
        .or_else(only)
        .map_or_else(String::new, |(_, path)| (*path).clone())
}

/// The format of a template. Its encoding may show only in a translation.
pub(super) fn format_of(
    template: &TreeFile,
    members: &[Member<'_>],
    contents: &mut ContentCache<'_>,
) -> Option<FileFormat> {
    let format = contents.of(template)?.format;
    if format != FileFormat::Properties {
        return Some(format);
    }
    let mut formats = members
        .iter()
        .take(template::SAMPLE)
        .filter_map(|(file, _)| Some(contents.of(file)?.format));
    Some(
        formats
            .find(|format| *format == FileFormat::PropertiesUtf8)
            .unwrap_or(format),
    )
}
