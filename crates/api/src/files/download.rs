//! Downloads: bytes of the repository, read off the async threads (docs/spec/http.md#files).

use std::sync::Arc;

use crate::apis::{Api, Current, Legacy};
use crate::file_source::{FileError, FileSource};
use crate::files::convert::{OutputFormat, Selected};
use crate::links::site;
use crate::profile::Profile;
use crate::request::context::{Reply, RequestContext};
use crate::request::filters::file_query;
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use crate::response::media_type::{BINARY, JSON};
use gitglot_catalog::query::Filter;
use gitglot_catalog::{ComponentSnapshot, TranslationSnapshot, TranslationView};
use gitglot_model::{BlobId, CommitId, Component, ComponentId, FileFormat};
use gitglot_web::paths;

pub(crate) async fn template(ctx: &RequestContext) -> Reply {
    let of = ctx.component()?;
    let has_template = of.component.file_format.shape().has_template();
    if !has_template || !of.component.filemask.names_files() {
        return Err(ApiError::NotFound);
    }
    if has_no_blob(&of.component) {
        let path = of.component.template.clone();
        return send_path(ctx, of.component.id, of.tip.id, path).await;
    }
    let (id, blob) = (of.component.id, of.template_blob);
    let disposition = named(&of.component.template);
    let (media, _) = media_of(of.component.file_format);
    send(ctx, media, disposition, move |files| files.blob(id, blob)).await
}

/// The file that new languages of a component start from.
pub(crate) async fn new_base(ctx: &RequestContext) -> Reply {
    let of = ctx.component()?;
    let path = of.component.new_base.clone();
    if path.is_empty() {
        return Err(ApiError::NotFound);
    }
    send_path(ctx, of.component.id, of.tip.id, path).await
}

/// The file of a translation: the version whose texts are shown, or the one at the tip when none could be read.
/// With a `format` it is converted; `q` selects the strings of a converted file, which is PO without a `format`.
pub(crate) async fn translation(ctx: &RequestContext) -> Reply {
    let view = ctx.translation::<Legacy>()?;
    let filter = file_query::<Legacy>(&ctx.url)?;
    let format = ctx.format.as_deref();
    if let Some(format) = format.or(filter.is_some().then_some("po")) {
        let Some(converter) = OutputFormat::named(Profile::Legacy, format) else {
            return Ok(ApiResponse::not_found(&ctx.url.base));
        };
        let disposition = attachment(view, converter.extension);
        return converted::<Legacy>(ctx, converter, filter, &disposition).await;
    }
    if !view.component.component.filemask.names_files() {
        return Err(ApiError::NotFound);
    }
    let file = FileAtTip::of(view.component, view.translation);
    let (media, extension) = media_of(view.component.component.file_format);
    let disposition = attachment(view, extension);
    let read = move |files: &dyn FileSource| match file.blob {
        Some(blob) => files.blob(file.component, blob),
        None => files.at_path(file.component, file.tip, &file.path),
    };
    send(ctx, media, disposition, read).await
}

/// Whether a translation is no file of git, but a part of one or a group.
fn has_no_blob(component: &Component) -> bool {
    component.file_format.has_parts() || component.filemask.has_groups()
}

/// The media type and the extension of the files of a format (docs/spec/http.md#files).
fn media_of(format: FileFormat) -> (&'static str, &'static str) {
    let Some(media) = format.media_type() else {
        return (JSON, "json");
    };
    (media, format.extension().trim_start_matches('.'))
}

/// A format of current Weblate that files of other formats cannot have.
const INCOMPATIBLE: &str = "csv-multi";

/// Why a file is not converted to a known format.
pub(super) const INCOMPATIBLE_REASON: &str = "File format is not compatible with this translation";

/// The file of a translation as the current API sends it (docs/spec/current-api.md#downloads).
pub(crate) async fn current_translation(ctx: &RequestContext) -> Reply {
    let view = ctx.translation::<Current>()?;
    if !view.translation.has_file() {
        return Err(ApiError::NotFound);
    }
    let format = ctx.format.as_deref().filter(|format| !format.is_empty());
    if let (None, Some(_)) = (format, ctx.url.value("q")) {
        let reason = "Query string is ignored without format";
        return Err(ApiError::invalid("q", reason));
    }
    let Some(format) = format else {
        if !view.component.component.filemask.names_files() {
            return Err(ApiError::NotFound);
        }
        let file = FileAtTip::of(view.component, view.translation);
        let path = &view.translation.path;
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let disposition = current_attachment(view, extension);
        let (media, _) = media_of(view.component.component.file_format);
        return send(ctx, media, disposition, move |files| file.read(files)).await;
    };
    let converter = OutputFormat::named(Profile::Current, format);
    let Some(converter) =
        converter.filter(|converter| (converter.fits)(view.component.component.file_format))
    else {
        let reason = if converter.is_some() || format == INCOMPATIBLE {
            INCOMPATIBLE_REASON.to_owned()
        } else {
            format!("Conversion to {format} is not supported")
        };
        return Err(ApiError::invalid("format", reason));
    };
    let filter = file_query::<Current>(&ctx.url)?;
    let disposition = current_attachment(view, converter.extension);
    converted::<Current>(ctx, converter, filter, &disposition).await
}

/// A translation file as the tip has it, even if it does not parse.
pub(super) struct FileAtTip {
    component: ComponentId,
    tip: CommitId,
    path: Arc<str>,
    /// The version whose texts are shown, which is sent if the tip lacks the path.
    blob: Option<BlobId>,
}

impl FileAtTip {
    pub(super) fn of(component: &ComponentSnapshot, translation: &TranslationSnapshot) -> Self {
        Self {
            component: component.component.id,
            tip: component.tip.id,
            path: translation.path.clone(),
            blob: translation
                .blob
                .filter(|_| !has_no_blob(&component.component)),
        }
    }

    pub(super) fn read(&self, files: &dyn FileSource) -> Result<Vec<u8>, FileError> {
        match (
            files.at_path(self.component, self.tip, &self.path),
            self.blob,
        ) {
            (Err(FileError::Missing), Some(blob)) => files.blob(self.component, blob),
            (read, _) => read,
        }
    }
}

/// The URL of the HTML page of a translation.
pub(super) fn page_of(ctx: &RequestContext, view: TranslationView<'_>) -> String {
    let path = view.component.path_of(view.translation);
    site(&ctx.links, &paths::link(paths::TRANSLATION, &[&path]))
}

/// The header that names a translation's file in the current API.
fn current_attachment(view: TranslationView<'_>, extension: &str) -> String {
    let code = sanitize(&view.translation.current_language().code);
    let path = view.component.path().replace('/', "-");
    let extension = sanitize(extension);
    format!("attachment; filename=\"{path}-{code}.{extension}\"")
}

/// The file of a component at a revision: that of the language in the query, else the template.
pub(crate) async fn of_revision(ctx: &RequestContext, state: &ComponentSnapshot) -> Reply {
    let language = ctx.url.value("language");
    let found = state
        .translations
        .iter()
        .find(|translation| match &language {
            Some(code) => **code == *translation.language.code,
            None => translation.is_template,
        });
    let found = found.ok_or_else(|| {
        ApiError::NoRevision("The revision has no file of that language.".to_owned())
    })?;
    let (id, tip) = (state.component.id, state.tip.id);
    send_path(ctx, id, tip, found.path.to_string()).await
}

/// The file of the translation in the path in a different format, converted outside the async threads.
async fn converted<P: Api>(
    ctx: &RequestContext,
    converter: &'static OutputFormat,
    filter: Option<Filter>,
    disposition: &str,
) -> Reply {
    let own = ctx.clone();
    let file = ctx.scan(move |budget| {
        let view = own.translation::<P>()?;
        let users = own.snapshot.users();
        let selected = filter.as_ref().map(|filter| Selected { filter, users });
        Ok::<_, ApiError>(converter.file(view, &page_of(&own, view), selected, budget))
    });
    let file = file.await??;
    Ok(ApiResponse::file(file, converter.media, disposition))
}

/// The header that names a translation's file, by slugs and language.
fn attachment(view: TranslationView<'_>, extension: &str) -> String {
    let code = sanitize(&view.translation.language.code);
    let path = view.component.path().replace('/', "-");
    format!("attachment; filename={path}-{code}.{extension}")
}

async fn send_path(ctx: &RequestContext, id: ComponentId, commit: CommitId, path: String) -> Reply {
    let disposition = named(&path);
    send(ctx, BINARY[0], disposition, move |files| {
        files.at_path(id, commit, &path)
    })
    .await
}

async fn send(
    ctx: &RequestContext,
    content_type: &'static str,
    disposition: String,
    read: impl FnOnce(&dyn FileSource) -> Result<Vec<u8>, FileError> + Send + 'static,
) -> Reply {
    let files = ctx.state.files.clone();
    match ctx.state.scans.run_short(move || read(&*files)).await {
        Ok(Ok(bytes)) => Ok(ApiResponse::file(bytes, content_type, &disposition)),
        Ok(Err(FileError::Missing)) => Err(ApiError::NotFound),
        Ok(Err(FileError::Unreadable(why))) => {
            tracing::warn!(%why, "cannot send a file");
            Err(ApiError::Unreadable)
        }
        Err(error) => {
            tracing::error!(%error, "cannot read a file to its end");
            Err(ApiError::Unreadable)
        }
    }
}

/// The header that names a file by the last part of its path.
fn named(path: &str) -> String {
    let name = sanitize(path.rsplit('/').next().unwrap_or(path));
    format!("attachment; filename=\"{name}\"")
}

/// A name without characters that could end the header or the quoted name.
fn sanitize(name: &str) -> String {
    let is_unsafe = |c: char| !c.is_ascii_graphic() || matches!(c, '"' | '\\' | ';');
    name.replace(is_unsafe, "_")
}
