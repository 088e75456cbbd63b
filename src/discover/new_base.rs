//! Finds the file that new languages of bilingual files start from.

use super::tree_file::{FileLookup, folders_above, split};
use super::{candidates, template};
use gitglot_model::{BaseFile, FileFormat, FileMask, R_DOMAIN};

/// The path of the file that new languages of a component start from; `""` if there is none.
pub(super) fn of(mask: &FileMask, format: FileFormat, files: &FileLookup<'_>) -> String {
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
fn without_language<'f>(mask: &str, files: &FileLookup<'f>) -> Option<&'f str> {
    if let Some(file) = candidates::unnamed_template(mask, files) {
        return Some(&file.path);
    }
    let (before, ending) = mask.rsplit_once('*')?;
    let (folder, name) = split(before);
    let name = name.trim_end_matches(['-', '_', '.']);
    if name.is_empty() {
        let path = format!("{folder}{}", ending.strip_prefix('.')?);
        return files.get(&path).map(|file| &*file.path);
    }
    let is_ending = candidates::extension(ending) == Some(ending);
    let name = is_ending.then(|| format!("{name}{ending}"))?;
    folders_above(folder)
        .find_map(|folder| files.get(&format!("{folder}{name}")))
        .map(|file| &*file.path)
}

/// The POT file of PO files: in the folder of the languages, or in a folder `templates` there. Of several, the one with the
/// name of the files. Else the one with that name in the nearest folder above, or, without a name, the only one there; else the
/// only one with the name.
fn pot<'f>(mask: &str, files: &FileLookup<'f>) -> Option<&'f str> {
    let (folder, _) = split(mask.split('*').next().unwrap_or(mask));
    let (_, name) = split(mask);
    let name = name.split('*').next().unwrap_or(name);
    let name = candidates::stem(name).unwrap_or(name);
    let is_of_r = name.starts_with(R_DOMAIN);
    let name = name.trim_end_matches(['-', '_', '.']);
    let stem = |path: &'f str| split(path).1.strip_suffix(".pot").unwrap_or_default();
    // The texts of R code of a package are apart: `R-package.pot` for `R-*.po`.
    let is_own = |path: &&'f str| stem(path).starts_with(R_DOMAIN) == is_of_r;
    let path = |folder: &str| Some(&*files.get(&format!("{folder}{name}.pot"))?.path);
    let below = format!("{folder}templates/");
    let named = [folder, &below].into_iter().filter_map(path).filter(is_own);
    if let Some(named) = named.min().filter(|_| !name.is_empty()) {
        return Some(named);
    }
    let here = [folder, &below].into_iter().flat_map(|folder| {
        let pots = files.pots_in(folder).iter().copied().filter(is_own);
        pots.take(template::SAMPLE)
    });
    let mut here: Vec<&str> = here.collect();
    here.sort_unstable();
    let is_named = |path: &&&'f str| {
        let rest = stem(path).strip_prefix(name).filter(|_| !name.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    if let Some(path) = here.iter().find(is_named).or_else(|| only(&here)) {
        return Some(path);
    }
    if name.is_empty() {
        let mut pots = folders_above(folder).map(|folder| files.pots_in(folder));
        return only(pots.find(|pots| !pots.is_empty())?).copied();
    }
    let nearest = folders_above(folder).find_map(path);
    nearest.or_else(|| {
        let mut same = files.pots_named(name).iter().copied().filter(is_own);
        same.next().filter(|_| same.next().is_none())
    })
}

/// The only one of several.
fn only<T>(all: &[T]) -> Option<&T> {
    match all {
        [one] => Some(one),
        _ => None,
    }
}
