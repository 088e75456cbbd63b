//! The file masks that older paths can have had (docs/spec/change-log.md#renames).

use gitglot_model::{FileMask, MAX_CODE_CHARS};

/// Longer paths have no candidates: their number grows with the length.
const MAX_PATH: usize = 512;

/// Every mask that replaces a part of a path by `*`: a directory name, or its part after `values-` or before
/// `.lproj`; a dot-separated part of the file name, or what is before or after a `-` or `_` there. The extension stays.
/// Directory and name are replaced together if they have the same part, as in `help/de/de.po`.
pub fn candidate_masks(path: &str) -> Vec<FileMask> {
    if path.len() > MAX_PATH {
        return Vec::new();
    }
    let name_start = path.rfind('/').map_or(0, |slash| slash + 1);
    let mut ranges = Vec::new();
    let mut start = 0;
    for folder in path[..name_start].split_terminator('/') {
        let end = start + folder.len();
        ranges.push(start..end);
        if folder.starts_with("values-") {
            ranges.push(start + "values-".len()..end);
        }
        if let Some(code) = folder.strip_suffix(".lproj") {
            ranges.push(start..start + code.len());
        }
        start = end + 1;
    }
    let name = &path[name_start..];
    // Without the extension, if there is one.
    let stem = name.rfind('.').map_or(name, |dot| &name[..dot]);
    for part in stem.split('.') {
        let end = start + part.len();
        ranges.push(start..end);
        for (cut, _) in part.match_indices(['-', '_']) {
            let parts = [start..start + cut, start + cut + 1..end].into_iter();
            ranges.extend(parts.filter(|range| range.len() <= MAX_CODE_CHARS));
        }
        start = end + 1;
    }
    let ranges = || ranges.iter().filter(|range| !range.is_empty());
    let single = ranges().map(|range| format!("{}*{}", &path[..range.start], &path[range.end..]));
    let of_folders = ranges().take_while(|range| range.end < name_start);
    let double = of_folders.flat_map(|folder| {
        let text = &path[folder.clone()];
        let mut names = ranges().filter(|name| name.start >= name_start);
        let same = names.find(|&name| path[name.clone()] == *text);
        same.map(|name| {
            let between = &path[folder.end..name.start];
            format!("{}*{between}*{}", &path[..folder.start], &path[name.end..])
        })
    });
    let masks = single.chain(double).map(|mask| FileMask::new(&mask));
    masks.filter_map(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    use super::candidate_masks;

    fn masks(path: &str) -> Vec<String> {
        let masks = candidate_masks(path).into_iter();
        masks.map(|mask| mask.as_str().to_owned()).collect()
    }

    #[test]
    fn a_mask_replaces_a_folder_or_a_piece_of_the_file_name() {
        assert_eq!(
            masks("data/lang.en.json"),
            ["*/lang.en.json", "data/*.en.json", "data/lang.*.json"]
        );
        assert_eq!(
            masks("q_pt_BR.ts"),
            ["*.ts", "*_pt_BR.ts", "q_*.ts", "*_BR.ts", "q_pt_*.ts"]
        );
        assert_eq!(masks("de"), ["*"]);
        assert_eq!(masks(&"a/".repeat(300)), [""; 0]);
    }

    #[test]
    fn a_mask_replaces_codes_of_android_apple_and_docs() {
        assert!(
            masks("res/values-de/strings.xml").contains(&"res/values-*/strings.xml".to_owned())
        );
        assert!(masks("de.lproj/A.strings").contains(&"*.lproj/A.strings".to_owned()));
        assert!(masks("help/de/de.po").contains(&"help/*/*.po".to_owned()));
    }
}
