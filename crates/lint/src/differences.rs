//! The texts that differ between two states of a component, for reviewers.

use std::cell::OnceCell;
use std::sync::Arc;

use super::align::ROW;
use super::component_files::ComponentFiles;
use super::file::{ParsedFile, shown};
use super::finding::report_key;
use super::language_file::LanguageFile;
use crate::collector::path_of_string;
use crate::renames::RenamedKey;
use crate::report::ComponentReport;
use gitglot_checks::Proceed;
use gitglot_model::{SeededMap, SeededSet};

/// A text that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextDifference {
    /// The language code.
    pub language: Arc<str>,
    /// The file at the head, or at the base if the head lacks it.
    pub file: Arc<str>,
    /// Whether the file is the template.
    pub is_source: bool,
    /// The key.
    pub key: String,
    /// The source text of a translation, at the base if the head lacks it.
    pub source: Option<String>,
    /// The text at the base; `None` if it lacks the key.
    pub before: Option<String>,
    /// The text at the head; `None` if it lacks the key.
    pub after: Option<String>,
}

/// The texts that differ between two states, the template first, then by file and in the order of the file. Reads only
/// files with different contents that parse. Returns at most `limit` texts, and how many there are. A string with a new
/// key or component, which the report names, differs only if its text does. Incomplete if the work may not go on.
pub fn differences(
    base: &ComponentFiles,
    head: &ComponentFiles,
    report: Option<&ComponentReport>,
    language: Option<&str>,
    limit: usize,
    proceed: Proceed<'_>,
) -> (Vec<TextDifference>, usize) {
    let renames = report.map_or(&[][..], |report| &report.renames);
    let (moved, renamed): (Vec<_>, Vec<_>) =
        renames.iter().partition(|key| key.old_component.is_some());
    let left = report.map_or(&[][..], |report| &report.moved_away);
    let keys = renamed
        .iter()
        .map(|key| (key.old_in_files(), key.new_in_files()));
    let mut found = Differences {
        old_key_of: keys.clone().map(|(old, new)| (new, old)).collect(),
        new_key_of: keys.collect(),
        arrived: moved.iter().map(|&key| (key.new_in_files(), key)).collect(),
        left: left.iter().map(|key| (key.old_in_files(), key)).collect(),
        sources: [head, base].map(|side| SourceTexts {
            file: side.template.as_ref(),
            entries: OnceCell::new(),
        }),
        list: Vec::new(),
        limit,
        count: 0,
    };
    let is_selected = |file: &&LanguageFile| {
        language.is_none_or(|code| *code == *file.language.code) && file.content.error.is_none()
    };
    let [before, after] = [base, head].map(|side| side.template.as_ref().filter(is_selected));
    found.compare(before, after, true);
    let before = |file| base.counterpart(file, head).filter(is_selected);
    let files = head.languages.iter().filter(is_selected);
    let mut pairs: Vec<_> = files.map(|file| (before(file), Some(file))).collect();
    let compared = pairs
        .iter()
        .filter_map(|(before, _)| Some(&*(*before)?.path));
    let compared: SeededSet<&str> = compared.collect();
    let is_left = |file: &&LanguageFile| !compared.contains(&*file.path);
    let left = base.languages.iter().filter(is_selected).filter(is_left);
    pairs.extend(left.map(|file| (Some(file), None)));
    pairs.sort_by_key(|(before, after)| after.or(*before).map(|file| &file.path));
    let rows = |file: Option<&LanguageFile>| file.map_or(0, |file| file.content.len());
    for (before, after) in pairs {
        if !proceed((rows(before) + rows(after)) * ROW) {
            break;
        }
        found.compare(before, after, false);
    }
    (found.list, found.count)
}

struct Differences<'a> {
    /// The old key of each renamed key, and the opposite.
    old_key_of: SeededMap<&'a str, &'a str>,
    new_key_of: SeededMap<&'a str, &'a str>,
    /// The strings that came from other components, by the new key, and those that moved there, by the old key.
    arrived: SeededMap<&'a str, &'a RenamedKey>,
    left: SeededMap<&'a str, &'a RenamedKey>,
    /// Those of the head and of the base.
    sources: [SourceTexts<'a>; 2],
    list: Vec<TextDifference>,
    limit: usize,
    count: usize,
}

/// The texts of a template.
struct SourceTexts<'a> {
    /// `None` if the state does not have it.
    file: Option<&'a LanguageFile>,
    /// The entry of each key, once a translation differs.
    entries: OnceCell<SeededMap<&'a str, usize>>,
}

impl SourceTexts<'_> {
    fn of(&self, key: &str) -> Option<String> {
        let file = self.file?;
        let entries = self.entries.get_or_init(|| by_key(file));
        Some(shown(file.content.source(*entries.get(key)?)))
    }
}

impl Differences<'_> {
    /// The source text of a translation with this key, at the base possibly an older one.
    fn source(&self, file: &LanguageFile, key: &str, old_key: &str) -> Option<String> {
        if file.content.is_bilingual() {
            return file.content.shape().source(key).map(shown);
        }
        let [head, base] = &self.sources;
        head.of(key).or_else(|| base.of(old_key))
    }

    fn compare(
        &mut self,
        before: Option<&LanguageFile>,
        after: Option<&LanguageFile>,
        is_source: bool,
    ) {
        let Some(file) = after.or(before) else { return };
        if before.map(|file| file.blob) == after.map(|file| file.blob) {
            return;
        }
        let old = before.map_or_else(SeededMap::default, by_key);
        let texts = |file: Option<&LanguageFile>, at: Option<usize>| -> Option<String> {
            let (content, at) = (&file?.content, at?);
            if is_source {
                return Some(shown(content.source(at)));
            }
            // Bilingual files have entries for untranslated strings.
            let text = content.text(at);
            (!content.is_bilingual() || !text.is_empty()).then(|| shown(text))
        };
        let new = after.map_or_else(SeededMap::default, by_key);
        let entries = |file: &LanguageFile| {
            let keys = (0..file.content.len()).map(|at| file.content.key(at).to_owned());
            keys.collect::<Vec<_>>()
        };
        let mut keys = after.map(entries).unwrap_or_default();
        let removed = before.map(entries).unwrap_or_default();
        // A text that moved belongs to the new key.
        let is_moved = |key: &str| {
            let new_key = self.new_key_of.get(key);
            new_key.is_some_and(|new_key| new.contains_key(new_key))
        };
        let is_gone = |key: &String| !new.contains_key(&**key) && !is_moved(key);
        keys.extend(removed.into_iter().filter(is_gone));
        let mut last = None;
        for key in keys {
            let old_key = self.old_key_of.get(&*key).copied().unwrap_or(&key);
            let (old, new) = (old.get(old_key).copied(), new.get(&*key).copied());
            let (was, is) = (texts(before, old), texts(after, new));
            // A text that moved between components is no difference.
            let moved = match (&was, &is) {
                (None, Some(_)) => self.arrived.get(&*key),
                (Some(_), None) => self.left.get(&*key),
                _ => None,
            };
            let has_moved = |it: &&RenamedKey| {
                if is_source {
                    it.has_equal_source
                } else {
                    it.moved_languages.contains(&file.language.code)
                }
            };
            if was == is || last.as_ref() == Some(&key) || moved.is_some_and(has_moved) {
                continue;
            }
            self.count += 1;
            if self.list.len() < self.limit {
                let source = (!is_source).then(|| self.source(file, &key, old_key));
                self.list.push(TextDifference {
                    source: source.flatten(),
                    language: file.language.code.clone(),
                    file: path_of_string(&file.path, &key),
                    is_source,
                    key: report_key(file.content.format(), &key),
                    before: was,
                    after: is,
                });
            }
            last = Some(key);
        }
    }
}

fn by_key(file: &LanguageFile) -> SeededMap<&str, usize> {
    let content: &ParsedFile = &file.content;
    let mut found = SeededMap::default();
    for at in (0..content.len()).filter(|&at| content.is_translatable(at)) {
        // In bilingual files the first entry of a duplicate key counts.
        if content.is_bilingual() {
            _ = found.entry(content.key(at)).or_insert(at)
        } else {
            _ = found.insert(content.key(at), at)
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translation_that_differs_has_its_source_text() {
        let side = |en, de| ComponentFiles::of_texts("en", &[("en", en), ("de", de)]);
        let base = side(r#"{"a": "A", "b": "B"}"#, r#"{"a": "x", "b": "y"}"#);
        let head = side(r#"{"a": "A!"}"#, r#"{"a": "z"}"#);
        let (found, _) = differences(&base, &head, None, Some("de"), 100, &|_| true);
        let sources: Vec<_> = found.iter().map(|it| it.source.as_deref()).collect();
        assert_eq!(sources, [Some("A!"), Some("B")]);
    }

    /// The keys that differ, by language and file.
    fn differing(base: &[(&str, &str)], head: &[(&str, &str)]) -> Vec<String> {
        let side = |files| ComponentFiles::of_texts("en", files);
        let (found, count) = differences(&side(base), &side(head), None, None, 100, &|_| true);
        assert_eq!(found.len(), count);
        let shown =
            |it: TextDifference| format!("{} {} {:?} {:?}", it.file, it.key, it.before, it.after);
        found.into_iter().map(shown).collect()
    }

    #[test]
    fn a_second_file_of_a_language_is_compared_with_no_other_file() {
        let (en, he) = (("en", r#"{"a": "A", "b": "B"}"#), r#"{"a": "x", "b": "y"}"#);
        let second = ("he_IL", r#"{"a": "z"}"#);
        assert_eq!(
            differing(&[en, ("he", he)], &[en, ("he", he), second]),
            [r#"he_IL.json a None Some("z")"#]
        );
        assert_eq!(
            differing(&[en, ("he", he)], &[en, second]),
            [
                r#"he_IL.json a Some("x") Some("z")"#,
                r#"he_IL.json b Some("y") None"#
            ]
        );
        assert_eq!(
            differing(&[en, ("he", he), second], &[en, ("he", he)]),
            [r#"he_IL.json a Some("z") None"#]
        );
    }
}
