//! The rows of a component: the strings of the template, and the entry of each in a translation.

use super::file::ParsedFile;
use gitglot_formats::plural_stem;
use gitglot_model::{KeySeparators, SeededMap, SeededSet};

/// The bytes of work that a row counts as, in addition to its texts.
pub(super) const ROW: usize = 64;

/// The strings of a template, in its order. Each key counts once; the first entry has the source text.
#[derive(Debug)]
pub(super) struct TemplateStrings<'a> {
    pub(super) file: &'a ParsedFile,
    entries: Vec<u32>,
    by_key: SeededMap<&'a str, u32>,
}

impl<'a> TemplateStrings<'a> {
    pub fn new(file: &'a ParsedFile) -> Self {
        let mut rows = Self {
            file,
            entries: Vec::with_capacity(file.len()),
            by_key: SeededMap::default(),
        };
        rows.by_key.reserve(file.len());
        for index in (0..file.len()).filter(|&index| file.is_translatable(index)) {
            let next = rows.entries.len() as u32;
            let row = *rows.by_key.entry(file.key(index)).or_insert(next);
            if row == next {
                rows.entries.push(index as u32);
            }
        }
        rows
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn row(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).map(|&row| row as usize)
    }

    /// The entry of a row in the template.
    pub(super) fn entry(&self, row: usize) -> usize {
        let entry = self.entries.get(row);
        entry.map_or(usize::MAX, |&entry| entry as usize)
    }

    pub(super) fn key(&self, row: usize) -> &'a str {
        self.file.key(self.entry(row))
    }

    pub(super) fn source(&self, row: usize) -> &'a str {
        self.file.source(self.entry(row))
    }

    /// The source texts of all rows.
    pub(super) fn sources(&self) -> impl Iterator<Item = &'a str> + Clone + '_ {
        (0..self.len()).map(|row| self.source(row))
    }

    /// Whether the key belongs to a plural text that the template has: `files_few` next to `files_one`.
    pub(super) fn has_plural_sibling(&self, key: &str, separators: &KeySeparators) -> bool {
        separators.has_plural_sibling(key, |key| self.by_key.contains_key(key))
    }
}

/// The entries of a translation, by row.
#[derive(Debug)]
pub(super) struct Aligned<'a> {
    pub(super) file: &'a ParsedFile,
    entries: Vec<Option<u32>>,
    /// Entries whose key the template lacks.
    pub(super) left_over: Vec<usize>,
}

impl<'a> Aligned<'a> {
    pub fn new(file: &'a ParsedFile, rows: &TemplateStrings<'_>) -> Self {
        let mut entries = vec![None; rows.len()];
        let mut left_over = Vec::new();
        let mut expected = 0;
        for index in 0..file.len() {
            let key = file.key(index);
            // Most files have the order of the template.
            let row = if expected < rows.len() && rows.key(expected) == key {
                Some(expected)
            } else {
                rows.row(key)
            };
            match row {
                // In bilingual files the first entry of a duplicate key counts.
                Some(row) if file.is_bilingual() && entries[row].is_some() => {}
                Some(row) => {
                    entries[row] = Some(index as u32);
                    expected = row + 1;
                }
                None => left_over.push(index),
            }
        }
        let mut aligned = Self {
            file,
            entries,
            left_over,
        };
        aligned.add_alternatives(rows);
        aligned
    }

    /// Adds the alternatives for rows without an entry. Then the template groups their texts, not the file: an entry with the
    /// same texts is not left over, but alternatives with other texts of that entry are.
    fn add_alternatives(&mut self, rows: &TemplateStrings<'_>) {
        let file = self.file;
        let stem = |index| plural_stem(file.format(), file.key(index));
        let mut stems: SeededSet<&str> = SeededSet::default();
        let mut others = Vec::new();
        for index in file.alternatives() {
            let row = rows.row(file.key(index));
            let row = row.filter(|row| rows.file.can_have(rows.entry(*row), file, index));
            match row.and_then(|row| self.entries.get_mut(row)) {
                Some(entry) if entry.is_none() => {
                    *entry = Some(index as u32);
                    stems.extend([file.key(index)].into_iter().chain(stem(index)));
                }
                Some(_) => {}
                None => others.push(index),
            }
        }
        if stems.is_empty() {
            return;
        }
        let is_of_rows = |index: usize| stem(index).is_some_and(|stem| stems.contains(stem));
        self.left_over
            .retain(|&index| !is_of_rows(index) && !stems.contains(file.key(index)));
        others.retain(|&index| is_of_rows(index));
        self.left_over.extend(others);
    }

    /// The entry of a row; the last one of a duplicate key, in bilingual files the first.
    pub(super) fn entry(&self, row: usize) -> Option<usize> {
        let entry = self.entries.get(row).copied().flatten();
        entry.map(|entry| entry as usize)
    }

    /// The translation of a row, if the file has one.
    pub(super) fn translation(&self, row: usize) -> Option<&'a str> {
        let entry = self.entry(row)?;
        let is_translated = self.file.is_translated(entry);
        is_translated.then(|| self.file.text(entry))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use gitglot_model::FileFormat;

    fn parse(text: &str) -> ParsedFile {
        ParsedFile::parse(
            Arc::new(text.as_bytes().to_vec()),
            None,
            FileFormat::Json,
            false,
        )
    }

    #[test]
    fn entries_are_found_by_key_in_any_order() {
        // In JSON the last value of a repeated name counts, at the position of the first.
        let (template, file) = (
            parse(r#"{"a": "A", "b": "B", "a": "C"}"#),
            parse(r#"{"x": "X", "b": "b", "a": ""}"#),
        );
        let rows = TemplateStrings::new(&template);
        let aligned = Aligned::new(&file, &rows);
        assert_eq!((rows.len(), rows.source(0), rows.source(1)), (2, "C", "B"));
        assert_eq!(
            (aligned.translation(0), aligned.translation(1)),
            (None, Some("b"))
        );
        assert_eq!(aligned.left_over, [0]);
        assert_eq!(file.position(1).line, 1);
        assert_eq!(file.position(1).column, 12);
    }

    #[test]
    fn the_only_form_belongs_to_the_text_of_all_other_numbers() {
        let template = r#"{"n": "a file", "n_other": "{{count}} files"}"#;
        let template = parse_i18next(template, false);
        let file = parse_i18next(r#"{"n": "x", "n_other": "{{count}} y"}"#, true);
        let aligned = Aligned::new(&file, &TemplateStrings::new(&template));
        assert_eq!(aligned.translation(0), Some("x"));
        assert_eq!(aligned.translation(1), Some("{{count}} y"));
    }

    fn parse_i18next(text: &str, single_form: bool) -> ParsedFile {
        let bytes = Arc::new(text.as_bytes().to_vec());
        ParsedFile::parse(bytes, None, FileFormat::I18nextV4, single_form)
    }

    #[test]
    fn a_single_form_belongs_to_its_plural_text() {
        let parse = |text: &str| parse_i18next(text, false);
        let template = parse(r#"{"n_one": "a", "n_other": "b", "m": "c"}"#);
        let file = parse(r#"{"n_other": "x", "m_other": "y"}"#);
        let aligned = Aligned::new(&file, &TemplateStrings::new(&template));
        assert_eq!(aligned.translation(0), Some("x"));
        let entry = aligned.entry(0).unwrap();
        assert_eq!(aligned.file.categories(entry), ["other"]);
        assert_eq!(aligned.left_over, [1]);
    }

    #[test]
    fn plural_categories_of_other_languages_belong_to_the_template() {
        let template = parse(r#"{"n_one": "a", "n_other": "b", "m": "c"}"#);
        let rows = TemplateStrings::new(&template);
        let has = |key| rows.has_plural_sibling(key, &KeySeparators::default());
        assert!(has(".n_few") && !has(".m_few") && !has(".n"));
        let own = KeySeparators {
            plural: "-".to_owned(),
            ..KeySeparators::default()
        };
        assert!(!rows.has_plural_sibling(".n_few", &own));
    }
}
