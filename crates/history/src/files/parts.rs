//! Files with several languages: the files of a component are their parts (docs/spec/change-log.md#parts).

use gitglot_git::{FilePart, FileSplitter, Repository};
use gitglot_model::{Component, FileFormat, part_name};

/// The repository as the other modules read it.
pub fn view(repository: &Repository, component: &Component) -> Repository {
    let format = component.file_format;
    match format.has_parts() {
        true => repository.with_parts(Box::new(Splitter(format))),
        false => repository.clone(),
    }
}

struct Splitter(FileFormat);

impl FileSplitter for Splitter {
    fn has_parts(&self, name: &[u8]) -> bool {
        let mut extensions =
            std::iter::once(self.0.extension()).chain(self.0.other_extensions().iter().copied());
        extensions.any(|extension| name.ends_with(extension.as_bytes()))
    }

    fn split(&self, bytes: &[u8]) -> Vec<FilePart> {
        let parts =
            gitglot_formats::split(self.0, bytes).map_or_else(|_| Vec::new(), |file| file.parts);
        let part = |part: gitglot_formats::LanguagePart| FilePart {
            name: part_name(&part.code).into_bytes(),
            pieces: part.pieces,
        };
        parts.into_iter().map(part).collect()
    }
}
