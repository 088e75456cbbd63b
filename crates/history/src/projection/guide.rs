//! The file of a repository that says how to contribute (docs/spec/pages.md#how-to-contribute).

use std::sync::Arc;

use gitglot_git::{EntryKind, ObjectReader};
use gitglot_model::TreeId;

/// The folders where repository hosts look for such a file: between equal names, the first folder counts.
const FOLDERS: [&str; 3] = ["", ".github", "docs"];
/// Names without their extension, in lower case, first match first.
const NAMES: [&str; 4] = ["translating", "translation", "translations", "contributing"];
const EXTENSIONS: [&str; 5] = ["", "md", "rst", "adoc", "txt"];

/// The path of the file in a tree. A folder that cannot be read has none: nothing else depends on it.
pub fn guide(reader: &mut ObjectReader, root: TreeId) -> Option<Arc<str>> {
    let mut found: Option<(usize, String)> = None;
    for folder in FOLDERS {
        let Ok(Some(EntryKind::Tree(tree))) = reader.entry_at(root, folder) else {
            continue;
        };
        // What was found before an error counts.
        let _ = reader.each_entry(tree, |name, kind| {
            let Ok(name) = std::str::from_utf8(name) else {
                return;
            };
            let rank = rank(name).filter(|_| matches!(kind, EntryKind::File(_)));
            let Some(rank) = rank else {
                return;
            };
            if found.as_ref().is_none_or(|(best, _)| rank < *best) {
                let path = match folder {
                    "" => name.to_owned(),
                    folder => [folder, "/", name].concat(),
                };
                found = Some((rank, path));
            }
        });
    }
    found.map(|(_, path)| path.into())
}

/// The index of a file name among [`NAMES`].
fn rank(name: &str) -> Option<usize> {
    let name = name.to_ascii_lowercase();
    let (stem, extension) = name.split_once('.').unwrap_or((&name, ""));
    let index = NAMES.iter().position(|known| *known == stem)?;
    EXTENSIONS.contains(&extension).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn a_guide_for_translators_comes_before_one_for_everyone() {
        assert!(rank("TRANSLATING.md") < rank("CONTRIBUTING.md"));
        assert!(rank("Contributing").is_some());
        for name in ["contributing.js", "CONTRIBUTORS.md", "translations.json"] {
            assert_eq!(rank(name), None, "{name}");
        }
    }
}
