//! The notes of strings in a file of their own: `qqq` of MediaWiki (docs/spec/formats.md#banana).

use std::sync::Arc;

use super::rows::SourceString;
use crate::versions::parsed::Vocabulary;
use gitglot_git::{EntryKind, GitError, ObjectReader};
use gitglot_model::{BlobId, DOCUMENTATION, FileFormat, FileMask, SeededMap, TreeId};

/// The notes of a blob, by key.
#[derive(Clone, Debug)]
pub struct StringNotes {
    pub blob: BlobId,
    notes: Arc<SeededMap<String, String>>,
}

impl StringNotes {
    /// Reads the notes next to the files of a mask; `None` if the tree has none that parse. The same blob is not read again.
    pub fn read(
        reader: &mut ObjectReader,
        format: FileFormat,
        tree: TreeId,
        mask: &FileMask,
        known: Option<&Self>,
    ) -> Result<Option<Self>, GitError> {
        if format != FileFormat::Banana {
            return Ok(None);
        }
        let path = mask.with_code(DOCUMENTATION);
        let Some(EntryKind::File(blob)) = reader.entry_at(tree, &path)? else {
            return Ok(None);
        };
        if let Some(known) = known.filter(|known| known.blob == blob) {
            return Ok(Some(known.clone()));
        }
        let bytes = match reader.blob(blob) {
            Ok(bytes) => bytes,
            Err(error) if error.is_damage() => return Err(error),
            Err(_) => return Ok(None),
        };
        let mut notes = SeededMap::default();
        let format = gitglot_formats::reader(format);
        let read = format.read(&bytes, &mut |entry| {
            notes.insert(entry.context.to_owned(), entry.text.to_owned());
        });
        let notes = Arc::new(notes);
        Ok(read.is_ok().then_some(Self { blob, notes }))
    }

    /// Gives the strings their notes.
    pub fn fill(&self, sources: &mut [SourceString], vocabulary: &mut Vocabulary) {
        let texts = &mut vocabulary.texts;
        for source in sources {
            let note = self.notes.get(texts.get(source.context));
            source.note = note.map_or(source.note, |note| texts.intern(note));
        }
    }
}
