//! The files `LINGUAS` of gettext, which list the languages of their folders.

use std::collections::{HashMap, HashSet};

use super::content::ContentCache;
use super::tree_file::TreeFile;

/// Most bytes of such a file.
const MAX_BYTES: usize = 1 << 16;

/// Most such files that are read.
const MAX_FILES: usize = 1_000;

/// The languages that folders list.
pub(super) struct Linguas<'a> {
    by_folder: HashMap<&'a str, HashSet<String>>,
}

impl<'a> Linguas<'a> {
    /// Reads the lists of a tree.
    pub(super) fn read(files: &'a [TreeFile], contents: &mut ContentCache<'_>) -> Self {
        let lists = files.iter().filter_map(|file| {
            let folder = file.path.strip_suffix("LINGUAS")?;
            let folder = match folder {
                "" => "",
                folder => folder.strip_suffix('/')?,
            };
            Some((folder, file))
        });
        let mut by_folder = HashMap::new();
        for (folder, file) in lists.take(MAX_FILES) {
            let text = contents.bytes(file, MAX_BYTES).unwrap_or_default();
            by_folder.insert(folder, languages(&String::from_utf8_lossy(&text)));
        }
        Self { by_folder }
    }

    /// Whether a folder lists a language.
    pub(super) fn has(&self, folder: &str, code: &str) -> bool {
        let codes = self.by_folder.get(folder);
        codes.is_some_and(|codes| codes.contains(code))
    }
}

/// The codes in a list: words in lines, without comments.
fn languages(text: &str) -> HashSet<String> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let codes = lines.flat_map(str::split_whitespace);
    codes.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_words_without_comments() {
        let found = languages("# Sorted.\ncs de # German\n\nen@shaw\n");
        let expected = ["cs", "de", "en@shaw"].map(str::to_owned);
        assert_eq!(found, expected.into_iter().collect());
    }
}
