//! Versions of files with several languages: strings that an earlier version of a catalog has are not read again, and the
//! languages that they leave as they were share their part.
//!
//! Both versions are compared string by string. Equal bytes between the starts of two strings are an equal string, so that a
//! poor choice of the strings that are compared costs time, never correctness. Anything unexpected is read in full.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::common_prefix::common_prefix;
use super::entry_list::MAX_TEXT;
use super::error::ReadError;
use super::input::limits;
use super::json::catalog;
use super::offsets::offset;
use super::part_list::{MAGIC, MAX_LANGUAGES, NewEntry, PartEntries, PartList, PartPiece};
use super::parts::list_of;
use gitglot_model::{FileFormat, TableColumns, steps};

/// A language of a version.
#[derive(Clone, Debug)]
pub struct SharedPart {
    /// The code of the language; `""` for the part with the source texts.
    pub code: Arc<str>,
    /// Its content. The same list as in the version before if nothing of the language changed.
    pub pieces: Arc<[PartPiece]>,
}

/// Splits versions of files.
pub struct PartVersions {
    format: FileFormat,
    columns: TableColumns,
    last: Option<Version>,
}

impl PartVersions {
    /// `columns`: what the settings say about tables.
    pub fn new(format: FileFormat, columns: TableColumns) -> Self {
        Self {
            format,
            columns,
            last: None,
        }
    }

    /// The parts of a version.
    ///
    /// # Errors
    /// If the file does not parse, or has too many languages.
    pub fn split(&mut self, bytes: &[u8]) -> Result<Vec<SharedPart>, ReadError> {
        limits(bytes)?;
        let next = self.last.as_ref().and_then(|last| last.next(bytes));
        let version = match next {
            Some(next) => next,
            None => {
                steps::count(bytes.len());
                Version::new(list_of(self.format, &self.columns, bytes)?, bytes)
            }
        };
        let parts = version.parts.iter().map(|part| part.shared.clone());
        let parts = parts.collect();
        self.last = version.can_be_compared().then_some(version);
        Ok(parts)
    }
}

/// A version of a catalog.
struct Version {
    bytes: Vec<u8>,
    /// Where each string begins. The last one has all bytes up to the end.
    starts: Vec<u32>,
    source_language: String,
    size: usize,
    parts: Vec<VersionPart>,
}

#[derive(Clone)]
struct VersionPart {
    shared: SharedPart,
    uses: usize,
    entries: Arc<[NewEntry]>,
}

impl VersionPart {
    fn new(code: Arc<str>, uses: usize, entries: Vec<NewEntry>) -> Self {
        let pieces = entries.iter().map(|entry| entry.piece.clone());
        let pieces = std::iter::once(MAGIC.into()).chain(pieces).collect();
        Self {
            shared: SharedPart { code, pieces },
            uses,
            entries: entries.into(),
        }
    }
}

/// What distinguishes two versions.
#[derive(Default)]
struct Changes<'a> {
    removed: Vec<&'a [u8]>,
    added: Vec<&'a [u8]>,
    /// Where each string of the new version begins.
    starts: Vec<u32>,
}

/// The entries of a language in the strings that are gone, and in the new ones.
type Change<'a> = (Option<&'a PartEntries>, Option<&'a PartEntries>);

impl Version {
    fn new(list: PartList, bytes: &[u8]) -> Self {
        let starts = list.strings.unwrap_or_default();
        let part = |it: PartEntries| VersionPart::new(it.code.into(), it.uses, it.entries);
        Self {
            bytes: if starts.is_empty() {
                Vec::new()
            } else {
                bytes.to_vec()
            },
            starts: starts.into_iter().map(offset).collect(),
            source_language: list.source_language.unwrap_or_default(),
            size: list.size,
            parts: list.parts.into_iter().map(part).collect(),
        }
    }

    fn can_be_compared(&self) -> bool {
        !self.starts.is_empty()
    }

    /// The version with these bytes; `None` if it has to be read in full.
    fn next(&self, new: &[u8]) -> Option<Self> {
        let changes = self.changes(new)?;
        let read = |strings: &[&[u8]]| {
            steps::count(strings.iter().map(|string| string.len()).sum());
            let mut list = PartList::new();
            let keys = catalog::split_strings(strings, &self.source_language, &mut list)?;
            Some((list, keys))
        };
        let (removed, _) = read(&changes.removed)?;
        let (added, keys) = read(&changes.added)?;
        let size = (self.size + added.size).checked_sub(removed.size)?;
        if size > MAX_TEXT {
            return None;
        }
        let mut by_code: BTreeMap<&str, Change<'_>> = BTreeMap::new();
        for part in &removed.parts {
            by_code.entry(&part.code).or_default().0 = Some(part);
        }
        for part in &added.parts {
            by_code.entry(&part.code).or_default().1 = Some(part);
        }
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let code = &*part.shared.code;
            match by_code.remove(code) {
                Some(change) => parts.extend(part.changed(change, &keys)?),
                None => parts.push(part.clone()),
            }
        }
        for (code, (_, added)) in by_code {
            let added = added?;
            parts.push(VersionPart::new(
                code.into(),
                added.uses,
                added.entries.clone(),
            ));
        }
        (parts.len() <= MAX_LANGUAGES).then(|| Self {
            bytes: new.to_vec(),
            starts: changes.starts,
            source_language: self.source_language.clone(),
            size,
            parts,
        })
    }

    fn start(&self, index: usize) -> Option<usize> {
        self.starts.get(index).map(|&at| at as usize)
    }

    fn changes<'a>(&'a self, new: &'a [u8]) -> Option<Changes<'a>> {
        let old = &*self.bytes;
        let most = self.starts.len() / 4 + 16;
        // Names that are compared: a version with other strings is read in full before they cost more than that.
        let mut left = 16 * self.starts.len();
        let last = self.starts.len().checked_sub(1)?;
        let mut changes = Changes::default();
        let (mut index, mut at) = (0, self.start(0)?);
        if new.get(..at)? != old.get(..at)? {
            return None;
        }
        let string = |index: usize| {
            let start = self.start(index)?;
            old.get(start..catalog::end_of_string(old, start)?)
        };
        loop {
            let start = self.start(index)?;
            let (old_rest, new_rest) = (old.get(start..)?, new.get(at..)?);
            let equal = common_prefix(old_rest, new_rest);
            if old_rest.len() == new_rest.len() && equal == old_rest.len() {
                let rest = self.starts.get(index..)?.iter();
                let moved = rest.map(|&known| known as usize - start + at);
                let moved = moved.map_while(|number| u32::try_from(number).ok());
                changes.starts.extend(moved);
                return Some(changes);
            }
            let from = at;
            while index < last
                && let Some(next) = self.start(index + 1)
                && next - start <= equal
            {
                changes.starts.push(u32::try_from(at).ok()?);
                at = from + (next - start);
                index += 1;
            }
            let name = catalog::name_at(new, at)?;
            let near = (8 + 32 * changes.added.len()).min(4096);
            let found = (index..self.starts.len()).take(near).find(|&index| {
                left = left.saturating_sub(1);
                let rest = self.start(index).and_then(|at| old.get(at..));
                rest.is_some_and(|rest| rest.starts_with(name))
            });
            if let Some(found) = found.filter(|&found| found > index) {
                for gone in index..found {
                    changes.removed.push(string(gone)?);
                }
                index = found;
                continue;
            }
            if found.is_some() {
                // Behind the last string is the rest of the file.
                if index == last {
                    return None;
                }
                changes.removed.push(string(index)?);
                index += 1;
            }
            let end = catalog::end_of_string(new, at)?;
            changes.added.push(new.get(at..end)?);
            changes.starts.push(u32::try_from(at).ok()?);
            if changes.added.len() > most || left == 0 {
                return None;
            }
            at = catalog::next_string(new, end)?;
        }
    }
}

impl VersionPart {
    /// The part without the entries of strings that are gone, and with new ones; nothing if no string has the language. `keys`
    /// are those of the new strings.
    ///
    /// `None` if a new string has the key of another one.
    fn changed(&self, (removed, added): Change<'_>, keys: &[String]) -> Option<Option<Self>> {
        let uses_of = |part: Option<&PartEntries>| part.map_or(0, |part| part.uses);
        let is_source = self.shared.code.is_empty();
        let uses = (self.uses + uses_of(added)).checked_sub(uses_of(removed))?;
        if uses == 0 && !is_source {
            return Some(None);
        }
        let entries_of = |part: Option<&'_ PartEntries>| -> Vec<NewEntry> {
            part.map_or_else(Vec::new, |part| part.entries.clone())
        };
        let (removed, added) = (entries_of(removed), entries_of(added));
        let pieces = |list: &[NewEntry]| list.iter().map(|entry| entry.piece.clone()).collect();
        let (old, new): (Vec<PartPiece>, Vec<PartPiece>) = (pieces(&removed), pieces(&added));
        if old == new {
            return Some(Some(Self {
                uses,
                ..self.clone()
            }));
        }
        let is_removed = |entry: &&NewEntry| {
            let found = removed.binary_search_by(|other| other.context().cmp(entry.context()));
            found.is_ok()
        };
        let kept = self.entries.iter().filter(|entry| !is_removed(entry));
        let kept: Vec<&NewEntry> = kept.collect();
        let is_known = |key: &String| {
            let key = key.as_bytes();
            let variation = [key, catalog::SEPARATOR.as_bytes()].concat();
            let has = |start: &[u8], is: &dyn Fn(&[u8]) -> bool| {
                let at = kept.partition_point(|entry| entry.context() < start);
                kept.get(at).is_some_and(|entry| is(entry.context()))
            };
            has(key, &|context| context == key)
                || has(&variation, &|context| context.starts_with(&variation))
        };
        if is_source && keys.iter().any(is_known) {
            return None;
        }
        let mut entries = Vec::with_capacity(kept.len() + added.len());
        let mut added = added.into_iter().peekable();
        for entry in kept {
            while let Some(new) = added.next_if(|new| new.context() < entry.context()) {
                entries.push(new);
            }
            entries.push(entry.clone());
        }
        entries.extend(added);
        Some(Some(Self::new(self.shared.code.clone(), uses, entries)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LanguagePart, split};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    const FORMAT: FileFormat = FileFormat::StringCatalog;

    fn catalog(strings: &[String]) -> String {
        let strings = strings.join(",\n  ");
        format!(
            "\u{FEFF}{{\n \"sourceLanguage\": \"en\", \"strings\": {{\n  {strings}\n }},\n \"version\": \"1.0\" }}\n"
        )
    }

    fn unit(text: &str) -> String {
        format!(r#"{{"stringUnit": {{"state": "translated", "value": "{text}"}}}}"#)
    }

    /// A string of a catalog.
    fn string() -> impl Strategy<Value = String> {
        let key = select(vec![
            "a",
            "b",
            "c",
            "d",
            "\\u0061",
            "",
            "a|==|device.mac",
            "a|==",
            "a ",
            "{",
        ]);
        let of_device = r#"{"variations": {"device": {"mac": {"stringUnit": {"value": "M"}}, "other": {"stringUnit": {"value": "O"}}}}}"#;
        let value = select(vec![
            unit("x"),
            unit("y"),
            unit("}"),
            of_device.to_owned(),
            "{}".to_owned(),
            "1".to_owned(),
        ]);
        let localization = (select(vec!["de", "en", "fr"]), value);
        (key, vec(localization, 0..3), any::<bool>()).prop_map(|(key, localizations, spaced)| {
            let localizations = localizations
                .into_iter()
                .map(|(code, value)| format!("\"{code}\": {value}"));
            let localizations = localizations.collect::<Vec<_>>().join(", ");
            let space = if spaced { "\n" } else { "" };
            format!("\"{key}\": {{{space}\"localizations\": {{{localizations}}}}}")
        })
    }

    /// The parts that have content, by their codes.
    fn contents(parts: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
        let mut parts = parts;
        parts.sort();
        parts
    }

    fn check(versions: &[String]) {
        let columns = TableColumns::default();
        let mut parts = PartVersions::new(FORMAT, columns.clone());
        for version in versions {
            let full = split(FORMAT, &columns, version.as_bytes()).map(|file| {
                let part = |it: LanguagePart| (it.code, it.pieces.concat());
                contents(file.parts.into_iter().map(part).collect())
            });
            let own = parts.split(version.as_bytes()).map(|parts| {
                let part = |it: SharedPart| (it.code.to_string(), it.pieces.concat());
                contents(parts.into_iter().map(part).collect())
            });
            assert_eq!(own, full, "{versions:?}");
        }
    }

    proptest! {
        #[test]
        fn parts_of_a_version_are_those_of_the_file_alone(
            start in vec(string(), 0..8),
            edits in vec((any::<prop::sample::Index>(), 0..5_u8, string()), 1..8),
        ) {
            let mut strings = start;
            let mut versions = vec![catalog(&strings)];
            for (at, kind, new) in edits {
                let at = at.index(strings.len() + 1);
                match kind {
                    0 => strings.insert(at, new),
                    1 if at < strings.len() => drop(strings.remove(at)),
                    2 => strings.reverse(),
                    _ if at < strings.len() => strings[at] = new,
                    _ => {}
                }
                versions.push(catalog(&strings));
            }
            check(&versions);
        }
    }

    #[test]
    fn strings_that_did_not_change_are_not_read_again() {
        let string = |at: usize, text: &str| {
            let (de, fr) = (unit(text), unit("oui"));
            format!(r#""key {at:04}": {{"localizations": {{"de": {de}, "fr": {fr}}}}}"#)
        };
        let mut strings: Vec<String> = (0..1000).map(|at| string(at, "ja")).collect();
        let mut parts = PartVersions::new(FORMAT, TableColumns::default());
        let before = parts.split(catalog(&strings).as_bytes()).unwrap();
        strings[500] = string(500, "doch");
        strings.remove(100);
        strings.insert(700, string(2000, "neu"));
        let mut after = Vec::new();
        let new = catalog(&strings);
        let steps = steps::of(|| after = parts.split(new.as_bytes()).unwrap());
        assert!(steps > 0 && steps < 2_000, "{steps}");
        check(&[new]);
        strings[1] = string(1, "eins");
        let last = parts.split(catalog(&strings).as_bytes()).unwrap();
        let same = |a: &[SharedPart], b: &[SharedPart], code: &str| {
            let of = |parts: &[SharedPart]| {
                let part = parts.iter().find(|it| &*it.code == code);
                part.unwrap().pieces.clone()
            };
            Arc::ptr_eq(&of(a), &of(b))
        };
        assert!(!same(&before, &after, "fr"));
        assert!(same(&after, &last, "fr") && same(&after, &last, "") && !same(&after, &last, "de"));
    }
}
