//! Counts translation files by format, and finds those that no component reads, for messages.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use super::candidates;
use super::codes::Codes;
use super::component::DetectedComponent;
use super::content::UnreadableFiles;
use super::mask_index::MaskIndex;
use super::tree_file::TreeFile;
use gitglot_model::{FileFormat, FileMask, counted};

/// Endings of translation files that no format reads.
const UNSUPPORTED: [&str; 4] = [".pot", ".mo", ".csv", ".ini"];

/// Those that tools of gettext make from other files.
const MADE_FROM_PO: [&str; 2] = [".pot", ".mo"];

/// Other facts about a tree than the detected components.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OtherFiles {
    /// Number of files with a supported ending, by ending.
    pub supported: BTreeMap<&'static str, usize>,
    /// Number of these that are named after languages.
    pub named: BTreeMap<&'static str, usize>,
    /// Number of translation files in other formats, by ending.
    pub unsupported: BTreeMap<&'static str, usize>,
    /// Files that do not parse and masks that are left out, with the reason.
    pub unreadable: UnreadableFiles,
    /// The components whose texts cannot be compared, because their template does not parse, or none of their bilingual files.
    pub broken: Vec<DetectedComponent>,
}

/// Maximum number of files that a message names.
const MAX_NAMED: usize = 3;

impl OtherFiles {
    /// Counts the files of a tree. `is_used`: whether a path belongs to a component.
    pub(super) fn of(
        files: &[TreeFile],
        is_used: impl Fn(&str) -> bool,
        unreadable: UnreadableFiles,
    ) -> Self {
        let mut other_files = Self {
            unreadable,
            ..Self::default()
        };
        let format_of =
            |file: &TreeFile| FileFormat::with_extension(candidates::extension(&file.path)?);
        let is_po = |file: &&TreeFile| format_of(file).is_some_and(FileFormat::is_gettext);
        let mut codes = Codes::default();
        let has_po = files.iter().filter(is_po).any(|file| is_used(&file.path));
        for file in files {
            let extension = candidates::extension(&file.path);
            let is_used = is_used(&file.path);
            let has_ending = |ending: &&'static str| file.path.ends_with(*ending);
            if MADE_FROM_PO.iter().any(has_ending) && has_po {
                continue;
            }
            let format = format_of(file);
            let is_code = format.is_some_and(FileFormat::is_among_code) && !is_used;
            if candidates::is_own(&file.path) && !is_code {
                if let Some(extension) = extension {
                    *other_files.supported.entry(extension).or_default() += 1;
                    if candidates::is_named(&file.path, &mut codes) {
                        *other_files.named.entry(extension).or_default() += 1;
                    }
                }
            } else if let Some(extension) = UNSUPPORTED.into_iter().find(has_ending)
                && candidates::may_be_translation(&file.path, extension)
            {
                *other_files.unsupported.entry(extension).or_default() += 1;
            }
        }
        other_files
    }

    /// The lines of the report: unsupported formats, then files that are left out or do not parse.
    pub fn problems(&self) -> Vec<String> {
        let unsupported = self.unsupported.iter().map(|(ending, &count)| {
            format!(
                "{}: format not supported",
                counted(count, &format!("{ending} file"))
            )
        });
        unsupported.chain(unread_lines(&self.unreadable)).collect()
    }
}

/// The files that belong to none of these components, each given by its mask and its template.
pub fn unused<'m>(
    unread: &UnreadableFiles,
    components: impl Iterator<Item = (&'m FileMask, &'m str)> + Clone,
) -> UnreadableFiles {
    let masks = MaskIndex::new(components.clone().map(|(mask, _)| mask));
    let named = components.flat_map(|(mask, template)| [mask.as_str(), template]);
    let named: HashSet<&str> = named.collect();
    let is_used = |path: &str| named.contains(path) || !masks.matching(path).is_empty();
    let unused = unread.iter().filter(|(path, _)| !is_used(path));
    unused
        .map(|(path, reason)| (path.clone(), reason.clone()))
        .collect()
}

/// The lines about files that are left out or do not parse; the first ones with the reason.
pub fn unread_lines(unread: &UnreadableFiles) -> Vec<String> {
    let named = unread.iter().take(MAX_NAMED);
    let lines = named.map(|(path, reason)| format!("{path}: {reason}"));
    let more = match unread.len().saturating_sub(MAX_NAMED) {
        0 => None,
        1 => Some("1 more file that is left out or does not parse".to_owned()),
        more => Some(format!(
            "{more} more files that are left out or do not parse"
        )),
    };
    lines.chain(more).collect()
}

impl fmt::Display for OtherFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One line, because a log escapes line breaks.
        let mut seen = self.problems();
        for (ending, &count) in &self.supported {
            let files = |count| counted(count, &format!("{ending} file"));
            let named = self.named.get(ending).copied().unwrap_or_default();
            if named > 0 {
                seen.push(format!(
                    "{}: named after languages, but none can be read as the source of the others",
                    files(named)
                ));
            }
            if let Some(others @ 1..) = count.checked_sub(named) {
                seen.push(format!("{}: not named after languages", files(others)));
            }
        }
        if seen.is_empty() {
            Ok(())
        } else {
            write!(f, " ({})", seen.join("; "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_model::BlobId;

    #[test]
    fn files_that_are_made_from_po_files_are_not_counted() {
        let paths = ["po/cs.po", "po/cs.mo", "x.pot", "a/cs.php"];
        let files = paths.map(|path| TreeFile {
            path: path.to_owned(),
            blob: BlobId([0; 20]),
        });
        let found = OtherFiles::of(&files, |path| path == "po/cs.po", BTreeMap::new());
        assert_eq!(found.problems(), [] as [&str; 0]);
    }

    #[test]
    fn known_and_unsupported_files_are_counted() {
        let paths = [
            "locales/cs.csv",
            "locales/de.csv",
            "lang/de/a.csv",
            "locales/cs.ts",
            "src/app.ts",
            "po/cs.mo",
            "a/en.json",
            "node_modules/x/de.mo",
        ];
        let files: Vec<TreeFile> = paths
            .iter()
            .map(|path| TreeFile {
                path: (*path).to_owned(),
                blob: BlobId([0; 20]),
            })
            .collect();
        let broken = [("a/cs.json".to_owned(), "line 1".to_owned())];
        let other_files = OtherFiles::of(&files, |_| false, broken.into());
        assert_eq!(
            other_files.problems(),
            [
                "3 .csv files: format not supported",
                "1 .mo file: format not supported",
                "a/cs.json: line 1"
            ]
        );
        assert_eq!(
            other_files.to_string(),
            " (3 .csv files: format not supported; 1 .mo file: format not supported; \
             a/cs.json: line 1; 1 .json file: named after languages, but none can be read as the source of the others)"
        );
    }

    #[test]
    fn only_files_without_a_language_are_said_to_have_none() {
        let paths = ["i18n/de.json", "data/settings.json"];
        let files = paths.map(|path| TreeFile {
            path: path.to_owned(),
            blob: BlobId([0; 20]),
        });
        let found = OtherFiles::of(&files, |_| false, BTreeMap::new());
        assert_eq!(
            found.to_string(),
            " (1 .json file: named after languages, but none can be read as the source of the others; 1 .json file: not \
             named after languages)"
        );
    }
}
