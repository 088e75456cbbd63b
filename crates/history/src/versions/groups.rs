//! Reads versions of groups of files: only files that differ from the version before are read.

use super::parsed::{FileEntry, ParsedVersion, Version};
use super::read::{BaseVersion, ParseWorker, ReadJob, StagedPart};
use super::values::TextValue;
use crate::error::HistoryError;
use gitglot_git::{FileGroup, GitError, GroupedFile, GroupedFiles};
use gitglot_model::{BlobId, MAX_GROUP_BYTES, SeededMap};

impl ParseWorker<'_> {
    /// Reads a version of a group, against the one before it or one that is known.
    pub(super) fn read_group(
        &mut self,
        blob: BlobId,
        base: &mut BaseVersion,
        group: FileGroup,
        job: &ReadJob,
    ) -> Result<Version, HistoryError> {
        if base.group.is_none()
            && let Some(known) = &job.base
            && let Some(group) = self.reader.group(known.blob)?
        {
            self.add_base(base, group, known);
        }
        self.staged.clear();
        let old = base.group.take().unwrap_or_default();
        let mut start = 0;
        let mut known: SeededMap<&str, (usize, &GroupedFiles)> = SeededMap::default();
        for files in old.iter() {
            known.insert(folder(files), (start, files));
            start += files.len();
        }
        for files in group.iter() {
            match known.get(folder(files)) {
                Some(&(start, old)) if old.is_same(files) => {
                    let all = start..start + old.len();
                    self.staged.parts.push(StagedPart::Reused(all));
                }
                Some(&(start, old)) => {
                    let old = old.iter().zip(start..);
                    let old = old.map(|(file, at)| (&*file.path, (file.blob, at)));
                    let old: SeededMap<&str, _> = old.collect();
                    for file in files.iter() {
                        match old.get(&*file.path) {
                            Some(&(blob, at)) if blob == file.blob => {
                                self.staged.parts.push(StagedPart::Reused(at..at + 1));
                            }
                            _ => self.read_file_of_group(file, job.is_template)?,
                        }
                    }
                }
                None => files
                    .iter()
                    .try_for_each(|file| self.read_file_of_group(file, job.is_template))?,
            }
        }
        base.group = Some(group);
        self.finish_version(blob, base, job)
    }

    /// Makes a known version the base of the next.
    fn add_base(&self, base: &mut BaseVersion, group: FileGroup, known: &ParsedVersion) {
        let mut vocabulary = self.shared.lock();
        for file in group.iter().flat_map(|files| files.iter()) {
            let key = vocabulary.intern_key(&file.path);
            base.entries.push(FileEntry {
                key,
                value: known.value(key),
                note: TextValue::ABSENT,
                previous_source: known.previous_sources.get(key),
            });
            base.count(key, true);
        }
        base.values = known.values.clone();
        base.previous_sources = known.previous_sources.clone();
        base.group = Some(group);
    }

    fn read_file_of_group(
        &mut self,
        file: &GroupedFile,
        is_template: bool,
    ) -> Result<(), HistoryError> {
        let bytes = match self.reader.grouped_file(file) {
            Ok(bytes) => bytes,
            Err(error) if error.is_damage() && !self.tolerates_damage => return Err(error.into()),
            Err(_) => Default::default(),
        };
        if !(self.meter)(bytes.len()) {
            return Err(HistoryError::Stopped);
        }
        let (format, staged) = (self.format, &mut self.staged);
        gitglot_formats::read_document(format, &file.path, &bytes, &mut |entry| {
            staged.push_entry(entry);
        });
        if !is_template {
            self.add_source(file, &bytes)?;
        }
        match self.staged.text_bytes() {
            ..=MAX_GROUP_BYTES => Ok(()),
            _ => Err(GitError::LargeGroup(file.blob.to_string()).into()),
        }
    }

    /// Adds the source that a document names as the one that it was made from to its entry, the last one.
    pub(super) fn add_source(
        &mut self,
        file: &GroupedFile,
        bytes: &[u8],
    ) -> Result<(), HistoryError> {
        let source = match self.reader.made_from(file, bytes) {
            Err(error) if error.is_damage() && self.tolerates_damage => None,
            source => source?,
        };
        if let Some(source) = source {
            let (format, staged) = (self.format, &mut self.staged);
            gitglot_formats::read_document(format, &file.path, &source, &mut |entry| {
                staged.set_previous_source(entry.text);
            });
        }
        Ok(())
    }
}

/// The directory of some files of a group.
fn folder(files: &[GroupedFile]) -> &str {
    let first = files.first().and_then(|file| file.path.rsplit_once('/'));
    first.map_or("", |(folder, _)| folder)
}
