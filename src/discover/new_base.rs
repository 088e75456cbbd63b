//! Finds the file that new languages of bilingual files start from.

use super::candidates;
use super::template;
use super::tree_file::TreeFile;
use gitglot_model::{BaseFile, FileFormat, FileMask, R_DOMAIN};

/// The path of the file that new languages of a component start from; `""` if there is none.
pub(super) fn of(mask: &FileMask, format: FileFormat, files: &[TreeFile]) -> String {
    let mask = mask.as_str();
    let found = match format.base_file() {
        BaseFile::Pot => pot(mask, files),
        BaseFile::WithoutLanguage if format.shape().has_template() => None,
        BaseFile::WithoutLanguage => without_language(mask, files),
        BaseFile::None => None,
    };
    found.unwrap_or_default().to_owned()
}

/// As of Angular and Qt: `messages.xlf` for `messages.*.xlf`, also in the nearest folder above. As of TYPO3:
/// `locallang.xlf` for `*.locallang.xlf`.
fn without_language<'f>(mask: &str, files: &'f [TreeFile]) -> Option<&'f str> {
    if let Some(file) = candidates::unnamed_template(mask, files.iter()) {
        return Some(&file.path);
    }
    let (before, ending) = mask.rsplit_once('*')?;
    let (folder, name) = split(before);
    let name = name.trim_end_matches(['-', '_', '.']);
    if name.is_empty() {
        let path = format!("{folder}{}", ending.strip_prefix('.')?);
        let found = files.iter().find(|file| file.path == path);
        return found.map(|file| &*file.path);
    }
    let is_ending = candidates::extension(ending) == Some(ending);
    let name = is_ending.then(|| format!("{name}{ending}"))?;
    nearest(files, |own, other| {
        folder.starts_with(own) && *other == name
    })
}

/// The POT file of PO files: in the folder of the languages, or in a folder `templates` there. Of several, the one with the
/// name of the files. Else the one with that name in the nearest folder above, or, without a name, the only one there; else the
/// only one with the name.
fn pot<'f>(mask: &str, files: &'f [TreeFile]) -> Option<&'f str> {
    let (folder, _) = split(mask.split('*').next().unwrap_or(mask));
    let (_, name) = split(mask);
    let name = name.split('*').next().unwrap_or(name);
    let name = candidates::stem(name).unwrap_or(name);
    let is_of_r = name.starts_with(R_DOMAIN);
    let name = name.trim_end_matches(['-', '_', '.']);
    let stems = files.iter().filter_map(|file| {
        let stem = file.path.strip_suffix(".pot")?;
        // The texts of R code of a package are apart: `R-package.pot` for `R-*.po`.
        let is_own = split(stem).1.starts_with(R_DOMAIN) == is_of_r;
        is_own.then_some((stem, &*file.path))
    });
    let stems: Vec<_> = stems.collect();
    let here = stems.iter().filter_map(|(stem, path)| {
        let stem = stem.strip_prefix(folder)?;
        let stem = stem.strip_prefix("templates/").unwrap_or(stem);
        (!stem.contains('/')).then_some((stem, *path))
    });
    let here: Vec<_> = here.take(template::SAMPLE).collect();
    let is_named = |stem: &str| {
        let rest = stem.strip_prefix(name).filter(|_| !name.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let named = here.iter().find(|(stem, _)| *stem == name);
    let named = named.or_else(|| here.iter().find(|(stem, _)| is_named(stem)));
    if let Some((_, path)) = named.or_else(|| only(&here)) {
        return Some(path);
    }
    let is_pot = |file: &str| match file.strip_suffix(".pot") {
        Some(stem) => name.is_empty() || stem == name,
        None => false,
    };
    nearest(files, |own, other| folder.starts_with(own) && is_pot(other)).or_else(|| {
        let same: Vec<_> = stems
            .iter()
            .filter(|(stem, _)| !name.is_empty() && split(stem).1 == name)
            .collect();
        only(&same).map(|(_, path)| *path)
    })
}

/// The only one of several.
fn only<T>(all: &[T]) -> Option<&T> {
    match all {
        [one] => Some(one),
        _ => None,
    }
}

/// A path as its directories, with the last slash, and its name.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |end| end + 1))
}

/// The only file that fits, by its directories and name, in the lowest directory with such a file.
fn nearest(files: &[TreeFile], fits: impl Fn(&str, &str) -> bool) -> Option<&str> {
    let fitting = files.iter().map(|file| (split(&file.path).0, &*file.path));
    let fitting = fitting.filter(|(folder, path)| fits(folder, &path[folder.len()..]));
    let mut lowest: Vec<(&str, &str)> = Vec::new();
    for (folder, path) in fitting {
        let current = lowest.first().map_or(0, |(lowest, _)| lowest.len());
        if folder.len() > current {
            lowest.clear();
        }
        if folder.len() >= current {
            lowest.push((folder, path));
        }
    }
    only(&lowest).map(|(_, path)| *path)
}
