//! Finds the keys of a translation that are probably misspelt keys of the template.

use super::align::{Aligned, TemplateStrings};
use gitglot_model::{KeySeparators, SeededMap, SeededSet};

/// Most pairs of keys that are compared in a file.
const MAX_PAIRS: usize = 200_000;

/// Most bytes of a name that is compared.
const MAX_NAME: usize = 64;

/// Fewest characters of a name that can be misspelt.
const MIN_NAME: usize = 4;

/// The left-over entries that are probably misspelt.
#[derive(Default)]
pub(super) struct Mistyped {
    /// The row that each entry belongs to.
    row_of: SeededMap<usize, usize>,
    rows: SeededSet<usize>,
}

impl Mistyped {
    /// The row that a left-over entry belongs to.
    pub(super) fn row_of(&self, entry: usize) -> Option<usize> {
        self.row_of.get(&entry).copied()
    }

    /// Whether an entry belongs to a row.
    pub(super) fn has(&self, row: usize) -> bool {
        self.rows.contains(&row)
    }
}

/// Finds misspelt keys: each differs from a key without an entry by at most two letters of its name or of its place, and
/// not by digits.
pub(super) fn mistyped(
    entries: &Aligned<'_>,
    rows: &TemplateStrings<'_>,
    separators: &KeySeparators,
) -> Mistyped {
    let mut found = Mistyped::default();
    if entries.left_over.is_empty() {
        return found;
    }
    let mut by_place: SeededMap<&str, Vec<(usize, &str)>> = SeededMap::default();
    let mut by_name: SeededMap<&str, Vec<(usize, &str)>> = SeededMap::default();
    for row in (0..rows.len()).filter(|&row| entries.entry(row).is_none()) {
        let (place, name) = separators.split(rows.key(row));
        by_place.entry(place).or_default().push((row, name));
        by_name.entry(name).or_default().push((row, place));
    }
    let mut budget = MAX_PAIRS;
    for &entry in &entries.left_over {
        let (place, name) = separators.split(entries.file.key(entry));
        let row = closest(name, by_place.get(place), &found.rows, &mut budget)
            .or_else(|| closest(place, by_name.get(name), &found.rows, &mut budget));
        if let Some(row) = row {
            found.row_of.insert(entry, row);
            found.rows.insert(row);
        }
    }
    found
}

/// The candidate whose text is the right one of a misspelt text, if any; not one that is taken.
fn closest(
    misspelt: &str,
    candidates: Option<&Vec<(usize, &str)>>,
    taken: &SeededSet<usize>,
    budget: &mut usize,
) -> Option<usize> {
    let candidates = candidates?;
    *budget = budget.checked_sub(candidates.len())?;
    let free = candidates.iter().filter(|(row, _)| !taken.contains(row));
    let distances = free.filter_map(|(row, right)| Some((distance(misspelt, right)?, *row)));
    distances.min().map(|(_, row)| row)
}

/// The number of edits between a misspelt name and the right one; `None` if they are different names.
fn distance(name: &str, right: &str) -> Option<usize> {
    let long = |name: &str| name.len() > MAX_NAME || name.chars().count() < MIN_NAME;
    if long(name) || long(right) || name.len().abs_diff(right.len()) > 2 {
        return None;
    }
    let digits = |name: &str| -> String { name.chars().filter(char::is_ascii_digit).collect() };
    let edits = strsim::osa_distance(name, right);
    let most = if right.chars().count() < 8 { 1 } else { 2 };
    (edits <= most && digits(name) == digits(right)).then_some(edits)
}

#[cfg(test)]
mod tests {
    use super::distance;
    use crate::{CheckScope, ComponentFiles, ComponentSpec, FindingKind, compare};

    #[test]
    fn misspelt_names_differ_by_a_letter_or_two() {
        assert_eq!(distance("selctAll", "selectAll"), Some(1));
        assert_eq!(distance("slectAl", "selectAll"), Some(2));
        assert_eq!(distance("tilte", "title"), Some(1));
        for (name, right) in [
            ("item1", "item2"),
            ("ok", "oks"),
            ("title", "table"),
            ("a", "b"),
        ] {
            assert_eq!(distance(name, right), None, "{name}");
        }
    }

    #[test]
    fn a_misspelt_place_is_one_finding() {
        let template = r#"{"timeslider.back": "Back to pad", "timeslider.next": "Next"}"#;
        let right = r#"{"timeslider.back": "Zurück", "timeslider.next": "Weiter"}"#;
        let side = |de: &str| ComponentFiles::of_texts("en", &[("en", template), ("de", de)]);
        let (base, head) = (side(right), side(&right.replace("slider.b", "lider.b")));
        let found = compare(
            &ComponentSpec::of_json("en"),
            &head,
            Some(&base),
            None,
            CheckScope::ALL,
        );
        let [finding] = found.findings.as_slice() else {
            panic!("{:?}", found.findings);
        };
        assert_eq!(finding.check, FindingKind::MistypedKey);
        assert!(finding.message.contains("'timeslider.back'"));
    }

    #[test]
    fn a_misspelt_key_is_one_finding() {
        let template = r#"{"menu": {"selectAll": "Select all", "copy": "Copy"}}"#;
        let right = r#"{"menu": {"selectAll": "Vybrat", "copy": "Kopie"}}"#;
        let side = |cs: &str| ComponentFiles::of_texts("en", &[("en", template), ("cs", cs)]);
        let (base, head) = (side(right), side(&right.replace("selectAll", "selctAll")));
        let spec = ComponentSpec::of_json("en");
        let found = compare(&spec, &head, Some(&base), None, CheckScope::ALL);
        let [finding] = found.findings.as_slice() else {
            panic!("{:?}", found.findings);
        };
        assert_eq!(finding.check, FindingKind::MistypedKey);
        assert_eq!(finding.key.shown(), "menu.selctAll");
        assert!(finding.new && finding.message.contains("'menu.selectAll'"));
        let counts = found.report.totals.counts;
        assert_eq!((counts.missing, counts.left_over), (1, 1));
    }
}
