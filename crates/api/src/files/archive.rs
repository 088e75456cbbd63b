//! Archives of translation files: zip files without compression (docs/spec/current-api.md#archives).

use std::sync::Arc;

use crate::encode::zip::ZipWriter;
use crate::file_source::{FileError, FileSource};
use crate::files::convert::OutputFormat;
use crate::files::download::{FileAtTip, INCOMPATIBLE_REASON, page_of};
use crate::profile::Profile;
use crate::request::context::{Reply, RequestContext};
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use crate::response::media_type::ARCHIVE;
use gitglot_catalog::TranslationView;
use gitglot_catalog::scan::Budget;

/// The largest archive, in bytes.
const MAX_ARCHIVE: usize = 256 << 20;

struct ArchivedFile {
    /// Its path in the archive.
    name: String,
    content: FileContent,
}

enum FileContent {
    /// A file of the repository.
    Repository(FileAtTip),
    Converted(Vec<u8>),
}

/// The files of the project in the path; `language_code` selects a language.
pub(crate) async fn of_project(ctx: &RequestContext) -> Reply {
    let project = ctx.project()?;
    let name = project.slug.to_string();
    archive(ctx, name, ctx.url.value("language_code")).await
}

/// The files of a language of a project.
pub(crate) async fn of_language(ctx: &RequestContext) -> Reply {
    let language = ctx.param("language").to_owned();
    let name = [ctx.project()?.slug.as_str(), "-", &language].concat();
    archive(ctx, name, Some(language)).await
}

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
    let format = ctx.format.as_deref();
    let format = format.and_then(|format| format.strip_prefix("zip:"));
    let converter = format.and_then(|name| OutputFormat::named(Profile::Current, name));
    let own = ctx.clone();
    let files = ctx.scan(move |budget| {
        let views = views(&own, language.as_deref());
        match converter {
            Some(converter) => views
                .map(|view| converted(&own, view, converter, budget))
                .collect(),
            None => in_repository(&own, views),
        }
    });
    let files = files.await?;
    let source = ctx.state.files.clone();
    let packed = (ctx.state.scans).run_short(move || pack(files, &*source));
    let bytes = packed.await.map_err(|refused| ctx.refused(refused))??;
    let disposition = format!("attachment; filename=\"{name}.zip\"");
    Ok(ApiResponse::file(bytes, ARCHIVE[0], &disposition))
}

/// The files of translations and their templates, by path. Those of components with one repository are below the name
/// of its first component.
fn in_repository<'a>(
    ctx: &'a RequestContext,
    views: impl Iterator<Item = TranslationView<'a>>,
) -> Vec<ArchivedFile> {
    let mut files = Vec::new();
    for view in views.filter(|view| view.translation.has_file()) {
        let owner = ctx.snapshot.linked_component(view.component);
        let start = owner.unwrap_or(view.component).path();
        let mut translations = view.component.translations.iter();
        let template = translations.find(|translation| translation.is_template);
        for translation in std::iter::once(view.translation).chain(template.map(Arc::as_ref)) {
            files.push(ArchivedFile {
                name: [&*start, "/", &*translation.path].concat(),
                content: FileContent::Repository(FileAtTip::of(view.component, translation)),
            });
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files.dedup_by(|one, other| one.name == other.name);
    files
}

fn converted(
    ctx: &RequestContext,
    view: TranslationView<'_>,
    converter: &OutputFormat,
    budget: &Budget,
) -> ArchivedFile {
    let (of, code) = (view.component, &view.translation.current_language().code);
    let name = [
        &*of.path().replace('/', "-"),
        "-",
        &**code,
        ".",
        converter.extension,
    ];
    let (ending, content) = if (converter.fits)(of.component.file_format) {
        let page = page_of(ctx, view);
        ("", converter.file(view, &page, None, budget))
    } else {
        (".skipped", INCOMPATIBLE_REASON.into())
    };
    ArchivedFile {
        name: name.concat() + ending,
        content: FileContent::Converted(content),
    }
}

/// The archive of some files; those that the repository lacks are left out.
fn pack(files: Vec<ArchivedFile>, source: &dyn FileSource) -> Result<Vec<u8>, ApiError> {
    let mut zip = ZipWriter::default();
    for file in files {
        let bytes = match file.content {
            FileContent::Converted(bytes) => Ok(bytes),
            FileContent::Repository(file) => file.read(source),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(FileError::Missing) => continue,
            Err(FileError::Unreadable(reason)) => {
                tracing::error!(reason, "cannot read {} for an archive", file.name);
                return Err(ApiError::Unreadable);
            }
        };
        let fits = zip.fits(bytes.len(), MAX_ARCHIVE);
        if !fits || file.name.len() > usize::from(u16::MAX) {
            return Err(ApiError::PageTooLarge);
        }
        zip.add(&file.name, &bytes);
    }
    Ok(zip.finish())
}
