//! Detects files with several languages: each is a component.

use std::collections::BTreeMap;

use super::candidates::extension;
use super::content::ContentCache;
use super::detect::DetectedComponent;
use super::tree_file::TreeFile;
use gitglot_formats::{FileParts, MAX_BYTES, split};
use gitglot_model::{FileFormat, FileMask, language};

/// The format of a file whose ending only formats with several languages in a file have.
pub(super) fn format_of(path: &str) -> Option<FileFormat> {
    FileFormat::with_extension(extension(path)?).filter(|format| format.has_parts())
}

/// The components of these files, which have one source language: that of most.
pub(super) fn components(
    files: &[&TreeFile],
    contents: &mut ContentCache<'_>,
) -> Vec<DetectedComponent> {
    let found = files
        .iter()
        .filter_map(|file| component(file, contents))
        .collect::<Vec<_>>();
    let code = |it: &DetectedComponent| {
        let written = it.source_language.as_deref().unwrap_or("en");
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
    let (own, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|it| code(it) == most);
    for other in others {
        let reason = format!(
            "left out: its source language is {}, that of the others is {most}; give it a project of its own",
            code(&other)
        );
        contents.leave_out(other.template, reason);
    }
    own
}

fn component(file: &TreeFile, contents: &mut ContentCache<'_>) -> Option<DetectedComponent> {
    let format = format_of(&file.path)?;
    let filemask = FileMask::new(&file.path).ok()?;
    let bytes = contents.bytes(file, MAX_BYTES)?;
    let found = match split(format, &bytes) {
        Ok(found) => found,
        // Most tables are no translations.
        Err(_) if format == FileFormat::CsvColumns => return None,
        Err(error) => {
            contents.leave_out(file.path.clone(), error.to_string());
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
        filemask,
        template: file.path.clone(),
        file_format: format,
        new_base: String::new(),
        source_language: found.source_language,
    })
}

/// Whether a table has translations: codes of languages, such as `no` and `it`, are words, too.
fn is_translated(table: &FileParts) -> bool {
    let source = table.source_language.as_deref().unwrap_or_default();
    let is_english = source
        .split(['-', '_'])
        .next()
        .is_some_and(|base| base.eq_ignore_ascii_case("en"));
    // Each part begins with a piece of its own.
    let has_texts = table.parts.iter().skip(1).any(|part| part.pieces.len() > 1);
    has_texts && (is_english || table.parts.len() > 2)
}
