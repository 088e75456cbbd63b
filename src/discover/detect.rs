//! Finds components in a tree.

use std::collections::HashSet;
use std::rc::Rc;

use super::candidates::{self, Candidate, Member};
use super::codes::template_rank;
use super::component::DetectedComponent;
use super::content::{ContentCache, FileContent};
use super::linguas::Linguas;
use super::mask_index::MaskIndex;
use super::other_files::OtherFiles;
use super::tree_file::{FileLookup, MAX_FILES, ReadBlob, TreeFile};
use super::{documents, groups, inlang, new_base, parts, template};
use gitglot_model::{DOCUMENTATION, FileFormat, FileMask};

/// What a candidate is.
enum Outcome {
    Component(DetectedComponent),
    /// A component whose texts cannot be compared, because its template does not parse, or none of its bilingual files.
    Broken(DetectedComponent),
    /// No component, for this reason.
    LeftOut(String),
}

/// Detects components, ordered by mask, and reports the other files. No file is part of two components.
pub fn detect_components(
    files: &[TreeFile],
    read: ReadBlob<'_>,
) -> (Vec<DetectedComponent>, OtherFiles) {
    let mut contents = ContentCache::new(read);
    let listed = Linguas::read(files, &mut contents);
    let lookup = FileLookup::new(files);
    let mut among = find_among(
        files,
        &lookup,
        candidates::is_source,
        &listed,
        &mut contents,
    );
    if among.components.is_empty() {
        // Without sources, use the files of build directories.
        among = find_among(files, &lookup, candidates::is_own, &listed, &mut contents);
    }
    let Found {
        components: mut found,
        mut broken,
        left_out,
    } = among;
    broken.append(&mut contents.broken_tables);
    broken.sort_by(|a, b| a.filemask.as_str().cmp(b.filemask.as_str()));
    broken.dedup();
    for (mask, reason) in left_out {
        contents.leave_out(mask, reason);
    }
    groups::add_plurals(&mut found, files);
    found.extend(groups::components(files, &mut contents));
    found.extend(documents::components(files, &mut contents));
    template::drop_unlikely_guesses(&mut found, &lookup, &mut contents);
    for component in found.iter_mut().chain(&mut broken) {
        component.new_base = new_base::of(&component.filemask, component.file_format, &lookup);
    }
    found.sort_by(|a, b| a.filemask.as_str().cmp(b.filemask.as_str()));
    let masks = MaskIndex::new(found.iter().map(|component| &component.filemask));
    let named = found
        .iter()
        .flat_map(|component| [&*component.template, &*component.new_base]);
    let named: HashSet<&str> = named.collect();
    let is_used = |path: &str| named.contains(path) || !masks.matching(path).is_empty();
    let (mut unreadable, reported) = (contents.unreadable, contents.always_reported);
    // Other broken files matter only if nothing was found.
    unreadable.retain(|path, _| found.is_empty() || is_used(path) || reported.contains(path));
    let other_files = OtherFiles {
        broken,
        ..OtherFiles::of(files, is_used, unreadable)
    };
    (found, other_files)
}

/// What some files are.
struct Found {
    components: Vec<DetectedComponent>,
    /// See [`Outcome::Broken`].
    broken: Vec<DetectedComponent>,
    /// The masks that are left out, with the reason.
    left_out: Vec<(String, String)>,
}

/// The components of some files.
fn find_among<'f>(
    files: &'f [TreeFile],
    lookup: &FileLookup<'f>,
    counts: fn(&str) -> bool,
    listed: &Linguas<'_>,
    contents: &mut ContentCache<'_>,
) -> Found {
    let maps = files
        .iter()
        .filter(|file| parts::may_be_map(&file.path) && candidates::may_have_languages(&file.path))
        .take(MAX_FILES);
    let files = files
        .iter()
        .filter(|file| counts(&file.path) || candidates::is_own_table(&file.path))
        .take(MAX_FILES);
    let is_whole = |file: &&TreeFile| parts::format_of(&file.path).is_some();
    let (whole, files): (Vec<&TreeFile>, Vec<&TreeFile>) = files.partition(is_whole);
    let mut candidates = candidates::of(&files, &|folder, code| listed.has(folder, code));
    // If a path fits several masks, the mask with most languages wins, then the one with least other files.
    candidates.sort_by(|a, b| {
        let by_languages = b.languages.cmp(&a.languages);
        by_languages
            .then_with(|| a.members.len().cmp(&b.members.len()))
            .then_with(|| a.mask.cmp(&b.mask))
    });
    let mut taken: HashSet<&str> = HashSet::new();
    let mut found = parts::components(whole.into_iter(), parts::component, contents);
    let (mut broken, mut left_out) = (Vec::new(), Vec::new());
    for candidate in candidates {
        if candidate.is_among(&taken) {
            continue;
        }
        match outcome(&candidate, lookup, counts, &taken, contents) {
            Some(Outcome::Component(component)) => {
                taken.extend(candidate.members.iter().map(|(file, _)| &*file.path));
                // A template in another folder is no component of its own.
                taken.extend(lookup.get(&component.template).map(|file| &*file.path));
                found.push(component);
            }
            Some(Outcome::Broken(component)) => broken.push((candidate, component)),
            Some(Outcome::LeftOut(reason)) => left_out.push((candidate, reason)),
            None => {}
        }
    }
    let maps = maps.filter(|file| !taken.contains(&*file.path));
    let maps = parts::components(maps, parts::map, contents);
    taken.extend(maps.iter().map(|map| map.filemask.as_str()));
    // A later candidate can have the same files, and a file can have all languages.
    left_out.retain(|(candidate, _)| !candidate.is_among(&taken));
    let left_out = left_out.into_iter();
    let left_out = left_out.map(|(candidate, reason)| (candidate.mask, reason));
    let left_out = left_out.collect();
    broken.retain(|(candidate, _): &(Candidate<'_>, _)| {
        let is_free = !candidate.is_among(&taken);
        if is_free {
            taken.extend(candidate.members.iter().map(|(file, _)| &*file.path));
        }
        is_free
    });
    found.extend(maps);
    Found {
        components: found,
        broken: broken.into_iter().map(|(_, component)| component).collect(),
        left_out,
    }
}

/// Examines a candidate. `None` if it is no component, which no message says.
fn outcome<'f>(
    candidate: &Candidate<'f>,
    lookup: &FileLookup<'f>,
    counts: fn(&str) -> bool,
    taken: &HashSet<&str>,
    contents: &mut ContentCache<'_>,
) -> Option<Outcome> {
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
        let component = DetectedComponent::new(filemask, String::new(), file_format);
        if !is_sure {
            return None;
        }
        if is_readable {
            return Some(Outcome::Component(component));
        }
        if candidates::is_of_generator(mask) {
            return None;
        }
        let files = members.iter().map(|(file, _)| *file);
        let broken: Vec<&TreeFile> = files.filter(|file| contents.is_broken(file)).collect();
        let paths = broken.iter().map(|file| file.path.clone());
        contents.always_reported.extend(paths);
        return (!broken.is_empty()).then_some(Outcome::Broken(component));
    }
    let unnamed = candidates::unnamed_template(mask, lookup);
    let unnamed = unnamed.filter(|file| counts(&file.path)).or_else(|| {
        let is_free = |file: &TreeFile| counts(&file.path) && !taken.contains(&*file.path);
        template::elsewhere(mask, members, lookup, &is_free, contents)
    });
    let of_settings = template::of_settings(mask, members, lookup, contents);
    let template = match of_settings {
        Some(template) => template,
        None => template::choose(members, unnamed, *in_locale_folder, contents)?,
    };
    let file_format = format_of(template, members, mask, lookup, contents);
    let is_named = inlang::of(mask, lookup, contents).is_some();
    if *languages < 2 && !in_locale_folder && unnamed.is_none() && !is_named {
        return None;
    }
    let files = members.iter().map(|(file, _)| *file);
    let mut others = files.filter(|file| file.path != template.path);
    let Some(file_format) = file_format else {
        // Other files than translations can be broken, too, as tests of parsers and what makes files of other programs.
        let is_sure = (*languages >= 2 || unnamed.is_some()) && !candidates::is_of_generator(mask);
        if !(is_sure && contents.is_broken(template)) {
            return None;
        }
        let by_ending = FileFormat::with_extension(candidates::extension(mask)?)
            .filter(|format| *in_locale_folder && !format.is_among_code());
        let readable = others.find(|file| contents.of(file).is_some());
        let format = readable.and_then(|file| format_of(file, members, mask, lookup, contents));
        let file_format = format.or(by_ending)?;
        let path = template.path.clone();
        let component = DetectedComponent::new(filemask, path, file_format);
        return Some(Outcome::Broken(component));
    };
    if template::is_translated_by(template, others, contents) {
        let path = template.path.clone();
        return Some(Outcome::Component(DetectedComponent {
            is_template_guessed: of_settings.is_none() && template::is_guess(&filemask, &path),
            ..DetectedComponent::new(filemask, path, file_format)
        }));
    }
    (*languages >= 2 && *in_locale_folder).then(|| {
        Outcome::LeftOut(format!(
            "left out: no other file that was compared has a string of {}; if it is the template, set --filemask",
            template.path
        ))
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
    let mut all = FileFormat::ALL
        .into_iter()
        .filter(|format| format.has_extension(extension));
    let mut formats = all.clone();
    let format = formats.find(|format| !format.shape().has_template())?;
    // Other formats with this ending may have a template. Each PO file is taken for one with its own source texts.
    let is_sure = all.all(|format| !format.shape().has_template() || format.is_gettext());
    let sample = members.iter().take(template::SAMPLE);
    let mut read = sample.filter_map(|(file, _)| contents.of(file));
    let first = read.next();
    let has_english = members
        .iter()
        .any(|(_, code)| template_rank(code).is_some());
    let of_sources = first
        .as_ref()
        .and_then(|content| content.format.with_sources_as_keys());
    let has_sources = |content: &Rc<FileContent>| {
        content.has_sources_as_keys && content.format.with_sources_as_keys() == of_sources
    };
    // Only keys without an English file can be sources. Otherwise the other files need not be read.
    let may_be_sources = !has_english && of_sources.is_some();
    if may_be_sources && first.iter().all(has_sources) && read.all(|content| has_sources(&content))
    {
        return of_sources;
    }
    let found = first
        .map(|content| content.format)
        .or(is_sure.then_some(format))?;
    (!found.shape().has_template()).then_some(found)
}

/// The format of a component as its template shows it, or a translation if the template does not parse. The encoding
/// of a template may show only in a translation, and messages of inlang and MediaWiki can look like any JSON.
pub(super) fn format_of(
    template: &TreeFile,
    members: &[Member<'_>],
    mask: &str,
    files: &FileLookup<'_>,
    contents: &mut ContentCache<'_>,
) -> Option<FileFormat> {
    let format = contents.of(template)?.format;
    let has_messages =
        |contents| inlang::of(mask, files, contents).is_some_and(|project| project.has_messages);
    if format == FileFormat::Json && has_messages(contents) {
        return Some(FileFormat::Inlang);
    }
    // Translators' tools write the metadata, so that a template can have none.
    let documentation = files.get(&mask.replace('*', DOCUMENTATION));
    let is_banana = |file| {
        contents
            .of(file)
            .is_some_and(|content| content.format == FileFormat::Banana)
    };
    if format == FileFormat::Json && documentation.is_some_and(is_banana) {
        return Some(FileFormat::Banana);
    }
    if format != FileFormat::Properties {
        return Some(format);
    }
    let sample = members.iter().take(template::SAMPLE);
    let mut formats = sample.filter_map(|(file, _)| Some(contents.of(file)?.format));
    let other = formats.find(|format| *format == FileFormat::PropertiesUtf8);
    other.or(Some(format))
}
