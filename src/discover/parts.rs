//! Detects files with several languages: each is a component.

use std::collections::BTreeMap;

use super::candidates::extension;
use super::component::DetectedComponent;
use super::content::ContentCache;
use super::tree_file::TreeFile;
use gitglot_formats::{FileParts, MAX_BYTES, read_file, split};
use gitglot_model::{FileFormat, FileMask, TableColumns, is_english, language};

/// The format of a file whose ending only formats with several languages in a file have.
pub(super) fn format_of(path: &str) -> Option<FileFormat> {
    FileFormat::with_extension(extension(path)?).filter(|format| format.has_parts())
}

/// The components of files, as [`component`] or [`map`] finds them, which have one source language: that of most.
pub(super) fn components<'f>(
    files: impl Iterator<Item = &'f TreeFile>,
    component_of: fn(&TreeFile, &mut ContentCache<'_>) -> Option<DetectedComponent>,
    contents: &mut ContentCache<'_>,
) -> Vec<DetectedComponent> {
    let found: Vec<_> = files
        .filter_map(|file| component_of(file, contents))
        .collect();
    let code = |component: &DetectedComponent| {
        let written = component.source_language.as_deref().unwrap_or("en");
        language::resolve(written).code
    };
    let mut counts = BTreeMap::new();
    for component in &found {
        *counts.entry(code(component)).or_insert(0) += 1;
    }
    let most = counts.iter().max_by_key(|&(_, &count)| count);
    let Some(most) = most.map(|(code, _)| code.clone()) else {
        return Vec::new();
    };
    let (of_project, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|component| code(component) == most);
    for other in others {
        let reason = format!(
            "left out: its source language is {}, that of the others is {most}; give it a project of its own",
            code(&other)
        );
        contents.leave_out(other.template, reason);
    }
    of_project
}

/// The component of a file whose ending only formats with several languages in a file have.
pub(super) fn component(
    file: &TreeFile,
    contents: &mut ContentCache<'_>,
) -> Option<DetectedComponent> {
    let format = format_of(&file.path)?;
    let filemask = FileMask::new(&file.path).ok()?;
    let bytes = contents.bytes(file, MAX_BYTES)?;
    let found = match split(format, &TableColumns::default(), &bytes) {
        Ok(found) => found,
        // Most tables are no translations.
        Err(_) if format == FileFormat::CsvColumns => return None,
        Err(error) => {
            contents.leave_out(file.path.clone(), error.to_string());
            let broken = DetectedComponent::new(filemask, file.path.clone(), format);
            contents.broken_tables.push(broken);
            return None;
        }
    };
    if format == FileFormat::CsvColumns && !is_translated(&found) {
        return None;
    }
    if found.parts.len() < 2 {
        let reason = "left out: it has only the source language".to_owned();
        contents.leave_out(file.path.clone(), reason);
        return None;
    }
    Some(DetectedComponent {
        source_language: found.source_language,
        ..DetectedComponent::new(filemask, file.path.clone(), format)
    })
}

/// The formats of a file with a text for each language below each key, and of its texts by their places.
fn formats_of_map(path: &str) -> Option<(FileFormat, FileFormat)> {
    let extension = extension(path)?;
    let maps = [
        (FileFormat::JsonLanguages, FileFormat::Json),
        (FileFormat::YamlLanguages, FileFormat::Yaml),
        (FileFormat::ModuleLanguages, FileFormat::JavaScript),
    ];
    let mut maps = maps.into_iter();
    maps.find(|(format, _)| format.has_extension(extension))
}

/// Whether a file can be such a map, by its extension.
pub(super) fn may_be_map(path: &str) -> bool {
    formats_of_map(path).is_some()
}

/// The component of a file with a text for each language below each key, which only its content shows.
pub(super) fn map(file: &TreeFile, contents: &mut ContentCache<'_>) -> Option<DetectedComponent> {
    let (format, plain) = formats_of_map(&file.path)?;
    let filemask = FileMask::new(&file.path).ok()?;
    let bytes = contents.bytes(file, MAX_BYTES)?;
    // Other files are no such maps.
    let found = split(format, &TableColumns::default(), &bytes).ok()?;
    let parts = found.parts.iter();
    let counts = parts.map(|part| texts(format, &part.pieces.concat()));
    let counts: Vec<usize> = counts.collect();
    let (of_languages, all) = (counts.iter().sum::<usize>(), texts(plain, &bytes));
    let languages = counts.iter().filter(|&&count| count > 0).count();
    // The source texts have an entry for each string, and begin with a piece of their own.
    let source = found.parts.first();
    let strings = source.map_or(0, |part| part.pieces.len().saturating_sub(1));
    if of_languages * 2 <= all || strings < 2 {
        return None;
    }
    let has_english = found.source_language.as_deref().is_some_and(is_english);
    let reason = if of_languages < all {
        format!(
            "left out: of its {all} texts, {} have no code of a language above them; to read the others, set the format {}",
            all - of_languages,
            format.name()
        )
    } else if found.is_by_language && strings < languages {
        // Names of languages, flags and the like.
        format!(
            "left out: it has {languages} languages and only {strings} texts in each; if they are translations, set the format {}",
            format.name()
        )
    } else if languages < 2 {
        "left out: it has only one language".to_owned()
    } else if languages < 3 && !has_english {
        "left out: it has two languages and no English".to_owned()
    } else {
        return Some(DetectedComponent {
            source_language: found.source_language,
            ..DetectedComponent::new(filemask, file.path.clone(), format)
        });
    };
    contents.leave_out(file.path.clone(), reason);
    None
}

/// The number of texts of a file or part that are not empty. Names that begin with `_` are for programs.
fn texts(format: FileFormat, bytes: &[u8]) -> usize {
    let mut count = 0;
    let read = read_file(format, bytes, &mut |entry| {
        let is_named = !entry.context.trim_start_matches('.').starts_with('_');
        count += usize::from(is_named && !entry.text.is_empty());
    });
    read.map_or(0, |()| count)
}

/// Whether a table has translations: codes of languages, such as `no` and `it`, are words, too.
fn is_translated(table: &FileParts) -> bool {
    let source = table.source_language.as_deref().unwrap_or_default();
    // Each part begins with a piece of its own.
    let has_texts = table.parts.iter().skip(1).any(|part| part.pieces.len() > 1);
    has_texts && (is_english(source) || table.parts.len() > 2)
}
