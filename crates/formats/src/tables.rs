//! Strings files of Apple, with the files for plurals next to them (`docs/spec/formats.md#strings-utf8`).

use super::documents::{damaged, documents, is_group, is_group_of};
use super::entry::{EntrySink, RawEntry};
use super::entry_list::EntryList;
use super::error::{ReadError, ReadErrorKind};
use super::format_reader::{FormatReader, ReadResult};
use super::list_reader::ListReader;
use super::stringsdict::SEPARATOR;
use super::{strings, stringsdict};
use gitglot_model::{FileFormat, PLURALS_ENDING, SeededSet};

const STRINGS: ListReader = ListReader::Text(strings::parse);
const PLURALS: ListReader = ListReader::Text(stringsdict::parse);

/// Reads a file, and the content of a group as that of a file with the strings of both. Programs look for plurals first.
pub(super) struct TableReader;

impl FormatReader for TableReader {
    fn read(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        if !is_group(bytes) {
            return STRINGS.read(bytes, sink);
        }
        if !is_group_of(bytes, &["", PLURALS_ENDING]) {
            return Err(damaged());
        }
        let (mut lists, mut of_plurals) = (Vec::new(), SeededSet::default());
        for TableFile { name, start, bytes } in files(bytes) {
            let list = read(name, bytes)?;
            if !name.is_empty() {
                list.emit(&mut |entry| {
                    of_plurals.insert(key_of(entry.context).to_owned());
                });
            }
            lists.push((name, start, list));
        }
        for (name, start, list) in lists {
            list.emit(&mut |entry| {
                if !name.is_empty() || !of_plurals.contains(entry.context) {
                    let offset = start + entry.offset;
                    sink(RawEntry { offset, ..entry });
                }
            });
        }
        Ok(())
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<EntryList, ReadError> {
    if name.is_empty() {
        return STRINGS.list(bytes);
    }
    PLURALS.list(bytes).map_err(|error| {
        let message = format!("{}, in the file for plurals", error.kind);
        match error.kind {
            ReadErrorKind::LfsPointer | ReadErrorKind::TooLarge => error,
            _ => ReadError {
                kind: ReadErrorKind::Syntax(message.into()),
                ..error
            },
        }
    })
}

/// The key of a string in the file for plurals, which has several ids if it has several texts.
fn key_of(id: &str) -> &str {
    id.split_once(SEPARATOR).map_or(id, |(key, _)| key)
}

/// A file in the content of a group.
pub(super) struct TableFile<'a> {
    /// The ending that its path adds to that of the strings file.
    name: &'a str,
    /// Where it begins.
    pub(super) start: usize,
    pub(super) bytes: &'a [u8],
}

impl TableFile<'_> {
    fn ending(&self) -> &'static str {
        match self.name {
            "" => "",
            _ => PLURALS_ENDING,
        }
    }

    pub(super) fn format(&self) -> FileFormat {
        match self.name {
            "" => FileFormat::AppleStrings,
            _ => FileFormat::Stringsdict,
        }
    }
}

/// The first two files in the content of a group: only a damaged group has more.
pub(super) fn files(content: &[u8]) -> impl Iterator<Item = TableFile<'_>> {
    documents(content).take(2).map(|(name, bytes)| {
        let start = bytes.as_ptr().addr() - content.as_ptr().addr();
        TableFile { name, start, bytes }
    })
}

/// The file of a group at an offset: the ending that its path adds to that of the strings file, and its start.
pub fn table_at(content: &[u8], offset: usize) -> Option<(&'static str, usize)> {
    let begun = files(content).take_while(|file| file.start <= offset);
    let file = begun.last()?;
    Some((file.ending(), file.start))
}

/// The ending of the first file of a group that does not parse.
pub fn broken_table(content: &[u8]) -> Option<&'static str> {
    let broken = files(content).find(|file| read(file.name, file.bytes).is_err())?;
    Some(broken.ending())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::entries;
    use crate::{add_document, faults, line_of};
    use gitglot_model::PLURAL_SEPARATOR;

    fn group(strings: &str, plurals: &str) -> Vec<u8> {
        let mut content = Vec::new();
        add_document("", strings.as_bytes(), &mut content);
        let plurals = format!("<plist><dict>\n{plurals}</dict></plist>");
        add_document("dict", plurals.as_bytes(), &mut content);
        content
    }

    const FILES: &str = "<key>files</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>\
         <key>one</key><string>%d file</string><key>other</key><string>%d files</string></dict></dict>\n";

    #[test]
    fn a_file_that_only_begins_as_a_group_is_broken() {
        let group = group("\"a\" = \"x\";", FILES);
        let mut twice = group.clone();
        add_document("dict", b"<plist><dict></dict></plist>", &mut twice);
        let mut other = Vec::new();
        add_document("x", b"", &mut other);
        for content in [&group[..group.len() - 1], &*twice, &*other] {
            let error = entries(FileFormat::AppleStrings, content).unwrap_err();
            assert!(error.to_string().contains("no group of files"), "{error}");
        }
        assert!(entries(FileFormat::AppleStrings, &group).is_ok());
    }

    #[test]
    fn strings_of_both_files_are_those_of_one() {
        let wide = "<key>wide</key><dict><key>NSStringVariableWidthRuleType</key><dict><key>20</key><string>w</string></dict></dict>";
        let strings = "\"a\" = \"x\";\n\"files\" = \"%d files\";\n\"wide\" = \"y\";";
        let content = group(strings, &[FILES, wide].concat());
        let found = entries(FileFormat::AppleStrings, &content).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|it| (&*it.context, it.text.replace(PLURAL_SEPARATOR, "|")))
            .collect();
        let files = ("files", "%d file|%d files".into());
        let expected = [("a", "x".into()), files, ("wide|==|width.20", "w".into())];
        assert_eq!(found, expected);
    }

    #[test]
    fn places_are_those_of_each_file() {
        let content = group("\n\"a\" = \"x\";\n\"a\" = \"y\";", &[FILES, FILES].concat());
        let found = faults(FileFormat::AppleStrings, &content);
        let at = |offset| table_at(&content, offset).unwrap().0;
        let found: Vec<_> = found.iter().map(|it| (&*it.name, at(it.offset))).collect();
        assert_eq!(found, [("a", ""), ("files", "dict")]);
        let line = line_of(FileFormat::AppleStrings, b"\n\"a\" = \"x\";", "a").unwrap();
        assert_eq!(line, Some(2));
    }

    #[test]
    fn a_group_with_a_broken_file_has_no_strings() {
        let content = group("\"a\" = \"x\";", "<key>b</key>");
        let error = entries(FileFormat::AppleStrings, &content).unwrap_err();
        assert!(
            error.to_string().ends_with(", in the file for plurals"),
            "{error}"
        );
        assert_eq!((error.line, broken_table(&content)), (2, Some("dict")));
        let broken = group("\"a\" = ", "");
        assert_eq!(broken_table(&broken), Some(""));
        assert!(entries(FileFormat::AppleStrings, &broken).is_err());
        assert_eq!(broken_table(&group("", "")), None);
    }
}
