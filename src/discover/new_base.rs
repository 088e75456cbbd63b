//! Finds the file that new languages of bilingual files start from.

use super::candidates;
use super::template;
use super::tree_file::TreeFile;
use gitglot_model::{BaseFile, FileFormat, FileMask};

/// The path of the file that new languages of a component start from; `""` if there is none.
pub(super) fn of(mask: &FileMask, format: FileFormat, files: &[TreeFile]) -> String {
    let mask = mask.as_str();
    let found = match format.base_file() {
        BaseFile::Pot => pot(mask, files),
        // As of Angular and Qt: `messages.xlf` for `messages.*.xlf`.
        BaseFile::WithoutLanguage => {
            candidates::unnamed_template(mask, files.iter()).map(|file| &*file.path)
        }
        BaseFile::None => None,
    };
    found.unwrap_or_default().to_owned()
}

/// The POT file of PO files: in the folder of the languages, or in a folder `templates` there. Of several, the one with the
/// name of the files. Else the one with that name in the nearest folder above.
fn pot<'f>(mask: &str, files: &'f [TreeFile]) -> Option<&'f str> {
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
        let stem = stem.strip_prefix("templates/").unwrap_or(stem);
        (!stem.contains('/')).then_some((stem, &*file.path))
    });
    let pots: Vec<_> = pots.take(template::SAMPLE).collect();
    let is_named = |stem: &str| {
        let rest = stem.strip_prefix(name).filter(|_| !name.is_empty());
        // The texts of R code of a package: `R-package.pot` for `R-*.po`.
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let named = pots.iter().find(|(stem, _)| *stem == name);
    let named = named.or_else(|| pots.iter().find(|(stem, _)| is_named(stem)));
    let only = || pots.first().filter(|_| pots.len() == 1);
    match named.or_else(only) {
        Some((_, path)) => Some(path),
        None => pot_above(folder, name, files),
    }
}

/// The POT file with a name in the nearest folder above a folder.
fn pot_above<'f>(folder: &str, name: &str, files: &'f [TreeFile]) -> Option<&'f str> {
    let above = files.iter().filter_map(|file| {
        let (parent, stem) = match file.path.rfind('/') {
            Some(end) => file.path.split_at(end + 1),
            None => ("", &*file.path),
        };
        let is_named = !name.is_empty() && stem.strip_suffix(".pot") == Some(name);
        (is_named && folder.starts_with(parent)).then_some(&*file.path)
    });
    above.max_by_key(|path| path.len())
}
