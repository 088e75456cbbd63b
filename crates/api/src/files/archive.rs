//! Archives of translation files: zip files without compression (docs/spec/current-api.md#archives).

use crate::files::convert::Converter;
use crate::files::source::{FileError, FileSource};
use crate::request::context::{Reply, RequestContext};
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use gitglot_catalog::TranslationView;
use gitglot_catalog::scan::Budget;
use gitglot_model::{BlobId, CommitId, ComponentId};

/// The content type of archives.
const ZIP: &str = "application/zip";

/// The largest archive, in bytes.
const MAX_ARCHIVE: usize = 256 << 20;

/// A file of an archive.
struct ArchivedFile {
    /// Its path in the archive.
    name: String,
    content: FileContent,
}

enum FileContent {
    /// A file of the repository: its blob, or the file at a path of the tip.
    Repository(ComponentId, Option<BlobId>, CommitId, String),
    /// A converted file.
    Converted(Vec<u8>),
}

/// The files of the project in the path; `language_code` selects a language.
pub(crate) async fn of_project(ctx: &RequestContext) -> Reply {
    let project = ctx.project()?;
    let name = project.slug.to_string();
    let language = ctx
        .url
        .value("language_code")
        .filter(|code| !code.is_empty());
    archive(ctx, name, language).await
}

/// The files of a language of a project.
pub(crate) async fn of_language(ctx: &RequestContext) -> Reply {
    let language = ctx.param("language").to_owned();
    let name = [ctx.project()?.slug.as_str(), "-", &language].concat();
    archive(ctx, name, Some(language)).await
}

/// The files of a component.
pub(crate) async fn of_component(ctx: &RequestContext) -> Reply {
    let of = ctx.component()?;
    let name = [of.project.slug.as_str(), "-", of.component.slug.as_str()].concat();
    archive(ctx, name, None).await
}

/// The translations of the project or component in the path.
fn views<'a>(
    ctx: &'a RequestContext,
    language: Option<&'a str>,
) -> impl Iterator<Item = TranslationView<'a>> {
    let [project, component] = ["project", "component"].map(|name| ctx.param(name));
    ctx.snapshot
        .current_translations_from(0)
        .filter(move |view| {
            let (of, own) = (view.component, &view.translation.current_language().code);
            of.project.slug.as_str() == project
                && (component.is_empty() || of.component.slug.as_str() == component)
                && language.is_none_or(|code| code == &**own)
        })
}

async fn archive(ctx: &RequestContext, name: String, language: Option<String>) -> Reply {
    if !ctx.param("language").is_empty() && views(ctx, language.as_deref()).next().is_none() {
        return Err(ApiError::NotFound);
    }
    let format = ctx
        .format
        .as_deref()
        .and_then(|format| format.strip_prefix("zip:"));
    let converter = format.and_then(Converter::named);
    let own = ctx.clone();
    let files = ctx.scan(move |budget| {
        let views = views(&own, language.as_deref());
        let files = views.map(|view| file(view, converter, budget));
        files.collect::<Result<Vec<ArchivedFile>, ApiError>>()
    });
    let files = files.await??;
    let source = ctx.state.files.clone();
    let packed = ctx
        .state
        .scans
        .run_short(move || pack(files, &*source))
        .await;
    let bytes = packed.map_err(|refused| ctx.refused(refused))??;
    let disposition = format!("attachment; filename=\"{name}.zip\"");
    Ok(ApiResponse::file(bytes, ZIP, &disposition))
}

fn file(
    view: TranslationView<'_>,
    converter: Option<Converter>,
    budget: &Budget,
) -> Result<ArchivedFile, ApiError> {
    let (of, translation) = (view.component, view.translation);
    let path = &translation.path;
    let start = [&*of.path(), "/"].concat();
    let Some(converter) = converter else {
        let (id, tip) = (of.component.id, of.tip.id);
        return Ok(ArchivedFile {
            name: [&start, &**path].concat(),
            content: FileContent::Repository(id, translation.blob, tip, path.to_string()),
        });
    };
    let converted = converter.file(view, "", budget).map_err(|error| {
        tracing::error!(%error, "cannot convert a file");
        ApiError::Unreadable
    })?;
    let code = &translation.current_language().code;
    Ok(ArchivedFile {
        name: [&start, &**code, ".", converter.extension()].concat(),
        content: FileContent::Converted(converted),
    })
}

/// The archive of some files; those that the repository lacks are left out.
fn pack(files: Vec<ArchivedFile>, source: &dyn FileSource) -> Result<Vec<u8>, ApiError> {
    let mut zip = ZipWriter::default();
    for file in files {
        let bytes = match file.content {
            FileContent::Converted(bytes) => Ok(bytes),
            FileContent::Repository(id, Some(blob), ..) => source.blob(id, blob),
            FileContent::Repository(id, None, tip, path) => source.at_path(id, tip, &path),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(FileError::Missing) => continue,
            Err(FileError::Unreadable(reason)) => {
                tracing::error!(reason, "cannot read {} for an archive", file.name);
                return Err(ApiError::Unreadable);
            }
        };
        let fits = zip.bytes.len() + bytes.len() <= MAX_ARCHIVE && zip.entries < u16::MAX;
        if !fits || file.name.len() > usize::from(u16::MAX) {
            return Err(ApiError::PageTooLarge);
        }
        zip.add(&file.name, &bytes);
    }
    Ok(zip.finish())
}

/// Writes a zip file. Sizes and offsets have 32 bits, names and the number of entries 16, which [`pack`] ensures.
#[derive(Default)]
struct ZipWriter {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

/// 1 January 1980, the first date of the format.
const NO_DATE: u16 = 1 << 5 | 1;
/// Names are in UTF-8.
const UTF8_NAMES: u16 = 1 << 11;

impl ZipWriter {
    fn add(&mut self, name: &str, content: &[u8]) {
        let offset = self.bytes.len() as u32;
        let mut fields = Vec::new();
        // Version 2.0, stored, without a time.
        for field in [20, UTF8_NAMES, 0, 0, NO_DATE] {
            fields.extend_from_slice(&field.to_le_bytes());
        }
        let size = content.len() as u32;
        let mut checksum = flate2::Crc::new();
        checksum.update(content);
        for field in [checksum.sum(), size, size] {
            fields.extend_from_slice(&field.to_le_bytes());
        }
        fields.extend_from_slice(&(name.len() as u16).to_le_bytes());
        fields.extend_from_slice(&[0; 2]);
        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&fields);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(content);
        self.directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        self.directory.extend_from_slice(&fields);
        // No comment, first disk, no attributes.
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&offset.to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.entries += 1;
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, size) = (self.bytes.len() as u32, self.directory.len() as u32);
        self.bytes.append(&mut self.directory);
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        for _ in 0..2 {
            self.bytes.extend_from_slice(&self.entries.to_le_bytes());
        }
        self.bytes.extend_from_slice(&size.to_le_bytes());
        self.bytes.extend_from_slice(&start.to_le_bytes());
        self.bytes.extend_from_slice(&[0; 2]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_a_directory_of_its_files() {
        let mut zip = ZipWriter::default();
        zip.add("a.txt", b"hello");
        zip.add("b.txt", b"");
        let bytes = zip.finish();
        assert_eq!(bytes.windows(4).filter(|it| it == b"PK\x03\x04").count(), 2);
        assert_eq!(bytes.windows(4).filter(|it| it == b"PK\x01\x02").count(), 2);
        assert_eq!(bytes[bytes.len() - 12..bytes.len() - 10], [2, 0]);
    }
}
