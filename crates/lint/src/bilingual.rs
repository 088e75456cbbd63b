//! The strings of bilingual files: each file has its own, and together they are those of the component
//! (`docs/spec/lint.md#bilingual-files`).

use std::sync::Arc;

use super::file::ParsedFile;
use super::language_file::LanguageFile;
use gitglot_formats::merged_day;
use gitglot_model::{BlobId, Component, SeededMap};

/// The strings of all files of a state.
#[derive(Clone, Debug)]
pub(super) struct BilingualStrings {
    /// Their keys, as the content of a file that does not exist: first those of the template of new files, then others
    /// by file. Its name changes if the strings that every file should have change.
    pub(super) file: LanguageFile,
    /// Whether every file should have it, for each of them.
    expected: Vec<bool>,
    /// The date in the header of the template of new files.
    template_date: Option<String>,
    /// Whether there is a readable template of new files, which has the strings that every file should have.
    pub(super) has_template: bool,
}

impl BilingualStrings {
    /// The strings of a state.
    pub(super) fn of(
        component: &Component,
        template: Option<&LanguageFile>,
        languages: &[LanguageFile],
    ) -> Self {
        let template = template.filter(|file| file.content.error.is_none());
        let mut index: SeededMap<&str, u32> = SeededMap::default();
        let mut keys: Vec<&str> = Vec::new();
        let mut files_with: Vec<u32> = Vec::new();
        let mut last_file: Vec<usize> = Vec::new();
        let files = template.into_iter().chain(languages);
        let first_language = usize::from(template.is_some());
        let mut in_template = 0;
        for (at, file) in files.enumerate() {
            for entry in 0..file.content.len() {
                let key = file.content.key(entry);
                let row = *index.entry(key).or_insert_with(|| {
                    keys.push(key);
                    files_with.push(0);
                    last_file.push(usize::MAX);
                    keys.len() as u32 - 1
                }) as usize;
                if at >= first_language && last_file[row] != at {
                    last_file[row] = at;
                    files_with[row] += 1;
                }
            }
            if at < first_language {
                in_template = keys.len();
            }
        }
        let of_template = template.map(|file| &file.content);
        let others = languages.iter().filter(|file| file.content.error.is_none());
        let others = others.count().saturating_sub(1) as u32;
        let expected = (0..).zip(&files_with).map(|(row, &count): (usize, &u32)| {
            match template {
                Some(_) => row < in_template,
                // Two files that agree are the least evidence.
                None => count >= 2 && count * 2 > others,
            }
        });
        let expected: Vec<bool> = expected.collect();
        let mut name = blake3::Hasher::new();
        for (key, _) in keys.iter().zip(&expected).filter(|(_, is)| **is) {
            name.update(key.as_bytes()).update(&[0]);
        }
        let mut blob = [0; 20];
        blob.copy_from_slice(&name.finalize().as_bytes()[..20]);
        let content = ParsedFile::of_keys(keys.into_iter(), component.file_format);
        Self {
            file: LanguageFile {
                path: "".into(),
                language: gitglot_model::language::resolve(""),
                blob: BlobId(blob),
                single_form: false,
                content: Arc::new(content),
            },
            expected,
            template_date: of_template
                .and_then(|template| template.template_date().map(str::to_owned)),
            has_template: template.is_some(),
        }
    }

    /// Whether every file should have a string, by its index.
    pub(super) fn is_expected(&self, row: usize) -> bool {
        self.expected.get(row).copied().unwrap_or_default()
    }

    /// Why a file should have a string that it lacks, and since when it was not updated.
    pub(super) fn reason(&self, file: &ParsedFile) -> String {
        let who = if self.has_template {
            "the template has it"
        } else {
            "most other languages have it"
        };
        let since = merged_day(file.template_date(), self.template_date.as_deref());
        match since {
            Some(day) => {
                format!("The file does not have the string, but {who}: not merged since {day}.")
            }
            None => format!("The file does not have the string, but {who}."),
        }
    }
}
